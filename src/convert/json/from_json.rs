//! Reads libpg_query's JSON into a C tree.
//!
//! The reader is strict: an unknown key, a value of the wrong type or an unknown enum name is an error, reported with
//! its path in the document. A missing key means the default value, because libpg_query omits defaults. An empty string
//! in the document is an empty string in C; a missing string is NULL.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use std::ptr::null_mut;

use super::object::{JsonObject, ObjectSeed, by_hand, new_node, next_message, next_object};
use super::target::{DocumentFields, ListFields, Target};
use super::values::{
    ErrorPath, JsonProblem, JsonReader, ListSeed, nesting, next_bitmapset, next_char, next_enum, next_text,
};
use crate::convert::arena::{Arena, ArenaTree, CNode, set_tag};
use crate::convert::enums::kinds;
use crate::convert::nodes::nodes;
use crate::convert::row;
use crate::sys::bindings as pg;
use crate::sys::stack;

/// Maximum stack size per level of JSON nesting, in bytes. Optimized builds use 340 bytes. Builds without optimization
/// use several times as many.
const PER_LEVEL: usize = if cfg!(pgq_large_frames) { 32 * 1024 } else { 1024 };

/// Reads one document, such as `{"version":…,"stmts":[…]}`.
pub(crate) fn from_json(text: &str) -> Result<ArenaTree, JsonProblem> {
    let nesting = nesting(text.as_bytes());
    if nesting.saturating_mul(PER_LEVEL) > stack::LIMIT {
        let message = format!("the document is nested {nesting} levels deep, more than can be read");
        return Err(JsonProblem { message, path: String::new(), line: 0, column: 0 });
    }
    let build = |arena: &Arena| {
        let reader = JsonReader { arena, path: ErrorPath::default() };
        let mut json = serde_json::Deserializer::from_str(text);
        json.disable_recursion_limit(); // the nesting was measured above
        let mut document = DocumentFields { version: 0, stmts: null_mut() };
        let read = ObjectSeed { reader: &reader, target: Target::Document(&mut document) }.deserialize(&mut json);
        read.and_then(|()| json.end()).map_err(|error| JsonProblem {
            message: error.to_string(),
            path: reader.path.text(),
            line: error.line(),
            column: error.column(),
        })?;
        Ok((document.stmts.cast_const(), nesting))
    };
    // SAFETY: the reader allocates and zeroes every node in the arena and then fills it. Each node has the tag of its
    // struct. The pointers in nodes are NULL or point to other nodes that the reader created.
    let built = stack::try_with_stack_for_levels(nesting, PER_LEVEL, || unsafe { ArenaTree::build(build) });
    built.unwrap_or_else(|| {
        Err(JsonProblem { message: "out of memory".into(), path: String::new(), line: 0, column: 0 })
    })
}

/// A deserializer of any node: `{"NodeType":{…}}`, or `{}` for NULL.
struct NodeSeed<'t, 'a>(&'t JsonReader<'a>);

impl<'de> DeserializeSeed<'de> for NodeSeed<'_, '_> {
    type Value = *mut pg::Node;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for NodeSeed<'_, '_> {
    type Value = *mut pg::Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a node: an object with one key, the node's type")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let Some(key) = map.next_key::<Cow<'de, str>>()? else {
            return Ok(null_mut());
        };
        let node = self.0.path.add_key(next_node(&key, &mut map, self.0), &key)?;
        match map.next_key::<IgnoredAny>()? {
            None => Ok(node),
            Some(_) => Err(A::Error::custom("a node must have exactly one key, its type")),
        }
    }
}

/// A deserializer of a statement in the document's list `stmts`. The JSON of a statement is
/// `{"stmt":…}`, without `{"RawStmt":…}` around it.
struct StatementSeed<'t, 'a>(&'t JsonReader<'a>);

impl<'de> DeserializeSeed<'de> for StatementSeed<'_, '_> {
    type Value = *mut pg::Node;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        let (stmt, target) = new_node::<row::RawStmt>(self.0.arena);
        ObjectSeed { reader: self.0, target }.deserialize(deserializer)?;
        Ok(stmt.cast())
    }
}

/// Reads a field. The macro has one arm per kind of field.
macro_rules! read {
    (node, $map:ident, $reader:ident) => {
        $map.next_value_seed(NodeSeed($reader))?.cast()
    };
    (message, $map:ident, $reader:ident, $ty:ident) => {
        next_message::<row::$ty, _>($map, $reader)?.cast()
    };
    (list, $map:ident, $reader:ident) => {
        $map.next_value_seed(ListSeed($reader, NodeSeed))?
    };
    (string, $map:ident, $reader:ident) => {
        next_text($map, $reader)?
    };
    (char, $map:ident, $reader:ident) => {
        next_char($map)?
    };
    (enum_, $map:ident, $reader:ident, $ty:ident) => {
        next_enum::<kinds::$ty, _>($map)?
    };
    (bitmapset, $map:ident, $reader:ident) => {
        next_bitmapset($map, $reader)?
    };
    // Booleans and numbers are read as the field's own type.
    ($plain:ident, $map:ident, $reader:ident) => {
        $map.next_value()?
    };
}

/// Assigns a field. An embedded struct is read in place. A field of kind `absent` has no JSON key.
macro_rules! assign {
    (absent, $field:expr, $map:ident, $reader:ident) => {
        return Ok(false)
    };
    (embed, $field:expr, $map:ident, $reader:ident, $ty:ident) => {
        next_object($map, $reader, Target::$ty(&mut $field))?
    };
    ($kind:ident, $field:expr, $map:ident, $reader:ident $(, $ty:ident)?) => {
        $field = read!($kind, $map, $reader $(, $ty)?)
    };
}

/// Accesses a field of the C struct. A field of kind `absent` does not exist in C.
macro_rules! field {
    (absent, $c:ident, $cfield:tt) => {
        ()
    };
    ($kind:ident, $c:ident, $cfield:tt) => {
        $c.$cfield
    };
}

macro_rules! walk {
    ($($tag:ident $c:ident $rust:ident $variant:ident $json:literal {
        $($kind:ident $field:ident $key:literal $cfield:tt $(: $ty:ident)?;)*
    })*) => {
        $(
            impl JsonObject for row::$rust {
                type C = pg::$c;
                const NAME: &'static str = $json;
                fn target(c: &mut pg::$c) -> Target<'_> {
                    Target::$rust(c)
                }
                #[inline(never)] // keeps the frame of the caller small
                #[allow(unused_variables, unreachable_code, clippy::diverging_sub_expression)] // absent fields
                fn set<'de, A: MapAccess<'de>>(
                    c: &mut pg::$c,
                    key: &str,
                    map: &mut A,
                    reader: &JsonReader<'_>,
                ) -> Result<bool, A::Error> {
                    match key {
                        $($key => assign!($kind, field!($kind, c, $cfield), map, reader $(, $ty)?),)*
                        _ => return Ok(false),
                    }
                    Ok(true)
                }
                fn finish(c: &mut pg::$c) -> Result<(), &'static str> {
                    // The tag is set last. An embedded node at the start of the struct has its own tag at the same
                    // address, and the code that reads the embedded node would overwrite a tag that was set earlier.
                    set_tag::<row::$rust, _>(c, pg::$tag);
                    Ok(())
                }
            }
        )*

        /// Evaluates `$body`. In `$body`, `$it` is the target's C struct, and `Object` is the type that implements
        /// [`JsonObject`] for this struct.
        macro_rules! for_target {
            ($target:expr, |$it:ident| $body:expr) => {
                match $target {
                    $(Target::$rust($it) => { type Object = row::$rust; $body })*
                    Target::AConst($it) => { type Object = row::AConst; $body }
                    Target::Integer($it) => { type Object = row::Integer; $body }
                    Target::Float($it) => { type Object = row::Float; $body }
                    Target::Boolean($it) => { type Object = row::Boolean; $body }
                    Target::String($it) => { type Object = row::String; $body }
                    Target::BitString($it) => { type Object = row::BitString; $body }
                    Target::Document($it) => { type Object = DocumentFields; $body }
                    Target::List($it) => { type Object = ListFields; $body }
                }
            };
        }

        /// Returns a new node of the type `name`.
        fn node_by_name<'a>(name: &str, arena: &'a Arena) -> Option<(*mut pg::Node, Target<'a>)> {
            fn new<'a, M: JsonObject<C: CNode<M> + 'a>>(arena: &'a Arena) -> Option<(*mut pg::Node, Target<'a>)> {
                let (node, target) = new_node::<M>(arena);
                Some((node.cast(), target))
            }
            match name {
                $($json => new::<row::$rust>(arena),)*
                "A_Const" => new::<row::AConst>(arena),
                "Integer" => new::<row::Integer>(arena),
                "Float" => new::<row::Float>(arena),
                "Boolean" => new::<row::Boolean>(arena),
                "String" => new::<row::String>(arena),
                "BitString" => new::<row::BitString>(arena),
                _ => None,
            }
        }
    };
}

nodes!(walk);

impl Target<'_> {
    /// Returns the type's name in JSON.
    pub(crate) fn name(&self) -> &'static str {
        for_target!(self, |_it| Object::NAME)
    }

    /// Reads the value of `key`. Returns `Ok(false)` for an unknown key.
    pub(crate) fn set<'de, A: MapAccess<'de>>(
        &mut self,
        key: &str,
        map: &mut A,
        reader: &JsonReader<'_>,
    ) -> Result<bool, A::Error> {
        for_target!(self, |it| Object::set(it, key, map, reader))
    }

    /// Checks the struct after all fields are read.
    pub(crate) fn finish(&mut self) -> Result<(), &'static str> {
        for_target!(self, |it| Object::finish(it))
    }
}

/// Reads the value of the key `name` into a new node. The key is also the name of the node's type.
fn next_node<'de, A: MapAccess<'de>>(
    name: &str,
    map: &mut A,
    reader: &JsonReader<'_>,
) -> Result<*mut pg::Node, A::Error> {
    if name == "List" {
        let mut items = ListFields(null_mut());
        next_object(map, reader, Target::List(&mut items))?;
        return Ok(items.0.cast());
    }
    let Some((node, target)) = node_by_name(name, reader.arena) else {
        return Err(A::Error::custom(format_args!("there is no node type \"{name}\"")));
    };
    next_object(map, reader, target)?;
    Ok(node)
}

by_hand! {
    DocumentFields as DocumentFields => Document, "the document" {
        "version" => |it, map, reader| it.version = map.next_value()?;
        "stmts" => |it, map, reader| it.stmts = map.next_value_seed(ListSeed(reader, StatementSeed))?;
        finish |_it| Ok(());
    }
    ListFields as ListFields => List, "List" {
        "items" => |it, map, reader| it.0 = map.next_value_seed(ListSeed(reader, NodeSeed))?;
        finish |_it| Ok(());
    }
}
