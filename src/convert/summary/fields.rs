//! Visits the fields of nodes.

use super::Summarizer;
use super::object::Object;
use crate::convert::field_table::{FieldKind, fields_of};
use crate::convert::problem::Problem;
use crate::sys::{bindings as pg, cells};

impl Summarizer<'_> {
    /// Visits all fields of a node.
    ///
    /// # Safety
    /// `node` must be a valid node whose tag matches its type, and must not be a list.
    pub(super) unsafe fn fields(&mut self, node: *const pg::Node) {
        // SAFETY: the caller guarantees that the node and its children are valid. Each arm reads a
        // field as the kind that `row` gives it.
        unsafe {
            let tag = (*node).type_;
            let Some(row) = fields_of(tag) else { return self.problem = Some(Problem::UnknownNode(tag)) };
            // RawStmt only wraps a statement.
            if row.name.ends_with("Stmt") && row.name != "RawStmt" {
                self.statement_kind(row.name);
            }
            // RenameStmt has two object types. If the first is `Other`, the second one is used.
            let types = row.fields.iter().filter(|field| field.kind == FieldKind::ObjectType);
            let mut objects = types.map(|field| Object::of(*field.in_node::<pg::ObjectType>(node.cast_mut())));
            if let Some(first) = objects.next() {
                self.object = if first == Object::Other { objects.next().unwrap_or(first) } else { first };
            }
            for field in row.children {
                let child = *field.in_node::<*const pg::Node>(node.cast_mut());
                match (field.kind, field.key) {
                    (FieldKind::Node, "object") => self.object(child),
                    (FieldKind::List, "objects") => {
                        cells(child.cast()).iter().for_each(|cell| self.object(cell.ptr_value.cast()));
                    }
                    (FieldKind::List, _) => self.list(child.cast()),
                    _ => self.node(child),
                }
            }
        }
    }

    fn statement_kind(&mut self, name: &'static str) {
        if !self.summary.statement_kinds.contains(&name) {
            self.summary.statement_kinds.push(name);
        }
    }
}
