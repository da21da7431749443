//! Deparses one statement of a C tree to SQL, through the C code in `shim.c`.

use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::ptr::null_mut;

use super::bindings::{self as pg, PgqOutcome};
use super::context::Context;
use super::diagnostic::Diagnostic;
use super::stack;
use super::tree_ref::StatementRef;

/// libpg_query's pretty-printing options. Comments are passed separately.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct DeparseOpts {
    pub pretty: bool,
    pub indent_size: i32,
    pub max_line_length: i32,
    pub trailing_newline: bool,
    pub commas_start_of_line: bool,
}

/// A comment and its position, as in postgres_deparse.h.
pub(crate) struct Comment<'a> {
    pub match_location: i32,
    pub newlines_before: i32,
    pub newlines_after: i32,
    pub text: &'a CStr,
}

/// The comments as a C array of pointers, as postgres_deparse.h requires.
pub(super) struct CommentArray {
    pointers: Vec<*mut pg::PostgresDeparseComment>,
    /// The targets of `pointers`. They must not be accessed while the pointers are in use.
    _comments: Vec<pg::PostgresDeparseComment>,
}

impl CommentArray {
    /// Creates the C array for `comments`. Returns `None` if there are no comments.
    #[inline]
    pub(super) fn new(comments: &[Comment<'_>]) -> Option<Self> {
        (!comments.is_empty()).then(|| Self::of(comments))
    }

    #[cold]
    fn of(comments: &[Comment<'_>]) -> Self {
        let mut comments: Vec<_> = comments
            .iter()
            .map(|c| pg::PostgresDeparseComment {
                match_location: c.match_location,
                newlines_before_comment: c.newlines_before,
                newlines_after_comment: c.newlines_after,
                str_: c.text.as_ptr().cast_mut(),
            })
            .collect();
        let pointers = comments.iter_mut().map(std::ptr::from_mut).collect();
        Self { pointers, _comments: comments }
    }
}

impl DeparseOpts {
    /// Returns the C options. They point to `comments`, which must outlive them.
    pub(super) fn with(&self, comments: Option<&mut CommentArray>) -> pg::PostgresDeparseOpts {
        let (comments, comment_count) =
            comments.map_or((null_mut(), 0), |comments| (comments.pointers.as_mut_ptr(), comments.pointers.len()));
        pg::PostgresDeparseOpts {
            comments,
            comment_count,
            pretty_print: self.pretty,
            indent_size: self.indent_size,
            max_line_length: self.max_line_length,
            trailing_newline: self.trailing_newline,
            commas_start_of_line: self.commas_start_of_line,
        }
    }
}

/// Size of the deparser's buffer, in bytes. Longer output is allocated in the context.
const BUFFER: usize = 16 << 10;

/// Appends one statement of a tree to `sql`. The deparser's stack suffices for any tree that SQL of `depth_bytes` bytes
/// can produce. The caller guarantees that the statement's tree is not deeper than such a tree.
pub(crate) fn deparse_statement(
    statement: StatementRef<'_>,
    opts: &DeparseOpts,
    comments: &[Comment<'_>],
    depth_bytes: usize,
    sql: &mut String,
) -> Result<(), Diagnostic> {
    let mut owner = Context::take().ok_or_else(Diagnostic::out_of_memory)?;
    let output = &mut owner.memory_mut().output;
    output.reserve(BUFFER);
    let (buffer, size) = (output.as_mut_ptr().cast(), output.capacity().min(BUFFER));
    let mut comments = CommentArray::new(comments);
    let mut c_opts = opts.with(comments.as_mut());
    let mut outcome = MaybeUninit::<PgqOutcome>::uninit();
    let (raw, opts, result) = (statement.as_ptr().cast_mut(), &raw mut c_opts, outcome.as_mut_ptr());
    let context = owner.as_ptr();
    // `move` captures the pointers by value. A capture by reference would store them in memory before the call.
    let text = stack::try_with_stack_for(depth_bytes, move |available| {
        // SAFETY: a StatementRef's tree is valid, and the deparser only reads it. Options and comments live in this
        // frame until the call returns. The buffer has at least `size` bytes and lives as long as the context. Errors
        // are trapped.
        unsafe { pg::pgq_deparse(context, raw, opts, buffer, size, available, result) }
    });
    let text = text.ok_or_else(Diagnostic::out_of_memory)?;
    // SAFETY: pgq_deparse has filled the outcome.
    let outcome = unsafe { outcome.assume_init_ref() };
    if outcome.failed {
        // SAFETY: the context has not been reset.
        return Err(unsafe { refusal(outcome) });
    }
    // SAFETY: on success `data` points to `len` bytes in the buffer or in the context, which are both still live.
    let bytes = unsafe { std::slice::from_raw_parts(text.data.cast::<u8>(), text.len) };
    // Most SQL is ASCII, and checking for ASCII is cheaper than validating UTF-8.
    if !is_ascii(bytes) {
        append_other_text(bytes, sql);
        return Ok(());
    }
    // SAFETY: ASCII is UTF-8.
    let text = unsafe { std::str::from_utf8_unchecked(bytes) };
    if sql.is_empty() {
        *sql = text.to_owned()
    } else {
        sql.push_str(text)
    }
    Ok(())
}

/// # Safety
/// `outcome` must be from a failed call whose context has not been reset.
#[cold]
unsafe fn refusal(outcome: &PgqOutcome) -> Diagnostic {
    // SAFETY: the caller meets this function's requirements.
    let (error, _) = unsafe { Diagnostic::of_outcome(outcome) };
    error.unwrap_or_default()
}

#[inline(never)]
fn append_other_text(bytes: &[u8], sql: &mut String) {
    match std::str::from_utf8(bytes) {
        Ok(text) => sql.push_str(text),
        Err(_) => sql.push_str(&String::from_utf8_lossy(bytes)),
    }
}

/// Returns whether all bytes are ASCII. Tests 16 bytes at a time. The last group may overlap the previous group.
#[inline(always)]
fn is_ascii(bytes: &[u8]) -> bool {
    const HIGH: u128 = u128::from_ne_bytes([0x80; 16]);
    let (words, _) = bytes.as_chunks::<16>();
    let Some(last) = bytes.last_chunk::<16>() else { return bytes.is_ascii() };
    let all = words.iter().fold(u128::from_ne_bytes(*last), |all, word| all | u128::from_ne_bytes(*word));
    all & HIGH == 0
}
