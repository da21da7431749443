//! Safe references to parse trees in C memory, for the visitors in src/convert. Only src/sys and src/convert can create
//! such a reference. Other code can store and pass references without `unsafe`.

use std::ffi::{CStr, c_char};
use std::marker::PhantomData;

use super::bindings as pg;

/// A statement of a parse tree. The whole tree of its RawStmt is valid for `'t`. Every pointer in it is NULL or points
/// to a node of the type that the node's tag names. Every string ends in a NUL.
#[derive(Clone, Copy)]
pub(crate) struct StatementRef<'t> {
    raw: *const pg::RawStmt,
    _tree: PhantomData<&'t pg::RawStmt>,
}

/// The statements of a parse tree: NULL, or a list of RawStmt pointers. None of these pointers is NULL, and each meets
/// the requirements of [`StatementRef`].
#[derive(Clone, Copy)]
pub(crate) struct TreeRef<'t> {
    list: *const pg::List,
    _tree: PhantomData<&'t pg::List>,
}

/// The root for a visitor: a whole tree or one statement.
#[derive(Clone, Copy)]
pub(crate) enum Subject<'t> {
    Tree(TreeRef<'t>),
    Statement(StatementRef<'t>),
}

impl<'t> StatementRef<'t> {
    /// # Safety
    /// `raw` must meet the requirements of [`StatementRef`] for `'t`.
    #[inline]
    pub(crate) unsafe fn new(raw: *const pg::RawStmt) -> Self {
        Self { raw, _tree: PhantomData }
    }

    #[inline]
    pub(crate) fn as_ptr(self) -> *const pg::RawStmt {
        self.raw
    }

    /// Returns the statement's node. The node's tag names its type.
    #[inline]
    pub(crate) fn node(self) -> *const pg::Node {
        // SAFETY: the RawStmt is valid for 't.
        unsafe { (*self.raw).stmt }
    }

    /// Returns the byte offset of the statement in the parsed text; 0 also means "not set".
    pub(crate) fn location(self) -> i32 {
        // SAFETY: as above.
        unsafe { (*self.raw).stmt_location }
    }

    /// Returns the statement's length in bytes; 0 means "to the end of the SQL".
    pub(crate) fn len(self) -> i32 {
        // SAFETY: as above.
        unsafe { (*self.raw).stmt_len }
    }
}

impl<'t> TreeRef<'t> {
    /// # Safety
    /// `list` must meet the requirements of [`TreeRef`] for `'t`.
    #[inline]
    pub(crate) unsafe fn new(list: *const pg::List) -> Self {
        Self { list, _tree: PhantomData }
    }

    #[inline]
    pub(crate) fn as_ptr(self) -> *const pg::List {
        self.list
    }

    #[inline]
    pub(crate) fn statements(
        self,
    ) -> impl DoubleEndedIterator<Item = StatementRef<'t>> + ExactSizeIterator + Clone + use<'t> {
        // SAFETY: the list is valid for 't and contains RawStmt pointers.
        unsafe { cells::<'t>(self.list) }.iter().map(|cell| unsafe {
            // SAFETY: the pointer is a member of that list.
            StatementRef::new(cell.ptr_value.cast_const().cast())
        })
    }

    pub(crate) fn len(self) -> usize {
        self.statements().len()
    }

    /// # Panics
    /// Panics if there is no statement `index`.
    #[inline]
    pub(crate) fn statement(self, index: usize) -> StatementRef<'t> {
        // SAFETY: the list is valid for 't and contains RawStmt pointers. Indexing checks `index`.
        unsafe { StatementRef::new(cells::<'t>(self.list)[index].ptr_value.cast_const().cast()) }
    }
}

impl<'t> Subject<'t> {
    /// Returns the node at which a visitor starts, and the node's depth as libpg_query counts it. A single statement
    /// has depth 1, because the list of statements is at depth 0.
    pub(crate) fn start(self) -> (*const pg::Node, u32) {
        match self {
            Self::Tree(tree) => (tree.as_ptr().cast(), 0),
            Self::Statement(statement) => (statement.as_ptr().cast(), 1),
        }
    }
}

/// Returns the members of a C bit set, in ascending order.
///
/// # Safety
/// `set` must be NULL or a valid Bitmapset that outlives `'a`.
pub(crate) unsafe fn members<'a>(set: *const pg::Bitmapset) -> impl Iterator<Item = u64> + 'a {
    // SAFETY: the caller guarantees that the set is valid; `nwords` words follow its header.
    let words = unsafe {
        match set.as_ref() {
            Some(header) => std::slice::from_raw_parts((&raw const (*set).words).cast::<u64>(), header.nwords as usize),
            None => &[],
        }
    };
    (0u64..)
        .zip(words)
        .flat_map(|(i, word)| (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| i * 64 + bit))
}

/// Returns the cells of a C list of pointers.
///
/// # Safety
/// `list` must be NULL or a valid List of pointers that outlives `'a`.
#[inline(always)]
pub(crate) unsafe fn cells<'a>(list: *const pg::List) -> &'a [pg::ListCell] {
    // SAFETY: the caller guarantees that the list is valid. The `elements` of a List have `length` cells, and a
    // non-NULL List has at least one (pg_list.h).
    unsafe {
        match list.as_ref() {
            Some(list) => std::slice::from_raw_parts(list.elements, list.length as usize),
            None => &[],
        }
    }
}

/// Returns the bytes of a C string, without the NUL.
///
/// # Safety
/// `pointer` must point to a NUL-terminated string that outlives `'a`.
#[inline(always)]
pub(crate) unsafe fn c_bytes<'a>(pointer: *const c_char) -> &'a [u8] {
    // SAFETY: the caller guarantees the requirements of CStr::from_ptr.
    unsafe { CStr::from_ptr(pointer) }.to_bytes()
}
