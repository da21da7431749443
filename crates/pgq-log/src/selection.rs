//! Which messages of a log become records. Types only.

/// Which messages become records, in addition to executed statements.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RecordSelection {
    /// Statements of errors.
    pub errors: bool,
    /// Statements that were parsed or bound and not executed.
    pub parse_bind: bool,
    /// Add the durations of parse and bind to that of the execution that follows.
    pub add_parse_bind: bool,
    /// Also the fields from [`Field::RemoteHost`] on, which most uses do not need.
    pub session_fields: bool,
}
