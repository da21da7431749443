//! Writes the rows of all jobs to the output, in the order of the input.

use std::ops::ControlFlow;

use anyhow::Result;

use super::worker::ExportedChunk;
use crate::pipeline::Sink;
use crate::report::{Diagnostics, Output, RowWriter};
use crate::statements::{Event, EventReporter};

/// The sink of `pgq export`.
pub struct ExportSink<'a> {
    /// `None` when the output is complete.
    writer: Option<RowWriter>,
    reporter: EventReporter<'a>,
    diagnostics: &'a Diagnostics,
    /// The complete output.
    output: Option<Output>,
    /// The input goes on growing: rows are written as they come.
    follow: bool,
    /// Times that are NULL because their zone is not known.
    times_without_zone: u64,
}

impl<'a> ExportSink<'a> {
    /// `follow`: the input goes on growing. `reporter` prints the reports of events.
    pub fn new(writer: RowWriter, follow: bool, reporter: EventReporter<'a>, diagnostics: &'a Diagnostics) -> Self {
        Self { writer: Some(writer), reporter, diagnostics, output: None, follow, times_without_zone: 0 }
    }

    /// Makes the output appear under its name, when all rows are written.
    ///
    /// # Errors
    /// The file cannot be renamed.
    pub fn complete(self) -> Result<()> {
        self.output.map_or(Ok(()), Output::complete)
    }
}

impl Sink<Event<ExportedChunk>> for ExportSink<'_> {
    fn take(&mut self, event: Event<ExportedChunk>) -> Result<ControlFlow<()>> {
        let Some((chunk, flow)) = self.reporter.handle(event) else { return Ok(ControlFlow::Continue(())) };
        self.times_without_zone += chunk.times_without_zone;
        if let Some(writer) = &mut self.writer {
            writer.write(chunk.rows)?;
        }
        Ok(flow)
    }

    fn flush(&mut self) -> Result<()> {
        self.writer.as_mut().map_or(Ok(()), |writer| writer.flush(self.follow))
    }

    fn finish(&mut self) -> Result<()> {
        self.reporter.finish();
        if self.times_without_zone > 0 {
            self.diagnostics.notice(&format!(
                "{} times are NULL, because the log does not tell their zone: name it with --timezone",
                self.times_without_zone
            ));
        }
        self.output = self.writer.take().map(RowWriter::finish).transpose()?;
        Ok(())
    }
}
