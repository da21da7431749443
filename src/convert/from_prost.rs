//! prost structs -> C tree, in an arena, for every node of the table.
//!
//! Nodes are written once, read once by the deparser and dropped together: there is no
//! allocation per string and no call to C per node. What comes out is what libpg_query's
//! own Protobuf reader would have built: an empty plain string is NULL, an empty value
//! node's string is empty, lists keep their NULL members.

use bumpalo::Bump;
use std::ffi::c_char;
use std::ptr::null_mut;

use super::arena::{self, ArenaTree, CNode, set_tag};
use super::enums::{TreeEnum, kinds};
use super::nodes::nodes;
use super::problem::Problem;
use crate::proto::{self, Node, a_const, node};
use crate::sys::bindings as pg;
use crate::sys::stack::{HasStackGuard, StackGuard, recurse};

/// Builds the C form of each statement.
pub(crate) fn from_prost(stmts: &[proto::RawStmt]) -> Result<ArenaTree, Problem> {
    let build = |arena: &Bump| {
        let mut walk = FromProst { arena, stack_guard: StackGuard::new(), problem: None, level: 0, deepest: 0 };
        let list = arena::list(arena, stmts.len(), |i| walk.message(&stmts[i]).cast());
        if walk.stack_guard.take_exceeded() {
            walk.problem = Some(Problem::TooDeep);
        }
        match (walk.problem, list) {
            (None, Some(list)) => Ok((list.cast_const(), walk.deepest as usize)),
            (Some(problem), _) => Err(problem),
            (None, None) => Err(Problem::OutOfRange { field: "stmts" }),
        }
    };
    // SAFETY: the walk makes every node in the arena, zeroed and then filled, with the tag
    // of its struct; the pointers in them are NULL or to others that it made.
    unsafe { ArenaTree::build(build) }
}

/// How prost holds a message field: boxed where types are recursive, plain elsewhere.
pub(super) trait MessageSlot<T> {
    fn get(&self) -> Option<&T>;
}

impl<T> MessageSlot<T> for Option<Box<T>> {
    #[inline(always)]
    fn get(&self) -> Option<&T> {
        self.as_deref()
    }
}

impl<T> MessageSlot<T> for Option<T> {
    #[inline(always)]
    fn get(&self) -> Option<&T> {
        self.as_ref()
    }
}

/// The walk's state.
struct FromProst<'a> {
    arena: &'a Bump,
    stack_guard: StackGuard,
    problem: Option<Problem>,
    level: u32,
    deepest: u32,
}

impl HasStackGuard for FromProst<'_> {
    #[inline(always)]
    fn stack_guard(&mut self) -> &mut StackGuard {
        &mut self.stack_guard
    }
}

/// A message of the table: the C struct it becomes, and how.
trait IntoC: Sized {
    type C: CNode<Self>;
    fn fill(&self, c: &mut Self::C, walk: &mut FromProst<'_>);
}

impl FromProst<'_> {
    #[cold]
    fn fail(&mut self, problem: Problem) {
        self.problem.get_or_insert(problem);
    }

    #[inline(always)]
    fn message<T: IntoC>(&mut self, message: &T) -> *mut T::C {
        let c = arena::zeroed::<T, T::C>(self.arena);
        // SAFETY: just allocated, zeroed and not shared; the arena does not move it.
        message.fill(unsafe { &mut *c }, self);
        c
    }

    fn node(&mut self, node: &Node) -> *mut pg::Node {
        let Some(node) = &node.node else { return null_mut() };
        self.level += 1;
        self.deepest = self.deepest.max(self.level);
        let c = recurse(self, |walk| walk.by_variant(node)).unwrap_or(null_mut());
        self.level -= 1;
        c
    }

    #[inline(never)]
    fn list(&mut self, items: &[Node]) -> *mut pg::List {
        let list = arena::list(self.arena, items.len(), |i| self.node(&items[i]));
        list.unwrap_or_else(|| {
            self.fail(Problem::OutOfRange { field: "list" });
            null_mut()
        })
    }

    /// A C string, which may be empty.
    fn text(&mut self, field: &'static str, text: &str) -> *mut c_char {
        let (text, has_nul) = arena::checked_text(self.arena, text);
        if has_nul {
            self.fail(Problem::NulInString { field });
        }
        text
    }

    fn char(&mut self, field: &'static str, text: &str) -> c_char {
        arena::char(text).unwrap_or_else(|| {
            self.fail(Problem::OutOfRange { field });
            0
        })
    }

    fn enum_value<E: TreeEnum>(&mut self, number: i32) -> E::C {
        E::to_c(number).unwrap_or_else(|| {
            self.fail(Problem::UnknownEnum { name: E::NAME, value: i64::from(number) });
            E::C::default()
        })
    }

    fn bitmapset(&mut self, field: &'static str, members: &[u64]) -> *mut pg::Bitmapset {
        arena::bitmapset(self.arena, members).unwrap_or_else(|| {
            self.fail(Problem::OutOfRange { field });
            null_mut()
        })
    }

    fn integer(&mut self, value: &proto::Integer) -> pg::Integer {
        pg::Integer { type_: pg::T_Integer, ival: value.ival }
    }

    fn float(&mut self, value: &proto::Float) -> pg::Float {
        pg::Float { type_: pg::T_Float, fval: self.text("fval", &value.fval) }
    }

    fn boolean(&mut self, value: &proto::Boolean) -> pg::Boolean {
        pg::Boolean { type_: pg::T_Boolean, boolval: value.boolval }
    }

    fn value_string(&mut self, value: &proto::String) -> pg::String {
        pg::String { type_: pg::T_String, sval: self.text("sval", &value.sval) }
    }

    fn bit_string(&mut self, value: &proto::BitString) -> pg::BitString {
        pg::BitString { type_: pg::T_BitString, bsval: self.text("bsval", &value.bsval) }
    }

    fn constant(&mut self, message: &proto::AConst) -> *mut pg::Node {
        let c = arena::zeroed::<proto::AConst, pg::A_Const>(self.arena);
        let val = match &message.val {
            _ if message.isnull => None,
            Some(a_const::Val::Ival(v)) => Some(pg::ValUnion { ival: self.integer(v) }),
            Some(a_const::Val::Fval(v)) => Some(pg::ValUnion { fval: self.float(v) }),
            Some(a_const::Val::Boolval(v)) => Some(pg::ValUnion { boolval: self.boolean(v) }),
            Some(a_const::Val::Sval(v)) => Some(pg::ValUnion { sval: self.value_string(v) }),
            Some(a_const::Val::Bsval(v)) => Some(pg::ValUnion { bsval: self.bit_string(v) }),
            None => {
                self.fail(Problem::Unsupported { node: "A_Const without a value" });
                None
            }
        };
        // SAFETY: just allocated, zeroed and not shared.
        let c = unsafe { &mut *c };
        c.type_ = pg::T_A_Const;
        c.isnull = message.isnull;
        c.location = message.location;
        if let Some(val) = val {
            c.val = val;
        }
        std::ptr::from_mut(c).cast()
    }
}

/// The one value node that is also the declared type of a field.
impl IntoC for proto::String {
    type C = pg::String;
    fn fill(&self, c: &mut pg::String, walk: &mut FromProst<'_>) {
        *c = walk.value_string(self);
    }
}

/// What to do for each kind of field: the C value.
macro_rules! value {
    (node, $walk:ident, $field:expr, $key:literal) => {
        match &$field {
            Some(node) => $walk.node(node).cast(),
            None => null_mut(),
        }
    };
    (message, $walk:ident, $field:expr, $key:literal, $ty:ident) => {
        match MessageSlot::<proto::$ty>::get(&$field) {
            Some(message) => {
                $walk.level += 1;
                $walk.deepest = $walk.deepest.max($walk.level);
                let c = recurse($walk, |walk| walk.message(message)).unwrap_or(null_mut());
                $walk.level -= 1;
                c.cast()
            }
            None => null_mut(),
        }
    };
    (list, $walk:ident, $field:expr, $key:literal) => {
        // Most lists of a node are empty.
        if $field.is_empty() { null_mut() } else { $walk.list(&$field) }
    };
    (string, $walk:ident, $field:expr, $key:literal) => {
        if $field.is_empty() { null_mut() } else { $walk.text($key, &$field) }
    };
    (char, $walk:ident, $field:expr, $key:literal) => {
        $walk.char($key, &$field)
    };
    (bitmapset, $walk:ident, $field:expr, $key:literal) => {
        $walk.bitmapset($key, &$field)
    };
    (enum_, $walk:ident, $field:expr, $key:literal, $ty:ident) => {
        $walk.enum_value::<kinds::$ty>($field)
    };
    ($number:ident, $walk:ident, $field:expr, $key:literal) => {
        $field as _
    };
}

/// C has no field for an absent one; an embedded struct is filled in place; every other kind is a
/// value to assign.
macro_rules! assign {
    (absent, $walk:ident, $c:expr, $field:expr, $key:literal) => {};
    (embed, $walk:ident, $c:expr, $field:expr, $key:literal, $ty:ident) => {
        if let Some(message) = MessageSlot::<proto::$ty>::get(&$field) {
            message.fill(&mut $c, $walk);
        }
    };
    ($kind:ident, $walk:ident, $c:expr, $field:expr, $key:literal $(, $ty:ident)?) => {
        $c = value!($kind, $walk, $field, $key $(, $ty)?);
    };
}

macro_rules! walk {
    ($($tag:ident $c:ident $rust:ident $variant:ident $json:literal {
        $($kind:ident $field:ident $key:literal $cfield:ident $(: $ty:ident)?;)*
    })*) => {
        $(
            impl IntoC for proto::$rust {
                type C = pg::$c;
                #[inline(never)] // keeps the frames of a deep walk small
                fn fill(&self, c: &mut pg::$c, walk: &mut FromProst<'_>) {
                    let _ = &walk;
                    $(assign!($kind, walk, c.$cfield, self.$field, $key $(, $ty)?);)*
                    // The table has no tags. Last: it overwrites the tag of the node that this
                    // one begins with.
                    set_tag::<proto::$rust, _>(c, pg::$tag);
                }
            }
        )*

        impl FromProst<'_> {
            /// No wildcard: a variant that the table lacks does not compile.
            fn by_variant(&mut self, node: &node::Node) -> *mut pg::Node {
                match node {
                    $(node::Node::$variant(message) => self.message(&**message).cast(),)*
                    node::Node::AConst(message) => self.constant(message),
                    node::Node::Integer(value) => { let c = self.integer(value); arena::place(self.arena, c) }
                    node::Node::Float(value) => { let c = self.float(value); arena::place(self.arena, c) }
                    node::Node::Boolean(value) => { let c = self.boolean(value); arena::place(self.arena, c) }
                    node::Node::String(value) => { let c = self.value_string(value); arena::place(self.arena, c) }
                    node::Node::BitString(value) => { let c = self.bit_string(value); arena::place(self.arena, c) }
                    node::Node::List(list) => self.list(&list.items).cast(),
                    node::Node::IntList(_) => {
                        self.fail(Problem::Unsupported { node: "IntList" });
                        null_mut()
                    }
                    node::Node::OidList(_) => {
                        self.fail(Problem::Unsupported { node: "OidList" });
                        null_mut()
                    }
                }
            }
        }
    };
}
nodes!(walk);
