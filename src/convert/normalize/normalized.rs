//! The result of normalization, and its deviations from libpg_query's.

/// A normalized text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Normalized {
    /// The text with `$n` in place of its constants.
    pub text: String,
    /// Number of constants that are unchanged because PostgreSQL accepts neither a parameter nor a string in their
    /// place: `SET a = 5`.
    pub kept: usize,
    /// Number of strings that became `'$n'`, in quotes, because PostgreSQL accepts a string but no parameter:
    /// `PASSWORD '$1'`.
    pub quoted: usize,
    /// The deviations from libpg_query's text, sorted and without duplicates.
    pub deviations: Vec<Deviation>,
}

/// The reason why a normalized text differs from libpg_query's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Deviation {
    /// A number with several signs or parentheses, `- (- 1)`, is one constant.
    Sign,
    /// `U&'…' UESCAPE '!'` is one constant.
    Escape,
    /// `date '2020-01-01'` is `$1::date`.
    Type,
    /// A word of the grammar is not a constant: `extract(year FROM a)`. libpg_query's own grammar accepts
    /// `extract($1 FROM a)`, but PostgreSQL's refuses it.
    Word,
    /// A string became `'$1'`, because PostgreSQL accepts only a string.
    Quoted,
    /// A constant is unchanged, because PostgreSQL accepts no parameter.
    Kept,
    /// A space separates a parameter from an adjacent word.
    Space,
    /// No text with the same meaning was found, so the statement is unchanged.
    Statement,
}

impl Normalized {
    /// Wraps a text that equals libpg_query's.
    pub(crate) fn compatible(text: String) -> Self {
        Self { text, kept: 0, quoted: 0, deviations: Vec::new() }
    }
}
