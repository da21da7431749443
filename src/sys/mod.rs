//! The only interface to C: the bindings, the shim, memory contexts, stacks and safe wrappers.
//!
//! Callers receive owned values, a [`ParseTree`] or references into it. They never receive a pointer that they must
//! free. No longjmp crosses a Rust frame, because `shim.c` traps the errors of all functions that may raise one. This
//! module uses no other module of pgq; it uses only the crate pgq-lexer.

/// Asserts at compile time that the Rust version of a C struct has the size, alignment and field offsets that clang
/// reported. The C compiler checks the same numbers (build/layout.rs).
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

#[cfg(all(feature = "cli", not(pgq_asan)))]
pub(crate) mod block;
mod context;
mod deparser;
mod diagnostic;
mod library;
#[cfg(all(target_os = "linux", not(miri)))]
mod main_stack;
pub mod memory;
#[cfg(all(feature = "cli", not(pgq_asan)))]
mod mimalloc;
mod parser;
mod plpgsql;
#[cfg(all(feature = "cli", not(pgq_asan)))]
mod recent_blocks;
mod same_tree;
pub(crate) mod sort;
pub(crate) mod stack;
#[cfg_attr(any(windows, miri), path = "stack_segment_windows.rs")]
pub(crate) mod stack_segment;
pub(crate) mod token_stream;
mod tree_ref;

pub(crate) use deparser::{Comment, DeparseOpts, deparse_statement};
pub(crate) use diagnostic::Diagnostic;
pub(crate) use library::{FingerprintFlags, keyword_name, normalize, scan_tokens, split, token_name};
#[cfg(feature = "reference")]
pub(crate) use library::{
    baseline_parse, baseline_scan, deparse_protobuf, encode_protobuf, fingerprint, json, plpgsql_json, scan_protobuf,
    summary_protobuf,
};
pub use parser::NoTree;
#[cfg(feature = "reference")]
pub(crate) use parser::token_parses;
pub(crate) use parser::{ParseTree, ReadText};
pub(crate) use plpgsql::{FunctionError, compile_plpgsql};
pub(crate) use sort::{NumberedConstant, sort_by_location};
pub(crate) use stack::BYTES_PER_LEVEL;
pub(crate) use token_stream::Tokens;
pub(crate) use tree_ref::{StatementRef, Subject, TreeRef, c_bytes, cells, members};
