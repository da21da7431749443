//! Trees that can be changed: C trees in an arena of their own, edited through typed setters, one for
//! every field of every node, generated from the table of nodes.
//!
//! A tree stays a tree: what is put into it is a copy, or a new node, which is moved in and cannot be
//! used twice. So no node is in two places, and none inside itself. Nothing is freed before the tree
//! is, so that a view of what was replaced stays valid. A tree that becomes one for threads has no views
//! and no setters left:
//!
//! ```compile_fail,E0505
//! let tree = pgq::EditTree::parse("SELECT 1 FROM t", &Default::default()).unwrap();
//! let setters = tree.edit(tree.find::<pgq::nodes::RangeVar>().next().unwrap());
//! let shared = tree.freeze();
//! setters.relname("u");
//! ```

mod builders;
mod child;
mod copy;
mod list;
mod slot;
mod target;
#[cfg(test)]
mod tests;
mod values;

pub use builders::*;
pub(crate) use child::InPlace;
pub use child::{Any, Child, Children, New, StringNode};
pub(crate) use copy::copy_tree;
pub use list::ListEditor;
pub(crate) use slot::NotReplaced;
pub use target::{EditTree, Editable};
