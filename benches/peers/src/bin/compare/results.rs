//! The results of a run. The page and the charts use them.

use crate::single::Single;
use crate::spread::Spread;

/// The results of a parser's function on a corpus.
#[derive(Debug, Clone)]
pub struct Row {
    pub function: &'static str,
    /// Index of the corpus in `Results::corpora`.
    pub corpus: usize,
    pub label: String,
    /// Number of statements that pgq and the parser both answer. Only these statements are measured.
    pub statements: usize,
    /// Number of statements that only pgq answers, and number of statements that only the parser answers.
    pub refused: usize,
    pub extra: usize,
    /// Number of answers that agree with pgq's, and number of comparable answers.
    pub agreeing: usize,
    pub compared: usize,
    /// The sum of the answers, if they are counts.
    pub counted: Option<u64>,
    /// The PostgreSQL version of the parser.
    pub postgresql: Option<u64>,
    /// The parser's CPU time per statement, and pgq's for the same statements.
    pub nanoseconds: Spread,
    pub pgq: Spread,
    /// The parser's time divided by pgq's time.
    pub ratio: Spread,
    /// The figures of single statements. Only the function `parse` has them.
    pub single: Option<Single>,
}

/// A parser that was measured.
pub struct Parser {
    pub name: String,
    pub version: String,
    pub about: String,
}

/// A corpus, with its number of statements.
pub struct CorpusFacts {
    pub name: String,
    pub about: String,
    pub statements: usize,
}

/// A program that read the log.
#[derive(Debug, Clone)]
pub struct LogRow {
    pub label: String,
    /// The command line in the form that a user would type.
    pub command: String,
    /// CPU time in seconds, and memory in MB.
    pub seconds: Spread,
    pub megabytes: Spread,
    /// The comparison of the result with pgq's result.
    pub result: String,
}

pub struct LogResults {
    /// Size in bytes and number of statements of the log.
    pub bytes: u64,
    pub statements: usize,
    pub rows: Vec<LogRow>,
}

/// A table that `pgq bench` printed.
pub struct BenchTable {
    pub about: String,
    pub command: String,
    pub text: String,
}

/// The machine and its load.
pub struct Machine {
    pub cpu: String,
    pub cores: usize,
    pub system: String,
    /// Versions, such as `rustc 1.95.0` and `go1.26.8`.
    pub tools: Vec<String>,
}

pub struct Results {
    pub machine: Machine,
    /// Load average of the last minute, before the build and after the run.
    pub load: (f64, f64),
    pub date: String,
    pub minutes: f64,
    pub command: String,
    /// Maximum number of measurements of each function in a repeat of the comparison.
    pub turns: usize,
    pub repeats: usize,
    pub parsers: Vec<Parser>,
    pub left_out: Vec<(String, String)>,
    pub corpora: Vec<CorpusFacts>,
    pub rows: Vec<Row>,
    pub notes: Vec<String>,
    pub log: LogResults,
    pub bench: Vec<BenchTable>,
}

impl Results {
    /// Returns the rows of a function on a corpus.
    pub fn rows_of(&self, function: &str, corpus: usize) -> Vec<&Row> {
        self.rows.iter().filter(|row| row.function == function && row.corpus == corpus).collect()
    }
}
