//! Options of the library's functions: plain structs with defaults, mapped to libpg_query's.

use crate::sys;
use crate::sys::bindings as pg;

/// What kind of text is parsed.
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
    /// A PL/pgSQL assignment to a name of this many parts, 1 to 3.
    PlpgsqlAssignment(u8),
}

/// Options of parsing: PostgreSQL's settings that change what a text means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct ParseOptions {
    /// What kind of text is parsed.
    pub mode: ParseMode,
    /// `standard_conforming_strings = off`: backslashes escape in plain literals.
    pub backslash_escapes: bool,
    /// `backslash_quote = off`: `\'` is refused in escape strings.
    pub no_backslash_quote: bool,
    /// `escape_string_warning = off`.
    pub no_escape_warning: bool,
    /// The text may be normalized: `$n` is accepted wherever [`crate::normalize`] and pg_stat_statements write it, such as
    /// in `SET ROLE $1` and `interval $1`, which PostgreSQL's own grammar refuses.
    pub normalized: bool,
}

impl ParseOptions {
    /// Returns the defaults for text that may be normalized.
    #[must_use]
    pub fn normalized() -> Self {
        Self { normalized: true, ..Self::default() }
    }

    /// Returns whether literals are read by PostgreSQL's default settings, and the text is of statements.
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

/// Options of writing SQL. The default is one line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct DeparseOptions {
    /// Break and indent lines.
    pub pretty: bool,
    /// Spaces a level; 0 means libpg_query's default of 4. Only with `pretty`.
    pub indent: u16,
    /// Characters a line of list items may have; 0 means libpg_query's default of 80.
    pub max_line_length: u16,
    /// End the text in a newline.
    pub trailing_newline: bool,
    /// Put commas at the start of lines.
    pub commas_first: bool,
    /// Comments to write back, from [`crate::comments`]. Only with `pretty`.
    pub comments: Vec<Comment>,
    /// Parse the SQL that was written and compare the trees: a difference is then an error
    /// ([`crate::ErrorKind::RoundTripMismatch`]) that names the first one.
    ///
    /// Text positions are not compared. For a tree in structs, an empty string equals an absent
    /// one, since structs cannot tell them apart.
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

/// A comment of a text and its place (postgres_deparse.h).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Comment {
    /// Byte offset of the end of the token before it. The deparser writes it before the first node
    /// at this offset or later.
    pub position: usize,
    /// Newlines between the token before and the comment.
    pub newlines_before: u32,
    /// Newlines between the comment and what follows.
    pub newlines_after: u32,
    /// The comment with its markers.
    pub text: String,
}

impl Comment {
    /// Creates a comment with its markers, `-- like this`, on the line of what is around it.
    #[must_use]
    pub fn new(position: usize, text: impl Into<String>) -> Self {
        Self { position, newlines_before: 0, newlines_after: 0, text: text.into() }
    }
}

/// Options of fingerprints (pg_query.h). By default the text may be normalized.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct FingerprintOptions {
    /// Fingerprints of libpg_query for PostgreSQL 17 and earlier: relation names and schema names
    /// always count, aliases never. The same as the next two options together.
    pub postgres_17: bool,
    /// Aliases of relations do not count; a relation with an alias counts by its name.
    pub ignore_aliases: bool,
    /// Schema names count in queries too, not only in utility statements.
    pub include_schema: bool,
    /// Relation names count whole. By default runs of two or more digits do not count, so that
    /// `orders_2024_01` counts as `orders__`.
    pub full_relation_names: bool,
    /// The whole tree counts. libpg_query stops at 100 levels, so that long chains of operators or
    /// joins have equal fingerprints; deeper trees get another fingerprint with this option.
    pub full_depth: bool,
    /// Bodies of functions in SQL and PL/pgSQL count by the fingerprints of their SQL and, of PL/pgSQL, by
    /// the statements around it, so that layout, comments and constants do not count; other bodies, and those
    /// that do not parse, by their text. By default bodies do not count, as in libpg_query. Only for a [`crate::Tree`]
    /// and its statements.
    pub function_bodies: bool,
    /// How the text is parsed.
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

/// How a script is split into statements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SplitMethod {
    /// By the parser: exact, and an error where the script does not parse.
    #[default]
    Parser,
    /// By the scanner: also for scripts with syntax errors; cuts BEGIN ATOMIC bodies apart.
    Scanner,
}
