//! Public types of [`Lexer`](crate::Lexer): tokens, keywords and fallback reasons.

use crate::kinds;

/// A token or a comment, as PostgreSQL's scanner would return it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RawToken {
    /// Byte offset of the first byte.
    pub start: u32,
    /// Byte offset of the end.
    pub end: u32,
    /// Token number in PostgreSQL's grammar ([`kinds`]). For one-character tokens, it is the ASCII code.
    pub kind: u16,
    /// Index of a keyword in PostgreSQL's list ([`Keyword::by_number`]). For other tokens, flags ([`detail`]).
    pub detail: u16,
}

impl RawToken {
    /// Returns whether this is a `--` or `/* */` comment.
    #[inline(always)]
    pub fn is_comment(self) -> bool {
        matches!(self.kind, kinds::SQL_COMMENT | kinds::C_COMMENT)
    }
}

/// Flags in [`RawToken::detail`] for tokens that are not keywords.
pub mod detail {
    /// A word with ASCII capitals, which PostgreSQL folds to lower case.
    pub const CAPITALS: u16 = 1;
    /// A name in double quotes.
    pub const QUOTED: u16 = 2;
    /// A name of 64 bytes or more (NAMEDATALEN), which PostgreSQL truncates with a notice.
    pub const LONG: u16 = 4;
    /// A literal or a quoted name that contains doubled quotes.
    pub const DOUBLED: u16 = 8;
    /// A literal in which backslashes are escapes.
    pub const ESCAPES: u16 = 16;
    /// A dollar-quoted literal.
    pub const DOLLARS: u16 = 32;
    /// A literal that consists of quoted parts on several lines.
    pub const CONTINUED: u16 = 64;
}

/// An entry of PostgreSQL's keyword list (kwlist.h).
#[derive(Debug, Clone, Copy)]
pub struct Keyword {
    /// The keyword in lower case.
    pub name: &'static str,
    /// Token number in the grammar.
    pub token: u16,
    /// The keyword's kind, such as reserved or unreserved, as a number in libpg_query's `KeywordKind` enum.
    pub kind: u8,
}

/// The reason why [`Lexer`](crate::Lexer) stopped and PostgreSQL's scanner must read the SQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u16)]
#[non_exhaustive]
pub enum FallbackReason {
    /// An unterminated literal, quoted name or comment.
    Unterminated,
    /// An escape whose value PostgreSQL must check, such as a surrogate pair.
    Escape,
    /// A number followed by word characters, or a prefix such as `0x` without digits.
    Number,
    /// A parameter number that is too large or followed by word characters.
    Parameter,
    /// An operator of 64 bytes or more, or a very long run of operator characters.
    Operator,
    /// An empty quoted name, `""`.
    EmptyName,
    /// A NUL byte.
    Nul,
}

impl FallbackReason {
    pub(crate) const ALL: [Self; 7] =
        [Self::Unterminated, Self::Escape, Self::Number, Self::Parameter, Self::Operator, Self::EmptyName, Self::Nul];
}
