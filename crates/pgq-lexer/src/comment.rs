//! Rules for white space and comments between tokens (scan.l: space, comment, xc).

use crate::byte_class::{is_newline, is_space};
use crate::kinds::{C_COMMENT, SQL_COMMENT};
use crate::scan::{ScanResult, SqlText};
use crate::token::FallbackReason;

impl SqlText<'_> {
    /// The end of the white space from `at` on. It often starts with the indent of a line.
    #[inline(never)]
    pub(crate) fn space_end(self, mut at: usize) -> usize {
        const INDENT: &[u8] = b"    ";
        loop {
            while self.0[at..].starts_with(INDENT) {
                at += INDENT.len();
            }
            if !self.byte(at).is_some_and(is_space) {
                return at;
            }
            at += 1;
        }
    }

    /// `-- …` to the end of the line.
    pub(crate) fn line_comment(self, start: usize) -> ScanResult {
        ScanResult::token(self.line_end(start), SQL_COMMENT, 0)
    }

    fn line_end(self, at: usize) -> usize {
        memchr::memchr2(b'\n', b'\r', &self.0[at..]).map_or(self.0.len(), |len| at + len)
    }

    /// `/* … */`, which nests.
    #[inline(never)]
    pub(crate) fn block_comment(self, start: usize) -> ScanResult {
        let mut at = start + 2;
        let mut depth = 1;
        while depth > 0 {
            let Some(len) = memchr::memchr2(b'*', b'/', &self.0[at..]) else {
                return ScanResult::fallback(FallbackReason::Unterminated);
            };
            at += len;
            match (self.0[at], self.byte(at + 1)) {
                (b'*', Some(b'/')) => (depth, at) = (depth - 1, at + 2),
                (b'/', Some(b'*')) => (depth, at) = (depth + 1, at + 2),
                _ => at += 1,
            }
        }
        ScanResult::token(at, C_COMMENT, 0)
    }

    /// `at` is the offset after a literal's closing quote. If the literal continues on a later
    /// line, with only white space and line comments in between, returns the offset after the
    /// next opening quote (scan.l: quotecontinue).
    #[inline]
    pub(crate) fn continuation(self, mut at: usize) -> Option<usize> {
        let mut on_later_line = false;
        loop {
            match self.byte(at)? {
                b'\'' if on_later_line => return Some(at + 1),
                byte if is_space(byte) => {
                    on_later_line |= is_newline(byte);
                    at += 1;
                }
                b'-' if self.byte(at + 1) == Some(b'-') => at = self.line_end(at),
                _ => return None,
            }
        }
    }
}
