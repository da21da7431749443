//! Results as table rows in CSV, TSV, Arrow or Parquet. A row starts with the columns of the input table or with the
//! position of the statement. The result and the error follow.

use std::io::Write;

use anyhow::{Result, bail};

use super::event::ChunkReport;
use super::job::OrderedOutput;
use super::options::AnswerFormat;
use crate::run::input::{Data, StatementBatch, Value, encode_csv, encode_tsv};
use crate::run::report::Output;

/// Columns for a statement's position.
const PLACE: [&str; 3] = ["file", "line", "offset"];

/// The answer for a statement: its result, or its error message. `Err(None)` means that the statement has neither, so
/// both columns of its row are NULL.
type Answer<'a> = Result<&'a [u8], Option<&'a str>>;

/// Writes the rows of a chunk, starting with the column names.
pub struct Answers {
    format: AnswerFormat,
    key: &'static str,
    keep: bool,
    columns: super::answer_columns::AnswerColumns,
}

impl Answers {
    /// Creates a writer. `key` is the name of the result column. If `keep` is true, the columns of input tables are
    /// copied to the output.
    pub fn new(format: AnswerFormat, key: &'static str, keep: bool) -> Self {
        Self { format, key, keep, columns: Default::default() }
    }

    /// Begins the rows of a chunk.
    pub fn begin(&mut self, data: &Data, out: &mut Vec<u8>) {
        match data {
            Data::Table(table) if self.keep => self.header(&table.names, out),
            _ => self.header(&[], out),
        }
    }

    fn header(&self, kept: &[String], out: &mut Vec<u8>) {
        if self.format.is_binary() {
            return;
        }
        for name in kept {
            self.field(name.as_bytes(), out);
        }
        if kept.is_empty() {
            PLACE.iter().for_each(|name| self.field(name.as_bytes(), out));
        }
        self.field(self.key.as_bytes(), out);
        self.field(b"error", out);
        end_line(out);
    }

    /// Adds the answer (the result or the error) for the statement at byte `offset` of the batch.
    pub fn add(&mut self, batch: &StatementBatch<'_>, offset: usize, answer: Answer<'_>, out: &mut Vec<u8>) {
        // Remove the delimiter after a result: a newline, or a NUL byte in `pgq split`.
        let answer = answer.map(|result| result.strip_suffix(b"\n").or(result.strip_suffix(b"\0")).unwrap_or(result));
        if self.format.is_binary() {
            return self.columns.add(batch, offset, answer, self.keep);
        }
        match batch.table.filter(|_| self.keep) {
            Some(record) => {
                for value in &record.row.values {
                    match value {
                        Value::Null => self.null(out),
                        Value::Text(text) => self.field(text, out),
                        Value::Json(json) => self.field(json.as_bytes(), out),
                    }
                }
            }
            None => {
                let position = batch.position(offset);
                self.field(batch.file.as_bytes(), out);
                self.field(position.line.to_string().as_bytes(), out);
                self.field(position.offset.to_string().as_bytes(), out);
            }
        }
        match answer {
            Ok(result) => self.field(result, out),
            Err(_) => self.null(out),
        }
        match answer {
            Err(Some(message)) => self.field(message.as_bytes(), out),
            _ => self.null(out),
        }
        end_line(out);
    }

    /// Ends the rows of a chunk.
    pub fn end(&mut self, data: &Data, out: &mut Vec<u8>) {
        if self.format.is_binary() {
            self.columns.end(data, self.key, self.keep, out);
        }
    }

    fn field(&self, value: &[u8], out: &mut Vec<u8>) {
        if self.format == AnswerFormat::Csv {
            encode_csv(value, out);
            out.push(b',');
        } else {
            encode_tsv(value, out);
            out.push(b'\t');
        }
    }

    fn null(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(if self.format == AnswerFormat::Csv { b"," } else { b"\\N\t" });
    }
}

/// Replaces the last delimiter by a line break.
fn end_line(out: &mut Vec<u8>) {
    out.pop();
    out.push(b'\n');
}

/// Joins the rows of all chunks into one table.
pub struct AnswerOutput {
    format: AnswerFormat,
    target: Target,
    /// The line of column names. `None` until this line is written.
    header: Option<Vec<u8>>,
}

#[expect(clippy::large_enum_variant, reason = "there is only one value per run")]
enum Target {
    Text(Output),
    Columns(super::answer_columns::ColumnOutput),
}

impl AnswerOutput {
    /// Writes the column names before the first row. This is possible only if the output table has no columns of the
    /// input. `key` is the name of the result column. If this function is not called, the first rows determine the
    /// columns.
    ///
    /// # Errors
    /// Writing fails.
    pub fn begin_with(&mut self, key: &'static str) -> Result<()> {
        match &mut self.target {
            Target::Text(output) => {
                let mut header = Vec::new();
                Answers::new(self.format, key, false).header(&[], &mut header);
                output.write_records(&header)?;
                self.header = Some(header);
                Ok(())
            }
            Target::Columns(output) => output.write(&super::answer_columns::no_rows(key)),
        }
    }

    pub fn new(format: AnswerFormat, output: Output) -> Self {
        let target = match format {
            AnswerFormat::Arrow | AnswerFormat::Parquet => {
                Target::Columns(super::answer_columns::ColumnOutput::new(format, output))
            }
            _ => Target::Text(output),
        };
        Self { format, target, header: None }
    }

    /// Completes the table and its output.
    ///
    /// # Errors
    /// Writing fails.
    pub fn complete(self) -> Result<()> {
        match self.target {
            Target::Text(mut output) => {
                Write::flush(&mut output)?;
                output.complete()
            }
            Target::Columns(output) => output.complete(),
        }
    }
}

impl OrderedOutput<Vec<u8>> for AnswerOutput {
    fn take(&mut self, rows: Vec<u8>, _: &ChunkReport) -> Result<()> {
        let output = match &mut self.target {
            Target::Text(output) => output,
            Target::Columns(output) => return output.write(&rows),
        };
        let Some(end) = memchr::memchr(b'\n', &rows) else { return Ok(()) };
        let (header, lines) = rows.split_at(end + 1);
        match &self.header {
            None => {
                output.write_records(&rows)?;
                self.header = Some(header.to_vec());
                Ok(())
            }
            Some(first) if first == header => output.write_records(lines),
            Some(_) => bail!("the columns of two inputs differ: process them one by one"),
        }
    }

    fn flush(&mut self) -> Result<()> {
        match &mut self.target {
            Target::Text(output) => Ok(Write::flush(output)?),
            Target::Columns(_) => Ok(()),
        }
    }

    fn prints_during_run(&self) -> bool {
        match &self.target {
            Target::Text(output) => output.is_stdout(),
            Target::Columns(_) => false,
        }
    }
}
