//! Numbers (scan.l: decinteger to real_junk).

use crate::bytes::is_word_byte;
use crate::kinds::{FCONST, ICONST};
use crate::token::{FallbackReason, Lexeme, Text};

/// What is in a row of digits.
struct Digits {
    end: usize,
    /// Their value; anything from 2^31 up where it is larger.
    value: u64,
}

impl Text<'_> {
    /// A decimal integer of up to nine digits, as most numbers are. `None` for all others.
    #[inline(always)]
    pub(crate) fn short_integer(self, start: usize) -> Option<Lexeme> {
        const NINE: usize = 9;
        let mut end = start;
        let behind = loop {
            match self.byte(end) {
                Some(b'0'..=b'9') => end += 1,
                behind => break behind,
            }
        };
        match behind {
            Some(byte) if byte == b'.' || is_word_byte(byte) => None,
            _ if end - start <= NINE => Some(Lexeme::new(end, ICONST, 0)),
            _ => None,
        }
    }

    /// A number that starts at `start`, with a digit or with a dot and a digit.
    #[inline(never)]
    pub(crate) fn number(self, start: usize) -> Lexeme {
        let Digits { mut end, value } = self.digits(start);
        let mut kind = integer_kind(value);
        let base = match (self.byte(start), self.byte(start + 1)) {
            (Some(b'0'), Some(b'x' | b'X')) => Some(16),
            (Some(b'0'), Some(b'o' | b'O')) => Some(8),
            (Some(b'0'), Some(b'b' | b'B')) => Some(2),
            _ => None,
        };
        if let Some(base) = base {
            let digits = self.prefixed_digits(start + 2, base);
            if digits.end == start + 2 {
                return Lexeme::fallback(FallbackReason::Number);
            }
            (end, kind) = (digits.end, integer_kind(digits.value));
        } else {
            // `1..2` is two integers, in PL/pgSQL.
            if self.byte(end) == Some(b'.') && (end == start || self.byte(end + 1) != Some(b'.')) {
                (end, kind) = (self.digits(end + 1).end, FCONST);
            }
            if let Some(b'e' | b'E') = self.byte(end) {
                let sign = usize::from(matches!(self.byte(end + 1), Some(b'+' | b'-')));
                let exponent = self.digits(end + 1 + sign);
                if exponent.end == end + 1 + sign {
                    return Lexeme::fallback(FallbackReason::Number);
                }
                (end, kind) = (exponent.end, FCONST);
            }
        }
        // What is stuck to a number is an error, almost always.
        match self.byte(end) {
            Some(byte) if is_word_byte(byte) => Lexeme::fallback(FallbackReason::Number),
            _ => Lexeme::new(end, kind, 0),
        }
    }

    /// Decimal digits with single underscores between them.
    fn digits(self, at: usize) -> Digits {
        let mut digits = Digits { end: at, value: 0 };
        loop {
            match self.byte(digits.end) {
                Some(byte @ b'0'..=b'9') => digits.take(u32::from(byte - b'0'), 10),
                Some(b'_') if digits.end > at && self.digit(digits.end + 1, 10).is_some() => digits.end += 1,
                _ => return digits,
            }
        }
    }

    /// Digits of a base behind its prefix, where an underscore may come first.
    fn prefixed_digits(self, at: usize, base: u32) -> Digits {
        let mut digits = Digits { end: at, value: 0 };
        loop {
            if let Some(digit) = self.digit(digits.end, base) {
                digits.take(digit, base);
            } else if self.byte(digits.end) == Some(b'_') && self.digit(digits.end + 1, base).is_some() {
                digits.end += 1;
            } else {
                return digits;
            }
        }
    }

    fn digit(self, at: usize, base: u32) -> Option<u32> {
        char::from(self.byte(at)?).to_digit(base)
    }
}

impl Digits {
    fn take(&mut self, digit: u32, base: u32) {
        // Small enough to go on multiplying, large enough to stay beyond an integer.
        self.value = (self.value * u64::from(base) + u64::from(digit)).min(1 << 40);
        self.end += 1;
    }
}

/// numutils.c: what an int4 holds is an integer, the rest is a number with a text.
fn integer_kind(value: u64) -> u16 {
    if value <= i32::MAX as u64 { ICONST } else { FCONST }
}
