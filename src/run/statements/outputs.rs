//! Ordered outputs that several commands use: bytes, table rows, and counts of equal lines.

use std::collections::HashMap;
use std::io::Write;

use anyhow::Result;

use super::event::ChunkReport;
use super::job::OrderedOutput;
use crate::run::report::{Output, RowWriter, Rows};

/// Writes bytes in order of arrival.
impl OrderedOutput<Vec<u8>> for Output {
    fn take(&mut self, output: Vec<u8>, _: &ChunkReport) -> Result<()> {
        self.write_records(&output)
    }

    fn flush(&mut self) -> Result<()> {
        Ok(Write::flush(self)?)
    }

    fn finish(&mut self) -> Result<()> {
        Ok(Write::flush(self)?)
    }

    fn prints_during_run(&self) -> bool {
        self.is_stdout()
    }
}

/// Writes table rows.
pub struct RowOutput {
    writer: RowWriter,
    /// Whether the input is a growing log.
    follow: bool,
}

impl RowOutput {
    pub fn new(writer: RowWriter, follow: bool) -> Self {
        Self { writer, follow }
    }

    /// Completes the table and its output.
    ///
    /// # Errors
    /// Writing fails.
    pub fn complete(self) -> Result<()> {
        self.writer.finish()?.complete()
    }
}

impl OrderedOutput<Rows> for RowOutput {
    fn take(&mut self, rows: Rows, _: &ChunkReport) -> Result<()> {
        self.writer.write(rows)
    }

    fn flush(&mut self) -> Result<()> {
        self.writer.flush(self.follow)
    }

    fn prints_during_run(&self) -> bool {
        self.writer.prints_during_run()
    }
}

/// Counts equal lines of output. Needs memory for each distinct line.
#[derive(Default)]
pub struct LineCounts(HashMap<Box<[u8]>, u64>);

impl LineCounts {
    /// Writes each distinct line once, with its count before it. The most frequent line is first.
    ///
    /// # Errors
    /// Writing fails.
    pub fn write(self, mut output: Output) -> Result<()> {
        let mut lines: Vec<_> = self.0.into_iter().collect();
        lines.sort_unstable_by(|(a, a_count), (b, b_count)| b_count.cmp(a_count).then_with(|| a.cmp(b)));
        let mut text = Vec::new();
        for (line, count) in lines {
            let _ = write!(text, "{count:>7} "); // writing to memory cannot fail
            text.extend_from_slice(&line);
            output.write_records(&text)?;
            text.clear();
        }
        output.complete()
    }
}

impl OrderedOutput<Vec<u8>> for LineCounts {
    fn take(&mut self, output: Vec<u8>, _: &ChunkReport) -> Result<()> {
        for line in output.split_inclusive(|byte| *byte == b'\n') {
            match self.0.get_mut(line) {
                Some(count) => *count += 1,
                None => drop(self.0.insert(line.into(), 1)),
            }
        }
        Ok(())
    }
}
