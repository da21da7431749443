//! Writes rows to the output in order of arrival.

use std::io::Write;

use anyhow::Result;
use pgq_columns::{ArrowWriter, ParquetWriter};
use pgq_columns::{Delimiter, TableColumn, write_header};

use super::{RowFormat, RowLayout, Rows};
use crate::run::report::output::Output;

/// Writer of rows.
pub struct RowWriter {
    target: Target,
    prints_during_run: bool,
}

#[expect(clippy::large_enum_variant, reason = "there is only one value per run")]
enum Target {
    Text(Output),
    Arrow(ArrowWriter<Output>),
    Parquet(Box<ParquetWriter<Output>>),
}

impl RowWriter {
    /// Writes the start of the output.
    ///
    /// # Errors
    /// Writing fails.
    pub fn new<C: TableColumn>(layout: &RowLayout<C>, mut output: Output) -> Result<Self> {
        // Parquet rows are readable only when the file is complete, so they do not count as printed during the run.
        let prints_during_run = output.is_stdout() && layout.format != RowFormat::Parquet;
        let target = match layout.format {
            RowFormat::Json => Target::Text(output),
            RowFormat::Csv | RowFormat::Tsv => {
                let delimiter = if layout.format == RowFormat::Csv { Delimiter::Comma } else { Delimiter::Tab };
                let mut header = Vec::new();
                write_header(&layout.columns, delimiter, &mut header);
                output.write_records(&header)?;
                Target::Text(output)
            }
            RowFormat::Arrow => Target::Arrow(ArrowWriter::new(output, &layout.schema(), layout.compression)?),
            RowFormat::Parquet => {
                Target::Parquet(Box::new(ParquetWriter::new(output, &layout.schema(), layout.compression)?))
            }
        };
        Ok(Self { target, prints_during_run })
    }

    /// Whether rows are written to standard output before [`Self::finish`].
    pub fn prints_during_run(&self) -> bool {
        self.prints_during_run
    }

    /// Writes rows.
    ///
    /// # Errors
    /// Writing fails.
    pub fn write(&mut self, rows: Rows) -> Result<()> {
        match (&mut self.target, rows) {
            (Target::Text(output), Rows::Text(text)) => output.write_records(&text),
            (Target::Arrow(writer), Rows::Columns(Some(rows))) => Ok(writer.write(rows)?),
            (Target::Parquet(writer), Rows::Columns(Some(rows))) => Ok(writer.write(rows)?),
            _ => Ok(()),
        }
    }

    /// Writes buffered rows if the format permits. In Arrow, this ends a batch, so it is done only if the input is a
    /// growing log (`follow`). For other inputs, batches must not depend on the timing of the run.
    ///
    /// # Errors
    /// Writing fails.
    pub fn flush(&mut self, follow: bool) -> Result<()> {
        match &mut self.target {
            Target::Text(output) => Ok(output.flush()?),
            Target::Arrow(writer) if follow => Ok(writer.flush()?),
            _ => Ok(()),
        }
    }

    /// Writes the end of the table. The caller must complete the returned output.
    ///
    /// # Errors
    /// Writing fails.
    pub fn finish(self) -> Result<Output> {
        let mut output = match self.target {
            Target::Text(output) => output,
            Target::Arrow(writer) => writer.finish()?,
            Target::Parquet(writer) => writer.finish()?,
        };
        output.flush()?;
        Ok(output)
    }
}
