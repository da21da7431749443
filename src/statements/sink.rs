//! Sinks of the pipeline: results to standard output, reports to stderr.

use std::ops::ControlFlow;

use anyhow::Result;

use super::event::Event;
use super::options::LogReports;
use super::reporter::EventReporter;
use crate::pipeline::Sink;
use crate::report::{Diagnostics, StdoutWriter};

/// Prints output as it comes.
pub struct PrintSink<'a> {
    stdout: StdoutWriter,
    reporter: EventReporter<'a>,
}

impl<'a> PrintSink<'a> {
    /// `reports` says what is printed of logs.
    pub fn new(reports: LogReports, diagnostics: &'a Diagnostics) -> Self {
        Self { stdout: StdoutWriter::new(), reporter: EventReporter::new(reports, diagnostics) }
    }
}

impl Sink<Event<Vec<u8>>> for PrintSink<'_> {
    fn take(&mut self, event: Event<Vec<u8>>) -> Result<ControlFlow<()>> {
        let Some((output, flow)) = self.reporter.handle(event) else { return Ok(ControlFlow::Continue(())) };
        self.stdout.record(|out| out.extend_from_slice(&output))?;
        Ok(flow)
    }

    fn flush(&mut self) -> Result<()> {
        Ok(self.stdout.flush()?)
    }

    fn finish(&mut self) -> Result<()> {
        self.reporter.finish();
        Ok(self.stdout.flush()?)
    }
}

/// For workers that keep their results: prints reports only.
pub struct DiagnosticsSink<'a>(EventReporter<'a>);

impl<'a> DiagnosticsSink<'a> {
    /// `reports` says what is printed of logs.
    pub fn new(reports: LogReports, diagnostics: &'a Diagnostics) -> Self {
        Self(EventReporter::new(reports, diagnostics))
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
