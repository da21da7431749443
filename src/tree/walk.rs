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
    /// The nodes that wait for their visit: for each node on the way, its children that are left, the
    /// next one last.
    waiting: Vec<Child<'t>>,
    /// The nodes on the way from where the walk began.
    path: Vec<Level<'t>>,
    /// The node given out last, whose children come next.
    open: Option<Node<'t>>,
    order: Vec<(i32, u32)>,
    nearby: Vec<Child<'t>>,
    /// Siblings are in the order of the text, and not of PostgreSQL's structs.
    in_text_order: bool,
    /// What columns share is visited with the first of them.
    each_once: bool,
}

/// A node whose children are visited; `None` where the walk began.
struct Level<'t> {
    node: Option<Node<'t>>,
    /// The number of waiting nodes that are none of its children.
    before: usize,
}

/// Room for the nodes of a short statement that wait for their visit, so that a walk does not grow its
/// lists from nothing.
const WAITING: usize = 24;

impl<'t> Walk<'t> {
    /// A walk that begins at these nodes, one after the other.
    pub(super) fn new(roots: impl IntoIterator<Item = Node<'t>>) -> Self {
        let mut waiting = Vec::with_capacity(WAITING);
        waiting.extend(roots.into_iter().map(|node| Child { node, field: "", index: None }));
        waiting.reverse();
        let mut path = Vec::with_capacity(WAITING);
        path.push(Level { node: None, before: 0 });
        Self { waiting, path, open: None, order: Vec::new(), nearby: Vec::new(), in_text_order: true, each_once: false }
    }

    /// The same walk for those whom the order does not concern: it looks for no locations.
    pub(crate) fn in_any_order(self) -> Self {
        Self { in_text_order: false, ..self }
    }

    /// The same walk without the second visit of what is in the tree for each column: the expression of
    /// `SET (a, b) = …`.
    pub(crate) fn each_once(self) -> Self {
        Self { each_once: true, ..self }
    }

    /// Leaves out what is inside the node that was given out last.
    pub fn skip_children(&mut self) {
        self.open = None;
    }

    #[inline]
    fn expand(&mut self, node: Node<'t>) {
        if self.each_once && matches!(node, Node::MultiAssignRef(column) if column.colno() > 1) {
            return;
        }
        let before = self.waiting.len();
        node.children(&mut self.waiting);
        let children = &mut self.waiting[before..];
        match children.len() {
            0 => return,
            1 => {}
            _ => {
                if self.in_text_order {
                    sort_by_location(children, &mut self.order, &mut self.nearby);
                }
                children.reverse();
            }
        }
        self.path.push(Level { node: Some(node), before });
    }
}

impl<'t> Iterator for Walk<'t> {
    type Item = Visit<'t>;

    #[inline]
    fn next(&mut self) -> Option<Visit<'t>> {
        if let Some(node) = self.open.take() {
            self.expand(node);
        }
        let mut level = self.path.last()?;
        while level.before == self.waiting.len() {
            self.path.pop();
            level = self.path.last()?;
        }
        let Child { node, field, index } = self.waiting.pop()?;
        self.open = Some(node);
        let index = index.map(|index| index as usize);
        Some(Visit { node, depth: self.path.len() - 1, parent: level.node, field, index })
    }
}

/// Puts siblings into the order of the text. Their ranges do not overlap, so that any location inside
/// of one tells its place.
#[inline]
fn sort_by_location<'t>(children: &mut [Child<'t>], order: &mut Vec<(i32, u32)>, nearby: &mut Vec<Child<'t>>) {
    let mut last = 0;
    for child in &*children {
        if let Some(location) = some_location(child.node, nearby) {
            if location < last {
                return sort(children, order, nearby);
            }
            last = location;
        }
    }
}

#[inline(never)]
fn sort<'t>(children: &mut [Child<'t>], order: &mut Vec<(i32, u32)>, nearby: &mut Vec<Child<'t>>) {
    let mut last = 0;
    order.clear();
    for (index, child) in children.iter().enumerate() {
        last = some_location(child.node, nearby).unwrap_or(last);
        order.push((last, index as u32));
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
#[inline]
fn some_location<'t>(node: Node<'t>, nearby: &mut Vec<Child<'t>>) -> Option<i32> {
    set(node.raw_location()).or_else(|| location_inside(node, nearby))
}

fn set(location: i32) -> Option<i32> {
    (location > 0).then_some(location)
}

#[inline(never)]
fn location_inside<'t>(node: Node<'t>, nearby: &mut Vec<Child<'t>>) -> Option<i32> {
    nearby.clear();
    node.children(nearby);
    let mut next = 0;
    while next < nearby.len().min(NEAREST) {
        let child = nearby[next].node;
        if let Some(location) = set(child.raw_location()) {
            return Some(location);
        }
        child.children(nearby);
        next += 1;
    }
    None
}

impl<'t> Node<'t> {
    /// This node and all inside it, in the order of the text.
    #[must_use]
    pub fn walk(self) -> Walk<'t> {
        Walk::new([self])
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
