//! Copies C trees into an arena.

use std::ffi::c_char;
use std::ptr::{null, null_mut};

use crate::convert::arena::{self, Arena};
use crate::convert::field_table::{FieldKind, NodeFields, fields_of};
use crate::convert::problem::Problem;
use crate::sys::stack::{HasStackGuard, StackGuard, recurse};
use crate::sys::{TreeRef, bindings as pg, c_bytes, cells, members};

/// How to set the locations of a copy.
#[derive(Debug, Clone, Copy)]
pub(super) enum Locations {
    /// The first N bytes of the SQL are removed, so N is subtracted from each location.
    Without(i32),
    /// All locations become negative (unknown), because the new tree has different SQL. The deparser compares
    /// locations: it writes `point '…'` instead of `'…'::point` if the location of the type is smaller than the
    /// location of the constant. To keep unknown locations smaller than known ones, known locations become -1, and -1
    /// becomes -2.
    NotSet,
}

pub(super) struct CopyWalk<'a> {
    arena: &'a Arena,
    locations: Locations,
    stack_guard: StackGuard,
    problem: Option<Problem>,
    level: usize,
    deepest: usize,
    /// The last copied expression of `SET (a, b) = …`, and its copy. The nodes of the columns `a` and `b` share the
    /// expression.
    assigned: (*const pg::Node, *mut pg::Node),
}

impl HasStackGuard for CopyWalk<'_> {
    #[inline(always)]
    fn stack_guard(&mut self) -> &mut StackGuard {
        &mut self.stack_guard
    }
}

/// Copies the list of statements into `arena`. Returns the copy and its depth in nodes.
pub(crate) fn copy_tree(tree: TreeRef<'_>, padding: usize, arena: &Arena) -> Result<(*const pg::List, usize), Problem> {
    let mut walk = CopyWalk::new(arena, Locations::Without(padding as i32));
    // SAFETY: a TreeRef is NULL or a valid list of nodes.
    let list = unsafe { walk.list(tree.as_ptr()) };
    walk.finish().map(|levels| (list.cast_const(), levels))
}

impl<'a> CopyWalk<'a> {
    pub(super) fn new(arena: &'a Arena, locations: Locations) -> Self {
        let stack_guard = StackGuard::new();
        let assigned = (null(), null_mut());
        Self { arena, locations, stack_guard, problem: None, level: 0, deepest: 0, assigned }
    }

    /// Returns the depth of the copy in nodes.
    pub(super) fn finish(mut self) -> Result<usize, Problem> {
        if self.stack_guard.take_exceeded() {
            return Err(Problem::TooDeep);
        }
        self.problem.map_or(Ok(self.deepest), Err)
    }

    /// # Safety
    /// `c` must be NULL or a valid node with a correct tag.
    pub(super) unsafe fn node(&mut self, c: *const pg::Node) -> *mut pg::Node {
        if c.is_null() {
            return null_mut();
        }
        self.level += 1;
        self.deepest = self.deepest.max(self.level);
        // SAFETY: the caller guarantees that `c` is valid if it is not NULL.
        let copy = recurse(self, |walk| unsafe { walk.by_tag(c) }).unwrap_or(null_mut());
        self.level -= 1;
        copy
    }

    /// # Safety
    /// `list` must be NULL or a valid list of node pointers.
    pub(super) unsafe fn list(&mut self, list: *const pg::List) -> *mut pg::List {
        let arena = self.arena;
        // SAFETY: the caller guarantees that the list and its members are valid. The list is outside of the part of the
        // arena that is being written.
        let items = unsafe { cells(list) };
        // SAFETY: as above.
        let copy = arena::list(arena, items.len(), |i| unsafe { self.node(items[i].ptr_value.cast_const().cast()) });
        copy.expect("a list of a tree is not too long for one")
    }

    /// # Safety
    /// `c` must be NULL or a NUL-terminated string.
    unsafe fn string(&mut self, c: *const c_char) -> *mut c_char {
        if c.is_null() {
            return null_mut();
        }
        // SAFETY: the caller guarantees that `c` is a NUL-terminated string if it is not NULL.
        let bytes = unsafe { c_bytes(c) };
        arena::bytes(self.arena, bytes)
    }

    /// # Safety
    /// `set` must be NULL or a valid Bitmapset.
    unsafe fn bitmapset(&mut self, set: *const pg::Bitmapset) -> *mut pg::Bitmapset {
        // SAFETY: the caller meets this function's requirements.
        let members: Vec<u64> = unsafe { members(set) }.collect();
        arena::bitmapset(self.arena, &members).expect("a set of a tree has members in range")
    }

    /// # Safety
    /// `c` must be a valid node with a correct tag.
    unsafe fn by_tag(&mut self, c: *const pg::Node) -> *mut pg::Node {
        // SAFETY: the tag names the node's type.
        unsafe {
            match (*c).type_ {
                pg::T_List => self.list(c.cast()).cast(),
                tag => match fields_of(tag) {
                    Some(row) => self.row(c, row),
                    None => {
                        self.problem.get_or_insert(Problem::UnknownNode(tag));
                        null_mut()
                    }
                },
            }
        }
    }

    /// Copies a node that is not a list. `row` is the node's type. The tag does not suffice, because an embedded struct
    /// has the tag of its containing node.
    ///
    /// # Safety
    /// `c` must be a valid node of the type `row`, with valid children.
    pub(super) unsafe fn row(&mut self, c: *const pg::Node, row: &NodeFields) -> *mut pg::Node {
        let out = arena::bytes_for_node(self.arena, row.size);
        // SAFETY: both nodes have the size of the type. Each arm reads and writes a field as the kind that `row` gives
        // it. The copy contains no pointer into the other tree: the loop below replaces the pointers of all known
        // fields, and the words of the struct that contain no known field are set to 0.
        unsafe {
            out.cast::<u8>().copy_from_nonoverlapping(c.cast(), row.size);
            (*out).type_ = row.tag;
            for offset in row.other_offsets() {
                out.byte_add(offset).cast::<usize>().write(0);
            }
            for field in row.fields {
                let is_pointer = !matches!(field.kind, FieldKind::Location | FieldKind::ObjectType);
                if is_pointer && (*field.in_node::<*mut u8>(out)).is_null() {
                    continue; // most fields
                }
                match field.kind {
                    FieldKind::Node | FieldKind::Typed => {
                        let child: *mut *mut pg::Node = field.in_node(out);
                        *child = if row.tag == pg::T_MultiAssignRef { self.source(*child) } else { self.node(*child) };
                    }
                    FieldKind::List => {
                        let list: *mut *mut pg::List = field.in_node(out);
                        *list = self.list(*list);
                    }
                    FieldKind::String => {
                        let string: *mut *mut c_char = field.in_node(out);
                        *string = self.string(*string);
                    }
                    FieldKind::BitSet => {
                        let set: *mut *mut pg::Bitmapset = field.in_node(out);
                        *set = self.bitmapset(*set);
                    }
                    FieldKind::Location => {
                        let location: *mut i32 = field.in_node(out);
                        *location = self.location(*location);
                    }
                    FieldKind::ObjectType => {}
                }
            }
            if row.tag == pg::T_A_Const {
                self.constant(out.cast());
            }
        }
        out
    }

    /// Copies the expression of a column of `SET (a, b) = …`. All columns share one copy, as in PostgreSQL's trees.
    ///
    /// # Safety
    /// `source` must be NULL or a valid node.
    unsafe fn source(&mut self, source: *const pg::Node) -> *mut pg::Node {
        if self.assigned.0 != source {
            // SAFETY: the caller meets this function's requirements.
            self.assigned = (source, unsafe { self.node(source) });
        }
        self.assigned.1
    }

    fn location(&self, location: i32) -> i32 {
        match self.locations {
            Locations::NotSet if location >= 0 => -1,
            Locations::NotSet => location.saturating_sub(1),
            Locations::Without(padding) if location > 0 => location - padding,
            Locations::Without(_) => location,
        }
    }

    /// Copies the string of a constant.
    ///
    /// # Safety
    /// `out` must be a copy of a valid A_Const.
    unsafe fn constant(&mut self, out: *mut pg::A_Const) {
        // SAFETY: the tag inside the union determines the active member.
        unsafe {
            let val = &raw mut (*out).val;
            if (*out).isnull {
                return val.write_bytes(0, 1);
            }
            match (*val).node.type_ {
                pg::T_Integer | pg::T_Boolean => {}
                pg::T_Float => (*val).fval.fval = self.string((*val).fval.fval),
                pg::T_String => (*val).sval.sval = self.string((*val).sval.sval),
                pg::T_BitString => (*val).bsval.bsval = self.string((*val).bsval.bsval),
                tag => _ = self.problem.get_or_insert(Problem::UnknownNode(tag)),
            }
        }
    }
}
