//! Deparsing through the shim: one statement of a C tree in, SQL out.

use std::ffi::CStr;
use std::mem::MaybeUninit;

use super::bindings::{self as pg, PgqOutcome};
use super::context::Context;
use super::diagnostic::Diagnostic;
use super::stack;
use super::tree_ref::StatementRef;

/// libpg_query's pretty-printing options; comments are passed beside them.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct DeparseOpts {
    pub pretty: bool,
    pub indent_size: i32,
    pub max_line_length: i32,
    pub trailing_newline: bool,
    pub commas_start_of_line: bool,
}

/// A comment and where it goes, in the terms of postgres_deparse.h.
pub(crate) struct Comment<'a> {
    pub match_location: i32,
    pub newlines_before: i32,
    pub newlines_after: i32,
    pub text: &'a CStr,
}

/// Comments as the C array of pointers that postgres_deparse.h wants.
pub(super) struct CommentArray {
    pointers: Vec<*mut pg::PostgresDeparseComment>,
    /// What `pointers` point to; never touched while they are in use.
    _comments: Vec<pg::PostgresDeparseComment>,
}

impl CommentArray {
    pub(super) fn new(comments: &[Comment<'_>]) -> Self {
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
    /// The C options. They point into `comments`, which must outlive their use.
    pub(super) fn with(&self, comments: &mut CommentArray) -> pg::PostgresDeparseOpts {
        pg::PostgresDeparseOpts {
            comments: comments.pointers.as_mut_ptr(),
            comment_count: comments.pointers.len(),
            pretty_print: self.pretty,
            indent_size: self.indent_size,
            max_line_length: self.max_line_length,
            trailing_newline: self.trailing_newline,
            commas_start_of_line: self.commas_start_of_line,
        }
    }
}

/// Writes one statement of a tree as SQL.
///
/// `depth_bytes` bounds the depth of the tree: it is at most as deep as a text of that length.
pub(crate) fn deparse_statement(
    statement: StatementRef<'_>,
    opts: &DeparseOpts,
    comments: &[Comment<'_>],
    depth_bytes: usize,
) -> Result<String, Diagnostic> {
    let context = Context::take().ok_or_else(Diagnostic::out_of_memory)?;
    let mut comments = CommentArray::new(comments);
    let mut c_opts = opts.with(&mut comments);
    let mut outcome = MaybeUninit::<PgqOutcome>::uninit();
    let text = stack::try_with_stack_for(depth_bytes, |available| {
        let raw = statement.as_ptr().cast_mut();
        // SAFETY: a StatementRef's tree is valid and the deparser only reads it; options and
        // comments live on this frame until the call returns; errors are trapped.
        unsafe { pg::pgq_deparse(context.as_ptr(), raw, &raw mut c_opts, available, outcome.as_mut_ptr()) }
    });
    let text = text.ok_or_else(Diagnostic::out_of_memory)?;
    // SAFETY: pgq_deparse has filled it, and the context has not been reset.
    let (error, _) = unsafe { Diagnostic::of_outcome(outcome.assume_init_ref()) };
    if let Some(error) = error {
        return Err(error);
    }
    // SAFETY: on success `data` points to `len` bytes in the context, which is still live.
    let bytes = unsafe { std::slice::from_raw_parts(text.data.cast::<u8>(), text.len) };
    Ok(String::from_utf8(bytes.to_vec()).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned()))
}
