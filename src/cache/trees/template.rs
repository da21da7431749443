//! Recognizes texts that differ from a known text only in the values of literals. Only the literals of such a text are
//! lexed. All other tokens are the same as in the known text. The bytes between the literals are equal, and
//! [`Template::new`] ensures that the token before a literal always ends where the literal starts.

use pgq_lexer::{Lexer, is_word_byte};

use super::place::{KnownLiteral, Literal};
use crate::cache::literals::differ_in_literals;
use crate::cache::shape_key::Shape;

/// A text and its literals, in order.
pub struct Template {
    text: Box<str>,
    literals: Box<[Place]>,
}

struct Place {
    /// Number of the literal's parameter.
    number: i32,
    start: u32,
    end: u32,
    /// Number of bytes from the minus sign before the literal to the literal; 0 without a minus sign.
    sign: u32,
    kind: u16,
}

impl Template {
    /// Creates a template from a text of this shape. Returns `None` if a letter, a quote or a similar byte directly
    /// precedes a literal. For example, `SELECT date'x'` is no template. `SELECT datee'y'` would match it, as if the
    /// literal `e'y'` replaced `'x'`, but the second text contains the name `datee`.
    pub(crate) fn new(sql: &str, shape: &Shape, known: &[KnownLiteral]) -> Option<Self> {
        let mut literals = Vec::with_capacity(known.len());
        for literal in known {
            let (first, token) = (shape.tokens[literal.first as usize], shape.tokens[literal.last as usize]);
            let before = (token.start as usize).checked_sub(1).map(|at| sql.as_bytes()[at]);
            if before.is_some_and(|byte| is_word_byte(byte) || matches!(byte, b'.' | b':' | b'\'' | b'"')) {
                return None;
            }
            let sign = token.start - first.start;
            literals.push(Place { number: literal.number, start: token.start, end: token.end, sign, kind: token.kind });
        }
        Some(Self { text: sql.into(), literals: literals.into() })
    }

    /// Returns whether the template was created from this text.
    pub(super) fn is_of(&self, sql: &str) -> bool {
        *self.text == *sql
    }

    /// Returns whether `sql` equals the template's text except for literals of the same kinds. Writes the literals of
    /// `sql` to `found`.
    pub fn fits(&self, sql: &str, found: &mut Vec<Literal>) -> bool {
        found.clear();
        let text = sql.as_bytes();
        let end_of = |literal: &Place, at: usize| {
            let token = Lexer::from_offset(text, at, false).next()?;
            if token.start as usize != at || token.kind != literal.kind || has_nul(text, at, token.end) {
                return None;
            }
            found.push(Literal { number: literal.number, start: token.start - literal.sign, end: token.end });
            Some(token.end as usize)
        };
        differ_in_literals(self.text.as_bytes(), text, &self.literals, |literal| (literal.start, literal.end), end_of)
    }

    pub(super) fn bytes(&self) -> usize {
        self.text.len() + size_of_val(&*self.literals)
    }
}

/// Returns whether a literal contains a NUL byte, at which PostgreSQL would end the text.
fn has_nul(text: &[u8], start: usize, end: u32) -> bool {
    memchr::memchr(0, &text[start..end as usize]).is_some()
}

/// Returns `sql` up to its first single quote or its first digit outside of a word. Templates are looked up by this
/// prefix. A literal such as `.5` or `E'a'` adds its first byte to the prefix. Therefore a text and its template may
/// have different prefixes. Then the text is looked up by shape.
pub fn prefix(sql: &str) -> &[u8] {
    let text = sql.as_bytes();
    let mut at = 0;
    while let Some(found) = digit_or_quote(text, at) {
        // Skip digits inside a name.
        if text[found] == b'\'' || found == 0 || !is_word_byte(text[found - 1]) {
            return &text[..found];
        }
        at = found + 1;
    }
    text
}

/// Returns the position of the first digit or quote at or after `start`. Tests eight bytes at a time.
fn digit_or_quote(text: &[u8], start: usize) -> Option<usize> {
    const HIGH_BITS: u64 = repeat(0x80);
    let mut at = start;
    while let Some(eight) = text[at..].first_chunk::<8>() {
        let bytes = u64::from_le_bytes(*eight);
        // XOR maps digits to 0..=9. Only these values stay below 0x80 after adding 0x76. XOR maps a quote to 0, the
        // only value that stays below 0x80 after adding 0x7f.
        let (digit, quote) = (bytes ^ repeat(b'0'), bytes ^ repeat(b'\''));
        let others = ((digit & !HIGH_BITS) + repeat(0x76)) | digit;
        let not_quotes = ((quote & !HIGH_BITS) + repeat(0x7f)) | quote;
        let found = !(others & not_quotes) & HIGH_BITS;
        if found != 0 {
            return Some(at + (found.trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    let rest = text[at..].iter().position(|byte| byte.is_ascii_digit() || *byte == b'\'');
    rest.map(|index| at + index)
}

const fn repeat(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}
