//! Words: keywords, names, and the letters that begin a literal (scan.l: identifier).
//!
//! Eight bytes at a time, in one register: where the word ends, whether it has capitals,
//! and its letters as the keyword table wants them.

use crate::bytes::is_word_byte;
use crate::hash::LONGEST;
use crate::keyword::{find, find_any};
use crate::kinds::{BCONST, IDENT, UIDENT, USCONST, XCONST};
use crate::token::{Lexeme, Text, detail};

pub(crate) const ONES: u64 = 0x0101_0101_0101_0101;
pub(crate) const HIGH: u64 = 0x8080_8080_8080_8080;
/// The bit that capitals lack. It turns `_` into a byte that no word holds, and leaves digits and `$`.
const CASE: u64 = ONES * 0x20;

/// Names of this many bytes are cut (NAMEDATALEN).
pub(crate) const LONG_NAME: usize = 64;

/// What eight bytes of ASCII hold of a word.
struct Chunk {
    len: usize,
    /// The bytes of the word in one case, the rest 0.
    folded: u64,
    /// Not 0 where there is a capital.
    capitals: u64,
}

impl Chunk {
    /// `None` where a byte is not ASCII, in the word or behind it.
    #[inline(always)]
    fn at(text: &[u8], at: usize) -> Option<Self> {
        let bytes = match text.get(at..at + 8) {
            Some(eight) => u64::from_le_bytes(eight.try_into().expect("eight bytes")),
            None => last_bytes(text, at),
        };
        (bytes & HIGH == 0).then(|| Self::of(bytes))
    }

    /// Arithmetic on eight bytes at once: the high bit of a sum says whether a byte is at
    /// least some value.
    #[inline(always)]
    fn of(bytes: u64) -> Self {
        let lower = bytes | CASE;
        let letters = (lower + ONES * (0x80 - b'a' as u64)) & !(lower + ONES * (0x7f - b'z' as u64));
        let digits = (bytes + ONES * (0x80 - b'0' as u64)) & !(bytes + ONES * (0x7f - b'9' as u64));
        let underscores = HIGH - (bytes ^ (ONES * b'_' as u64));
        let dollars = HIGH - (bytes ^ (ONES * b'$' as u64));
        let outside = !(letters | digits | underscores | dollars) & HIGH;
        // All bits below the first byte outside, or all there are.
        let inside = ((outside & outside.wrapping_neg()) >> 7).wrapping_sub(1);
        Self {
            len: (outside.trailing_zeros() / 8) as usize,
            folded: lower & inside,
            // The bit that makes a letter small, moved to where the others are.
            capitals: letters & !(bytes << 2) & HIGH & inside,
        }
    }
}

/// The last bytes of a text, fewer than eight, with zeros behind them.
#[inline(always)]
fn last_bytes(text: &[u8], at: usize) -> u64 {
    let missing = (at + 8).saturating_sub(text.len()).min(8);
    match text.last_chunk::<8>() {
        Some(last) if missing < 8 => u64::from_le_bytes(*last) >> (8 * missing),
        _ => few_bytes(text, at),
    }
}

/// The same in a text that has fewer than eight, or at its end.
#[cold]
fn few_bytes(text: &[u8], at: usize) -> u64 {
    let rest = text.get(at..).unwrap_or_default();
    rest.iter().rev().fold(0, |bytes, byte| bytes << 8 | u64::from(*byte))
}

impl Text<'_> {
    /// A word, if it is an ordinary one: up to 15 bytes of ASCII, no letter that may begin a
    /// literal.
    #[inline(always)]
    pub(crate) fn word(self, start: usize) -> Option<Lexeme> {
        let first = Chunk::at(self.0, start)?;
        let (mut len, mut second, mut capitals) = (first.len, 0, first.capitals);
        if len == 8 {
            let chunk = Chunk::at(self.0, start + 8)?;
            (len, second, capitals) = (8 + chunk.len, chunk.folded, capitals | chunk.capitals);
            if len == LONGEST {
                return None;
            }
        }
        let end = start + len;
        if len == 1 && matches!(self.byte(end), Some(b'\'' | b'&')) {
            return None;
        }
        Some(match find((first.folded, second)) {
            Some((token, number)) => Lexeme::new(end, token, number),
            None => Lexeme::new(end, IDENT, if capitals != 0 { detail::CAPITALS } else { 0 }),
        })
    }

    /// Any word, and a literal that begins with a letter.
    #[inline(never)]
    pub(crate) fn rare_word(self, start: usize) -> Lexeme {
        let letter = self.0[start];
        match (letter, self.byte(start + 1), self.byte(start + 2)) {
            (b'e' | b'E', Some(b'\''), _) => self.literal(start + 2, detail::ESCAPES),
            (b'b' | b'B', Some(b'\''), _) => self.bits(start + 2, BCONST),
            (b'x' | b'X', Some(b'\''), _) => self.bits(start + 2, XCONST),
            (b'u' | b'U', Some(b'&'), Some(b'\'')) => self.literal_of(start + 3, USCONST, 0),
            (b'u' | b'U', Some(b'&'), Some(b'"')) => self.quoted_name(start + 3, UIDENT),
            // N'…' is the keyword, and then the literal.
            (b'n' | b'N', Some(b'\''), _) => {
                let (token, number) = find_any(b"nchar").expect("a keyword");
                Lexeme::new(start + 1, token, number)
            }
            _ => self.any_word(start),
        }
    }

    fn any_word(self, start: usize) -> Lexeme {
        let rest = &self.0[start..];
        let word = &rest[..rest.iter().take_while(|byte| is_word_byte(**byte)).count()];
        let end = start + word.len();
        if let Some((token, number)) = find_any(word) {
            return Lexeme::new(end, token, number);
        }
        let capitals = if word.iter().any(u8::is_ascii_uppercase) { detail::CAPITALS } else { 0 };
        let long = if word.len() >= LONG_NAME { detail::LONG } else { 0 };
        Lexeme::new(end, IDENT, capitals | long)
    }
}
