//! The parse tree as prost structs: the messages of libpg_query's pg_query.proto.
//!
//! generated.rs is committed (`cargo xtask regenerate structs`). Every message variant of [`Node`]'s oneof is boxed, so
//! that a `Node` is two words.
//!
//! With the feature `serde` the structs implement `Serialize` and `Deserialize` in serde's derived form: every field by
//! its Rust name, including `oneof`s and enums. libpg_query's JSON is different; [`crate::parse_to_json`] and
//! [`crate::from_json`] write and read it. Deep trees get the stack that they need. The caller handles the limits of
//! the format (serde_json reads 128 levels unless its `disable_recursion_limit` is called) and the drop of a deep tree.

/// The generated structs.
#[allow(missing_docs, clippy::all, clippy::pedantic, rustdoc::all)]
#[rustfmt::skip]
mod generated;
pub use generated::*;

const _: () = assert!(size_of::<Node>() == 16, "every variant of Node must be boxed");

/// Serialization of recursive fields: switches to a larger stack when little is left.
#[cfg(feature = "serde")]
mod grown {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::sys::stack::with_more_stack;

    pub(super) fn serialize<T: Serialize, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        with_more_stack(|| value.serialize(serializer))
    }

    pub(super) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        with_more_stack(|| T::deserialize(deserializer))
    }
}
