//! The parse tree as prost structs, which are the messages of libpg_query's pg_query.proto.
//!
//! `cargo xtask regenerate structs` writes generated.rs, which is committed. Every message variant
//! of [`Node`]'s oneof is boxed, therefore a `Node` is two words.
//!
//! With the feature `serde` the structs implement `Serialize` and `Deserialize` in serde's derived form. Every field,
//! including `oneof`s and enums, has its Rust name. libpg_query's JSON is different; [`crate::parse_to_json`] and
//! [`crate::from_json`] write and read it.
//!
//! For deep trees, serialization extends the stack. The caller must handle the limits of the format (serde_json reads
//! 128 levels unless its `disable_recursion_limit` is called), and must have enough stack when it drops a deep tree.

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
