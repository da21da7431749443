//! The cache entry of a shape: its fingerprint, and a mapping from tokens to parameters.

use pgq_lexer::is_word_byte;

use super::shape_key::{Shape, ShapeToken, is_literal};
use crate::convert::normalize::ReplacedConstant;
use crate::tree::fingerprint::Fingerprint;

/// A stored entry. It begins with the fingerprint. Two numbers for each constant follow, in the
/// order of the SQL: the index of the constant's first token, and the number of the constant's
/// parameter. All numbers are little-endian.
pub(super) struct ShapeEntry<'a> {
    fingerprint: [u8; 8],
    constants: &'a [[u8; 8]],
}

/// A flag in the index of a constant's first token. If it is set, that token is a minus sign, and the constant includes
/// the next token.
const SIGNED: u32 = 1 << 31;

impl<'a> ShapeEntry<'a> {
    /// Decodes an entry. Returns `None` for an empty entry, which records that no answer can be derived from the shape.
    pub fn of(bytes: &'a [u8]) -> Option<Self> {
        let (parts, _) = bytes.as_chunks::<8>();
        let (fingerprint, constants) = parts.split_first()?;
        Some(Self { fingerprint: *fingerprint, constants })
    }

    /// Encodes an entry for the shape. `constants` are ranges of some SQL with this shape, and `first_token` is the
    /// offset of the first token in that SQL.
    ///
    /// Returns `None` if a literal of the shape is not among the constants. Also returns `None` if a constant is
    /// neither a single token nor a minus sign and one token.
    pub fn write(
        fingerprint: Fingerprint,
        constants: &[ReplacedConstant],
        first_token: usize,
        shape: &Shape,
    ) -> Option<Vec<u8>> {
        let shift = shape.tokens.first()?.start as usize;
        const MINUS: u16 = b'-' as u16;
        let mut entry = fingerprint.0.to_le_bytes().to_vec();
        let (mut literals, mut from) = (0, 0);
        for constant in constants {
            let at = |offset: usize, edge: fn(&ShapeToken) -> u32, from: usize| {
                let offset = (offset + shift).checked_sub(first_token)?;
                shape.tokens[from..].iter().position(|token| edge(token) as usize == offset).map(|n| from + n)
            };
            let first = at(constant.range.start, |token| token.start, from)?;
            let last = at(constant.range.end, |token| token.end, first)?;
            let signed = match last - first {
                0 => 0,
                1 if shape.tokens[first].kind == MINUS => SIGNED,
                _ => return None,
            };
            literals += usize::from(is_literal(shape.tokens[last].kind));
            from = last + 1;
            entry.extend_from_slice(&(first as u32 | signed).to_le_bytes());
            entry.extend_from_slice(&constant.number.to_le_bytes());
        }
        (literals == shape.literals).then_some(entry)
    }

    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint(u64::from_le_bytes(self.fingerprint))
    }

    /// Appends the normalized SQL. Returns false if a parameter would directly precede or follow a word. In that
    /// case, a part of the SQL may already be appended.
    pub fn normalize(&self, text: &str, shape: &Shape, out: &mut String) -> bool {
        let bytes = text.as_bytes();
        let mut done = 0;
        out.reserve(text.len());
        for (index, [a, b, c, d, number @ ..]) in self.constants.iter().enumerate() {
            let token = u32::from_le_bytes([*a, *b, *c, *d]);
            let first = (token & !SIGNED) as usize;
            let last = first + usize::from(token & SIGNED != 0);
            let (start, end) = (shape.tokens[first].start as usize, shape.tokens[last].end as usize);
            // A parameter must not directly precede or follow a word. This is checked for each text, because the
            // shape's key does not record where white space is.
            let touches = |at: Option<usize>| at.and_then(|at| bytes.get(at)).copied().is_some_and(is_word_byte);
            if touches(start.checked_sub(1)) || touches(Some(end)) || (index > 0 && start == done) {
                return false;
            }
            out.push_str(&text[done..start]);
            out.push('$');
            match u32::from_le_bytes(*number) {
                number @ 0..10 => out.push(char::from(b'0' + number as u8)),
                number => out.push_str(itoa::Buffer::new().format(number)),
            }
            done = end;
        }
        out.push_str(&text[done..]);
        true
    }
}
