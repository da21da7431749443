//! `pgq bench`: queries per second of the Protobuf path and the raw path, on any SQL.
//!
//! First both paths must give equal results on every statement; then they are timed, in
//! turn on the same few statements, so that the drift of a busy machine hits both alike.

mod corpus;
mod function;
mod measure;
mod report;
mod verify;

use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};

use crate::cli::Format;
use crate::output::{Messages, Output};

pub const EXAMPLES: &str = "\
Examples:
  echo 'SELECT a FROM t WHERE b = 1' | pgq bench --time 0.1
  echo 'SELECT 1' | pgq bench --time 0.1 --functions parse,fingerprint --format json";

/// The raw path is the direct one. The floor is what C code takes alone: PostgreSQL's
/// raw_parser, for scan its scanner, for deparse libpg_query's deparser on the parser's tree.
/// Times are the best of many rounds for each few statements, added up; p50 and p99 are of
/// all single calls. Exit code 1 means that the paths gave different results.
#[derive(clap::Args)]
pub struct Args {
    /// Files, or folders to search for *.sql; `-` or none is standard input
    #[arg(value_name = "PATH")]
    paths_to_read: Vec<PathBuf>,

    /// Seconds to spend on each function
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = seconds)]
    time: Duration,

    /// What to measure
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = Function::ALL)]
    functions: Vec<Function>,

    /// Which paths to time (all are verified)
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = Path::ALL)]
    paths: Vec<Path>,

    /// A table, or one JSON document
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_string())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "not a number of seconds from 0 up".to_string())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Function {
    /// SQL to structs
    Parse,
    /// Structs to SQL
    Deparse,
    Fingerprint,
    Scan,
    /// SQL to SQL with $n for constants (against pg_query_normalize)
    Normalize,
    /// SQL to JSON text (against pg_query_parse, which has no Protobuf in it)
    Json,
    /// Fingerprint and normalize of one parse, as for a log (against the two calls)
    Log,
}

impl Function {
    const ALL: [Self; 7] =
        [Self::Parse, Self::Json, Self::Fingerprint, Self::Normalize, Self::Log, Self::Scan, Self::Deparse];

    fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Log => "log",
            Self::Normalize => "normalize",
            Self::Parse => "parse",
            Self::Deparse => "deparse",
            Self::Fingerprint => "fingerprint",
            Self::Scan => "scan",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Path {
    /// libpg_query's functions as bindings use them: Protobuf and prost
    Protobuf,
    /// The C tree read directly
    Raw,
    /// PostgreSQL's parser, scanner or deparser alone
    Floor,
}

impl Path {
    const ALL: [Self; 3] = [Self::Protobuf, Self::Raw, Self::Floor];

    fn name(self) -> &'static str {
        match self {
            Self::Protobuf => "protobuf",
            Self::Raw => "raw",
            Self::Floor => "floor",
        }
    }
}

pub fn run(args: &Args, messages: &Messages) -> Result<()> {
    let corpus = corpus::read(&args.paths_to_read, messages)?;
    let mut verified = Vec::new();
    let bar = progress("verifying", corpus.statements.len() * args.functions.len());
    for &function in &args.functions {
        verified.push(verify::verify(function, &corpus.statements, messages, &bar));
    }
    bar.finish_and_clear();
    let bar = progress("measuring", corpus.statements.len() * args.functions.len());
    let results = measure::measure(args, &corpus.statements, &bar);
    bar.finish_and_clear();
    let mut output = Output::new();
    output.record(|out| match args.format {
        Format::Text => report::text(&corpus, &verified, &results, out),
        Format::Json => report::json(&corpus, &verified, &results, out),
    })?;
    Ok(output.flush()?)
}

fn progress(what: &'static str, statements: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{msg} [{bar:40}] {percent}% {eta}").expect("a valid template");
    ProgressBar::new(statements as u64).with_style(style).with_message(what)
}
