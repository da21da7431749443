//! Checks whether C code can read a string.

use crate::error::{Error, ErrorKind};

/// Maximum length of SQL, in bytes. It is PostgreSQL's largest allocation (1 GB) minus the scanner's padding.
pub(super) const LONGEST_TEXT: usize = 0x3FFF_FFFF - 16;

/// Rejects SQL that is too long, or that contains a NUL byte. (A C string would end at the NUL byte.)
#[inline]
pub(crate) fn check_text(sql: &str) -> Result<(), Error> {
    let has_nul = memchr::memchr(0, sql.as_bytes()).is_some();
    if has_nul || sql.len() > LONGEST_TEXT { Err(unreadable(sql)) } else { Ok(()) }
}

/// Returns the error for SQL that C cannot read.
#[cold]
fn unreadable(sql: &str) -> Error {
    if let Some(at) = memchr::memchr(0, sql.as_bytes()) {
        return Error::new(ErrorKind::Nul, "the text contains a NUL byte").at(sql, at);
    }
    let message = format!("the text is {} bytes long; PostgreSQL parses at most {LONGEST_TEXT} bytes", sql.len());
    Error::new(ErrorKind::TooLong, message)
}

/// Rejects SQL that PostgreSQL's scanner cannot read, or would take too long to read.
pub(crate) fn check_for_scanner(sql: &str) -> Result<(), Error> {
    check_text(sql)?;
    pgq_lexer::check_cost(sql)
        .map_err(|problem| Error::new(ErrorKind::TooCostly, problem.to_string()).at(sql, problem.offset))
}

/// Converts bytes that should be UTF-8 to a string. Replaces invalid bytes.
pub(crate) fn into_string(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// Converts bytes to a string slice.
///
/// # Errors
/// Returns an error if the bytes are not UTF-8 ([`ErrorKind::Encoding`]), with the position of the first invalid byte.
pub fn check_utf8(bytes: &[u8]) -> Result<&str, Error> {
    std::str::from_utf8(bytes).map_err(|problem| {
        let at = problem.valid_up_to();
        let message = format!("invalid byte sequence for encoding \"UTF8\": 0x{:02x}", bytes[at]);
        let before = String::from_utf8_lossy(&bytes[..at]);
        Error::new(ErrorKind::Encoding, message).at(&before, at)
    })
}
