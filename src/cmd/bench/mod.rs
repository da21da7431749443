//! `pgq bench`: compares the speed of libpg_query's Protobuf interface (the Protobuf path) with that of reading the C
//! tree directly (the raw path), on any SQL.
//!
//! First verifies that both paths give equal results for every statement. Then times both paths in turn on the same few
//! statements, because a machine's speed drifts. Before a path is timed, it runs once to warm up the processor's
//! caches.

mod call;
mod columns;
mod corpus;
mod function;
mod measure;
mod report;
mod runs;
mod spread;
mod verify;

use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};

use self::function::{Function, Path};
use self::report::Layout;
use self::runs::measure_all;
use super::args::{OutputArgs, milliseconds};
use crate::run::report::{Diagnostics, print_to};

pub const EXAMPLES: &str = "\
Examples:
  echo 'SELECT a FROM t WHERE b = 1' | pgq bench --time 100ms
  pgq bench --time 100ms --functions parse,fingerprint --format markdown fixtures/log/log.csv";

#[derive(clap::Args)]
pub struct Args {
    /// Scripts, logs, tables, folders; standard input for `-` or without files
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Total time of all runs of each function: 500ms, 2s, 1min
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = time)]
    time: Duration,

    /// Number of runs, whose median and range are printed
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: u32,

    /// Functions to measure
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = Function::ALL.to_vec(), hide_default_value = true)]
    functions: Vec<Function>,

    /// Paths to time (all are verified)
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = Path::ALL.to_vec(), hide_default_value = true)]
    paths: Vec<Path>,

    /// Format of the output [default: by the extension of --output, otherwise text]
    #[arg(long, value_enum)]
    format: Option<BenchFormat>,

    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum BenchFormat {
    Text,
    Markdown,
    /// One JSON document
    Json,
}

/// Parses a duration with PostgreSQL's units. The default unit is seconds.
fn time(text: &str) -> Result<Duration, String> {
    let seconds = match text.parse::<f64>() {
        Ok(seconds) => seconds,
        Err(_) => milliseconds(text)? / 1000.0,
    };
    Duration::try_from_secs_f64(seconds).map_err(|_| "not a time from 0 up".to_string())
}

pub fn run(args: &Args, diagnostics: &Diagnostics) -> Result<()> {
    let of_extension = |extension: &str| match extension {
        "md" | "markdown" => Some(BenchFormat::Markdown),
        "json" => Some(BenchFormat::Json),
        _ => None,
    };
    let format = args.output.chosen_format(args.format, BenchFormat::Text, of_extension)?;
    let output = args.output.open()?;
    let corpus = corpus::read(&args.files, args.output.path(), diagnostics)?;
    let mut verified = Vec::new();
    let bar = progress_bar("verifying", corpus.statements.len() * args.functions.len());
    for &function in &args.functions {
        verified.push(verify::verify(function, &corpus.statements, diagnostics, &bar));
    }
    bar.finish_and_clear();
    let bar = progress_bar("measuring", corpus.statements.len() * args.functions.len() * args.repeat as usize);
    let runs = measure_all(&args.functions, &args.paths, args.time, args.repeat, &corpus.statements, &bar);
    bar.finish_and_clear();
    print_to(output, |out| match format {
        BenchFormat::Text => report::write(Layout::Text, &corpus, &verified, &runs, out),
        BenchFormat::Markdown => report::write(Layout::Markdown, &corpus, &verified, &runs, out),
        BenchFormat::Json => report::json(&corpus, &verified, &runs, out),
    })
}

fn progress_bar(message: &'static str, statements: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{msg} [{bar:40}] {percent}% {eta}").expect("a valid template");
    ProgressBar::new(statements as u64).with_style(style).with_message(message)
}
