//! `pgq bench`: queries per second of the Protobuf path and the raw path, on any SQL.
//!
//! First both paths must give equal results for every statement. Then they are timed in turns on
//! the same few statements, so that the drift of a busy machine affects both alike. Each runs on them once
//! before it is timed: behind the other path it would pay for what that took from the processor's caches.

mod call;
#[cfg(feature = "reflection")]
mod columns;
mod corpus;
mod function;
mod measure;
mod report;
mod spread;
mod verify;

use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};

use self::function::{Function, Path};
use super::args::{OutputArgs, OutputFormat};
use crate::run::report::{Diagnostics, print_to};

pub const EXAMPLES: &str = "\
Examples:
  echo 'SELECT a FROM t WHERE b = 1' | pgq bench --time 0.1
  echo 'SELECT 1' | pgq bench --time 0.1 --functions parse,fingerprint --format json";

#[derive(clap::Args)]
pub struct Args {
    /// Files, or folders to search for *.sql; standard input for `-`, or if there is no path
    #[arg(value_name = "PATH")]
    paths_to_read: Vec<PathBuf>,

    /// Seconds to spend on each function
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = seconds)]
    time: Duration,

    /// Measure so many times, and print how far the measurements are apart
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: u32,

    /// Functions to measure
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = Function::ALL.to_vec())]
    functions: Vec<Function>,

    /// Paths to time (all are verified)
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = Path::ALL.to_vec())]
    paths: Vec<Path>,

    /// A table, or one JSON document
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,

    #[command(flatten)]
    output: OutputArgs,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_string())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "not a number of seconds from 0 up".to_string())
}

pub fn run(args: &Args, diagnostics: &Diagnostics) -> Result<()> {
    let output = args.output.open()?;
    let corpus = corpus::read(&args.paths_to_read, diagnostics)?;
    let mut verified = Vec::new();
    let bar = progress_bar("verifying", corpus.statements.len() * args.functions.len());
    for &function in &args.functions {
        verified.push(verify::verify(function, &corpus.statements, diagnostics, &bar));
    }
    bar.finish_and_clear();
    let bar = progress_bar("measuring", corpus.statements.len() * args.functions.len() * args.repeat as usize);
    let measure = |_| measure::measure(&args.functions, &args.paths, args.time, &corpus.statements, &bar);
    let runs: Vec<_> = (0..args.repeat).map(measure).collect();
    bar.finish_and_clear();
    print_to(output, |out| match args.format {
        OutputFormat::Text => report::text(&corpus, &verified, &runs, out),
        OutputFormat::Json => report::json(&corpus, &verified, &runs, out),
    })
}

fn progress_bar(message: &'static str, statements: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{msg} [{bar:40}] {percent}% {eta}").expect("a valid template");
    ProgressBar::new(statements as u64).with_style(style).with_message(message)
}
