//! Verifies that SQL parses to given trees.

#[cfg(feature = "proto")]
use crate::convert::from_prost;
use crate::convert::{Difference, EmptyStrings, difference};
use crate::error::{Error, ErrorKind};
use crate::parse;
#[cfg(feature = "proto")]
use crate::proto::RawStmt;
use crate::sys::{StatementRef, Tokens};

/// Checks that the statements of `sql` equal `statements`, ignoring positions. `subject` describes `sql` in the error
/// message. `tokens` are the tokens from which `statements` were parsed, if known. If the tokens of `sql` show that it
/// has the same tree, `sql` is not parsed. `sql` must not contain a NUL byte.
///
/// # Errors
/// Returns an error if the SQL does not parse, or parses to other trees. The message contains the path of the first
/// difference.
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
/// Returns an error if C cannot represent a value, or if the SQL does not parse or parses to another tree.
#[cfg(feature = "proto")]
pub(crate) fn verify_structs(stmts: &[RawStmt], sql: &str) -> Result<(), Error> {
    let tree = from_prost(stmts)?;
    verify(tree.tree().statements(), sql, EmptyStrings::MatchAbsent, "the SQL", None)
}

/// Converts an error that the parser reports for the verified SQL. A syntax error becomes an
/// [`ErrorKind::RoundTripMismatch`], because invalid SQL cannot match the trees.
fn refused(subject: &str, error: Error) -> Error {
    match error.kind {
        ErrorKind::Syntax => {
            Error::new(ErrorKind::RoundTripMismatch, format!("{subject} does not parse: {}", error.message))
        }
        // Other errors stay unchanged, because they concern resources or the form of the SQL, such as its length.
        _ => error,
    }
}
