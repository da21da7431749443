//! Iterators over the nodes of a tree. They do not recurse, therefore a small stack suffices for a tree of any depth.
//! They do not allocate, because the list of levels is reused.

use std::cell::Cell;
use std::iter::FusedIterator;
use std::marker::PhantomData;
use std::ops::ControlFlow;

use super::NodeType;
use super::children::{Child, Children};
use super::node::Node;
use super::text_order::TextOrder;

/// A node, and its position in the tree, as returned by [`Walk`].
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Visit<'t> {
    /// The node.
    pub node: Node<'t>,
    /// Number of ancestors up to the root of the walk; 0 for the root.
    pub depth: usize,
    /// The parent node; `None` for the root of the walk.
    pub parent: Option<Node<'t>>,
    /// The JSON name of the parent's field that contains the node, such as `targetList`. Empty for the root of the
    /// walk.
    pub field: &'static str,
    /// The node's index in the parent's field, if this field is a list.
    pub index: Option<usize>,
}

/// Whether to visit the nodes inside the current node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Inside {
    /// Visit the nodes inside the current node.
    Visit,
    /// Skip the nodes inside the current node.
    Skip,
}

/// Iterator over the nodes of a tree, parents before children, from [`Node::walk`].
///
/// Children are visited in the order of the fields of PostgreSQL's structs. PostgreSQL's `raw_expression_tree_walker`
/// (nodes/nodeFuncs.c) has the same order. Only the fields of these nodes have a different order there:
/// `JsonTableColumn`, `JsonObjectConstructor`, `JsonArrayConstructor`, `JsonArrayQueryConstructor` and
/// `JsonAggConstructor`. This iterator visits every node. PostgreSQL's function skips some nodes: the parts of names,
/// the branches of CASE (`CaseWhen` nodes), and the nodes of utility statements.
///
/// [`Walk::in_text_order`] visits siblings in the order of the SQL instead.
///
/// ```
/// use pgq::nodes::{Node, SelectStmt};
///
/// let tree = pgq::Tree::parse("SELECT a FROM t LIMIT 1 OFFSET b", &Default::default())?;
/// let columns = |visit: pgq::Visit<'_>| visit.node.downcast::<pgq::nodes::ColumnRef>().is_some();
/// assert_eq!(tree.walk().filter(|visit| columns(*visit)).count(), 2);
/// let fields: Vec<_> = tree.statement(0).node().unwrap().children().map(|child| child.field).collect();
/// assert_eq!(fields, ["targetList", "fromClause", "limitOffset", "limitCount"]);
/// # Ok::<(), pgq::Error>(())
/// ```
pub struct Walk<'t> {
    /// The nodes on the path from the root.
    levels: Vec<Level>,
    /// The most recently returned node. The walk continues with this node's children.
    open: Option<Node<'t>>,
    /// The remaining roots.
    roots: std::vec::IntoIter<Node<'t>>,
    root: Option<Node<'t>>,
    /// Number of spaces before the SQL in the parser's input, for the current root.
    padding: i32,
    /// Number of levels to exclude from `depth`: 1 if the walk starts at the children of a node, otherwise 0.
    above: usize,
    /// Whether to visit the expression of `SET (a, b) = …` only once, although the tree contains it in each column (`a`
    /// and `b`).
    each_once: bool,
    /// `Some` if the walk reads all children of a node before it visits the first child. This is needed if the children
    /// must be sorted, or if they may change during the walk.
    ahead: Option<Box<Ahead>>,
    _tree: PhantomData<&'t ()>,
}

/// A node whose children are being visited.
struct Level {
    /// Valid only for the walk's lifetime.
    node: Node<'static>,
    children: Children,
}

/// Children that were read ahead.
#[derive(Default)]
struct Ahead {
    /// The children of each node on the path from the root to the current node, concatenated.
    children: Vec<Child>,
    /// For each level, the index of the next child and the index after the last child.
    ranges: Vec<(usize, usize)>,
    order: Option<TextOrder>,
}

thread_local! {
    /// The emptied list of levels of this thread's last walk, for reuse by the next walk.
    static LEVELS: Cell<Vec<Level>> = const { Cell::new(Vec::new()) };
}

/// Maximum capacity, in levels, of a list that is kept for reuse.
const KEPT: usize = 1 << 12;

/// Initial capacity in levels, enough for a short statement.
const SHORT: usize = 32;

impl Drop for Walk<'_> {
    #[inline]
    fn drop(&mut self) {
        let mut levels = std::mem::take(&mut self.levels);
        if levels.capacity() <= KEPT {
            levels.clear();
            // At thread exit the list is dropped, because there is no next walk.
            let _ = LEVELS.try_with(|kept| kept.set(levels));
        }
    }
}

impl<'t> Walk<'t> {
    #[inline]
    pub(crate) fn new(root: Option<Node<'t>>) -> Self {
        Self::of(root, Vec::new())
    }

    /// Creates a walk over several subtrees, one after another.
    pub(crate) fn of_all(roots: impl IntoIterator<Item = Node<'t>>) -> Self {
        let mut roots = roots.into_iter();
        let first = roots.next();
        Self::of(first, roots.collect())
    }

    #[inline]
    fn of(root: Option<Node<'t>>, roots: Vec<Node<'t>>) -> Self {
        let mut levels = LEVELS.take();
        if levels.capacity() == 0 {
            levels.reserve(SHORT);
        }
        Self {
            levels,
            open: None,
            padding: 0,
            roots: roots.into_iter(),
            root,
            above: 0,
            each_once: false,
            ahead: None,
            _tree: PhantomData,
        }
    }

    /// Visits siblings in the order of the SQL, by their locations. Nodes without a location, such as the parts of
    /// names, keep their position among their siblings.
    ///
    /// A walk in this order takes about twice as long as a walk in the default order.
    ///
    /// ```
    /// use pgq::nodes::Node;
    ///
    /// let tree = pgq::Tree::parse("WITH a AS (SELECT b) DELETE FROM c", &Default::default())?;
    /// let names = |walk: pgq::Walk<'_>| -> String {
    ///     walk.filter_map(|visit| match visit.node {
    ///         Node::ColumnRef(column) => column.fields().strings().next(),
    ///         Node::RangeVar(table) => table.relname(),
    ///         _ => None,
    ///     }).collect()
    /// };
    /// assert_eq!((names(tree.walk()), names(tree.walk().in_text_order())), ("cb".into(), "bc".into()));
    /// # Ok::<(), pgq::Error>(())
    /// ```
    #[must_use]
    pub fn in_text_order(mut self) -> Self {
        self.ahead.get_or_insert_default().order = Some(TextOrder::default());
        self
    }

    /// Visits the expression of `SET (a, b) = …` only once, although the tree contains it in each column (`a` and `b`).
    /// The tree may be edited during the walk. If a node is replaced, the walk visits the descendants of the old node,
    /// and does not visit the new node.
    pub(crate) fn each_once(mut self) -> Self {
        self.each_once = true;
        self.ahead.get_or_insert_default();
        self
    }

    /// Skips the nodes inside the last returned node.
    #[inline]
    pub fn skip_children(&mut self) {
        self.open = None;
    }

    /// Calls `f` with each remaining node, until `f` breaks.
    pub(super) fn try_each<B>(mut self, mut f: impl FnMut(Visit<'t>) -> ControlFlow<B, Inside>) -> ControlFlow<B> {
        while let Some(visit) = self.next() {
            if f(visit)? == Inside::Skip {
                self.skip_children();
            }
        }
        ControlFlow::Continue(())
    }

    /// Makes the children of a node the next nodes of the walk.
    #[inline(always)]
    fn enter(&mut self, node: Node<'t>) {
        // SAFETY: the walk returns this node only with the lifetime `'t`.
        let inside = unsafe { std::mem::transmute::<Node<'t>, Node<'static>>(node) };
        self.levels.push(Level { node: inside, children: Children::of(node) });
        if self.ahead.is_some() {
            self.read_ahead(node);
        }
    }

    #[cold]
    #[inline(never)]
    fn read_ahead(&mut self, node: Node<'t>) {
        let (Some(ahead), Some(level)) = (&mut self.ahead, self.levels.last_mut()) else { return };
        let start = ahead.ranges.last().map_or(0, |range| range.1);
        ahead.children.truncate(start);
        if !(self.each_once && matches!(node, Node::MultiAssignRef(column) if column.colno() > 1)) {
            ahead.children.extend(&mut level.children);
        }
        if let Some(order) = &mut ahead.order {
            // SAFETY: the children belong to a view's node, which is valid.
            unsafe { order.sort(&mut ahead.children[start..]) };
        }
        ahead.ranges.push((start, ahead.children.len()));
    }

    /// Returns the next child of the deepest level.
    #[inline(always)]
    fn next_child(&mut self) -> Option<Child> {
        if self.ahead.is_some() {
            return self.next_read_ahead();
        }
        self.levels.last_mut()?.children.next()
    }

    #[cold]
    #[inline(never)]
    fn next_read_ahead(&mut self) -> Option<Child> {
        let Ahead { children, ranges, .. } = &mut **self.ahead.as_mut()?;
        let (next, end) = ranges.last_mut()?;
        if next == end {
            ranges.pop();
            return None;
        }
        *next += 1;
        children.get(*next - 1).copied()
    }

    /// Visits the next root.
    fn next_root(&mut self) -> Option<Visit<'t>> {
        let node = self.root.take().or_else(|| self.roots.next())?;
        self.padding = node.padding();
        self.open = Some(node);
        Some(Visit { node, depth: 0, parent: None, field: "", index: None })
    }
}

impl<'t> Iterator for Walk<'t> {
    type Item = Visit<'t>;

    // Always inlined, so that the compiler can omit the parts of a `Visit` that the caller does not use.
    #[inline(always)]
    fn next(&mut self) -> Option<Visit<'t>> {
        if let Some(node) = self.open.take() {
            self.enter(node);
        }
        loop {
            let Some(child) = self.next_child() else {
                if self.levels.pop().is_none() {
                    return self.next_root();
                }
                continue;
            };
            let Child { c, field, index } = child;
            // SAFETY: `c` is a child of a node that is valid for 't.
            let node = unsafe { Node::from_c(c, self.padding) };
            // Nodes of these types have no children, so the walk need not enter them. Other types without children are
            // too rare for a check.
            if !matches!(node, Node::String(_) | Node::AConst(_) | Node::Integer(_)) {
                self.open = Some(node);
            }
            let (depth, parent) = (self.levels.len() - self.above, self.levels.last().map(|level| level.node));
            let index = (index != Child::NO_INDEX).then_some(index as usize);
            return Some(Visit { node, depth, parent, field: field.key, index });
        }
    }
}

impl FusedIterator for Walk<'_> {}

/// Iterator over the children of a node, from [`Node::children`].
pub struct ChildNodes<'t>(Walk<'t>);

impl<'t> Iterator for ChildNodes<'t> {
    type Item = Visit<'t>;

    #[inline]
    fn next(&mut self) -> Option<Visit<'t>> {
        let visit = self.0.next();
        self.0.skip_children();
        visit
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.levels.last().map_or(0, |level| level.children.clone().count());
        (left, Some(left))
    }
}

impl ExactSizeIterator for ChildNodes<'_> {}
impl FusedIterator for ChildNodes<'_> {}

impl<'t> Node<'t> {
    /// Iterates over this node and all nodes inside it, in the order of PostgreSQL's structs; see [`Walk`].
    #[inline]
    #[must_use]
    pub fn walk(self) -> Walk<'t> {
        Walk::new(Some(self))
    }

    /// Iterates over the children of this node, in the order of PostgreSQL's structs. Useful for recursive functions.
    ///
    /// ```
    /// use pgq::nodes::Node;
    ///
    /// fn depth(node: Node<'_>) -> usize {
    ///     1 + node.children().map(|child| depth(child.node)).max().unwrap_or(0)
    /// }
    /// let tree = pgq::Tree::parse("SELECT 1", &Default::default())?;
    /// assert_eq!(depth(tree.statement(0).node().unwrap()), 3); // SelectStmt, ResTarget, A_Const
    /// # Ok::<(), pgq::Error>(())
    /// ```
    #[must_use]
    pub fn children(self) -> ChildNodes<'t> {
        let mut walk = Walk::new(None);
        (walk.padding, walk.above) = (self.padding(), 1);
        walk.enter(self);
        ChildNodes(walk)
    }

    /// Iterates lazily over the nodes of type `T` in this subtree, in the order of [`Node::walk`]. The subtree includes
    /// this node.
    ///
    /// ```
    /// use pgq::nodes::RangeVar;
    ///
    /// let tree = pgq::Tree::parse("DELETE FROM t USING u", &Default::default())?;
    /// let node = tree.statement(0).node().unwrap();
    /// let tables: Vec<_> = node.find::<RangeVar>().filter_map(|table| table.relname()).collect();
    /// assert_eq!(tables, ["t", "u"]);
    /// # Ok::<(), pgq::Error>(())
    /// ```
    #[inline]
    pub fn find<T: NodeType<'t>>(self) -> impl Iterator<Item = T> + use<'t, T> {
        self.walk().filter_map(|visit| T::from_node(visit.node))
    }
}

/// Calls `f` with the node and all nodes inside it, in the order of [`Node::walk`], until `f` breaks. If `f` returns
/// [`Inside::Skip`], the nodes inside the current node are skipped.
///
/// ```
/// use std::ops::ControlFlow;
/// use pgq::{Inside, nodes::Node};
///
/// let tree = pgq::Tree::parse("SELECT f(a) FROM (SELECT g(b) FROM t) s", &Default::default())?;
/// let mut calls = 0;
/// let walked: ControlFlow<()> = pgq::walk(tree.statement(0).node().unwrap(), |visit| match visit.node {
///     Node::RangeSubselect(_) => ControlFlow::Continue(Inside::Skip),
///     node => {
///         calls += usize::from(matches!(node, Node::FuncCall(_)));
///         ControlFlow::Continue(Inside::Visit)
///     }
/// });
/// assert_eq!((calls, walked), (1, ControlFlow::Continue(())));
/// # Ok::<(), pgq::Error>(())
/// ```
#[inline]
pub fn walk<'t, B>(node: Node<'t>, f: impl FnMut(Visit<'t>) -> ControlFlow<B, Inside>) -> ControlFlow<B> {
    node.walk().try_each(f)
}
