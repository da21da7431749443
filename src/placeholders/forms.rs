//! Recognizes placeholders and escapes of each style at a given byte. The caller decides whether a placeholder is
//! allowed at this byte. For example, a placeholder is not allowed in a literal.

use std::ops::Range;

use super::PlaceholderStyle;
use pgq_lexer::is_word_byte;

/// A placeholder or an escape in the SQL, and its replacement.
#[derive(Debug, Clone)]
pub(crate) struct FoundPlaceholder<'a> {
    /// Byte range in the original SQL.
    pub(crate) range: Range<usize>,
    pub(super) form: Form<'a>,
}

/// The replacement of a placeholder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form<'a> {
    /// `$n` for a placeholder with a name. Equal names get the same n. The [`Otherwise`] value is the form to try
    /// instead if the grammar does not accept `$n` there.
    Named(&'a str, Otherwise),
    /// `$n` for a placeholder without a name, such as `?`. The n is one more than the highest number so far. The
    /// [`Otherwise`] value is the form to try instead if the grammar does not accept `$n` there.
    Next(Otherwise),
    /// `$n` with a given number. The string contains the number's digits as written.
    Numbered(u32, &'a str),
    /// `"name"`.
    Identifier(&'a str),
    /// The name, appended to the preceding identifier: `part_:year` becomes `part_year`.
    Glued(&'a str),
    /// `'name'`, or `'?'` for a placeholder without a name.
    Literal(Option<&'a str>),
    /// `TRUE`.
    True(&'a str),
    /// A space in place of a variable before the first word of a statement, as in `:prefix SELECT 1`. The value of
    /// such a variable is the start of a command, so neither `$n` nor a name would parse there.
    Prefix(&'a str),
    /// An escaped character.
    Escaped(char),
}

/// The form to try if the grammar does not accept a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Otherwise {
    Nothing,
    Identifier,
    Literal,
}

impl<'a> Form<'a> {
    /// Returns the form to try if `$n` does not parse.
    pub(super) fn otherwise(self) -> Option<Self> {
        match self {
            Self::Named(name, Otherwise::Identifier) => Some(Self::Identifier(name)),
            Self::Named(name, Otherwise::Literal) => Some(Self::Literal(Some(name))),
            Self::Next(Otherwise::Literal) => Some(Self::Literal(None)),
            _ => None,
        }
    }
}

/// Returns the byte with which the style's placeholders begin. The style's escapes also begin with it, except `\:`.
pub(super) fn mark(style: PlaceholderStyle) -> u8 {
    match style {
        PlaceholderStyle::Psql | PlaceholderStyle::Named | PlaceholderStyle::Numeric => b':',
        PlaceholderStyle::Qmark => b'?',
        PlaceholderStyle::Format | PlaceholderStyle::Pyformat => b'%',
        PlaceholderStyle::At | PlaceholderStyle::Extension => b'@',
    }
}

/// Returns the placeholder or escape that begins at offset `at`. The byte at this offset must be the [`mark`] of the
/// style.
pub(super) fn at_mark(sql: &str, at: usize, style: PlaceholderStyle) -> Option<FoundPlaceholder<'_>> {
    let rest = &sql[at + 1..];
    let (len, form) = match style {
        PlaceholderStyle::Psql => psql(rest)?,
        PlaceholderStyle::Qmark => qmark(rest),
        PlaceholderStyle::Format => percent(rest)?,
        PlaceholderStyle::Pyformat => name_in_parentheses(rest).or_else(|| percent(rest))?,
        PlaceholderStyle::Named => {
            let name = variable(rest).filter(|name| !name.starts_with(|c: char| c.is_ascii_digit()))?;
            (name.len(), Form::Named(name, Otherwise::Nothing))
        }
        PlaceholderStyle::Numeric => numbered(rest)?,
        PlaceholderStyle::At => at_name(sql, at)?,
        PlaceholderStyle::Extension => extension_name(rest)?,
    };
    Some(FoundPlaceholder { range: at..at + 1 + len, form })
}

/// Maximum length of a `%(name)s`, in bytes. An unlimited search for the end would take quadratic time for many `%(`.
const LONGEST_NAME: usize = 1024;

/// Number of name parts after which [`is_called`] stops searching for the `(` of a function call: one more than
/// PostgreSQL allows.
const MOST_NAMES: usize = 4;

/// The length of a placeholder without its first byte ([`mark`]), and its replacement.
type Matched<'a> = (usize, Form<'a>);

/// Matches psql's variables (psqlscan.l: variable_char and the rules for `:`).
fn psql(rest: &str) -> Option<Matched<'_>> {
    let quoted = |open: &str, close: char| {
        let name = variable(rest.strip_prefix(open)?)?;
        let len = open.len() + name.len();
        rest[len..].starts_with(close).then_some((len + 1, name))
    };
    if let Some((len, name)) = quoted("'", '\'') {
        return Some((len, Form::Named(name, Otherwise::Literal)));
    }
    if let Some((len, name)) = quoted("\"", '"') {
        return Some((len, Form::Identifier(name)));
    }
    if let Some((len, name)) = quoted("{?", '}') {
        return Some((len, Form::True(name)));
    }
    let name = variable(rest)?;
    Some((name.len(), Form::Named(name, Otherwise::Identifier)))
}

fn qmark(rest: &str) -> Matched<'_> {
    if rest.starts_with('?') {
        return (1, Form::Escaped('?'));
    }
    numbered(rest).unwrap_or((0, Form::Next(Otherwise::Nothing)))
}

fn percent(rest: &str) -> Option<Matched<'_>> {
    match rest.as_bytes().first()? {
        b'%' => Some((1, Form::Escaped('%'))),
        b's' | b'b' | b't' => Some((1, Form::Next(Otherwise::Literal))),
        _ => None,
    }
}

fn name_in_parentheses(rest: &str) -> Option<Matched<'_>> {
    let inside = rest.strip_prefix('(')?;
    let close = memchr::memchr(b')', &inside.as_bytes()[..inside.len().min(LONGEST_NAME)])?;
    let name = &inside[..close];
    let len = name.len() + 2;
    let is_format = matches!(rest.as_bytes().get(len), Some(b's' | b'b' | b't'));
    (is_format && !name.is_empty()).then_some((len + 1, Form::Named(name, Otherwise::Literal)))
}

fn numbered(rest: &str) -> Option<Matched<'_>> {
    let digits = &rest[..rest.bytes().take_while(u8::is_ascii_digit).count()];
    // PostgreSQL accepts only these parameter numbers.
    let number = digits.parse().ok().filter(|n| (1..=i32::MAX as u32).contains(n))?;
    Some((digits.len(), Form::Numbered(number, digits)))
}

fn at_name(sql: &str, at: usize) -> Option<Matched<'_>> {
    let rest = &sql[at + 1..];
    let mut name = variable(rest)?;
    if sql[..at].ends_with('@') || name.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    // A dot is part of the name if another name follows it.
    while let Some(more) = rest[name.len()..].strip_prefix('.').and_then(variable) {
        name = &rest[..name.len() + 1 + more.len()];
    }
    Some((name.len(), Form::Named(name, Otherwise::Nothing)))
}

/// Matches the names that CREATE EXTENSION replaces (extension.c: execute_extension_script).
fn extension_name(rest: &str) -> Option<Matched<'_>> {
    let name = &rest[..memchr::memchr(b'@', &rest.as_bytes()[..rest.len().min(LONGEST_NAME)])?];
    let is_known = match name.split_once(':') {
        Some(("extschema", extension)) => !extension.is_empty() && !extension.contains(char::is_whitespace),
        None => name == "extschema" || name == "extowner",
        Some(_) => false,
    };
    is_known.then_some((name.len() + 1, Form::Identifier(name)))
}

/// Returns the leading letters, digits and underscores.
fn variable(text: &str) -> Option<&str> {
    let len = text.bytes().take_while(|byte| is_word_byte(*byte) && *byte != b'$').count();
    (len > 0).then(|| &text[..len])
}

/// Returns whether a name is a function's name, that is, whether `(` follows it. The name may have several parts with
/// dots between them. `rest` is the SQL after the first part.
pub(super) fn is_called(mut rest: &str) -> bool {
    for _ in 0..MOST_NAMES {
        rest = rest.trim_ascii_start();
        let Some(after_dot) = rest.strip_prefix('.') else { return rest.starts_with('(') };
        let name = after_dot.trim_ascii_start();
        let name = name.strip_prefix(':').unwrap_or(name);
        let len = match name.strip_prefix('"') {
            Some(quoted) => quoted.find('"').map(|len| len + 2),
            None => variable(name).map(str::len),
        };
        let Some(len) = len else { return false };
        rest = &name[len..];
    }
    false
}
