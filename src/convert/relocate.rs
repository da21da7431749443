//! Changes the locations of a C tree from offsets in the parsed SQL to offsets in the original SQL. The original SQL
//! contains placeholders, which were replaced with `$n` before parsing.

use std::collections::HashSet;

use super::arena::ArenaTree;
use super::field_table::{FieldKind, fields_of};
use super::problem::Problem;
use crate::sys::stack::{HasStackGuard, StackGuard, recurse};
use crate::sys::{ParseTree, bindings as pg, cells};

/// Replaces every positive location of a tree with the result of `place`. Keeps -1, which means "unknown", and 0. With
/// spaces before the SQL in the parser's input (padding), 0 means "not set". Without them, 0 is the start of the SQL,
/// which does not move. Computes the new length of each statement from its new start and its new end.
pub(crate) fn relocate(tree: &mut ParseTree, place: &dyn Fn(i32) -> i32) -> Result<(), Problem> {
    // SAFETY: the list is the parser's list of RawStmt, and `tree` is borrowed exclusively.
    unsafe { relocate_list(tree.list_mut(), place) }
}

/// Maps every location of a tree in an arena; see [`relocate`].
pub(crate) fn relocate_owned(tree: &mut ArenaTree, place: &dyn Fn(i32) -> i32) -> Result<(), Problem> {
    // SAFETY: the list is a list of RawStmt in the arena, and `tree` is borrowed exclusively.
    unsafe { relocate_list(tree.list_mut(), place) }
}

/// # Safety
/// `list` must be NULL or a valid list of RawStmt without other references.
pub(super) unsafe fn relocate_list(list: *mut pg::List, place: &dyn Fn(i32) -> i32) -> Result<(), Problem> {
    let mut walk = Relocate { place, visited: HashSet::new(), stack_guard: StackGuard::new(), problem: None };
    // SAFETY: the caller meets this function's requirements.
    unsafe {
        for cell in cells(list) {
            let stmt = &mut *cell.ptr_value.cast::<pg::RawStmt>();
            let (start, len) = (stmt.stmt_location.max(0), stmt.stmt_len);
            if len > 0 {
                stmt.stmt_len = place(start + len) - place(start);
            }
        }
        walk.list(list);
    }
    if walk.stack_guard.take_exceeded() {
        return Err(Problem::TooDeep);
    }
    walk.problem.map_or(Ok(()), Err)
}

struct Relocate<'a> {
    place: &'a dyn Fn(i32) -> i32,
    /// Addresses of the visited nodes. A tree may contain a node twice, as in `SET (a, b) = (…)`,
    /// but the node's location must be mapped only once.
    visited: HashSet<usize>,
    stack_guard: StackGuard,
    problem: Option<Problem>,
}

impl HasStackGuard for Relocate<'_> {
    fn stack_guard(&mut self) -> &mut StackGuard {
        &mut self.stack_guard
    }
}

impl Relocate<'_> {
    /// # Safety
    /// `node` must be NULL or a valid node whose tag matches its type.
    unsafe fn node(&mut self, node: *mut pg::Node) {
        if node.is_null() || !self.visited.insert(node as usize) {
            return;
        }
        // SAFETY: the caller guarantees that `node` is valid if it is not NULL. The tag decides the cast.
        recurse(self, |walk| unsafe { walk.by_tag(node) });
    }

    /// # Safety
    /// `list` must be NULL or a valid list of node pointers.
    unsafe fn list(&mut self, list: *mut pg::List) {
        // SAFETY: the caller guarantees that the list and its members are valid.
        unsafe { cells(list).iter().for_each(|cell| self.node(cell.ptr_value.cast())) };
    }

    /// # Safety
    /// `node` must be a valid node whose tag matches its type.
    unsafe fn by_tag(&mut self, node: *mut pg::Node) {
        // SAFETY: `row` lists the fields of the node's type. Each arm reads a field as the kind that `row` gives it.
        unsafe {
            let tag = (*node).type_;
            if tag == pg::T_List {
                return self.list(node.cast());
            }
            let Some(row) = fields_of(tag) else { return self.problem = Some(Problem::UnknownNode(tag)) };
            for field in row.fields {
                match field.kind {
                    FieldKind::Node | FieldKind::Typed => self.node(*field.in_node(node)),
                    FieldKind::List => self.list(*field.in_node(node)),
                    FieldKind::Location => {
                        let location: *mut i32 = field.in_node(node);
                        if *location > 0 {
                            *location = (self.place)(*location);
                        }
                    }
                    FieldKind::String | FieldKind::BitSet | FieldKind::ObjectType => {}
                }
            }
        }
    }
}
