//! Converts prost structs to a C tree in an arena.
//!
//! Nodes are written once, read once by the deparser and freed together. There is no allocation per string and no C
//! call per node. The result equals the tree from libpg_query's Protobuf reader. An empty string becomes NULL, except
//! in a value node, where it stays an empty string. A list keeps its NULL members.

use std::ffi::c_char;
use std::ptr::null_mut;

use crate::convert::arena::{self, Arena, ArenaTree, CNode, set_tag};
use crate::convert::enums::{TreeEnum, kinds};
use crate::convert::nodes::nodes;
use crate::convert::problem::Problem;
use crate::convert::row;
use crate::proto::{self, Node, a_const, node};
use crate::sys::bindings as pg;
use crate::sys::stack::{HasStackGuard, StackGuard, recurse};

/// Builds the C trees of the statements.
#[inline(always)]
pub(crate) fn from_prost(stmts: &[proto::RawStmt]) -> Result<ArenaTree, Problem> {
    let arena = arena::take();
    let mut walk =
        FromProst { arena: &arena, stack_guard: StackGuard::new(), problem: None, levels_left: 0, levels_granted: 0 };
    let list = arena::list(&arena, stmts.len(), |i| walk.made(&stmts[i]));
    let too_deep = walk.stack_guard.take_exceeded();
    let (Some(list), None, false) = (list, &walk.problem, too_deep) else {
        let problem = walk.problem_met(too_deep);
        arena::give_back(arena);
        return Err(problem);
    };
    let depth = walk.levels_granted as usize;
    // SAFETY: the walk allocates and zeroes every node in the arena and then fills it. Each node has the tag of its
    // struct. The pointers in nodes are NULL or point to other nodes that the walk created.
    Ok(unsafe { ArenaTree::new(arena, list.cast_const(), depth) })
}

/// A message field in prost. It is boxed if its type is recursive.
pub(crate) trait MessageSlot<T> {
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

struct FromProst<'a> {
    arena: &'a Arena,
    stack_guard: StackGuard,
    problem: Option<Problem>,
    /// Number of further levels before [`FromProst::grant_levels`] must be called again.
    levels_left: i32,
    /// Upper bound of the tree's depth. It grows in steps of [`LEVELS`].
    levels_granted: u32,
}

/// Number of levels by which [`FromProst::levels_granted`] grows. A coarse bound suffices, because it is used only for
/// the size of the deparser's stack.
const LEVELS: i32 = 64;

impl HasStackGuard for FromProst<'_> {
    #[inline(always)]
    fn stack_guard(&mut self) -> &mut StackGuard {
        &mut self.stack_guard
    }
}

/// A Protobuf message that can be converted to a C struct.
trait IntoC: Sized {
    /// The message's row in the table of nodes; see row.rs.
    type Row;
    type C: CNode<Self::Row>;
    fn fill(&self, c: &mut Self::C, walk: &mut FromProst<'_>);
}

impl FromProst<'_> {
    #[cold]
    fn problem_met(&mut self, too_deep: bool) -> Problem {
        let problem = if too_deep { Some(Problem::TooDeep) } else { self.problem.take() };
        problem.unwrap_or(Problem::OutOfRange { field: "stmts" })
    }

    #[cold]
    #[inline(never)]
    fn fail(&mut self, problem: Problem) {
        self.problem.get_or_insert(problem);
    }

    /// Converts a message to a C struct. The stack frames of the recursion must be small. Therefore the compiler
    /// generates a separate function for each message type, and does not inline it: its frame contains the variables of
    /// one type only.
    #[inline(never)]
    fn made<T: IntoC>(&mut self, message: &T) -> *mut pg::Node {
        let c = arena::zeroed::<T::Row, T::C>(self.arena);
        // SAFETY: `c` is newly allocated, zeroed and unshared, and the arena does not move it.
        message.fill(unsafe { &mut *c }, self);
        c.cast()
    }

    /// Runs `f` one level deeper. Returns NULL beyond the stack limit.
    #[inline(always)]
    fn deeper(&mut self, f: impl FnMut(&mut Self) -> *mut pg::Node) -> *mut pg::Node {
        self.levels_left -= 1;
        if self.levels_left < 0 {
            self.grant_levels();
        }
        let c = recurse(self, f).unwrap_or(null_mut());
        self.levels_left += 1;
        c
    }

    #[cold]
    #[inline(never)]
    fn grant_levels(&mut self) {
        self.levels_left += LEVELS;
        self.levels_granted = self.levels_granted.saturating_add(LEVELS as u32);
    }

    #[inline(never)]
    fn node(&mut self, node: &Node) -> *mut pg::Node {
        self.node_here(node)
    }

    /// Inlined version of [`FromProst::node`], for list members. Most nodes are list members.
    #[inline(always)]
    fn node_here(&mut self, node: &Node) -> *mut pg::Node {
        match &node.node {
            Some(node) => self.deeper(
                #[inline(always)]
                |walk| walk.by_variant(node),
            ),
            None => null_mut(),
        }
    }

    #[inline(never)]
    fn list(&mut self, items: &[Node]) -> *mut pg::List {
        let list = arena::list(self.arena, items.len(), |i| self.node_here(&items[i]));
        list.unwrap_or_else(|| {
            self.fail(Problem::OutOfRange { field: "list" });
            null_mut()
        })
    }

    /// Copies a string, which may be empty, to a C string.
    #[inline(never)]
    fn text(&mut self, field: &'static str, text: &str) -> *mut c_char {
        arena::short_text(self.arena, text).unwrap_or_else(|| self.any_text(field, text))
    }

    #[inline(never)]
    fn any_text(&mut self, field: &'static str, text: &str) -> *mut c_char {
        if memchr::memchr(0, text.as_bytes()).is_some() {
            self.fail(Problem::NulInString { field });
        }
        arena::text(self.arena, text)
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
}

/// Implements the conversion of value nodes, such as `Integer` and `String`. The generated table of nodes (nodes.rs)
/// does not contain them.
macro_rules! value_nodes {
    ($($rust:ident: |$value:ident, $walk:ident| $c:expr;)*) => { $(
        impl IntoC for proto::$rust {
            type Row = row::$rust;
            type C = pg::$rust;
            #[cfg_attr(pgq_large_frames, inline(never))] // keeps its frame out of the caller's frame
            #[cfg_attr(not(pgq_large_frames), inline(always))]
            fn fill(&self, c: &mut pg::$rust, walk: &mut FromProst<'_>) {
                let ($value, $walk) = (self, walk);
                *c = $c;
            }
        }
    )* };
}
value_nodes! {
    Integer: |value, _walk| pg::Integer { type_: pg::T_Integer, ival: value.ival };
    Float: |value, walk| pg::Float { type_: pg::T_Float, fval: walk.text("fval", &value.fval) };
    Boolean: |value, _walk| pg::Boolean { type_: pg::T_Boolean, boolval: value.boolval };
    String: |value, walk| pg::String { type_: pg::T_String, sval: walk.text("sval", &value.sval) };
    BitString: |value, walk| pg::BitString { type_: pg::T_BitString, bsval: walk.text("bsval", &value.bsval) };
}

impl IntoC for proto::AConst {
    type Row = row::AConst;
    type C = pg::A_Const;
    #[cfg_attr(pgq_large_frames, inline(never))] // keeps its frame out of the caller's frame
    #[cfg_attr(not(pgq_large_frames), inline(always))]
    fn fill(&self, c: &mut pg::A_Const, walk: &mut FromProst<'_>) {
        c.type_ = pg::T_A_Const;
        c.isnull = self.isnull;
        c.location = self.location;
        /// Sets the union member `$member`.
        macro_rules! set {
            ($member:ident, $value:ident) => {{
                // SAFETY: the union is zeroed, which is a valid value of each member.
                $value.fill(unsafe { &mut c.val.$member }, walk)
            }};
        }
        match &self.val {
            _ if self.isnull => {}
            Some(a_const::Val::Ival(value)) => set!(ival, value),
            Some(a_const::Val::Fval(value)) => set!(fval, value),
            Some(a_const::Val::Boolval(value)) => set!(boolval, value),
            Some(a_const::Val::Sval(value)) => set!(sval, value),
            Some(a_const::Val::Bsval(value)) => set!(bsval, value),
            None => walk.fail(Problem::Unsupported { node: "A_Const without a value" }),
        }
    }
}

/// Converts a field to the C value. The macro has one arm per kind of field.
macro_rules! value {
    (node, $walk:ident, $field:expr, $key:literal) => {
        match &$field {
            Some(node) => $walk.node(node).cast(),
            None => null_mut(),
        }
    };
    (message, $walk:ident, $field:expr, $key:literal, $ty:ident) => {
        match MessageSlot::<proto::$ty>::get(&$field) {
            Some(message) => $walk.deeper(|walk| walk.made(message)).cast(),
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

/// Assigns a field. An embedded struct is filled in place. A field of kind `absent` does not exist in C.
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
                type Row = row::$rust;
                type C = pg::$c;
                #[cfg_attr(pgq_large_frames, inline(never))] // keeps its frame out of the caller's frame
                #[cfg_attr(not(pgq_large_frames), inline(always))]
                fn fill(&self, c: &mut pg::$c, walk: &mut FromProst<'_>) {
                    let _ = &walk;
                    $(assign!($kind, walk, c.$cfield, self.$field, $key $(, $ty)?);)*
                    // The tag is set last. An embedded node at the start of the struct has its own tag at the same
                    // address, and the code that fills the embedded node would overwrite a tag that was set earlier.
                    set_tag::<row::$rust, _>(c, pg::$tag);
                }
            }
        )*

        impl FromProst<'_> {
            /// Converts a node to its C struct. There is no wildcard arm, so that a missing variant
            /// is a compile error.
            #[inline(always)]
            fn by_variant(&mut self, node: &node::Node) -> *mut pg::Node {
                match node {
                    $(node::Node::$variant(message) => self.made(&**message),)*
                    node::Node::AConst(message) => self.made(&**message),
                    node::Node::Integer(value) => self.made(&**value),
                    node::Node::Float(value) => self.made(&**value),
                    node::Node::Boolean(value) => self.made(&**value),
                    node::Node::String(value) => self.made(&**value),
                    node::Node::BitString(value) => self.made(&**value),
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
