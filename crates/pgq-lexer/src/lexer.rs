//! PostgreSQL's tokens without PostgreSQL's scanner, by the rules of scan.l in the pinned sources.
//!
//! Exact or silent: where a rule needs more than the text (an escape whose value must be checked,
//! an error that must be worded) the lexer stops and names the reason. It says where tokens are
//! and which they are; [`crate::value()`] makes their values.

use crate::bytes::{CLASS, Class, is_operator, is_self};
use crate::kinds::{self, COLON_EQUALS, DOT_DOT, TYPECAST};
use crate::token::{FallbackReason, Lexeme, RawToken, Text, detail};

/// The tokens of a text, one after another, comments included. After the last, ask
/// [`Lexer::fallback`] whether it was the last.
#[derive(Debug, Clone)]
pub struct Lexer<'a> {
    text: Text<'a>,
    at: usize,
    /// What plain literals are: [`detail::ESCAPES`] where backslashes escape in them too
    /// (standard_conforming_strings is off), or 0.
    plain: u16,
    fallback: Option<FallbackReason>,
}

impl<'a> Lexer<'a> {
    /// A lexer at the start of a text in UTF-8 of less than 4 GB.
    #[inline(always)]
    pub fn new(text: &'a [u8]) -> Self {
        Self::at(text, 0, false)
    }

    /// A lexer at byte `at` of the text, where a token or white space must start.
    #[inline(always)]
    pub fn at(text: &'a [u8], at: usize, backslashes: bool) -> Self {
        Self { text: Text(text), at, plain: if backslashes { detail::ESCAPES } else { 0 }, fallback: None }
    }

    /// Why the tokens ended before the text did, if they did.
    #[inline(always)]
    pub fn fallback(&self) -> Option<FallbackReason> {
        self.fallback
    }

    /// A token that the lexer knows.
    #[inline(always)]
    fn sure(&mut self, start: usize, Lexeme { end, kind, detail }: Lexeme) -> Option<RawToken> {
        self.at = end as usize;
        Some(RawToken { start: start as u32, end, kind, detail })
    }

    /// A token that it may not know.
    #[inline(always)]
    fn checked(&mut self, start: usize, lexeme: Lexeme) -> Option<RawToken> {
        if lexeme.kind == Lexeme::FALLBACK {
            self.fallback = Some(FallbackReason::ALL[usize::from(lexeme.detail)]);
            return None;
        }
        self.sure(start, lexeme)
    }
}

impl Iterator for Lexer<'_> {
    type Item = RawToken;

    #[inline(always)]
    fn next(&mut self) -> Option<RawToken> {
        let text = self.text;
        let mut start = self.at;
        loop {
            let byte = text.byte(start)?;
            if byte == b' ' {
                start += 1;
                continue;
            }
            let class = CLASS[byte as usize];
            // Most tokens are words, and most words are short.
            if class == Class::Word {
                return match text.word(start) {
                    Some(word) => self.sure(start, word),
                    None => self.checked(start, text.rare_word(start)),
                };
            }
            let single = Lexeme::new(start + 1, u16::from(byte), 0);
            let next = || text.byte(start + 1);
            return match class {
                Class::Space => {
                    start = text.space_end(start + 1);
                    continue;
                }
                Class::Single | Class::Word => self.sure(start, single),
                Class::Operator => match next() {
                    Some(next) if is_operator(next) => self.checked(start, text.operator(start, byte)),
                    _ if is_self(byte) => self.sure(start, single),
                    _ => self.sure(start, Lexeme::new(start + 1, kinds::OP, 0)),
                },
                Class::Digit => match text.short_integer(start) {
                    Some(integer) => self.sure(start, integer),
                    None => self.checked(start, text.number(start)),
                },
                Class::Dot => match next() {
                    Some(b'0'..=b'9') => self.checked(start, text.number(start)),
                    Some(b'.') => self.sure(start, Lexeme::new(start + 2, DOT_DOT, 0)),
                    _ => self.sure(start, single),
                },
                Class::Colon => match next() {
                    Some(b':') => self.sure(start, Lexeme::new(start + 2, TYPECAST, 0)),
                    Some(b'=') => self.sure(start, Lexeme::new(start + 2, COLON_EQUALS, 0)),
                    _ => self.sure(start, single),
                },
                Class::Quote => self.checked(start, text.literal(start + 1, self.plain)),
                Class::DoubleQuote => self.checked(start, text.quoted_name(start + 1, kinds::IDENT)),
                Class::Dollar => self.checked(start, text.dollar(start)),
                Class::Nul => self.checked(start, Lexeme::fallback(FallbackReason::Nul)),
            };
        }
    }
}
