//! Editable C trees in an arena, with a typed setter for every field of every node. The setters are generated from the
//! table of nodes.
//!
//! The structure remains a tree. An inserted node is a copy, or a new node that is moved and cannot be used twice.
//! Therefore no node has two parents, and no node contains itself. Memory is freed only with the tree, therefore a view
//! of a replaced node stays valid. All views and setters of a tree must be dropped before the tree can be frozen:
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
mod statements;
mod target;
mod values;

pub use builders::*;
pub(crate) use child::InPlace;
pub use child::{Any, Child, Children, New, StringNode};
pub(crate) use copy::copy_tree;
pub use list::ListEditor;
pub(crate) use slot::NotReplaced;
pub use target::{EditTree, Editable};
