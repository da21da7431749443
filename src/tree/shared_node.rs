//! A node with shared ownership of its tree.

use std::fmt;
use std::sync::Arc;

use super::Tree;
use crate::convert::view::{Node, OwnedView};

/// A node and a reference to its tree. Unlike a view ([`Node`]), a shared node may be kept, sent to
/// other threads, and used after an `.await`.
///
/// ```
/// use pgq::nodes::AExpr;
///
/// let tree = pgq::Tree::parse_shared("SELECT * FROM t WHERE id = 7")?;
/// let condition = tree.find::<AExpr>().next().unwrap();
/// let condition = tree.share(condition).unwrap();
/// let sql = std::thread::spawn(move || condition.get().deparse()).join().unwrap()?;
/// assert_eq!(sql, "id = 7");
/// # Ok::<(), pgq::Error>(())
/// ```
#[derive(Clone)]
pub struct SharedNode(OwnedView<Tree>);

impl Tree {
    /// Returns a node of this tree with a reference to the tree. Searches the tree for the node, and returns `None` if
    /// the node belongs to another tree.
    #[must_use]
    pub fn share<'t>(self: &Arc<Self>, node: impl Into<Node<'t>>) -> Option<SharedNode> {
        let c = node.into().c();
        let is_it = |node: &Node<'_>| node.c() == c;
        OwnedView::new(self.clone(), |tree| tree.walk().map(|visit| visit.node).find(is_it)).map(SharedNode)
    }
}

impl SharedNode {
    /// Returns the view of the node.
    #[must_use]
    pub fn get(&self) -> Node<'_> {
        self.0.node()
    }

    /// Returns the tree of the node.
    #[must_use]
    pub fn tree(&self) -> &Arc<Tree> {
        self.0.tree()
    }
}

/// Shows the node.
impl fmt::Debug for SharedNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}
