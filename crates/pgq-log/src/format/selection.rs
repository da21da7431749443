//! Which messages of a log become records, and with which fields. Types only.

use crate::message::severity::Severity;

/// Which messages become records, in addition to executed statements.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RecordSelection {
    /// Statements of errors.
    pub errors: bool,
    /// Statements that were parsed or bound and not executed.
    pub parse_bind: bool,
    /// Messages that are not about an execution: every one of severity WARNING, and those of ERROR, FATAL and
    /// PANIC without a statement ([`Event::Message`](crate::Event::Message)). Needs `errors`.
    pub messages: bool,
    /// Add the durations of parse and bind to that of the execution that follows.
    pub add_parse_bind: bool,
    /// Whether durations matter: statements wait for theirs also while the log is followed and idle, and
    /// executions of portals for the fetches that belong to them. Records may then leave later.
    pub durations: bool,
    /// Messages about a statement that are no executions: temporary files, waits for locks, plans.
    pub events: bool,
    /// Also the fields from [`Field::SessionLine`] on, which most uses do not need. Errors that are
    /// selected have them in any case, and other messages that are no executions: their SQLSTATE is one.
    ///
    /// [`Field::SessionLine`]: crate::Field::SessionLine
    pub session_fields: bool,
}

impl RecordSelection {
    /// Whether a message has the fields from [`Field::SessionLine`] on.
    ///
    /// [`Field::SessionLine`]: crate::Field::SessionLine
    pub(crate) fn session_fields_of(self, severity: Severity) -> bool {
        self.session_fields || severity != Severity::Log
    }
}
