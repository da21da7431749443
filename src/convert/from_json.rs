//! libpg_query's JSON -> C tree, driven by the same table.
//!
//! Strict: a key that the node does not have, a value of the wrong type, an enum name that
//! does not exist are errors that name the path inside the document. Missing keys are
//! defaults, since libpg_query leaves defaults out. It must not lose anything silently: a
//! string that is there and empty is an empty string in C, and one that is not there is none.

use std::borrow::Cow;
use std::cell::RefCell;
use std::ffi::c_char;
use std::fmt;

use bumpalo::Bump;
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::ptr::null_mut;

use super::arena::{self, ArenaTree, CNode, set_tag};
use super::enums::{TreeEnum, kinds};
use super::nodes::nodes;
use crate::error::Error;
use crate::proto;
use crate::sys::bindings as pg;
use crate::sys::stack;

/// What is wrong with a document, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct JsonProblem {
    pub message: String,
    /// `stmts[0].stmt.SelectStmt.targetList[2]`; empty for the document itself.
    pub path: String,
    /// 1-based, as serde_json counts them: lines, and bytes within the line.
    pub line: usize,
    pub column: usize,
}

impl JsonProblem {
    /// The error for a caller who gave the document `text`.
    pub(crate) fn into_error(self, text: &str) -> Error {
        let path = if self.path.is_empty() { String::new() } else { format!("{}: ", self.path) };
        Error::json(&format!("{path}{}", self.message), text, self.line, self.column)
    }
}

/// Bytes of stack that one level of JSON nesting can cost while it is read (measured: 340 bytes
/// in release builds; debug builds take several times that).
const PER_LEVEL: usize = if cfg!(debug_assertions) { 32 * 1024 } else { 1024 };

/// Reads one document, `{"version":…,"stmts":[…]}`.
pub(crate) fn from_json(text: &str) -> Result<ArenaTree, JsonProblem> {
    let nesting = nesting(text.as_bytes());
    if nesting.saturating_mul(PER_LEVEL) > stack::LIMIT {
        let message = format!("the document is nested {nesting} levels deep, more than can be read");
        return Err(JsonProblem { message, path: String::new(), line: 0, column: 0 });
    }
    let build = |arena: &Bump| {
        let reader = Reader { arena, trail: Trail::default() };
        let mut json = serde_json::Deserializer::from_str(text);
        json.disable_recursion_limit(); // the nesting was measured above
        let mut document = DocumentFields { version: 0, stmts: null_mut() };
        let read = ObjectSeed::<DocumentFields> { reader: &reader, target: &mut document }.deserialize(&mut json);
        read.and_then(|()| json.end()).map_err(|error| JsonProblem {
            message: error.to_string(),
            path: reader.trail.path(),
            line: error.line(),
            column: error.column(),
        })?;
        Ok((document.stmts.cast_const(), nesting))
    };
    // SAFETY: the reader makes every node in the arena, zeroed and then filled, with the tag
    // of its struct; the pointers in them are NULL or to others that it made.
    stack::with_stack_for_levels(nesting, PER_LEVEL, || unsafe { ArenaTree::build(build) })
}

/// The deepest nesting of brackets outside strings.
fn nesting(text: &[u8]) -> usize {
    let (mut depth, mut deepest, mut in_string, mut escaped) = (0usize, 0, false, false);
    for &byte in text {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// The way to an error, innermost step first; filled in only while an error travels out.
#[derive(Default)]
struct Trail(RefCell<Vec<String>>);

impl Trail {
    fn note<T, E>(&self, result: Result<T, E>, step: impl FnOnce() -> String) -> Result<T, E> {
        if result.is_err() {
            self.0.borrow_mut().push(step());
        }
        result
    }

    fn path(&self) -> String {
        let steps = self.0.borrow();
        let mut path = String::new();
        for step in steps.iter().rev() {
            if !path.is_empty() && !step.starts_with('[') {
                path.push('.');
            }
            path.push_str(step);
        }
        path
    }
}

/// What reading needs: where nodes go, and how errors are placed.
struct Reader<'a> {
    arena: &'a Bump,
    trail: Trail,
}

/// Reads the fields of a message into its C struct, noting the way to an error.
struct ObjectSeed<'t, 'a, M: JsonObject> {
    reader: &'t Reader<'a>,
    target: &'t mut M::C,
}

/// An object with known keys, each of which is a field of a C struct.
trait JsonObject {
    type C;
    const NAME: &'static str;
    /// Reads the value of `key`; `Ok(false)` when there is no such key.
    fn set<'de, A: MapAccess<'de>>(
        c: &mut Self::C,
        key: &str,
        map: &mut A,
        reader: &Reader<'_>,
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
        write!(f, "an object with the fields of {}", M::NAME)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let trail = &self.reader.trail;
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            let known = trail.note(M::set(self.target, &key, &mut map, self.reader), || key.to_string())?;
            if !known {
                let unknown = A::Error::custom(format_args!("{} has no field \"{key}\"", M::NAME));
                return trail.note(Err(unknown), || key.to_string());
            }
        }
        M::finish(self.target).map_err(A::Error::custom)
    }
}

/// The value of the current key as a new node. It is no part of its caller's frame: reading
/// recurses as deep as the document.
#[inline(never)]
fn next_message<'de, M: JsonObject<C: CNode<M>>, A: MapAccess<'de>>(
    map: &mut A,
    reader: &Reader<'_>,
) -> Result<*mut M::C, A::Error> {
    let node = arena::zeroed::<M, M::C>(reader.arena);
    // SAFETY: just allocated, zeroed and not shared; the arena does not move it.
    let target = unsafe { &mut *node };
    map.next_value_seed(ObjectSeed::<M> { reader, target })?;
    Ok(node)
}

/// Any node: `{"TypeOfNode":{…}}`, or `{}` for NULL.
struct NodeSeed<'t, 'a>(&'t Reader<'a>);

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
        let node = self.0.trail.note(node_by_name(&key, &mut map, self.0), || key.to_string())?;
        match map.next_key::<IgnoredAny>()? {
            None => Ok(node),
            Some(_) => Err(A::Error::custom("a node has one key, its type; here is a second")),
        }
    }
}

/// A statement in the document's list: a RawStmt without its name around it.
struct StatementSeed<'t, 'a>(&'t Reader<'a>);

impl<'de> DeserializeSeed<'de> for StatementSeed<'_, '_> {
    type Value = *mut pg::Node;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        let stmt = arena::zeroed::<proto::RawStmt, pg::RawStmt>(self.0.arena);
        // SAFETY: just allocated, zeroed and not shared; the arena does not move it.
        let target = unsafe { &mut *stmt };
        ObjectSeed::<proto::RawStmt> { reader: self.0, target }.deserialize(deserializer)?;
        Ok(stmt.cast())
    }
}

/// A list of `S`-shaped elements.
struct ListSeed<'t, 'a, F>(&'t Reader<'a>, F);

impl<'de, 't, 'a, S, F> DeserializeSeed<'de> for ListSeed<'t, 'a, F>
where
    F: Fn(&'t Reader<'a>) -> S,
    S: DeserializeSeed<'de, Value = *mut pg::Node>,
{
    type Value = *mut pg::List;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, 't, 'a, S, F> Visitor<'de> for ListSeed<'t, 'a, F>
where
    F: Fn(&'t Reader<'a>) -> S,
    S: DeserializeSeed<'de, Value = *mut pg::Node>,
{
    type Value = *mut pg::List;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of nodes")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut items = Vec::new();
        let next = |seq: &mut A| seq.next_element_seed(self.1(self.0));
        while let Some(item) = self.0.trail.note(next(&mut seq), || format!("[{}]", items.len()))? {
            items.push(item);
        }
        let list = arena::list(self.0.arena, items.len(), |i| items[i]);
        list.ok_or_else(|| A::Error::custom("a list is too long"))
    }
}

/// A text, as `F` makes it something else.
struct TextSeed<F>(&'static str, F);

impl<'de, T, F: FnOnce(&str) -> Result<T, String>> DeserializeSeed<'de> for TextSeed<F> {
    type Value = T;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<T, F: FnOnce(&str) -> Result<T, String>> Visitor<'_> for TextSeed<F> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<T, E> {
        (self.1)(text).map_err(E::custom)
    }
}

/// A string, as C holds it.
fn next_text<'de, A: MapAccess<'de>>(map: &mut A, reader: &Reader<'_>) -> Result<*mut c_char, A::Error> {
    map.next_value_seed(TextSeed("a string", |text: &str| match memchr::memchr(0, text.as_bytes()) {
        None => Ok(arena::text(reader.arena, text)),
        Some(_) => Err("a string contains a NUL byte".into()),
    }))
}

fn next_char<'de, A: MapAccess<'de>>(map: &mut A) -> Result<c_char, A::Error> {
    map.next_value_seed(TextSeed("an ASCII character", |text: &str| {
        arena::char(text).ok_or_else(|| format!("{text:?} is not one ASCII character"))
    }))
}

/// An enum by the name of its constant.
fn next_enum<'de, E: TreeEnum, A: MapAccess<'de>>(map: &mut A) -> Result<E::C, A::Error> {
    map.next_value_seed(TextSeed("the name of a constant", |name: &str| {
        let value = E::from_name(name).and_then(E::to_c);
        value.ok_or_else(|| format!("{} has no constant \"{name}\"", E::NAME))
    }))
}

fn next_bitmapset<'de, A: MapAccess<'de>>(map: &mut A, reader: &Reader<'_>) -> Result<*mut pg::Bitmapset, A::Error> {
    let members: Vec<u64> = map.next_value()?;
    arena::bitmapset(reader.arena, &members).ok_or_else(|| A::Error::custom("a member of a set is out of range"))
}

/// What to read for each kind of field.
macro_rules! read {
    (node, $map:ident, $reader:ident) => {
        $map.next_value_seed(NodeSeed($reader))?.cast()
    };
    (message, $map:ident, $reader:ident, $ty:ident) => {
        next_message::<proto::$ty, _>($map, $reader)?.cast()
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
    // bool, numbers: as serde reads the field's own type
    ($plain:ident, $map:ident, $reader:ident) => {
        $map.next_value()?
    };
}

/// An embedded struct is read where it is; an absent field is none that JSON has.
macro_rules! assign {
    (absent, $field:expr, $map:ident, $reader:ident) => {
        return Ok(false)
    };
    (embed, $field:expr, $map:ident, $reader:ident, $ty:ident) => {
        $map.next_value_seed(ObjectSeed::<proto::$ty> { reader: $reader, target: &mut $field })?
    };
    ($kind:ident, $field:expr, $map:ident, $reader:ident $(, $ty:ident)?) => {
        $field = read!($kind, $map, $reader $(, $ty)?)
    };
}

macro_rules! walk {
    ($($tag:ident $c:ident $rust:ident $variant:ident $json:literal {
        $($kind:ident $field:ident $key:literal $cfield:tt $(: $ty:ident)?;)*
    })*) => {
        $(
            impl JsonObject for proto::$rust {
                type C = pg::$c;
                const NAME: &'static str = $json;
                #[allow(unused_variables, unreachable_code, clippy::diverging_sub_expression)] // absent fields
                fn set<'de, A: MapAccess<'de>>(
                    c: &mut pg::$c,
                    key: &str,
                    map: &mut A,
                    reader: &Reader<'_>,
                ) -> Result<bool, A::Error> {
                    match key {
                        $($key => assign!($kind, field!($kind, c, $cfield), map, reader $(, $ty)?),)*
                        _ => return Ok(false),
                    }
                    Ok(true)
                }
                fn finish(c: &mut pg::$c) -> Result<(), &'static str> {
                    // Last, in the place of the tag of the node that this one begins with.
                    set_tag::<proto::$rust, _>(c, pg::$tag);
                    Ok(())
                }
            }
        )*

        fn node_by_name<'de, A: MapAccess<'de>>(
            name: &str,
            map: &mut A,
            reader: &Reader<'_>,
        ) -> Result<*mut pg::Node, A::Error> {
            Ok(match name {
                $($json => next_message::<proto::$rust, _>(map, reader)?.cast(),)*
                "A_Const" => next_message::<proto::AConst, _>(map, reader)?.cast(),
                "Integer" => next_message::<proto::Integer, _>(map, reader)?.cast(),
                "Float" => next_message::<proto::Float, _>(map, reader)?.cast(),
                "Boolean" => next_message::<proto::Boolean, _>(map, reader)?.cast(),
                "String" => next_message::<proto::String, _>(map, reader)?.cast(),
                "BitString" => next_message::<proto::BitString, _>(map, reader)?.cast(),
                "List" => {
                    let mut items = ListFields(null_mut());
                    map.next_value_seed(ObjectSeed::<ListFields> { reader, target: &mut items })?;
                    items.0.cast()
                }
                _ => return Err(A::Error::custom(format_args!("there is no node type \"{name}\""))),
            })
        }
    };
}

/// A field of the C struct, but for one that it does not have.
macro_rules! field {
    (absent, $c:ident, $cfield:tt) => {
        ()
    };
    ($kind:ident, $c:ident, $cfield:tt) => {
        $c.$cfield
    };
}

/// The document itself.
struct DocumentFields {
    version: i32,
    stmts: *mut pg::List,
}

/// What a List node holds: NIL is NULL in C, so there may be no node to fill.
struct ListFields(*mut pg::List);

/// [`JsonObject`] by hand: how each key is read, and what must hold at the end.
macro_rules! by_hand {
    ($($message:ty as $c:ty, $json:literal {
        $($key:literal => |$it:ident, $map:ident, $reader:ident| $read:expr;)*
        finish |$done:ident| $finish:expr;
    })*) => { $(
        impl JsonObject for $message {
            type C = $c;
            const NAME: &'static str = $json;
            #[allow(unused_variables)]
            fn set<'de, A: MapAccess<'de>>(
                c: &mut $c,
                key: &str,
                map: &mut A,
                reader: &Reader<'_>,
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

/// A value node's string is never NULL in C.
fn empty_if_none(text: &mut *mut c_char) {
    if text.is_null() {
        *text = c"".as_ptr().cast_mut();
    }
}

fn tagged<M, T: CNode<M>>(node: &mut T, tag: pg::NodeTag) -> Result<(), &'static str> {
    set_tag::<M, T>(node, tag);
    Ok(())
}

/// The value of a constant: of the member of the union that the key names.
fn next_value<'de, M: JsonObject<C: Copy + CNode<M>>, A: MapAccess<'de>>(
    map: &mut A,
    reader: &Reader<'_>,
) -> Result<M::C, A::Error> {
    let value = next_message::<M, _>(map, reader)?;
    // SAFETY: just made, and valid while the arena is.
    Ok(unsafe { *value })
}

by_hand! {
    DocumentFields as DocumentFields, "the document" {
        "version" => |it, map, reader| it.version = map.next_value()?;
        "stmts" => |it, map, reader| it.stmts = map.next_value_seed(ListSeed(reader, StatementSeed))?;
        finish |_it| Ok(());
    }
    ListFields as ListFields, "List" {
        "items" => |it, map, reader| it.0 = map.next_value_seed(ListSeed(reader, NodeSeed))?;
        finish |_it| Ok(());
    }
    proto::Integer as pg::Integer, "Integer" {
        "ival" => |it, map, reader| it.ival = map.next_value()?;
        finish |it| tagged::<proto::Integer, _>(it, pg::T_Integer);
    }
    proto::Boolean as pg::Boolean, "Boolean" {
        "boolval" => |it, map, reader| it.boolval = map.next_value()?;
        finish |it| tagged::<proto::Boolean, _>(it, pg::T_Boolean);
    }
    proto::Float as pg::Float, "Float" {
        "fval" => |it, map, reader| it.fval = next_text(map, reader)?;
        finish |it| { empty_if_none(&mut it.fval); tagged::<proto::Float, _>(it, pg::T_Float) };
    }
    proto::String as pg::String, "String" {
        "sval" => |it, map, reader| it.sval = next_text(map, reader)?;
        finish |it| { empty_if_none(&mut it.sval); tagged::<proto::String, _>(it, pg::T_String) };
    }
    proto::BitString as pg::BitString, "BitString" {
        "bsval" => |it, map, reader| it.bsval = next_text(map, reader)?;
        finish |it| { empty_if_none(&mut it.bsval); tagged::<proto::BitString, _>(it, pg::T_BitString) };
    }
    proto::AConst as pg::A_Const, "A_Const" {
        "isnull" => |it, map, reader| it.isnull = map.next_value()?;
        "location" => |it, map, reader| it.location = map.next_value()?;
        "ival" => |it, map, reader| it.val.ival = next_value::<proto::Integer, _>(map, reader)?;
        "fval" => |it, map, reader| it.val.fval = next_value::<proto::Float, _>(map, reader)?;
        "boolval" => |it, map, reader| it.val.boolval = next_value::<proto::Boolean, _>(map, reader)?;
        "sval" => |it, map, reader| it.val.sval = next_value::<proto::String, _>(map, reader)?;
        "bsval" => |it, map, reader| it.val.bsval = next_value::<proto::BitString, _>(map, reader)?;
        finish |it| {
            // SAFETY: every member of the union begins with its tag, which is zero where none was read.
            let has_value = unsafe { it.val.node.type_ } != 0;
            match (it.isnull, has_value) {
                (true, true) => Err("an A_Const is NULL and has a value"),
                (false, false) => Err("an A_Const has no value"),
                _ => tagged::<proto::AConst, _>(it, pg::T_A_Const),
            }
        };
    }
}
nodes!(walk);
