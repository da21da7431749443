//! Runs a command. Connects the jobs and the ordered output of the command to the pipeline.

use std::ops::ControlFlow;

use anyhow::{Result, bail};
use pgq_log::LogStats;

use super::answers::AnswerOutput;
use super::event::{ChunkReport, JobEvent};
use super::handler::StatementHandler;
use super::job::{ChunkOutput, Job, OrderedOutput};
use super::options::{LogReports, RunOptions};
use super::outputs::{LineCounts, RowOutput};
use super::processor::StatementProcessor;
use super::reporter::EventReporter;
use crate::run::input::{Chunk, Content, Data, Input, InputOptions, LogStage};
use crate::run::pipeline::{self, Sink, Worker};
use crate::run::report::{DiagnosticStyle, Diagnostics, NothingRead, Output, RowWriter, Rows};

/// A finished run.
pub struct Finished<J> {
    /// The jobs with their results.
    pub jobs: Vec<J>,
    /// Counts of all logs that were read to their end.
    pub log: LogStats,
}

/// Passes all data of `input` to `jobs`. Each job has its own thread. Passes the outputs of the jobs to `ordered`, in
/// the order of the input.
///
/// # Errors
/// Returns an error if there is no input, or if output cannot be written. Also returns an error if the
/// output is complete only at the end of the input, and the input has no end because a log is followed.
pub fn run_jobs<J: Job>(
    input: InputOptions,
    jobs: impl ExactSizeIterator<Item = J>,
    ordered: &mut dyn OrderedOutput<J::Output>,
    reports: LogReports,
    diagnostics: &Diagnostics,
) -> Result<Finished<J>> {
    if !input.has_end() && !ordered.prints_during_run() {
        bail!("--follow has no end, but this output is complete only at the end: print text, csv or json instead");
    }
    let follow = input.log.follow;
    let progress = diagnostics.progress();
    let input = Input::new(input, progress.counter())?;
    if input.reads_stdin() {
        progress.say_that_it_waits();
    }
    if !follow {
        progress.start(input.total_bytes(), !ordered.prints_during_run());
    }
    let style = diagnostics.style();
    let mut workers = jobs.map(|job| JobWorker { job, style });
    let mut sink = JobSink { ordered, reporter: EventReporter::new(reports, diagnostics), read: false };
    let workers = pipeline::run(input, LogStage::default(), &mut workers, &mut sink);
    progress.finish();
    let jobs = workers?.into_iter().map(|worker| worker.job).collect();
    // If nothing was read, return an error, so that the output file is not replaced.
    if !sink.read && diagnostics.has_unreadable() {
        return Err(NothingRead.into());
    }
    Ok(Finished { jobs, log: sink.reporter.all_logs().clone() })
}

/// Passes all statements of `input` to `handlers`. Each job has its own handler. Passes the outputs of the handlers to
/// `ordered`, in the order of the input.
///
/// # Errors
/// Same as [`run_jobs`].
pub fn run_into<H: StatementHandler>(
    handlers: impl Fn() -> H,
    input: InputOptions,
    options: &RunOptions,
    ordered: &mut dyn OrderedOutput<H::Output>,
    diagnostics: &Diagnostics,
) -> Result<()> {
    let jobs = (0..options.jobs).map(|_| StatementProcessor::new(handlers(), options.clone()));
    run_jobs(input, jobs, ordered, options.reports, diagnostics).map(drop)
}

/// Passes all statements of `input` to clones of `handler`. Writes the results to `output`.
///
/// # Errors
/// Same as [`run_jobs`].
pub fn run<H: StatementHandler<Output = Vec<u8>> + Clone>(
    handler: &H,
    input: InputOptions,
    options: &RunOptions,
    mut output: Output,
    diagnostics: &Diagnostics,
) -> Result<()> {
    run_into(|| handler.clone(), input, options, &mut output, diagnostics)?;
    output.complete()
}

/// Like [`run`], but prints each distinct line only once, with its number of occurrences before it.
///
/// # Errors
/// Same as [`run_jobs`]. Also fails for JSON records.
pub fn run_counted<H: StatementHandler<Output = Vec<u8>> + Clone>(
    handler: &H,
    mut input: InputOptions,
    options: &RunOptions,
    output: Output,
    diagnostics: &Diagnostics,
) -> Result<()> {
    anyhow::ensure!(!options.output.json, "--count is for text: leave out --format json");
    input.log.refuses_repeats = true;
    let mut counts = LineCounts::default();
    run_into(|| handler.clone(), input, options, &mut counts, diagnostics)?;
    counts.write(output)
}

/// Like [`run`], but writes results as table rows. Keeps the columns of input tables if the options request this.
///
/// # Errors
/// Same as [`run_jobs`].
pub fn run_answers<H: StatementHandler<Output = Vec<u8>> + Clone>(
    handler: &H,
    mut input: InputOptions,
    options: &RunOptions,
    output: Output,
    diagnostics: &Diagnostics,
) -> Result<()> {
    input.kept = options.output.kept();
    input.result_names = vec![H::KEY, "error"];
    if options.output.json {
        input.result_names.extend(H::FURTHER_KEYS);
        input.result_names.push("warnings");
    }
    let Some(format) = options.output.answers else { return run(handler, input, options, output, diagnostics) };
    let mut answers = AnswerOutput::new(format, output);
    if !options.output.keep_columns {
        answers.begin_with(H::KEY)?;
    }
    run_into(|| handler.clone(), input, options, &mut answers, diagnostics)?;
    answers.complete()
}

/// Like [`run_into`], but for table rows.
///
/// # Errors
/// Same as [`run_jobs`].
pub fn run_rows<H: StatementHandler<Output = Rows>>(
    handlers: impl Fn() -> H,
    input: InputOptions,
    options: &RunOptions,
    writer: RowWriter,
    diagnostics: &Diagnostics,
) -> Result<()> {
    let mut rows = RowOutput::new(writer, input.log.follow);
    run_into(handlers, input, options, &mut rows, diagnostics)?;
    rows.complete()
}

/// Runs a job as a worker of the pipeline. The job processes data. All other content of chunks is
/// passed on unchanged.
struct JobWorker<J> {
    job: J,
    style: DiagnosticStyle,
}

impl<J: Job> Worker for JobWorker<J> {
    type Work = Chunk;
    type Output = JobEvent<J::Output>;

    fn work(&mut self, chunk: Chunk) -> JobEvent<J::Output> {
        let Chunk { file, content } = chunk;
        match content {
            Content::Data(data) => {
                let mut report = ChunkReport::new(self.style);
                report.is_script = matches!(data, Data::Script(_));
                let output = self.job.work(&file, &data, &mut report);
                if let Data::Log(records) = &data {
                    report.log.add(records.stats());
                }
                JobEvent::Output { file, output, report }
            }
            Content::Notice(text) => JobEvent::Notice { file, text },
            Content::LeftOut(text) => JobEvent::LeftOut { file, text },
            Content::Unreadable(problem) => JobEvent::Unreadable { file, problem },
            Content::Refused(problem) => JobEvent::Refused { file, problem },
            Content::EndOfFile => JobEvent::EndOfFile,
        }
    }

    fn weight(event: &JobEvent<J::Output>) -> usize {
        match event {
            JobEvent::Output { output, report, .. } => output.memory_size() + report.weight(),
            _ => 0,
        }
    }
}

/// The sink of the pipeline. Prints reports, and passes outputs to the ordered output.
pub(super) struct JobSink<'a, T> {
    pub ordered: &'a mut dyn OrderedOutput<T>,
    pub reporter: EventReporter<'a>,
    /// Whether any input was read.
    pub read: bool,
}

impl<T> Sink<JobEvent<T>> for JobSink<'_, T> {
    fn take(&mut self, event: JobEvent<T>) -> Result<ControlFlow<()>> {
        self.read |= matches!(event, JobEvent::Output { .. } | JobEvent::EndOfFile);
        match event {
            JobEvent::Output { file, output, report } => {
                self.reporter.report(file, &report);
                self.ordered.take(output, &report)?;
                if let Some(problem) = report.fatal {
                    bail!(problem);
                }
                return Ok(report.flow());
            }
            JobEvent::Notice { file, text } => self.reporter.notice(&file, &text),
            JobEvent::LeftOut { file, text } => self.reporter.left_out(&file, &text),
            JobEvent::Unreadable { file, problem } => self.reporter.unreadable(&file, &problem),
            JobEvent::Refused { file, problem } => bail!("{file}: {problem}"),
            JobEvent::EndOfFile => {
                self.ordered.end_of_file()?;
                self.reporter.end_of_file();
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn flush(&mut self) -> Result<()> {
        self.ordered.flush()
    }

    fn finish(&mut self) -> Result<()> {
        self.reporter.finish();
        self.ordered.finish()
    }
}
