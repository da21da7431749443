//! Converts a C tree to prost structs. The structs are equal to the structs that prost decodes from the output of
//! `pg_query_parse_protobuf`.
//!
//! Fills structs inside their boxes, because moving large structs is expensive. The result contains no pointers to the
//! C tree.

use std::mem::MaybeUninit;

use crate::convert::enums::{TreeEnum, kinds};
use crate::convert::nodes::nodes;
use crate::convert::problem::Problem;
use crate::proto::{self, Node, a_const, node};
use crate::sys::stack::{HasStackGuard, StackGuard, recurse};
use crate::sys::{TreeRef, bindings as pg, cells, members};

struct ToProst {
    stack_guard: StackGuard,
    problem: Option<Problem>,
    level: u32,
    deepest: u32,
}

impl HasStackGuard for ToProst {
    #[inline(always)]
    fn stack_guard(&mut self) -> &mut StackGuard {
        &mut self.stack_guard
    }
}

/// A tree as prost structs, and its depth in nodes.
pub(crate) struct ConvertedTree {
    pub statements: Vec<proto::RawStmt>,
    pub depth: u32,
}

#[inline]
pub(crate) fn to_prost(tree: TreeRef<'_>) -> Result<ConvertedTree, Problem> {
    let mut walk = ToProst { stack_guard: StackGuard::new(), problem: None, level: 0, deepest: 0 };
    let raw = tree.statements();
    let mut statements = Vec::with_capacity(raw.len());
    for statement in raw {
        // SAFETY: a StatementRef's tree is valid.
        statements.push(unsafe { *walk.boxed::<proto::RawStmt>(statement.as_ptr()) });
    }
    if walk.stack_guard.take_exceeded() {
        walk.problem = Some(Problem::TooDeep);
    }
    match walk.problem {
        Some(problem) => Err(problem),
        None => Ok(ConvertedTree { statements, depth: walk.deepest }),
    }
}

/// A Protobuf message that can be created from a C struct.
trait FromC: Sized {
    type C;
    /// Writes every field of `*out` from `*c`.
    ///
    /// # Safety
    /// `c` must be a valid node of its type with valid children; `out` must be writable
    /// memory for a `Self`, which is fully initialised on return.
    unsafe fn fill(c: *const Self::C, out: *mut Self, walk: &mut ToProst);
}

impl ToProst {
    #[cold]
    fn fail(&mut self, problem: Problem) {
        self.problem.get_or_insert(problem);
    }

    /// Allocates a boxed node and fills it in place.
    ///
    /// # Safety
    /// Same as for [`FromC::fill`].
    #[cfg_attr(pgq_large_frames, inline(never))] // keeps its frame out of the caller's frame
    #[cfg_attr(not(pgq_large_frames), inline(always))]
    unsafe fn boxed<T: FromC>(&mut self, c: *const T::C) -> Box<T> {
        let mut boxed = Box::<T>::new_uninit();
        // SAFETY: fill initialises every field, because the macro below does not compile if the table of nodes lacks a
        // field. fill cannot panic halfway, and a failed allocation aborts the process.
        unsafe {
            T::fill(c, boxed.as_mut_ptr(), self);
            boxed.assume_init()
        }
    }

    /// Converts any node by its tag. NULL becomes an empty `Node`, as in Protobuf.
    ///
    /// # Safety
    /// `c` must be NULL or a valid node whose tag matches its type.
    #[inline(never)]
    unsafe fn node(&mut self, c: *const pg::Node) -> Node {
        // SAFETY: the caller meets this function's requirements.
        unsafe { self.item(c) }
    }

    /// Inlined version of [`Self::node`], for list members. Most nodes are list members.
    ///
    /// # Safety
    /// Same as for [`Self::node`].
    #[inline(always)]
    unsafe fn item(&mut self, c: *const pg::Node) -> Node {
        if c.is_null() {
            return Node { node: None };
        }
        self.level += 1;
        self.deepest = self.deepest.max(self.level);
        // SAFETY: the caller guarantees that `c` is valid if it is not NULL. The tag decides the cast.
        let node = recurse(self, |walk| unsafe { walk.by_tag(c) }).flatten();
        self.level -= 1;
        Node { node }
    }

    /// # Safety
    /// `list` must be NULL or a valid list of node pointers.
    #[inline(always)]
    unsafe fn list(&mut self, list: *const pg::List) -> Vec<Node> {
        if list.is_null() {
            return Vec::new(); // most list fields are empty
        }
        // SAFETY: the caller meets this function's requirements.
        unsafe { self.items(list) }
    }

    /// # Safety
    /// `list` must be a valid list of node pointers.
    #[inline(never)]
    unsafe fn items(&mut self, list: *const pg::List) -> Vec<Node> {
        // SAFETY: the caller guarantees that the list and its members are valid.
        unsafe { cells(list).iter().map(|cell| self.item(cell.ptr_value.cast())).collect() }
    }

    /// # Safety
    /// `c` must be NULL or a NUL-terminated string from the tree.
    #[inline]
    unsafe fn string(&mut self, c: *const std::ffi::c_char) -> String {
        if c.is_null() {
            return String::new();
        }
        // SAFETY: the caller guarantees that `c` is a NUL-terminated string if it is not NULL.
        let bytes = unsafe { crate::sys::c_bytes(c) };
        debug_assert!(std::str::from_utf8(bytes).is_ok());
        // SAFETY: the parsed SQL was a `&str`. PostgreSQL's scanner copies parts of it, truncates identifiers at
        // character boundaries (truncate_identifier) and verifies decoded escapes (pg_verifymbstr). Therefore the
        // scanner's strings are UTF-8, too.
        unsafe { String::from_utf8_unchecked(bytes.to_vec()) }
    }

    fn char(&mut self, c: std::ffi::c_char) -> String {
        // A char field contains an ASCII letter of the catalogs ('r', 'p', …), or 0 if it is not set.
        if c == 0 { String::new() } else { char::from(c as u8).to_string() }
    }

    #[inline(always)]
    fn enum_value<E: TreeEnum>(&mut self, c: E::C) -> i32 {
        E::to_protobuf(c).unwrap_or_else(|| {
            self.fail(Problem::UnknownEnum { name: E::NAME, value: c.into() });
            0
        })
    }

    /// # Safety
    /// `set` must be NULL or a valid Bitmapset.
    unsafe fn bitmapset(&mut self, set: *const pg::Bitmapset) -> Vec<u64> {
        // SAFETY: the caller guarantees that the set is valid.
        unsafe { members(set) }.collect()
    }

    /// # Safety
    /// `c` must be a valid A_Const.
    unsafe fn constant(&mut self, c: *const pg::A_Const) -> proto::AConst {
        // SAFETY: c is valid; the tag inside the union names the member that is set.
        unsafe {
            let c = &*c;
            let val = match c.val.node.type_ {
                _ if c.isnull => None,
                pg::T_Integer => Some(a_const::Val::Ival(proto::Integer { ival: c.val.ival.ival })),
                pg::T_Float => Some(a_const::Val::Fval(proto::Float { fval: self.string(c.val.fval.fval) })),
                pg::T_Boolean => Some(a_const::Val::Boolval(proto::Boolean { boolval: c.val.boolval.boolval })),
                pg::T_String => Some(a_const::Val::Sval(proto::String { sval: self.string(c.val.sval.sval) })),
                pg::T_BitString => {
                    Some(a_const::Val::Bsval(proto::BitString { bsval: self.string(c.val.bsval.bsval) }))
                }
                tag => {
                    self.fail(Problem::UnknownNode(tag));
                    None
                }
            };
            proto::AConst { isnull: c.isnull, location: c.location, val }
        }
    }
}

/// `String` is the only value node that needs an implementation, because some nodes have fields of the type `String`.
/// No field has the type `Integer`, `Float`, `Boolean` or `BitString`.
impl FromC for proto::String {
    type C = pg::String;
    unsafe fn fill(c: *const pg::String, out: *mut Self, walk: &mut ToProst) {
        // SAFETY: the caller guarantees that c is valid and out is writable.
        unsafe { out.write(proto::String { sval: walk.string((*c).sval) }) };
    }
}

/// A message field in prost. It is boxed if its type is recursive.
trait FillSlot<T: FromC>: Sized {
    /// # Safety
    /// Same as for [`FromC::fill`]. `c` must not be NULL.
    unsafe fn fill_slot(c: *const T::C, walk: &mut ToProst) -> Self;
}

impl<T: FromC> FillSlot<T> for Option<Box<T>> {
    #[inline(always)]
    unsafe fn fill_slot(c: *const T::C, walk: &mut ToProst) -> Self {
        // SAFETY: the caller guarantees the requirements of `boxed`.
        Some(unsafe { walk.boxed(c) })
    }
}

impl<T: FromC> FillSlot<T> for Option<T> {
    #[inline(always)]
    unsafe fn fill_slot(c: *const T::C, walk: &mut ToProst) -> Self {
        let mut value = MaybeUninit::<T>::uninit();
        // SAFETY: fill initialises the whole value.
        unsafe {
            T::fill(c, value.as_mut_ptr(), walk);
            Some(value.assume_init())
        }
    }
}

/// Converts a field of a C struct to the value of the prost field. The macro has one arm per kind of field.
macro_rules! value {
    (node, $walk:ident, $c:expr) => {{
        let c: *const pg::Node = $c.cast();
        if c.is_null() { None } else { Some(Box::new($walk.node(c))) }
    }};
    (message, $walk:ident, $c:expr, $ty:ident) => {{
        let c: *const <proto::$ty as FromC>::C = $c.cast();
        if c.is_null() {
            None
        } else {
            $walk.level += 1;
            $walk.deepest = $walk.deepest.max($walk.level);
            let slot = recurse($walk, |walk| FillSlot::<proto::$ty>::fill_slot(c, walk)).flatten();
            $walk.level -= 1;
            slot
        }
    }};
    (embed, $walk:ident, $c:expr, $ty:ident) => {
        FillSlot::<proto::$ty>::fill_slot(&raw const $c, $walk)
    };
    (absent, $walk:ident, $c:expr) => {
        None
    };
    (list, $walk:ident, $c:expr) => {
        $walk.list($c)
    };
    (string, $walk:ident, $c:expr) => {
        $walk.string($c)
    };
    (char, $walk:ident, $c:expr) => {
        $walk.char($c)
    };
    (bitmapset, $walk:ident, $c:expr) => {
        $walk.bitmapset($c)
    };
    (enum_, $walk:ident, $c:expr, $ty:ident) => {
        $walk.enum_value::<kinds::$ty>($c)
    };
    ($number:ident, $walk:ident, $c:expr) => {
        $c as _
    };
}

macro_rules! walk {
    ($($tag:ident $c:ident $rust:ident $variant:ident $json:literal {
        $($kind:ident $field:ident $key:literal $cfield:ident $(: $ty:ident)?;)*
    })*) => {
        $(
            impl FromC for proto::$rust {
                type C = pg::$c;
                #[inline(never)] // keeps the frames of a deep walk small
                #[allow(unused_unsafe)] // some nodes have no fields
                unsafe fn fill(c: *const pg::$c, out: *mut Self, walk: &mut ToProst) {
                    // This fails to compile if the table of nodes lacks a field of the struct.
                    let _every_field = |message: Self| {
                        let Self { $($field: _),* } = message;
                    };
                    let _ = (c, out, &walk);
                    // SAFETY: the caller guarantees that c is valid and out is writable. Each field is written once,
                    // and uninitialised memory is not dropped.
                    unsafe { $((&raw mut (*out).$field).write(value!($kind, walk, (*c).$cfield $(, $ty)?));)* }
                }
            }
        )*

        impl ToProst {
            /// # Safety
            /// `c` must be a valid node whose tag matches its type.
            #[inline(always)]
            unsafe fn by_tag(&mut self, c: *const pg::Node) -> Option<node::Node> {
                // SAFETY: c is valid, and each arm casts to the struct that its tag names.
                unsafe {
                    Some(match (*c).type_ {
                        $(pg::$tag => node::Node::$variant(self.boxed(c.cast::<pg::$c>())),)*
                        pg::T_A_Const => node::Node::AConst(Box::new(self.constant(c.cast()))),
                        pg::T_String => node::Node::String(Box::new(proto::String {
                            sval: self.string((*c.cast::<pg::String>()).sval),
                        })),
                        pg::T_Integer => node::Node::Integer(Box::new(proto::Integer {
                            ival: (*c.cast::<pg::Integer>()).ival,
                        })),
                        pg::T_Float => node::Node::Float(Box::new(proto::Float {
                            fval: self.string((*c.cast::<pg::Float>()).fval),
                        })),
                        pg::T_Boolean => node::Node::Boolean(Box::new(proto::Boolean {
                            boolval: (*c.cast::<pg::Boolean>()).boolval,
                        })),
                        pg::T_BitString => node::Node::BitString(Box::new(proto::BitString {
                            bsval: self.string((*c.cast::<pg::BitString>()).bsval),
                        })),
                        pg::T_List => node::Node::List(Box::new(proto::List { items: self.list(c.cast()) })),
                        // This arm also covers lists of numbers, which raw parse trees never contain. libpg_query's
                        // Protobuf writer would read their cells as pointers.
                        tag => {
                            self.fail(Problem::UnknownNode(tag));
                            return None;
                        }
                    })
                }
            }
        }
    };
}
nodes!(walk);
