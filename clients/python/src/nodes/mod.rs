//! Nodes of trees as Python objects, and back. The classes are generated (pgquill/nodes.py); a walk here knows kinds of
//! fields and no node.

mod classes;
mod read;
mod write;

pub use classes::Classes;
pub use read::statements;
pub use write::tree_of;
