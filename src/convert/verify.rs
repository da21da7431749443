//! Whether SQL parses to the trees that it should say. It must not change a tree, and knows
//! nothing of how SQL is written.

use super::cells;
use super::same::{Difference, Strings, difference};
use crate::options::ParseOptions;
use crate::sys::{Diagnostic, ParseTree, bindings as pg};
use crate::{Error, ErrorKind};

/// Parses `sql` and compares its statements with `stmts`, positions aside. `subject` is what
/// the error's message calls the SQL.
///
/// # Errors
/// SQL that does not parse, or parses to other trees; the message says where in the tree.
///
/// # Safety
/// The statements must be valid RawStmt trees for the length of the call.
pub(crate) unsafe fn verify(
    stmts: impl ExactSizeIterator<Item = *const pg::RawStmt>,
    sql: &str,
    strings: Strings,
    subject: &str,
) -> Result<(), Error> {
    crate::check_text(sql)?;
    let options = ParseOptions::default().bits();
    let parsed = match ParseTree::parse(sql, 0, options) {
        Some(parsed) => parsed,
        None => {
            crate::check_for_scanner(sql)?;
            ParseTree::parse_by_scanner(sql, 0, options).map_err(|report| refused(subject, report))?
        }
    };
    // SAFETY: the parser's own list of pointers, valid while `parsed` is.
    let written = unsafe { cells(parsed.list()) };
    if written.len() != stmts.len() {
        let counts = format!("has {} statements instead of {}", written.len(), stmts.len());
        return Err(Error::new(ErrorKind::Unfaithful, format!("{subject} {counts}")));
    }
    for (stmt, cell) in stmts.zip(written) {
        // SAFETY: the caller's statement, and the parser's own; both trees are valid.
        let found = unsafe {
            let again: *const pg::RawStmt = cell.ptr_value.cast_const().cast();
            difference((*stmt).stmt, (*again).stmt, strings)
        };
        if let Some(Difference { path, left, right }) = found.map_err(|problem| Error::from_problem(&problem))? {
            let message = format!("{subject} does not say the same: {path} is {right} instead of {left}");
            return Err(Error::new(ErrorKind::Unfaithful, message));
        }
    }
    Ok(())
}

fn refused(subject: &str, report: Diagnostic) -> Error {
    let error = Error::from_diagnostic(report, "", 0);
    match error.kind {
        // Not a word on what the SQL says.
        ErrorKind::OutOfMemory | ErrorKind::TooDeep => error,
        _ => Error::new(ErrorKind::Unfaithful, format!("{subject} does not parse: {}", error.message)),
    }
}
