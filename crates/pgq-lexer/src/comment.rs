//! What stands between tokens: white space and comments (scan.l: space, comment, xc).

use crate::bytes::{is_newline, is_space};
use crate::kinds::{C_COMMENT, SQL_COMMENT};
use crate::token::{FallbackReason, Lexeme, Text};

impl Text<'_> {
    /// The end of the white space that goes on at `at`, behind a line's end perhaps.
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

    /// `-- …` up to the end of the line.
    pub(crate) fn line_comment(self, start: usize) -> Lexeme {
        Lexeme::new(self.line_end(start), SQL_COMMENT, 0)
    }

    fn line_end(self, at: usize) -> usize {
        memchr::memchr2(b'\n', b'\r', &self.0[at..]).map_or(self.0.len(), |len| at + len)
    }

    /// `/* … */`, which nests.
    #[inline(never)]
    pub(crate) fn block_comment(self, start: usize) -> Lexeme {
        let mut at = start + 2;
        let mut depth = 1;
        while depth > 0 {
            let Some(len) = memchr::memchr2(b'*', b'/', &self.0[at..]) else {
                return Lexeme::fallback(FallbackReason::Unterminated);
            };
            at += len;
            match (self.0[at], self.byte(at + 1)) {
                (b'*', Some(b'/')) => (depth, at) = (depth - 1, at + 2),
                (b'/', Some(b'*')) => (depth, at) = (depth + 1, at + 2),
                _ => at += 1,
            }
        }
        Lexeme::new(at, C_COMMENT, 0)
    }

    /// The place behind the quote that continues a literal whose closing quote is behind it at
    /// `at`: on a later line, with nothing but white space and line comments before it
    /// (scan.l: quotecontinue).
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
