//! Walks over the nodes of a tree, in the order of the text. Without recursion, so that a tree of any
//! depth can be walked on a stack of any size.

use std::ops::ControlFlow;

use crate::convert::view::{Child, Children, Node, NodeType};

/// A node on a walk, and how it was reached.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Visit<'t> {
    /// The node.
    pub node: Node<'t>,
    /// How many nodes are above it on the walk: 0 for the node where the walk began.
    pub depth: usize,
    /// The node that holds it; `None` where the walk began.
    pub parent: Option<Node<'t>>,
    /// The parent's field that holds it, under its name in the JSON: `targetList`. Empty where the
    /// walk began.
    pub field: &'static str,
    /// Its index in that field, if the field is a list.
    pub index: Option<usize>,
}

/// Whether a walk goes on inside a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Inside {
    /// Visit the nodes inside it.
    Visit,
    /// Go on behind it.
    Skip,
}

/// The nodes of a tree, each before the nodes inside it, in the order of the text: from [`Node::walk`].
///
/// The order of siblings is that of their locations. Nodes without a location, such as the parts of
/// names, keep their place in PostgreSQL's structs beside those that have one.
///
/// ```
/// use pgq::nodes::Node;
///
/// let tree = pgq::Tree::parse("SELECT a FROM t WHERE b = (SELECT c FROM u)", &Default::default())?;
/// let columns: Vec<_> = tree.statement(0).walk().filter_map(|visit| match visit.node {
///     Node::ColumnRef(column) => column.fields().strings().next(),
///     _ => None,
/// }).collect();
/// assert_eq!(columns, ["a", "b", "c"]);
/// # Ok::<(), pgq::Error>(())
/// ```
pub struct Walk<'t> {
    stack: Vec<Visit<'t>>,
    /// The node given out last, whose children come next.
    open: Option<Visit<'t>>,
    children: Vec<Child<'t>>,
    order: Vec<(i32, u32)>,
    /// Siblings are in the order of the text, and not of PostgreSQL's structs.
    in_text_order: bool,
}

/// Room for the nodes of a short statement that wait for their visit, so that a walk does not grow its
/// lists from nothing.
const WAITING: usize = 24;

impl<'t> Walk<'t> {
    /// A walk that begins at these nodes, one after the other.
    pub(super) fn new(roots: impl DoubleEndedIterator<Item = Node<'t>>) -> Self {
        let begin = |node| Visit { node, depth: 0, parent: None, field: "", index: None };
        let mut stack = Vec::with_capacity(WAITING);
        stack.extend(roots.rev().map(begin));
        Self { stack, open: None, children: Vec::with_capacity(WAITING), order: Vec::new(), in_text_order: true }
    }

    /// The same walk for those whom the order does not concern: it looks for no locations.
    pub(crate) fn in_any_order(self) -> Self {
        Self { in_text_order: false, ..self }
    }

    /// Leaves out what is inside the node that was given out last.
    pub fn skip_children(&mut self) {
        self.open = None;
    }

    fn expand(&mut self, parent: Visit<'t>) {
        self.children.clear();
        parent.node.children(&mut self.children);
        if self.in_text_order && self.children.len() > 1 {
            sort_by_location(&mut self.children, &mut self.order);
        }
        let visit = |child: &Child<'t>| Visit {
            node: child.node,
            depth: parent.depth + 1,
            parent: Some(parent.node),
            field: child.field,
            index: child.index.map(|index| index as usize),
        };
        self.stack.extend(self.children.iter().rev().map(visit));
    }
}

impl<'t> Iterator for Walk<'t> {
    type Item = Visit<'t>;

    #[inline]
    fn next(&mut self) -> Option<Visit<'t>> {
        if let Some(parent) = self.open.take() {
            self.expand(parent);
        }
        self.open = self.stack.pop();
        self.open
    }
}

/// Puts siblings into the order of the text. Their ranges do not overlap, so that any location inside
/// of one tells its place.
fn sort_by_location<'t>(children: &mut [Child<'t>], order: &mut Vec<(i32, u32)>) {
    order.clear();
    let (mut last, mut sorted) = (0, true);
    for (index, child) in children.iter().enumerate() {
        let location = some_location(child.node);
        if let Some(location) = location {
            sorted &= location >= last;
            last = location;
        }
        order.push((last, index as u32));
    }
    if sorted {
        return;
    }
    // Those in front of the first with a location stay in front.
    order.sort_unstable();
    let unsorted = children.to_vec();
    for (place, (_, index)) in children.iter_mut().zip(order) {
        *place = unsorted[*index as usize];
    }
}

/// How many nodes are looked at for a location. Beyond these the place of a node is not known, so that
/// a walk takes no longer than in proportion to its nodes.
const NEAREST: usize = 64;

/// The nearest location at or inside the node.
fn some_location(node: Node<'_>) -> Option<i32> {
    let set = |location: i32| (location > 0).then_some(location);
    if let Some(location) = set(node.raw_location()) {
        return Some(location);
    }
    let mut nodes = Vec::new();
    node.children(&mut nodes);
    let mut next = 0;
    while next < nodes.len().min(NEAREST) {
        let child = nodes[next].node;
        if let Some(location) = set(child.raw_location()) {
            return Some(location);
        }
        child.children(&mut nodes);
        next += 1;
    }
    None
}

impl<'t> Node<'t> {
    /// This node and all inside it, in the order of the text.
    #[must_use]
    pub fn walk(self) -> Walk<'t> {
        Walk::new(std::iter::once(self))
    }

    /// Every node of one type in this one, itself included, in the order of the text.
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
    pub fn find<T: NodeType<'t>>(self) -> impl Iterator<Item = T> + use<'t, T> {
        self.walk().filter_map(|visit| T::from_node(visit.node))
    }
}

/// Calls `f` with the node and all inside it, in the order of the text, until `f` breaks. Where `f`
/// answers [`Inside::Skip`], the nodes inside are left out.
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
pub fn walk<'t, B>(node: Node<'t>, mut f: impl FnMut(Visit<'t>) -> ControlFlow<B, Inside>) -> ControlFlow<B> {
    let mut walk = node.walk();
    while let Some(visit) = walk.next() {
        if f(visit)? == Inside::Skip {
            walk.skip_children();
        }
    }
    ControlFlow::Continue(())
}
