//! Operators of several characters, and comments, which start like operators: the rule `operator`
//! in PostgreSQL's scan.l. Where these rules are not enough, the result is a fallback, and
//! PostgreSQL's own scanner reads the text instead.

use crate::byte_class::{is_operator_byte, is_self};
use crate::kinds::{EQUALS_GREATER, GREATER_EQUALS, LESS_EQUALS, NOT_EQUALS, OP};
use crate::scan::{NAMEDATALEN, ScanResult, SqlText};
use crate::token::FallbackReason;

/// Maximum length of a run of operator characters, in bytes; longer runs are a fallback. A run can
/// hold several operators, and each call scans the rest of it again, so that the time grows with
/// the square of its length.
const MAX_RUN_LEN: usize = 1000;

impl SqlText<'_> {
    /// The operator or comment at `start`. The caller has checked that the byte at `start` is
    /// `first`, and that the byte after it is an operator character, too.
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
        // If all its other characters are SQL-standard ones, PostgreSQL removes `+` and `-` from the
        // end of an operator, down to one character: `=-1` is `=`, `-`, `1`.
        if matches!(run[len - 1], b'+' | b'-') && run[..len - 1].iter().all(|byte| is_standard(*byte)) {
            while len > 1 && matches!(run[len - 1], b'+' | b'-') {
                len -= 1;
            }
        }
        let kind = match &run[..len] {
            // A `self` character of scan.l: its kind is the byte itself.
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

    /// The end of the run of operator characters from `at` on. It stops before `--` and `/*`.
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
