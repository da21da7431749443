//! Runs the jobs of a pipeline. Each job is a thread that takes its chunks through all steps.

use std::cell::Cell;
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use anyhow::Result;

use super::reorder::ReorderBuffer;
use super::sequencer::Sequencer;
use super::steps::{Sink, Source, Stage, Worker};

/// Maximum number of small chunks that a job (a thread) reads ahead. A job reads ahead while no other job uses the
/// source. Therefore jobs rarely wait for the source. The chunks that a job has read stay with this job, because they
/// are in its CPU cache.
const MOST_HELD: u64 = 16;

/// Limits the number of chunks that a job (a thread) reads ahead. If C chunks were read so far by N jobs, a job holds
/// at most `C / (HELD_PART * N)` chunks. Therefore no job still has much work when the others have ended.
const HELD_PART: u64 = 8;

/// Number of chunks that the first job (a thread) takes before the other jobs start. A small file has two chunks: its
/// content and its end. For such a file, starting a thread takes longer than the work.
const ALONE: u64 = 2;

/// Passes all chunks of `source` through `stage` and the workers to `sink`. Each worker runs in its own job (a thread).
/// Does not use all workers if there are few chunks, or too little memory to start a thread. Returns the workers that
/// have run.
///
/// # Errors
/// Returns the sink's first error.
pub fn run<S, G, W>(
    source: S,
    stage: G,
    workers: &mut dyn ExactSizeIterator<Item = W>,
    sink: &mut dyn Sink<W::Output>,
) -> Result<Vec<W>>
where
    S: Source,
    G: Stage<Chunk = S::Chunk>,
    W: Worker<Work = G::Work>,
{
    let shared = Shared {
        source: Mutex::new(NumberedSource { source, count: 0 }),
        stage: Sequencer::new(stage),
        outputs: ReorderBuffer::new(sink),
        stopped: AtomicBool::new(false),
        jobs: workers.len() as u64,
    };
    let workers = thread::scope(|scope| {
        let own = workers.next();
        let mut others = Vec::new();
        let mut start_others = || {
            let spawn = |worker| thread::Builder::new().spawn_scoped(scope, || shared.job(worker, &mut || ()));
            others.extend((&mut *workers).map_while(|worker| spawn(worker).ok()));
        };
        let own = own.map(|worker| shared.job(worker, &mut start_others));
        let others = others.into_iter().map(|job| job.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        own.into_iter().chain(others).collect()
    });
    shared.outputs.finish()?;
    Ok(workers)
}

/// State shared by the jobs.
struct Shared<'a, S, G, T> {
    source: Mutex<NumberedSource<S>>,
    stage: Sequencer<G>,
    outputs: ReorderBuffer<'a, T>,
    stopped: AtomicBool,
    jobs: u64,
}

struct NumberedSource<S> {
    source: S,
    /// Number of chunks read so far.
    count: u64,
}

/// Stops the other jobs (threads) if the job that owns this guard panics.
struct PanicGuard<'a, 'b, S, G, T>(&'a Shared<'b, S, G, T>);

impl<S, G, T> Drop for PanicGuard<'_, '_, S, G, T> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stopped.store(true, Ordering::Relaxed);
            self.0.stage.abandon();
            self.0.outputs.stop();
        }
    }
}

impl<S: Source, G: Stage<Chunk = S::Chunk>, T: Send> Shared<'_, S, G, T> {
    /// Runs a worker until the chunks end. Calls `start_others` when this job has taken more than [`ALONE`] chunks.
    fn job<W: Worker<Work = G::Work, Output = T>>(&self, mut worker: W, start_others: &mut dyn FnMut()) -> W {
        let _guard = PanicGuard(self);
        let mut start_others = Some(start_others);
        let mut local = G::Local::default();
        let (mut chunks, mut works) = (Vec::new(), VecDeque::new());
        loop {
            if works.is_empty() {
                let source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
                self.take_chunks(source, 0, &mut chunks);
            } else if works.len() as u64 <= MOST_HELD / 2
                && let Ok(source) = self.source.try_lock()
            {
                self.take_chunks(source, works.len() as u64, &mut chunks);
            }
            if chunks.last().is_some_and(|(number, _)| *number >= ALONE)
                && let Some(start) = start_others.take()
            {
                start();
            }
            // The ordered part must run immediately, because jobs (threads) with later chunks wait until all chunks of
            // this job have had their turns.
            for (number, chunk) in chunks.drain(..) {
                let prepared = G::prepare(&mut local, chunk);
                let Some(work) = self.stage.take_turn(number, |stage| stage.complete(prepared)) else { return worker };
                works.push_back((number, work));
            }
            let Some((number, work)) = works.pop_front() else { return worker };
            if self.stopped.load(Ordering::Relaxed) {
                return worker;
            }
            let output = worker.work(work);
            if let ControlFlow::Break(()) = self.outputs.put(number, W::weight(&output), output) {
                self.stopped.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Takes numbered chunks for a job (a thread) that already holds `held` chunks. A job that holds no chunks gets at
    /// least one chunk, unless the source has ended.
    fn take_chunks(&self, mut source: MutexGuard<'_, NumberedSource<S>>, held: u64, chunks: &mut Vec<(u64, S::Chunk)>) {
        if self.stopped.load(Ordering::Relaxed) {
            return;
        }
        let NumberedSource { source, count } = &mut *source;
        loop {
            let holds = held + chunks.len() as u64;
            let chunk = if holds == 0 {
                self.next_chunk(source, *count)
            } else if holds < MOST_HELD.min(*count / (HELD_PART * self.jobs)) {
                source.next_ahead()
            } else {
                None
            };
            let Some(chunk) = chunk else { return };
            chunks.push((*count, chunk));
            *count += 1;
        }
    }

    /// Returns the next chunk. `number` is the number of this chunk.
    fn next_chunk(&self, source: &mut S, number: u64) -> Option<S::Chunk> {
        let waited = Cell::new(false);
        let before_wait = || {
            waited.set(true);
            self.outputs.flush_after(number);
        };
        let chunk = source.next(&before_wait);
        if waited.get() {
            self.outputs.resume();
        }
        chunk
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source of the numbers below `end`.
    struct Numbers {
        next: u64,
        end: u64,
    }

    impl Source for Numbers {
        type Chunk = u64;

        fn next(&mut self, before_wait: &dyn Fn()) -> Option<u64> {
            before_wait();
            let number = self.next;
            self.next += 1;
            (number < self.end).then_some(number)
        }

        fn next_ahead(&mut self) -> Option<u64> {
            self.next(&|| {})
        }
    }

    /// Squares numbers in parallel and sums them in order.
    #[derive(Default)]
    struct SumOfSquares(u64);

    impl Stage for SumOfSquares {
        type Chunk = u64;
        type Local = ();
        type Prepared = u64;
        type Work = u64;

        fn prepare((): &mut (), number: u64) -> u64 {
            number * number
        }

        fn complete(&mut self, square: u64) -> u64 {
            self.0 += square;
            self.0
        }
    }

    /// Passes numbers on and counts them.
    struct Counter(u64);

    impl Worker for Counter {
        type Work = u64;
        type Output = u64;

        fn work(&mut self, work: u64) -> u64 {
            self.0 += 1;
            work
        }

        fn weight(_: &u64) -> usize {
            9 << 20 // two of them exceed `MAX_WAITING_BYTES`
        }
    }

    struct Collector {
        outputs: Vec<u64>,
        /// An output that is larger than this is an error.
        largest: u64,
        /// Stop after this many outputs.
        most: Option<usize>,
        finished: bool,
    }

    impl Default for Collector {
        fn default() -> Self {
            Self { outputs: Vec::new(), largest: 385, most: None, finished: false }
        }
    }

    impl Sink<u64> for Collector {
        fn take(&mut self, output: u64) -> Result<ControlFlow<()>> {
            anyhow::ensure!(output <= self.largest, "cannot be written");
            self.outputs.push(output);
            let full = self.most.is_some_and(|most| self.outputs.len() >= most);
            Ok(if full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        }

        fn flush(&mut self) -> Result<()> {
            Ok(())
        }

        fn finish(&mut self) -> Result<()> {
            self.finished = true;
            Ok(())
        }
    }

    fn run_jobs(jobs: usize, end: u64, sink: &mut Collector) -> Result<u64> {
        let mut workers = (0..jobs).map(|_| Counter(0));
        let workers = run(Numbers { next: 0, end }, SumOfSquares::default(), &mut workers, sink)?;
        assert_eq!(workers.len(), if end > ALONE { jobs } else { 1 });
        Ok(workers.iter().map(|worker| worker.0).sum())
    }

    #[test]
    fn a_small_input_needs_one_job() {
        assert_eq!(run_jobs(3, ALONE, &mut Collector::default()).unwrap(), ALONE);
    }

    #[test]
    fn outputs_are_the_same_for_any_number_of_jobs() {
        for jobs in [1, 2, 5] {
            let mut sink = Collector::default();
            assert_eq!(run_jobs(jobs, 11, &mut sink).unwrap(), 11);
            assert_eq!(sink.outputs, [0, 1, 5, 14, 30, 55, 91, 140, 204, 285, 385]);
            assert!(sink.finished);
        }
    }

    #[test]
    fn jobs_that_hold_chunks_miss_none() {
        let count = 4 * MOST_HELD * HELD_PART;
        for jobs in [1, 3] {
            let mut sink = Collector { largest: u64::MAX, ..Collector::default() };
            assert_eq!(run_jobs(jobs, count, &mut sink).unwrap(), count);
            assert!(sink.outputs.iter().copied().eq((0..count).scan(0, |sum, number| {
                *sum += number * number;
                Some(*sum)
            })));
        }
    }

    #[test]
    fn a_sink_that_breaks_gets_no_more() {
        for jobs in [1, 4] {
            let mut sink = Collector { most: Some(3), ..Collector::default() };
            assert!(run_jobs(jobs, 1000, &mut sink).unwrap() < 1000);
            assert_eq!(sink.outputs, [0, 1, 5]);
            assert!(sink.finished);
        }
    }

    #[test]
    fn an_error_of_the_sink_ends_the_run() {
        for jobs in [1, 4] {
            let mut sink = Collector::default();
            let error = run_jobs(jobs, 1000, &mut sink).unwrap_err();
            assert_eq!((error.to_string().as_str(), sink.outputs.last()), ("cannot be written", Some(&385)));
            assert!(!sink.finished);
        }
    }
}
