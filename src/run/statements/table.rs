//! Statements in a column of a table: each row is written again with the result in the place of the statement.

use std::ops::ControlFlow;
use std::sync::Arc;

use anyhow::{Result, bail};

use super::event::{ChunkReport, Event};
use super::handler::StatementHandler;
use super::options::RunOptions;
use super::processor::StatementProcessor;
use super::reporter::EventReporter;
use super::run::JobSink;
use crate::run::input::{InputFile, InputOptions, StatementBatch, TableFormat, TableReader, TableRow};
use crate::run::pipeline::Sink;
use crate::run::report::{DiagnosticStyle, Diagnostics, Output};

/// Rows whose results are written at once.
const ROWS: usize = 500;

/// A column of a table.
pub struct TableColumn<'a> {
    pub format: TableFormat,
    pub name: &'a str,
}

/// Writes the tables of `input` to `output` with results in a column: those of its statements, and nothing for
/// what is NULL or does not parse, which is an error as elsewhere.
///
/// # Errors
/// What ends the run: a table without that column, a row with more or fewer fields than the first, output that
/// cannot be written.
pub fn run_table<H: StatementHandler<Output = Vec<u8>> + Clone>(
    handler: &H,
    column: &TableColumn<'_>,
    input: &InputOptions,
    options: &RunOptions,
    mut output: Output,
    diagnostics: &Diagnostics,
) -> Result<()> {
    let mut processor = StatementProcessor::new(handler.clone(), options.clone());
    let mut sink = JobSink { ordered: &mut output, reporter: EventReporter::new(options.reports, diagnostics) };
    let mut header: Option<Vec<u8>> = None;
    for file in InputFile::from_paths(&input.files)? {
        let name: Arc<str> = file.name().into();
        let reader = file.read(input).and_then(|read| TableReader::new(read, column.format, input.max_statement_bytes));
        let mut reader = match reader {
            Ok(reader) => reader,
            Err(problem) => {
                let _ = sink.take(Event::Unreadable { file: name, problem: problem.to_string() })?;
                continue;
            }
        };
        let mut table = Table {
            file: &name,
            column,
            processor: &mut processor,
            row: TableRow::default(),
            style: diagnostics.style(),
        };
        let Some(place) = table.header(&mut reader, &mut header, &mut sink)? else { continue };
        if table.rows(&mut reader, place, &mut sink)?.is_break() {
            break;
        }
    }
    sink.finish()?;
    output.complete()
}

struct Table<'a, H> {
    file: &'a Arc<str>,
    column: &'a TableColumn<'a>,
    processor: &'a mut StatementProcessor<H>,
    row: TableRow,
    style: DiagnosticStyle,
}

impl<H: StatementHandler> Table<'_, H> {
    /// Reads the names of the columns, which are written once. Returns the place of the column; `None` for an
    /// empty file.
    fn header(
        &mut self,
        reader: &mut TableReader,
        header: &mut Option<Vec<u8>>,
        sink: &mut JobSink<'_, Vec<u8>>,
    ) -> Result<Option<usize>> {
        if !self.next(reader)? {
            return Ok(None);
        }
        let name = |index| self.column.format.decode(self.row.field(index)).unwrap_or_default();
        let names: Vec<String> =
            (0..self.row.len()).map(|index| String::from_utf8_lossy(&name(index)).into_owned()).collect();
        let Some(place) = names.iter().position(|name| name == self.column.name) else {
            bail!("{}: there is no column {:?}; there are {}", self.file, self.column.name, names.join(", "));
        };
        let mut line = Vec::new();
        self.row.with_field(place, self.row.field(place), &mut line);
        match header {
            None => self.write(header.insert(line).clone(), ChunkReport::new(self.style), sink).map(drop)?,
            Some(first) if first.trim_ascii_end() == line.trim_ascii_end() => {}
            Some(_) => bail!("{}: the columns are not those of the first table", self.file),
        }
        Ok(Some(place))
    }

    fn rows(
        &mut self,
        reader: &mut TableReader,
        place: usize,
        sink: &mut JobSink<'_, Vec<u8>>,
    ) -> Result<ControlFlow<()>> {
        let columns = self.row.len();
        loop {
            let (mut out, mut report, mut count) = (Vec::new(), ChunkReport::new(self.style), 0);
            while count < ROWS && !report.stop && self.next(reader)? {
                if self.row.len() != columns {
                    let (line, fields) = (self.row.start.line, self.row.len());
                    bail!("{}:{line}: the row has {fields} fields, the header {columns}", self.file);
                }
                let field = self.result(place, &mut report);
                self.row.with_field(place, &field, &mut out);
                count += 1;
            }
            let is_end = count == 0;
            if self.write(out, report, sink)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
            if is_end {
                return Ok(ControlFlow::Continue(()));
            }
        }
    }

    /// The result for the statement of the row, as a field.
    fn result(&mut self, place: usize, report: &mut ChunkReport) -> Vec<u8> {
        let format = self.column.format;
        let written = self.row.field(place);
        let Some(sql) = format.decode(written) else { return written.to_vec() };
        let batch = StatementBatch::from_field(self.file, &sql, self.row.start);
        let result = self.processor.process_alone(&batch, report);
        let mut field = Vec::new();
        match result.strip_suffix(b"\n").unwrap_or(&result) {
            // As NULL.
            b"" if format == TableFormat::Tsv => field.extend_from_slice(b"\\N"),
            b"" => {}
            result => format.encode(result, &mut field),
        }
        field
    }

    fn next(&mut self, reader: &mut TableReader) -> Result<bool> {
        reader.next_row(&mut self.row).map_err(|problem| anyhow::anyhow!("{}: {problem}", self.file))
    }

    fn write(&self, output: Vec<u8>, report: ChunkReport, sink: &mut JobSink<'_, Vec<u8>>) -> Result<ControlFlow<()>> {
        sink.take(Event::Output { file: Arc::clone(self.file), output, report })
    }
}
