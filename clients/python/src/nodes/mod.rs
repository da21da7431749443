//! Converts nodes of trees to Python objects and back. The classes are generated (pgquill/nodes.py). The walks here
//! depend on kinds of fields, not on types of nodes.

mod classes;
mod read;
mod write;

pub use classes::Classes;
pub use read::statements;
pub use write::tree_of;
