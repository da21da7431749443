//! Reads C fields.

use std::ffi::c_char;

use crate::sys::c_bytes;

/// Prevents implementations of [`super::NodeType`] for types other than views.
pub trait Sealed {}

/// # Safety
/// `c` must be NULL, or a NUL-terminated string of a tree that is valid for `'t`.
#[inline]
pub(super) unsafe fn string<'t>(c: *const c_char) -> Option<&'t str> {
    if c.is_null() {
        return None;
    }
    // SAFETY: the caller guarantees that `c` is a NUL-terminated string if it is not NULL.
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
