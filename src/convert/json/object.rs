//! Objects of libpg_query's JSON with known keys, each of which is a field of a C struct.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, Visitor};

use super::values::{JsonReader, expect_object, unknown_key};
use crate::convert::arena::{self, CNode};

/// Reads the fields of an object into its C struct.
pub(crate) struct ObjectSeed<'t, 'a, M: JsonObject> {
    pub(crate) reader: &'t JsonReader<'a>,
    pub(crate) target: &'t mut M::C,
}

/// An object with known keys, each of which is a field of a C struct.
pub(crate) trait JsonObject {
    type C;
    const NAME: &'static str;
    /// Reads the value of `key`; `Ok(false)` when there is no such key.
    fn set<'de, A: MapAccess<'de>>(
        c: &mut Self::C,
        key: &str,
        map: &mut A,
        reader: &JsonReader<'_>,
    ) -> Result<bool, A::Error>;
    /// Called when all fields are read.
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

/// Returns the value of the current key as a new node. Not inlined, to keep the caller's frame small:
/// reading recurses as deep as the document.
#[inline(never)]
pub(crate) fn next_message<'de, M: JsonObject<C: CNode<M>>, A: MapAccess<'de>>(
    map: &mut A,
    reader: &JsonReader<'_>,
) -> Result<*mut M::C, A::Error> {
    let node = arena::zeroed::<M, M::C>(reader.arena);
    // SAFETY: just allocated, zeroed and not shared; the arena does not move it.
    let target = unsafe { &mut *node };
    map.next_value_seed(ObjectSeed::<M> { reader, target })?;
    Ok(node)
}

/// [`JsonObject`] by hand: how each key is read, and what must hold at the end.
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
