//! Chunks of input through worker threads to output in order. However many jobs there are,
//! what comes out is the same; memory is bounded by chunks, not by files.
//!
//! Every job does all steps of a chunk: it reads it (one at a time), takes a log's part of it
//! apart, puts its records together in the log's order (in turns), works on them, and hands
//! the result to the outlet. The turns are short, so jobs hardly wait for each other.

mod outlet;
mod turns;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;

use crate::input::{Chunk, Content, Delimited, Documents, Flow, Input, Statements};
use crate::output::{Report, progress};
use outlet::Ordered;
use pgq_log::{Assembler, Batch, LineParser, LogChunk, LogReaderConfig, Records, Stats, StreamState};
use turns::Turns;

/// What there is to work on.
pub enum Work {
    Statements(Statements),
    Records(Delimited),
    Documents(Documents),
    Log(Records),
}

/// Makes something of work. Each job has one of its own.
pub trait Worker: Send {
    /// What it makes of a chunk.
    type Made: Send;

    /// Works on a chunk of a file. What a person is to be told goes to `told`.
    fn work(&mut self, file: &str, work: &Work, told: &mut Told) -> Self::Made;

    /// Bytes of memory that a result takes up, about.
    fn weight(made: &Self::Made) -> usize;
}

/// What is told of a chunk beside its result.
#[derive(Default)]
pub struct Told {
    pub report: Report,
    /// Counts of a log.
    pub log: Stats,
    /// How many statements were asked for, and how many of them came from a cache.
    pub asked: Asked,
    /// Nothing after this is wanted.
    pub stop: bool,
}

/// Statements that were asked for, and answered without parsing them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Asked {
    pub statements: u64,
    /// The same text was answered before.
    pub known: u64,
    /// A text of the same shape was.
    pub by_shape: u64,
}

impl Asked {
    /// Adds the counts of a further part.
    pub fn add(&mut self, more: Self) {
        self.statements += more.statements;
        self.known += more.known;
        self.by_shape += more.by_shape;
    }
}

/// What comes to an outlet, in the input's order.
pub enum Event<D> {
    Made {
        file: Arc<str>,
        made: D,
        weight: usize,
        told: Told,
    },
    Remark {
        file: Arc<str>,
        text: String,
    },
    Unreadable {
        file: Arc<str>,
        problem: String,
    },
    /// A file has ended.
    End,
}

impl<D> Event<D> {
    fn weight(&self) -> usize {
        match self {
            Self::Made { weight, told, .. } => weight + told.report.weight(),
            _ => 0,
        }
    }
}

/// Where results go, one after the other.
pub trait Outlet<D>: Send {
    /// Takes the next event. Stop means that no more is wanted.
    ///
    /// # Errors
    /// A failed write, which ends the run.
    fn take(&mut self, event: Event<D>) -> Result<Flow>;

    /// Nothing may be held back: more may take a while to come.
    ///
    /// # Errors
    /// As for [`Outlet::take`].
    fn flush(&mut self) -> Result<()>;

    /// Everything has been taken, or no more is wanted.
    ///
    /// # Errors
    /// As for [`Outlet::take`].
    fn finish(&mut self) -> Result<()>;
}

/// What the jobs share.
struct Shared<'a, D> {
    source: Mutex<Source>,
    assembler: Turns<Assembling>,
    outlet: Ordered<'a, D>,
    stopped: AtomicBool,
}

struct Source {
    input: Input,
    /// Chunks read so far.
    given: u64,
}

/// Where logs are put together, chunk after chunk.
#[derive(Default)]
struct Assembling {
    assembler: Assembler,
    /// For a log that must be read in order.
    format: Option<Box<dyn LineParser>>,
}

/// Reads all input with as many workers as are given, and gives them back.
///
/// # Errors
/// What the outlet returns.
pub fn run<W: Worker>(input: Input, workers: Vec<W>, outlet: &mut dyn Outlet<W::Made>) -> Result<Vec<W>> {
    let shared = Shared {
        source: Mutex::new(Source { input, given: 0 }),
        assembler: Turns::new(Assembling::default()),
        outlet: Ordered::new(outlet),
        stopped: AtomicBool::new(false),
    };
    let workers = std::thread::scope(|scope| {
        let mut workers = workers.into_iter();
        let own = workers.next();
        // Where there is no memory for another thread, those that there are do its work.
        let begin = |worker| std::thread::Builder::new().spawn_scoped(scope, || shared.job(worker));
        let others: Vec<_> = workers.map_while(|worker| begin(worker).ok()).collect();
        let own = own.map(|worker| shared.job(worker));
        let others = others.into_iter().map(|job| job.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        own.into_iter().chain(others).collect()
    });
    progress::finish();
    shared.outlet.finish()?;
    Ok(workers)
}

/// Lets the other jobs end when this one panics.
struct Guard<'a, 'b, D>(&'a Shared<'b, D>);

impl<D> Drop for Guard<'_, '_, D> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stopped.store(true, Ordering::Relaxed);
            self.0.assembler.abandon();
            self.0.outlet.stop();
        }
    }
}

impl<D: Send> Shared<'_, D> {
    fn job<W: Worker<Made = D>>(&self, mut worker: W) -> W {
        let _guard = Guard(self);
        let mut formats = Formats::default();
        while let Some((number, chunk)) = self.next() {
            let Chunk { file, content } = chunk;
            let Some(step) = self.prepare(number, content, &mut formats) else { break };
            let event = match step {
                Step::Work(work) => {
                    let mut told = Told::default();
                    let made = worker.work(&file, &work, &mut told);
                    if let Work::Log(records) = &work {
                        told.log.add(records.stats());
                    }
                    Event::Made { file, weight: W::weight(&made), made, told }
                }
                Step::Remark(text) => Event::Remark { file, text },
                Step::Unreadable(problem) => Event::Unreadable { file, problem },
                Step::End => Event::End,
            };
            if self.outlet.put(number, event) == Flow::Stop {
                self.stopped.store(true, Ordering::Relaxed);
            }
        }
        worker
    }

    /// The next chunk and its number.
    fn next(&self) -> Option<(u64, Chunk)> {
        let mut source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
        if self.stopped.load(Ordering::Relaxed) {
            return None;
        }
        let Source { input, given } = &mut *source;
        let waited = std::cell::Cell::new(false);
        let before_wait = || {
            waited.set(true);
            self.outlet.rest(*given);
        };
        let chunk = input.next(&before_wait);
        if waited.get() {
            self.outlet.resume();
        }
        let number = *given;
        *given += 1;
        chunk.map(|chunk| (number, chunk))
    }

    /// What is done with a chunk in the input's order. `None` when no more is wanted.
    fn prepare(&self, number: u64, content: Content, formats: &mut Formats) -> Option<Step> {
        let step = match content {
            Content::Log { setup, chunk, then } => {
                let mut chunk = Some(chunk);
                let batch = if setup.is_sequential() { None } else { chunk.take().map(|c| formats.read(&setup, c)) };
                let records = self.assembler.take(number, |a| a.take(&setup, batch, chunk, then));
                return records.map(|records| Step::Work(Work::Log(records)));
            }
            Content::Statements(statements) => Step::Work(Work::Statements(statements)),
            Content::Records(records) => Step::Work(Work::Records(records)),
            Content::Documents(documents) => Step::Work(Work::Documents(documents)),
            Content::Remark(text) => Step::Remark(text),
            Content::Unreadable(problem) => Step::Unreadable(problem),
            Content::End => Step::End,
        };
        self.assembler.take(number, |_| step)
    }
}

enum Step {
    Work(Work),
    Remark(String),
    Unreadable(String),
    End,
}

/// A job's own reader of the log that it saw last.
#[derive(Default)]
struct Formats {
    last: Option<(Arc<LogReaderConfig>, Box<dyn LineParser>)>,
}

impl Formats {
    fn read(&mut self, setup: &Arc<LogReaderConfig>, chunk: LogChunk) -> Batch {
        let (_, format) = match &mut self.last {
            Some(last) if Arc::ptr_eq(&last.0, setup) => last,
            last => last.insert((Arc::clone(setup), setup.parser())),
        };
        Batch::read(chunk, setup.selection, format.as_mut())
    }
}

impl Assembling {
    fn take(
        &mut self,
        setup: &LogReaderConfig,
        batch: Option<Batch>,
        chunk: Option<LogChunk>,
        then: StreamState,
    ) -> Records {
        let batch = batch.unwrap_or_else(|| {
            let format = self.format.get_or_insert_with(|| setup.parser());
            let mut batch = Batch::read(chunk.unwrap_or_default(), setup.selection, format.as_mut());
            if then != StreamState::More {
                format.rest(&mut batch);
            }
            batch
        });
        match then {
            StreamState::More => self.assembler.take(batch),
            StreamState::Rest => self.assembler.quiet(batch),
            StreamState::End => {
                let records = self.assembler.finish(batch);
                *self = Self::default(); // the next log has nothing to do with this one
                records
            }
        }
    }
}
