//! `pgq export`: writes each statement as a row, for spreadsheets, databases and column stores.

mod answer;
mod args;
mod columns;
mod kept;
mod record;
mod worker;

use anyhow::Result;

use pgq_columns::{Column, TableColumn};

pub use self::answer::column_name;
pub use self::args::Args;
use self::worker::ExportWorker;
use crate::cmd::stop::Stop;
use crate::cmd::zone::ZoneCounts;
use crate::run::report::{Diagnostics, RowLayout, RowWriter, exit_after_signal, print};
use crate::run::statements::{RowOutput, RunOptions, run_jobs};

pub const EXAMPLES: &str = "\
Examples:
  echo 'LOG:  duration: 3.5 ms  statement: SELECT a FROM t' | pgq export --columns kind,tables
  pgq export --columns help
  pgq export --output statements.parquet fixtures/log/log.csv
  pgq export --format csv --columns normalized,fingerprint fixtures/readme/three.sql";

pub fn run(args: &Args, diagnostics: &Diagnostics) -> Result<()> {
    let Some(columns) = args.columns.chosen(args.keep.keep_columns) else {
        return print(columns::describe);
    };
    let format = args.row_format()?;
    let mut input = args.read.input_options(&args.input.files, args.input.format(), args.output.path())?;
    input.log.envelopes = args.input.envelopes();
    input.log.selection.errors = true;
    input.log.selection.durations = true;
    let options = RunOptions {
        fail_fast: args.fail_fast,
        parse: args.parser.options(),
        caches: args.caches.options(),
        reads_tokens: true,
        ..args.read.run_options()
    };
    input.backslash_escapes = options.parse.backslash_escapes;
    let layout = RowLayout { format, columns, compression: args.compression()?, guarded: args.guarded()? };
    // The values of column `time` depend on the time zone of the log. The start of a session can show this zone.
    input.log.selection.session_fields |= layout.has_any(&[Column::Time]) || layout.has_any(&record::SESSION_COLUMNS);
    if args.keep.keep_columns {
        input.result_names = layout.columns.iter().map(|column| column.name()).collect();
        return kept::run(&layout, args.disclosure(), input, &options, args.output.open_for_rows(format)?, diagnostics);
    }
    let writer = RowWriter::new(&layout, args.output.open_for_rows(format)?)?;
    // With `--follow`, a signal ends only the reading. Records that were waiting for later messages of the log are
    // still written.
    let follows = input.log.follow && writer.prints_during_run();
    let stop = if follows { Stop::on_signals() } else { Stop::default() };
    #[cfg(unix)]
    input.stop.clone_from(&stop.signal);
    let workers =
        (0..options.jobs).map(|_| ExportWorker::new(&layout, args.read.timezone(), args.disclosure(), &options));
    let mut output = RowOutput::new(writer, input.log.follow);
    let workers = run_jobs(input, workers, &mut output, options.reports, diagnostics)?.jobs;
    output.complete()?;
    let mut counts = ZoneCounts::default();
    workers.iter().for_each(|worker| counts += worker.zone_counts());
    counts.notices().iter().for_each(|notice| diagnostics.notice(notice));
    args.disclosure().note().iter().for_each(|note| diagnostics.notice(note));
    stop.signal().map_or(Ok(()), |signal| exit_after_signal(signal))
}
