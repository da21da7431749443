//! Trees as SQL: the statements one by one through libpg_query's deparser, each with its
//! comments, joined, and verified where that is asked for.

use super::verify::verify;
use crate::convert::EmptyStrings;
#[cfg(feature = "proto")]
use crate::convert::from_prost;
use crate::error::{Error, ErrorKind};
use crate::options::DeparseOptions;
use crate::parse::tokens;
#[cfg(feature = "proto")]
use crate::proto::RawStmt;
#[cfg(feature = "proto")]
use crate::sys::BYTES_PER_LEVEL;
use crate::sys::{self, Diagnostic, StatementRef, Tokens};
use crate::tree::comments::CComments;

/// SQL from prost structs, through the C tree of [`from_prost`].
///
/// # Errors
/// Values that C cannot hold, and what libpg_query's deparser refuses.
#[cfg(feature = "proto")]
pub(crate) fn deparse_structs(stmts: &[RawStmt], options: &DeparseOptions) -> Result<String, Error> {
    let tree = from_prost(stmts)?;
    joined(tree.tree().statements(), options, EmptyStrings::MatchAbsent, 0, tree.depth() * BYTES_PER_LEVEL)
}

/// SQL from statements that were parsed from `text_len` bytes of a text behind `padding` spaces, of
/// `tokens` if our lexer read them.
pub(super) fn of_parsed<'t>(
    statements: impl ExactSizeIterator<Item = StatementRef<'t>> + Clone,
    options: &DeparseOptions,
    padding: usize,
    text_len: usize,
    tokens: Option<Tokens<'_>>,
) -> Result<String, Error> {
    let sql = written(statements.clone(), options, padding, text_len)?;
    if options.verify {
        verify_written(statements, &sql, EmptyStrings::Distinct, tokens)?;
    }
    Ok(sql)
}

/// Statements as SQL, and verified where that is asked for; see [`written`].
#[inline(always)]
pub(super) fn joined<'t>(
    statements: impl ExactSizeIterator<Item = StatementRef<'t>> + Clone,
    options: &DeparseOptions,
    strings: EmptyStrings,
    padding: usize,
    depth_bytes: usize,
) -> Result<String, Error> {
    let sql = written(statements.clone(), options, padding, depth_bytes)?;
    if options.verify {
        verify_written(statements, &sql, strings, None)?;
    }
    Ok(sql)
}

#[inline(never)]
fn verify_written<'t>(
    statements: impl ExactSizeIterator<Item = StatementRef<'t>>,
    sql: &str,
    strings: EmptyStrings,
    tokens: Option<Tokens<'_>>,
) -> Result<(), Error> {
    verify(statements, sql, strings, "the SQL written for this tree", tokens)
}

/// Statements as SQL, joined as libpg_query joins them; each gets the comments up to its end.
/// None of them is deeper than a text of `depth_bytes` bytes can be.
#[inline(always)]
fn written<'t>(
    statements: impl ExactSizeIterator<Item = StatementRef<'t>>,
    options: &DeparseOptions,
    padding: usize,
    depth_bytes: usize,
) -> Result<String, Error> {
    let mut sql = String::new();
    if options.comments.is_empty() {
        let raw = options.raw();
        for (i, statement) in statements.enumerate() {
            if i > 0 {
                sql.push_str("; ");
            }
            sys::deparse_statement(statement, &raw, &[], depth_bytes, &mut sql).map_err(refused)?;
        }
    } else {
        with_comments(statements, options, padding, depth_bytes, &mut sql)?;
    }
    Ok(sql)
}

/// Appends statements to `sql`, each with the comments up to its end.
#[cold]
fn with_comments<'t>(
    statements: impl ExactSizeIterator<Item = StatementRef<'t>>,
    options: &DeparseOptions,
    padding: usize,
    depth_bytes: usize,
    sql: &mut String,
) -> Result<(), Error> {
    let c_comments = CComments::new(options)?;
    let comments = c_comments.comments(options, padding);
    let count = statements.len();
    let mut attached = 0; // comments that an earlier statement has
    let mut last_start = 0;
    for (i, statement) in statements.enumerate() {
        let upto = if i + 1 == count {
            comments.len()
        } else {
            let end = statement.location() + statement.len();
            attached + comments[attached..].iter().take_while(|c| c.match_location < end).count()
        };
        if i > 0 {
            // Behind a `--` comment the semicolon would be part of it.
            let in_comment = tokens::scan(&sql[last_start..])?.last().is_some_and(tokens::Token::is_comment);
            sql.push_str(if in_comment { "\n; " } else { "; " });
            last_start = sql.len();
        }
        sys::deparse_statement(statement, &options.raw(), &comments[attached..upto], depth_bytes, sql)
            .map_err(refused)?;
        attached = upto;
    }
    Ok(())
}

/// Returns the error of a tree that libpg_query's deparser refuses.
#[cold]
fn refused(report: Diagnostic) -> Error {
    let mut error = Error::from_diagnostic(report, "", 0);
    // The deparser reports a fault of the tree as the parser reports one of the text.
    if error.kind == ErrorKind::Syntax {
        error.kind = ErrorKind::Tree;
    }
    error
}
