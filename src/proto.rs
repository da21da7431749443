//! The parse tree as prost structs: the messages of libpg_query's pg_query.proto.
//!
//! They are generated when building. Every message variant of [`Node`]'s oneof is boxed, so that
//! a `Node` is two words.

/// The generated structs.
#[allow(missing_docs, clippy::all, clippy::pedantic, rustdoc::all)]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/pg_query.rs"));
}
pub use generated::*;

const _: () = assert!(size_of::<Node>() == 16, "every variant of Node must be boxed");
