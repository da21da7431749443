//! The result of normalization, and its deviations from libpg_query's result.

/// Normalized SQL.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Normalized {
    /// The SQL with `$n` in place of its constants.
    pub text: String,
    /// Number of constants that are unchanged because PostgreSQL accepts neither a parameter nor a string in their
    /// place, as in `SET a = 5`.
    pub kept: usize,
    /// Number of strings that became `'$n'`, in quotes, because PostgreSQL accepts a string in their place but no
    /// parameter, as in `PASSWORD '$1'`.
    pub quoted: usize,
    /// The deviations from libpg_query's result, sorted and without duplicates.
    pub deviations: Vec<Deviation>,
}

/// The reason why normalized SQL differs from libpg_query's result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Deviation {
    /// A number with several signs or parentheses, such as `- (- 1)`, is one constant.
    Sign,
    /// `U&'…' UESCAPE '!'` is one constant.
    Escape,
    /// `date '2020-01-01'` becomes `$1::date`.
    Type,
    /// A word of the grammar is unchanged, such as `year` in `extract(year FROM a)`. libpg_query replaces it, because
    /// its own grammar accepts `extract($1 FROM a)`. PostgreSQL's grammar does not.
    Word,
    /// A string became `'$1'`, because PostgreSQL accepts only a string in its place.
    Quoted,
    /// A constant is unchanged, because PostgreSQL accepts no parameter in its place.
    Kept,
    /// A space separates a parameter from an adjacent word.
    Space,
    /// No normalized SQL with the same meaning was found. The statement is unchanged.
    Statement,
}

impl Normalized {
    /// Creates a result that equals libpg_query's result.
    pub(crate) fn compatible(text: String) -> Self {
        Self { text, kept: 0, quoted: 0, deviations: Vec::new() }
    }
}
