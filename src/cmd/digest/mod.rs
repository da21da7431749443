//! `pgq digest`: summarizes a server's logs by query, as a table, a document, a page, or a state
//! that merges with others.

mod args;
mod csv;
mod describe;
mod figures;
mod json;
mod live;
mod markdown;
mod page;
mod reading;
mod rows;
mod shared;
mod state_files;
mod tags;
mod text;
mod text_changes;
mod text_table;
mod worker;

use std::io::IsTerminal;
use std::path::PathBuf;

use anyhow::{Result, bail};
use pgq_digest::Digest;
use pgq_digest::baseline::Baseline;
use pgq_digest::report::{Report, ReportOptions, Row};

pub use self::args::Args;
use self::args::ReportFormat;
pub use self::describe::QueryDescriber;
pub use self::page::{PageSource, write as write_page};
use self::reading::Reading;
use crate::run::report::{Diagnostics, Output, RowFormat, exit_after_signal, print_to};

pub const EXAMPLES: &str = "\
Examples:
  pgq digest --top 3 fixtures/log/log.csv
  pgq digest --state one.state fixtures/log/log.csv
  pgq digest --merge one.state --sort calls";

/// How many of the first queries of every order the page has.
const ROWS_OF_EACH_ORDER: usize = 20;

pub fn run(args: &Args, diagnostics: &Diagnostics) -> Result<()> {
    let describer = QueryDescriber;
    live::check(args)?;
    args.check_extension()?;
    if args.title.is_some() && args.format() != ReportFormat::Html {
        bail!("--title is for a page: add --format html");
    }
    if args.format() == ReportFormat::Html && args.output.path().is_none() && std::io::stdout().is_terminal() {
        bail!("html is a page for a browser: name a file with --output, or redirect standard output");
    }
    let output = match args.format().rows() {
        None => args.output.open()?,
        Some(format) => args.output.open_for_rows(format)?,
    };
    let baseline = args.baseline.as_deref().map(|path| state_files::read_baseline(path, &describer)).transpose()?;
    let Reading { mut digest, signal, filtered } = match args.merge.as_slice() {
        [] => reading::read(args, baseline.as_ref(), diagnostics)?,
        states => Reading { digest: state_files::merge(states, args.limit)?, signal: None, filtered: 0 },
    };
    digest.finish();
    if let Some(path) = &args.partial {
        state_files::write(&digest, path)?;
    } else {
        let report = report_of(args, digest, baseline.as_ref());
        notice_emptiness(args, &report, filtered, diagnostics);
        write(args, &report, output)?;
    }
    match signal {
        // A log that is followed has no other end.
        Some(signal) if !args.read.follows() => {
            diagnostics.notice("interrupted: the digest has what was read until then");
            exit_after_signal(signal)
        }
        _ => Ok(()),
    }
}

/// Says why there is nothing in a report.
fn notice_emptiness(args: &Args, report: &Report, filtered: u64, diagnostics: &Diagnostics) {
    let all = report.statements + report.errors;
    if all == 0 && filtered > 0 {
        let filters = args.read.filters().join("; ");
        diagnostics.notice(&format!("none of the log's {filtered} statements passes the filters ({filters})"));
    } else if all == 0 {
        diagnostics.notice("no statement was found; see --stats, --from and --log-line-prefix");
    } else if report.distinct == 0 && report.unparsed_calls() == report.statements {
        diagnostics.notice("no statement could be parsed: is this neither a log nor a script? see --from");
    }
}

/// The report of a digest that is finished.
fn report_of(args: &Args, digest: Digest, baseline: Option<&Baseline>) -> Report {
    let top = args.top.or_else(|| args.format().default_top());
    // The page can be sorted anew, and lists the first of several orders.
    let of_each = if args.format() == ReportFormat::Html { ROWS_OF_EACH_ORDER } else { 0 };
    let short_rest = args.format() == ReportFormat::Html && args.top.is_none();
    let options = ReportOptions { sort: args.sort.into(), top, of_each, short_rest, baseline };
    Report::new(digest, &options, &QueryDescriber)
}

fn write(args: &Args, report: &Report, output: Output) -> Result<()> {
    let write = match args.format() {
        ReportFormat::Text => {
            let layout = text::layout(args.output.path().is_some(), args.wide);
            return print_to(output, |out| text::write(report, layout, out));
        }
        ReportFormat::Json => {
            let mut output = output;
            output.stream(|out| json::write(report, out))?;
            return output.complete();
        }
        ReportFormat::Csv => csv::write,
        ReportFormat::Markdown => markdown::write,
        ReportFormat::Html => {
            let source = page_source(args);
            return print_to(output, |out| page::write(report, &source, out));
        }
        ReportFormat::Arrow => return rows::write(report, RowFormat::Arrow, output),
        ReportFormat::Parquet => return rows::write(report, RowFormat::Parquet, output),
    };
    print_to(output, |out| write(report, out))
}

/// What a page says of its input.
fn page_source(args: &Args) -> PageSource {
    let files = if args.merge.is_empty() { &args.input.files } else { &args.merge };
    let name = |path: &PathBuf| match path.to_str() {
        Some("-") => "standard input".to_string(),
        _ => path.display().to_string(),
    };
    let files = if files.is_empty() { vec!["standard input".into()] } else { files.iter().map(name).collect() };
    PageSource { title: args.title.clone(), files, filters: args.read.filters() }
}

/// All groups of a report with the names of what they hold: queries first.
fn groups(report: &Report) -> impl Iterator<Item = (&'static str, &Row)> {
    let queries = report.rows.iter().map(|row| ("query", row));
    let unparsed = report.unparsed.iter().map(|row| ("unparsed", row));
    let others = [("truncated", &report.truncated), ("other", &report.other)];
    let others = others.into_iter().filter(|(_, row)| row.group.calls + row.group.errors > 0);
    queries.chain(unparsed).chain(others)
}
