//! Selection of the messages that become records, and of their fields.

use crate::message::severity::Severity;

/// Messages that become records in addition to executed statements.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RecordSelection {
    /// Statements of errors.
    pub errors: bool,
    /// Statements that were parsed or bound but not executed.
    pub parse_bind: bool,
    /// Messages that do not concern an execution: every WARNING, and an ERROR, FATAL or PANIC without a statement
    /// ([`Event::Message`](crate::Event::Message)). Requires `errors`.
    pub messages: bool,
    /// Whether to add the durations of parse and bind to the duration of the next execution.
    pub add_parse_bind: bool,
    /// Whether the caller needs durations. If so, statements wait for their durations even in an idle log, and
    /// executions of portals wait for their fetches. These waits can delay records.
    pub durations: bool,
    /// Messages about events of a statement, such as temporary files, waits for locks and plans.
    pub events: bool,
    /// Whether to read [`Field::SessionLine`] and all later fields. Most callers do not need them. For severities other
    /// than LOG, these fields are always read, because one of them is the SQLSTATE.
    ///
    /// [`Field::SessionLine`]: crate::Field::SessionLine
    pub session_fields: bool,
}

impl RecordSelection {
    /// Whether to read [`Field::SessionLine`] and the fields after it for messages of this severity.
    ///
    /// [`Field::SessionLine`]: crate::Field::SessionLine
    pub(crate) fn session_fields_of(self, severity: Severity) -> bool {
        self.session_fields || severity != Severity::Log
    }

    /// Whether to read a message's [`Field::CommandTag`] even if its other session fields are not read. A message about
    /// a temporary file needs the tag, which shows whether the file belongs to the message's statement. A duration
    /// without SQL needs it, too, because it may be the duration of parsing. `text` is the message. Messages with SQL
    /// do not need the tag. They are recognized by their length and, in most languages, by their first byte.
    ///
    /// [`Field::CommandTag`]: crate::Field::CommandTag
    #[inline]
    pub(crate) fn needs_tag(self, text: &[u8]) -> bool {
        const DURATION_LEN: usize = 48; // a duration in any language
        self.events && (text.len() < DURATION_LEN || !matches!(text.first(), Some(b'd' | b'D' | b's' | b'e')))
    }
}
