//! The steps of a pipeline, as traits. They know no SQL, no logs and no files.

use std::ops::ControlFlow;

use anyhow::Result;

/// Produces chunks.
pub trait Source: Send {
    type Chunk;

    /// Returns the next chunk; `None` at the end, and on every later call. A failed read is a chunk, too. Calls
    /// `before_wait` before a read that may block, so that the caller can flush its output.
    fn next(&mut self, before_wait: &dyn Fn()) -> Option<Self::Chunk>;

    /// Returns one more chunk for a job that has some, if it is small and available without blocking; `None` does not
    /// mean the end.
    fn next_ahead(&mut self) -> Option<Self::Chunk> {
        None
    }
}

/// Turns chunks into work, in two parts: the parallel part needs no other chunk, and the ordered
/// part takes the chunks one by one in the order of the input. `Self` is the state of the ordered
/// part: one value for the whole run.
pub trait Stage: Send {
    type Chunk;
    /// State of the parallel part; each job (thread) has its own.
    type Local: Default;
    /// Result of the parallel part.
    type Prepared;
    type Work;

    /// The parallel part.
    fn prepare(local: &mut Self::Local, chunk: Self::Chunk) -> Self::Prepared;

    /// The ordered part. It should be short: one job at a time is in it.
    fn complete(&mut self, prepared: Self::Prepared) -> Self::Work;
}

/// Turns work into output. Each job has its own worker.
pub trait Worker: Send {
    type Work;
    type Output: Send;

    fn work(&mut self, work: Self::Work) -> Self::Output;

    /// Approximate size of an output in memory, in bytes: it bounds how much waits for its turn.
    fn weight(output: &Self::Output) -> usize;
}

/// Receives outputs in the order of their chunks, one at a time; calls come from different threads.
pub trait Sink<T>: Send {
    /// Takes the next output. `Break` ends the run: no further output is taken, and `finish` is
    /// called.
    ///
    /// # Errors
    /// A failed write, which ends the run.
    fn take(&mut self, output: T) -> Result<ControlFlow<()>>;

    /// Writes the buffered output: the next output may be far off.
    ///
    /// # Errors
    /// As for [`Sink::take`].
    fn flush(&mut self) -> Result<()>;

    /// Called once, after the last output that was taken; not after an error.
    ///
    /// # Errors
    /// As for [`Sink::take`].
    fn finish(&mut self) -> Result<()>;
}
