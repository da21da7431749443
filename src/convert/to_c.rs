//! prost structs -> C tree, in an arena, for every node of the table.
//!
//! Nodes are written once, read once by the deparser and dropped together: there is no
//! allocation per string and no call to C per node. What comes out is what libpg_query's
//! own Protobuf reader would have built: an empty plain string is NULL, an empty value
//! node's string is empty, lists keep their NULL members.

use bumpalo::Bump;
use std::alloc::Layout;
use std::cell::Cell;
use std::ffi::c_char;
use std::ptr::{NonNull, null_mut};

use super::{Problem, Slot, TreeEnum, kinds, nodes};
use crate::protobuf::{self, Node, a_const, node};
use crate::sys::bindings as pg;
use crate::sys::stack::{Depth, Walk, deeper};

/// A C tree that this process owns. Freed as a whole.
pub(crate) struct CTree {
    /// In the arena, too: it does not move while the arena lives.
    statements: *const [*const pg::RawStmt],
    depth: u32,
    /// Owns the memory behind `statements`.
    arena: Option<Bump>,
}

thread_local! {
    /// The arena of the last tree on this thread, empty, to be used again.
    static ARENA: Cell<Option<Bump>> = const { Cell::new(None) };
}

/// Arenas larger than this are not kept, in bytes.
const KEEP_ARENA: usize = 4 << 20;

impl CTree {
    /// Builds the C form of each statement.
    pub(crate) fn build(stmts: &[protobuf::RawStmt]) -> Result<Self, Problem> {
        let arena = ARENA.take().unwrap_or_default();
        let mut walk = ToC { arena: &arena, depth: Depth::new(), problem: None, level: 0, deepest: 0 };
        let statement = |i: usize| walk.message(&stmts[i]).cast_const();
        let statements = std::ptr::from_ref(arena.alloc_slice_fill_with(stmts.len(), statement) as &[_]);
        if walk.depth.take_exceeded() {
            walk.problem = Some(Problem::TooDeep);
        }
        let (problem, depth) = (walk.problem, walk.deepest);
        match problem {
            Some(problem) => Err(problem),
            None => Ok(Self { statements, depth, arena: Some(arena) }),
        }
    }

    /// Pointers to valid RawStmt trees, which live as long as `self`.
    pub(crate) fn statements(&self) -> &[*const pg::RawStmt] {
        // SAFETY: a slice that `build` put in the arena, which lives as long as `self` and is
        // not written to again.
        unsafe { &*self.statements }
    }

    /// How many nodes deep the deepest statement is.
    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }
}

impl Drop for CTree {
    fn drop(&mut self) {
        if let Some(mut arena) = self.arena.take().filter(|a| a.allocated_bytes() <= KEEP_ARENA) {
            arena.reset();
            ARENA.set(Some(arena));
        }
    }
}

/// The walk's state.
struct ToC<'a> {
    arena: &'a Bump,
    depth: Depth,
    problem: Option<Problem>,
    level: u32,
    deepest: u32,
}

impl Walk for ToC<'_> {
    #[inline(always)]
    fn depth(&mut self) -> &mut Depth {
        &mut self.depth
    }
}

/// A message of the table: the C struct it becomes, and how.
trait IntoC {
    type C;
    fn fill(&self, c: &mut Self::C, walk: &mut ToC<'_>);
}

impl ToC<'_> {
    #[cold]
    fn fail(&mut self, problem: Problem) {
        self.problem.get_or_insert(problem);
    }

    /// A zeroed C struct in the arena. Zero is a valid value of every field of a node:
    /// numbers, enums, bools, and NULL for pointers.
    #[inline(always)]
    fn zeroed<T>(&self) -> *mut T {
        let memory = self.arena.alloc_layout(Layout::new::<T>()).cast::<T>();
        // SAFETY: fresh memory of the right size. T is only ever a C node struct of the
        // bindings (numbers, bools, raw pointers, unions of those): all zeroes are valid.
        unsafe { memory.write_bytes(0, 1) };
        memory.as_ptr()
    }

    #[inline(always)]
    fn message<T: IntoC>(&mut self, message: &T) -> *mut T::C {
        let c = self.zeroed::<T::C>();
        // SAFETY: just allocated, zeroed and not shared; the arena does not move it.
        message.fill(unsafe { &mut *c }, self);
        c
    }

    fn node(&mut self, node: &Node) -> *mut pg::Node {
        let Some(node) = &node.node else { return null_mut() };
        self.level += 1;
        self.deepest = self.deepest.max(self.level);
        let c = deeper(self, |walk| walk.by_variant(node)).unwrap_or(null_mut());
        self.level -= 1;
        c
    }

    fn list(&mut self, items: &[Node]) -> *mut pg::List {
        if items.is_empty() {
            return null_mut(); // NIL
        }
        let Ok(length) = i32::try_from(items.len()) else {
            self.fail(Problem::OutOfRange { field: "list" });
            return null_mut();
        };
        let arena = self.arena;
        let cell = |i: usize| pg::ListCell { ptr_value: self.node(&items[i]).cast() };
        let elements = arena.alloc_slice_fill_with(items.len(), cell).as_mut_ptr();
        // SAFETY: just allocated, zeroed and not shared.
        let list = unsafe { &mut *self.zeroed::<pg::List>() };
        list.type_ = pg::T_List;
        list.length = length;
        list.max_length = length;
        list.elements = elements;
        list
    }

    /// A string that C reads as it is, empty or not.
    fn text(&mut self, field: &'static str, text: &str) -> *mut c_char {
        // Names are short: a plain loop beats a call to a search that starts up first.
        if text.bytes().any(|byte| byte == 0) {
            self.fail(Problem::NulInString { field });
        }
        let memory: NonNull<u8> = self.arena.alloc_layout(Layout::for_value(text.as_bytes()).extend_by_one());
        // SAFETY: the layout has room for the text and one byte more.
        unsafe {
            memory.as_ptr().copy_from_nonoverlapping(text.as_ptr(), text.len());
            memory.as_ptr().add(text.len()).write(0);
        }
        memory.as_ptr().cast()
    }

    fn char(&mut self, field: &'static str, text: &str) -> c_char {
        match text.as_bytes() {
            [] => 0,
            [byte] if byte.is_ascii() => *byte as c_char,
            _ => {
                self.fail(Problem::OutOfRange { field });
                0
            }
        }
    }

    fn enum_value<E: TreeEnum>(&mut self, number: i32) -> E::C {
        E::to_c(number).unwrap_or_else(|| {
            self.fail(Problem::UnknownEnum { name: E::NAME, value: i64::from(number) });
            E::C::default()
        })
    }

    fn bitmapset(&mut self, field: &'static str, members: &[u64]) -> *mut pg::Bitmapset {
        let Some(&highest) = members.iter().max() else { return null_mut() };
        if highest > i32::MAX as u64 {
            self.fail(Problem::OutOfRange { field });
            return null_mut();
        }
        let nwords = (highest / 64 + 1) as usize;
        // Header and words are both multiples of eight bytes, the words directly behind.
        let memory = self.arena.alloc_slice_fill_copy(size_of::<pg::Bitmapset>() / 8 + nwords, 0u64);
        let (header, words) = memory.split_at_mut(size_of::<pg::Bitmapset>() / 8);
        for member in members {
            words[(member / 64) as usize] |= 1 << (member % 64);
        }
        let set = header.as_mut_ptr().cast::<pg::Bitmapset>();
        // SAFETY: the header's words are zeroed, aligned and large enough for the struct.
        unsafe {
            (*set).type_ = pg::T_Bitmapset;
            (*set).nwords = nwords as i32;
        }
        set
    }

    fn integer(&mut self, value: &protobuf::Integer) -> pg::Integer {
        pg::Integer { type_: pg::T_Integer, ival: value.ival }
    }

    fn float(&mut self, value: &protobuf::Float) -> pg::Float {
        pg::Float { type_: pg::T_Float, fval: self.text("fval", &value.fval) }
    }

    fn boolean(&mut self, value: &protobuf::Boolean) -> pg::Boolean {
        pg::Boolean { type_: pg::T_Boolean, boolval: value.boolval }
    }

    fn value_string(&mut self, value: &protobuf::String) -> pg::String {
        pg::String { type_: pg::T_String, sval: self.text("sval", &value.sval) }
    }

    fn bit_string(&mut self, value: &protobuf::BitString) -> pg::BitString {
        pg::BitString { type_: pg::T_BitString, bsval: self.text("bsval", &value.bsval) }
    }

    fn constant(&mut self, message: &protobuf::AConst) -> *mut pg::Node {
        let c = self.zeroed::<pg::A_Const>();
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

    fn place<T>(&self, value: T) -> *mut pg::Node {
        std::ptr::from_mut(self.arena.alloc(value)).cast()
    }
}

/// The one value node that is also the declared type of a field.
impl IntoC for protobuf::String {
    type C = pg::String;
    fn fill(&self, c: &mut pg::String, walk: &mut ToC<'_>) {
        *c = walk.value_string(self);
    }
}

/// Room for the NUL behind a text.
trait ExtendByOne {
    fn extend_by_one(self) -> Layout;
}

impl ExtendByOne for Layout {
    fn extend_by_one(self) -> Layout {
        Layout::array::<u8>(self.size() + 1).expect("a text in memory is far from isize::MAX bytes")
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
        match Slot::<protobuf::$ty>::get(&$field) {
            Some(message) => {
                $walk.level += 1;
                $walk.deepest = $walk.deepest.max($walk.level);
                let c = deeper($walk, |walk| walk.message(message)).unwrap_or(null_mut());
                $walk.level -= 1;
                c.cast()
            }
            None => null_mut(),
        }
    };
    (list, $walk:ident, $field:expr, $key:literal) => {
        $walk.list(&$field)
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

/// An absent field has nothing to say to C; an embedded struct is filled where it is; every other kind is a value to assign.
macro_rules! assign {
    (absent, $walk:ident, $c:expr, $field:expr, $key:literal) => {};
    (embed, $walk:ident, $c:expr, $field:expr, $key:literal, $ty:ident) => {
        if let Some(message) = Slot::<protobuf::$ty>::get(&$field) {
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
            impl IntoC for protobuf::$rust {
                type C = pg::$c;
                #[inline(never)] // keeps the frames of a deep walk small
                fn fill(&self, c: &mut pg::$c, walk: &mut ToC<'_>) {
                    let _ = &walk;
                    $(assign!($kind, walk, c.$cfield, self.$field, $key $(, $ty)?);)*
                    // The tag is in no table: it is the first member, of the node or of the
                    // node that it begins with, whose own tag this one takes the place of.
                    set_tag(c, pg::$tag);
                }
            }
        )*

        impl ToC<'_> {
            /// No wildcard: a variant that the table lacks does not compile.
            fn by_variant(&mut self, node: &node::Node) -> *mut pg::Node {
                match node {
                    $(node::Node::$variant(message) => self.message(&**message).cast(),)*
                    node::Node::AConst(message) => self.constant(message),
                    node::Node::Integer(value) => { let c = self.integer(value); self.place(c) }
                    node::Node::Float(value) => { let c = self.float(value); self.place(c) }
                    node::Node::Boolean(value) => { let c = self.boolean(value); self.place(c) }
                    node::Node::String(value) => { let c = self.value_string(value); self.place(c) }
                    node::Node::BitString(value) => { let c = self.bit_string(value); self.place(c) }
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

/// Writes a node's tag: the first member of every node struct (nodes/nodes.h).
#[inline(always)]
fn set_tag<T>(node: &mut T, tag: pg::NodeTag) {
    const { assert!(size_of::<T>() >= size_of::<pg::Node>()) };
    // SAFETY: T is a node struct of the table: its first member, or the first member of
    // the node it begins with, is the NodeTag, at offset 0 by C's rules and by layout.c.
    unsafe { std::ptr::from_mut(node).cast::<pg::NodeTag>().write(tag) };
}
