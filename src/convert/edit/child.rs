//! Values that become part of a tree. New nodes are moved, views are copied.

use std::marker::PhantomData;

use super::copy::{CopyWalk, Locations};
use super::target::EditTree;
use crate::convert::arena;
use crate::convert::nodes::nodes;
use crate::convert::problem::Problem;
use crate::convert::view::{self, Node, NodeType};
use crate::sys::bindings as pg;

/// Marker for fields that accept any node.
pub enum Any {}

/// A node, or NULL, that has become part of a tree.
#[doc(hidden)]
pub struct Attached(pub(crate) *mut pg::Node);

/// A value for a field that accepts nodes of kind `K`. `K` is [`Any`] or a view type. A value is one of these:
///
/// - A new node, either as its setters or as a [`New`].
/// - A view of a node in any tree. The node is copied. If the node belongs to a tree other than the
///   edited tree, the copy has no locations, because locations refer to the SQL of the node's own
///   tree.
/// - A number, which becomes a constant.
/// - An `Option` of one of these.
pub trait Child<'a, K> {
    #[doc(hidden)]
    fn attach(self, tree: &'a EditTree) -> Attached;
}

/// A value for a list field: an iterator of [`Child`] values.
pub trait Children<'a>: IntoIterator<Item: Child<'a, Any>> {}
impl<'a, T: IntoIterator<Item: Child<'a, Any>>> Children<'a> for T {}

/// A new node of any type. It is not yet part of a tree.
pub struct New<'a> {
    pub(super) tree: &'a EditTree,
    pub(super) c: *mut pg::Node,
    pub(super) _tree: PhantomData<&'a EditTree>,
}

impl<'a> New<'a> {
    /// Wraps a node that was created by `tree`. If the node is already part of a tree (`attached`), wraps a copy of
    /// the node.
    pub(super) fn of(tree: &'a EditTree, node: Node<'_>, attached: bool) -> Self {
        let c = if attached { attach_copy(tree, node).0 } else { node.c().cast_mut() };
        Self { tree, c, _tree: PhantomData }
    }

    /// # Safety
    /// `c` must be a valid node in the tree's arena, and nothing else may point to it.
    pub(super) unsafe fn from_c(tree: &'a EditTree, c: *mut pg::Node) -> Self {
        Self { tree, c, _tree: PhantomData }
    }

    /// Returns a view of the node. The view can be used to read and edit the node before it is part of a tree.
    ///
    /// ```
    /// use pgq::nodes::{Node, RangeVar};
    ///
    /// let tree = pgq::EditTree::parse("SELECT 1 FROM t", &Default::default())?;
    /// let visit = tree.walk().find(|visit| matches!(visit.node, Node::RangeVar(_))).unwrap();
    /// let copy = tree.copied(visit.node);
    /// let Node::RangeVar(table) = copy.node() else { panic!() };
    /// tree.edit(table).schemaname("shop");
    /// assert_eq!(tree.deparse(&Default::default())?, "SELECT 1 FROM t");
    /// tree.replace(visit, copy)?;
    /// assert_eq!(tree.deparse(&Default::default())?, "SELECT 1 FROM shop.t");
    /// # Ok::<(), pgq::Error>(())
    /// ```
    #[must_use]
    pub fn node(&self) -> Node<'a> {
        // SAFETY: the node is valid while its tree is borrowed.
        unsafe { Node::from_c(self.c, 0) }
    }

    /// Returns the node for use in `tree`: the node itself if it belongs to `tree`, otherwise a copy.
    pub(super) fn into_tree(self, tree: &EditTree) -> Attached {
        if std::ptr::eq(self.tree, tree) {
            return Attached(self.c);
        }
        attach_copy(tree, self.node())
    }
}

/// A new `String` node from [`EditTree::name`], for lists of name parts and for fields of type `String`.
pub struct StringNode<'a>(pub(super) New<'a>);

impl<'a> From<StringNode<'a>> for New<'a> {
    fn from(node: StringNode<'a>) -> Self {
        node.0
    }
}

impl<'a> Child<'a, Any> for StringNode<'a> {
    fn attach(self, tree: &'a EditTree) -> Attached {
        self.0.into_tree(tree)
    }
}

impl<'a> Child<'a, view::String<'static>> for StringNode<'a> {
    fn attach(self, tree: &'a EditTree) -> Attached {
        self.0.into_tree(tree)
    }
}

/// Copies a node. If this fails, records the problem in the tree and returns NULL.
fn attach_copy(tree: &EditTree, node: Node<'_>) -> Attached {
    let locations = if tree.holds(node.c()) { Locations::Without(node.padding()) } else { Locations::NotSet };
    let mut walk = CopyWalk::new(tree.arena(), locations);
    // SAFETY: a view's node is valid. The view, not the tag, determines the type, because an embedded struct has the
    // tag of its containing node.
    let c = unsafe {
        match node {
            Node::List(list) => walk.list(list.c()).cast(),
            node => walk.row(node.c(), node.table_row()),
        }
    };
    match walk.finish() {
        Ok(levels) => {
            tree.deepen(levels + 1);
            Attached(c)
        }
        Err(problem) => {
            tree.fail(problem);
            Attached(std::ptr::null_mut())
        }
    }
}

impl<'a, K, T: Child<'a, K>> Child<'a, K> for Option<T> {
    fn attach(self, tree: &'a EditTree) -> Attached {
        self.map_or(Attached(std::ptr::null_mut()), |child| child.attach(tree))
    }
}

/// Converts the number to a constant.
impl<'a> Child<'a, Any> for i32 {
    fn attach(self, tree: &'a EditTree) -> Attached {
        tree.constant(view::Constant::Integer(self)).into_tree(tree)
    }
}

impl<'a> Child<'a, Any> for New<'a> {
    fn attach(self, tree: &'a EditTree) -> Attached {
        self.into_tree(tree)
    }
}

impl<'a> Child<'a, Any> for Node<'_> {
    fn attach(self, tree: &'a EditTree) -> Attached {
        attach_copy(tree, self)
    }
}

impl<'a, 't, V: NodeType<'t>> Child<'a, Any> for V {
    fn attach(self, tree: &'a EditTree) -> Attached {
        attach_copy(tree, self.into())
    }
}

/// A node that becomes part of another tree without being copied. The other tree must not be edited, and must be
/// dropped before the node's own tree.
pub(crate) struct InPlace<'t>(Node<'t>);

impl<'t> InPlace<'t> {
    /// Wraps a node. Returns `None` for the view of an embedded struct. Such a struct has the tag
    /// of its containing node, so it cannot be used as a separate node.
    pub(crate) fn new(node: Node<'t>) -> Option<Self> {
        // SAFETY: a view's node is valid.
        let tag = unsafe { (*node.c()).type_ };
        (tag == node.table_row().tag).then_some(Self(node))
    }
}

impl<'a, K> Child<'a, K> for InPlace<'_> {
    fn attach(self, _tree: &'a EditTree) -> Attached {
        Attached(self.0.c().cast_mut())
    }
}

/// Attaches the members of a list and returns a new list.
pub(super) fn attach_list<'a>(tree: &'a EditTree, members: impl Children<'a>) -> *mut pg::List {
    let members: Vec<_> = members.into_iter().map(|member| member.attach(tree).0).collect();
    arena::list(tree.arena(), members.len(), |i| members[i]).unwrap_or_else(|| {
        tree.fail(Problem::OutOfRange { field: "list" });
        std::ptr::null_mut()
    })
}

macro_rules! typed {
    ($($rust:ident,)*) => { $(
        impl<'a> Child<'a, view::$rust<'static>> for view::$rust<'_> {
            fn attach(self, tree: &'a EditTree) -> Attached {
                attach_copy(tree, Node::from(self))
            }
        }
    )* };
}
typed!(Integer, Float, Boolean, String, BitString,);

macro_rules! walk {
    ($($tag:ident $c:ident $rust:ident $variant:ident $json:literal { $($fields:tt)* })*) => {
        typed!($($rust,)*);
    };
}
nodes!(walk);
