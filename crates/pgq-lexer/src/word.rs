//! Rules for words: keywords, names, and literals that start with a letter (scan.l: identifier).
//!
//! Words are read eight bytes at a time in one register. Operations on the register find the end of the word, detect
//! capitals, and convert letters to lower case.

use crate::byte_class::is_word_byte;
use crate::hash::MAX_WORD_LEN;
use crate::keyword::{lookup, lookup_folded};
use crate::kinds::{BCONST, IDENT, UIDENT, USCONST, XCONST};
use crate::scan::{HIGH_BITS, NAMEDATALEN, ScanResult, SqlText, repeat};
use crate::token::detail;

/// The bit that distinguishes lower case from upper case. Setting the bit in all bytes folds the case of letters. Other
/// word bytes stay distinct: digits and `$` already have the bit, and `_` becomes 0x7f, which is not a word byte.
const CASE_BITS: u64 = repeat(0x20);

/// The word bytes in a chunk of eight ASCII bytes.
struct WordChunk {
    /// Number of leading bytes that belong to the word.
    len: usize,
    /// The word's bytes in lower case, padded with zeros.
    folded: u64,
    /// Nonzero if the word contains a capital.
    capitals: u64,
}

impl WordChunk {
    /// Reads eight bytes at `at`; `None` if any of them is not ASCII.
    #[inline(always)]
    fn at(text: &[u8], at: usize) -> Option<Self> {
        let bytes = match text.get(at..at + 8) {
            Some(eight) => u64::from_le_bytes(eight.try_into().expect("eight bytes")),
            None => load_tail(text, at),
        };
        (bytes & HIGH_BITS == 0).then(|| Self::of(bytes))
    }

    /// Classifies all eight bytes at the same time. The bytes are ASCII. If `0x80 - n` is added to such a byte, the
    /// high bit of the sum is set if and only if the byte is at least `n`.
    #[inline(always)]
    fn of(bytes: u64) -> Self {
        let lower = bytes | CASE_BITS;
        // For letters, the first sum sets the high bits of the bytes that are at least `a`. The second sum sets the
        // high bits of the bytes that are greater than `z`. The XOR keeps the high bits of the bytes from `a` to `z`.
        // Digits work in the same way.
        let letters = (lower + repeat(0x80 - b'a')) ^ (lower + repeat(0x7f - b'z'));
        let digits = (bytes + repeat(0x80 - b'0')) ^ (bytes + repeat(0x7f - b'9'));
        let underscores = HIGH_BITS - (bytes ^ repeat(b'_'));
        let dollars = HIGH_BITS - (bytes ^ repeat(b'$'));
        let outside = !(letters | digits | underscores | dollars) & HIGH_BITS;
        // The case bit (0x20) of each capital.
        let capitals = (bytes ^ lower) & (letters >> 2);
        if outside == 0 {
            return Self { len: 8, folded: lower, capitals };
        }
        // Mask of all bits below the first byte that is outside of the word.
        let inside = (outside ^ (outside - 1)) >> 8;
        Self { len: (outside.trailing_zeros() / 8) as usize, folded: lower & inside, capitals: capitals & inside }
    }
}

/// Loads fewer than eight bytes at the end of the input, padded with zeros.
#[inline(always)]
fn load_tail(text: &[u8], at: usize) -> u64 {
    let missing = (at + 8).saturating_sub(text.len()).min(8);
    match text.last_chunk::<8>() {
        Some(last) if missing < 8 => u64::from_le_bytes(*last) >> (8 * missing),
        _ => load_short_text(text, at),
    }
}

/// Loads the bytes from `at` to the end of an input of fewer than eight bytes. Returns 0 if `at` is the end.
#[cold]
fn load_short_text(text: &[u8], at: usize) -> u64 {
    let rest = text.get(at..).unwrap_or_default();
    rest.iter().rev().fold(0, |bytes, byte| bytes << 8 | u64::from(*byte))
}

impl SqlText<'_> {
    /// Scans a keyword or a name of up to 15 ASCII bytes. Returns `None` for other words, and for a letter that may be
    /// a literal's prefix.
    #[inline(always)]
    pub(crate) fn short_word(self, start: usize) -> Option<ScanResult> {
        let first = WordChunk::at(self.0, start)?;
        let (mut len, mut second, mut capitals) = (first.len, 0, first.capitals);
        if len == 8 {
            let chunk = WordChunk::at(self.0, start + 8)?;
            (len, second, capitals) = (8 + chunk.len, chunk.folded, capitals | chunk.capitals);
            if len == MAX_WORD_LEN {
                return None;
            }
        }
        let end = start + len;
        if len == 1 && matches!(self.byte(end), Some(b'\'' | b'&')) {
            return None;
        }
        Some(match lookup_folded((first.folded, second)) {
            Some((token, number)) => ScanResult::token(end, token, number),
            None => ScanResult::token(end, IDENT, if capitals != 0 { detail::CAPITALS } else { 0 }),
        })
    }

    /// Scans any word, or a literal or quoted name with a prefix such as `E`.
    #[inline(never)]
    pub(crate) fn word_or_prefixed_literal(self, start: usize) -> ScanResult {
        let letter = self.0[start];
        match (letter, self.byte(start + 1), self.byte(start + 2)) {
            (b'e' | b'E', Some(b'\''), _) => self.string_literal(start + 2, detail::ESCAPES),
            (b'b' | b'B', Some(b'\''), _) => self.bit_string(start + 2, BCONST),
            (b'x' | b'X', Some(b'\''), _) => self.bit_string(start + 2, XCONST),
            (b'u' | b'U', Some(b'&'), Some(b'\'')) => self.string_literal_of_kind(start + 3, USCONST, 0),
            (b'u' | b'U', Some(b'&'), Some(b'"')) => self.quoted_name(start + 3, UIDENT),
            // The `N` of `N'…'` is the keyword NCHAR (scan.l: xnstart). The literal is the next token.
            (b'n' | b'N', Some(b'\''), _) => {
                let (token, number) = lookup(b"nchar").expect("a keyword");
                ScanResult::token(start + 1, token, number)
            }
            _ => self.word(start),
        }
    }

    fn word(self, start: usize) -> ScanResult {
        let rest = &self.0[start..];
        let word = &rest[..rest.iter().take_while(|byte| is_word_byte(**byte)).count()];
        let end = start + word.len();
        if let Some((token, number)) = lookup(word) {
            return ScanResult::token(end, token, number);
        }
        let capitals = if word.iter().any(u8::is_ascii_uppercase) { detail::CAPITALS } else { 0 };
        let long = if word.len() >= NAMEDATALEN { detail::LONG } else { 0 };
        ScanResult::token(end, IDENT, capitals | long)
    }
}
