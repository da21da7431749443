//! Typed views of parse trees. A [`Node`] is one of the structs below. Each struct has an accessor for every field of
//! its C struct. The accessors are generated from the table of nodes. Views are read-only and copy nothing.
//!
//! A view borrows its tree, and so do the strings that it returns. Views are not `Send`, because their tree may be
//! edited. Each thread creates its own views of a shared [`Tree`](crate::Tree).
//!
//! ```compile_fail,E0597
//! let node = {
//!     let tree = pgq::Tree::parse("SELECT 1", &Default::default()).unwrap();
//!     tree.statement(0).node()
//! };
//! println!("{node:?}");
//! ```
//!
//! ```compile_fail,E0505
//! let tree = pgq::Tree::parse("SELECT 1 FROM t", &Default::default()).unwrap();
//! let table = tree.statement(0).node().unwrap().find::<pgq::nodes::RangeVar>().next().unwrap();
//! let name = table.relname();
//! drop(tree);
//! println!("{name:?}");
//! ```
//!
//! ```compile_fail,E0277
//! let tree = pgq::EditTree::parse("SELECT 1 FROM t", &Default::default()).unwrap();
//! let node = tree.statement(0).unwrap();
//! std::thread::scope(|scope| {
//!     scope.spawn(move || node.name());
//! });
//! ```

mod children;
mod constant;
pub mod enums;
mod fields;
mod list;
mod list_members;
mod node;
mod owned_view;
pub(crate) use owned_view::OwnedView;
#[doc(hidden)]
pub mod node_info;
mod pages;
mod pointer;
pub(crate) use pointer::Pointer;
mod text_order;
mod values;
mod visit;
mod walk;

pub use constant::{AConst, BitString, Boolean, Constant, Float, Integer, String};
pub use fields::{Field, FieldValue};
pub use list::{BitSet, List, ListIter};
pub use node::*;
pub use walk::{ChildNodes, Inside, Visit, Walk, walk};

use crate::sys::{StatementRef, bindings as pg};
use values::Sealed;

/// A node type, such as [`RangeVar`]. A [`Node`] can be downcast to it.
pub trait NodeType<'t>: Copy + Into<Node<'t>> + Sealed {
    /// The name in PostgreSQL's sources and in JSON.
    const NAME: &'static str;

    /// Returns the view, if the node is of this type.
    fn from_node(node: Node<'t>) -> Option<Self>;
}

/// # Safety
/// `c` must be NULL, or a node that is valid for `'t` and whose tag matches its type.
#[inline]
unsafe fn node_or_null<'t>(c: *const pg::Node, padding: i32) -> Option<Node<'t>> {
    // SAFETY: the caller guarantees that `c` is valid if it is not NULL.
    (!c.is_null()).then(|| unsafe { Node::from_c(c, padding) })
}

/// Returns the view of a statement's node.
#[inline]
pub(crate) fn node_of(statement: StatementRef<'_>, padding: usize) -> Option<Node<'_>> {
    // SAFETY: a StatementRef's tree is valid for the lifetime of the StatementRef. The cast is lossless, because
    // `padding` is 0 or 1.
    unsafe { node_or_null(statement.node(), padding as i32) }
}

/// Returns the view of a table's node.
///
/// # Safety
/// `node` must be valid for `'t`. `padding` must be 0 or 1.
pub(crate) unsafe fn range_var_of<'t>(node: *const pg::RangeVar, padding: usize) -> RangeVar<'t> {
    // SAFETY: the caller meets this function's requirements.
    RangeVar(unsafe { pointer::Pointer::new(node.cast(), padding as i32) })
}

/// Returns the view of a statement's RawStmt.
pub(crate) fn raw_node_of(statement: StatementRef<'_>, padding: usize) -> RawStmt<'_> {
    // SAFETY: a StatementRef points to a RawStmt that is valid for the lifetime of the StatementRef. The cast is
    // lossless, because `padding` is 0 or 1.
    RawStmt(unsafe { pointer::Pointer::new(statement.as_ptr(), padding as i32) })
}
