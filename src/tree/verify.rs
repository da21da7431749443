//! Verifies that SQL parses to given trees. It changes no tree, and is independent of how SQL is written.

#[cfg(feature = "proto")]
use crate::convert::from_prost;
use crate::convert::{Difference, EmptyStrings, difference};
use crate::error::{Error, ErrorKind};
use crate::parse;
#[cfg(feature = "proto")]
use crate::proto::RawStmt;
use crate::sys::{StatementRef, Tokens};

/// Parses `sql` and compares its statements with `statements`, positions aside. `subject` names the SQL in the error
/// message. `tokens` are the tokens that `statements` were parsed from, if known: if those of `sql` imply the same
/// tree, it is not parsed. `sql` has no NUL byte, because deparsed SQL never has one.
///
/// # Errors
/// SQL that does not parse, or parses to other trees; the message has the position in the tree.
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

/// Verifies SQL against prost structs.
///
/// # Errors
/// Values that C cannot represent; SQL that does not parse, or parses to another tree.
#[cfg(feature = "proto")]
pub(crate) fn verify_structs(stmts: &[RawStmt], sql: &str) -> Result<(), Error> {
    let tree = from_prost(stmts)?;
    verify(tree.tree().statements(), sql, EmptyStrings::MatchAbsent, "the SQL", None)
}

/// Converts the error of SQL that does not parse.
fn refused(subject: &str, error: Error) -> Error {
    match error.kind {
        ErrorKind::Syntax => {
            Error::new(ErrorKind::RoundTripMismatch, format!("{subject} does not parse: {}", error.message))
        }
        // An error of resources or of the text's form: it does not concern the meaning.
        _ => error,
    }
}
