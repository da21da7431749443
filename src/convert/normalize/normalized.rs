//! The result of normalizing, and how it deviates from libpg_query's.

/// A normalized text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Normalized {
    /// The text with `$n` in place of its constants.
    pub text: String,
    /// The number of constants that are left as they were, where PostgreSQL takes neither a
    /// parameter nor a string in their place: `SET a = 5`.
    pub kept: usize,
    /// The number of strings that became `'$n'`, in quotes, where PostgreSQL takes a string but
    /// no parameter: `PASSWORD '$1'`.
    pub quoted: usize,
    /// How the text differs from libpg_query's, each kind once and sorted.
    pub deviations: Vec<Deviation>,
}

/// Why a normalized text differs from libpg_query's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Deviation {
    /// A number with several signs or parentheses, `- (- 1)`, is one constant.
    Sign,
    /// `U&'…' UESCAPE '!'` is one constant.
    Escape,
    /// `date '2020-01-01'` is `$1::date`.
    Type,
    /// A word of the grammar is not a constant: `extract(year FROM a)`. (libpg_query's own changes
    /// to the grammar let `extract($1 FROM a)` parse; PostgreSQL's grammar refuses it.)
    Word,
    /// A string became `'$1'` where PostgreSQL takes only a string.
    Quoted,
    /// A constant is left where PostgreSQL takes no parameter.
    Kept,
    /// A space separates a parameter from the word beside it.
    Space,
    /// No text with the same meaning was found: the statement is left as it was.
    Statement,
}

impl Normalized {
    /// Returns a text that equals libpg_query's.
    pub(crate) fn compatible(text: String) -> Self {
        Self { text, kept: 0, quoted: 0, deviations: Vec::new() }
    }
}
