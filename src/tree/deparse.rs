//! Trees as SQL: the statements one by one through libpg_query's deparser, each with its
//! comments, joined, and verified where that is asked for.

use super::verify::verify;
use crate::comments::CComments;
use crate::convert::{EmptyStrings, from_prost};
use crate::error::{Error, ErrorKind};
use crate::options::DeparseOptions;
use crate::proto::RawStmt;
use crate::sys::{self, Diagnostic, StatementRef, TreeRef};
use crate::tokens;

/// A level of a tree, in bytes of SQL that would be as deep (see sys::stack).
pub(super) const BYTES_PER_LEVEL: usize = 4;

/// SQL from prost structs, through the C tree of [`from_prost`].
///
/// # Errors
/// Values that C cannot hold, and what libpg_query's deparser refuses.
pub(crate) fn deparse_structs(stmts: &[RawStmt], options: &DeparseOptions) -> Result<String, Error> {
    let tree = from_prost(stmts)?;
    joined(tree.tree().statements(), options, EmptyStrings::MatchAbsent, 0, tree.depth() * BYTES_PER_LEVEL)
}

/// SQL from a tree that was parsed from `text_len` bytes behind `padding` spaces.
pub(super) fn of_tree(
    tree: TreeRef<'_>,
    options: &DeparseOptions,
    padding: usize,
    text_len: usize,
) -> Result<String, Error> {
    joined(tree.statements(), options, EmptyStrings::Distinct, padding, text_len)
}

/// SQL from one statement of such a tree, which has `text_len` bytes itself.
pub(super) fn of_statement(
    statement: StatementRef<'_>,
    options: &DeparseOptions,
    padding: usize,
    text_len: usize,
) -> Result<String, Error> {
    joined(std::iter::once(statement), options, EmptyStrings::Distinct, padding, text_len)
}

/// Statements as SQL, joined as libpg_query joins them; each gets the comments up to its end.
/// None of them is deeper than a text of `depth_bytes` bytes can be.
pub(super) fn joined<'t>(
    statements: impl ExactSizeIterator<Item = StatementRef<'t>> + Clone,
    options: &DeparseOptions,
    strings: EmptyStrings,
    padding: usize,
    depth_bytes: usize,
) -> Result<String, Error> {
    let mut sql = String::new();
    if options.comments.is_empty() {
        for (i, statement) in statements.clone().enumerate() {
            if i > 0 {
                sql.push_str("; ");
            }
            sys::deparse_statement(statement, &options.raw(), &[], depth_bytes, &mut sql).map_err(refused)?;
        }
    } else {
        with_comments(statements.clone(), options, padding, depth_bytes, &mut sql)?;
    }
    if options.verify {
        verify(statements, &sql, strings, "the SQL written for this tree")?;
    }
    Ok(sql)
}

/// Appends statements to `sql`, each with the comments up to its end.
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

/// The error of a tree that libpg_query's deparser refuses.
fn refused(report: Diagnostic) -> Error {
    let mut error = Error::from_diagnostic(report, "", 0);
    // The deparser reports a fault of the tree as the parser reports one of the text.
    if error.kind == ErrorKind::Syntax {
        error.kind = ErrorKind::Tree;
    }
    error
}
