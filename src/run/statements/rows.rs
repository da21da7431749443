//! Commands that write rows of a table instead of a result for each statement.

use std::ops::ControlFlow;

use anyhow::Result;

use super::event::{ChunkReport, Event};
use super::handler::StatementHandler;
use super::options::RunOptions;
use super::processor::StatementProcessor;
use super::reporter::EventReporter;
use super::run::run_workers;
use super::worker::ChunkWorker;
use crate::run::input::{Data, InputOptions};
use crate::run::pipeline::Sink;
use crate::run::report::{Diagnostics, Output, RowWriter, Rows};

/// A handler that keeps the rows of the statements, and appends nothing to the output.
pub trait RowHandler: StatementHandler {
    /// The rows so far.
    fn take_rows(&mut self) -> Rows;
}

/// Passes all statements of `input` to `handlers`, one for each job, and writes their rows.
///
/// # Errors
/// As for [`super::run`].
pub fn run_rows<H: RowHandler>(
    handlers: impl Fn() -> H,
    input: InputOptions,
    options: &RunOptions,
    writer: RowWriter,
    diagnostics: &Diagnostics,
) -> Result<()> {
    let workers = (0..options.jobs).map(|_| RowProcessor(StatementProcessor::new(handlers(), options.clone())));
    run_row_workers(input, workers, options, writer, diagnostics).map(drop)
}

/// Passes all data of `input` to `workers`, a thread for each, and writes their rows. Returns the workers.
///
/// # Errors
/// As for [`super::run`].
pub fn run_row_workers<W: ChunkWorker<Output = Rows>>(
    input: InputOptions,
    workers: impl Iterator<Item = W>,
    options: &RunOptions,
    writer: RowWriter,
    diagnostics: &Diagnostics,
) -> Result<Vec<W>> {
    let reporter = EventReporter::new(options.reports, diagnostics);
    let mut sink = RowSink { writer: Some(writer), reporter, output: None, follow: input.log.follow };
    let workers = run_workers(input, workers, &mut sink)?;
    sink.output.map_or(Ok(()), Output::complete)?;
    Ok(workers)
}

struct RowProcessor<H>(StatementProcessor<H>);

impl<H: RowHandler> ChunkWorker for RowProcessor<H> {
    type Output = Rows;

    fn work(&mut self, file: &str, data: &Data, report: &mut ChunkReport) -> Rows {
        let text = self.0.work(file, data, report);
        debug_assert!(text.is_empty(), "a handler of rows appends nothing");
        self.0.handler().take_rows()
    }

    fn weight(rows: &Rows) -> usize {
        rows.memory_size()
    }
}

struct RowSink<'a> {
    /// `None` when the output is complete.
    writer: Option<RowWriter>,
    reporter: EventReporter<'a>,
    output: Option<Output>,
    follow: bool,
}

impl Sink<Event<Rows>> for RowSink<'_> {
    fn take(&mut self, event: Event<Rows>) -> Result<ControlFlow<()>> {
        let Some((rows, flow)) = self.reporter.handle(event) else { return Ok(ControlFlow::Continue(())) };
        if let Some(writer) = &mut self.writer {
            writer.write(rows)?;
        }
        Ok(flow)
    }

    fn flush(&mut self) -> Result<()> {
        self.writer.as_mut().map_or(Ok(()), |writer| writer.flush(self.follow))
    }

    fn finish(&mut self) -> Result<()> {
        self.reporter.finish();
        self.output = self.writer.take().map(RowWriter::finish).transpose()?;
        Ok(())
    }
}
