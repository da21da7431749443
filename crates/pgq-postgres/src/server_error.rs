//! Errors, warnings and notices of the server with all their fields, verbatim.

use std::fmt;

/// The severity of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Severity {
    Debug,
    Log,
    Info,
    Notice,
    Warning,
    Error,
    /// Ends the session.
    Fatal,
    /// Ends all sessions.
    Panic,
}

/// An ErrorResponse or a NoticeResponse.
///
/// Invalid UTF-8 is replaced. A server with the encoding SQL_ASCII converts no strings, so its messages may contain
/// invalid UTF-8.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerError {
    /// The severity, such as `ERROR`.
    pub severity: Severity,
    /// The SQLSTATE, five characters.
    pub code: String,
    /// The primary message.
    pub message: String,
    /// DETAIL.
    pub detail: Option<String>,
    /// HINT.
    pub hint: Option<String>,
    /// Position in the statement, in characters from 1.
    pub position: Option<u32>,
    /// Position in `internal_query`, in characters from 1.
    pub internal_position: Option<u32>,
    /// A statement that the server generated.
    pub internal_query: Option<String>,
    /// CONTEXT.
    pub context: Option<String>,
    /// The schema that the error is about.
    pub schema: Option<String>,
    /// The table that the error is about.
    pub table: Option<String>,
    /// The column that the error is about.
    pub column: Option<String>,
    /// The data type that the error is about.
    pub data_type: Option<String>,
    /// The constraint that the error is about.
    pub constraint: Option<String>,
}

impl ServerError {
    /// Parses the fields of a message's body. A field is a letter and a NUL-terminated string.
    pub(crate) fn from_body(body: &[u8]) -> Self {
        let mut error = Self {
            severity: Severity::Error,
            code: String::new(),
            message: String::new(),
            detail: None,
            hint: None,
            position: None,
            internal_position: None,
            internal_query: None,
            context: None,
            schema: None,
            table: None,
            column: None,
            data_type: None,
            constraint: None,
        };
        let (mut translated, mut plain) = (None, None);
        let mut rest = body;
        while let Some((letter, after)) = rest.split_first().filter(|(letter, _)| **letter != 0) {
            let end = after.iter().position(|byte| *byte == 0).unwrap_or(after.len());
            let text = String::from_utf8_lossy(&after[..end]).into_owned();
            rest = after.get(end + 1..).unwrap_or_default();
            match letter {
                b'S' => translated = severity(&text),
                b'V' => plain = severity(&text),
                b'C' => error.code = text.chars().take(5).collect(),
                b'M' => error.message = text,
                b'D' => error.detail = Some(text),
                b'H' => error.hint = Some(text),
                b'P' => error.position = text.parse().ok(),
                b'p' => error.internal_position = text.parse().ok(),
                b'q' => error.internal_query = Some(text),
                b'W' => error.context = Some(text),
                b's' => error.schema = Some(text),
                b't' => error.table = Some(text),
                b'c' => error.column = Some(text),
                b'd' => error.data_type = Some(text),
                b'n' => error.constraint = Some(text),
                _ => {}
            }
        }
        // Prefer the field `V`, because `S` may be translated. Servers before 9.6 send only `S`.
        error.severity = plain.or(translated).unwrap_or(Severity::Error);
        error
    }

    /// Returns whether the message ended the session.
    pub fn is_fatal(&self) -> bool {
        self.severity >= Severity::Fatal
    }
}

fn severity(text: &str) -> Option<Severity> {
    Some(match text {
        "ERROR" => Severity::Error,
        "FATAL" => Severity::Fatal,
        "PANIC" => Severity::Panic,
        "WARNING" => Severity::Warning,
        "NOTICE" => Severity::Notice,
        "INFO" => Severity::Info,
        "LOG" => Severity::Log,
        "DEBUG" => Severity::Debug,
        _ => return None,
    })
}

/// `Display` writes at most this number of bytes of each text, because reports keep many errors.
const MAX_TEXT: usize = 2000;

impl fmt::Display for ServerError {
    /// Writes the message and its SQLSTATE, then DETAIL and HINT on separate lines. Message, DETAIL and HINT are each
    /// cut to 2,000 bytes.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short = |text: &str| match text.floor_char_boundary(MAX_TEXT) {
            end if end < text.len() => format!("{}…", &text[..end]),
            end => text[..end].to_string(),
        };
        write!(out, "{} (SQLSTATE {})", short(&self.message), short(&self.code))?;
        for (name, text) in [("DETAIL", &self.detail), ("HINT", &self.hint)] {
            if let Some(text) = text {
                write!(out, "\n{name}: {}", short(text))?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for ServerError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_by_their_letters() {
        let error = ServerError::from_body(b"SFEHLER\0VERROR\0C42P01\0Mno such table\0P15\0Hlook\0Zunknown\0\0");
        assert_eq!((error.severity, error.code.as_str()), (Severity::Error, "42P01"));
        assert_eq!((error.position, error.hint.as_deref()), (Some(15), Some("look")));
        assert_eq!(error.to_string(), "no such table (SQLSTATE 42P01)\nHINT: look");
    }

    #[test]
    fn a_message_that_is_cut_or_not_utf8_is_read_as_far_as_it_goes() {
        let error = ServerError::from_body(b"SFATAL\0Mbad \xff byte");
        assert!(error.is_fatal());
        assert_eq!(error.message, "bad \u{fffd} byte");
    }
}
