//! `pgq export`: every statement as a row, for spreadsheets, databases and engines of columns.

mod answer;
mod args;
mod columns;
mod record;
mod rows;
mod sink;
mod worker;

use std::io::IsTerminal;
use std::sync::Arc;

use anyhow::{Result, bail};

pub use self::args::Args;
use self::rows::RowFormat;
use self::sink::ExportSink;
use self::worker::ExportWorker;
use crate::input::InputFormat;
use crate::report::{Diagnostics, Output, print};
use crate::statements::{EventReporter, RunOptions, run_workers};

pub const EXAMPLES: &str = "\
Examples:
  echo 'LOG:  duration: 3.5 ms  statement: SELECT a FROM t' | pgq export --columns duration_us,kind,tables
  pgq export --columns help
  pgq export --output statements.parquet postgresql.log
  pgq export --format csv --columns normalized,fingerprint script.sql";

pub fn run(args: &Args, diagnostics: &Diagnostics) -> Result<()> {
    let Some(columns) = args.columns.chosen() else {
        return print(columns::describe);
    };
    let format = args.row_format()?;
    if format.is_binary() && args.output.is_none() && std::io::stdout().is_terminal() {
        bail!("{} is binary: name a file with --output, or redirect standard output", format.name());
    }
    let mut input = args.read.input_options(&args.input.files, args.input.format(InputFormat::Auto))?;
    input.log.envelopes = args.input.envelopes();
    if input.log.follow && format == RowFormat::Parquet {
        bail!("--follow cannot write Parquet, whose files are readable only when they are complete: use arrow or json");
    }
    if !format.is_built_in() {
        bail!("this pgq was built without {}: build it with --features columnar", format.name());
    }
    input.log.selection.errors = true;
    let options = RunOptions {
        fail_fast: args.fail_fast,
        parse: args.parser.options(),
        caches: args.caches.options(),
        ..args.read.run_options()
    };
    let layout = Arc::new(format.layout(&columns, args.compression()?, args.timezone.clone()));
    input.log.selection.session_fields = layout.has_any(&record::SESSION_COLUMNS);
    let output = Output::open(args.output.as_deref())?;
    let reporter = EventReporter::new(options.reports, diagnostics);
    let mut sink = ExportSink::new(&layout, output, input.log.follow, reporter, diagnostics)?;
    let workers = (0..options.jobs).map(|_| ExportWorker::new(&layout, &options));
    run_workers(input, workers, &mut sink)?;
    sink.complete()
}
