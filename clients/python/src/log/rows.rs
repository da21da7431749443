//! The columns of a log, shared by the records and the Arrow batches.

use pgq_log::{Entry, Field, parse_timestamp};

/// The text columns, with their fields in the log.
pub const TEXTS: [(&str, Field); 12] = [
    ("time_text", Field::Time),
    ("user", Field::User),
    ("database", Field::Database),
    ("application", Field::Application),
    ("host", Field::RemoteHost),
    ("session", Field::Session),
    ("sql", Field::Sql),
    ("params", Field::Params),
    ("message", Field::Message),
    ("sqlstate", Field::SqlState),
    ("query_id", Field::QueryId),
    ("command_tag", Field::CommandTag),
];

/// A record with a copy of its strings.
pub struct Row {
    /// Strings in the order of [`TEXTS`]; an absent one is empty.
    pub texts: [Box<[u8]>; TEXTS.len()],
    pub pid: u32,
    pub severity: &'static str,
    pub duration_ms: Option<f64>,
    pub truncated: bool,
}

impl Row {
    pub fn of(entry: Entry<'_>) -> Self {
        Self {
            texts: TEXTS.map(|(_, field)| entry.get(field).into()),
            pid: entry.pid(),
            severity: entry.severity().name(),
            duration_ms: entry.duration_ms(),
            truncated: entry.is_truncated(),
        }
    }

    /// Returns the time in microseconds since 1970 UTC, or `None` if its zone is unknown.
    pub fn utc_micros(&self) -> Option<i64> {
        parse_timestamp(std::str::from_utf8(&self.texts[0]).ok()?)?.utc_micros()
    }
}
