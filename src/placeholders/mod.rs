//! Replaces drivers' placeholders and psql's variables with `$n`, because PostgreSQL's grammar rejects them. Maps
//! positions in the new SQL back to the original.
//!
//! | style | placeholders | escapes | used by |
//! | --- | --- | --- | --- |
//! | psql | `:name`, `:'name'`, `:"name"`, `:{?name}` | `\:` | psql |
//! | qmark | `?`, `?1` | `??` | pgjdbc, JPA, PDO |
//! | format | `%s`, `%b`, `%t` | `%%` | psycopg |
//! | pyformat | `%(name)s`, and the placeholders of format | `%%` | psycopg |
//! | named | `:name` | `\:` | SQLAlchemy, Spring, Hibernate, Npgsql |
//! | numeric | `:1` | | DB-API, Oracle |
//! | at | `@name` | | Npgsql, SqlClient |
//! | extension | `@extschema@`, `@extschema:name@` | | scripts of extensions |
//!
//! asyncpg, node-postgres, pgx, lib/pq and Rust's sqlx already send `$n`. Their SQL needs no style.
//!
//! # In every style
//! - Literals (`'…'`, `E'…'`, `$tag$…$tag$`), quoted identifiers and comments are unchanged, except for `%%` (see
//!   below).
//! - Equal names get equal numbers. The numbers start after the highest `$n` of the SQL. To start each statement at
//!   `$1`, pass one statement at a time.
//! - If a letter, digit, `_` or `$` touches a placeholder, a space is inserted between it and `$n`
//!   (`LIMIT?` becomes `LIMIT $1`).
//! - Casts (`::`), assignments (`:=`) and a lone `:` are unchanged. A colon after an operand is also unchanged in a
//!   subscript (`a[1:x]`, `a[i:j]`) and in `JSON_OBJECT('k':v)`, because `$n` after an operand is a syntax error. (psql
//!   and some drivers replace such a `:x` if they know a variable `x`.) A word counts as an operand only if it touches
//!   the colon. In `a[:x]`, `:x` is a placeholder.
//! - psql's meta-commands are skipped. The SQL must not contain COPY data.
//!
//! # psql
//! psql replaces only variables that are set. Because the SQL does not show which are set, all are treated as set. A
//! name consists of letters, digits and `_`. In a subscript, a variable whose name consists only of digits is unchanged
//! (`a[:2]`).
//! - psql replaces `:'name'` with a literal. This module replaces it with `$n`, or with the literal `'name'` if the
//!   grammar accepts only a literal there (`COPY t FROM :'file'`).
//! - psql replaces `:"name"` with an identifier. This module replaces it with `"name"`.
//! - psql replaces `:name` with the variable's value, verbatim. This module replaces `:name` with `$n`, or with the
//!   identifier `"name"` if the grammar accepts no parameter there (`FROM :table`). Directly after an identifier,
//!   `:name` becomes the rest of that identifier, as in psql (`part_:year` becomes `part_year`, `LIMIT:n` becomes
//!   `LIMITn`). If neither `$n` nor `"name"` parses (`ORDER BY f(x) :direction`), `:name` becomes `$n`, and the parser
//!   reports the error there.
//! - `:name` before the first word of a statement is removed, because the variable contains the start of a command
//!   (`:EXPLAIN SELECT 1`).
//! - `:{?name}` becomes `TRUE`.
//! - `\:` becomes a colon that starts no variable.
//!
//! The parser decides between the forms. The statement is first parsed with `$n`. If the error is exactly at a
//! parameter, this parameter gets its other form, and the statement is parsed again. After 64 tries, the remaining
//! placeholders become `$n`. A `:name` before `(` is always an identifier. libpg_query's grammar accepts `$n` in more
//! positions than a server does: `SET x = $1`, `PASSWORD $1`, `INTERVAL $1`.
//!
//! # qmark
//! Every `?` in code is a placeholder, and `??` is the character `?`. Write PostgreSQL's operators
//! as `a ?? 'k'`, `a ??| b` and `@??`. A bare `a ? b` is read as in pgjdbc, as a placeholder
//! between two operands. `?1` always gets the number 1. A bare `?` gets the highest number so far
//! plus one, as in SQLite. JDBC's escapes in braces (`{fn …}`, `{call …}`) are not SQL and are
//! unchanged.
//!
//! # format and pyformat
//! `%%` is a percent sign everywhere, even in literals, identifiers and comments, because psycopg replaces it in the
//! whole string. (psycopg does so only if it receives parameters.) A `%s` in a literal or comment is unchanged, because
//! the server sees no parameter there. (psycopg would consume a parameter for this `%s`.) `%b` and `%t` are from
//! psycopg 3. A percent sign before anything else is unchanged; psycopg rejects it. psycopg 2 inserts literals.
//! Therefore a placeholder becomes a literal (`'name'`, or `'?'` without a name) if the grammar does not accept a
//! parameter there (`NOTIFY c, %s`).
//!
//! # named
//! A name starts with a letter or `_`. `:x::int` is a placeholder with a cast. (SQLAlchemy's `text()` does not replace
//! this `:x`; the other drivers do.) `\:` is a colon, as in SQLAlchemy and Spring. Go's sqlx replaces `::` with `:`,
//! and replaces names even inside literals; this module does neither.
//!
//! # numeric
//! `:2` becomes `$2`. If the SQL already has `$n`, the numbers start after the highest one.
//!
//! # at
//! `@name` is a placeholder unless another `@` precedes it: `@@x` is unchanged, and so are `@>`, `<@ x` and `@ -5`.
//! `a<@b` is read as in Npgsql: `<` and a placeholder. Names can contain dots (`@p.x`), and are case-insensitive.
//!
//! # extension
//! CREATE EXTENSION replaces these placeholders with the names of a schema or role. This module replaces `@extschema@`
//! with `"extschema"`, `@extschema:cube@` with `"extschema:cube"`, and `@extowner@` with `"extowner"`.
//! `MODULE_PATHNAME` is unchanged, because it appears only in literals, which parse without a replacement.

mod fit;
mod forms;
pub(crate) mod search;
mod write;

use std::borrow::Cow;
use std::ops::Range;

use crate::error::{Error, Position};
use crate::tree::Tree;
use write::Edit;

/// A style of placeholders. The [module](self) documents its rules.
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
    /// All styles.
    pub const ALL: [Self; 8] =
        [Self::Psql, Self::Qmark, Self::Format, Self::Pyformat, Self::Named, Self::Numeric, Self::At, Self::Extension];

    /// Returns the style's name in lower case, such as `psql`.
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
    /// Byte range in the original SQL.
    pub range: Range<usize>,
    /// The n of `$n`; `None` if the placeholder became an identifier, a literal or `TRUE`.
    pub number: Option<u32>,
    /// The name as written, or the number as written; `None` for `?` and `%s`.
    pub name: Option<&'a str>,
}

/// SQL with its placeholders replaced by `$n`.
#[derive(Debug, Clone)]
pub struct Replaced<'a> {
    /// The new SQL; the original SQL if it has no placeholders.
    pub sql: Cow<'a, str>,
    /// The placeholders in the order of the SQL. Escapes, such as `??`, are not included.
    pub placeholders: Vec<Placeholder<'a>>,
    original: &'a str,
    pub(crate) edits: Vec<Edit>,
}

impl Replaced<'_> {
    /// Maps a byte offset in the new SQL to an offset in the original SQL. For example, if `WHERE a = ? OR b` became
    /// `WHERE a = $1 OR b`, offset 10 maps to 10 and offset 13 (`OR`) maps to 12.
    ///
    /// An offset inside a placeholder maps to the placeholder's start. An offset beyond the end maps to the original's
    /// end. The mapping is monotonic.
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

    /// Maps the locations of a tree of [`Replaced::sql`] to the original SQL.
    ///
    /// # Errors
    /// Same as for [`Tree::relocate`].
    pub fn relocate(&self, tree: &mut Tree) -> Result<(), Error> {
        tree.relocate(self.original, &|offset| self.original(offset))
    }

    /// Maps a position in the new SQL to a position in the original SQL.
    #[must_use]
    pub fn position(&self, position: Position) -> Position {
        if self.edits.is_empty() { position } else { Position::at(self.original, self.original(position.offset)) }
    }

    /// Maps an error in the new SQL to the original SQL. Changes the error's position and, if
    /// PostgreSQL stopped at a placeholder, the quoted token in the message.
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

/// Replaces the placeholders of `sql`. The documentation of the [module](self) has the rules.
///
/// SQL without placeholders is borrowed. Invalid SQL is not detected; the parser must reject it. With the styles psql,
/// format and pyformat, this function parses each statement that has placeholders, usually once.
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
