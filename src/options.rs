//! Options of the library's functions. The structs and their defaults correspond to libpg_query's options.

use crate::sys;
use crate::sys::bindings as pg;

/// The kind of SQL to parse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ParseMode {
    /// Statements.
    #[default]
    Statements,
    /// A type name, such as `numeric(10, 2)[]`.
    TypeName,
    /// A PL/pgSQL expression.
    PlpgsqlExpression,
    /// A PL/pgSQL assignment, with the number of parts of the target's name (1 to 3).
    PlpgsqlAssignment(u8),
}

/// Parse options: PostgreSQL's settings that change the meaning of SQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct ParseOptions {
    /// The kind of SQL to parse.
    pub mode: ParseMode,
    /// `standard_conforming_strings = off`: a backslash is an escape in plain literals.
    pub backslash_escapes: bool,
    /// `backslash_quote = off`: `\'` is an error in escape strings.
    pub no_backslash_quote: bool,
    /// `escape_string_warning = off`.
    pub no_escape_warning: bool,
    /// Accepts normalized SQL with `$n` in all positions where [`crate::normalize`] and pg_stat_statements write it,
    /// such as `SET ROLE $1` and `interval $1`. PostgreSQL's own grammar rejects such parameters.
    pub normalized: bool,
}

impl ParseOptions {
    /// Returns the default options for normalized SQL.
    #[must_use]
    pub fn normalized() -> Self {
        Self { normalized: true, ..Self::default() }
    }

    /// Returns whether all options except `normalized` have their default values.
    #[must_use]
    pub fn reads_by_default(&self) -> bool {
        Self { normalized: false, ..*self } == Self::default()
    }

    pub(crate) fn bits(&self) -> i32 {
        let mode = match self.mode {
            ParseMode::Statements => pg::PG_QUERY_PARSE_DEFAULT,
            ParseMode::TypeName => pg::PG_QUERY_PARSE_TYPE_NAME,
            ParseMode::PlpgsqlExpression => pg::PG_QUERY_PARSE_PLPGSQL_EXPR,
            ParseMode::PlpgsqlAssignment(0 | 1) => pg::PG_QUERY_PARSE_PLPGSQL_ASSIGN1,
            ParseMode::PlpgsqlAssignment(2) => pg::PG_QUERY_PARSE_PLPGSQL_ASSIGN2,
            ParseMode::PlpgsqlAssignment(_) => pg::PG_QUERY_PARSE_PLPGSQL_ASSIGN3,
        };
        let flag = |on: bool, bit: u32| if on { bit } else { 0 };
        let bits = mode
            | flag(self.backslash_escapes, pg::PG_QUERY_DISABLE_STANDARD_CONFORMING_STRINGS)
            | flag(self.no_backslash_quote, pg::PG_QUERY_DISABLE_BACKSLASH_QUOTE)
            | flag(self.no_escape_warning, pg::PG_QUERY_DISABLE_ESCAPE_STRING_WARNING)
            | flag(self.normalized, pg::PGQ_PARSE_NORMALIZED);
        bits as i32
    }
}

/// Options of deparsing. By default the output is one line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct DeparseOptions {
    /// Whether to break and indent lines.
    pub pretty: bool,
    /// Number of spaces per level; 0 means libpg_query's default of 4. Used only with `pretty`.
    pub indent: u16,
    /// Maximum length of lines with list items, in characters; 0 means libpg_query's default of 80.
    pub max_line_length: u16,
    /// Whether the output ends with a newline.
    pub trailing_newline: bool,
    /// Whether commas go at the start of lines.
    pub commas_first: bool,
    /// Comments to insert, from [`crate::comments`]. Used only with `pretty`.
    pub comments: Vec<Comment>,
    /// Whether to parse the output and compare its tree with the input tree, ignoring positions. If
    /// the trees differ, deparsing returns an error ([`crate::ErrorKind::RoundTripMismatch`]) with
    /// the first difference.
    ///
    /// Structs cannot distinguish an empty string from an absent string. Therefore these two count as equal in a tree
    /// of structs.
    pub verify: bool,
}

impl DeparseOptions {
    pub(crate) fn raw(&self) -> sys::DeparseOpts {
        sys::DeparseOpts {
            pretty: self.pretty,
            indent_size: i32::from(self.indent),
            max_line_length: i32::from(self.max_line_length),
            trailing_newline: self.trailing_newline,
            commas_start_of_line: self.commas_first,
        }
    }
}

/// A comment and its position (postgres_deparse.h).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Comment {
    /// Byte offset of the end of the preceding token. The comment is written before the first node at this offset or
    /// later.
    pub position: usize,
    /// Number of newlines between the preceding token and the comment.
    pub newlines_before: u32,
    /// Number of newlines after the comment.
    pub newlines_after: u32,
    /// The comment with its delimiters.
    pub text: String,
}

impl Comment {
    /// Creates a comment on the same line as the SQL around it. `text` includes the delimiters, as in `-- like this`.
    #[must_use]
    pub fn new(position: usize, text: impl Into<String>) -> Self {
        Self { position, newlines_before: 0, newlines_after: 0, text: text.into() }
    }
}

/// Options of fingerprints (pg_query.h). By default, normalized SQL is accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct FingerprintOptions {
    /// Computes the fingerprints of libpg_query for PostgreSQL 17 and earlier. These fingerprints always include
    /// relation and schema names, and never aliases. Equivalent to `ignore_aliases` and `include_schema` together.
    /// PostgreSQL 18 has changed the trees of RETURNING, MERGE, constraints and some utility statements (such as GRANT
    /// and CREATE ROLE). Even with this option, the fingerprints of these trees are those of version 18.
    pub postgres_17: bool,
    /// Ignores aliases of relations. A relation with an alias is represented by its name.
    pub ignore_aliases: bool,
    /// Includes schema names in queries. Without this option, only schema names in utility statements are included.
    pub include_schema: bool,
    /// Includes relation names verbatim. By default runs of two or more digits are removed. For example,
    /// `orders_2024_01` becomes `orders__`.
    pub full_relation_names: bool,
    /// Includes the whole tree. By default, as in libpg_query, only 100 levels are included, and long chains of
    /// operators or joins that differ only in deeper levels have equal fingerprints. With this option, the fingerprints
    /// of deeper trees differ from libpg_query's.
    pub full_depth: bool,
    /// Includes the bodies of functions. By default bodies are ignored, as in libpg_query. For a body in SQL or
    /// PL/pgSQL, this option includes the PL/pgSQL control statements and the fingerprints of the SQL, but not the
    /// layout, comments and constants. If a body does not parse or is in another language, this option includes its
    /// text. Applies only to a [`crate::Tree`] and its statements.
    pub function_bodies: bool,
    /// Options for parsing the SQL.
    pub parse: ParseOptions,
}

impl Default for FingerprintOptions {
    fn default() -> Self {
        Self {
            postgres_17: false,
            ignore_aliases: false,
            include_schema: false,
            full_relation_names: false,
            full_depth: false,
            function_bodies: false,
            parse: ParseOptions::normalized(),
        }
    }
}

impl FingerprintOptions {
    pub(crate) fn flags(&self) -> sys::FingerprintFlags {
        sys::FingerprintFlags {
            ignore_aliases: self.postgres_17 || self.ignore_aliases,
            include_schema: self.postgres_17 || self.include_schema,
            full_relation_names: self.full_relation_names,
        }
    }
}

/// The method of splitting a script into statements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SplitMethod {
    /// Splits with the parser. The result is exact, but the script must parse.
    #[default]
    Parser,
    /// Splits with the scanner. Accepts scripts with syntax errors, but splits BEGIN ATOMIC bodies at their inner
    /// semicolons.
    Scanner,
}
