//! A sink that counts equal results instead of printing them.

use std::collections::HashMap;
use std::io::Write;
use std::ops::ControlFlow;

use anyhow::Result;

use super::event::Event;
use super::options::LogReports;
use super::reporter::EventReporter;
use crate::run::pipeline::Sink;
use crate::run::report::{Diagnostics, Output};

/// Counts equal lines of output. Memory grows with the number of different lines.
pub struct CountSink<'a> {
    output: Output,
    reporter: EventReporter<'a>,
    counts: HashMap<Box<[u8]>, u64>,
}

impl<'a> CountSink<'a> {
    /// `reports` says what is printed of logs.
    pub fn new(output: Output, reports: LogReports, diagnostics: &'a Diagnostics) -> Self {
        Self { output, reporter: EventReporter::new(reports, diagnostics), counts: HashMap::new() }
    }

    /// Writes each line behind its count, the most frequent first.
    ///
    /// # Errors
    /// A failed write.
    pub fn complete(mut self) -> Result<()> {
        let mut lines: Vec<_> = self.counts.into_iter().collect();
        lines.sort_unstable_by(|(a, a_count), (b, b_count)| b_count.cmp(a_count).then_with(|| a.cmp(b)));
        let mut text = Vec::new();
        for (line, count) in lines {
            let _ = write!(text, "{count:>7} "); // to memory
            text.extend_from_slice(&line);
            self.output.write_records(&text)?;
            text.clear();
        }
        self.output.complete()
    }
}

impl Sink<Event<Vec<u8>>> for CountSink<'_> {
    fn take(&mut self, event: Event<Vec<u8>>) -> Result<ControlFlow<()>> {
        let Some((output, flow)) = self.reporter.handle(event) else { return Ok(ControlFlow::Continue(())) };
        for line in output.split_inclusive(|byte| *byte == b'\n') {
            match self.counts.get_mut(line) {
                Some(count) => *count += 1,
                None => drop(self.counts.insert(line.into(), 1)),
            }
        }
        Ok(flow)
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        self.reporter.finish();
        Ok(())
    }
}
