//! Templates are texts of a known shape. If a text differs from a template only in simple literals, both texts have
//! tokens of the same kinds in the same order. Therefore the text need not be lexed.
//!
//! Simple literals are short runs of digits, and quoted strings without escapes. The value of such a literal does not
//! affect how the lexer splits the rest of the text, because the lexer reads at most one token ahead and has no state
//! between tokens. For example, `a = 1` and `a = 42` have the same kinds of tokens in the same order.

use pgq_lexer::{HitRate, start_number};

use super::literals::differ_in_literals;
use super::shape_key::{InputScope, LONGEST, Shape, ShapeToken, is_literal};

/// Maximum number of templates per set.
const WAYS: usize = 4;
const SETS: usize = 64;

/// Maximum length of a template, in bytes.
const LONGEST_TEMPLATE: usize = 2048;
const MOST_TOKENS: usize = 512;

/// Maximum number of digits in a simple literal. A number of at most 9 digits is always an integer token. A longer
/// number may exceed 32 bits. In this case, it is a token of another kind.
const DIGITS: usize = 9;

/// Number of lookups after which the hit rate of templates is checked again.
const WINDOW: u32 = 512;

/// Recently used templates.
#[derive(Default)]
pub struct Templates {
    slots: Vec<Option<Template>>,
    /// Position in a set at which `keep` stored the last template, from 0 to [`WAYS`] - 1. All sets share this counter.
    /// The next template is stored at the next position of its set.
    turn: usize,
    rate: HitRate<WINDOW, { WINDOW / 8 }>,
    /// Byte ranges of the current text's literals.
    places: Vec<(u32, u32)>,
}

struct Template {
    text: Box<[u8]>,
    scope: InputScope,
    tokens: Box<[ShapeToken]>,
    /// Byte ranges of the literals.
    literals: Box<[(u32, u32)]>,
    /// Number of bytes of `text` that follow the statement, for example 1 for a semicolon.
    dropped: usize,
    /// The shape's entry in the cache.
    entry: Box<[u8]>,
}

/// Returns the first slot of the set for this text. The start of the text selects the set, and a
/// template for the text can be in any of the set's [`WAYS`] slots.
fn set_of(text: &[u8]) -> usize {
    start_number(text) % SETS * WAYS
}

/// Returns the length of the simple literal at the start of a text; `None` if the text starts with no such literal.
#[inline]
fn literal_len(text: &[u8]) -> Option<usize> {
    if text.first()? == &b'\'' {
        let end = 1 + memchr::memchr3(b'\'', b'\\', 0, &text[1..])?;
        return (text[end] == b'\'').then_some(end + 1);
    }
    let digits = text.iter().take(DIGITS + 1).take_while(|byte| byte.is_ascii_digit()).count();
    // A leading zero may belong to a prefix such as 0x.
    (digits > 0 && digits <= DIGITS && (digits == 1 || text[0] != b'0')).then_some(digits)
}

impl Templates {
    /// Finds the template for a text and writes the text's tokens to `shape`. Returns the template's slot and the
    /// length of the statement in bytes.
    pub fn find(&mut self, text: &[u8], scope: InputScope, shape: &mut Shape) -> Option<(usize, usize)> {
        if !self.rate.is_worthwhile() {
            return None;
        }
        let first = set_of(text);
        let Self { slots, places, .. } = self;
        let slots = slots.get(first..first + WAYS)?;
        let (way, template) = slots.iter().enumerate().find_map(|(way, template)| {
            let template =
                template.as_ref().filter(|template| template.scope == scope && template.fits(text, places))?;
            Some((way, template))
        })?;
        template.write_tokens(places, shape);
        self.rate.hit();
        Some((first + way, text.len() - template.dropped))
    }

    /// Returns the cache entry of the template in a slot.
    pub fn entry(&self, at: usize) -> &[u8] {
        self.slots.get(at).and_then(Option::as_ref).map_or(&[], |template| &template.entry)
    }

    /// Stores a text as a template if all its literals are simple. `shape` has the tokens of the text. The statement is
    /// the first `statement` bytes of the text.
    pub fn keep(&mut self, text: &[u8], scope: InputScope, statement: usize, shape: &Shape, entry: &[u8]) {
        if self.rate.is_passing() || text.len() > LONGEST_TEMPLATE || shape.tokens.len() > MOST_TOKENS {
            return;
        }
        let literals = shape.tokens.iter().filter(|token| is_literal(token.kind)).map(|token| (token.start, token.end));
        let literals: Box<[(u32, u32)]> = literals.collect();
        let is_simple = |(start, end): &(u32, u32)| {
            let goes_on = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.$'\\".contains(byte) || !byte.is_ascii();
            literal_len(&text[*start as usize..]) == Some((end - start) as usize)
                && !text.get(*end as usize).is_some_and(goes_on)
        };
        if !literals.iter().all(is_simple) {
            return;
        }
        if self.slots.is_empty() {
            self.slots.resize_with(SETS * WAYS, || None);
        }
        self.turn = (self.turn + 1) % WAYS;
        let tokens = shape.tokens.as_slice().into();
        let dropped = text.len() - statement;
        let template = Template { text: text.into(), scope, tokens, literals, dropped, entry: entry.into() };
        self.slots[set_of(text) + self.turn] = Some(template);
    }
}

impl Template {
    /// Returns whether a text differs from the template only in literals. Writes the positions of the text's literals
    /// to `places`.
    #[inline]
    fn fits(&self, text: &[u8], places: &mut Vec<(u32, u32)>) -> bool {
        if text.len() > LONGEST {
            return false;
        }
        places.clear();
        let end_of = |(start, _): &(u32, u32), at: usize| {
            let is_string = self.text[*start as usize] == b'\'';
            let len = literal_len(&text[at..]).filter(|_| (text[at] == b'\'') == is_string)?;
            places.push((at as u32, (at + len) as u32));
            Some(at + len)
        };
        differ_in_literals(&self.text, text, &self.literals, |range| *range, end_of)
    }

    /// Writes the tokens of a text whose literals are at `places`.
    fn write_tokens(&self, places: &[(u32, u32)], shape: &mut Shape) {
        shape.key.clear();
        shape.tokens.clear();
        shape.literals = self.literals.len();
        let (mut shift, mut next) = (0, 0);
        for token in &self.tokens {
            let mut token = ShapeToken { start: token.start.wrapping_add(shift), ..*token };
            if self.literals.get(next).is_some_and(|(start, _)| start.wrapping_add(shift) == token.start) {
                (token.start, token.end) = places[next];
                shift = token.end.wrapping_sub(self.literals[next].1);
                next += 1;
            } else {
                token.end = token.end.wrapping_add(shift);
            }
            shape.tokens.push(token);
        }
    }
}
