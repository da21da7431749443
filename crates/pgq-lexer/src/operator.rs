//! Operators of several characters, and the comments that begin like them (scan.l: operator).

use crate::bytes::{is_operator, is_self};
use crate::kinds::{EQUALS_GREATER, GREATER_EQUALS, LESS_EQUALS, NOT_EQUALS, OP};
use crate::token::{FallbackReason, Lexeme, Text};

/// Operators of this many bytes are an error (NAMEDATALEN).
const TOO_LONG: usize = 64;

/// A row of operator characters is read again for each of its tokens; beyond this many bytes
/// that would take too long.
const LONGEST_ROW: usize = 1000;

impl Text<'_> {
    /// What starts at `start` with `first`, which another operator character follows.
    #[inline(never)]
    pub(crate) fn operator(self, start: usize, first: u8) -> Lexeme {
        match (first, self.0[start + 1]) {
            (b'-', b'-') => return self.line_comment(start),
            (b'/', b'*') => return self.block_comment(start),
            _ => {}
        }
        let row = &self.0[start..self.row_end(start + 1)];
        let mut len = row.len();
        if len > LONGEST_ROW {
            return Lexeme::fallback(FallbackReason::Operator);
        }
        // A row of SQL's own operators does not end in a sign: `=-1` is `=` and `-1`.
        if matches!(row[len - 1], b'+' | b'-') && row[..len - 1].iter().all(|byte| is_in_standard(*byte)) {
            while len > 1 && matches!(row[len - 1], b'+' | b'-') {
                len -= 1;
            }
        }
        let kind = match &row[..len] {
            [one] if is_self(*one) => u16::from(*one),
            b"=>" => EQUALS_GREATER,
            b"<=" => LESS_EQUALS,
            b">=" => GREATER_EQUALS,
            b"<>" | b"!=" => NOT_EQUALS,
            _ if len >= TOO_LONG => return Lexeme::fallback(FallbackReason::Operator),
            _ => OP,
        };
        Lexeme::new(start + len, kind, 0)
    }

    /// Where a row of operator characters ends that goes on at `at`: at a comment, if there is one.
    #[inline(always)]
    fn row_end(self, mut at: usize) -> usize {
        while let Some(byte) = self.byte(at).filter(|byte| is_operator(*byte)) {
            if matches!((byte, self.byte(at + 1)), (b'-', Some(b'-')) | (b'/', Some(b'*'))) {
                break;
            }
            at += 1;
        }
        at
    }
}

/// Whether a character is in operators of the SQL standard.
fn is_in_standard(byte: u8) -> bool {
    matches!(byte, b'+' | b'-' | b'*' | b'/' | b'<' | b'>' | b'=')
}
