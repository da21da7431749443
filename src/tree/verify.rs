//! Whether SQL parses to the trees that it should stand for. It changes no tree, and knows nothing
//! of how SQL is written.

#[cfg(feature = "proto")]
use crate::convert::from_prost;
use crate::convert::{Difference, EmptyStrings, difference};
use crate::error::{Error, ErrorKind};
use crate::parse;
#[cfg(feature = "proto")]
use crate::proto::RawStmt;
use crate::sys::{StatementRef, Tokens};

/// Parses `sql` and compares its statements with `statements`, positions aside. `subject` is what
/// the error's message calls the SQL. `tokens` are those that the grammar made `statements` of, if
/// that is known: where those of `sql` say that the tree is the same, there is nothing to parse. `sql` has no NUL byte,
/// as nothing has that is written for a tree.
///
/// # Errors
/// SQL that does not parse, or parses to other trees; the message says where in the tree.
pub(super) fn verify<'t>(
    statements: impl ExactSizeIterator<Item = StatementRef<'t>>,
    sql: &str,
    strings: EmptyStrings,
    subject: &str,
    tokens: Option<Tokens<'_>>,
) -> Result<(), Error> {
    let parsed = parse::parse_unless_same(sql, tokens).map_err(|error| refused(subject, error))?;
    let Some(parsed) = parsed else { return Ok(()) };
    let written = parsed.tree().statements();
    if written.len() != statements.len() {
        let counts = format!("has {} statements instead of {}", written.len(), statements.len());
        return Err(Error::new(ErrorKind::RoundTripMismatch, format!("{subject} {counts}")));
    }
    for (expected, found) in statements.zip(written) {
        if let Some(Difference { path, left, right }) = difference(expected, found, strings)? {
            let message = format!("{subject} does not say the same: {path} is {right} instead of {left}");
            return Err(Error::new(ErrorKind::RoundTripMismatch, message));
        }
    }
    Ok(())
}

/// Checks SQL against prost structs.
///
/// # Errors
/// Values that C cannot hold; SQL that does not parse, or parses to another tree.
#[cfg(feature = "proto")]
pub(crate) fn verify_structs(stmts: &[RawStmt], sql: &str) -> Result<(), Error> {
    let tree = from_prost(stmts)?;
    verify(tree.tree().statements(), sql, EmptyStrings::MatchAbsent, "the SQL", None)
}

/// Returns the error of SQL that does not parse.
fn refused(subject: &str, error: Error) -> Error {
    match error.kind {
        ErrorKind::Syntax => {
            Error::new(ErrorKind::RoundTripMismatch, format!("{subject} does not parse: {}", error.message))
        }
        // About resources or the text's form: it says nothing of the meaning.
        _ => error,
    }
}
