//! Type of the rows in the table of envelopes: a name for `--from`, a title for users, and a form. The rows are in
//! table/rows.rs.

mod rows;

use super::escaped::Escapes;
pub use rows::ENVELOPES;

/// Form of an envelope: how it is detected and removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Each line matches a pattern (pattern.rs). Of several rows, the first with the most matching lines is chosen.
    Line(&'static str),
    /// JSON objects that have all of `keys` (paths with `/`), their text at `text` and their time at `time`. An empty
    /// path means that there is no such value.
    Object { keys: &'static [&'static str], text: &'static str, time: &'static str, stream: &'static str },
    /// JSON objects whose fields at `at` are those of a csvlog or jsonlog under other names (fields.rs).
    Fields { at: &'static str },
    /// CSV rows after a header that has all of `keys`, in lower case. `text`, `time` and `stream` are columns; `time`
    /// may list alternatives (`|`). Without a `text` the columns are those of a csvlog (fields.rs).
    Csv { keys: &'static [&'static str], text: &'static str, time: &'static str, stream: &'static str },
    /// Blocks of `KEY=value` lines, as `journalctl -o export` writes them.
    Export,
    /// Blocks of indented `KEY=value` lines after a time, as `journalctl -o verbose` writes them.
    Verbose,
    /// YAML documents or lists with `textPayload` or `message`, as `gcloud logging read` and `aws` write them.
    Yaml,
    /// Lines with a terminal's colors.
    Colors,
    /// Lines of `key=value` pairs.
    Logfmt,
    /// Lines of HTML.
    Html,
    /// Messages with escaped line breaks.
    Escaped(Escapes),
    /// N blanks in place of the tab of continuation lines; 0: learnt.
    Indented(usize),
    /// A log from the newest line, event or message to the oldest.
    Backwards(Unit),
    /// Rows of a csvlog with another separator.
    Separated(u8),
    /// Lines with a common start, which is learnt (learn.rs).
    CommonStart,
    /// JSON objects with base64 at a path, which may be compressed. `is_stream`: the payloads are parts of a stream.
    Encoded { text: &'static str, is_stream: bool },
    /// JSON objects with the fields of a csvlog at a learnt path.
    AnyFields,
    /// JSON objects with base64 at a learnt path.
    AnyEncoded,
    /// JSON objects with messages at a learnt path.
    AnyKey,
    /// CSV rows with messages in a learnt column.
    AnyColumn,
    /// Messages joined on one line by tabs, as `aws … --query 'events[].message' --output text` writes them.
    Tabs,
}

/// Unit in which a log was reversed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Line,
    /// A line with a time, and the lines without one after it.
    Event,
    /// A line with a severity, and the lines after it.
    Message,
}

/// A row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Envelope {
    pub name: &'static str,
    pub title: &'static str,
    pub form: Form,
}

impl Envelope {
    /// Whether the envelope has a host or a pod, which distinguishes sources. Most logs have only one.
    pub fn may_have_sources(&self) -> bool {
        match self.form {
            Form::Line(pattern) => pattern.contains("{host}"),
            Form::Object { .. } => self.name != "docker",
            _ => false,
        }
    }
}

/// Alternative names of the column with the time.
pub const TIMES: &str = "timestamp|@timestamp|time|_time|date|datetime|timegenerated|ts|log_time|eventtime|date/time|date and time|timecreated|timestamp utc|dt";

/// Keys of an object or array in which exports keep their events.
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
    "logs",
    "items",
    "messages",
    "matches",
    "rows",
    "lines",
    "streams",
    "actor",
    "account",
    "nrql",
];
