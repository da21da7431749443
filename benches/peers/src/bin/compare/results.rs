//! What a run found: all that the page and the charts are made of.

use crate::spread::Spread;

/// A function of a parser on a corpus.
#[derive(Debug, Clone)]
pub struct Row {
    pub function: &'static str,
    /// Its number in `Results::corpora`.
    pub corpus: usize,
    pub label: String,
    /// The statements that are measured: those that pgq and the parser answer.
    pub statements: usize,
    /// Statements that pgq answers and the parser refuses, and the other way round.
    pub refused: usize,
    pub extra: usize,
    /// Answers that agree with pgq's, of those that can be compared.
    pub agreeing: usize,
    pub compared: usize,
    /// The sum of the answers, where they are counts of a parser's own.
    pub counted: Option<u64>,
    /// The version of PostgreSQL that the parser is made of.
    pub postgresql: Option<u64>,
    /// CPU time of a statement, of the parser and of pgq on the same statements.
    pub nanoseconds: Spread,
    pub pgq: Spread,
    /// The one divided by the other.
    pub ratio: Spread,
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
    /// As a reader would type it.
    pub command: String,
    /// Seconds of CPU time, and MB of memory.
    pub seconds: Spread,
    pub megabytes: Spread,
    /// What it wrote, beside pgq's.
    pub result: String,
}

pub struct LogResults {
    /// Bytes and statements of the log.
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
    /// `rustc 1.95.0`, `go1.26.8`, and so on.
    pub tools: Vec<String>,
}

pub struct Results {
    pub machine: Machine,
    /// Of the last minute, before anything was built and after all.
    pub load: (f64, f64),
    pub date: String,
    pub minutes: f64,
    pub command: String,
    /// The most turns of a function in a repeat.
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
