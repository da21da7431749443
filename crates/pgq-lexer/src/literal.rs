//! Literals in quotes and between dollars, and names in double quotes (scan.l: xq, xe, xb,
//! xh, xus, xd, xui, xdolq). Escapes are checked here and undone by whoever needs values.

use crate::bytes::{is_word_byte, is_word_start};
use crate::kinds::{PARAM, SCONST};
use crate::token::{FallbackReason, Lexeme, Text, detail};
use crate::word::{HIGH, LONG_NAME, ONES};

impl Text<'_> {
    /// A literal; `at` is behind its first quote.
    #[inline]
    pub(crate) fn literal(self, at: usize, flags: u16) -> Lexeme {
        self.literal_of(at, SCONST, flags)
    }

    #[inline]
    pub(crate) fn literal_of(self, mut at: usize, kind: u16, mut flags: u16) -> Lexeme {
        loop {
            let quote = if flags & detail::ESCAPES == 0 { self.quote(at, b'\'') } else { self.unescaped_quote(at) };
            at = match quote {
                Ok(quote) => quote + 1,
                Err(why) => return Lexeme::fallback(why),
            };
            if self.byte(at) == Some(b'\'') {
                flags |= detail::DOUBLED;
                at += 1;
            } else if let Some(inside) = self.continuation(at) {
                flags |= detail::CONTINUED;
                at = inside;
            } else {
                return Lexeme::new(at, kind, flags);
            }
        }
    }

    /// `b'…'` or `x'…'`, in which quotes are not doubled. What is inside is not checked.
    pub(crate) fn bits(self, mut at: usize, kind: u16) -> Lexeme {
        let mut flags = 0;
        loop {
            at = match self.quote(at, b'\'') {
                Ok(quote) => quote + 1,
                Err(why) => return Lexeme::fallback(why),
            };
            match self.continuation(at) {
                Some(inside) => (at, flags) = (inside, detail::CONTINUED),
                None => return Lexeme::new(at, kind, flags),
            }
        }
    }

    /// A name; `inside` is behind its first quote.
    #[inline(never)]
    pub(crate) fn quoted_name(self, inside: usize, kind: u16) -> Lexeme {
        let (mut at, mut flags) = (inside, detail::QUOTED);
        loop {
            at = match self.quote(at, b'"') {
                Ok(quote) => quote + 1,
                Err(why) => return Lexeme::fallback(why),
            };
            if self.byte(at) != Some(b'"') {
                break;
            }
            flags |= detail::DOUBLED;
            at += 1;
        }
        if at - 1 == inside {
            return Lexeme::fallback(FallbackReason::EmptyName);
        }
        if at - 1 - inside >= LONG_NAME {
            flags |= detail::LONG;
        }
        Lexeme::new(at, kind, flags)
    }

    /// Where the next `quote` is.
    #[inline(always)]
    fn quote(self, at: usize, quote: u8) -> Result<usize, FallbackReason> {
        // Most literals are short: eight bytes at once, without the cost of a search.
        let mut from = at;
        if let Some(eight) = self.0.get(at..at + 8) {
            let bytes = u64::from_le_bytes(eight.try_into().expect("eight bytes")) ^ (ONES * u64::from(quote));
            // The first byte that is 0 has its high bit here, and none before it has.
            let found = bytes.wrapping_sub(ONES) & !bytes & HIGH;
            if found != 0 {
                return Ok(at + (found.trailing_zeros() / 8) as usize);
            }
            from = at + 8;
        }
        memchr::memchr(quote, &self.0[from..]).map(|len| from + len).ok_or(FallbackReason::Unterminated)
    }

    /// Where the next quote is that no backslash escapes.
    #[inline(never)]
    fn unescaped_quote(self, mut at: usize) -> Result<usize, FallbackReason> {
        loop {
            at += memchr::memchr2(b'\'', b'\\', &self.0[at..]).ok_or(FallbackReason::Unterminated)?;
            if self.0[at] == b'\'' {
                return Ok(at);
            }
            at += 1 + escape(&self.0[at + 1..]).ok_or(FallbackReason::Escape)?.len;
        }
    }

    /// A parameter, a literal between dollars, or a dollar.
    #[inline]
    pub(crate) fn dollar(self, start: usize) -> Lexeme {
        match self.byte(start + 1) {
            Some(b'0'..=b'9') => self.parameter(start + 1),
            _ => self.dollar_quoted(start),
        }
    }

    #[inline(never)]
    fn dollar_quoted(self, start: usize) -> Lexeme {
        let tag = self.0[start + 1..].iter().take_while(|byte| **byte != b'$' && is_word_byte(**byte)).count();
        let inside = start + tag + 2;
        if self.byte(inside - 1) != Some(b'$') {
            return Lexeme::new(start + 1, u16::from(b'$'), 0);
        }
        let delimiter = &self.0[start..inside];
        let mut at = inside;
        while let Some(len) = memchr::memchr(b'$', &self.0[at..]) {
            at += len;
            if self.0[at..].starts_with(delimiter) {
                return Lexeme::new(at + delimiter.len(), SCONST, detail::DOLLARS);
            }
            at += 1;
        }
        Lexeme::fallback(FallbackReason::Unterminated)
    }

    /// `$1`; `at` is behind its dollar.
    #[inline(always)]
    fn parameter(self, mut at: usize) -> Lexeme {
        let mut number = 0u64;
        while let Some(digit @ b'0'..=b'9') = self.byte(at) {
            number = (number * 10 + u64::from(digit - b'0')).min(1 << 40);
            at += 1;
        }
        if number > i32::MAX as u64 || self.byte(at).is_some_and(is_word_start) {
            return Lexeme::fallback(FallbackReason::Parameter);
        }
        Lexeme::new(at, PARAM, 0)
    }
}

/// What an escape stands for, without its backslash.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Escape {
    /// Bytes that it takes up.
    pub len: usize,
    pub value: char,
}

/// The escape at the start of `text`, which is behind a backslash; `None` where PostgreSQL
/// would refuse it, or would have to check what comes of it.
pub(crate) fn escape(text: &[u8]) -> Option<Escape> {
    let value = |len, value| Some(Escape { len, value });
    let ascii = |len, code: u32| if (1..0x80).contains(&code) { value(len, char::from(code as u8)) } else { None };
    // As many digits as there are, up to `most`.
    let digits = |from: usize, most: usize, base: u32| {
        let digits = text.get(from..).unwrap_or_default().iter().take(most);
        let values = digits.map_while(|byte| char::from(*byte).to_digit(base));
        values.fold((0, 0), |(count, code), digit| (count + 1, code * base + digit))
    };
    let unicode = |most| match digits(1, most, 16) {
        // char has no surrogates: a pair of them is left to C.
        (count, code @ 1..) if count == most => char::from_u32(code).and_then(|c| value(1 + most, c)),
        _ => None,
    };
    match *text.first()? {
        b'0'..=b'7' => {
            let (count, code) = digits(0, 3, 8);
            ascii(count, code)
        }
        b'x' => match digits(1, 2, 16) {
            (0, _) => value(1, 'x'),
            (count, code) => ascii(1 + count, code),
        },
        b'u' => unicode(4),
        b'U' => unicode(8),
        b'b' => value(1, '\x08'),
        b'f' => value(1, '\x0c'),
        b'n' => value(1, '\n'),
        b'r' => value(1, '\r'),
        b't' => value(1, '\t'),
        b'v' => value(1, '\x0b'),
        other => ascii(1, u32::from(other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes() {
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
            assert_eq!(escape(text.as_bytes()), Some(Escape { len, value }), "{text}");
        }
        for text in ["", "0", "400", "377", "x00", "xe9", "u00e", "ud83d\\ude00", "u0000", "U00110000", "é"] {
            assert_eq!(escape(text.as_bytes()), None, "{text}");
        }
    }
}
