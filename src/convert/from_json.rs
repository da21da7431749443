//! libpg_query's JSON -> prost structs, driven by the same table.
//!
//! Strict: a key that the node does not have, a value of the wrong type, an enum name that
//! does not exist are errors that name the path inside the document. Missing keys are
//! defaults, since libpg_query leaves defaults out. It must not lose anything silently.

use std::cell::RefCell;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::{Slot, TreeEnum, kinds, nodes};
use crate::protobuf::{self, Node, ParseResult, a_const, node};
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

/// Bytes of stack that one level of JSON nesting can cost while it is read (measured: 1.5 kB
/// in release builds; debug builds take several times that).
const PER_LEVEL: usize = if cfg!(debug_assertions) { 32 * 1024 } else { 4 * 1024 };

/// Reads one document, `{"version":…,"stmts":[…]}`; and how deep the tree can be.
pub(crate) fn from_json(text: &str) -> Result<(ParseResult, usize), JsonProblem> {
    let nesting = nesting(text.as_bytes());
    if nesting.saturating_mul(PER_LEVEL) > stack::LIMIT {
        let message = format!("the document is nested {nesting} levels deep, more than can be read");
        return Err(JsonProblem { message, path: String::new(), line: 0, column: 0 });
    }
    stack::for_levels(nesting, PER_LEVEL, || {
        let trail = Trail::default();
        let mut reader = serde_json::Deserializer::from_str(text);
        reader.disable_recursion_limit(); // the nesting was measured above
        let document = In::<ParseResult>::at(&trail).deserialize(&mut reader);
        document.and_then(|tree| reader.end().map(|()| (*tree, nesting))).map_err(|error| JsonProblem {
            message: error.to_string(),
            path: trail.path(),
            line: error.line(),
            column: error.column(),
        })
    })
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

/// Reads a `T`, noting the way to an error.
struct In<'t, T> {
    trail: &'t Trail,
    _type: PhantomData<T>,
}

impl<'t, T> In<'t, T> {
    fn at(trail: &'t Trail) -> Self {
        Self { trail, _type: PhantomData }
    }
}

/// A message: an object with known keys.
trait Message: Default {
    const NAME: &'static str;
    /// Reads the value of `key`; `Ok(false)` when the message has no such key.
    fn set<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A, trail: &Trail) -> Result<bool, A::Error>;
}

impl<'de, T: Message> DeserializeSeed<'de> for In<'_, T> {
    type Value = Box<T>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Box<T>, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, T: Message> Visitor<'de> for In<'_, T> {
    type Value = Box<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object with the fields of {}", T::NAME)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Box<T>, A::Error> {
        let mut message = Box::<T>::default();
        while let Some(key) = map.next_key::<std::borrow::Cow<'de, str>>()? {
            let known = self.trail.note(message.set(&key, &mut map, self.trail), || key.to_string())?;
            if !known {
                let unknown = A::Error::custom(format_args!("{} has no field \"{key}\"", T::NAME));
                return self.trail.note(Err(unknown), || key.to_string());
            }
        }
        Ok(message)
    }
}

/// The value of the current key as a `T`. A message travels in its box, and this is no part
/// of its caller's frame: reading recurses as deep as the document.
#[inline(never)]
fn next_message<'de, T: Message, A: MapAccess<'de>>(map: &mut A, trail: &Trail) -> Result<Box<T>, A::Error> {
    map.next_value_seed(In::<T>::at(trail))
}

/// Any node: `{"TypeOfNode":{…}}`, or `{}` for NULL.
struct NodeIn<'t>(&'t Trail);

impl<'de> DeserializeSeed<'de> for NodeIn<'_> {
    type Value = Node;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for NodeIn<'_> {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a node: an object with one key, the node's type")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let Some(key) = map.next_key::<std::borrow::Cow<'de, str>>()? else {
            return Ok(Node { node: None });
        };
        let node = self.0.note(node_by_name(&key, &mut map, self.0), || key.to_string())?;
        match map.next_key::<IgnoredAny>()? {
            None => Ok(Node { node: Some(node) }),
            Some(_) => Err(A::Error::custom("a node has one key, its type; here is a second")),
        }
    }
}

/// A list of `S`-shaped elements.
struct ListIn<'t, F>(&'t Trail, F);

impl<'de, 't, S, F> DeserializeSeed<'de> for ListIn<'t, F>
where
    F: Fn(&'t Trail) -> S,
    S: DeserializeSeed<'de>,
{
    type Value = Vec<S::Value>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, 't, S, F> Visitor<'de> for ListIn<'t, F>
where
    F: Fn(&'t Trail) -> S,
    S: DeserializeSeed<'de>,
{
    type Value = Vec<S::Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of nodes")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = self.0.note(seq.next_element_seed(self.1(self.0)), || format!("[{}]", items.len()))? {
            items.push(item);
        }
        Ok(items)
    }
}

/// An enum by the name of its constant.
struct EnumIn<E>(PhantomData<E>);

impl<'de, E: TreeEnum> DeserializeSeed<'de> for EnumIn<E> {
    type Value = i32;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<i32, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<E: TreeEnum> Visitor<'_> for EnumIn<E> {
    type Value = i32;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the name of a constant of {}", E::NAME)
    }

    fn visit_str<Er: serde::de::Error>(self, name: &str) -> Result<i32, Er> {
        E::from_name(name).ok_or_else(|| Er::custom(format_args!("{} has no constant \"{name}\"", E::NAME)))
    }
}

/// What to read for each kind of field.
macro_rules! read {
    (node, $map:ident, $trail:ident) => {
        Some(Box::new($map.next_value_seed(NodeIn($trail))?))
    };
    (message, $map:ident, $trail:ident, $ty:ident) => {
        Slot::<protobuf::$ty>::full(next_message($map, $trail)?)
    };
    (absent, $map:ident, $trail:ident) => {
        return Ok(false)
    };
    (embed, $map:ident, $trail:ident, $ty:ident) => {
        read!(message, $map, $trail, $ty)
    };
    (list, $map:ident, $trail:ident) => {
        $map.next_value_seed(ListIn($trail, NodeIn))?
    };
    (enum_, $map:ident, $trail:ident, $ty:ident) => {
        $map.next_value_seed(EnumIn::<kinds::$ty>(PhantomData))?
    };
    // string, char, bool, numbers, bit sets: as serde reads the field's own type
    ($plain:ident, $map:ident, $trail:ident) => {
        $map.next_value()?
    };
}

macro_rules! walk {
    ($($tag:ident $c:ident $rust:ident $variant:ident $json:literal {
        $($kind:ident $field:ident $key:literal $cfield:ident $(: $ty:ident)?;)*
    })*) => {
        $(messages! { $rust $json { $($field $key = |map, trail| read!($kind, map, trail $(, $ty)?);)* } })*

        fn node_by_name<'de, A: MapAccess<'de>>(name: &str, map: &mut A, trail: &Trail) -> Result<node::Node, A::Error> {
            Ok(match name {
                $($json => node::Node::$variant(next_message(map, trail)?),)*
                "A_Const" => node::Node::AConst(next_message(map, trail)?),
                "Integer" => node::Node::Integer(next_message(map, trail)?),
                "Float" => node::Node::Float(next_message(map, trail)?),
                "Boolean" => node::Node::Boolean(next_message(map, trail)?),
                "String" => node::Node::String(next_message(map, trail)?),
                "BitString" => node::Node::BitString(next_message(map, trail)?),
                "List" => node::Node::List(next_message(map, trail)?),
                _ => return Err(A::Error::custom(format_args!("there is no node type \"{name}\""))),
            })
        }
    };
}

/// [`Message`] for a struct, from its fields, keys and how each is read.
macro_rules! messages {
    ($($rust:ident $json:literal { $($field:ident $key:literal = |$map:ident, $trail:ident| $read:expr;)* })*) => { $(
        impl Message for protobuf::$rust {
            const NAME: &'static str = $json;
            #[allow(unused_variables, unreachable_code, clippy::diverging_sub_expression)] // absent fields
            fn set<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A, trail: &Trail) -> Result<bool, A::Error> {
                match key {
                    $($key => { let ($map, $trail) = (map, trail); self.$field = $read; })*
                    _ => return Ok(false),
                }
                Ok(true)
            }
        }
    )* };
}

messages! {
    ParseResult "the document" {
        version "version" = |map, trail| map.next_value()?;
        stmts "stmts" = |map, trail| {
            let statements = map.next_value_seed(ListIn(trail, In::<protobuf::RawStmt>::at))?;
            statements.into_iter().map(|boxed| *boxed).collect()
        };
    }
    Integer "Integer" { ival "ival" = |map, trail| map.next_value()?; }
    Float "Float" { fval "fval" = |map, trail| map.next_value()?; }
    Boolean "Boolean" { boolval "boolval" = |map, trail| map.next_value()?; }
    String "String" { sval "sval" = |map, trail| map.next_value()?; }
    BitString "BitString" { bsval "bsval" = |map, trail| map.next_value()?; }
    List "List" { items "items" = |map, trail| map.next_value_seed(ListIn(trail, NodeIn))?; }
    AConst "A_Const" {
        isnull "isnull" = |map, trail| map.next_value()?;
        location "location" = |map, trail| map.next_value()?;
        val "ival" = |map, trail| Some(a_const::Val::Ival(*next_message(map, trail)?));
        val "fval" = |map, trail| Some(a_const::Val::Fval(*next_message(map, trail)?));
        val "boolval" = |map, trail| Some(a_const::Val::Boolval(*next_message(map, trail)?));
        val "sval" = |map, trail| Some(a_const::Val::Sval(*next_message(map, trail)?));
        val "bsval" = |map, trail| Some(a_const::Val::Bsval(*next_message(map, trail)?));
    }
}
nodes!(walk);
