//! Sinks of the pipeline: results to the output, reports to stderr.

use std::io::Write;
use std::ops::ControlFlow;

use anyhow::Result;
use pgq_log::LogStats;

use super::event::Event;
use super::options::LogReports;
use super::reporter::EventReporter;
use crate::run::pipeline::Sink;
use crate::run::report::{Diagnostics, Output};

/// Writes output as it comes.
pub struct PrintSink<'a> {
    output: Output,
    reporter: EventReporter<'a>,
}

impl<'a> PrintSink<'a> {
    /// `reports` says what is printed of logs.
    pub fn new(output: Output, reports: LogReports, diagnostics: &'a Diagnostics) -> Self {
        Self { output, reporter: EventReporter::new(reports, diagnostics) }
    }

    /// Writes a record behind the results.
    ///
    /// # Errors
    /// A failed write.
    pub fn write(&mut self, record: &[u8]) -> Result<()> {
        self.output.write_records(record)
    }

    /// Makes the output appear under its name, when all of it is written.
    ///
    /// # Errors
    /// A failed write.
    pub fn complete(self) -> Result<()> {
        self.output.complete()
    }
}

impl Sink<Event<Vec<u8>>> for PrintSink<'_> {
    fn take(&mut self, event: Event<Vec<u8>>) -> Result<ControlFlow<()>> {
        let Some((output, flow)) = self.reporter.handle(event) else { return Ok(ControlFlow::Continue(())) };
        self.output.write_records(&output)?;
        Ok(flow)
    }

    fn flush(&mut self) -> Result<()> {
        Ok(self.output.flush()?)
    }

    fn finish(&mut self) -> Result<()> {
        self.reporter.finish();
        Ok(self.output.flush()?)
    }
}

/// For workers that keep their results: prints reports only.
pub struct DiagnosticsSink<'a>(EventReporter<'a>);

impl<'a> DiagnosticsSink<'a> {
    /// `reports` says what is printed of logs.
    pub fn new(reports: LogReports, diagnostics: &'a Diagnostics) -> Self {
        Self(EventReporter::new(reports, diagnostics))
    }

    /// Counts of all logs.
    pub fn log(&self) -> &LogStats {
        self.0.log()
    }
}

impl Sink<Event<()>> for DiagnosticsSink<'_> {
    fn take(&mut self, event: Event<()>) -> Result<ControlFlow<()>> {
        Ok(self.0.handle(event).map_or(ControlFlow::Continue(()), |((), flow)| flow))
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        self.0.finish();
        Ok(())
    }
}
