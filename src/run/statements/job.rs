//! The two parts of a command. A [`Job`] converts parts of the input to outputs. An [`OrderedOutput`] takes the outputs
//! in input order. [`super::run_jobs`] connects them.

use anyhow::Result;

use super::event::ChunkReport;
use crate::run::input::Data;
use crate::run::report::Rows;

/// The parallel part of a command. Each thread has its own job.
pub trait Job: Send {
    type Output: ChunkOutput;

    /// Processes part of a file. Adds errors and counts to `report`. To stop the run, a job sets `report.stop`.
    fn work(&mut self, file: &str, data: &Data, report: &mut ChunkReport) -> Self::Output;
}

/// Output of a chunk: bytes, rows, or `()` if the job keeps its results until the end.
pub trait ChunkOutput: Send {
    /// Returns the approximate memory size. The total size of waiting outputs is limited.
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

/// The ordered part of a command. It prints, counts or collects outputs.
pub trait OrderedOutput<T>: Send {
    /// Takes the next output and the report of its chunk.
    ///
    /// # Errors
    /// Writing fails. This ends the run.
    fn take(&mut self, output: T, report: &ChunkReport) -> Result<()>;

    /// Called at the end of each file whose first bytes could be read.
    ///
    /// # Errors
    /// Writing fails.
    fn end_of_file(&mut self) -> Result<()> {
        Ok(())
    }

    /// Writes buffered output. Called if it may take long until the next output arrives.
    ///
    /// # Errors
    /// Writing fails.
    fn flush(&mut self) -> Result<()> {
        Ok(())
    }

    /// Called once after the last output, unless there was an error.
    ///
    /// # Errors
    /// Writing fails.
    fn finish(&mut self) -> Result<()> {
        Ok(())
    }

    /// Whether results are printed to standard output during the run. If so, and if standard output is a terminal,
    /// there is no progress bar. If not, the results are complete only at the end of the input, so an input without an
    /// end (`--follow`) is an error.
    fn prints_during_run(&self) -> bool {
        false
    }
}

/// Ignores outputs, for jobs that keep their results.
impl OrderedOutput<()> for () {
    fn take(&mut self, (): (), _: &ChunkReport) -> Result<()> {
        Ok(())
    }
}
