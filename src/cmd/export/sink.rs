//! Writes the rows of all jobs to the output, in the order of the input.

use std::ops::ControlFlow;

use anyhow::Result;
#[cfg(feature = "columnar")]
use pgq_columns::{ArrowWriter, ParquetWriter};
use pgq_columns::{Delimiter, write_header};

use super::rows::{RowFormat, RowLayout, Rows};
use super::worker::ExportedChunk;
use crate::pipeline::Sink;
use crate::report::{Diagnostics, Output};
use crate::statements::{Event, EventReporter};

enum RowWriter {
    Text(Output),
    #[cfg(feature = "columnar")]
    Arrow(ArrowWriter<Output>),
    #[cfg(feature = "columnar")]
    Parquet(ParquetWriter<Output>),
    /// The output has been completed.
    Finished,
}

/// The sink of `pgq export`.
pub struct ExportSink<'a> {
    writer: RowWriter,
    reporter: EventReporter<'a>,
    diagnostics: &'a Diagnostics,
    /// The complete output.
    output: Option<Output>,
    /// The input goes on growing: rows are written as they come.
    #[cfg_attr(not(feature = "columnar"), expect(dead_code, reason = "text is always written as it comes"))]
    follow: bool,
    /// Times that are NULL because their zone is not known.
    times_without_zone: u64,
}

impl<'a> ExportSink<'a> {
    /// Writes the start of the output. `follow`: the input goes on growing. `reporter` prints the
    /// reports of events.
    ///
    /// # Errors
    /// A failed write.
    pub fn new(
        layout: &RowLayout,
        mut output: Output,
        follow: bool,
        reporter: EventReporter<'a>,
        diagnostics: &'a Diagnostics,
    ) -> Result<Self> {
        let writer = match layout.format {
            RowFormat::Json => RowWriter::Text(output),
            RowFormat::Csv | RowFormat::Tsv => {
                let delimiter = if layout.format == RowFormat::Csv { Delimiter::Comma } else { Delimiter::Tab };
                let mut header = Vec::new();
                write_header(&layout.columns, delimiter, &mut header);
                output.write_records(&header)?;
                RowWriter::Text(output)
            }
            #[cfg(not(feature = "columnar"))]
            RowFormat::Arrow | RowFormat::Parquet => unreachable!("not built in"),
            #[cfg(feature = "columnar")]
            RowFormat::Arrow => RowWriter::Arrow(ArrowWriter::new(output, &layout.schema(), layout.compression)?),
            #[cfg(feature = "columnar")]
            RowFormat::Parquet => RowWriter::Parquet(ParquetWriter::new(output, &layout.schema(), layout.compression)?),
        };
        Ok(Self { writer, reporter, diagnostics, output: None, follow, times_without_zone: 0 })
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
        match (&mut self.writer, chunk.rows) {
            (RowWriter::Text(output), Rows::Text(text)) => output.write_records(&text)?,
            #[cfg(feature = "columnar")]
            (RowWriter::Arrow(writer), Rows::Columns(Some(rows))) => writer.write(rows)?,
            #[cfg(feature = "columnar")]
            (RowWriter::Parquet(writer), Rows::Columns(Some(rows))) => writer.write(rows)?,
            _ => {}
        }
        Ok(flow)
    }

    fn flush(&mut self) -> Result<()> {
        match &mut self.writer {
            RowWriter::Text(output) => Ok(std::io::Write::flush(output)?),
            // Else batches would depend on how fast the input comes.
            #[cfg(feature = "columnar")]
            RowWriter::Arrow(writer) if self.follow => Ok(writer.flush()?),
            _ => Ok(()),
        }
    }

    fn finish(&mut self) -> Result<()> {
        self.reporter.finish();
        if self.times_without_zone > 0 {
            self.diagnostics.notice(&format!(
                "{} times are NULL, because the log does not tell their zone: name it with --timezone",
                self.times_without_zone
            ));
        }
        let mut output = match std::mem::replace(&mut self.writer, RowWriter::Finished) {
            RowWriter::Text(output) => output,
            #[cfg(feature = "columnar")]
            RowWriter::Arrow(writer) => writer.finish()?,
            #[cfg(feature = "columnar")]
            RowWriter::Parquet(writer) => writer.finish()?,
            RowWriter::Finished => return Ok(()),
        };
        std::io::Write::flush(&mut output)?;
        self.output = Some(output);
        Ok(())
    }
}
