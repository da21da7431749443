//! Logs that are a single JSON document, such as an array. pgq parses a document as a whole, so its size is limited.

use std::io;

use serde::de::IgnoredAny;

use super::Unwrapper;
use super::sample::MAX_LINES;
use crate::scan::lines::split_lines;

impl Unwrapper {
    /// Maximum number of bytes of a JSON document, and of a line. A document needs several times its size in memory.
    pub const MAX_DOCUMENT: usize = 256 << 20;

    /// Whether a sample is the start of a single JSON document that has several lines. Such a document must be read as
    /// a whole.
    #[must_use]
    pub fn needs_all(sample: &[u8]) -> bool {
        let text = sample.trim_ascii_start();
        let line = text.split(|b| *b == b'\n').next().unwrap_or_default();
        !sample.starts_with(b"\t")
            && matches!(text.first(), Some(b'{' | b'['))
            && matches!(text[1..].trim_ascii_start().first(), Some(b'{' | b'[' | b'"'))
            && serde_json::from_slice::<IgnoredAny>(line).is_err()
    }

    /// Refuses a JSON document that is too long. `start`: the first bytes of a log for which [`Unwrapper::needs_all`]
    /// returned `true`.
    ///
    /// # Errors
    /// Returns an error if `start` is longer than [`Unwrapper::MAX_DOCUMENT`]. Exception: there is no error if a line
    /// after the first is a complete JSON object. Such a log is not a document. It has one object per line, and only
    /// its first line is cut or damaged.
    pub fn check_start(start: &[u8]) -> io::Result<()> {
        let is_object = |line: &[u8]| line.starts_with(b"{") && serde_json::from_slice::<IgnoredAny>(line).is_ok();
        let problem = check_document(start.len());
        if problem.is_err() && split_lines(start).skip(1).take(MAX_LINES).any(is_object) { Ok(()) } else { problem }
    }
}

/// Returns an error if a JSON document or a line of `len` bytes is too long.
pub fn check_document(len: usize) -> io::Result<()> {
    if len <= Unwrapper::MAX_DOCUMENT {
        return Ok(());
    }
    let problem = "has a JSON document or a line of more than 256 MB: write one object per line (such as by jq -c '.[]' \
                   or jq -c '.events[]'), or export the log in parts";
    Err(io::Error::other(problem))
}
