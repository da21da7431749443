//! Computes the fingerprint of a C tree, with the same result as `pg_query_fingerprint_opts`.
//!
//! A fingerprint is a hash of tokens. The tokens of all nodes are written to one flat buffer in a single pass, so each
//! node is visited only once. Two things can be corrected only after a node is written: the name of a field is removed
//! if its child has written no tokens, and the items of a sorted list are reordered.
//!
//! The table [`fingerprints`] lists the fields that are part of the fingerprint. This module contains only the rules
//! that are not in the table. In libpg_query, too, these rules are written by hand.

mod buffers;
#[cfg(not(feature = "reference"))]
mod callback;
mod context;
mod fields;
mod table;

use std::cell::RefCell;
use std::io::Write;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::enums::{TreeEnum, kinds};
use super::problem::Problem;
use crate::sys::{FingerprintFlags, Subject, bindings as pg, c_bytes, cells, members, stack};
use buffers::{Buffers, Item, VERSION};
use context::FieldContext;
use fields::{counts, enum_name, write_field};
use table::fingerprints;

/// libpg_query's fingerprint ignores nodes at this depth or deeper.
const DEPTH_LIMIT: u32 = 100;

/// With `full_depth`, stack is reserved for this number of levels at a time.
const MORE_LEVELS: u32 = 1000;

/// Maximum number of levels that fit in the stack limit.
const DEEPEST: u32 = (stack::LIMIT / STACK_PER_LEVEL) as u32;

/// Maximum stack size of one level, in bytes. A level is a field, its node, and the list that contains the node.
const STACK_PER_LEVEL: usize = 4096;

/// Maximum size of a buffer that is kept for reuse, in bytes.
const KEEP: usize = 1 << 20;

thread_local! {
    static BUFFERS: RefCell<Buffers> = const {
        RefCell::new(Buffers { tokens: Vec::new(), items: Vec::new(), ordered: Vec::new() })
    };
}

/// A fingerprint's hash, and whether the tree was truncated at the depth limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TreeFingerprint {
    pub hash: u64,
    pub truncated: bool,
}

/// Returns the fingerprint of a tree or a statement. With `full_depth`, libpg_query's depth limit does not apply.
#[inline]
pub(crate) fn fingerprint(
    subject: Subject<'_>,
    flags: FingerprintFlags,
    full_depth: bool,
) -> Result<TreeFingerprint, Problem> {
    let (node, depth) = subject.start();
    // SAFETY: the subject's tree is valid.
    unsafe { fingerprint_node(node, depth, flags, full_depth) }
}

/// Returns the fingerprint of a node at depth `depth`, or of NULL.
///
/// # Safety
/// `node` must be NULL or a tree that is valid during the call.
#[inline]
pub(super) unsafe fn fingerprint_node(
    node: *const pg::Node,
    depth: u32,
    flags: FingerprintFlags,
    full_depth: bool,
) -> Result<TreeFingerprint, Problem> {
    // Take the buffers out of the cell. A nested call then finds empty buffers in the cell and uses these. If this call
    // borrowed the cell instead, a nested call would panic.
    let buffers = BUFFERS.with(RefCell::take);
    let mut walk = Fingerprinter { buffers, flags, limit: DEPTH_LIMIT, full_depth, truncated: false, problem: None };
    let walked = stack::try_with_stack_for_levels(DEPTH_LIMIT as usize, STACK_PER_LEVEL, || {
        // SAFETY: the caller guarantees that the tree is valid.
        unsafe { walk.node(node, FieldContext::NONE, depth) };
    });
    if walked.is_none() {
        return Err(Problem::OutOfMemory);
    }
    let Fingerprinter { mut buffers, truncated, problem, .. } = walk;
    let hash = xxh3_64_with_seed(&buffers.tokens, VERSION);
    buffers.tokens.clear();
    if buffers.tokens.capacity() <= KEEP {
        BUFFERS.with(|kept| kept.replace(buffers));
    }
    problem.map_or(Ok(TreeFingerprint { hash, truncated }), Err)
}

#[cold]
#[inline(never)]
fn more_room(tokens: &mut Vec<u8>, count: usize) {
    tokens.reserve(count);
}

struct Fingerprinter {
    buffers: Buffers,
    flags: FingerprintFlags,
    /// Nodes at this depth or deeper are ignored or, with `full_depth`, visited after more stack has been reserved.
    limit: u32,
    full_depth: bool,
    /// Whether a part of the tree was ignored because of its depth.
    truncated: bool,
    problem: Option<Problem>,
}

impl Fingerprinter {
    #[cfg_attr(not(pgq_large_frames), inline(always))]
    fn token(&mut self, bytes: &[u8]) {
        let to = self.room_for(bytes.len());
        // SAFETY: `room_for` has reserved room for the bytes. They do not overlap the buffer, which is borrowed
        // mutably.
        unsafe {
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len());
            self.written(bytes.len());
        }
    }

    /// Reserves room for `count` bytes of tokens. Returns the address of the first byte.
    #[cfg_attr(not(pgq_large_frames), inline(always))]
    fn room_for(&mut self, count: usize) -> *mut u8 {
        let tokens = &mut self.buffers.tokens;
        if tokens.capacity() - tokens.len() < count {
            more_room(tokens, count);
        }
        tokens.spare_capacity_mut().as_mut_ptr().cast()
    }

    /// # Safety
    /// `count` bytes must have been written at the address that [`Self::room_for`] returned.
    #[cfg_attr(not(pgq_large_frames), inline(always))]
    unsafe fn written(&mut self, count: usize) {
        let tokens = &mut self.buffers.tokens;
        // SAFETY: the caller meets this function's requirements.
        unsafe { tokens.set_len(tokens.len() + count) };
    }

    #[inline]
    fn number(&mut self, value: impl itoa::Integer) {
        self.token(itoa::Buffer::new().format(value).as_bytes());
    }

    /// # Safety
    /// `c` must be a NUL-terminated string.
    #[inline(never)]
    unsafe fn text(&mut self, c: *const std::ffi::c_char) {
        /// Maximum length of a string that is copied byte by byte. Most strings are names, for which a call of strlen
        /// costs more than the copy.
        const SHORT: usize = 16;
        let to = self.room_for(SHORT);
        for i in 0..SHORT {
            // SAFETY: the string does not end before this byte, and the buffer has room for it.
            unsafe {
                let byte = *c.add(i) as u8;
                if byte == 0 {
                    return self.written(i);
                }
                to.add(i).write(byte);
            }
        }
        // SAFETY: the caller meets this function's requirements.
        self.token(unsafe { c_bytes(c) });
    }

    /// Writes the name of a field that contains nodes. Returns the start and the end of the name in the buffer, for
    /// [`Self::end_child`].
    #[cfg_attr(not(pgq_large_frames), inline(always))]
    fn begin_child(&mut self, name: &[u8]) -> (usize, usize) {
        let start = self.buffers.tokens.len();
        self.token(name);
        (start, self.buffers.tokens.len())
    }

    /// Removes the field's name from the tokens if no token follows it. Keeps the name if `bare` is true. `start` and
    /// `end` are the positions that [`Self::begin_child`] returned.
    #[cfg_attr(not(pgq_large_frames), inline(always))]
    fn end_child(&mut self, (start, end): (usize, usize), bare: bool) {
        if self.buffers.tokens.len() == end && !bare {
            self.buffers.tokens.truncate(start);
        }
    }

    /// # Safety
    /// `c` must be NULL or a valid node whose tag matches its type.
    #[inline]
    unsafe fn node(&mut self, c: *const pg::Node, site: FieldContext, depth: u32) {
        if c.is_null() {
            return;
        }
        if depth < self.limit {
            // SAFETY: the caller guarantees that `c` is valid if it is not NULL.
            unsafe { self.by_tag(c, site, depth) };
        } else {
            // SAFETY: as above.
            self.beyond(depth, |walk| unsafe { walk.by_tag(c, site, depth) });
        }
    }

    /// Writes the tokens of a node whose type is known.
    ///
    /// # Safety
    /// `c` must be a valid node with valid children.
    #[inline]
    unsafe fn message<T: FingerprintFields>(&mut self, c: &T, site: FieldContext, depth: u32) {
        if depth < self.limit {
            // SAFETY: the caller meets this function's requirements.
            unsafe { c.fields(self, site, depth) };
        } else {
            // SAFETY: as above.
            self.beyond(depth, |walk| unsafe { c.fields(walk, site, depth) });
        }
    }

    /// Handles a node at the depth limit or deeper: ignores it or, with `full_depth`, visits it
    /// with more stack.
    #[cold]
    fn beyond(&mut self, depth: u32, f: impl FnOnce(&mut Self)) {
        if !self.full_depth {
            self.truncated = true;
        } else if depth >= DEEPEST {
            self.fail(Problem::TooDeep);
        } else {
            let outer = std::mem::replace(&mut self.limit, depth + MORE_LEVELS);
            let result = stack::try_with_stack_for_levels(MORE_LEVELS as usize, STACK_PER_LEVEL, || f(self));
            self.limit = outer;
            if result.is_none() {
                self.fail(Problem::TooDeep); // there is no memory for more levels
            }
        }
    }

    /// # Safety
    /// `list` must be a valid list of node pointers.
    unsafe fn list(&mut self, list: *const pg::List, site: FieldContext, depth: u32) {
        // SAFETY: the caller guarantees that the list and its members are valid.
        let cells = unsafe { cells(list) };
        let sorted = site.sorted && cells.len() > 1;
        let first = self.buffers.items.len();
        for cell in cells {
            let start = self.buffers.tokens.len();
            // SAFETY: as above.
            unsafe { self.node(cell.ptr_value.cast(), site, depth + 1) };
            let end = self.buffers.tokens.len();
            if sorted && end > start {
                self.buffers.items.push(Item { hash: 0, start, end });
            }
        }
        if sorted {
            self.buffers.sort(first);
        }
    }

    #[cold]
    fn fail(&mut self, problem: Problem) {
        self.problem.get_or_insert(problem);
    }

    /// Writes the name of a relation. Omits runs of two or more digits, so that partitions have equal fingerprints.
    fn relation_name(&mut self, name: &[u8]) {
        self.token(b"relname");
        if self.flags.full_relation_names || !name.iter().any(u8::is_ascii_digit) {
            return self.token(name);
        }
        let digit = |i: usize| name.get(i).is_some_and(u8::is_ascii_digit);
        for (i, byte) in name.iter().enumerate() {
            if !(digit(i) && (digit(i + 1) || (i > 0 && digit(i - 1)))) {
                self.buffers.tokens.push(*byte);
            }
        }
    }
}

/// A C struct whose fields have fingerprint tokens.
trait FingerprintFields {
    /// # Safety
    /// `self` must be a valid node with valid children.
    unsafe fn fields(&self, walk: &mut Fingerprinter, site: FieldContext, depth: u32);
}

/// In a query, a relation that has an alias is represented by the alias and not by its name. In other statements, it is
/// represented by both.
impl FingerprintFields for pg::RangeVar {
    unsafe fn fields(&self, walk: &mut Fingerprinter, site: FieldContext, _depth: u32) {
        // SAFETY: the caller guarantees that the node and its children are valid.
        unsafe {
            let alias = if walk.flags.ignore_aliases { None } else { self.alias.as_ref() };
            if let Some(alias) = alias.filter(|alias| !alias.aliasname.is_null()) {
                walk.token(b"aliasname");
                walk.text(alias.aliasname);
            }
            if !self.catalogname.is_null() {
                walk.token(b"catalogname");
                walk.text(self.catalogname);
            }
            if self.inh {
                walk.token(b"inhtrue");
            }
            let persistence = self.relpersistence as u8;
            if !self.relname.is_null() && persistence != b't' && !(site.in_query && alias.is_some()) {
                walk.relation_name(c_bytes(self.relname));
            }
            if persistence != 0 {
                walk.token(b"relpersistence");
                walk.token(&[persistence]);
            }
            if !self.schemaname.is_null() && (!site.in_query || walk.flags.include_schema) {
                walk.token(b"schemaname");
                walk.text(self.schemaname);
            }
        }
    }
}

macro_rules! walk {
    ($($tag:ident $c:ident $token:literal $counts:ident {
        $($kind:ident $field:ident $key:literal $(: $ty:ident)?;)*
    })*) => {
        $(
            impl FingerprintFields for pg::$c {
                #[inline(never)] // keeps the frames of a deep walk small
                #[allow(unused_unsafe)] // some nodes have no fields, or only plain fields
                unsafe fn fields(&self, walk: &mut Fingerprinter, site: FieldContext, depth: u32) {
                    let _ = (&walk, site, depth);
                    // SAFETY: the caller guarantees that the node and its children are valid.
                    unsafe {
                        $(write_field!(
                            $kind, walk, $key, self.$field,
                            const { FieldContext::of(stringify!($c), $key) }, site, depth $(, $ty)?
                        );)*
                    }
                }
            }
        )*

        impl Fingerprinter {
            /// # Safety
            /// `c` must be a valid node whose tag matches its type.
            unsafe fn by_tag(&mut self, c: *const pg::Node, site: FieldContext, depth: u32) {
                // SAFETY: c is valid, and each arm casts to the struct that its tag names.
                unsafe {
                    match (*c).type_ {
                        $(pg::$tag => {
                            let node = c.cast::<pg::$c>();
                            if counts!($counts, node) {
                                self.token($token.as_bytes());
                                (*node).fields(self, site, depth);
                            }
                        })*
                        pg::T_RangeVar => {
                            self.token(b"RangeVar");
                            (*c.cast::<pg::RangeVar>()).fields(self, site, depth);
                        }
                        pg::T_List => self.list(c.cast(), site, depth),
                        pg::T_String => {
                            self.token(b"Stringstr");
                            self.text((*c.cast::<pg::String>()).sval);
                        }
                        pg::T_Integer => {
                            let value = (*c.cast::<pg::Integer>()).ival;
                            if value != 0 {
                                self.token(b"Integerival");
                                self.number(value);
                            }
                        }
                        pg::T_Float => {
                            let text = (*c.cast::<pg::Float>()).fval;
                            if !text.is_null() {
                                self.token(b"Floatstr");
                                self.text(text);
                            }
                        }
                        pg::T_Boolean => {
                            let value = (*c.cast::<pg::Boolean>()).boolval;
                            self.token(if value { b"Booleanboolvaltrue" } else { b"Booleanboolvalfalse" });
                        }
                        pg::T_BitString => {
                            let text = (*c.cast::<pg::BitString>()).bsval;
                            if !text.is_null() {
                                self.token(b"BitStringstr");
                                self.text(text);
                            }
                        }
                        // Ignore constants, and nodes that libpg_query does not know.
                        _ => {}
                    }
                }
            }
        }
    };
}
fingerprints!(walk);
