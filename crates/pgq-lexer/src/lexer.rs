//! The exact lexer. It finds PostgreSQL's tokens by the rules of scan.l, without PostgreSQL's scanner.
//!
//! The lexer stops with a [`FallbackReason`] if PostgreSQL must check an escape or create an error message. The tokens
//! up to that point equal the tokens of PostgreSQL's scanner. The lexer does not decode the values of tokens;
//! [`crate::append_value`] does.

use crate::byte_class::{BYTE_CLASSES, ByteClass, is_operator_byte, is_self};
use crate::kinds::{self, COLON_EQUALS, DOT_DOT, TYPECAST};
use crate::scan::{ScanResult, SqlText};
use crate::token::{FallbackReason, RawToken, detail};

/// An iterator over the tokens and comments of SQL. After the last token, [`Lexer::fallback`] is `None` if the whole
/// SQL was read.
///
/// ```
/// use pgq_lexer::{FallbackReason, Lexer};
///
/// let mut lexer = Lexer::new(b"SELECT 'a");
/// assert_eq!(lexer.by_ref().count(), 1);
/// assert_eq!(lexer.fallback(), Some(FallbackReason::Unterminated));
/// ```
#[derive(Debug, Clone)]
pub struct Lexer<'a> {
    text: SqlText<'a>,
    offset: usize,
    /// Flags of plain literals `'…'`: [`detail::ESCAPES`] or 0.
    plain_flags: u16,
    fallback: Option<FallbackReason>,
}

impl<'a> Lexer<'a> {
    /// Creates a lexer at the start of UTF-8 SQL of less than 4 GB.
    #[inline(always)]
    pub fn new(text: &'a [u8]) -> Self {
        Self::from_offset(text, 0, false)
    }

    /// Creates a lexer at byte `offset`, where a token or white space must start.
    ///
    /// With `backslash_escapes`, a backslash is an escape in plain literals too, as with PostgreSQL's setting
    /// `standard_conforming_strings = off`.
    #[inline(always)]
    pub fn from_offset(text: &'a [u8], offset: usize, backslash_escapes: bool) -> Self {
        let plain_flags = if backslash_escapes { detail::ESCAPES } else { 0 };
        Self { text: SqlText(text), offset, plain_flags, fallback: None }
    }

    /// Returns the reason why the lexer stopped before the end of the SQL; `None` if the lexer reached the end.
    #[inline(always)]
    pub fn fallback(&self) -> Option<FallbackReason> {
        self.fallback
    }

    /// Converts a successful result to a token. Moves the lexer to the token's end.
    #[inline(always)]
    fn token(&mut self, start: usize, ScanResult { end, kind, detail }: ScanResult) -> Option<RawToken> {
        self.offset = end as usize;
        Some(RawToken { start: start as u32, end, kind, detail })
    }

    /// Returns the token, or `None` for a fallback. Records the reason of the fallback.
    #[inline(always)]
    fn token_or_fallback(&mut self, start: usize, result: ScanResult) -> Option<RawToken> {
        if result.kind == ScanResult::FALLBACK {
            self.fallback = Some(FallbackReason::ALL[usize::from(result.detail)]);
            return None;
        }
        self.token(start, result)
    }
}

impl Iterator for Lexer<'_> {
    type Item = RawToken;

    // The profile `dev` optimizes this crate but not the crate pgq. If this function were inlined into pgq, it would be
    // compiled without optimization. Therefore it is not inlined in this profile, which enables debug assertions for
    // this crate.
    #[cfg_attr(debug_assertions, inline(never))]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next(&mut self) -> Option<RawToken> {
        let text = self.text;
        let mut start = self.offset;
        loop {
            let mut byte = text.byte(start)?;
            // Tokens are usually separated by one blank. The general path below skips further white space.
            if byte == b' ' {
                start += 1;
                byte = text.byte(start)?;
            }
            let class = BYTE_CLASSES[byte as usize];
            // Most tokens are words, and most words are short.
            if class == ByteClass::Word {
                return match text.short_word(start) {
                    Some(word) => self.token(start, word),
                    None => self.token_or_fallback(start, text.word_or_prefixed_literal(start)),
                };
            }
            let single = ScanResult::token(start + 1, u16::from(byte), 0);
            let next = || text.byte(start + 1);
            return match class {
                ByteClass::Space => {
                    start = text.space_end(start + 1);
                    continue;
                }
                ByteClass::Single | ByteClass::Word => self.token(start, single),
                ByteClass::Operator => match next() {
                    Some(next) if is_operator_byte(next) => self.token_or_fallback(start, text.operator(start, byte)),
                    _ if is_self(byte) => self.token(start, single),
                    _ => self.token(start, ScanResult::token(start + 1, kinds::OP, 0)),
                },
                ByteClass::Digit => match text.short_integer(start) {
                    Some(integer) => self.token(start, integer),
                    None => self.token_or_fallback(start, text.number(start)),
                },
                ByteClass::Dot => match next() {
                    Some(b'0'..=b'9') => self.token_or_fallback(start, text.number(start)),
                    Some(b'.') => self.token(start, ScanResult::token(start + 2, DOT_DOT, 0)),
                    _ => self.token(start, single),
                },
                ByteClass::Colon => match next() {
                    Some(b':') => self.token(start, ScanResult::token(start + 2, TYPECAST, 0)),
                    Some(b'=') => self.token(start, ScanResult::token(start + 2, COLON_EQUALS, 0)),
                    _ => self.token(start, single),
                },
                ByteClass::Quote => self.token_or_fallback(start, text.string_literal(start + 1, self.plain_flags)),
                ByteClass::DoubleQuote => self.token_or_fallback(start, text.quoted_name(start + 1, kinds::IDENT)),
                ByteClass::Dollar => self.token_or_fallback(start, text.dollar(start)),
                ByteClass::Nul => self.token_or_fallback(start, ScanResult::fallback(FallbackReason::Nul)),
            };
        }
    }
}
