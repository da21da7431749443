//! Rules for operators of several characters, and for comments, which start like operators (scan.l: operator). If a
//! rule cannot read the input, it returns a fallback, and PostgreSQL's scanner reads the SQL instead.

use crate::byte_class::{is_operator_byte, is_self};
use crate::kinds::{EQUALS_GREATER, GREATER_EQUALS, LESS_EQUALS, NOT_EQUALS, OP};
use crate::scan::{NAMEDATALEN, ScanResult, SqlText};
use crate::token::FallbackReason;

/// Maximum length of a run of operator characters, in bytes. The lexer scans the rest of the run again for each
/// operator, so the time is quadratic in the run's length. Therefore the lexer falls back to PostgreSQL's scanner for a
/// longer run.
const MAX_RUN_LEN: usize = 1000;

impl SqlText<'_> {
    /// Returns the operator or comment at `start`. The caller has checked that the byte at `start` is `first`, and that
    /// the next byte is also an operator character.
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
        // If all characters of the operator can be in standard SQL operators, PostgreSQL removes trailing `+` and `-`,
        // but keeps at least one character. For example, `=-1` is `=`, `-` and `1`.
        if matches!(run[len - 1], b'+' | b'-') && run[..len - 1].iter().all(|byte| is_standard(*byte)) {
            while len > 1 && matches!(run[len - 1], b'+' | b'-') {
                len -= 1;
            }
        }
        let kind = match &run[..len] {
            // For a character in scan.l's class `self`, the token kind is the character's byte value.
            [one] if is_self(*one) => u16::from(*one),
            b"=>" => EQUALS_GREATER,
            b"<=" => LESS_EQUALS,
            b">=" => GREATER_EQUALS,
            b"<>" | b"!=" => NOT_EQUALS,
            // PostgreSQL reports "operator too long".
            _ if len >= NAMEDATALEN => return ScanResult::fallback(FallbackReason::Operator),
            _ => OP,
        };
        ScanResult::token(start + len, kind, 0)
    }

    /// Returns the end of the run of operator characters at `at`. The run ends before `--` and `/*`.
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

/// Returns whether operators of the SQL standard contain this character.
fn is_standard(byte: u8) -> bool {
    matches!(byte, b'+' | b'-' | b'*' | b'/' | b'<' | b'>' | b'=')
}
