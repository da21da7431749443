//! Input options as plain values.

use std::path::PathBuf;
#[cfg(unix)]
use std::sync::Arc;

use encoding_rs::Encoding;
use pgq_log::{LogKind, RecordSelection};

#[cfg(unix)]
use super::stop::StopSignal;

/// Name of standard input in messages and records.
pub const STDIN_NAME: &str = "<stdin>";

/// Format of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputFormat {
    /// A script in psql's syntax. Meta-commands and COPY data are skipped.
    Sql,
    /// One statement per line.
    Lines,
    /// Statements that end in a NUL byte.
    Null,
    /// Parse trees as JSON documents.
    JsonTrees,
    Log(LogKind),
    /// A table with a column of SQL.
    Table(TableFormat),
    /// A script, a log, a table or parse trees. The format is detected from the file name and the first lines.
    Auto,
}

impl InputFormat {
    /// Whether the input is a log or may be detected as one.
    pub fn may_be_log(self) -> bool {
        matches!(self, Self::Log(_) | Self::Auto)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableFormat {
    /// Comma-separated values, quoted as in RFC 4180.
    Csv,
    /// Tab-separated values with backslash escapes; `\N` is NULL.
    Tsv,
    /// One JSON object per line.
    Jsonl,
    /// Apache Parquet.
    Parquet,
    /// Apache Arrow's IPC, as a file or a stream.
    Arrow,
}

/// Whether and how the columns of an input table are copied to the output.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum KeptColumns {
    #[default]
    None,
    /// Copies all columns as text. Every row has the same columns.
    Fixed,
    /// Copies all columns as text. A row may have columns that earlier rows do not have.
    Growing,
    /// Copies all columns. Columns of Parquet and Arrow files stay arrays, and are not converted to text.
    Columnar,
}

/// Which comments of a script the command needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScriptComments {
    /// Comments before and inside of statements. Other comments may be missing.
    OfStatements,
    /// All comments.
    All,
    /// All comments. A comment after a statement, on the same line, is in the statement's chunk.
    AllWithLines,
}

/// Inputs and how to read them.
#[derive(Debug, Clone)]
pub struct InputOptions {
    /// Files in reading order. `-` is standard input. An empty list means standard input.
    pub files: Vec<PathBuf>,
    /// Files that the run replaces. They must not be inputs.
    pub outputs: Vec<PathBuf>,
    pub format: InputFormat,
    pub log: LogOptions,
    /// Maximum bytes of a statement.
    pub max_statement_bytes: usize,
    pub comments: ScriptComments,
    /// If a script has psql variables, print a notice about the option that replaces them.
    pub hint_variables: bool,
    /// Treat backslashes in plain literals as escapes until the script changes `standard_conforming_strings`.
    pub backslash_escapes: bool,
    /// Name of the SQL column in tables. If `None`, the column is detected.
    pub column: Option<String>,
    pub kept: KeptColumns,
    /// Names of the columns that the command adds to a table. If the input table has a column with one of these
    /// names, the copy of that column is renamed.
    pub result_names: Vec<&'static str>,
    /// Treat a JSON object as a parse tree, because the command accepts parse trees.
    pub accepts_trees: bool,
    /// Encoding of the files. `None` for UTF-8.
    pub encoding: Option<&'static Encoding>,
    /// When this signal is set, all inputs end.
    #[cfg(unix)]
    pub stop: Option<Arc<StopSignal>>,
}

/// Options for reading logs.
#[derive(Debug, Clone, Default)]
pub struct LogOptions {
    /// The server's log_line_prefix. If `None`, it is detected.
    pub line_prefix: Option<String>,
    /// Names of the envelopes, outermost first. An envelope is the text that a program such as `docker` or `syslog` has
    /// added to each line of the log. If empty, the envelopes are detected.
    pub envelopes: Vec<String>,
    pub selection: RecordSelection,
    /// Keep reading while the file grows and is rotated.
    pub follow: bool,
    /// Refuse a log that contains messages of an earlier log. Otherwise messages would be counted twice.
    pub refuses_repeats: bool,
    /// If a pipe pauses, return the lines read so far, although more may follow.
    pub live: bool,
    /// An option that the user has given and that applies only to logs. With this option, SQL is refused.
    pub required_by: Option<&'static str>,
    /// Refuse logs in which clients can forge records: all logs except the server's own files in csvlog and jsonlog.
    pub refuses_forgeable: bool,
}

impl InputOptions {
    /// Whether reading must stop.
    pub fn is_stopped(&self) -> bool {
        self.stop_test()()
    }

    /// Returns a function that returns whether reading must stop.
    pub fn stop_test(&self) -> impl Fn() -> bool + Send + 'static {
        #[cfg(unix)]
        let stop = self.stop.clone();
        #[cfg(unix)]
        return move || stop.as_ref().is_some_and(|stop| stop.is_set());
        #[cfg(not(unix))]
        || false
    }

    /// Creates options for files of any format. All other options have defaults.
    pub fn of_files(files: Vec<PathBuf>, outputs: Vec<PathBuf>) -> Self {
        Self {
            files,
            outputs,
            format: InputFormat::Auto,
            log: LogOptions::default(),
            max_statement_bytes: usize::MAX,
            comments: ScriptComments::OfStatements,
            hint_variables: false,
            backslash_escapes: false,
            column: None,
            kept: KeptColumns::None,
            result_names: Vec::new(),
            accepts_trees: false,
            encoding: None,
            #[cfg(unix)]
            stop: None,
        }
    }

    /// Whether the input can end. A followed log ends only if the command has a stop signal: the signal ends the input,
    /// and the command finishes its output.
    pub fn has_end(&self) -> bool {
        #[cfg(unix)]
        if self.stop.is_some() {
            return true;
        }
        !self.log.follow
    }
}
