//! Checks the length of statements. If placeholders were replaced, converts the positions of errors and warnings to
//! positions in the original text.

use pgq::{Error, Replaced, Warning};

/// Checks the length of a statement.
///
/// # Errors
/// The statement is longer than `max` bytes. The message names the option that sets the limit.
pub fn check_statement_length(bytes: usize, max: usize) -> Result<(), Error> {
    if bytes <= max {
        return Ok(());
    }
    let mut error = Error::too_long(bytes, max);
    error.message = format!("the statement is {bytes} bytes long; --max-statement-bytes allows {max}");
    Err(error)
}

/// If placeholders were replaced, converts the position of an error to a position in the original text.
pub fn original_error(error: Error, replaced: Option<&Replaced<'_>>) -> Error {
    match replaced {
        Some(replaced) => replaced.error(error),
        None => error,
    }
}

/// Returns the byte offset of a warning in the original text.
pub fn warning_offset(warning: &Warning, replaced: Option<&Replaced<'_>>) -> Option<usize> {
    let offset = warning.position?.offset;
    Some(replaced.map_or(offset, |replaced| replaced.original(offset)))
}
