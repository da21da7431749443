//! Replaces drivers' placeholders and psql's variables, which PostgreSQL's grammar refuses, by `$n`. Maps positions in
//! the new text back to the original.
//!
//! | style | placeholders | escapes | used by |
//! | --- | --- | --- | --- |
//! | psql | `:name`, `:'name'`, `:"name"`, `:{?name}` | `\:` | psql |
//! | qmark | `?`, `?1` | `??` | pgjdbc, JPA, PDO |
//! | format | `%s`, `%b`, `%t` | `%%` | psycopg |
//! | pyformat | `%(name)s`, and what format has | `%%` | psycopg |
//! | named | `:name` | `\:` | SQLAlchemy, Spring, Hibernate, Npgsql |
//! | numeric | `:1` | | DB-API, Oracle |
//! | at | `@name` | | Npgsql, SqlClient |
//! | extension | `@extschema@`, `@extschema:name@` | | scripts of extensions |
//!
//! asyncpg, node-postgres, pgx, lib/pq and sqlx of Rust send `$n`: their SQL needs no style.
//!
//! # In every style
//! - Literals (`'…'`, `E'…'`, `$tag$…$tag$`), quoted identifiers and comments are
//!   unchanged, except for `%%` (see below).
//! - Equal names get equal numbers. Numbers start after the highest `$n` of the text.
//!   To start each statement at `$1`, pass one statement at a time.
//! - A space separates `$n` from a letter, digit, `_` or `$` that touches it (`LIMIT?`, `%sAND`).
//! - Casts (`::`), assignments (`:=`) and a lone `:` are unchanged. So is a colon after an operand
//!   in a subscript (`a[1:x]`, `a[i:j]`) or in `JSON_OBJECT('k':v)`, although psql and some
//!   drivers replace it if they know a variable `x`: an operand followed by `$n` is a syntax
//!   error. A word counts as the operand only if it touches the colon. `a[:x]` is a placeholder.
//! - psql's meta-commands are skipped. The text must not contain COPY data.
//!
//! # psql
//! psql replaces only variables that are set. The text does not tell which are set, so all are treated as set.
//! A name consists of letters, digits and `_`; a name of digits only is unchanged in a subscript
//! (`a[:2]`).
//! - `:'name'` is a literal. It becomes `$n`, or the literal `'name'` where the grammar takes
//!   a literal and no parameter (`COPY t FROM :'file'`).
//! - `:"name"` is an identifier and becomes `"name"`.
//! - `:name` is inserted verbatim. It becomes `$n`, or the identifier `"name"` where the
//!   grammar takes no parameter (`FROM :table`), or the rest of the identifier that it
//!   touches (`part_:year` becomes `part_year`, `LIMIT:n` becomes `LIMITn`, as in psql).
//!   Where neither parses (`ORDER BY f(x) :direction`), `$n` stays and the parser stops there.
//! - `:name` before the first word of a statement contains the start of a command (`:EXPLAIN
//!   SELECT 1`), and is removed.
//! - `:{?name}` becomes `TRUE`.
//! - `\:` becomes a colon that starts no variable.
//!
//! The parser decides between the forms: the statement is parsed with `$n`, and if the error is exactly at
//! a parameter, its alternative is tried. A `:name` followed by `(` is an identifier at once. After
//! 64 tries the statement is unchanged. libpg_query's grammar takes `$n` in more places than a
//! server does: `SET x = $1`, `PASSWORD $1`, `INTERVAL $1`.
//!
//! # qmark
//! Every `?` in code is a placeholder, and `??` is the character `?`: write PostgreSQL's operators
//! as `a ?? 'k'`, `a ??| b` and `@??`. A bare `a ? b` is read as pgjdbc reads it, as a placeholder
//! between two operands. `?1` is number 1 everywhere; a bare `?` gets one more than the highest
//! number so far, as in SQLite. JDBC's escapes in braces (`{fn …}`, `{call …}`) are not SQL and are unchanged.
//!
//! # format and pyformat
//! `%%` is a percent sign everywhere, in literals, identifiers and comments, too: psycopg
//! replaces over the whole text. (It does so only when it is given parameters.) A `%s` in a
//! literal or comment, for which psycopg would consume a parameter, is unchanged: the server sees no
//! parameter there. `%b` and `%t` are psycopg 3's. A percent sign before anything else, which
//! psycopg refuses, is unchanged. As psycopg 2 splices literals, a placeholder becomes a literal
//! (`'name'`, or `'?'` without one) where the grammar takes no parameter (`NOTIFY c, %s`).
//!
//! # named
//! A name starts with a letter or `_`. `:x::int` is a placeholder and a cast, as for everyone
//! but SQLAlchemy's `text()`, which does not replace it; `\:` is a colon, as there and in Spring. Go's
//! sqlx halves `::` and replaces inside literals; this module does not.
//!
//! # numeric
//! `:2` becomes `$2`, or the number follows the highest `$n` of the text.
//!
//! # at
//! `@name` is a placeholder unless another `@` precedes it: `@@x` is unchanged, and so are
//! `@>`, `<@ x` and `@ -5`. `a<@b` is read as Npgsql reads it: `<` and a placeholder. Names
//! have dots inside (`@p.x`), and are case-insensitive.
//!
//! # extension
//! Names that CREATE EXTENSION replaces: `@extschema@` becomes `"extschema"`,
//! `@extschema:cube@` becomes `"extschema:cube"`, `@extowner@` becomes `"extowner"`.
//! `MODULE_PATHNAME` appears in a literal, which is SQL already.

mod fit;
mod forms;
mod search;
mod write;

use std::borrow::Cow;
use std::ops::Range;

use crate::error::{Error, Position};
use crate::tree::Tree;
use write::Edit;

/// A style of placeholders. The [module](self) documents the rules of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PlaceholderStyle {
    /// psql's `:name`, `:'name'`, `:"name"` and `:{?name}`.
    Psql,
    /// `?`, and `??` for a question mark.
    Qmark,
    /// `%s`, and `%%` for a percent sign.
    Format,
    /// `%(name)s` or `%s`, and `%%` for a percent sign.
    Pyformat,
    /// `:name`, and `\:` for a colon.
    Named,
    /// `:1`.
    Numeric,
    /// `@name`.
    At,
    /// `@extschema@`, `@extschema:name@` and `@extowner@` of extension scripts.
    Extension,
}

impl PlaceholderStyle {
    /// Every style.
    pub const ALL: [Self; 8] =
        [Self::Psql, Self::Qmark, Self::Format, Self::Pyformat, Self::Named, Self::Numeric, Self::At, Self::Extension];

    /// Returns the style's name in lower case: `psql`, `qmark`, ….
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Psql => "psql",
            Self::Qmark => "qmark",
            Self::Format => "format",
            Self::Pyformat => "pyformat",
            Self::Named => "named",
            Self::Numeric => "numeric",
            Self::At => "at",
            Self::Extension => "extension",
        }
    }

    /// Returns the style with this [`name`](Self::name).
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|style| style.name() == name)
    }
}

/// A placeholder that was replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Placeholder<'a> {
    /// Byte range in the original text.
    pub range: Range<usize>,
    /// The n of `$n`; `None` if the placeholder became an identifier, a literal or `TRUE`.
    pub number: Option<u32>,
    /// The name as written, or the number; `None` for `?` and `%s`.
    pub name: Option<&'a str>,
}

/// SQL with its placeholders replaced by `$n`.
#[derive(Debug, Clone)]
pub struct Replaced<'a> {
    /// The new text; the original if it has no placeholders.
    pub sql: Cow<'a, str>,
    /// The placeholders in the order of the text, without escapes (`??`).
    pub placeholders: Vec<Placeholder<'a>>,
    original: &'a str,
    edits: Vec<Edit>,
}

impl Replaced<'_> {
    /// Maps a byte offset in the new text to the offset in the original text: `WHERE a = ? OR b`
    /// became `WHERE a = $1 OR b`, so offset 10 stays 10 and offset 13 (`OR`) becomes 12.
    ///
    /// Inside a placeholder the result is its start; beyond the text, the original's end. A higher
    /// offset never maps to a lower one.
    #[must_use]
    pub fn original(&self, offset: usize) -> usize {
        let next = self.edits.partition_point(|edit| edit.new.start <= offset);
        let original = match next.checked_sub(1).map(|last| &self.edits[last]) {
            None => offset,
            Some(edit) if offset < edit.new.end => edit.old.start,
            Some(edit) => edit.old.end.saturating_add(offset - edit.new.end),
        };
        original.min(self.original.len())
    }

    /// Maps the locations of a tree of [`Replaced::sql`] to the original text.
    ///
    /// # Errors
    /// Same as for [`Tree::relocate`].
    pub fn relocate(&self, tree: &mut Tree) -> Result<(), Error> {
        tree.relocate(self.original, &|offset| self.original(offset))
    }

    /// Maps a position in the new text to one in the original.
    #[must_use]
    pub fn position(&self, position: Position) -> Position {
        if self.edits.is_empty() { position } else { Position::at(self.original, self.original(position.offset)) }
    }

    /// Maps an error in the new text to the original: its position and, if PostgreSQL stopped at a placeholder, the
    /// token that the message quotes.
    #[must_use]
    pub fn error(&self, mut error: Error) -> Error {
        let Some(position) = error.position else { return error };
        error.position = Some(self.position(position));
        if let Some(edit) = self.edits.iter().find(|edit| edit.new.contains(&position.offset)) {
            let near = |token: &str| format!("at or near \"{token}\"");
            if let Some(before) = error.message.strip_suffix(&near(self.sql[edit.new.clone()].trim())) {
                error.message = format!("{before}{}", near(&self.original[edit.old.clone()]));
            }
        }
        error
    }
}

/// Replaces the placeholders of `sql` by the rules in the [module](self)'s documentation.
///
/// A text without placeholders is borrowed. The parser has to refuse what does not scan. The
/// styles psql, format and pyformat parse each statement that has placeholders, usually once.
///
/// ```
/// use pgq::PlaceholderStyle;
///
/// let replaced = pgq::placeholders("SELECT a FROM t WHERE b = :b OR c = :c OR :b IS NULL", PlaceholderStyle::Named);
/// assert_eq!(replaced.sql, "SELECT a FROM t WHERE b = $1 OR c = $2 OR $1 IS NULL");
/// assert_eq!(replaced.placeholders[1].name, Some("c"));
/// ```
#[must_use]
pub fn placeholders(sql: &str, style: PlaceholderStyle) -> Replaced<'_> {
    let mut found = search::search(sql, style);
    if found.edits.is_empty() {
        return Replaced { sql: Cow::Borrowed(sql), placeholders: Vec::new(), original: sql, edits: Vec::new() };
    }
    fit::fit(sql, style, &mut found.edits);
    let written = write::write(sql, 0, &found.edits, found.highest, style);
    Replaced { sql: Cow::Owned(written.sql), placeholders: written.placeholders, original: sql, edits: written.edits }
}

#[cfg(test)]
mod tests;
