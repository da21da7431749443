//! `Debug` for views, which are typed references to the nodes of a tree. Shows nodes with their fields, as in JSON.
//! Omits fields that are absent, zero or false. `{:#?}` indents the output.

use std::fmt::{self, Debug, Formatter};

use super::{Statement, Tree};
use crate::convert::edit::EditTree;
use crate::convert::view::{Field, FieldValue, List, Node, Visit};
use crate::sys::stack::{HasStackGuard, StackGuard, recurse};

struct Printer<'f, 'b> {
    out: &'f mut Formatter<'b>,
    level: usize,
    result: fmt::Result,
    stack_guard: StackGuard,
}

impl HasStackGuard for Printer<'_, '_> {
    fn stack_guard(&mut self) -> &mut StackGuard {
        &mut self.stack_guard
    }
}

impl Printer<'_, '_> {
    fn put(&mut self, text: &dyn Debug) {
        self.raw(format_args!("{text:?}"));
    }

    fn raw(&mut self, text: fmt::Arguments<'_>) {
        self.result = self.result.and_then(|()| self.out.write_fmt(text));
    }

    /// Writes the separator before an item: `opening` before the first item, a comma before every other item. Starts a
    /// new line if the output is indented.
    fn separate(&mut self, first: bool, opening: &str) {
        match (self.out.alternate(), first) {
            (true, _) => {
                let indent = self.level * 4;
                let comma = if first { "" } else { "," };
                self.raw(format_args!("{comma}\n{:indent$}", ""));
            }
            (false, true) => self.raw(format_args!("{opening}")),
            (false, false) => self.raw(format_args!(", ")),
        }
    }

    fn close(&mut self, empty: bool, closing: &str) {
        if self.out.alternate() && !empty {
            let indent = self.level * 4;
            self.raw(format_args!(",\n{:indent$}", ""));
        }
        self.raw(format_args!("{closing}"));
    }

    fn node(&mut self, node: Node<'_>) {
        match node {
            Node::List(list) => self.list(list),
            Node::Integer(value) => self.put(&value.ival()),
            Node::Boolean(value) => self.put(&value.boolval()),
            Node::String(value) => self.put(&value.sval()),
            Node::Float(value) => self.raw(format_args!("{}", value.fval())),
            Node::BitString(value) => self.put(&value.bsval()),
            node => self.fields(node),
        }
    }

    fn fields(&mut self, node: Node<'_>) {
        self.raw(format_args!("{} {{", node.name()));
        self.level += 1;
        let mut first = true;
        let finished = recurse(self, |printer| {
            node.for_each_field(|field| {
                if is_set(field.value) {
                    printer.separate(first, " ");
                    first = false;
                    printer.field(field);
                }
            });
        });
        if finished.is_none() {
            self.raw(format_args!(" … deeper than the stack limit"));
        }
        self.level -= 1;
        let space = if first || self.out.alternate() { "" } else { " " };
        self.close(first, &format!("{space}}}"));
    }

    fn list(&mut self, list: List<'_>) {
        self.raw(format_args!("["));
        self.level += 1;
        for (index, member) in list.iter().enumerate() {
            self.separate(index == 0, "");
            match member {
                Some(node) => self.node(node),
                None => self.raw(format_args!("None")),
            }
        }
        self.level -= 1;
        self.close(list.is_empty(), "]");
    }

    fn field(&mut self, field: Field<'_>) {
        self.raw(format_args!("{}: ", field.name));
        match field.value {
            FieldValue::Node(Some(node)) | FieldValue::Typed(Some(node)) | FieldValue::Embedded(node) => {
                self.node(node)
            }
            FieldValue::List(list) => self.list(list),
            FieldValue::Text(Some(text)) => self.put(&text),
            FieldValue::Char(Some(letter)) => self.put(&letter),
            FieldValue::Bool(value) => self.put(&value),
            FieldValue::Int(value) => self.put(&value),
            FieldValue::Uint64(value) => self.put(&value),
            FieldValue::Float(value) => self.put(&value),
            FieldValue::Enum(name) => self.raw(format_args!("{name}")),
            FieldValue::BitSet(set) => self.put(&set.iter().collect::<Vec<_>>()),
            FieldValue::Location(Some(location)) => self.put(&location),
            FieldValue::Constant(value) => self.put(&value),
            FieldValue::Node(None)
            | FieldValue::Typed(None)
            | FieldValue::Text(None)
            | FieldValue::Char(None)
            | FieldValue::Location(None) => self.raw(format_args!("None")),
        }
    }
}

/// Returns whether the lossless JSON contains the field.
fn is_set(value: FieldValue<'_>) -> bool {
    match value {
        FieldValue::Node(node) | FieldValue::Typed(node) => node.is_some(),
        FieldValue::List(list) => !list.is_empty(),
        FieldValue::Text(text) => text.is_some(),
        FieldValue::Char(letter) => letter.is_some(),
        FieldValue::Bool(value) => value,
        FieldValue::Int(value) => value != 0,
        FieldValue::Uint64(value) => value != 0,
        FieldValue::BitSet(set) => !set.is_empty(),
        FieldValue::Location(location) => location.is_some_and(|location| location > 0),
        FieldValue::Embedded(_) | FieldValue::Float(_) | FieldValue::Enum(_) | FieldValue::Constant(_) => true,
    }
}

fn print(f: &mut Formatter<'_>, write: impl FnOnce(&mut Printer<'_, '_>)) -> fmt::Result {
    let mut printer = Printer { out: f, level: 0, result: Ok(()), stack_guard: StackGuard::new() };
    write(&mut printer);
    printer.result
}

impl Debug for Node<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        print(f, |printer| printer.node(*self))
    }
}

impl Debug for List<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        print(f, |printer| printer.list(*self))
    }
}

impl Debug for Statement<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.node().fmt(f)
    }
}

/// Shows the statements.
impl Debug for Tree {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.nodes()).finish()
    }
}

/// Shows the statements.
impl Debug for EditTree {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.statements()).finish()
    }
}

/// Shows the node and its position, without its ancestors.
impl Debug for Visit<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { node, depth, field, index, .. } = self;
        let visit = &mut f.debug_struct("Visit");
        visit.field("depth", depth).field("field", field).field("index", index).field("node", node).finish()
    }
}
