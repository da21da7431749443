//! Texts that C code can be given.

use crate::error::{Error, ErrorKind};

/// Longest text that PostgreSQL can scan, in bytes: one allocation (1 GB) less its padding.
pub(super) const LONGEST_TEXT: usize = 0x3FFF_FFFF - 16;

/// Refuses a text that C would not see whole.
pub(crate) fn check_text(sql: &str) -> Result<(), Error> {
    if let Some(at) = memchr::memchr(0, sql.as_bytes()) {
        return Err(Error::new(ErrorKind::Nul, "the text contains a NUL byte").at(sql, at));
    }
    if sql.len() > LONGEST_TEXT {
        let message = format!("the text is {} bytes long; PostgreSQL parses up to {LONGEST_TEXT}", sql.len());
        return Err(Error::new(ErrorKind::TooLong, message));
    }
    Ok(())
}

/// Refuses a text that PostgreSQL's own scanner cannot be given, or would take too long for.
pub(crate) fn check_for_scanner(sql: &str) -> Result<(), Error> {
    check_text(sql)?;
    pgq_lexer::check_cost(sql)
        .map_err(|problem| Error::new(ErrorKind::TooCostly, problem.to_string()).at(sql, problem.offset))
}

/// Bytes that are UTF-8 unless something has gone wrong, as a string.
pub(crate) fn into_string(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// Bytes as text.
///
/// # Errors
/// Bytes that are not UTF-8 ([`ErrorKind::Encoding`]), at the position of the first that is not.
/// Line and column count the text before it.
pub fn check_utf8(bytes: &[u8]) -> Result<&str, Error> {
    std::str::from_utf8(bytes).map_err(|problem| {
        let at = problem.valid_up_to();
        let message = format!("invalid byte sequence for encoding \"UTF8\": 0x{:02x}", bytes[at]);
        let before = String::from_utf8_lossy(&bytes[..at]);
        Error::new(ErrorKind::Encoding, message).at(&before, at)
    })
}
