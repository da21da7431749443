//! Type of the rows in the table of envelopes (table/rows.rs). A row has a name for `--from`, a title for users, and
//! the [`Form`] of the envelope's lines or objects.

mod rows;

pub use rows::{ENVELOPES, PIECES};

/// Form of an envelope. Determines how to detect and remove it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Each line matches a pattern (pattern.rs).
    Line(&'static str),
    /// JSON objects that have a value at each path in `keys`. The path `a/b` is the key `b` of the object at the key
    /// `a`. `text`, `time` and `stream`: the paths of the message, of its time and of the name of its source. A path is
    /// empty if the envelope lacks the value.
    Object { keys: &'static [&'static str], text: &'static str, time: &'static str, stream: &'static str },
    /// JSON objects with the fields of a csvlog or jsonlog under other names, at path `at` (fields.rs).
    Fields { at: &'static str },
    /// Rows of a CSV file. The header contains all names in `keys`, which are in lower case. `text`, `time` and
    /// `stream` are column names; `time` may list alternatives (`|`). If `text` is empty, the columns are csvlog
    /// columns (fields.rs).
    Csv { keys: &'static [&'static str], text: &'static str, time: &'static str, stream: &'static str },
    /// YAML documents with `textPayload` (`gcloud logging read`).
    Yaml,
    /// Lines with terminal colors.
    Colors,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Envelope {
    pub name: &'static str,
    pub title: &'static str,
    pub form: Form,
}

/// Alternative names of the time column.
pub const TIMES: &str = "timestamp|@timestamp|time|_time|date|datetime|timegenerated|ts|log_time|eventtime|date/time|date and time|timecreated|timestamp utc|dt";

/// Keys under which exports store events.
pub const CONTAINERS: &[&str] = &[
    "events",
    "logEvents",
    "results",
    "records",
    "entries",
    "data",
    "result",
    "resourceLogs",
    "scopeLogs",
    "logRecords",
    "hits",
    "values",
    "messages",
];
