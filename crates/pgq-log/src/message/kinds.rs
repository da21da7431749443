//! Severities, labels and meanings of messages, independent of the log's language.

use std::ops::Range;

use crate::message::field::Field;

/// The severity of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Severity {
    /// LOG: the severity of logged statements and durations.
    Log,
    /// ERROR.
    Error,
    /// FATAL: the session ends.
    Fatal,
    /// PANIC: all sessions end.
    Panic,
    /// WARNING.
    Warning,
    /// Any other severity (NOTICE, INFO, …). Its messages never become records.
    #[default]
    Other,
}

impl Severity {
    /// Returns PostgreSQL's name of the severity (elog.c: error_severity).
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Log => "LOG",
            Self::Error => "ERROR",
            Self::Fatal => "FATAL",
            Self::Panic => "PANIC",
            Self::Warning => "WARNING",
            Self::Other => "OTHER",
        }
    }

    /// Whether a message with this severity reports a failure: ERROR, FATAL or PANIC.
    #[must_use]
    pub fn is_error(self) -> bool {
        matches!(self, Self::Error | Self::Fatal | Self::Panic)
    }
}

/// A label before a part of a message.
#[allow(missing_docs)] // not public: `internals` exports it for tests
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Label {
    /// A severity, which starts a message.
    Primary(Severity),
    Detail,
    Hint,
    Context,
    Statement,
    /// A part of a message that pgq ignores: QUERY, LOCATION or BACKTRACE.
    Ignored,
}

impl Label {
    /// Returns the field of a DETAIL, HINT, CONTEXT or STATEMENT.
    pub fn field(self) -> Option<Field> {
        match self {
            Self::Detail => Some(Field::Detail),
            Self::Hint => Some(Field::Hint),
            Self::Context => Some(Field::Context),
            Self::Statement => Some(Field::Statement),
            Self::Ignored | Self::Primary(_) => None,
        }
    }
}

/// Kind of a message, with the offsets of its SQL, duration or plan.
#[allow(missing_docs)] // not public: `internals` exports it for tests
#[derive(Debug, PartialEq, Eq)]
pub enum MessageText {
    /// A statement was executed. `sql` is the offset of its SQL. `duration` is `None` if the message has no duration.
    Execution { sql: usize, duration: Option<Range<usize>> },
    /// A statement was parsed, or bound to its parameters, but not executed.
    ParseBind { sql: usize, duration: Option<Range<usize>> },
    /// Further rows were fetched from a portal whose execution was logged earlier.
    Fetch { sql: usize, duration: Option<Range<usize>> },
    /// A client called a function through the protocol's fast path, without SQL.
    Fastpath,
    /// The duration of the previously logged statement.
    Duration(Range<usize>),
    /// A plan of auto_explain, with the duration of the execution.
    Plan { duration: Range<usize>, plan: usize },
    /// Anything else.
    Other,
}
