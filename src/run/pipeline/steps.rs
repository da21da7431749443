//! The steps of a pipeline as traits.

use std::ops::ControlFlow;

use anyhow::Result;

/// Produces chunks.
pub trait Source: Send {
    type Chunk;

    /// Returns the next chunk, or `None` at the end and in every later call. A failed read is also a chunk. Calls
    /// `before_wait` before a read that may block, so that the caller can flush its output.
    fn next(&mut self, before_wait: &dyn Fn()) -> Option<Self::Chunk>;

    /// Returns another chunk for a job (a thread) that already has chunks. Returns `None` if the next chunk is large or
    /// if reading it may block, even if the source has not ended.
    fn next_ahead(&mut self) -> Option<Self::Chunk> {
        None
    }
}

/// Converts each chunk to a unit of work. The conversion has two parts. The parallel part processes a chunk
/// independently of other chunks. The ordered part processes chunks one at a time, in input order. `Self` is the state
/// of the ordered part. All jobs (threads) share this state.
pub trait Stage: Send {
    type Chunk;
    /// State of the parallel part, separate for each job.
    type Local: Default;
    /// Result of the parallel part.
    type Prepared;
    type Work;

    /// Runs the parallel part.
    fn prepare(local: &mut Self::Local, chunk: Self::Chunk) -> Self::Prepared;

    /// Runs the ordered part of the stage. It must be short, because only one job (thread) at a time can run it.
    fn complete(&mut self, prepared: Self::Prepared) -> Self::Work;
}

/// Converts work to output. Each job has its own worker.
pub trait Worker: Send {
    type Work;
    type Output: Send;

    fn work(&mut self, work: Self::Work) -> Self::Output;

    /// Returns the approximate memory size of an output. The total size of waiting outputs is limited.
    fn weight(output: &Self::Output) -> usize;
}

/// Receives outputs one at a time, in chunk order, from different threads.
pub trait Sink<T>: Send {
    /// Takes the next output. If the result is `Break`, the run ends: no more outputs follow, and `finish` is called.
    ///
    /// # Errors
    /// Writing fails. This ends the run.
    fn take(&mut self, output: T) -> Result<ControlFlow<()>>;

    /// Writes buffered output. Called if it may take long until the next output arrives.
    ///
    /// # Errors
    /// Same as [`Sink::take`].
    fn flush(&mut self) -> Result<()>;

    /// Called once after the last output, unless there was an error.
    ///
    /// # Errors
    /// Same as [`Sink::take`].
    fn finish(&mut self) -> Result<()>;
}
