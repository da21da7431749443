//! What the lexer gives: tokens, the reasons for giving none, and what both are made of while
//! a text is read. Types only.

use crate::kinds;

/// One token, or a comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RawToken {
    /// Byte offset of its start.
    pub start: u32,
    /// Byte offset behind its end.
    pub end: u32,
    /// Its number in the grammar; a byte for a token of one character.
    pub kind: u16,
    /// Of a keyword its number in PostgreSQL's list; of others the flags of [`detail`].
    pub detail: u16,
}

impl RawToken {
    /// Whether it is a comment of either form.
    #[inline(always)]
    pub fn is_comment(self) -> bool {
        matches!(self.kind, kinds::SQL_COMMENT | kinds::C_COMMENT)
    }
}

/// What [`RawToken::detail`] says of tokens that are not keywords.
pub mod detail {
    /// A word with capitals, which PostgreSQL turns into small letters.
    pub const CAPITALS: u16 = 1;
    /// A name in double quotes.
    pub const QUOTED: u16 = 2;
    /// A name of 64 bytes or more, which PostgreSQL cuts and remarks on.
    pub const LONG: u16 = 4;
    /// A literal or a name with doubled quotes inside.
    pub const DOUBLED: u16 = 8;
    /// A literal in which backslashes escape.
    pub const ESCAPES: u16 = 16;
    /// A literal between dollars.
    pub const DOLLARS: u16 = 32;
    /// A literal in several parts, on several lines.
    pub const CONTINUED: u16 = 64;
}

/// A row of PostgreSQL's list of keywords.
#[derive(Debug, Clone, Copy)]
pub struct Keyword {
    /// The word in lower case.
    pub name: &'static str,
    /// Its token number in the grammar.
    pub token: u16,
    /// Its number in libpg_query's `KeywordKind` enum: reserved, unreserved and so on.
    pub kind: u8,
}

/// Why pgq's own lexer does not answer, and PostgreSQL's scanner is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u16)]
#[non_exhaustive]
pub enum FallbackReason {
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

impl FallbackReason {
    pub(crate) const ALL: [Self; 7] =
        [Self::Unterminated, Self::Escape, Self::Number, Self::Parameter, Self::Operator, Self::EmptyName, Self::Nul];
}

/// Where a token ends and what it is; or, of the kind [`Lexeme::FALLBACK`], why that is not known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lexeme {
    pub(crate) end: u32,
    pub(crate) kind: u16,
    pub(crate) detail: u16,
}

impl Lexeme {
    /// No token has this kind.
    pub(crate) const FALLBACK: u16 = u16::MAX;

    #[inline(always)]
    pub(crate) fn new(end: usize, kind: u16, detail: u16) -> Self {
        Self { end: end as u32, kind, detail }
    }

    #[inline(always)]
    pub(crate) fn fallback(why: FallbackReason) -> Self {
        Self { end: 0, kind: Self::FALLBACK, detail: why as u16 }
    }
}

/// What the rules look at. Each of its functions reads the one token that starts where it is
/// told, and keeps nothing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Text<'a>(pub(crate) &'a [u8]);

impl Text<'_> {
    #[inline(always)]
    pub(crate) fn byte(self, at: usize) -> Option<u8> {
        self.0.get(at).copied()
    }
}
