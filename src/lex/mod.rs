//! PostgreSQL's tokens without PostgreSQL's scanner: exact where it answers, and it says
//! where it does not know.
//!
//! The rules are scan.l's of the pinned sources. What needs more than them (an escape to
//! be checked, an error to be worded) is [`Unsure`]: the caller then asks C about the whole
//! text. The lexer judges no statement and makes no values; it says where tokens are, which
//! they are, and what must be done to get their values.

mod bytes;
mod comment;
mod cost;
mod hash;
pub(crate) mod keyword;
mod keywords;
pub(crate) mod kinds;
mod literal;
mod number;
mod operator;
mod value;
mod word;

pub(crate) use cost::check_cost;
pub(crate) use value::{delimiter, integer, value};

use bytes::{CLASS, Class};
use kinds::{COLON_EQUALS, DOT_DOT, TYPECAST};

/// One token, or a comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token {
    /// Byte offset of its start.
    pub start: u32,
    /// Byte offset behind its end.
    pub end: u32,
    /// Its number in the grammar; a byte for a token of one character.
    pub kind: u16,
    /// Of a keyword its number in PostgreSQL's list; of others the flags of [`detail`].
    pub detail: u16,
}

impl Token {
    /// Whether it is a comment of either form.
    #[inline(always)]
    pub(crate) fn is_comment(self) -> bool {
        matches!(self.kind, kinds::SQL_COMMENT | kinds::C_COMMENT)
    }

    /// Its number in libpg_query's `KeywordKind`; 0 where it is no keyword.
    #[inline(always)]
    pub(crate) fn keyword_kind(self) -> u8 {
        if self.kind > kinds::C_COMMENT { keyword::by_number(self.detail).kind } else { 0 }
    }
}

/// What [`Token::detail`] says of tokens that are not keywords.
pub(crate) mod detail {
    /// A word with capitals, which PostgreSQL turns into small letters.
    pub(crate) const CAPITALS: u16 = 1;
    /// A name in double quotes.
    pub(crate) const QUOTED: u16 = 2;
    /// A name of 64 bytes or more, which PostgreSQL cuts and remarks on.
    pub(crate) const LONG: u16 = 4;
    /// A literal or a name with doubled quotes inside.
    pub(crate) const DOUBLED: u16 = 8;
    /// A literal in which backslashes escape.
    pub(crate) const ESCAPES: u16 = 16;
    /// A literal between dollars.
    pub(crate) const DOLLARS: u16 = 32;
    /// A literal in several parts, on several lines.
    pub(crate) const CONTINUED: u16 = 64;
}

/// Why pgq's own lexer does not answer, and PostgreSQL's scanner is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u16)]
#[non_exhaustive]
pub enum Unsure {
    /// A literal, a quoted name or a comment that does not end.
    Unterminated,
    /// An escape whose value PostgreSQL must check.
    Escape,
    /// A number that something is stuck to, or without digits behind its prefix.
    Number,
    /// A parameter that is too large or that something is stuck to.
    Parameter,
    /// An operator of 64 bytes or more, or a very long row of operator characters.
    Operator,
    /// `""`.
    EmptyName,
    /// A NUL byte.
    Nul,
}

impl Unsure {
    pub(crate) const ALL: [Self; 7] =
        [Self::Unterminated, Self::Escape, Self::Number, Self::Parameter, Self::Operator, Self::EmptyName, Self::Nul];
}

/// Where a token ends and what it is; or, of the kind [`Lexeme::UNSURE`], why that is not known.
#[derive(Debug, Clone, Copy)]
struct Lexeme {
    end: u32,
    kind: u16,
    detail: u16,
}

impl Lexeme {
    /// No token has this kind.
    const UNSURE: u16 = u16::MAX;

    #[inline(always)]
    fn new(end: usize, kind: u16, detail: u16) -> Self {
        Self { end: end as u32, kind, detail }
    }

    #[inline(always)]
    fn unsure(why: Unsure) -> Self {
        Self { end: 0, kind: Self::UNSURE, detail: why as u16 }
    }
}

/// What the rules look at. Each of its functions reads the one token that starts where it is
/// told, and keeps nothing.
#[derive(Debug, Clone, Copy)]
struct Text<'a>(&'a [u8]);

impl Text<'_> {
    #[inline(always)]
    fn byte(self, at: usize) -> Option<u8> {
        self.0.get(at).copied()
    }
}

/// The tokens of a text, one after another, comments included. After the last, ask
/// [`Lexer::unsure`] whether it was the last.
#[derive(Debug, Clone)]
pub(crate) struct Lexer<'a> {
    text: Text<'a>,
    at: usize,
    /// What plain literals are: [`detail::ESCAPES`] where backslashes escape in them too
    /// (standard_conforming_strings is off), or 0.
    plain: u16,
    unsure: Option<Unsure>,
}

impl<'a> Lexer<'a> {
    /// A lexer at the start of a text in UTF-8 of less than 4 GB.
    #[inline(always)]
    pub(crate) fn new(text: &'a [u8]) -> Self {
        Self::at(text, 0, false)
    }

    /// A lexer at byte `at` of the text, where a token or white space must start.
    #[inline(always)]
    pub(crate) fn at(text: &'a [u8], at: usize, backslashes: bool) -> Self {
        Self { text: Text(text), at, plain: if backslashes { detail::ESCAPES } else { 0 }, unsure: None }
    }

    /// Why the tokens ended before the text did, if they did.
    #[inline(always)]
    pub(crate) fn unsure(&self) -> Option<Unsure> {
        self.unsure
    }

    /// A token that the lexer knows.
    #[inline(always)]
    fn sure(&mut self, start: usize, Lexeme { end, kind, detail }: Lexeme) -> Option<Token> {
        self.at = end as usize;
        Some(Token { start: start as u32, end, kind, detail })
    }

    /// A token that it may not know.
    #[inline(always)]
    fn checked(&mut self, start: usize, lexeme: Lexeme) -> Option<Token> {
        if lexeme.kind == Lexeme::UNSURE {
            self.unsure = Some(Unsure::ALL[usize::from(lexeme.detail)]);
            return None;
        }
        self.sure(start, lexeme)
    }
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    #[inline(always)]
    fn next(&mut self) -> Option<Token> {
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
                    Some(next) if bytes::is_operator(next) => self.checked(start, text.operator(start, byte)),
                    _ if bytes::is_self(byte) => self.sure(start, single),
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
                Class::Nul => self.checked(start, Lexeme::unsure(Unsure::Nul)),
            };
        }
    }
}
