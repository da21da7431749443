//! C tree -> the same tree with its locations moved to where they were in another text, from
//! which the parsed one was made. It changes locations and nothing else.

use std::collections::HashSet;

use super::{Problem, cells, nodes};
use crate::protobuf;
use crate::sys::bindings as pg;
use crate::sys::stack::{Depth, Walk, deeper};

/// Moves every location of a tree: `place` gives the new one. -1 is "unknown" and 0 "not set"
/// (where the text was padded): both stay.
///
/// # Safety
/// `list` must be NULL or a list as the parser made it, which nobody else refers to.
pub(crate) unsafe fn relocate(list: *mut pg::List, place: &dyn Fn(i32) -> i32) -> Result<(), Problem> {
    let mut walk = Relocate { place, visited: HashSet::new(), depth: Depth::new(), problem: None };
    // SAFETY: the caller vouches for the list.
    unsafe { walk.list(list) };
    if walk.depth.take_exceeded() {
        return Err(Problem::TooDeep);
    }
    walk.problem.map_or(Ok(()), Err)
}

/// The walk's state.
struct Relocate<'a> {
    place: &'a dyn Fn(i32) -> i32,
    /// Nodes that were moved: a tree may hold one twice (`SET (a, b) = (…)`).
    visited: HashSet<usize>,
    depth: Depth,
    problem: Option<Problem>,
}

impl Walk for Relocate<'_> {
    fn depth(&mut self) -> &mut Depth {
        &mut self.depth
    }
}

impl Relocate<'_> {
    /// # Safety
    /// `node` must be NULL or a valid node whose tag says its type.
    unsafe fn node(&mut self, node: *mut pg::Node) {
        if node.is_null() || !self.visited.insert(node as usize) {
            return;
        }
        // SAFETY: not NULL, so valid; the tag decides the cast.
        deeper(self, |walk| unsafe { walk.by_tag(node) });
    }

    /// # Safety
    /// `list` must be NULL or a valid list of node pointers.
    unsafe fn list(&mut self, list: *mut pg::List) {
        // SAFETY: the caller vouches for the list and its members.
        unsafe { cells(list).iter().for_each(|cell| self.node(cell.ptr_value.cast())) };
    }

    fn location(&self, location: &mut i32) {
        if *location > 0 {
            *location = (self.place)(*location);
        }
    }
}

/// A message of the table, and the C struct that it is.
trait Fields {
    type C;
    /// # Safety
    /// `c` must be a valid node of its type with valid children.
    unsafe fn visit(c: *mut Self::C, walk: &mut Relocate<'_>);
}

/// What to do for each kind of field.
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
        <protobuf::$ty as Fields>::visit(&raw mut $c, $walk)
    };
    // No location, and no way to one.
    ($plain:ident, $walk:ident, $c:expr $(, $ty:ident)?) => {};
}

macro_rules! walk {
    ($($tag:ident $c:ident $rust:ident $variant:ident $json:literal {
        $($kind:ident $field:ident $key:literal $cfield:ident $(: $ty:ident)?;)*
    })*) => {
        $(impl Fields for protobuf::$rust {
            type C = pg::$c;
            unsafe fn visit(c: *mut pg::$c, walk: &mut Relocate<'_>) {
                let _ = (c, &walk); // some nodes have no fields
                // SAFETY: the node is valid, says the caller, and so are its children.
                #[allow(unused_unsafe)]
                unsafe { $(visit!($kind, walk, (*c).$cfield $(, $ty)?);)* }
            }
        })*

        impl Relocate<'_> {
            /// # Safety
            /// `node` must be a valid node whose tag says its type.
            unsafe fn by_tag(&mut self, node: *mut pg::Node) {
                // SAFETY: the node is valid and its tag names the struct of each arm.
                unsafe {
                    match (*node).type_ {
                        $(pg::$tag => <protobuf::$rust as Fields>::visit(node.cast(), self),)*
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
