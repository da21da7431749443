//! Readers of C fields, and the trait of node types.

use std::ffi::c_char;

use super::node::Node;
use crate::sys::{bindings as pg, c_bytes};

/// Prevents implementations for types other than views.
pub trait Sealed {}

/// A type of node, such as [`super::RangeVar`], to which a [`Node`] can be downcast.
pub trait NodeType<'t>: Copy + Into<Node<'t>> + Sealed {
    /// The name in PostgreSQL's sources and in the JSON.
    const NAME: &'static str;

    /// Returns the view of this type, if the node is of this type.
    fn from_node(node: Node<'t>) -> Option<Self>;
}

/// # Safety
/// `c` must be NULL or a valid node for `'t` whose tag says its type.
#[inline]
pub(super) unsafe fn node<'t>(c: *const pg::Node, padding: i32) -> Option<Node<'t>> {
    // SAFETY: not NULL, so valid.
    (!c.is_null()).then(|| unsafe { Node::from_c(c, padding) })
}

/// # Safety
/// `c` must be NULL or a NUL-terminated string of a tree, for `'t`.
#[inline]
pub(super) unsafe fn string<'t>(c: *const c_char) -> Option<&'t str> {
    if c.is_null() {
        return None;
    }
    // SAFETY: not NULL, so NUL-terminated.
    let bytes = unsafe { c_bytes(c) };
    debug_assert!(std::str::from_utf8(bytes).is_ok());
    // SAFETY: strings of trees are UTF-8, as `to_prost` argues; those made by Rust come from a `&str`.
    Some(unsafe { std::str::from_utf8_unchecked(bytes) })
}

/// Returns a char field: an ASCII letter of PostgreSQL's catalogs, or none.
#[inline]
pub(super) fn char(c: c_char) -> Option<char> {
    (c != 0).then(|| char::from(c as u8))
}
