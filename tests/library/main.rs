//! Tests of the library's calls, edits and generated files. All these tests form one program. Separate test programs
//! would each be linked with the whole library.

#[path = "../common/mod.rs"]
mod common;

mod byte_cache;
#[cfg(feature = "proto")]
mod calls;
mod edits;
mod errors;
mod generated;
mod grammar_packing;
mod outlive;
mod placeholder_positions;
mod placeholder_styles;
#[cfg(feature = "proto")]
mod placeholders;
#[cfg(feature = "proto")]
mod properties;
mod rewritten;
#[cfg(feature = "cli")]
mod secrets;
#[cfg(feature = "serde")]
mod serde_traits;
mod symbols;
