//! Chooses the parser for SQL. The fast path runs PostgreSQL's grammar on the tokens of pgq's own lexer. PostgreSQL's
//! own scanner and parser run only if the lexer stops or an error message is needed. The tree is the same in all cases.
//!
//! This module also rejects SQL that C cannot represent.

pub(crate) mod normalize;
mod normalized;
mod text;
pub(crate) mod tokens;

use crate::error::{Error, Position, Warning};
use crate::options::ParseOptions;
use crate::sys::{Diagnostic, NoTree, ParseTree, Tokens};

use text::LONGEST_TEXT;
pub use text::check_utf8;
pub(crate) use text::{check_for_scanner, check_text, into_string};

/// Parses `sql` as if `padding` spaces preceded it. `options` are libpg_query's parser options.
///
/// # Errors
/// Returns an error if PostgreSQL's parser rejects the SQL, if the SQL contains a NUL byte or is
/// longer than 1 GB, or if scanning it would take too long.
#[inline]
pub(crate) fn parse(sql: &str, padding: usize, options: i32) -> Result<ParseTree, Error> {
    check_text(sql)?;
    match ParseTree::parse(sql, padding, options) {
        Ok(tree) => Ok(tree),
        Err(_) => parse_by_scanner(sql, padding, options),
    }
}

#[cold]
#[inline(never)]
fn parse_by_scanner(sql: &str, padding: usize, options: i32) -> Result<ParseTree, Error> {
    check_for_scanner(sql)?;
    let report = match ParseTree::parse_by_scanner(sql, padding, options) {
        Ok(tree) => return Ok(tree),
        Err(report) => report,
    };
    let error = Error::from_diagnostic(report, sql, padding);
    // `normalized::parse` uses only pgq's own lexer, which supports no option except `normalized`.
    if options == ParseOptions::normalized().bits()
        && let Some(tree) = normalized::parse(sql, padding, options, &error)
    {
        return Ok(tree);
    }
    Err(error)
}

/// Returns the error of libpg_query's grammar; `None` if `sql` parses. Unlike [`parse`], does not try names, strings or
/// numbers in place of parameters.
pub(crate) fn error_of_grammar(sql: &str) -> Option<Error> {
    let options = ParseOptions::normalized().bits();
    if let Err(error) = check_text(sql) {
        return Some(error);
    }
    match ParseTree::parse(sql, 0, options) {
        Ok(_) => None,
        Err(_) => match check_for_scanner(sql) {
            Err(error) => Some(error),
            Ok(()) => {
                ParseTree::parse_by_scanner(sql, 0, options).err().map(|report| Error::from_diagnostic(report, sql, 0))
            }
        },
    }
}

/// Parses like [`parse`], but only with the fast path. Returns `None` if there is an error, or if only PostgreSQL's own
/// scanner can read the SQL. With options that the fast path does not support, uses [`parse`].
pub(crate) fn parse_fast(sql: &str, padding: usize, options: i32) -> Option<ParseTree> {
    if options & !ParseOptions::normalized().bits() != 0 {
        return parse(sql, padding, options).ok();
    }
    check_text(sql).ok()?;
    ParseTree::parse(sql, padding, options).ok()
}

/// Parses like [`parse`]. Returns `None` if there is an error.
pub(crate) fn parse_if_valid(sql: &str, padding: usize, options: i32) -> Option<ParseTree> {
    check_text(sql).ok()?;
    match ParseTree::parse(sql, padding, options) {
        Ok(tree) => Some(tree),
        Err(NoTree::Refused) => None,
        Err(NoTree::Unknown) => {
            check_for_scanner(sql).ok()?;
            ParseTree::parse_by_scanner(sql, padding, options).ok()
        }
    }
}

/// Parses `sql`, unless it has the same tree as known SQL. `first` has the tokens of the known SQL. If a comparison of
/// the tokens proves that both trees are equal, apart from positions, returns `None` without parsing. `sql` must not
/// contain a NUL byte.
///
/// # Errors
/// Same as for [`parse`].
pub(crate) fn parse_unless_same(sql: &str, first: Option<Tokens<'_>>) -> Result<Option<ParseTree>, Error> {
    if sql.len() <= LONGEST_TEXT && first.is_some_and(|first| first.give_tree_of(sql)) {
        return Ok(None);
    }
    parse(sql, 0, ParseOptions::normalized().bits()).map(Some)
}

/// Converts the warnings and notices for `sql`, which was parsed with `padding` spaces before it.
#[cold]
pub(crate) fn warnings(reports: Vec<Diagnostic>, sql: &str, padding: usize) -> Vec<Warning> {
    let mut last = Position::START;
    let place = |report| {
        let warning = Warning::from_diagnostic(report, sql, padding, last);
        last = warning.position.unwrap_or(last);
        warning
    };
    reports.into_iter().map(place).collect()
}
