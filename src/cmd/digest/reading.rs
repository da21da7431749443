//! Reads logs or scripts into a digest. The first signal ends only the reading. A report to standard output is still
//! written, with the statements read before the signal.

use std::path::PathBuf;
use std::sync::{Arc, mpsc};
use std::thread;

use anyhow::Result;
use pgq_digest::Digest;
use pgq_digest::baseline::Baseline;
use pgq_log::{LogStats, RecordFilter};

use super::redact::Disclosure;
use super::shared::SharedDigests;
use super::worker::DigestWorker;
use super::{Args, live, report_of, text, write};
use crate::cmd::stop::Stop;
use crate::cmd::zone::ZoneCounts;
use crate::run::report::{Diagnostics, print_styled};
use crate::run::statements::{ChunkReport, Finished, OrderedOutput, RunOptions, run_jobs};

/// Result of reading.
pub struct Reading {
    pub digest: Digest,
    /// The signal that ended reading.
    pub signal: Option<i32>,
    pub log: LogStats,
}

/// Reads the input into a digest.
///
/// # Errors
/// Reading fails, or a report of `--every` cannot be written.
pub fn read(
    args: &Args,
    files: &[PathBuf],
    baseline: Option<&Baseline>,
    stop: &Stop,
    diagnostics: &Diagnostics,
) -> Result<Reading> {
    let mut input = args.read.input_options(files, args.input.format(), args.replaced())?;
    input.log.envelopes = args.input.envelopes();
    input.log.selection.errors = true;
    input.log.selection.durations = true;
    input.log.selection.events = true;
    input.log.selection.messages = true;
    input.log.refuses_repeats = true;
    input.log.live = args.every.is_some();
    #[cfg(unix)]
    input.stop.clone_from(&stop.signal);
    let filter = Arc::new(RecordFilter { keeps_errors: true, ..args.read.filter() });
    let options = RunOptions { caches: args.caches.options(), filter, ..args.read.run_options() };
    let digests = Arc::new(SharedDigests::new(options.jobs, args.limit));
    let shows_secrets = args.disclosure() == Disclosure::Everything;
    let worker = |job| DigestWorker::new(&options, args.read.timezone(), shows_secrets, Arc::clone(&digests), job);
    let workers = (0..options.jobs).map(worker);
    let reading = |finished: Finished<DigestWorker>| {
        let mut counts = ZoneCounts::default();
        finished.jobs.iter().for_each(|worker| counts += worker.zone_counts());
        counts.notices().iter().for_each(|notice| diagnostics.notice(notice));
        let mut digest = digests.merged(std::mem::replace);
        digest.ambiguous = finished.log.ambiguous;
        Reading { digest, signal: stop.signal(), log: finished.log }
    };
    let Some(every) = args.every else {
        let finished = run_jobs(input, workers, &mut (), options.reports, diagnostics)?;
        return Ok(reading(finished));
    };
    let show = || {
        let mut digest = digests.merged(|digest, _| digest.clone());
        digest.finish();
        show(args, digest, baseline)
    };
    let (running, ended) = mpsc::channel::<()>();
    let finished = thread::scope(|scope| {
        let show = &show;
        // If a report cannot be written, reading ends too.
        let repeat = move || live::repeat(every, &ended, show).inspect_err(|_| stop.stop());
        let view = thread::Builder::new().spawn_scoped(scope, repeat);
        let read = run_jobs(input, workers, &mut RepeatedReport, options.reports, diagnostics);
        drop(running);
        let shown = view?.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        let finished = read?;
        shown.map(|()| finished)
    })?;
    Ok(reading(finished))
}

/// Output of the jobs with `--every`. It writes nothing, because the reports are printed separately during the run.
struct RepeatedReport;

impl OrderedOutput<()> for RepeatedReport {
    fn take(&mut self, (): (), _: &ChunkReport) -> Result<()> {
        Ok(())
    }

    fn prints_during_run(&self) -> bool {
        true
    }
}

/// Shows a report of the input read so far.
fn show(args: &Args, digest: Digest, baseline: Option<&Baseline>) -> Result<()> {
    let report = report_of(args, digest, baseline, None);
    if live::is_view(args) {
        let mut text = Vec::new();
        text::write(&report, text::layout(false, args.wide), &mut text);
        return print_styled(&live::on_screen(&text));
    }
    write(args, &report, args.output.open()?)
}
