//! Reads C fields, and defines the trait of node types.

use std::ffi::c_char;

use super::node::Node;
use crate::sys::{bindings as pg, c_bytes};

/// Prevents implementations for types other than views.
pub trait Sealed {}

/// A node type, such as [`super::RangeVar`]. A [`Node`] can be downcast to it.
pub trait NodeType<'t>: Copy + Into<Node<'t>> + Sealed {
    /// The name in PostgreSQL's sources and in JSON.
    const NAME: &'static str;

    /// Returns the view, if the node is of this type.
    fn from_node(node: Node<'t>) -> Option<Self>;
}

/// # Safety
/// `c` must be NULL or a valid node for `'t` whose tag matches its type.
#[inline]
pub(super) unsafe fn node<'t>(c: *const pg::Node, padding: i32) -> Option<Node<'t>> {
    // SAFETY: not NULL, therefore valid.
    (!c.is_null()).then(|| unsafe { Node::from_c(c, padding) })
}

/// # Safety
/// `c` must be NULL or a NUL-terminated string of a tree, for `'t`.
#[inline]
pub(super) unsafe fn string<'t>(c: *const c_char) -> Option<&'t str> {
    if c.is_null() {
        return None;
    }
    // SAFETY: not NULL, therefore NUL-terminated.
    let bytes = unsafe { c_bytes(c) };
    debug_assert!(std::str::from_utf8(bytes).is_ok());
    // SAFETY: strings of parsed trees are UTF-8; see `to_prost`. Strings made by Rust come from a `&str`.
    Some(unsafe { std::str::from_utf8_unchecked(bytes) })
}

/// Converts a char field: an ASCII letter of PostgreSQL's catalogs, or 0 if it is not set.
#[inline]
pub(super) fn char(c: c_char) -> Option<char> {
    (c != 0).then(|| char::from(c as u8))
}
