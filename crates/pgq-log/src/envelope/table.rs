//! Type of the rows in the table of envelopes (table/rows.rs). A row has a name for `--from`, a title for users, and a
//! form.

mod rows;

pub use rows::ENVELOPES;

/// Form of an envelope. Determines how to detect and remove it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Each line matches a pattern (pattern.rs).
    Line(&'static str),
    /// JSON objects that have all paths in `keys` (`a/b`). The text, the time and the stream are at the other paths. An
    /// empty path means that there is no such value.
    Object { keys: &'static [&'static str], text: &'static str, time: &'static str, stream: &'static str },
    /// JSON objects with the fields of a csvlog or jsonlog under other names, at path `at` (fields.rs).
    Fields { at: &'static str },
    /// Rows of a CSV file. The header contains all names in `keys`, which are in lower case. `text`, `time` and
    /// `stream` are column names; `time` may list alternatives (`|`). If `text` is empty, the columns are csvlog
    /// columns (fields.rs).
    Csv { keys: &'static [&'static str], text: &'static str, time: &'static str, stream: &'static str },
    /// Blocks of `KEY=value` lines (`journalctl -o export`).
    Export,
    /// Blocks of a time and indented `KEY=value` lines (`journalctl -o verbose`).
    Verbose,
    /// YAML documents or lists with `textPayload` or `message` (`gcloud logging read`, `aws`).
    Yaml,
    /// Lines with terminal colors.
    Colors,
    /// Lines of `key=value` pairs.
    Logfmt,
    /// Lines of HTML.
    Html,
    /// Messages with escaped line breaks.
    Escaped(Escapes),
    /// Continuation lines start with N blanks instead of a tab. In the table, N is 0. Detection replaces the 0 by the
    /// actual number.
    Indented(usize),
    /// A log that runs from the newest unit to the oldest.
    Backwards(Unit),
    /// Rows of a csvlog with another separator.
    Separated(u8),
    /// Lines with a common start, which learn.rs detects.
    CommonStart,
    /// JSON objects with base64 at a path, possibly compressed. `is_stream`: whether the payloads are parts of a
    /// stream.
    Encoded { text: &'static str, is_stream: bool },
    /// JSON objects with csvlog fields at a detected path.
    AnyFields,
    /// JSON objects with base64 at a detected path.
    AnyEncoded,
    /// JSON objects with messages at a detected path.
    AnyKey,
    /// CSV rows with messages in a detected column.
    AnyColumn,
    /// Messages that are joined by tabs on one line (`aws … --query 'events[].message' --output text`).
    Tabs,
}

/// Escapes that a program has written in place of characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Escapes {
    /// Escapes of line breaks, tabs and backslashes in a quoted string.
    Quoted,
    /// Line breaks, tabs and backslashes.
    All,
    /// Line breaks and tabs.
    Breaks,
    /// Octal escapes of syslog daemons, such as `#012`.
    Octal,
}

/// Unit of a log's reversal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Line,
    /// A line with a time, and the following lines without a time.
    Event,
    /// A line with a severity, and the following lines.
    Message,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Envelope {
    pub name: &'static str,
    pub title: &'static str,
    pub form: Form,
}

impl Envelope {
    /// Whether the envelope has a host or a pod, which may distinguish sources. Most logs have only one source.
    pub fn may_have_sources(&self) -> bool {
        match self.form {
            Form::Line(pattern) => pattern.contains("{host}"),
            Form::Object { .. } => self.name != "docker",
            _ => false,
        }
    }
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
