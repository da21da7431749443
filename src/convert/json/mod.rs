//! Writes C trees as libpg_query's JSON, without intermediate structs. The result is the same as from `pg_query_parse`.
//!
//! libpg_query's JSON has these peculiarities: it omits empty strings, zeros and member 0 of a bit set. It escapes `<`
//! and `>`. It does not escape char fields. The lossless form differs only in that it contains empty strings.

pub(crate) mod escape;
mod fields;
#[cfg(feature = "proto")]
mod from_json;
#[cfg(feature = "proto")]
mod object;
mod position;
#[cfg(feature = "proto")]
mod target;
pub(crate) mod text;
#[cfg(feature = "proto")]
mod value_nodes;
#[cfg(feature = "proto")]
mod values;

pub(crate) use escape::escape;
#[cfg(feature = "proto")]
pub(crate) use from_json::from_json;
pub(crate) use position::{LocationShift, StatementPosition};

use std::io::Write;

use super::enums::{TreeEnum, kinds};
use super::nodes::nodes;
use super::problem::Problem;
use crate::convert::row;
use crate::sys::stack::{HasStackGuard, StackGuard, recurse};
use crate::sys::{StatementRef, bindings as pg, c_bytes, cells, members};
use fields::write_field;
use text::JsonText;

/// A writer that appends trees as JSON to a reusable buffer.
pub(crate) struct JsonWriter {
    out: JsonText,
    stack_guard: StackGuard,
    problem: Option<Problem>,
    shift: LocationShift,
    /// Whether empty strings are written.
    lossless: bool,
}

impl HasStackGuard for JsonWriter {
    #[cfg_attr(not(pgq_large_frames), inline(always))]
    fn stack_guard(&mut self) -> &mut StackGuard {
        &mut self.stack_guard
    }
}

impl JsonWriter {
    /// Creates a writer that appends to `out`.
    pub(crate) fn new(out: Vec<u8>) -> Self {
        Self {
            out: JsonText::new(out),
            stack_guard: StackGuard::new(),
            problem: None,
            shift: LocationShift(0),
            lossless: false,
        }
    }

    /// Creates a writer for the lossless form, which includes empty strings.
    pub(crate) fn lossless(out: Vec<u8>) -> Self {
        Self { lossless: true, ..Self::new(out) }
    }

    /// Returns the first problem since the last call, if any.
    pub(crate) fn take_problem(&mut self) -> Option<Problem> {
        if self.stack_guard.take_exceeded() { Some(Problem::TooDeep) } else { self.problem.take() }
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.out.into_bytes()
    }

    pub(crate) fn into_string(self) -> String {
        self.out.into_string()
    }

    /// Returns the typical size of the JSON for `sql_bytes` bytes of SQL.
    pub(crate) fn usual_bytes(sql_bytes: usize) -> usize {
        const PER_BYTE: usize = 12;
        const MOST: usize = 1 << 20;
        (sql_bytes.saturating_mul(PER_BYTE) + 256).min(MOST)
    }

    /// Reserves capacity for the JSON of `sql_bytes` bytes of SQL. Gradual growth would copy the JSON several times.
    pub(crate) fn reserve_for(&mut self, sql_bytes: usize) {
        self.out.bytes().reserve(Self::usual_bytes(sql_bytes));
    }

    pub(crate) fn len(&self) -> usize {
        self.out.len()
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.out.bytes().truncate(len);
    }

    /// Writes the start of the document: `{"version":180006,"stmts":[`.
    pub(crate) fn open(&mut self) {
        self.raw(b"{\"version\":");
        self.int(i64::from(pg::PG_VERSION_NUM));
        self.raw(b",\"stmts\":[");
    }

    pub(crate) fn close(&mut self) {
        self.raw(b"]}");
    }

    pub(crate) fn comma(&mut self) {
        self.raw(b",");
    }

    /// Writes one element of `stmts`, without a comma.
    pub(crate) fn statement(&mut self, statement: StatementRef<'_>, shift: LocationShift, position: StatementPosition) {
        self.shift = shift;
        // SAFETY: a StatementRef points to a valid RawStmt. Only the RawStmt is copied. The copy
        // and the original point to the same statement node.
        let mut raw = unsafe { *statement.as_ptr() };
        if let StatementPosition::Alone = position {
            (raw.stmt_location, raw.stmt_len) = (0, 0);
        }
        self.raw(b"{");
        // SAFETY: `raw` is a copy of a valid RawStmt, with the same children.
        unsafe { JsonFields::<row::RawStmt>::fields(&raw, self) };
        self.end(b"}");
    }

    #[cfg_attr(not(pgq_large_frames), inline(always))]
    fn raw(&mut self, bytes: &[u8]) {
        self.out.raw(bytes);
    }

    #[cfg_attr(not(pgq_large_frames), inline(always))]
    fn end(&mut self, closing: &[u8]) {
        self.out.end(closing);
    }

    #[cfg_attr(not(pgq_large_frames), inline(always))]
    fn int(&mut self, value: i64) {
        self.out.int(value);
    }

    #[cold]
    fn fail(&mut self, problem: Problem) {
        self.problem.get_or_insert(problem);
    }

    /// # Safety
    /// `c` must be NULL or a valid node whose tag matches its type.
    unsafe fn node(&mut self, c: *const pg::Node) {
        if c.is_null() {
            return self.raw(b"{}");
        }
        // SAFETY: the caller guarantees that `c` is valid if it is not NULL.
        recurse(self, |walk| unsafe { walk.by_tag(c) });
    }

    /// # Safety
    /// `list` must be NULL or a valid list of node pointers.
    unsafe fn items(&mut self, list: *const pg::List) {
        self.raw(b"[");
        // SAFETY: the caller guarantees that the list and its members are valid.
        for (i, cell) in unsafe { cells(list) }.iter().enumerate() {
            if i > 0 {
                self.raw(b",");
            }
            // SAFETY: as above.
            unsafe { self.node(cell.ptr_value.cast()) };
        }
        self.raw(b"]");
    }

    /// # Safety
    /// `c` must be NULL or a NUL-terminated string.
    #[inline]
    unsafe fn string(&mut self, c: *const std::ffi::c_char) {
        if c.is_null() {
            return self.raw(b"null");
        }
        // SAFETY: the caller guarantees that `c` is a NUL-terminated string if it is not NULL.
        self.out.string(unsafe { c_bytes(c) });
    }

    /// # Safety
    /// `set` must be NULL or a valid Bitmapset.
    unsafe fn bitmapset(&mut self, set: *const pg::Bitmapset) {
        self.raw(b"[");
        // SAFETY: the caller guarantees that the set is valid. Member 0 is skipped because libpg_query's JSON never
        // contains it.
        for member in unsafe { members(set) }.filter(|m| *m > 0) {
            self.int(member as i64);
            self.raw(b",");
        }
        self.end(b"],");
    }

    /// # Safety
    /// `c` must be a valid A_Const.
    unsafe fn constant(&mut self, c: *const pg::A_Const) {
        // SAFETY: c is valid; the tag inside the union names the member that is set.
        unsafe {
            let c = &*c;
            match c.val.node.type_ {
                _ if c.isnull => self.raw(b"\"isnull\":true"),
                pg::T_Integer => {
                    self.raw(b"\"ival\":{");
                    self.integer(c.val.ival.ival);
                    self.raw(b"}");
                }
                pg::T_Float => self.wrapped(b"\"fval\":{\"fval\":", c.val.fval.fval),
                pg::T_Boolean if c.val.boolval.boolval => self.raw(b"\"boolval\":{\"boolval\":true}"),
                pg::T_Boolean => self.raw(b"\"boolval\":{}"),
                pg::T_String => self.wrapped(b"\"sval\":{\"sval\":", c.val.sval.sval),
                pg::T_BitString => self.wrapped(b"\"bsval\":{\"bsval\":", c.val.bsval.bsval),
                tag => self.fail(Problem::UnknownNode(tag)),
            }
            self.raw(b",\"location\":");
            self.int(self.shift.apply(c.location));
        }
    }

    /// # Safety
    /// Same as for [`Self::string`].
    unsafe fn wrapped(&mut self, opening: &[u8], c: *const std::ffi::c_char) {
        self.raw(opening);
        // SAFETY: the caller meets this function's requirements.
        unsafe { self.string(c) };
        self.raw(b"}");
    }

    fn integer(&mut self, value: i32) {
        if value != 0 {
            self.raw(b"\"ival\":");
            self.int(i64::from(value));
        }
    }
}

/// A C struct whose fields can be written as JSON. A comma is written after each field. `Message`
/// is the node type (see row.rs). It is a parameter because some node types share a C struct.
trait JsonFields<Message> {
    /// # Safety
    /// `self` must be a valid node with valid children.
    unsafe fn fields(&self, walk: &mut JsonWriter);
}

/// `String` is the only value node that needs an implementation, because some nodes have fields of the type `String`.
/// No field has the type `Integer`, `Float`, `Boolean` or `BitString`.
impl JsonFields<row::String> for pg::String {
    unsafe fn fields(&self, walk: &mut JsonWriter) {
        walk.raw(b"\"sval\":");
        // SAFETY: the caller guarantees that the node is valid.
        unsafe { walk.string(self.sval) };
    }
}

macro_rules! walk {
    ($($tag:ident $c:ident $rust:ident $variant:ident $json:literal {
        $($kind:ident $field:ident $key:literal $cfield:ident $(: $ty:ident)?;)*
    })*) => {
        $(
            impl JsonFields<row::$rust> for pg::$c {
                #[inline(never)] // keeps the frames of a deep walk small
                #[allow(unused_unsafe)] // some nodes have no fields
                unsafe fn fields(&self, walk: &mut JsonWriter) {
                    let _ = &walk;
                    // SAFETY: the caller guarantees that the node and its children are valid.
                    unsafe {
                        $(write_field!($kind, walk, concat!("\"", $key, "\":").as_bytes(), self.$cfield $(, $ty)?);)*
                    }
                }
            }
        )*

        impl JsonWriter {
            /// # Safety
            /// `c` must be a valid node whose tag matches its type.
            unsafe fn by_tag(&mut self, c: *const pg::Node) {
                // SAFETY: c is valid, and each arm casts to the struct that its tag names.
                unsafe {
                    match (*c).type_ {
                        $(pg::$tag => {
                            self.raw(concat!("{\"", $json, "\":{").as_bytes());
                            JsonFields::<row::$rust>::fields(&*c.cast::<pg::$c>(), self);
                        })*
                        pg::T_A_Const => {
                            self.raw(b"{\"A_Const\":{");
                            self.constant(c.cast());
                        }
                        pg::T_String => {
                            self.raw(b"{\"String\":{\"sval\":");
                            self.string((*c.cast::<pg::String>()).sval);
                        }
                        pg::T_Integer => {
                            self.raw(b"{\"Integer\":{");
                            self.integer((*c.cast::<pg::Integer>()).ival);
                        }
                        pg::T_Float => {
                            self.raw(b"{\"Float\":{\"fval\":");
                            self.string((*c.cast::<pg::Float>()).fval);
                        }
                        pg::T_Boolean => {
                            self.raw(b"{\"Boolean\":{\"boolval\":");
                            let value = (*c.cast::<pg::Boolean>()).boolval;
                            self.raw(if value { b"true" } else { b"false" });
                        }
                        pg::T_BitString => {
                            self.raw(b"{\"BitString\":{\"bsval\":");
                            self.string((*c.cast::<pg::BitString>()).bsval);
                        }
                        pg::T_List => {
                            self.raw(b"{\"List\":{\"items\":");
                            self.items(c.cast());
                        }
                        // This arm also covers lists of numbers, which raw parse trees never contain.
                        tag => {
                            self.fail(Problem::UnknownNode(tag));
                            return;
                        }
                    }
                }
                self.end(b"}}");
            }
        }
    };
}
nodes!(walk);
