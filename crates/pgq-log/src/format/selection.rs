//! Selection of the messages that become records, and of their fields. Types only.

use crate::message::severity::Severity;

/// Messages that become records in addition to executed statements.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RecordSelection {
    /// Statements of errors.
    pub errors: bool,
    /// Statements that were parsed or bound but not executed.
    pub parse_bind: bool,
    /// Messages that are unrelated to an execution: every one of severity WARNING, and those of ERROR, FATAL and PANIC
    /// without a statement ([`Event::Message`](crate::Event::Message)). Requires `errors`.
    pub messages: bool,
    /// Add the durations of parse and bind to that of the execution that follows.
    pub add_parse_bind: bool,
    /// Whether durations matter. If so, statements wait for their duration even while a followed log is idle, and
    /// executions of portals wait for their fetches. Records may then be delayed.
    pub durations: bool,
    /// Messages about a statement that are not executions: temporary files, waits for locks, plans.
    pub events: bool,
    /// Whether to read the fields from [`Field::SessionLine`] on, which most uses do not need. Selected errors always
    /// have them, and so do other messages that are not executions, because the SQLSTATE is one of these fields.
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
