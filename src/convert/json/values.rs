//! Reads JSON values that are not objects (strings, characters, enums, bit sets and lists) into their C counterparts.
//! Also records the path to an error.

use std::cell::RefCell;
use std::ffi::c_char;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};

use crate::convert::arena::{self, Arena};
use crate::convert::enums::TreeEnum;
use crate::error::Error;
use crate::sys::bindings as pg;

/// Returns the maximum nesting of brackets outside of strings.
pub(crate) fn nesting(text: &[u8]) -> usize {
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

/// An error in a document, and its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct JsonProblem {
    pub message: String,
    /// The path, such as `stmts[0].stmt.SelectStmt.targetList[2]`. Empty for the document itself.
    pub path: String,
    /// Line number, and byte position in the line. Both start at 1, as in serde_json.
    pub line: usize,
    pub column: usize,
}

impl JsonProblem {
    /// Converts the problem to an error in the document `text`.
    pub(crate) fn into_error(self, text: &str) -> Error {
        let path = if self.path.is_empty() { String::new() } else { format!("{}: ", self.path) };
        Error::json(&format!("{path}{}", self.message), text, self.line, self.column)
    }
}

/// The path to an error, innermost step first. Each function that passes the error on to its caller adds one step.
#[derive(Default)]
pub(crate) struct ErrorPath(RefCell<Vec<String>>);

impl ErrorPath {
    /// Adds a key to the path if `result` is an error.
    pub(crate) fn add_key<T, E>(&self, result: Result<T, E>, key: &str) -> Result<T, E> {
        if result.is_err() {
            self.push(key.into());
        }
        result
    }

    /// Adds an index to the path if `result` is an error.
    fn add_index<T, E>(&self, result: Result<T, E>, index: usize) -> Result<T, E> {
        if result.is_err() {
            self.push(format!("[{index}]"));
        }
        result
    }

    #[cold]
    fn push(&self, step: String) {
        self.0.borrow_mut().push(step);
    }

    pub(crate) fn text(&self) -> String {
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

/// The context of the reader: the arena for nodes and the path for errors.
pub(crate) struct JsonReader<'a> {
    pub(crate) arena: &'a Arena,
    pub(crate) path: ErrorPath,
}

/// A deserializer of a list. `F` creates the deserializer of each element.
pub(crate) struct ListSeed<'t, 'a, F>(pub(crate) &'t JsonReader<'a>, pub(crate) F);

impl<'de, 't, 'a, S, F> DeserializeSeed<'de> for ListSeed<'t, 'a, F>
where
    F: Fn(&'t JsonReader<'a>) -> S,
    S: DeserializeSeed<'de, Value = *mut pg::Node>,
{
    type Value = *mut pg::List;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, 't, 'a, S, F> Visitor<'de> for ListSeed<'t, 'a, F>
where
    F: Fn(&'t JsonReader<'a>) -> S,
    S: DeserializeSeed<'de, Value = *mut pg::Node>,
{
    type Value = *mut pg::List;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of nodes")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut items = Vec::new();
        let next = |seq: &mut A| seq.next_element_seed(self.1(self.0));
        while let Some(item) = self.0.path.add_index(next(&mut seq), items.len())? {
            items.push(item);
        }
        let list = arena::list(self.0.arena, items.len(), |i| items[i]);
        list.ok_or_else(|| A::Error::custom("a list is too long"))
    }
}

pub(crate) fn expect_object(name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "an object with the fields of {name}")
}

#[cold]
pub(crate) fn unknown_key<E: serde::de::Error>(name: &str, key: &str) -> E {
    E::custom(format_args!("{name} has no field \"{key}\""))
}

/// A deserializer of a string. `F` converts the string.
pub(crate) struct TextSeed<F>(&'static str, F);

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

/// Reads a string as a C string.
pub(crate) fn next_text<'de, A: MapAccess<'de>>(map: &mut A, reader: &JsonReader<'_>) -> Result<*mut c_char, A::Error> {
    map.next_value_seed(TextSeed("a string", |text: &str| match memchr::memchr(0, text.as_bytes()) {
        None => Ok(arena::text(reader.arena, text)),
        Some(_) => Err("a string contains a NUL byte".into()),
    }))
}

pub(crate) fn next_char<'de, A: MapAccess<'de>>(map: &mut A) -> Result<c_char, A::Error> {
    map.next_value_seed(TextSeed("an ASCII character", |text: &str| {
        arena::char(text).ok_or_else(|| format!("{text:?} is not one ASCII character"))
    }))
}

/// Reads an enum from the name of its constant.
pub(crate) fn next_enum<'de, E: TreeEnum, A: MapAccess<'de>>(map: &mut A) -> Result<E::C, A::Error> {
    let mut value = None;
    // A closure as a trait object: the code that reads a string is then compiled only once. With a type parameter, it
    // would be compiled once for each enum type.
    let read: &mut dyn FnMut(&str) -> Result<(), String> = &mut |name| {
        value = E::from_name(name).and_then(E::to_c);
        value.map(drop).ok_or_else(|| format!("{} has no constant \"{name}\"", E::NAME))
    };
    map.next_value_seed(TextSeed("the name of a constant", read))?;
    value.ok_or_else(|| A::Error::custom("a constant was not read"))
}

pub(crate) fn next_bitmapset<'de, A: MapAccess<'de>>(
    map: &mut A,
    reader: &JsonReader<'_>,
) -> Result<*mut pg::Bitmapset, A::Error> {
    let members: Vec<u64> = map.next_value()?;
    arena::bitmapset(reader.arena, &members).ok_or_else(|| A::Error::custom("a member of a set is out of range"))
}
