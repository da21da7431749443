//! Converts Python objects to C trees: writes the objects as JSON, and then reads this JSON. The JSON has
//! libpg_query's form, except that it includes empty strings. The reader checks keys, types and enums.

use std::fmt::Write;

use pgq::{JsonTree, Tree};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

use super::classes::{Class, Classes, Field};
use crate::errors;

const RED_ZONE: usize = 64 << 10;
const MORE_STACK: usize = 4 << 20;

/// Returns the tree of statements: nodes with or without a `RawStmt` around them.
pub fn tree_of<'py>(statements: impl IntoIterator<Item = Bound<'py, PyAny>>, py: Python<'py>) -> PyResult<Tree> {
    let json = document(statements, py)?;
    let read = py.detach(|| JsonTree::read(&json).map(JsonTree::into_tree));
    read.map_err(|error| errors::to_exception(py, &error))
}

/// Returns the statements' tree as JSON.
fn document<'py>(statements: impl IntoIterator<Item = Bound<'py, PyAny>>, py: Python<'py>) -> PyResult<String> {
    let mut writer =
        Writer { classes: Classes::get(py)?, out: String::from("{\"version\":0,\"stmts\":["), path: Vec::new() };
    for (index, statement) in statements.into_iter().enumerate() {
        if index > 0 {
            writer.out.push(',');
        }
        let class = writer.class_of(&statement)?;
        if class.name == "RawStmt" {
            writer.body(class, &statement)?;
        } else {
            writer.out.push_str("{\"stmt\":");
            writer.node(&statement)?;
            writer.out.push('}');
        }
    }
    writer.out.push_str("]}");
    Ok(writer.out)
}

struct Writer<'py> {
    classes: &'py Classes,
    out: String,
    /// Path of fields to the current value, for messages.
    path: Vec<String>,
}

impl<'py> Writer<'py> {
    fn class_of(&self, object: &Bound<'py, PyAny>) -> PyResult<&'py Class> {
        self.classes.of(object).ok_or_else(|| self.wrong(object, "a node"))
    }

    fn wrong(&self, object: &Bound<'py, PyAny>, expected: &str) -> PyErr {
        let found = object.get_type().name().map_or_else(|_| String::new(), |name| name.to_string());
        let place = if self.path.is_empty() { "statement".to_string() } else { self.path.join(".") };
        PyTypeError::new_err(format!("{place}: expected {expected}, got {found}"))
    }

    /// Writes a node with its type.
    fn node(&mut self, object: &Bound<'py, PyAny>) -> PyResult<()> {
        let class = self.class_of(object)?;
        let _ = write!(self.out, "{{\"{}\":", class.name);
        self.body(class, object)?;
        self.out.push('}');
        Ok(())
    }

    /// Writes the fields of a node.
    fn body(&mut self, class: &'py Class, object: &Bound<'py, PyAny>) -> PyResult<()> {
        stacker::maybe_grow(RED_ZONE, MORE_STACK, || {
            let state = object.getattr("__dict__")?.cast_into::<PyDict>()?;
            self.out.push('{');
            let start = self.out.len();
            for field in &class.fields {
                let value = state.get_item(&field.attribute)?;
                // An unset location is -1. Write it, because a missing location in the JSON is 0.
                let value = match value {
                    None if field.kind == b'p' => PyInt::new(object.py(), -1).into_any(),
                    None if field.kind == b'e' => field.default.bind(object.py()).clone(),
                    None if field.kind == b'k' => object.py().None().into_bound(object.py()),
                    None => continue,
                    Some(value) => value,
                };
                if value.is_none() && field.kind != b'k' {
                    continue;
                }
                if self.out.len() > start {
                    self.out.push(',');
                }
                self.path.push(if self.path.is_empty() {
                    format!("{}.{}", class.name, field.key)
                } else {
                    field.key.clone()
                });
                if field.kind != b'k' {
                    let _ = write!(self.out, "\"{}\":", field.key);
                }
                self.value(field, &value)?;
                self.path.pop();
            }
            self.out.push('}');
            Ok(())
        })
    }

    fn value(&mut self, field: &Field, value: &Bound<'py, PyAny>) -> PyResult<()> {
        match field.kind {
            b'n' => self.node(value),
            b't' => {
                let class = self.class_of(value)?;
                match &field.class {
                    Some(name) if name != class.name => Err(self.wrong(value, name)),
                    _ => self.body(class, value),
                }
            }
            b'l' => self.list(value),
            b's' | b'c' | b'e' => match value.cast::<PyString>() {
                Ok(text) => self.text(text.to_str()?),
                Err(_) => Err(self.wrong(value, "str")),
            },
            b'b' => match value.cast::<PyBool>() {
                Ok(flag) => self.display(flag.is_true()),
                Err(_) => Err(self.wrong(value, "bool")),
            },
            b'f' => match value.cast::<PyFloat>() {
                Ok(number) => self.display(number.value()),
                Err(_) => Err(self.wrong(value, "float")),
            },
            b'm' => self.numbers(value),
            b'k' => self.constant(value),
            _ => match value.cast::<PyInt>() {
                Ok(number) if !value.is_instance_of::<PyBool>() => self.display(number),
                _ => Err(self.wrong(value, "int")),
            },
        }
    }

    fn display(&mut self, value: impl std::fmt::Display) -> PyResult<()> {
        let _ = write!(self.out, "{value}");
        Ok(())
    }

    fn members(&self, value: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        if let Ok(list) = value.cast::<PyList>() {
            Ok(list.iter().collect())
        } else if let Ok(tuple) = value.cast::<PyTuple>() {
            Ok(tuple.iter().collect())
        } else {
            Err(self.wrong(value, "list"))
        }
    }

    fn list(&mut self, value: &Bound<'py, PyAny>) -> PyResult<()> {
        self.out.push('[');
        for (index, member) in self.members(value)?.into_iter().enumerate() {
            if index > 0 {
                self.out.push(',');
            }
            if member.is_none() {
                self.out.push_str("{}");
            } else {
                self.path.push(index.to_string());
                self.node(&member)?;
                self.path.pop();
            }
        }
        self.out.push(']');
        Ok(())
    }

    fn numbers(&mut self, value: &Bound<'py, PyAny>) -> PyResult<()> {
        let numbers: Vec<u64> = self.members(value)?.iter().map(|member| member.extract()).collect::<PyResult<_>>()?;
        let words: Vec<String> = numbers.iter().map(u64::to_string).collect();
        let _ = write!(self.out, "[{}]", words.join(","));
        Ok(())
    }

    /// Writes the value of an `A_Const`, with the key that determines the value's type.
    fn constant(&mut self, value: &Bound<'py, PyAny>) -> PyResult<()> {
        if value.is_none() {
            self.out.push_str("\"isnull\":true");
            return Ok(());
        }
        let class = self.class_of(value)?;
        let key = match class.name {
            "Integer" => "ival",
            "Float" => "fval",
            "Boolean" => "boolval",
            "String" => "sval",
            "BitString" => "bsval",
            _ => return Err(self.wrong(value, "Integer, Float, Boolean, String or BitString")),
        };
        let _ = write!(self.out, "\"{key}\":");
        self.body(class, value)
    }

    fn text(&mut self, text: &str) -> PyResult<()> {
        self.out.push('"');
        for character in text.chars() {
            match character {
                '"' => self.out.push_str("\\\""),
                '\\' => self.out.push_str("\\\\"),
                control if control < ' ' => {
                    let _ = write!(self.out, "\\u{:04x}", control as u32);
                }
                other => self.out.push(other),
            }
        }
        self.out.push('"');
        Ok(())
    }
}
