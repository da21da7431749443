//! What a row of the table of envelopes is: a name for `--from`, words for the user, and a form. The rows are in
//! table/rows.rs.

mod rows;

use super::escaped::Escapes;
pub use rows::ENVELOPES;

/// How an envelope is recognised and taken off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Each line has this form (pattern.rs). The first that fits more lines than those before is taken.
    Line(&'static str),
    /// JSON objects that have all of `keys` (paths with `/`): the text is at `text`, the time at `time`. An
    /// empty path is none.
    Object { keys: &'static [&'static str], text: &'static str, time: &'static str, stream: &'static str },
    /// JSON objects whose fields at `at` are those of a csvlog or jsonlog by other names (fields.rs).
    Fields { at: &'static str },
    /// Rows of CSV behind a header that has all of `keys`, in lower case. `text`, `time` and `stream` are columns,
    /// of the time several by turns (`|`). Without a `text` the columns are those of a csvlog (fields.rs).
    Csv { keys: &'static [&'static str], text: &'static str, time: &'static str, stream: &'static str },
    /// Blocks of `KEY=value` lines, as `journalctl -o export` writes them.
    Export,
    /// Blocks of indented `KEY=value` lines behind a time, as `journalctl -o verbose` writes them.
    Verbose,
    /// Documents or lists of YAML with `textPayload` or `message`, as `gcloud logging read` and `aws` write them.
    Yaml,
    /// Lines with a terminal's colors.
    Colors,
    /// Lines of `key=value` pairs.
    Logfmt,
    /// Lines of HTML.
    Html,
    /// Messages with escapes for their line breaks.
    Escaped(Escapes),
    /// Blanks, so many, for the tab of further lines; 0: learnt.
    Indented(usize),
    /// A log from its newest lines, events or messages to its oldest.
    Backwards(Unit),
    /// Rows of a csvlog with another separator.
    Separated(u8),
    /// Lines that all have a start that is learnt from them (learn.rs).
    CommonStart,
    /// JSON objects with a text in base64 at a path, which may be compressed. `stream`: these are parts of a stream.
    Encoded { text: &'static str, is_stream: bool },
    /// JSON objects with the fields of a csvlog at a path that is learnt from them.
    AnyFields,
    /// JSON objects with a text in base64 at a path that is learnt from them.
    AnyEncoded,
    /// JSON objects with a key that is learnt from them.
    AnyKey,
    /// Rows of CSV with a column that is learnt from them.
    AnyColumn,
    /// Messages with tabs between them on one line, as `aws … --query 'events[].message' --output text` writes them.
    Tabs,
}

/// What a log that runs backwards is turned round by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Line,
    /// A line with a time, and those without one behind it.
    Event,
    /// A line with a severity, and those behind it.
    Message,
}

/// An envelope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Envelope {
    pub name: &'static str,
    pub title: &'static str,
    pub form: Form,
}

impl Envelope {
    /// Whether its sources are told apart by what most logs have one of: a host, a pod.
    pub fn may_have_sources(&self) -> bool {
        match self.form {
            Form::Line(pattern) => pattern.contains("{host}"),
            Form::Object { .. } => self.name != "docker",
            _ => false,
        }
    }
}

/// Names of the column with the time, as people and platforms have them.
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
