//! Rules for operators of several characters, and for comments, which start like operators
//! (scan.l: operator).

use crate::byte_class::{is_operator_byte, is_self};
use crate::kinds::{EQUALS_GREATER, GREATER_EQUALS, LESS_EQUALS, NOT_EQUALS, OP};
use crate::scan::{NAMEDATALEN, ScanResult, SqlText};
use crate::token::FallbackReason;

/// Maximum length of a run of operator characters, in bytes. Each operator in a run reads all of it again, so
/// that longer runs would take too long.
const MAX_RUN_LEN: usize = 1000;

impl SqlText<'_> {
    /// The operator or comment at `start`. Its first byte is `first` and its second an operator
    /// character, too.
    #[inline(never)]
    pub(crate) fn operator(self, start: usize, first: u8) -> ScanResult {
        match (first, self.0[start + 1]) {
            (b'-', b'-') => return self.line_comment(start),
            (b'/', b'*') => return self.block_comment(start),
            _ => {}
        }
        let run = &self.0[start..self.operator_run_end(start + 1)];
        let mut len = run.len();
        if len > MAX_RUN_LEN {
            return ScanResult::fallback(FallbackReason::Operator);
        }
        // An operator of only SQL-standard characters does not end in a sign: `=-1` is `=`, `-1`.
        if matches!(run[len - 1], b'+' | b'-') && run[..len - 1].iter().all(|byte| is_standard(*byte)) {
            while len > 1 && matches!(run[len - 1], b'+' | b'-') {
                len -= 1;
            }
        }
        let kind = match &run[..len] {
            [one] if is_self(*one) => u16::from(*one),
            b"=>" => EQUALS_GREATER,
            b"<=" => LESS_EQUALS,
            b">=" => GREATER_EQUALS,
            b"<>" | b"!=" => NOT_EQUALS,
            // "operator too long" in PostgreSQL.
            _ if len >= NAMEDATALEN => return ScanResult::fallback(FallbackReason::Operator),
            _ => OP,
        };
        ScanResult::token(start + len, kind, 0)
    }

    /// The end of the run of operator characters from `at` on. A comment ends the run.
    #[inline(always)]
    fn operator_run_end(self, mut at: usize) -> usize {
        while let Some(byte) = self.byte(at).filter(|byte| is_operator_byte(*byte)) {
            if matches!((byte, self.byte(at + 1)), (b'-', Some(b'-')) | (b'/', Some(b'*'))) {
                break;
            }
            at += 1;
        }
        at
    }
}

/// Whether operators of the SQL standard contain this character.
fn is_standard(byte: u8) -> bool {
    matches!(byte, b'+' | b'-' | b'*' | b'/' | b'<' | b'>' | b'=')
}
