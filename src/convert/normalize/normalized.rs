//! What normalizing gives, and how it deviates from libpg_query's text.

/// A text without its constants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Normalized {
    /// The text with `$n` in place of its constants.
    pub text: String,
    /// Constants that are left as they were, where PostgreSQL takes no parameter and no
    /// string that could stand for them: `SET a = 5`.
    pub kept: usize,
    /// Strings that are now `'$n'`, in quotes, where PostgreSQL takes a string but no
    /// parameter: `PASSWORD '$1'`.
    pub quoted: usize,
    /// In what the text differs from that of libpg_query, each once and in order.
    pub deviations: Vec<Deviation>,
}

/// Why a normalized text is not that of libpg_query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Deviation {
    /// A number with several signs or parentheses, `- (- 1)`, is one constant.
    Sign,
    /// `U&'…' UESCAPE '!'` is one constant.
    Escape,
    /// `date '2020-01-01'` is `$1::date`.
    Type,
    /// A word of the grammar is no constant: `extract(year FROM a)`. (libpg_query's own changes
    /// to the grammar let `extract($1 FROM a)` parse; PostgreSQL does not.)
    Word,
    /// A string where only a string may stand is `'$1'`.
    Quoted,
    /// A constant where no parameter may stand is left.
    Kept,
    /// A parameter would have run into the word beside it.
    Space,
    /// No text could be made that means the same: the statement is left as it was.
    Statement,
}

impl Normalized {
    /// A text without deviations from libpg_query's.
    pub(crate) fn compatible(text: String) -> Self {
        Self { text, kept: 0, quoted: 0, deviations: Vec::new() }
    }
}
