//! What a command is: [`Job`] turns each part of the input into an output, and [`OrderedOutput`] takes the outputs
//! one after another, in the order of the input. [`super::run_jobs`] connects the two. This file knows no command.

use anyhow::Result;

use super::event::ChunkReport;
use crate::run::input::Data;
use crate::run::report::Rows;

/// A command's parallel part. Each thread has its own job.
pub trait Job: Send {
    type Output: ChunkOutput;

    /// Works on part of a file. Errors of statements, counts, and the wish to stop go to `report`.
    fn work(&mut self, file: &str, data: &Data, report: &mut ChunkReport) -> Self::Output;
}

/// Output of a chunk: bytes, rows, or `()` for a job that keeps its results until the end.
pub trait ChunkOutput: Send {
    /// Approximate size in memory, in bytes: it bounds how much waits for its turn.
    fn memory_size(&self) -> usize;
}

impl ChunkOutput for () {
    fn memory_size(&self) -> usize {
        0
    }
}

impl ChunkOutput for Vec<u8> {
    fn memory_size(&self) -> usize {
        self.capacity()
    }
}

impl ChunkOutput for Rows {
    fn memory_size(&self) -> usize {
        Rows::memory_size(self)
    }
}

/// A command's ordered part: prints, counts or collects outputs. A failed write ends the run.
pub trait OrderedOutput<T>: Send {
    /// Takes the next output, with the report of its chunk.
    ///
    /// # Errors
    /// A failed write.
    fn take(&mut self, output: T, report: &ChunkReport) -> Result<()>;

    /// Called when a file has ended of which at least the first bytes could be read.
    ///
    /// # Errors
    /// A failed write.
    fn end_of_file(&mut self) -> Result<()> {
        Ok(())
    }

    /// Writes the buffered output: the next output may be far off.
    ///
    /// # Errors
    /// A failed write.
    fn flush(&mut self) -> Result<()> {
        Ok(())
    }

    /// Called once, after the last output that was taken; not after an error.
    ///
    /// # Errors
    /// A failed write.
    fn finish(&mut self) -> Result<()> {
        Ok(())
    }

    /// Whether output goes to standard output during the run, where a progress bar would disturb it.
    fn prints_during_run(&self) -> bool {
        false
    }
}

/// For jobs that keep their results.
impl OrderedOutput<()> for () {
    fn take(&mut self, (): (), _: &ChunkReport) -> Result<()> {
        Ok(())
    }
}
