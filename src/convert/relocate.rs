//! Changes the locations of a C tree from offsets in the parsed SQL to offsets in the original SQL. The original SQL
//! contains placeholders, which were replaced with `$n` before parsing.

use std::collections::HashSet;

use super::arena::ArenaTree;
use super::nodes::nodes;
use super::problem::Problem;
use crate::convert::row;
use crate::sys::stack::{HasStackGuard, StackGuard, recurse};
use crate::sys::{ParseTree, bindings as pg, cells};

/// Maps every location of a tree with `place`, except -1 ("unknown") and 0 ("not set", if the SQL was padded). The new
/// length of a statement is the difference between its mapped end and its mapped start.
pub(crate) fn relocate(tree: &mut ParseTree, place: &dyn Fn(i32) -> i32) -> Result<(), Problem> {
    // SAFETY: the parser's own list of RawStmt; `tree` is borrowed exclusively.
    unsafe { relocate_list(tree.list_mut(), place) }
}

/// Maps every location of a tree in an arena; see [`relocate`].
pub(crate) fn relocate_owned(tree: &mut ArenaTree, place: &dyn Fn(i32) -> i32) -> Result<(), Problem> {
    // SAFETY: a list of RawStmt in the arena; `tree` is borrowed exclusively.
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
    /// The visited nodes. A tree may contain a node twice, as in `SET (a, b) = (…)`.
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
        // SAFETY: not NULL, therefore valid; the tag decides the cast.
        recurse(self, |walk| unsafe { walk.by_tag(node) });
    }

    /// # Safety
    /// `list` must be NULL or a valid list of node pointers.
    unsafe fn list(&mut self, list: *mut pg::List) {
        // SAFETY: the caller guarantees that the list and its members are valid.
        unsafe { cells(list).iter().for_each(|cell| self.node(cell.ptr_value.cast())) };
    }

    fn location(&self, location: &mut i32) {
        if *location > 0 {
            *location = (self.place)(*location);
        }
    }
}

/// A message of the table whose locations can be mapped.
trait LocationFields {
    type C;
    /// # Safety
    /// `c` must be a valid node of its type with valid children.
    unsafe fn visit(c: *mut Self::C, walk: &mut Relocate<'_>);
}

/// Maps the locations in a field. The macro has one arm per kind of field.
macro_rules! visit {
    (node, $walk:ident, $c:expr) => {
        $walk.node($c.cast())
    };
    (message, $walk:ident, $c:expr, $ty:ident) => {
        $walk.node($c.cast())
    };
    (list, $walk:ident, $c:expr) => {
        $walk.list($c)
    };
    (location, $walk:ident, $c:expr) => {
        $walk.location(&mut $c)
    };
    (embed, $walk:ident, $c:expr, $ty:ident) => {
        <row::$ty as LocationFields>::visit(&raw mut $c, $walk)
    };
    // Other kinds of fields have no location.
    ($plain:ident, $walk:ident, $c:expr $(, $ty:ident)?) => {};
}

macro_rules! walk {
    ($($tag:ident $c:ident $rust:ident $variant:ident $json:literal {
        $($kind:ident $field:ident $key:literal $cfield:ident $(: $ty:ident)?;)*
    })*) => {
        $(impl LocationFields for row::$rust {
            type C = pg::$c;
            unsafe fn visit(c: *mut pg::$c, walk: &mut Relocate<'_>) {
                let _ = (c, &walk); // some nodes have no fields
                // SAFETY: the caller guarantees that the node and its children are valid.
                #[allow(unused_unsafe)]
                unsafe { $(visit!($kind, walk, (*c).$cfield $(, $ty)?);)* }
            }
        })*

        impl Relocate<'_> {
            /// # Safety
            /// `node` must be a valid node whose tag matches its type.
            unsafe fn by_tag(&mut self, node: *mut pg::Node) {
                // SAFETY: the node is valid, and each arm casts to the struct that its tag names.
                unsafe {
                    match (*node).type_ {
                        $(pg::$tag => <row::$rust as LocationFields>::visit(node.cast(), self),)*
                        pg::T_A_Const => self.location(&mut (*node.cast::<pg::A_Const>()).location),
                        pg::T_List => self.list(node.cast()),
                        pg::T_Integer | pg::T_Float | pg::T_Boolean | pg::T_String | pg::T_BitString => {}
                        tag => self.problem = Some(Problem::UnknownNode(tag)),
                    }
                }
            }
        }
    };
}
nodes!(walk);
