//! `pgq digest`: summarizes a server's logs by query, as a table, a document, a page, or a state
//! that merges with others.

mod args;
mod csv;
mod describe;
mod figures;
mod json;
mod markdown;
mod page;
mod rows;
mod state_files;
mod text;
mod worker;

use anyhow::Result;
use pgq_digest::report::{Report, ReportOptions, Row};
use pgq_digest::{Digest, Limit};

pub use self::args::Args;
use self::args::ReportFormat;
pub use self::describe::QueryDescriber;
pub use self::page::write as write_page;
use self::worker::DigestWorker;
use crate::input::InputFormat;
use crate::report::{Diagnostics, RowFormat, print_to};
use crate::statements::{DiagnosticsSink, RunOptions, run_workers};

pub const EXAMPLES: &str = "\
Examples:
  echo 'LOG:  duration: 3.5 ms  statement: SELECT 1' | pgq digest
  echo 'LOG:  duration: 3.5 ms  statement: SELECT 1' | pgq digest --format json
  echo 'LOG:  duration: 3.5 ms  statement: SELECT 1' | pgq digest --partial one.state
  pgq digest --merge one.state --top 10 --sort count";

/// How many of the first queries of every order the page has.
const ROWS_OF_EACH_ORDER: usize = 20;

pub fn run(args: &Args, diagnostics: &Diagnostics) -> Result<()> {
    let describer = QueryDescriber;
    let output = match args.format.rows() {
        None => args.output.open()?,
        Some(format) => args.output.open_for_rows(format)?,
    };
    let baseline = args.baseline.as_deref().map(|path| state_files::read_baseline(path, &describer)).transpose()?;
    let mut digest = match args.merge.as_slice() {
        [] => digest_input(args, diagnostics)?,
        states => state_files::merge(states, args.limit)?,
    };
    digest.finish();
    if let Some(path) = &args.partial {
        return state_files::write(&digest, path);
    }
    let top = args.top.or_else(|| args.format.default_top());
    // The page can be sorted anew, and lists the first of several orders.
    let of_each = if args.format == ReportFormat::Html { ROWS_OF_EACH_ORDER } else { 0 };
    let options = ReportOptions { sort: args.sort.into(), top, of_each, baseline: baseline.as_ref() };
    let report = Report::new(digest, &options, &describer);
    if report.statements + report.errors == 0 {
        diagnostics.notice("no statement was found; see --stats, --from and --log-line-prefix");
    }
    let write = match args.format {
        ReportFormat::Text => text::write,
        ReportFormat::Json => json::write,
        ReportFormat::Csv => csv::write,
        ReportFormat::Markdown => markdown::write,
        ReportFormat::Html => page::write,
        ReportFormat::Arrow => return rows::write(&report, RowFormat::Arrow, output),
        ReportFormat::Parquet => return rows::write(&report, RowFormat::Parquet, output),
    };
    print_to(output, |out| write(&report, out))
}

/// All groups of a report with the names of what they hold: queries first.
fn groups(report: &Report) -> impl Iterator<Item = (&'static str, &Row)> {
    let queries = report.rows.iter().map(|row| ("query", row));
    let unparsed = report.unparsed.iter().map(|row| ("unparsed", row));
    let others = [("truncated", &report.truncated), ("other", &report.other)];
    let others = others.into_iter().filter(|(_, row)| row.group.calls + row.group.errors > 0);
    queries.chain(unparsed).chain(others)
}

/// The digest of logs or scripts.
fn digest_input(args: &Args, diagnostics: &Diagnostics) -> Result<Digest> {
    let mut input = args.read.input_options(&args.input.files, args.input.format(InputFormat::Auto))?;
    input.log.envelopes = args.input.envelopes();
    input.log.selection.errors = true;
    let options = RunOptions { caches: args.caches.options(), ..args.read.run_options(&args.input.files) };
    let limit = match args.limit {
        Limit::Bytes(bytes) => Limit::Bytes(bytes / options.jobs),
        Limit::Groups(groups) => Limit::Groups(groups),
    };
    let workers = (0..options.jobs).map(|_| DigestWorker::new(&options, limit));
    let workers = run_workers(input, workers, &mut DiagnosticsSink::new(options.reports, diagnostics))?;
    let mut merged = Digest::new(args.limit);
    workers.into_iter().for_each(|worker| merged.merge(worker.into_digest()));
    Ok(merged)
}
