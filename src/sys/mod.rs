//! The only door to C: the bindings, the shim, and safe wrappers around both.
//!
//! Everything that crosses to C starts here; callers outside get owned values or a
//! [`ParseTree`], never a pointer to free. No Rust frame is ever jumped over: what can
//! raise a PostgreSQL error is called through `shim.c`, which traps it.

/// Proves at compile time that a C struct has, in Rust, the size, alignment and field
/// offsets that clang gave it. `layout.c` proves the same numbers for the C compiler.
macro_rules! layout {
    ($name:ident size $size:literal align $align:literal: $($field:ident $offset:literal),*) => {
        const _: () = {
            assert!(size_of::<$name>() == $size);
            assert!(align_of::<$name>() == $align);
            $(assert!(std::mem::offset_of!($name, $field) == $offset);)*
        };
    };
}

#[cfg(not(feature = "bindgen"))]
#[allow(missing_docs, non_camel_case_types, non_snake_case, non_upper_case_globals, dead_code)]
#[allow(unsafe_op_in_unsafe_fn, clippy::all)]
#[rustfmt::skip]
pub(crate) mod bindings;
#[cfg(feature = "bindgen")]
#[allow(missing_docs, non_camel_case_types, non_snake_case, non_upper_case_globals, dead_code)]
#[allow(unsafe_op_in_unsafe_fn, clippy::all)]
pub(crate) mod bindings {
    include!(concat!(env!("OUT_DIR"), "/bindings.rs"));
}

mod context;
mod feed;
mod library;
pub mod memory;
mod message;
mod parse;
mod sort;
pub(crate) mod stack;

pub(crate) use context::Context;
pub(crate) use library::{
    FingerprintFlags, deparse_protobuf, encode_protobuf, fingerprint, floor_parse, floor_scan, json, keyword_name,
    normalize, scan_protobuf, scan_tokens, split, summary_protobuf, token_name,
};
pub(crate) use message::Diagnostic;
pub(crate) use parse::{Comment, DeparseOpts, ParseTree, c_bytes, deparse_statement};
pub(crate) use sort::{Located, sort_by_location};
