//! Writes libpg_query's JSON, using only views.

use std::fmt::Write;

use pgq::Tree;
use pgq::nodes::{Constant, Field, FieldValue, List, Node};

/// Returns the document of all statements.
pub fn document(tree: &Tree) -> String {
    let mut out = format!("{{\"version\":{},\"stmts\":[", version());
    for (index, statement) in tree.statements().enumerate() {
        if index > 0 {
            out.push(',');
        }
        fields(Node::RawStmt(statement.raw_node()), &mut out);
    }
    out.push_str("]}");
    out
}

/// Returns the version as a number: 180006 for `18.6`.
fn version() -> u32 {
    let (major, minor) = pgq::POSTGRES_VERSION.split_once('.').unwrap();
    major.parse::<u32>().unwrap() * 10_000 + minor.parse::<u32>().unwrap()
}

/// Writes a node with its type.
fn typed(node: Node<'_>, out: &mut String) {
    write!(out, "{{\"{}\":", node.name()).unwrap();
    match node {
        // Boolean is the only node whose false value is written.
        Node::Boolean(value) => write!(out, "{{\"boolval\":{}}}", value.boolval()).unwrap(),
        node => fields(node, out),
    }
    out.push('}');
}

/// Writes the fields of a node in braces.
fn fields(node: Node<'_>, out: &mut String) {
    out.push('{');
    let is_text_node = matches!(node, Node::String(_) | Node::Float(_) | Node::BitString(_));
    let mut first = true;
    node.for_each_field(|Field { name, value }| {
        let before = out.len();
        if !first {
            out.push(',');
        }
        // A constant has the key of its type, such as `ival`, instead of the field's name.
        if !matches!(value, FieldValue::Constant(_)) {
            write!(out, "\"{name}\":").unwrap();
        }
        if write_value(value, is_text_node, out) {
            first = false;
        } else {
            out.truncate(before);
        }
    });
    out.push('}');
}

/// Writes a value. Returns false if the JSON leaves it out.
fn write_value(value: FieldValue<'_>, keep_empty: bool, out: &mut String) -> bool {
    match value {
        FieldValue::Node(Some(node)) => typed(node, out),
        FieldValue::Typed(Some(node)) | FieldValue::Embedded(node) => fields(node, out),
        FieldValue::Node(None) | FieldValue::Typed(None) => return false,
        FieldValue::List(members) if members.is_empty() => return false,
        FieldValue::List(members) => list(members, out),
        FieldValue::Text(None) => return false,
        FieldValue::Text(Some(text)) if text.is_empty() && !keep_empty => return false,
        FieldValue::Text(Some(value)) => text(value, out),
        FieldValue::Char(None) => return false,
        FieldValue::Char(Some(letter)) => write!(out, "\"{letter}\"").unwrap(),
        FieldValue::Bool(value) if value => out.push_str("true"),
        FieldValue::Int(value) if value != 0 => write!(out, "{value}").unwrap(),
        FieldValue::Uint64(value) if value != 0 => write!(out, "{value}").unwrap(),
        FieldValue::Bool(_) | FieldValue::Int(_) | FieldValue::Uint64(_) => return false,
        FieldValue::Float(value) => write!(out, "{value:.6}").unwrap(),
        FieldValue::Enum(name) => write!(out, "\"{name}\"").unwrap(),
        FieldValue::BitSet(set) if set.is_empty() => return false,
        FieldValue::BitSet(set) => {
            let members: Vec<_> = set.iter().filter(|member| *member > 0).map(|member| member.to_string()).collect();
            write!(out, "[{}]", members.join(",")).unwrap();
        }
        FieldValue::Location(Some(0)) => return false,
        FieldValue::Location(Some(location)) => write!(out, "{location}").unwrap(),
        FieldValue::Location(None) => out.push_str("-1"),
        FieldValue::Constant(value) => constant(value, out),
        _ => panic!("a kind of field that this test does not know"),
    }
    true
}

fn list(list: List<'_>, out: &mut String) {
    out.push('[');
    for (index, member) in list.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        match member {
            Some(node) => typed(node, out),
            None => out.push_str("{}"),
        }
    }
    out.push(']');
}

fn constant(value: Constant<'_>, out: &mut String) {
    let mut wrapped = |key: &str, value: &str| {
        write!(out, "\"{key}\":{{\"{key}\":").unwrap();
        text(value, out);
        out.push('}');
    };
    match value {
        Constant::Null => out.push_str("\"isnull\":true"),
        Constant::Integer(0) => out.push_str("\"ival\":{}"),
        Constant::Integer(value) => write!(out, "\"ival\":{{\"ival\":{value}}}").unwrap(),
        Constant::Boolean(false) => out.push_str("\"boolval\":{}"),
        Constant::Boolean(true) => out.push_str("\"boolval\":{\"boolval\":true}"),
        Constant::Float(value) => wrapped("fval", value),
        Constant::String(value) => wrapped("sval", value),
        Constant::BitString(value) => wrapped("bsval", value),
    }
}

/// Writes a string with libpg_query's escapes.
fn text(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '"' | '\\' => out.extend(['\\', c]),
            '<' | '>' | '\0'..'\u{20}' => write!(out, "\\u{:04x}", c as u32).unwrap(),
            c => out.push(c),
        }
    }
    out.push('"');
}
