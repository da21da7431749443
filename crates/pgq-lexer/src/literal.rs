//! Rules for quoted and dollar-quoted literals, quoted names and parameters (scan.l: xq, xe, xb, xh, xus, xd, xui,
//! xdolq, param). Escapes are checked here and decoded in value.rs.

use crate::byte_class::{is_word_byte, is_word_start};
use crate::kinds::{PARAM, SCONST};
use crate::scan::{HIGH_BITS, NAMEDATALEN, ScanResult, SqlText, repeat};
use crate::token::{FallbackReason, detail};

impl SqlText<'_> {
    /// Scans a literal of kind `SCONST`. `inside` is the offset after the opening quote.
    #[inline]
    pub(crate) fn string_literal(self, inside: usize, flags: u16) -> ScanResult {
        self.string_literal_of_kind(inside, SCONST, flags)
    }

    /// Scans a literal in which a doubled quote represents a quote. `at` is the offset after the opening quote.
    #[inline]
    pub(crate) fn string_literal_of_kind(self, mut at: usize, kind: u16, mut flags: u16) -> ScanResult {
        loop {
            let quote =
                if flags & detail::ESCAPES == 0 { self.find_quote(at, b'\'') } else { self.find_unescaped_quote(at) };
            at = match quote {
                Ok(quote) => quote + 1,
                Err(reason) => return ScanResult::fallback(reason),
            };
            if self.byte(at) == Some(b'\'') {
                flags |= detail::DOUBLED;
                at += 1;
            } else if let Some(inside) = self.continuation(at) {
                flags |= detail::CONTINUED;
                at = inside;
            } else {
                return ScanResult::token(at, kind, flags);
            }
        }
    }

    /// Scans `b'…'` or `x'…'`, in which a quote cannot be doubled. Does not check the digits.
    pub(crate) fn bit_string(self, mut at: usize, kind: u16) -> ScanResult {
        let mut flags = 0;
        loop {
            at = match self.find_quote(at, b'\'') {
                Ok(quote) => quote + 1,
                Err(reason) => return ScanResult::fallback(reason),
            };
            match self.continuation(at) {
                Some(inside) => (at, flags) = (inside, detail::CONTINUED),
                None => return ScanResult::token(at, kind, flags),
            }
        }
    }

    /// Scans a name in double quotes. `inside` is the offset after the opening quote.
    #[inline(never)]
    pub(crate) fn quoted_name(self, inside: usize, kind: u16) -> ScanResult {
        let (mut at, mut flags) = (inside, detail::QUOTED);
        loop {
            at = match self.find_quote(at, b'"') {
                Ok(quote) => quote + 1,
                Err(reason) => return ScanResult::fallback(reason),
            };
            if self.byte(at) != Some(b'"') {
                break;
            }
            flags |= detail::DOUBLED;
            at += 1;
        }
        if at - 1 == inside {
            return ScanResult::fallback(FallbackReason::EmptyName);
        }
        if at - 1 - inside >= NAMEDATALEN {
            flags |= detail::LONG;
        }
        ScanResult::token(at, kind, flags)
    }

    /// Returns the offset of the next `quote`.
    #[inline(always)]
    fn find_quote(self, at: usize, quote: u8) -> Result<usize, FallbackReason> {
        // Most literals are short, and memchr has a set-up cost. Therefore test eight bytes first.
        let mut from = at;
        if let Some(eight) = self.0.get(at..at + 8) {
            let bytes = u64::from_le_bytes(eight.try_into().expect("eight bytes")) ^ repeat(quote);
            // After the XOR, quotes are zero bytes. The lowest set bit of `zeros` is the first zero byte's high bit.
            let zeros = bytes.wrapping_sub(repeat(1)) & !bytes & HIGH_BITS;
            if zeros != 0 {
                return Ok(at + (zeros.trailing_zeros() / 8) as usize);
            }
            from = at + 8;
        }
        memchr::memchr(quote, &self.0[from..]).map(|len| from + len).ok_or(FallbackReason::Unterminated)
    }

    /// Returns the offset of the next `'` that is not escaped by a backslash.
    #[inline(never)]
    fn find_unescaped_quote(self, mut at: usize) -> Result<usize, FallbackReason> {
        loop {
            at += memchr::memchr2(b'\'', b'\\', &self.0[at..]).ok_or(FallbackReason::Unterminated)?;
            if self.0[at] == b'\'' {
                return Ok(at);
            }
            at += 1 + parse_escape(&self.0[at + 1..]).ok_or(FallbackReason::Escape)?.len;
        }
    }

    /// Scans a parameter, a dollar-quoted literal or a single dollar.
    #[inline]
    pub(crate) fn dollar(self, start: usize) -> ScanResult {
        match self.byte(start + 1) {
            Some(b'0'..=b'9') => self.parameter(start + 1),
            _ => self.dollar_quoted(start),
        }
    }

    #[inline(never)]
    fn dollar_quoted(self, start: usize) -> ScanResult {
        let tag = self.0[start + 1..].iter().take_while(|byte| **byte != b'$' && is_word_byte(**byte)).count();
        let inside = start + tag + 2;
        if self.byte(inside - 1) != Some(b'$') {
            return ScanResult::token(start + 1, u16::from(b'$'), 0);
        }
        let delimiter = &self.0[start..inside];
        let mut at = inside;
        while let Some(len) = memchr::memchr(b'$', &self.0[at..]) {
            at += len;
            if self.0[at..].starts_with(delimiter) {
                return ScanResult::token(at + delimiter.len(), SCONST, detail::DOLLARS);
            }
            at += 1;
        }
        ScanResult::fallback(FallbackReason::Unterminated)
    }

    /// Scans a parameter such as `$1`. `at` is the offset after the dollar.
    #[inline(always)]
    fn parameter(self, mut at: usize) -> ScanResult {
        let mut number = 0u64;
        while let Some(digit @ b'0'..=b'9') = self.byte(at) {
            number = (number * 10 + u64::from(digit - b'0')).min(1 << 40);
            at += 1;
        }
        if number > i32::MAX as u64 || self.byte(at).is_some_and(is_word_start) {
            return ScanResult::fallback(FallbackReason::Parameter);
        }
        ScanResult::token(at, PARAM, 0)
    }
}

/// A decoded escape sequence.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Escape {
    /// Length in bytes, without the backslash.
    pub len: usize,
    /// The decoded character.
    pub value: char,
}

/// Decodes an escape. `text` starts after the backslash, for example with `n`, `x41` or `u00e9`. Returns `None` for an
/// invalid escape, and for an escape whose value PostgreSQL must check, such as `xc3` (a byte that is not ASCII).
pub(crate) fn parse_escape(text: &[u8]) -> Option<Escape> {
    let escape = |len, value| Some(Escape { len, value });
    let ascii = |len, code: u32| if (1..0x80).contains(&code) { escape(len, char::from(code as u8)) } else { None };
    // Reads at most `max` digits at offset `from`. Returns the number of digits, and their value.
    let digits = |from: usize, max: usize, base: u32| {
        let digits = text.get(from..).unwrap_or_default().iter().take(max);
        let values = digits.map_while(|byte| char::from(*byte).to_digit(base));
        values.fold((0, 0), |(count, code), digit| (count + 1, code * base + digit))
    };
    let unicode = |len| match digits(1, len, 16) {
        // `char::from_u32` returns `None` for a surrogate. In this case, the lexer falls back to PostgreSQL's scanner,
        // which combines the surrogate with the next one.
        (count, code @ 1..) if count == len => char::from_u32(code).and_then(|c| escape(1 + len, c)),
        _ => None,
    };
    match *text.first()? {
        b'0'..=b'7' => {
            let (count, code) = digits(0, 3, 8);
            ascii(count, code)
        }
        b'x' => match digits(1, 2, 16) {
            (0, _) => escape(1, 'x'),
            (count, code) => ascii(1 + count, code),
        },
        b'u' => unicode(4),
        b'U' => unicode(8),
        b'b' => escape(1, '\x08'),
        b'f' => escape(1, '\x0c'),
        b'n' => escape(1, '\n'),
        b'r' => escape(1, '\r'),
        b't' => escape(1, '\t'),
        b'v' => escape(1, '\x0b'),
        other => ascii(1, u32::from(other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_decoded_or_left_to_postgres() {
        for (text, len, value) in [
            ("n", 1, '\n'),
            ("'", 1, '\''),
            ("q9", 1, 'q'),
            ("1018", 3, 'A'),
            ("78", 1, '\x07'),
            ("x4g", 2, '\x04'),
            ("x412", 3, 'A'),
            ("xg", 1, 'x'),
            ("u00e9f", 5, 'é'),
            ("U0001F600", 9, '😀'),
        ] {
            assert_eq!(parse_escape(text.as_bytes()), Some(Escape { len, value }), "{text}");
        }
        for text in ["", "0", "400", "377", "x00", "xe9", "u00e", "ud83d\\ude00", "u0000", "U00110000", "é"] {
            assert_eq!(parse_escape(text.as_bytes()), None, "{text}");
        }
    }
}
