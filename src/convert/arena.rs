//! C trees that Rust builds in an arena. Nodes are written once, read by the conversions and the
//! deparser, and freed together. This module calls no C functions.
#![cfg_attr(not(feature = "proto"), allow(dead_code))] // some functions are used only for structs and JSON

use std::alloc::Layout;
use std::cell::Cell;
use std::ffi::c_char;
use std::ptr::{NonNull, null_mut};

use super::nodes::nodes;
use super::problem::Problem;
use super::view::Constant;
use crate::convert::row;
use crate::sys::{BYTES_PER_LEVEL, ReadText, TreeRef, bindings as pg};

/// The memory of trees. Every allocation begins at a multiple of eight bytes, which is the maximum alignment of a node.
/// Strings are padded to a multiple of eight bytes.
pub(super) type Arena = bumpalo::Bump<ALIGNMENT>;

const ALIGNMENT: usize = 8;

/// A C tree in memory that Rust allocated. It is freed as a whole.
pub(crate) struct ArenaTree {
    /// A list of RawStmt in the arena, NULL if there is no statement.
    list: *const pg::List,
    /// Upper bound of the tree's depth in nodes.
    depth: usize,
    /// The tree's SQL, stored in the arena. Empty if the tree has no SQL.
    text: NonNull<str>,
    /// Whether the locations of the nodes are offsets in `text`.
    has_own_text: bool,
    /// Owns the memory that `list` and `text` point to.
    arena: Option<Arena>,
}

// SAFETY: the pointers point into the arena. The tree owns the arena, and any thread may free the arena.
unsafe impl Send for ArenaTree {}

// SAFETY: a shared reference allows neither changes of the tree nor allocations in its arena.
unsafe impl Sync for ArenaTree {}

thread_local! {
    /// The emptied arena of this thread's last tree, for reuse.
    static ARENA: Cell<Option<Arena>> = const { Cell::new(None) };
}

/// A pointer to an empty string.
const EMPTY_TEXT: NonNull<str> = {
    // SAFETY: a constant's address is not NULL.
    unsafe { NonNull::new_unchecked(std::ptr::from_ref("").cast_mut()) }
};

/// Maximum size of an arena that is kept for reuse, in bytes.
const KEEP_ARENA: usize = 4 << 20;

/// Returns an empty arena.
pub(super) fn take() -> Arena {
    ARENA.take().unwrap_or_default()
}

/// Keeps an arena for this thread's next tree.
pub(super) fn give_back(mut arena: Arena) {
    if arena.allocated_bytes() <= KEEP_ARENA {
        arena.reset();
        // `try_with` fails only while the thread exits. In this case, the arena is dropped.
        let _ = ARENA.try_with(|kept| kept.set(Some(arena)));
    }
}

impl ArenaTree {
    /// Builds a tree. `build` receives an arena, and returns the list of statements and an upper bound of the tree's
    /// depth in nodes.
    ///
    /// # Safety
    /// The list must be NULL or a list of valid RawStmt trees that are entirely in the arena.
    pub(super) unsafe fn build<E>(
        build: impl FnOnce(&Arena) -> Result<(*const pg::List, usize), E>,
    ) -> Result<Self, E> {
        // SAFETY: the caller meets this function's requirements.
        unsafe { Self::build_in(take(), build) }
    }

    /// Builds a tree in `arena`; see [`ArenaTree::build`].
    ///
    /// # Safety
    /// Same as for [`ArenaTree::build`].
    pub(super) unsafe fn build_in<E>(
        arena: Arena,
        build: impl FnOnce(&Arena) -> Result<(*const pg::List, usize), E>,
    ) -> Result<Self, E> {
        let mut tree = Self { arena: Some(arena), ..Self::EMPTY };
        if let Some(arena) = &tree.arena {
            (tree.list, tree.depth) = build(arena)?;
        }
        Ok(tree)
    }

    /// Creates a tree from a list of statements in the arena. The list is at most `depth` nodes deep.
    ///
    /// # Safety
    /// Same as for [`ArenaTree::build`].
    #[inline(always)]
    pub(super) unsafe fn new(arena: Arena, list: *const pg::List, depth: usize) -> Self {
        Self { list, depth, arena: Some(arena), ..Self::EMPTY }
    }

    /// Parses `sql` into a new arena. Returns `None` if pgq's own lexer cannot read the SQL, if the grammar reports an
    /// error or a warning, or if the tree exceeds the estimated size. In these cases, the caller must parse the SQL in
    /// another way. `sql` must not contain a NUL byte.
    ///
    /// The parser writes each node directly to its final position. Therefore the memory is reserved before the total
    /// size of the nodes is known, and a part of the memory usually stays unused; see [`ArenaTree::room`].
    #[inline]
    pub(crate) fn parsed(sql: &str, normalized: bool) -> Option<Self> {
        let read = ReadText::read(sql, normalized)?;
        let (strings_len, room) = (read.strings().len(), Self::room(read.len()));
        let padded = |len: usize| len.next_multiple_of(ALIGNMENT);
        let arena = Arena::with_min_align_and_capacity(padded(sql.len()) + padded(strings_len) + room);
        let text = NonNull::from(&*arena.alloc_str(sql));
        let strings = arena.alloc_slice_copy(read.strings()).as_ptr();
        let memory = arena.alloc_layout(Layout::from_size_align(room, ALIGNMENT).ok()?).as_ptr();
        // SAFETY: the strings and the memory are in the arena, which the tree owns.
        let (list, _) = unsafe { read.parse_into(strings, (memory, room))? };
        Some(Self { list, depth: sql.len() / BYTES_PER_LEVEL + 1, text, has_own_text: true, arena: Some(arena) })
    }

    /// Returns the number of bytes to reserve for the nodes of `tokens` tokens. This number
    /// suffices even for the column definitions of CREATE TABLE, which have five nodes for every
    /// three tokens. Queries need about half of these bytes.
    const fn room(tokens: usize) -> usize {
        const FIRST: usize = 384;
        const EACH: usize = 136;
        (FIRST + tokens * EACH).next_multiple_of(ALIGNMENT)
    }

    const EMPTY: Self = Self { list: std::ptr::null(), depth: 0, text: EMPTY_TEXT, has_own_text: false, arena: None };

    /// Returns the SQL of the tree, or an empty string if the tree has no SQL.
    #[inline]
    pub(crate) fn text(&self) -> &str {
        // SAFETY: the text is empty, or in the arena, where nothing changes it.
        unsafe { self.text.as_ref() }
    }

    /// Returns whether the locations of the nodes are offsets in [`ArenaTree::text`].
    pub(crate) fn has_own_text(&self) -> bool {
        self.has_own_text
    }

    /// Sets the SQL. `own` specifies whether the tree's locations are offsets in this SQL.
    pub(crate) fn set_text(&mut self, sql: &str, own: bool) {
        self.text = NonNull::from(&*self.arena.get_or_insert_default().alloc_str(sql));
        self.has_own_text = own;
    }

    /// Returns the list of statements, for functions that change locations in the tree. Borrows the tree mutably, so
    /// there are no other references to the tree.
    pub(crate) fn list_mut(&mut self) -> *mut pg::List {
        self.list.cast_mut()
    }

    /// Returns the memory of the tree in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.arena.as_ref().map_or(0, Arena::allocated_bytes_including_metadata)
    }

    pub(crate) fn tree(&self) -> TreeRef<'_> {
        // SAFETY: the list is valid as long as `self`, because [`ArenaTree::build`] requires this.
        unsafe { TreeRef::new(self.list) }
    }

    /// Returns an upper bound of the tree's depth in nodes.
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }
}

impl Drop for ArenaTree {
    fn drop(&mut self) {
        if let Some(arena) = self.arena.take() {
            give_back(arena);
        }
    }
}

/// A C struct of the bindings that is a parse-tree node of type `M`. In C, some node types, such as DistinctExpr and
/// OpExpr, share a struct. `M` distinguishes them.
///
/// # Safety
/// All zeroes must be a valid value. This is true if each field is a number, an enum, a bool, a raw pointer, or a union
/// of these types. The struct must begin with a NodeTag, directly or in an embedded node. (build/layout.rs asserts the
/// offsets.)
pub(super) unsafe trait CNode<M> {}

/// Returns a zeroed node.
#[inline(always)]
pub(super) fn zeroed<M, T: CNode<M>>(arena: &Arena) -> *mut T {
    let memory = arena.alloc_layout(Layout::new::<T>()).cast::<T>();
    // SAFETY: the memory is new and has the size of the node, and all zeroes are a valid CNode.
    unsafe { memory.write_bytes(0, 1) };
    memory.as_ptr()
}

/// Returns memory for a node of `size` bytes.
#[inline]
pub(super) fn bytes_for_node(arena: &Arena, size: usize) -> *mut pg::Node {
    let layout = Layout::from_size_align(size, ALIGNMENT).expect("the size of a struct");
    arena.alloc_layout(layout).as_ptr().cast()
}

/// Moves a value into the arena.
#[inline(always)]
pub(super) fn place<T>(arena: &Arena, value: T) -> *mut pg::Node {
    std::ptr::from_mut(arena.alloc(value)).cast()
}

/// Returns a NUL-terminated copy of a string, which may be empty. The caller must have checked that
/// the string contains no NUL byte.
#[inline]
pub(super) fn text(arena: &Arena, text: &str) -> *mut c_char {
    bytes(arena, text.as_bytes())
}

/// Returns a NUL-terminated copy of the bytes of a string; see [`text`].
#[inline]
pub(super) fn bytes(arena: &Arena, bytes: &[u8]) -> *mut c_char {
    let layout = Layout::array::<u8>(bytes.len() + 1).expect("a text in memory is far from isize::MAX bytes");
    let memory: NonNull<u8> = arena.alloc_layout(layout);
    // SAFETY: the layout has room for the text and one byte more.
    unsafe {
        memory.as_ptr().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        memory.as_ptr().add(bytes.len()).write(0);
    }
    memory.as_ptr().cast()
}

/// Returns a copy of a short string. Returns `None` if the string has more than 16 bytes or a NUL byte, or if the
/// arena's chunk is full. Most strings are names, for which a few loads and stores are cheaper than calls of memchr and
/// memcpy.
#[inline(always)]
pub(super) fn short_text(arena: &Arena, text: &str) -> Option<*mut c_char> {
    let (from, length) = (text.as_ptr(), text.len());
    // One check of the capacity covers the allocations below.
    if length > 16 || arena.chunk_capacity() < 24 {
        return None;
    }
    let (memory, has_nul) = if length < 8 {
        let memory = arena.alloc_layout(Layout::new::<u64>()).as_ptr();
        // SAFETY: `length` is below 8, and every load is within the text. In a short text, the loads overlap or read
        // the same byte.
        let word = unsafe {
            if length >= 4 {
                let first = u32::from_le(from.cast::<u32>().read_unaligned());
                let last = u32::from_le(from.add(length - 4).cast::<u32>().read_unaligned());
                u64::from(first) | u64::from(last) << ((length - 4) * 8)
            } else if length > 0 {
                let byte = |at: usize| u64::from(from.add(at).read()) << (at * 8);
                byte(0) | byte(length / 2) | byte(length - 1)
            } else {
                0
            }
        };
        // SAFETY: the memory has eight bytes. The last byte is NUL, because the text is shorter than eight bytes.
        unsafe { memory.cast::<u64>().write(word.to_le()) };
        (memory, has_zero_byte(word | u64::MAX << (length * 8)))
    } else {
        let memory = arena.alloc_layout(Layout::new::<[u64; 3]>()).as_ptr();
        // SAFETY: the memory has 24 bytes, and the text has 8 to 16. The first 8 bytes and the last 8 bytes together
        // cover the whole text.
        let (first, last) = unsafe {
            let first = from.cast::<u64>().read_unaligned();
            let last = from.add(length - 8).cast::<u64>().read_unaligned();
            memory.cast::<u64>().write_unaligned(first);
            memory.add(length - 8).cast::<u64>().write_unaligned(last);
            memory.add(length).write(0);
            (first, last)
        };
        (memory, has_zero_byte(first) || has_zero_byte(last))
    };
    (!has_nul).then_some(memory.cast())
}

#[inline(always)]
fn has_zero_byte(word: u64) -> bool {
    const LOW: u64 = u64::from_ne_bytes([0x01; 8]);
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
    word.wrapping_sub(LOW) & !word & HIGH != 0
}

/// Sets the value of a constant. For a string with a NUL byte, sets an empty string and returns a problem.
///
/// # Safety
/// `constant` must be a valid node in this arena, and there must be no reference to it.
pub(super) unsafe fn set_constant(
    arena: &Arena,
    constant: *mut pg::A_Const,
    value: Constant<'_>,
) -> Result<(), Problem> {
    let mut problem = None;
    let mut text = |field, text: &str| {
        if memchr::memchr(0, text.as_bytes()).is_none() {
            return self::text(arena, text);
        }
        problem = Some(Problem::NulInString { field });
        self::text(arena, "")
    };
    // SAFETY: the caller meets this function's requirements; each value is written to the member that its tag names.
    unsafe {
        let val = &raw mut (*constant).val;
        (*constant).isnull = matches!(value, Constant::Null);
        match value {
            Constant::Null => {}
            Constant::Integer(ival) => (*val).ival = pg::Integer { type_: pg::T_Integer, ival },
            Constant::Boolean(boolval) => (*val).boolval = pg::Boolean { type_: pg::T_Boolean, boolval },
            Constant::Float(number) => {
                (*val).fval = pg::Float { type_: pg::T_Float, fval: text("fval", number) };
            }
            Constant::String(string) => {
                (*val).sval = pg::String { type_: pg::T_String, sval: text("sval", string) };
            }
            Constant::BitString(bits) => {
                (*val).bsval = pg::BitString { type_: pg::T_BitString, bsval: text("bsval", bits) };
            }
        }
    }
    problem.map_or(Ok(()), Err)
}

/// Returns a list of the `length` nodes that `item` returns, or NIL if `length` is 0. Returns `None` if the length
/// exceeds the limit of a C list.
#[inline]
pub(super) fn list(
    arena: &Arena,
    length: usize,
    mut item: impl FnMut(usize) -> *mut pg::Node,
) -> Option<*mut pg::List> {
    if length == 0 {
        return Some(null_mut()); // NIL
    }
    let count = i32::try_from(length).ok()?;
    // The cells follow the list directly, as in PostgreSQL's short lists.
    let cells = Layout::array::<pg::ListCell>(length).ok()?;
    let (layout, behind) = Layout::new::<pg::List>().extend(cells).ok()?;
    let memory = arena.alloc_layout(layout).as_ptr();
    // SAFETY: the layout has room for the list and for its cells, which start at `behind`.
    unsafe {
        let elements = memory.add(behind).cast::<pg::ListCell>();
        for i in 0..length {
            elements.add(i).write(pg::ListCell { ptr_value: item(i).cast() });
        }
        let list = memory.cast::<pg::List>();
        list.cast::<u8>().write_bytes(0, size_of::<pg::List>());
        (*list).type_ = pg::T_List;
        (*list).length = count;
        (*list).max_length = count;
        (*list).elements = elements;
        Some(list)
    }
}

/// Returns a list with one member.
pub(super) fn list_of_one(arena: &Arena, member: *mut pg::Node) -> *mut pg::List {
    list(arena, 1, |_| member).expect("only longer lists exceed the limits")
}

/// Returns a bit set; `None` if a member exceeds C's range.
pub(super) fn bitmapset(arena: &Arena, members: &[u64]) -> Option<*mut pg::Bitmapset> {
    let Some(&highest) = members.iter().max() else { return Some(null_mut()) };
    if highest > i32::MAX as u64 {
        return None;
    }
    let nwords = (highest / 64 + 1) as usize;
    // The words directly follow the header. Both sizes are multiples of eight bytes.
    let memory = arena.alloc_slice_fill_copy(size_of::<pg::Bitmapset>() / 8 + nwords, 0u64);
    let (header, words) = memory.split_at_mut(size_of::<pg::Bitmapset>() / 8);
    for member in members {
        words[(member / 64) as usize] |= 1 << (member % 64);
    }
    let set = header.as_mut_ptr().cast::<pg::Bitmapset>();
    // SAFETY: the header's memory is zeroed, aligned and large enough for the struct.
    unsafe {
        (*set).type_ = pg::T_Bitmapset;
        (*set).nwords = nwords as i32;
    }
    Some(set)
}

/// Returns the C char for one ASCII character, or 0 for an empty string. Returns `None` for any other string.
pub(super) fn char(text: &str) -> Option<c_char> {
    match text.as_bytes() {
        [] => Some(0),
        [byte] if byte.is_ascii() => Some(*byte as c_char),
        _ => None,
    }
}

/// Writes a node's tag, the first member of every node struct (nodes/nodes.h).
#[inline(always)]
pub(super) fn set_tag<M, T: CNode<M>>(node: &mut T, tag: pg::NodeTag) {
    const { assert!(size_of::<T>() >= size_of::<pg::Node>()) };
    // SAFETY: a CNode starts with its tag.
    unsafe { std::ptr::from_mut(node).cast::<pg::NodeTag>().write(tag) };
}

macro_rules! implement {
    ($($tag:ident $c:ident $rust:ident $variant:ident $json:literal { $($fields:tt)* })*) => {
        // SAFETY: each struct of the table of nodes (nodes.rs) is a node. Its first member is a tag or an embedded
        // node. In the bindings, all other fields have types that `CNode` allows.
        $(unsafe impl CNode<row::$rust> for pg::$c {})*
    };
}
nodes!(implement);

macro_rules! implement_values {
    ($($c:ident $rust:ident,)*) => {
        // SAFETY: each of these structs is a node, although the table of nodes (nodes.rs) does not contain it. Its
        // first member is a tag, and all other fields have types that `CNode` allows.
        $(unsafe impl CNode<row::$rust> for pg::$c {})*
    };
}
implement_values!(A_Const AConst, String String, Integer Integer, Float Float, Boolean Boolean, BitString BitString, List List,);
