//! A node with shared ownership of its tree.

use std::fmt;
use std::sync::Arc;

use super::Tree;
use crate::convert::view::Node;

/// A node and a reference to its tree. Unlike a view ([`Node`]), it may be kept, sent to other threads, and used after
/// an `.await`.
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
pub struct SharedNode {
    tree: Arc<Tree>,
    /// Number of nodes that [`Tree::walk`] returns before this node.
    number: usize,
}

impl Tree {
    /// Returns a node of this tree with a reference to the tree. Returns `None` for a node of another tree. Walks the
    /// tree up to the node.
    #[must_use]
    pub fn share<'t>(self: &Arc<Self>, node: impl Into<Node<'t>>) -> Option<SharedNode> {
        let c = node.into().c();
        let number = self.walk().position(|visit| visit.node.c() == c)?;
        Some(SharedNode { tree: self.clone(), number })
    }
}

impl SharedNode {
    /// Returns the view of the node. Walks the tree up to the node.
    ///
    /// # Panics
    /// Never, because the tree keeps the node alive.
    #[must_use]
    pub fn get(&self) -> Node<'_> {
        self.tree.walk().nth(self.number).expect("a shared tree does not change").node
    }

    /// Returns its tree.
    #[must_use]
    pub fn tree(&self) -> &Arc<Tree> {
        &self.tree
    }
}

/// Shows the node.
impl fmt::Debug for SharedNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}
