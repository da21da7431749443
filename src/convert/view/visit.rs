//! Visitors that call a closure. This is the fastest traversal, because its code is generated for each node type. The
//! order is the same as in [`Walk`](super::Walk), which also returns each node's position in the tree.

use std::marker::PhantomData;
use std::ops::ControlFlow;

use super::NodeType;
use super::node::Node;
use super::walk::Inside;
use crate::convert::nodes::nodes;
use crate::convert::row;
use crate::sys::bindings as pg;
use crate::sys::stack::here;

/// Maximum stack size of the recursion, in bytes. Deeper levels are visited without recursion. The limit is not a
/// number of levels, because the frame size depends on the caller's build profile.
const STACK: usize = 64 << 10;

struct Visitor<'t, B, F> {
    f: F,
    /// Lowest frame address of the recursion.
    lowest: usize,
    /// Number of spaces before the SQL in the parser's input.
    padding: i32,
    _tree: PhantomData<fn(&'t ()) -> B>,
}

/// A C struct whose children can be visited. `M` is the node type (see row.rs). It is a parameter because some node
/// types share a C struct.
trait VisitFields<M> {
    /// # Safety
    /// `c` must be valid for `'t`, with valid children.
    unsafe fn visit<'t, B, F>(c: *const Self, visitor: &mut Visitor<'t, B, F>) -> ControlFlow<B>
    where
        F: FnMut(Node<'t>) -> ControlFlow<B, Inside>;
}

impl<'t, B, F: FnMut(Node<'t>) -> ControlFlow<B, Inside>> Visitor<'t, B, F> {
    /// # Safety
    /// `c` must be a node that is valid for `'t`.
    #[inline(never)]
    unsafe fn node(&mut self, c: *const pg::Node) -> ControlFlow<B> {
        // SAFETY: the caller meets this function's requirements.
        self.visit(unsafe { Node::from_c(c, self.padding) })
    }

    #[inline(always)]
    fn visit(&mut self, node: Node<'t>) -> ControlFlow<B> {
        if (self.f)(node)? == Inside::Skip {
            return ControlFlow::Continue(());
        }
        if here() < self.lowest { self.visit_deep(node) } else { self.children(node) }
    }

    /// Visits the nodes inside a node without recursion.
    #[cold]
    #[inline(never)]
    fn visit_deep(&mut self, node: Node<'t>) -> ControlFlow<B> {
        let mut walk = node.walk();
        walk.next();
        walk.try_each(|visit| (self.f)(visit.node))
    }

    /// # Safety
    /// `c` must be NULL or a node that is valid for `'t`.
    #[inline(always)]
    unsafe fn one(&mut self, c: *const pg::Node) -> ControlFlow<B> {
        // SAFETY: the caller guarantees that `c` is valid if it is not NULL.
        if c.is_null() { ControlFlow::Continue(()) } else { unsafe { self.node(c) } }
    }

    /// # Safety
    /// `list` must be NULL or a list of nodes that is valid for `'t`.
    #[inline(always)]
    unsafe fn many(&mut self, list: *const pg::List) -> ControlFlow<B> {
        // SAFETY: the caller guarantees that `list` is valid if it is not NULL.
        if list.is_null() { ControlFlow::Continue(()) } else { unsafe { self.members(list) } }
    }

    /// # Safety
    /// `list` must be a list of nodes that is valid for `'t`.
    #[inline(never)]
    unsafe fn members(&mut self, list: *const pg::List) -> ControlFlow<B> {
        // SAFETY: the closure may edit the list. Therefore its cells and length are read again for each member.
        unsafe {
            let mut index = 0;
            while index < (*list).length as usize {
                self.one((*(*list).elements.add(index)).ptr_value.cast_const().cast())?;
                index += 1;
            }
        }
        ControlFlow::Continue(())
    }
}

macro_rules! visit_field {
    (node, $c:expr, $visitor:ident) => {
        $visitor.one($c.cast_const().cast())?
    };
    (message, $c:expr, $visitor:ident, $ty:ident) => {
        $visitor.one($c.cast_const().cast())?
    };
    (list, $c:expr, $visitor:ident) => {
        $visitor.many($c)?
    };
    // The fields of an embedded struct belong to the node itself.
    (embed, $c:expr, $visitor:ident, $ty:ident) => {
        VisitFields::<row::$ty>::visit(&raw const $c, $visitor)?
    };
    ($plain:ident, $c:expr, $visitor:ident $(, $ty:ident)?) => {};
}

macro_rules! visitor {
    ($($tag:ident $c:ident $rust:ident $variant:ident $json:literal {
        $($kind:ident $field:ident $key:literal $cfield:ident $(: $ty:ident)?;)*
    })*) => {
        $(impl VisitFields<row::$rust> for pg::$c {
            #[allow(unused_unsafe)] // some nodes have no fields
            // Debug builds do not inline this function, because without optimization, the caller's stack frame would
            // contain the variables for every node type.
            #[cfg_attr(not(pgq_large_frames), inline(always))]
            unsafe fn visit<'t, B, F>(c: *const Self, visitor: &mut Visitor<'t, B, F>) -> ControlFlow<B>
            where
                F: FnMut(Node<'t>) -> ControlFlow<B, Inside>,
            {
                let _ = (c, &visitor);
                // SAFETY: the caller guarantees that the node and its children are valid.
                unsafe { $(visit_field!($kind, (*c).$cfield, visitor $(, $ty)?);)* }
                ControlFlow::Continue(())
            }
        })*

        impl<'t, B, F: FnMut(Node<'t>) -> ControlFlow<B, Inside>> Visitor<'t, B, F> {
            #[inline(always)]
            fn children(&mut self, node: Node<'t>) -> ControlFlow<B> {
                let c = node.c();
                // SAFETY: a view's node has the variant's type. The node and its children are valid for 't.
                unsafe {
                    match node {
                        $(Node::$rust(_) => VisitFields::<row::$rust>::visit(c as *const pg::$c, self),)*
                        Node::List(list) => self.many(list.c()),
                        Node::AConst(_) | Node::Integer(_) | Node::Float(_) | Node::Boolean(_) | Node::String(_)
                        | Node::BitString(_) => ControlFlow::Continue(()),
                    }
                }
            }
        }
    };
}
nodes!(visitor);

/// Tests the visitor in unoptimized code: documentation tests are compiled without optimization.
///
/// ```
/// use std::ops::ControlFlow;
/// use pgq::{Inside, Tree};
///
/// let deep = || {
///     let sql = format!("SELECT a.b{}", " + a.b".repeat(9_999));
///     let tree = Tree::parse(&sql, &Default::default()).unwrap();
///     let mut visited = 0;
///     let result: ControlFlow<()> = tree.visit(|_| {
///         visited += 1;
///         ControlFlow::Continue(Inside::Visit)
///     });
///     assert_eq!((visited, result), (tree.walk().count(), ControlFlow::Continue(())));
///     assert_eq!(tree.deparse(&Default::default()).unwrap(), sql);
/// };
/// std::thread::spawn(deep).join().unwrap();
/// ```
#[cfg(doctest)]
struct VisitorInUnoptimizedCode;

impl<'t> Node<'t> {
    /// Calls `f` with this node and all nodes inside it, in the order of [`Node::walk`], until `f` breaks. If `f`
    /// returns [`Inside::Skip`], the nodes inside the current node are skipped. This function is several times as fast
    /// as the iterator.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use pgq::{Inside, nodes::Node};
    ///
    /// let tree = pgq::Tree::parse("SELECT f(a) FROM (SELECT g(b) FROM t) s", &Default::default())?;
    /// let mut calls = 0;
    /// let visited: ControlFlow<()> = tree.statement(0).node().unwrap().visit(|node| match node {
    ///     Node::RangeSubselect(_) => ControlFlow::Continue(Inside::Skip),
    ///     node => {
    ///         calls += usize::from(matches!(node, Node::FuncCall(_)));
    ///         ControlFlow::Continue(Inside::Visit)
    ///     }
    /// });
    /// assert_eq!((calls, visited), (1, ControlFlow::Continue(())));
    /// # Ok::<(), pgq::Error>(())
    /// ```
    #[inline]
    pub fn visit<B>(self, f: impl FnMut(Node<'t>) -> ControlFlow<B, Inside>) -> ControlFlow<B> {
        let lowest = if cfg!(miri) { 0 } else { here().saturating_sub(STACK) };
        Visitor { f, lowest, padding: self.padding(), _tree: PhantomData }.visit(self)
    }

    /// Returns the first node of type `T` in this subtree, in the order of [`Node::walk`]. The subtree includes this
    /// node.
    ///
    /// ```
    /// use pgq::nodes::RangeVar;
    ///
    /// let tree = pgq::Tree::parse("DELETE FROM t USING u", &Default::default())?;
    /// let table: RangeVar<'_> = tree.statement(0).node().unwrap().first().unwrap();
    /// assert_eq!(table.relname(), Some("t"));
    /// # Ok::<(), pgq::Error>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn first<T: NodeType<'t>>(self) -> Option<T> {
        let first = self.visit(|node| match T::from_node(node) {
            Some(found) => ControlFlow::Break(found),
            None => ControlFlow::Continue(Inside::Visit),
        });
        first.break_value()
    }

    /// Returns whether `f` returns true for this node or for a node inside it. Stops at the first node for which `f`
    /// returns true.
    ///
    /// ```
    /// use pgq::nodes::Node;
    ///
    /// let tree = pgq::Tree::parse("SELECT a FROM t WHERE b = $1", &Default::default())?;
    /// let node = tree.statement(0).node().unwrap();
    /// assert!(node.any(|node| matches!(node, Node::ParamRef(_))));
    /// # Ok::<(), pgq::Error>(())
    /// ```
    #[inline]
    pub fn any(self, mut f: impl FnMut(Node<'t>) -> bool) -> bool {
        let visit = |node| if f(node) { ControlFlow::Break(()) } else { ControlFlow::Continue(Inside::Visit) };
        self.visit(visit).is_break()
    }
}
