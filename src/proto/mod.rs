//! The parse tree as prost structs: the messages of libpg_query's pg_query.proto.
//!
//! generated.rs is committed (`cargo xtask regenerate structs`). Every message variant of [`Node`]'s oneof is boxed, so
//! that a `Node` is two words.
//!
//! With the feature `serde` they implement its `Serialize` and `Deserialize`, in the form that serde derives:
//! every field by its name in Rust, `oneof`s and enums of Protobuf included. That is not libpg_query's JSON,
//! which [`crate::parse_to_json`] and [`crate::from_json`] write and read. Deep trees get the stack that they
//! need; what a format limits itself (serde_json reads 128 levels unless its `disable_recursion_limit` is
//! called) is up to the caller, and so is dropping a deep tree that was read.

/// The generated structs.
#[allow(missing_docs, clippy::all, clippy::pedantic, rustdoc::all)]
#[rustfmt::skip]
mod generated;
pub use generated::*;

const _: () = assert!(size_of::<Node>() == 16, "every variant of Node must be boxed");

/// Fields of a tree in which it can nest, with more stack where little is left.
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
