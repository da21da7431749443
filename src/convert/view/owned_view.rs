//! A view together with its tree.

use std::sync::Arc;

use super::Node;

/// A node of an immutable tree of type `T`, and a reference to the tree.
pub(crate) struct OwnedView<T> {
    tree: Arc<T>,
    /// Valid while `tree` is referenced.
    node: Node<'static>,
}

// SAFETY: all threads only read the node. No thread can edit the tree through the shared `&T`: a tree type that allows
// such edits is not `Sync`, and `T` must be `Sync`.
unsafe impl<T: Send + Sync> Send for OwnedView<T> {}

// SAFETY: as for `Send`.
unsafe impl<T: Send + Sync> Sync for OwnedView<T> {}

impl<T> OwnedView<T> {
    /// Creates a view of the node that `find` returns.
    pub(crate) fn new(tree: Arc<T>, find: impl for<'t> FnOnce(&'t T) -> Option<Node<'t>>) -> Option<Self> {
        let node = find(&tree)?;
        // SAFETY: the node is valid as long as the tree, and `self` keeps the tree alive. `node`
        // returns the node only for the lifetime of `&self`.
        let node = unsafe { std::mem::transmute::<Node<'_>, Node<'static>>(node) };
        Some(Self { tree, node })
    }

    pub(crate) fn node(&self) -> Node<'_> {
        self.node
    }

    pub(crate) fn tree(&self) -> &Arc<T> {
        &self.tree
    }
}

impl<T> Clone for OwnedView<T> {
    fn clone(&self) -> Self {
        Self { tree: self.tree.clone(), node: self.node }
    }
}
