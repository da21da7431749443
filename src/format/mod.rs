//! Formats scripts. Changes only white space, line breaks and, optionally, the case of keywords. No token and no
//! comment is added, removed or moved.
//!
//! A statement is parsed into a [`SyntaxTree`](crate::SyntaxTree). The rules in rules/ allow line breaks at certain
//! points of each grammar symbol, and layout/ chooses among these points. [`check`] compares the result with the
//! original, token by token. If a token differs, the statement stays as written. At the end, [`check`] compares the
//! whole script in the same way. If a part differs, the whole script stays as written. Text that the server would not
//! parse as SQL also stays as written: psql's meta-commands, COPY data, and statements with syntax errors.
//!
//! This module does not read or write files.

mod bodies;
pub(crate) mod check;
mod keywords;
pub(crate) mod layout;
mod line_ends;
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

use crate::error::{Error, Position};

/// Layout options of the formatter.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FormatOptions {
    /// Maximum length of a line in characters. A line without a possible break can be longer.
    pub width: usize,
    /// Spaces per indentation level.
    pub indent: usize,
    /// The case of keywords.
    pub keyword_case: KeywordCase,
    /// Whether commas go at the start of lines in a list with one item per line.
    pub comma_first: bool,
    /// Whether the types of a table's columns are aligned.
    pub align_types: bool,
    /// Whether the bodies of functions in SQL and PL/pgSQL are formatted.
    pub bodies: bool,
    /// Lines to format, counted from 1. Statements on other lines stay as written; `None` formats
    /// all statements.
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

/// The case of keywords. Names of objects, types and functions stay as written unless they are keywords.
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
    /// The formatted text.
    pub text: String,
    /// The number of statements.
    pub statements: usize,
    /// The statements that could not be formatted, in order.
    pub kept: Vec<Kept>,
}

/// A statement that could not be formatted, or whose function body could not be formatted.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Kept {
    /// The position of the statement's first token. If the final check of the script fails, the whole script stays as
    /// written, and this is the position of the first statement, comment or psql command that fails the check.
    pub position: Position,
    /// The reason.
    pub reason: KeptReason,
}

/// The reason why a statement stays as written.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum KeptReason {
    /// The statement does not parse. The error's position is an offset in the script.
    Invalid(Error),
    /// The statement contains meta-commands or COPY data. psql changes such a statement before the server receives it.
    Psql,
    /// The statement contains backslashes, which may be escapes because `standard_conforming_strings` is off.
    Backslashes,
    /// White space beside a template's tag would separate names that the template joins.
    Template,
    /// Formatting would change the statement's tokens, comments or meaning. This is a bug in pgq.
    Unsafe(&'static str),
    /// The body of the function cannot be formatted. The rest of the statement is formatted.
    Body,
}

impl fmt::Display for KeptReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Invalid(error) => &error.message,
            Self::Psql => "meta-commands or COPY data are inside of it",
            Self::Backslashes => "standard_conforming_strings is off, and it has backslashes",
            Self::Template => "a name is joined from parts by the tags of a template",
            Self::Unsafe(problem) => problem,
            Self::Body => "the body of the function cannot be formatted",
        })
    }
}

/// Formats a psql script.
///
/// ```
/// use pgq::{FormatOptions, format_script};
///
/// let formatted = format_script("select  a,b -- two\nfrom t;", &FormatOptions::default());
/// assert_eq!(formatted.text, "select a, b -- two\nfrom t;");
/// ```
#[must_use]
pub fn format_script(text: &str, options: &FormatOptions) -> Formatted {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let bom = &text[..text.len() - body.len()];
    let mut formatted = format_lines(body, options, line_ends::of(body));
    formatted.text.insert_str(0, bom);
    let marks = usize::from(!bom.is_empty());
    let original = |position: &mut Position| {
        position.offset += bom.len();
        position.character += marks;
        position.column += if position.line == 1 { marks } else { 0 };
    };
    for Kept { position, reason } in &mut formatted.kept {
        original(position);
        if let KeptReason::Invalid(error) = reason {
            error.position.iter_mut().for_each(original);
        }
    }
    formatted
}

/// Formats a script. `text` must not start with a byte order mark. Lines end in `line_end`. Line ends inside tokens,
/// and in text that stays as written, are unchanged.
///
/// A template, such as `{{ name }}`, can make a statement invalid, or may be taken for several tokens. Therefore a
/// script whose templates have changed, or which has templates and invalid statements, is formatted a second time with
/// its templates masked. The second result is used if templates have changed, or if it has fewer invalid statements. At
/// the end, [`check::script_difference`] compares the result with the script. If they differ in more than white space
/// and the case of keywords, the whole script stays as written.
fn format_lines(text: &str, options: &FormatOptions, line_end: &str) -> Formatted {
    let format = |sql: &str| script::format(text, sql, options, line_end);
    let invalid = |formatted: &Formatted| {
        formatted.kept.iter().filter(|kept| matches!(kept.reason, KeptReason::Invalid(_))).count()
    };
    let mut formatted = format(text);
    let mut masked = None;
    let changes = !mask::have_same_templates(text, &formatted.text);
    if (changes || invalid(&formatted) > 0)
        && let Some(sql) = mask::templates(text)
    {
        let with_templates = format(&sql);
        if changes || invalid(&with_templates) < invalid(&formatted) {
            masked = Some((sql, mask::templates(&with_templates.text).unwrap_or_default()));
            formatted = with_templates;
        }
    }
    let (before, after) = masked.as_ref().map_or((text, formatted.text.as_str()), |(sql, after)| (sql, after));
    match check::script_difference(before, after, options) {
        None => formatted,
        Some(offset) => {
            let problem =
                "the whole file, because the tokens of its statements, its comments or its psql commands would change";
            let kept = Kept { position: Position::START.moved_to(text, offset), reason: KeptReason::Unsafe(problem) };
            Formatted { text: text.to_string(), statements: formatted.statements, kept: vec![kept] }
        }
    }
}

/// Formats a statement of a PL/pgSQL body. The statement must not contain templates.
fn format_statement(sql: &str, options: &FormatOptions) -> Result<statement::FormattedStatement, KeptReason> {
    statement::format(sql, sql, options, "\n")
}

/// Writes a node by the layout rule for its grammar symbol.
fn write_node<'t>(writer: &mut writer::Writer<'t>, node: crate::syntax::SyntaxNode<'t>) {
    rules::write(writer, node);
}
