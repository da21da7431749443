//! `pgq export`: every statement as a row, for spreadsheets, databases and engines of columns.

mod answer;
mod args;
mod columns;
mod record;
mod sink;
mod worker;

use std::sync::Arc;

use anyhow::{Result, bail};

pub use self::args::Args;
use self::sink::ExportSink;
use self::worker::ExportWorker;
use crate::input::InputFormat;
use crate::report::{Diagnostics, RowFormat, RowLayout, RowWriter, print};
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
    let mut input = args.read.input_options(&args.input.files, args.input.format(InputFormat::Auto))?;
    input.log.envelopes = args.input.envelopes();
    if input.log.follow && format == RowFormat::Parquet {
        bail!("--follow cannot write Parquet, whose files are readable only when they are complete: use arrow or json");
    }
    input.log.selection.errors = true;
    let options = RunOptions {
        fail_fast: args.fail_fast,
        parse: args.parser.options(),
        caches: args.caches.options(),
        ..args.read.run_options()
    };
    let (compression, timezone) = (args.compression()?, args.timezone.clone());
    let layout = Arc::new(RowLayout { format, columns, compression, timezone });
    input.log.selection.session_fields = layout.has_any(&record::SESSION_COLUMNS);
    let writer = RowWriter::new(&layout, args.output.open_for_rows(format)?)?;
    let reporter = EventReporter::new(options.reports, diagnostics);
    let mut sink = ExportSink::new(writer, input.log.follow, reporter, diagnostics);
    let workers = (0..options.jobs).map(|_| ExportWorker::new(&layout, &options));
    run_workers(input, workers, &mut sink)?;
    sink.complete()
}
