//! The steps of a pipeline, as traits.

use std::ops::ControlFlow;

use anyhow::Result;

/// Where chunks come from.
pub trait Source: Send {
    type Chunk;

    /// The next chunk; `None` at the end, again and again. Calls `before_wait` before a read that
    /// may block, so that finished output is not held back meanwhile.
    fn next(&mut self, before_wait: &dyn Fn()) -> Option<Self::Chunk>;
}

/// Turns chunks into work, in two parts: what any job can do with a chunk alone, and what must be
/// done chunk after chunk. `Self` is the state of the ordered part, of which there is one.
pub trait Stage: Send {
    type Chunk;
    /// State of the parallel part; each job has its own.
    type Local: Default;
    /// Result of the parallel part.
    type Prepared;
    type Work;

    /// The parallel part.
    fn prepare(local: &mut Self::Local, chunk: Self::Chunk) -> Self::Prepared;

    /// The ordered part, called in the order of the chunks. The other jobs wait for it.
    fn complete(&mut self, prepared: Self::Prepared) -> Self::Work;
}

/// Turns work into output. Each job has its own worker.
pub trait Worker: Send {
    type Work;
    type Output: Send;

    fn work(&mut self, work: Self::Work) -> Self::Output;

    /// Approximate size of an output in memory, in bytes.
    fn weight(output: &Self::Output) -> usize;
}

/// Receives outputs in the order of their chunks, one at a time, from any thread.
pub trait Sink<T>: Send {
    /// Takes the next output. `Break` ends the run: no further output is taken.
    ///
    /// # Errors
    /// A failed write, which ends the run.
    fn take(&mut self, output: T) -> Result<ControlFlow<()>>;

    /// Writes out what is buffered: the next output may take a while to come.
    ///
    /// # Errors
    /// As for [`Sink::take`].
    fn flush(&mut self) -> Result<()>;

    /// Called once, after the last output that was taken.
    ///
    /// # Errors
    /// As for [`Sink::take`].
    fn finish(&mut self) -> Result<()>;
}
