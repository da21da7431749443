//! Rules for numbers (scan.l: decinteger to real_junk).

use crate::byte_class::is_word_byte;
use crate::kinds::{FCONST, ICONST};
use crate::scan::{ScanResult, SqlText};
use crate::token::FallbackReason;

/// A run of digits.
struct DigitRun {
    /// The offset of the end of the digits.
    end: usize,
    /// The value. If the number exceeds the int4 range, this field may have any other value that exceeds the range.
    value: u64,
}

impl DigitRun {
    fn push(&mut self, digit: u32, base: u32) {
        // Limits `value` to 2⁴⁰, because a number with many digits would overflow it. The limit is larger than any
        // int4, so such a number still counts as larger than an int4.
        self.value = (self.value * u64::from(base) + u64::from(digit)).min(1 << 40);
        self.end += 1;
    }
}

impl SqlText<'_> {
    /// Scans a decimal integer of up to nine digits, which includes most numbers. Returns `None` for all others.
    #[inline(always)]
    pub(crate) fn short_integer(self, start: usize) -> Option<ScanResult> {
        const MAX_DIGITS: usize = 9;
        let mut end = start;
        let next = loop {
            match self.byte(end) {
                Some(b'0'..=b'9') => end += 1,
                next => break next,
            }
        };
        match next {
            Some(byte) if byte == b'.' || is_word_byte(byte) => None,
            _ if end - start <= MAX_DIGITS => Some(ScanResult::token(end, ICONST, 0)),
            _ => None,
        }
    }

    /// Scans any number. A digit, or a dot and a digit, must be at `start`.
    #[inline(never)]
    pub(crate) fn number(self, start: usize) -> ScanResult {
        let DigitRun { mut end, value } = self.decimal_digits(start);
        let mut kind = integer_kind(value);
        let base = match (self.byte(start), self.byte(start + 1)) {
            (Some(b'0'), Some(b'x' | b'X')) => Some(16),
            (Some(b'0'), Some(b'o' | b'O')) => Some(8),
            (Some(b'0'), Some(b'b' | b'B')) => Some(2),
            _ => None,
        };
        if let Some(base) = base {
            let digits = self.digits_after_prefix(start + 2, base);
            if digits.end == start + 2 {
                return ScanResult::fallback(FallbackReason::Number);
            }
            (end, kind) = (digits.end, integer_kind(digits.value));
        } else {
            // `1..2` is a PL/pgSQL range of two integers, and not a number that ends in a dot.
            if self.byte(end) == Some(b'.') && (end == start || self.byte(end + 1) != Some(b'.')) {
                (end, kind) = (self.decimal_digits(end + 1).end, FCONST);
            }
            if let Some(b'e' | b'E') = self.byte(end) {
                let sign = usize::from(matches!(self.byte(end + 1), Some(b'+' | b'-')));
                let exponent = self.decimal_digits(end + 1 + sign);
                if exponent.end == end + 1 + sign {
                    return ScanResult::fallback(FallbackReason::Number);
                }
                (end, kind) = (exponent.end, FCONST);
            }
        }
        // Word characters after a number are nearly always an error (scan.l: integer_junk), so
        // leave the decision to PostgreSQL's scanner.
        match self.byte(end) {
            Some(byte) if is_word_byte(byte) => ScanResult::fallback(FallbackReason::Number),
            _ => ScanResult::token(end, kind, 0),
        }
    }

    /// Reads decimal digits. A single underscore may separate two digits.
    fn decimal_digits(self, at: usize) -> DigitRun {
        let mut digits = DigitRun { end: at, value: 0 };
        loop {
            match self.byte(digits.end) {
                Some(byte @ b'0'..=b'9') => digits.push(u32::from(byte - b'0'), 10),
                Some(b'_') if digits.end > at && self.digit(digits.end + 1, 10).is_some() => digits.end += 1,
                _ => return digits,
            }
        }
    }

    /// Reads digits after a prefix such as `0x`. An underscore may precede the first digit.
    fn digits_after_prefix(self, at: usize, base: u32) -> DigitRun {
        let mut digits = DigitRun { end: at, value: 0 };
        loop {
            if let Some(digit) = self.digit(digits.end, base) {
                digits.push(digit, base);
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

/// Returns `ICONST` for a value that fits an int4, otherwise `FCONST` (scan.l: process_integer_literal).
fn integer_kind(value: u64) -> u16 {
    if value <= i32::MAX as u64 { ICONST } else { FCONST }
}
