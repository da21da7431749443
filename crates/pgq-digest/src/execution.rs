//! The input of a digest: an execution or an error.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use crate::time_text::TimeText;

/// An execution of a statement, a failed statement, or an error without a statement.
#[derive(Debug, Clone, Copy, Default)]
pub struct Execution<'a> {
    /// The statement in UTF-8. Empty for an error without a statement.
    pub sql: &'a [u8],
    /// The parameters as in the log: `$1 = 'x', $2 = NULL`.
    pub params: &'a [u8],
    /// Duration in microseconds.
    pub duration: Option<u64>,
    /// Time in microseconds since 1970-01-01 00:00:00 UTC, and its text in the log, in UTF-8.
    pub time: Option<(i64, &'a [u8])>,
    /// Name of the user.
    pub user: &'a [u8],
    /// Name of the database.
    pub database: &'a [u8],
    /// The client's application_name.
    pub application: &'a [u8],
    /// Name or address of the client.
    pub host: &'a [u8],
    /// The error, if the statement failed.
    pub error: Option<&'a LogMessage<'a>>,
    /// Tags of the statement's comments, `key=value`.
    pub tags: &'a [String],
    /// Whether the statement failed because it was canceled.
    pub is_canceled: bool,
}

/// Severity of a message, worst first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Severity {
    /// PANIC: all sessions ended.
    Panic,
    /// A LOG message about a killed server process, or about a restart or recovery of the server.
    Server,
    /// FATAL: a session ended.
    Fatal,
    /// ERROR: a statement failed.
    #[default]
    Error,
    /// WARNING.
    Warning,
    /// A LOG message about a wait for a lock.
    Wait,
}

impl Severity {
    /// All severities, worst first.
    pub const ALL: [Self; 6] = [Self::Panic, Self::Server, Self::Fatal, Self::Error, Self::Warning, Self::Wait];

    /// Returns PostgreSQL's name of the severity.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Panic => "PANIC",
            Self::Fatal => "FATAL",
            Self::Error => "ERROR",
            Self::Warning => "WARNING",
            Self::Server | Self::Wait => "LOG",
        }
    }

    /// Whether the severity is an error: ERROR, FATAL or PANIC.
    #[must_use]
    pub fn is_error(self) -> bool {
        matches!(self, Self::Panic | Self::Fatal | Self::Error)
    }

    /// Whether the severity is worse than ERROR. This is true for PANIC, FATAL, and messages about a killed or
    /// restarted server.
    #[must_use]
    pub fn is_alarming(self) -> bool {
        self < Self::Error
    }
}

/// A message with its parts. A part that the log lacks is empty.
#[derive(Debug, Clone, Copy, Default)]
pub struct LogMessage<'a> {
    /// Severity of the message.
    pub severity: Severity,
    /// The SQLSTATE.
    pub sqlstate: &'a [u8],
    /// The message without its severity.
    pub message: &'a [u8],
    /// The DETAIL.
    pub detail: &'a [u8],
    /// The HINT.
    pub hint: &'a [u8],
    /// The CONTEXT.
    pub context: &'a [u8],
}

/// A point in time, with its text in the log.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LogTime {
    /// Microseconds since 1970-01-01 00:00:00 UTC.
    pub micros: i64,
    /// Text of the time, with its zone.
    pub text: TimeText,
}

impl LogTime {
    pub(crate) fn new(micros: i64, text: &[u8]) -> Self {
        Self { micros, text: TimeText::new(text) }
    }

    /// Compares a time, given as microseconds and text, with `self`. Compares the texts only if the microseconds are
    /// equal.
    pub(crate) fn order_of(&self, micros: i64, text: &[u8]) -> Ordering {
        micros.cmp(&self.micros).then_with(|| text.cmp(self.text.as_bytes()))
    }

    pub(crate) fn key(&self) -> (i64, &[u8]) {
        (self.micros, self.text.as_bytes())
    }
}

/// Returns the first `limit` bytes of `text`, rounded down to a character boundary.
pub(crate) fn cut_text(text: &str, limit: usize) -> &str {
    &text[..text.floor_char_boundary(limit)]
}

/// Whether [`cut_text`] may have shortened `text`. A shortened text has up to three bytes less than `limit`, because it
/// ends at a character boundary.
pub(crate) fn may_be_cut(text: &str, limit: usize) -> bool {
    text.len() + 3 >= limit
}
