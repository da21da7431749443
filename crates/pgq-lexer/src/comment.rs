//! Rules for white space and comments between tokens (scan.l: space, comment, xc).

use crate::byte_class::{is_newline, is_space};
use crate::kinds::{C_COMMENT, SQL_COMMENT};
use crate::scan::{ScanResult, SqlText};
use crate::token::FallbackReason;

/// Number of bytes that are tested for white space at the same time.
const SPACES: usize = 16;

/// Returns whether all bytes are white space. The loop has no early exit, so the compiler vectorizes it.
#[inline(always)]
fn are_spaces(bytes: &[u8; SPACES]) -> bool {
    bytes.iter().fold(true, |all, byte| all & (*byte == b' ' || (b'\t'..=b'\r').contains(byte)))
}

/// Returns the number of leading white-space bytes. There is no branch per byte.
#[inline(always)]
fn spaces(bytes: &[u8; SPACES]) -> usize {
    const HIGH: u128 = repeat_all(0x80);
    let bytes = u128::from_le_bytes(*bytes);
    let low = bytes & !HIGH;
    // Each byte of `low` is at most 0x7f. Adding `0x80 - byte` sets its high bit if and only if it is at least `byte`.
    // Because `byte` is not 0, the sum is at most 0xfe and never carries into the next byte.
    let at_least = |byte: u8| low + repeat_all(0x80 - byte);
    let blank = at_least(b' ') & !at_least(b' ' + 1);
    let control = at_least(b'\t') & !at_least(b'\r' + 1);
    let others = (!(blank | control) | bytes) & HIGH;
    (others.trailing_zeros() / 8) as usize
}

#[inline(always)]
const fn repeat_all(byte: u8) -> u128 {
    u128::from_le_bytes([byte; SPACES])
}

impl SqlText<'_> {
    /// Returns the end of the white space at `at`. Compares four blanks at the same time, because white space is often
    /// a line's indentation.
    #[inline(never)]
    pub(crate) fn space_end(self, mut at: usize) -> usize {
        const INDENT: &[u8] = b"    ";
        let long = at + SPACES;
        while at < long {
            if self.0[at..].starts_with(INDENT) {
                at += INDENT.len();
            } else if self.byte(at).is_some_and(is_space) {
                at += 1;
            } else {
                return at;
            }
        }
        self.long_space_end(at)
    }

    #[inline(never)]
    fn long_space_end(self, mut at: usize) -> usize {
        while let Some(bytes) = self.0[at..].first_chunk() {
            if !are_spaces(bytes) {
                return at + spaces(bytes);
            }
            at += SPACES;
        }
        at + self.0[at..].iter().take_while(|byte| is_space(**byte)).count()
    }

    /// Returns the end of the white space at `at`, and whether it contains a line break.
    #[inline(never)]
    fn space_with_lines(self, at: usize) -> (usize, bool) {
        let end = self.space_end(at);
        (end, memchr::memchr2(b'\n', b'\r', &self.0[at..end]).is_some())
    }

    /// Scans `-- …` to the end of the line.
    pub(crate) fn line_comment(self, start: usize) -> ScanResult {
        ScanResult::token(self.line_end(start), SQL_COMMENT, 0)
    }

    fn line_end(self, at: usize) -> usize {
        memchr::memchr2(b'\n', b'\r', &self.0[at..]).map_or(self.0.len(), |len| at + len)
    }

    /// Scans `/* … */`. Comments nest.
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

    /// If the literal continues on a later line, returns the offset after the opening quote of the literal's next part.
    /// For example, `'a'`, a newline and `'b'` form one literal (scan.l: quotecontinue). Only white space and line
    /// comments may separate the parts. `at` is the offset after the closing quote of the previous part.
    #[inline]
    pub(crate) fn continuation(self, mut at: usize) -> Option<usize> {
        let mut on_later_line = false;
        loop {
            match self.byte(at)? {
                b'\'' if on_later_line => return Some(at + 1),
                byte if is_space(byte) => {
                    on_later_line |= is_newline(byte);
                    at += 1;
                    if self.byte(at).is_some_and(is_space) {
                        let (end, has_lines) = self.space_with_lines(at);
                        on_later_line |= has_lines;
                        at = end;
                    }
                }
                b'-' if self.byte(at + 1) == Some(b'-') => at = self.line_end(at),
                _ => return None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{SPACES, are_spaces, is_space, spaces};
    use crate::scan::SqlText;

    #[test]
    fn bytes_tested_at_once_are_those_of_the_table() {
        for byte in 0..=u8::MAX {
            for place in 0..SPACES {
                for around in [b' ', b'\t', b'\n', b'\r', b'x', 0, 0xff] {
                    let mut bytes = [around; SPACES];
                    bytes[place] = byte;
                    let expected = bytes.iter().take_while(|byte| is_space(**byte)).count();
                    assert_eq!(spaces(&bytes), expected, "{byte} at {place} in {around}");
                    assert_eq!(are_spaces(&bytes), expected == SPACES, "{byte} at {place} in {around}");
                }
            }
        }
    }

    #[test]
    fn white_space_of_any_length_ends_where_it_ends() {
        for len in 0..100 {
            for end in ["", "x", "x and more than sixteen bytes"] {
                let space: String = " \t\n\x0b\x0c\r  ".chars().cycle().take(len).collect();
                let text = [space.as_bytes(), end.as_bytes()].concat();
                assert_eq!(SqlText(&text).space_end(0), len, "{end}");
            }
        }
    }

    #[test]
    fn literals_continue_on_a_later_line_only() {
        for len in 0..50 {
            let blanks = " ".repeat(len);
            for (between, continues) in [
                (blanks.clone(), false),
                (format!("\n{blanks}"), true),
                (format!("{blanks}\r"), true),
                (format!("{blanks}\n{blanks}"), true),
                (format!("{blanks}--x\n{blanks}-- 'y'\n"), true),
                (format!("{blanks}/**/\n{blanks}"), false),
                (format!("{blanks}\n{blanks}x"), false),
            ] {
                let text = format!("{between}'");
                let expected = continues.then_some(text.len());
                assert_eq!(SqlText(text.as_bytes()).continuation(0), expected, "{between:?}");
            }
        }
    }
}
