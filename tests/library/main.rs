//! Tests of the library's calls, edits and generated files. They are one program, because each test program is linked
//! with the whole library.

#[path = "../common/mod.rs"]
mod common;

#[cfg(feature = "proto")]
mod calls;
mod edits;
mod generated;
mod grammar_packing;
mod outlive;
#[cfg(feature = "proto")]
mod placeholders;
#[cfg(feature = "proto")]
mod properties;
mod rewritten;
#[cfg(feature = "serde")]
mod serde_traits;
mod symbols;
