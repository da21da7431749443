//! Runs a command over its input.

use anyhow::Result;

use super::count::CountSink;
use super::event::Event;
use super::handler::StatementHandler;
use super::options::RunOptions;
use super::processor::StatementProcessor;
use super::sink::PrintSink;
use super::worker::{ChunkWorker, EventWorker};
use crate::run::input::{Input, InputOptions, LogStage};
use crate::run::pipeline::{self, Sink};
use crate::run::report::{Diagnostics, Output, progress};

/// Passes all statements of `input` to handlers, clones of `handler`, and writes the results to
/// `output`.
///
/// # Errors
/// What ends the run: no input, or output that cannot be written.
pub fn run<H: StatementHandler + Clone>(
    handler: &H,
    input: InputOptions,
    options: &RunOptions,
    output: Output,
    diagnostics: &Diagnostics,
) -> Result<()> {
    let mut sink = PrintSink::new(output, options.reports, diagnostics);
    run_into(handler, input, options, &mut sink)?;
    sink.complete()
}

/// [`run`] with each different line of text printed once, behind its count.
///
/// # Errors
/// As for [`run`]; JSON records, and a log that is followed: it has no end.
pub fn run_counted<H: StatementHandler + Clone>(
    handler: &H,
    input: InputOptions,
    options: &RunOptions,
    output: Output,
    diagnostics: &Diagnostics,
) -> Result<()> {
    anyhow::ensure!(!options.output.json, "--count is for text: leave out --format json");
    anyhow::ensure!(
        !input.log.follow,
        "--count prints at the end of the input, which a log with --follow does not have"
    );
    let mut sink = CountSink::new(output, options.reports, diagnostics);
    run_into(handler, input, options, &mut sink)?;
    sink.complete()
}

/// [`run`] into another sink.
///
/// # Errors
/// As for [`run`].
pub fn run_into<H: StatementHandler + Clone>(
    handler: &H,
    input: InputOptions,
    options: &RunOptions,
    sink: &mut dyn Sink<Event<Vec<u8>>>,
) -> Result<()> {
    let workers = (0..options.jobs).map(|_| StatementProcessor::new(handler.clone(), options.clone()));
    run_workers(input, workers, sink)?;
    Ok(())
}

/// Passes all data of `input` to `workers`, a thread for each, and their outputs to `sink`. Returns
/// the workers.
///
/// # Errors
/// As for [`run`].
pub fn run_workers<W: ChunkWorker>(
    input: InputOptions,
    workers: impl Iterator<Item = W>,
    sink: &mut dyn Sink<Event<W::Output>>,
) -> Result<Vec<W>> {
    let follow = input.log.follow;
    let input = Input::new(input, progress::count_reads)?;
    if !follow {
        // Workers without outputs keep their results until the end.
        progress::start(input.total_bytes(), size_of::<W::Output>() == 0);
    }
    let workers = pipeline::run(input, LogStage::default(), workers.map(EventWorker).collect(), sink);
    progress::finish();
    Ok(workers?.into_iter().map(|EventWorker(worker)| worker).collect())
}
