//! Copies C trees into an arena.

use std::ffi::c_char;
use std::ptr::{null, null_mut};

use crate::convert::arena::{self, Arena, CNode, set_tag};
use crate::convert::nodes::nodes;
use crate::convert::problem::Problem;
use crate::convert::row;
use crate::sys::stack::{HasStackGuard, StackGuard, recurse};
use crate::sys::{TreeRef, bindings as pg, c_bytes, cells, members};

/// The locations of a copy.
#[derive(Debug, Clone, Copy)]
pub(super) enum Locations {
    /// The first N bytes of the SQL are removed, so N is subtracted from each location.
    Without(i32),
    /// All locations become negative (unknown), because the new tree has other SQL. Known locations become -1.
    /// Locations that were already unknown become less than -1, because the deparser compares locations to distinguish
    /// `point '…'` from a cast.
    NotSet,
}

pub(super) struct CopyWalk<'a> {
    arena: &'a Arena,
    locations: Locations,
    stack_guard: StackGuard,
    problem: Option<Problem>,
    level: usize,
    deepest: usize,
    /// The last copied expression of `SET (a, b) = …`, and its copy. The columns share the expression.
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

/// A C struct that can be copied. In C, some node types share a struct. `M` distinguishes them.
pub(super) trait CopyFields<M>: CNode<M> {
    /// # Safety
    /// `c` must be valid, with valid children; `out` must be zeroed and not shared.
    unsafe fn copy(c: *const Self, out: *mut Self, walk: &mut CopyWalk<'_>);
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

    /// Copies a struct whose type is known.
    ///
    /// # Safety
    /// `c` must be valid, with valid children.
    #[cfg_attr(debug_assertions, inline(never))] // keeps its frame out of the caller's frame
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) unsafe fn boxed<M, C: CopyFields<M>>(&mut self, c: *const C) -> *mut pg::Node {
        let out = arena::zeroed::<M, C>(self.arena);
        // SAFETY: fresh, zeroed memory; the caller guarantees the rest.
        unsafe { C::copy(c, out, self) };
        out.cast()
    }

    /// # Safety
    /// `c` must be NULL or a valid node with a correct tag.
    pub(super) unsafe fn node(&mut self, c: *const pg::Node) -> *mut pg::Node {
        if c.is_null() {
            return null_mut();
        }
        self.level += 1;
        self.deepest = self.deepest.max(self.level);
        // SAFETY: not NULL, therefore valid.
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
        // SAFETY: not NULL, therefore NUL-terminated.
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

    /// Copies a column of `SET (a, b) = …`. All columns share one copy of the expression, as in PostgreSQL's trees.
    ///
    /// # Safety
    /// `c` must be a valid MultiAssignRef.
    unsafe fn assignment(&mut self, c: *const pg::MultiAssignRef) -> *mut pg::Node {
        let out = arena::zeroed::<row::MultiAssignRef, pg::MultiAssignRef>(self.arena);
        // SAFETY: the node is valid, and its copy is fresh.
        unsafe {
            let source = (*c).source.cast_const();
            if self.assigned.0 != source {
                self.assigned = (source, self.node(source));
            }
            *out = pg::MultiAssignRef { source: self.assigned.1, ..*c };
        }
        out.cast()
    }

    fn location(&self, location: i32) -> i32 {
        match self.locations {
            Locations::NotSet if location >= 0 => -1,
            Locations::NotSet => location.saturating_sub(1),
            Locations::Without(padding) if location > 0 => location - padding,
            Locations::Without(_) => location,
        }
    }

    /// # Safety
    /// `c` must be a valid A_Const.
    unsafe fn constant(&mut self, c: *const pg::A_Const) -> *mut pg::Node {
        let out = arena::zeroed::<row::AConst, pg::A_Const>(self.arena);
        // SAFETY: the constant is valid, and the tag inside its union determines the active member; the copy is fresh.
        unsafe {
            (*out).type_ = pg::T_A_Const;
            (*out).location = self.location((*c).location);
            (*out).isnull = (*c).isnull;
            if !(*c).isnull {
                (*out).val = (*c).val;
                match (*c).val.node.type_ {
                    pg::T_Integer | pg::T_Boolean => {}
                    pg::T_Float => (*out).val.fval.fval = self.string((*c).val.fval.fval),
                    pg::T_String => (*out).val.sval.sval = self.string((*c).val.sval.sval),
                    pg::T_BitString => (*out).val.bsval.bsval = self.string((*c).val.bsval.bsval),
                    tag => _ = self.problem.get_or_insert(Problem::UnknownNode(tag)),
                }
            }
        }
        out.cast()
    }
}

macro_rules! value_nodes {
    ($($rust:ident $tag:ident |$c:ident, $out:ident, $walk:ident| $copy:expr;)*) => { $(
        impl CopyFields<row::$rust> for pg::$rust {
            unsafe fn copy($c: *const Self, $out: *mut Self, $walk: &mut CopyWalk<'_>) {
                let _ = &$walk;
                // SAFETY: the caller guarantees that `c` is valid and `out` is writable.
                unsafe {
                    $copy;
                    (*$out).type_ = pg::$tag;
                }
            }
        }
    )* };
}
value_nodes! {
    Integer T_Integer |c, out, walk| (*out).ival = (*c).ival;
    Float T_Float |c, out, walk| (*out).fval = walk.string((*c).fval);
    Boolean T_Boolean |c, out, walk| (*out).boolval = (*c).boolval;
    String T_String |c, out, walk| (*out).sval = walk.string((*c).sval);
    BitString T_BitString |c, out, walk| (*out).bsval = walk.string((*c).bsval);
}

macro_rules! copy_field {
    (absent, $walk:ident, $c:expr, $out:expr) => {};
    (node, $walk:ident, $c:expr, $out:expr) => {
        $out = $walk.node($c.cast_const().cast()).cast()
    };
    (message, $walk:ident, $c:expr, $out:expr, $ty:ident) => {
        $out = $walk.node($c.cast_const().cast()).cast()
    };
    (embed, $walk:ident, $c:expr, $out:expr, $ty:ident) => {
        CopyFields::<row::$ty>::copy(&raw const $c, &raw mut $out, $walk)
    };
    (list, $walk:ident, $c:expr, $out:expr) => {
        $out = $walk.list($c)
    };
    (string, $walk:ident, $c:expr, $out:expr) => {
        $out = $walk.string($c)
    };
    (bitmapset, $walk:ident, $c:expr, $out:expr) => {
        $out = $walk.bitmapset($c)
    };
    (location, $walk:ident, $c:expr, $out:expr) => {
        $out = $walk.location($c)
    };
    ($plain:ident, $walk:ident, $c:expr, $out:expr $(, $ty:ident)?) => {
        $out = $c
    };
}

macro_rules! walk {
    ($($tag:ident $c:ident $rust:ident $variant:ident $json:literal {
        $($kind:ident $field:ident $key:literal $cfield:ident $(: $ty:ident)?;)*
    })*) => {
        $(impl CopyFields<row::$rust> for pg::$c {
            #[inline(never)] // keeps the frames of a deep walk small
            unsafe fn copy(c: *const Self, out: *mut Self, walk: &mut CopyWalk<'_>) {
                let _ = (c, &walk);
                // SAFETY: the caller guarantees that `c` is valid and `out` is writable. The tag is written last, so
                // that it replaces the tag of an embedded first node.
                unsafe {
                    $(copy_field!($kind, walk, (*c).$cfield, (*out).$cfield $(, $ty)?);)*
                    set_tag::<row::$rust, Self>(&mut *out, pg::$tag);
                }
            }
        })*

        impl CopyWalk<'_> {
            /// # Safety
            /// `c` must be a valid node with a correct tag.
            unsafe fn by_tag(&mut self, c: *const pg::Node) -> *mut pg::Node {
                // SAFETY: each arm casts to the struct that the tag names.
                unsafe {
                    match (*c).type_ {
                        pg::T_MultiAssignRef if !(*c.cast::<pg::MultiAssignRef>()).source.is_null() => self.assignment(c.cast()),
                        $(pg::$tag => self.boxed::<row::$rust, pg::$c>(c.cast()),)*
                        pg::T_A_Const => self.constant(c.cast()),
                        pg::T_Integer => self.boxed::<row::Integer, pg::Integer>(c.cast()),
                        pg::T_Float => self.boxed::<row::Float, pg::Float>(c.cast()),
                        pg::T_Boolean => self.boxed::<row::Boolean, pg::Boolean>(c.cast()),
                        pg::T_String => self.boxed::<row::String, pg::String>(c.cast()),
                        pg::T_BitString => self.boxed::<row::BitString, pg::BitString>(c.cast()),
                        pg::T_List => self.list(c.cast()).cast(),
                        tag => {
                            self.problem.get_or_insert(Problem::UnknownNode(tag));
                            null_mut()
                        }
                    }
                }
            }
        }
    };
}
nodes!(walk);
