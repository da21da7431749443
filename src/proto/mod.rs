//! The parse tree as prost structs, which are the messages of libpg_query's pg_query.proto.
//!
//! `cargo xtask regenerate structs` writes generated.rs, which is committed. Every message variant of [`Node`]'s oneof
//! is boxed, therefore a `Node` is two words.
//!
//! With the feature `serde` the structs implement `Serialize` and `Deserialize` in serde's derived form. Every field,
//! including `oneof`s and enums, has its Rust name. libpg_query's JSON is different; [`crate::parse_to_json`] and
//! [`crate::from_json`] write and read it.
//!
//! Serialization of a deep tree extends the stack as needed. The caller must handle two other limits. serde_json reads
//! at most 128 levels unless its `disable_recursion_limit` is called. Dropping a deep tree recurses, and may overflow a
//! small stack.

#[allow(missing_docs, clippy::all, clippy::pedantic, rustdoc::all)]
#[rustfmt::skip]
mod generated;
pub use generated::*;

const _: () = assert!(size_of::<Node>() == 16, "every variant of Node must be boxed");

/// Serializes recursive fields. Switches to a larger stack if little stack remains.
#[cfg(feature = "serde")]
mod grown {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::sys::stack::with_more_stack;

    /// Maximum stack bytes per level, including nested calls that do not check the stack.
    const LEVEL: usize = 96 << 10;

    pub(super) fn serialize<T: Serialize, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        with_more_stack(LEVEL, || value.serialize(serializer))
    }

    pub(super) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        with_more_stack(LEVEL, || T::deserialize(deserializer))
    }
}
