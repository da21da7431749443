//! Typed views of parse trees: a [`Node`] is one of the structs below, each with an accessor for every
//! field of its C struct, generated from the table ([`nodes`](super::nodes)). A view is a pointer that
//! cannot outlive its tree. Nothing is copied, and nothing is changed here.

mod children;
mod constant;
pub mod enums;
mod fields;
mod list;
mod node;
mod pages;
mod pointer;
pub(crate) use pointer::Pointer;
mod values;

pub(crate) use children::{Child, Children};
pub use constant::{AConst, BitString, Boolean, Constant, Float, Integer, String};
pub use fields::{Field, FieldValue};
pub use list::{BitSet, List, ListIter};
pub use node::*;
pub use values::NodeType;

use crate::sys::StatementRef;

/// The view of a statement's own node.
pub(crate) fn node_of(statement: StatementRef<'_>, padding: usize) -> Option<Node<'_>> {
    // SAFETY: a StatementRef's tree is valid for its lifetime. Padding is 0 or 1.
    unsafe { values::node(statement.node(), padding as i32) }
}

/// The view of the node around it.
pub(crate) fn raw_node_of(statement: StatementRef<'_>, padding: usize) -> RawStmt<'_> {
    // SAFETY: as above; a StatementRef is a RawStmt.
    RawStmt(unsafe { pointer::Pointer::new(statement.as_ptr(), padding as i32) })
}
