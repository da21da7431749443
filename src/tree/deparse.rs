//! Deparses trees. Calls libpg_query's deparser for each statement with its comments, joins the results, and optionally
//! verifies them.

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

/// Deparses prost structs by converting them to a C tree with [`from_prost`].
///
/// # Errors
/// Returns an error for values that C cannot represent, and for trees that libpg_query's deparser rejects.
#[cfg(feature = "proto")]
pub(crate) fn deparse_structs(stmts: &[RawStmt], options: &DeparseOptions) -> Result<String, Error> {
    let tree = from_prost(stmts)?;
    joined(tree.tree().statements(), options, EmptyStrings::MatchAbsent, 0, tree.depth() * BYTES_PER_LEVEL)
}

/// Deparses statements that were parsed from `text_len` bytes of SQL with `padding` spaces before
/// it. `tokens` are the tokens of the SQL, or `None` if pgq's lexer did not read the SQL.
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

/// Deparses and joins statements with [`written`], and optionally verifies the result.
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

/// Deparses statements and joins them as libpg_query does. Each statement gets the comments between the end of the
/// previous statement and its own end. The deparser's stack suffices for any tree that SQL of `depth_bytes` bytes can
/// produce. The statements must not be deeper than such a tree.
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

/// Appends statements to `sql` with their comments; see [`written`].
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
    let mut attached = 0; // number of comments that were already written
    let mut last_start = 0;
    for (i, statement) in statements.enumerate() {
        let upto = if i + 1 == count {
            comments.len()
        } else {
            let end = statement.location() + statement.len();
            attached + comments[attached..].iter().take_while(|c| c.match_location < end).count()
        };
        if i > 0 {
            // Write the semicolon on a new line after a `--` comment. On the same line, it would be part of the
            // comment.
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

/// Returns the error for a tree that libpg_query's deparser rejects.
#[cold]
fn refused(report: Diagnostic) -> Error {
    let mut error = Error::from_diagnostic(report, "", 0);
    // The deparser reports an invalid tree with the code of a syntax error. Report it as an invalid tree.
    if error.kind == ErrorKind::Syntax {
        error.kind = ErrorKind::Tree;
    }
    error
}
