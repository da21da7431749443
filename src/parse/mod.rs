//! Which parser reads a text. PostgreSQL's grammar on the tokens of our own lexer, the fast way;
//! or, where the lexer cannot tell or the grammar has an error to word, PostgreSQL's own scanner
//! and parser. The tree is the same. Texts that C cannot take are refused here.

pub(crate) mod normalize;
mod normalized;
mod text;
pub(crate) mod tokens;

use crate::error::{Error, Warning};
use crate::options::ParseOptions;
use crate::sys::{Diagnostic, NoTree, ParseTree, Tokens};

use text::LONGEST_TEXT;
pub use text::check_utf8;
pub(crate) use text::{check_for_scanner, check_text, into_string};

/// Parses `sql` behind `padding` spaces, with libpg_query's option bits.
///
/// # Errors
/// What PostgreSQL's parser refuses, a NUL byte, a text longer than 1 GB, one whose scan would
/// take too long.
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
    // By the lexer's default rules, which know the kinds of tokens.
    if options == ParseOptions::normalized().bits()
        && let Some(tree) = normalized::parse(sql, padding, options, &error)
    {
        return Ok(tree);
    }
    Err(error)
}

/// Returns the error of libpg_query's grammar for text with parameters, none of which is read as a name, a string or a
/// number; `None` where it parses.
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

/// As [`parse`], where there is another way if it fails: `None` for an error, which nobody words, and for what only
/// PostgreSQL's own scanner can tell.
pub(crate) fn parse_fast(sql: &str, padding: usize, options: i32) -> Option<ParseTree> {
    if options & !ParseOptions::normalized().bits() != 0 {
        return parse(sql, padding, options).ok();
    }
    check_text(sql).ok()?;
    ParseTree::parse(sql, padding, options).ok()
}

/// As [`parse`], where nobody asks what the error is.
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

/// Parses `sql`, unless its tokens say that the tree is that of `first`, positions aside: `None` then. `sql` has no
/// NUL byte.
///
/// # Errors
/// As for [`parse`].
pub(crate) fn parse_unless_same(sql: &str, first: Option<Tokens<'_>>) -> Result<Option<ParseTree>, Error> {
    if sql.len() <= LONGEST_TEXT && first.is_some_and(|first| first.give_tree_of(sql)) {
        return Ok(None);
    }
    parse(sql, 0, ParseOptions::normalized().bits()).map(Some)
}

/// Returns the warnings and notices of a parse, whose text was `sql` behind `padding` spaces.
#[cold]
pub(crate) fn warnings(reports: Vec<Diagnostic>, sql: &str, padding: usize) -> Vec<Warning> {
    reports.into_iter().map(|report| Warning::from_diagnostic(report, sql, padding)).collect()
}
