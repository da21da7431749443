//! The reasons why a tree cannot be converted.
#![cfg_attr(not(feature = "proto"), allow(dead_code))] // some items are used only for structs

use crate::error::{Error, ErrorKind};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Problem {
    /// The table does not contain this node tag.
    UnknownNode(u32),
    /// The enum `name` has no constant with this value.
    UnknownEnum { name: &'static str, value: i64 },
    /// The tree is deeper than the stack limit allows.
    TooDeep,
    /// There is no memory for a stack.
    OutOfMemory,
    /// A string contains a NUL byte, at which C would truncate it.
    NulInString { field: &'static str },
    /// A node that the deparser cannot write, because raw parse trees never contain it.
    Unsupported { node: &'static str },
    /// A string that is not valid for its field.
    Malformed { field: &'static str, what: &'static str },
    /// An AND or OR without operands.
    NoCondition,
    /// The edited view belongs to another tree.
    OtherTree,
    /// The field to append to is not a list.
    NotAList { node: &'static str, field: String, lists: String },
    /// A value out of the range of its C field.
    OutOfRange { field: &'static str },
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Self {
        let (kind, message) = match problem {
            Problem::TooDeep => (ErrorKind::TooDeep, "stack depth limit exceeded".to_string()),
            Problem::OutOfMemory => return Self::out_of_memory(),
            Problem::UnknownNode(tag) => (ErrorKind::Tree, format!("node tag {tag} is not in the table of nodes")),
            Problem::UnknownEnum { name, value } => {
                (ErrorKind::Tree, format!("{value} is not a value of the enum {name}"))
            }
            Problem::NulInString { field } => (ErrorKind::Tree, format!("the string {field} contains a NUL byte")),
            Problem::Unsupported { node } => (ErrorKind::Tree, format!("a tree with {node} cannot be written as SQL")),
            Problem::Malformed { field, what } => (ErrorKind::Tree, format!("the value of {field} is not {what}")),
            Problem::NoCondition => (ErrorKind::Tree, "AND or OR without a condition".to_string()),
            Problem::OtherTree => (ErrorKind::Tree, "a node of another tree cannot be edited".to_string()),
            Problem::NotAList { node, field, lists } => {
                (ErrorKind::Tree, format!("{node} has no list {field}; its lists: {lists}"))
            }
            Problem::OutOfRange { field } => (ErrorKind::Tree, format!("the value of {field} is out of range")),
        };
        Self::new(kind, message)
    }
}
