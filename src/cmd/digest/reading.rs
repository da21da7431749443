//! Reads logs or scripts into a digest. A signal ends the reading and not the program, so that what has
//! been read is reported.

use std::sync::{Arc, mpsc};
use std::thread;

use anyhow::Result;
use pgq_digest::Digest;
use pgq_digest::baseline::Baseline;
#[cfg(unix)]
use signal_hook::consts::{SIGHUP, SIGTERM};

use super::shared::SharedDigests;
use super::worker::DigestWorker;
use super::{Args, live, report_of, text, write};
#[cfg(unix)]
use crate::run::input::StopSignal;
use crate::run::input::{InputFormat, InputOptions};
use crate::run::report::{Diagnostics, print};
use crate::run::statements::{ChunkReport, OrderedOutput, RunOptions, run_jobs};

/// What was read.
pub struct Reading {
    pub digest: Digest,
    /// The number of the signal that ended it.
    pub signal: Option<i32>,
    /// Statements of logs that the filters left out.
    pub filtered: u64,
}

/// The digest of the input.
///
/// # Errors
/// What ends the run; with --every also a report that cannot be written.
pub fn read(args: &Args, baseline: Option<&Baseline>, diagnostics: &Diagnostics) -> Result<Reading> {
    let mut input = args.read.input_options(&args.input.files, args.input.format(InputFormat::Auto))?;
    input.log.envelopes = args.input.envelopes();
    input.log.selection.errors = true;
    input.log.selection.events = true;
    let stop = Stop::on_signals(&mut input);
    let options = RunOptions { caches: args.caches.options(), ..args.read.run_options(&args.input.files) };
    let digests = Arc::new(SharedDigests::new(options.jobs, args.limit));
    let workers = (0..options.jobs).map(|job| DigestWorker::new(&options, Arc::clone(&digests), job));
    let reading = |stop: &Stop, filtered: u64| Reading {
        digest: digests.merged(std::mem::replace),
        signal: stop.signal(),
        filtered,
    };
    let Some(every) = args.every else {
        let finished = run_jobs(input, workers, &mut (), options.reports, diagnostics)?;
        return Ok(reading(&stop, finished.filtered));
    };
    let show = || {
        let mut digest = digests.merged(|digest, _| digest.clone());
        digest.finish();
        show(args, digest, baseline)
    };
    let (running, ended) = mpsc::channel::<()>();
    let filtered = thread::scope(|scope| {
        let (show, stop) = (&show, &stop);
        // What cannot be written ends the reading, too.
        let repeat = move || live::repeat(every, &ended, show).inspect_err(|_| stop.stop());
        let view = thread::Builder::new().spawn_scoped(scope, repeat);
        let read = run_jobs(input, workers, &mut RepeatedReport, options.reports, diagnostics);
        drop(running);
        let shown = view?.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        let filtered = read?.filtered;
        shown.map(|()| filtered)
    })?;
    Ok(reading(&stop, filtered))
}

/// Reports are printed while jobs read.
struct RepeatedReport;

impl OrderedOutput<()> for RepeatedReport {
    fn take(&mut self, (): (), _: &ChunkReport) -> Result<()> {
        Ok(())
    }

    fn prints_during_run(&self) -> bool {
        true
    }
}

/// Shows a report of what has been read so far.
fn show(args: &Args, digest: Digest, baseline: Option<&Baseline>) -> Result<()> {
    let report = report_of(args, digest, baseline);
    if live::is_view(args) {
        let mut text = Vec::new();
        text::write(&report, text::layout(false, args.wide), &mut text);
        return print(|out| out.extend_from_slice(&live::on_screen(&text)));
    }
    write(args, &report, args.output.open()?)
}

/// What ends the input early.
struct Stop {
    #[cfg(unix)]
    signal: Option<Arc<StopSignal>>,
}

#[cfg(unix)]
impl Stop {
    /// From now on the first SIGINT or SIGTERM ends the input, and a second one the program.
    fn on_signals(input: &mut InputOptions) -> Self {
        // Without a pipe signals end the program.
        let signal = StopSignal::new().ok().map(Arc::new);
        if let Some(stop) = signal.clone() {
            crate::run::report::handle_signals(move |number| number != SIGHUP && stop.set(number));
        }
        input.stop.clone_from(&signal);
        Self { signal }
    }

    /// The number of the signal that came.
    fn signal(&self) -> Option<i32> {
        self.signal.as_ref().and_then(|signal| signal.signal())
    }

    fn stop(&self) {
        if let Some(signal) = &self.signal {
            signal.set(SIGTERM);
        }
    }
}

#[cfg(not(unix))]
impl Stop {
    fn on_signals(_: &mut InputOptions) -> Self {
        Self {}
    }

    fn signal(&self) -> Option<i32> {
        None
    }

    fn stop(&self) {}
}
