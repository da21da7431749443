//! Reads the JSON objects whose keys are fields of a C struct.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, Visitor};

use super::target::Target;
use super::values::{JsonReader, expect_object, unknown_key};
use crate::convert::arena::{self, Arena, CNode};

/// A deserializer that reads the fields of an object into its C struct.
pub(crate) struct ObjectSeed<'t, 'a> {
    pub(crate) reader: &'t JsonReader<'a>,
    pub(crate) target: Target<'t>,
}

/// A JSON object whose keys are fields of the C struct.
pub(crate) trait JsonObject {
    type C;
    const NAME: &'static str;
    fn target(c: &mut Self::C) -> Target<'_>;
    /// Reads the value of `key`. Returns `Ok(false)` for an unknown key.
    fn set<'de, A: MapAccess<'de>>(
        c: &mut Self::C,
        key: &str,
        map: &mut A,
        reader: &JsonReader<'_>,
    ) -> Result<bool, A::Error>;
    /// Checks the struct after all fields are read.
    fn finish(c: &mut Self::C) -> Result<(), &'static str>;
}

impl<'de> DeserializeSeed<'de> for ObjectSeed<'_, '_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for ObjectSeed<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        expect_object(self.target.name(), f)
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        let path = &self.reader.path;
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            let set = self.target.set(&key, &mut map, self.reader);
            let set = set.and_then(|known| if known { Ok(()) } else { Err(unknown_key(self.target.name(), &key)) });
            path.add_key(set, &key)?;
        }
        self.target.finish().map_err(A::Error::custom)
    }
}

/// Returns a new node, and the target that fills it.
pub(crate) fn new_node<'a, M: JsonObject<C: CNode<M> + 'a>>(arena: &'a Arena) -> (*mut M::C, Target<'a>) {
    let node = arena::zeroed::<M, M::C>(arena);
    // SAFETY: `node` is newly allocated, zeroed and unshared, and the arena does not move it.
    (node, M::target(unsafe { &mut *node }))
}

/// Reads the value of the current key into a new node.
pub(crate) fn next_message<'de, M: JsonObject<C: CNode<M>>, A: MapAccess<'de>>(
    map: &mut A,
    reader: &JsonReader<'_>,
) -> Result<*mut M::C, A::Error> {
    let (node, target) = new_node::<M>(reader.arena);
    next_object(map, reader, target)?;
    Ok(node)
}

/// Reads the value of the current key into `target`. Not inlined: the caller recurses once per level of the document,
/// and inlining would enlarge its stack frame.
#[inline(never)]
pub(crate) fn next_object<'de, A: MapAccess<'de>>(
    map: &mut A,
    reader: &JsonReader<'_>,
    target: Target<'_>,
) -> Result<(), A::Error> {
    map.next_value_seed(ObjectSeed { reader, target })
}

/// Implements [`JsonObject`] for types with special rules. Each key has its own expression that reads the value. The
/// last expression checks the whole object.
macro_rules! by_hand {
    ($($message:ty as $c:ty => $target:ident, $json:literal {
        $($key:literal => |$it:ident, $map:ident, $reader:ident| $read:expr;)*
        finish |$done:ident| $finish:expr;
    })*) => { $(
        impl $crate::convert::json::object::JsonObject for $message {
            type C = $c;
            const NAME: &'static str = $json;
            fn target(c: &mut $c) -> $crate::convert::json::target::Target<'_> {
                $crate::convert::json::target::Target::$target(c)
            }
            #[allow(unused_variables)]
            fn set<'de, A: MapAccess<'de>>(
                c: &mut $c,
                key: &str,
                map: &mut A,
                reader: &$crate::convert::json::values::JsonReader<'_>,
            ) -> Result<bool, A::Error> {
                match key {
                    $($key => {
                        let ($it, $map, $reader) = (c, map, reader);
                        $read;
                    })*
                    _ => return Ok(false),
                }
                Ok(true)
            }
            fn finish($done: &mut $c) -> Result<(), &'static str> {
                $finish
            }
        }
    )* };
}

pub(crate) use by_hand;
