//! What to read and how, as plain values.

use std::path::PathBuf;
#[cfg(unix)]
use std::sync::Arc;

use encoding_rs::Encoding;
use pgq_log::{LogKind, RecordSelection};

#[cfg(unix)]
use super::stop::StopSignal;

/// Format of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputFormat {
    /// A script as psql reads it: meta-commands and COPY data are skipped.
    Sql,
    /// One statement a line.
    Lines,
    /// Statements that end in a NUL byte.
    Null,
    /// Parse trees as JSON documents.
    JsonTrees,
    Log(LogKind),
    /// A table of which one column holds SQL.
    Table(TableFormat),
    /// A script, a log, a table or parse trees, detected by the name and the first lines.
    Auto,
}

impl InputFormat {
    /// Whether the input is a log, or may turn out to be one.
    pub fn may_be_log(self) -> bool {
        matches!(self, Self::Log(_) | Self::Auto)
    }
}

/// The format of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableFormat {
    /// Comma-separated values, quoted as in RFC 4180.
    Csv,
    /// Tab-separated values with backslash escapes; `\N` is NULL.
    Tsv,
    /// One JSON object a line.
    Jsonl,
    /// Apache Parquet.
    Parquet,
    /// Apache Arrow's IPC, as a file or a stream.
    Arrow,
}

/// What to read, and how.
#[derive(Debug, Clone)]
pub struct InputOptions {
    /// Read in this order; `-` or no file at all is standard input.
    pub files: Vec<PathBuf>,
    pub format: InputFormat,
    pub log: LogOptions,
    /// Most bytes that a statement may have.
    pub max_statement_bytes: usize,
    /// The chunks of a script include all comments, even those that belong to no statement.
    pub keep_comments: bool,
    /// Name the option that reads psql's variables where a script has some.
    pub hint_variables: bool,
    /// Scripts begin with backslashes that are escapes in plain literals.
    pub backslash_escapes: bool,
    /// The column of tables with SQL; detected by default.
    pub column: Option<String>,
    /// The values of a table's other columns are read as well.
    pub keep_columns: bool,
    /// Names of the results, which must differ from the kept columns'.
    pub result_names: Vec<&'static str>,
    /// The command reads parse trees: a JSON object is one.
    pub accepts_trees: bool,
    /// The encoding of the files, if it is not UTF-8.
    pub encoding: Option<&'static Encoding>,
    /// Ends all inputs when it is set.
    #[cfg(unix)]
    pub stop: Option<Arc<StopSignal>>,
}

/// How logs are read.
#[derive(Debug, Clone, Default)]
pub struct LogOptions {
    /// The server's log_line_prefix; detected by default.
    pub line_prefix: Option<String>,
    /// Names of the envelopes, outermost first; detected if empty.
    pub envelopes: Vec<String>,
    pub selection: RecordSelection,
    /// Continue reading as the file grows and is rotated.
    pub follow: bool,
    /// Name of an option that only applies to logs, if one is given: input that turns out to be
    /// SQL is then refused.
    pub required_by: Option<&'static str>,
    /// Refuse the stderr format, in which clients can forge records.
    pub refuses_stderr: bool,
}

impl InputOptions {
    /// Returns whether reading must stop.
    pub fn is_stopped(&self) -> bool {
        #[cfg(unix)]
        return self.stop.as_ref().is_some_and(|stop| stop.is_set());
        #[cfg(not(unix))]
        false
    }

    /// Files of any format, with default options.
    pub fn of_files(files: Vec<PathBuf>) -> Self {
        Self {
            files,
            format: InputFormat::Auto,
            log: LogOptions::default(),
            max_statement_bytes: usize::MAX,
            keep_comments: false,
            hint_variables: false,
            backslash_escapes: false,
            column: None,
            keep_columns: false,
            result_names: Vec::new(),
            accepts_trees: false,
            encoding: None,
            #[cfg(unix)]
            stop: None,
        }
    }
}
