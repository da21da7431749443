//! Formats scripts: white space and line breaks change, and by option the case of keywords. No token and no comment is
//! added, removed or moved.
//!
//! A statement is read into a [`SyntaxTree`](crate::SyntaxTree); a rule for each symbol that matters says where lines may
//! break (rules/), and pgq-layout decides where they do. The result is checked token by token ([`check`]): a statement
//! whose check fails stays as written. What is not SQL for the server stays byte for byte: psql's meta-commands, COPY
//! data, statements that do not parse.
//!
//! This room reads and writes no files.

mod bodies;
mod check;
mod keywords;
mod mask;
mod plpgsql;
mod regions;
mod rules;
mod script;
mod spacing;
mod statement;
mod trivia;
mod writer;

use std::fmt;
use std::ops::Range;

use crate::error::Error;

/// How SQL is laid out.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FormatOptions {
    /// Lines are not longer, in characters, if they can be broken.
    pub width: usize,
    /// Spaces of one level.
    pub indent: usize,
    /// The case of keywords.
    pub keyword_case: KeywordCase,
    /// Commas of lists that are one item a line begin lines.
    pub comma_first: bool,
    /// The types of a table's columns start at one column.
    pub align_types: bool,
    /// The bodies of functions in SQL and PL/pgSQL are formatted, too.
    pub bodies: bool,
    /// Only statements with one of these lines, counted from 1, are formatted.
    pub lines: Option<Range<usize>>,
}

impl Default for FormatOptions {
    fn default() -> Self {
        Self {
            width: 88,
            indent: 4,
            keyword_case: KeywordCase::Keep,
            comma_first: false,
            align_types: false,
            bodies: false,
            lines: None,
        }
    }
}

/// The case of keywords. Names, types and functions that are no keywords stay as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum KeywordCase {
    /// As written.
    #[default]
    Keep,
    /// `SELECT`
    Upper,
    /// `select`
    Lower,
}

/// A formatted script.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Formatted {
    /// The text.
    pub text: String,
    /// The number of statements.
    pub statements: usize,
    /// The statements that stay as written although the options ask for more, in order.
    pub kept: Vec<Kept>,
}

/// A statement that stays as written.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Kept {
    /// The byte offset of its first token.
    pub offset: usize,
    /// Why.
    pub reason: KeptReason,
}

/// Why a statement stays as written.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum KeptReason {
    /// It does not parse; the position is one in the script.
    Invalid(Error),
    /// psql changes it before the server sees it: meta-commands or COPY data are inside of it.
    Psql,
    /// It has backslashes, and the script has set `standard_conforming_strings = off`.
    Backslashes,
    /// Its tokens, comments or meaning would have changed. This is a defect of pgq.
    Unsafe(&'static str),
    /// The body of a function, which `FormatOptions::bodies` asks for, cannot be formatted.
    Body,
}

impl fmt::Display for KeptReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Invalid(error) => &error.message,
            Self::Psql => "meta-commands or COPY data are inside of it",
            Self::Backslashes => "standard_conforming_strings is off, and it has backslashes",
            Self::Unsafe(problem) => problem,
            Self::Body => "the body of the function cannot be formatted",
        })
    }
}

/// Formats a script as psql reads it.
///
/// ```
/// use pgq::{FormatOptions, format_script};
///
/// let formatted = format_script("select  a,b -- two\nfrom t;", &FormatOptions::default());
/// assert_eq!(formatted.text, "select a, b -- two\nfrom t;");
/// ```
#[must_use]
pub fn format_script(text: &str, options: &FormatOptions) -> Formatted {
    script::format(text, options)
}

/// Formats one statement, such as that of a body.
fn format_statement(sql: &str, options: &FormatOptions) -> Result<statement::FormattedStatement, KeptReason> {
    statement::format(sql, sql, options)
}

/// Writes a node by the rule of its symbol.
fn write_node<'t>(writer: &mut writer::Writer<'t>, node: crate::syntax::SyntaxNode<'t>) {
    rules::write(writer, node);
}
