//! Reads the JSON objects whose keys are fields of a C struct.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, Visitor};

use super::values::{JsonReader, expect_object, unknown_key};
use crate::convert::arena::{self, CNode};

/// A deserializer that reads the fields of an object into its C struct.
pub(crate) struct ObjectSeed<'t, 'a, M: JsonObject> {
    pub(crate) reader: &'t JsonReader<'a>,
    pub(crate) target: &'t mut M::C,
}

/// A JSON object whose keys are fields of the C struct.
pub(crate) trait JsonObject {
    type C;
    const NAME: &'static str;
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

impl<'de, M: JsonObject> DeserializeSeed<'de> for ObjectSeed<'_, '_, M> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, M: JsonObject> Visitor<'de> for ObjectSeed<'_, '_, M> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        expect_object(M::NAME, f)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let path = &self.reader.path;
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            let set = M::set(self.target, &key, &mut map, self.reader);
            let set = set.and_then(|known| if known { Ok(()) } else { Err(unknown_key(M::NAME, &key)) });
            path.add_key(set, &key)?;
        }
        M::finish(self.target).map_err(A::Error::custom)
    }
}

/// Reads the value of the current key into a new node. Not inlined, because the caller recurses once per level of the
/// document, so the caller's stack frame must be small.
#[inline(never)]
pub(crate) fn next_message<'de, M: JsonObject<C: CNode<M>>, A: MapAccess<'de>>(
    map: &mut A,
    reader: &JsonReader<'_>,
) -> Result<*mut M::C, A::Error> {
    let node = arena::zeroed::<M, M::C>(reader.arena);
    // SAFETY: `node` is newly allocated, zeroed and unshared, and the arena does not move it.
    let target = unsafe { &mut *node };
    map.next_value_seed(ObjectSeed::<M> { reader, target })?;
    Ok(node)
}

/// Implements [`JsonObject`] with explicit code for each key and a final check.
macro_rules! by_hand {
    ($($message:ty as $c:ty, $json:literal {
        $($key:literal => |$it:ident, $map:ident, $reader:ident| $read:expr;)*
        finish |$done:ident| $finish:expr;
    })*) => { $(
        impl $crate::convert::json::object::JsonObject for $message {
            type C = $c;
            const NAME: &'static str = $json;
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
