//! Results as an Arrow stream or a Parquet file. A job (a thread of the pipeline) converts each chunk to an Arrow
//! stream. The output writes the batches of these streams in order. Columns that are copied from Parquet or Arrow input
//! keep their types. All other columns are text.

use std::sync::Arc;

use anyhow::{Result, bail};
use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{DataType, Field, IntervalUnit, Schema, TimeUnit};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

use super::options::AnswerFormat;
use crate::run::input::{Data, StatementBatch, TableRows, Value};
use crate::run::report::Output;

/// Rows of a chunk, stored by column.
#[derive(Default)]
pub struct AnswerColumns {
    files: Vec<String>,
    lines: Vec<i64>,
    offsets: Vec<i64>,
    results: Vec<Option<String>>,
    errors: Vec<Option<String>>,
}

impl AnswerColumns {
    /// Adds a row with the statement's position and its answer. The answer is the result or the error. If `keep` is
    /// true and the statement is from an input table, the row has the columns of the table instead of the position.
    /// `offset` is the byte offset of the statement in the batch.
    pub fn add(&mut self, batch: &StatementBatch<'_>, offset: usize, answer: Result<&[u8], Option<&str>>, keep: bool) {
        if !(keep && batch.table.is_some()) {
            let position = batch.position(offset);
            self.files.push(batch.file.to_string());
            self.lines.push(position.line.try_into().unwrap_or(i64::MAX));
            self.offsets.push(position.offset.try_into().unwrap_or(i64::MAX));
        }
        self.results.push(answer.ok().map(|result| String::from_utf8_lossy(result).into_owned()));
        self.errors.push(answer.err().flatten().map(str::to_string));
    }

    /// Appends the collected rows to `out` as an Arrow stream. Afterwards there are no collected rows.
    pub fn end(&mut self, data: &Data, key: &'static str, keep: bool, out: &mut Vec<u8>) {
        let Self { files, lines, offsets, results, errors } = std::mem::take(self);
        let mut columns: Vec<(Field, ArrayRef)> = Vec::new();
        match data {
            Data::Table(table) if keep => kept_columns(table, results.len(), &mut columns),
            _ if results.is_empty() => return,
            _ => place_columns(files, lines, offsets, &mut columns),
        }
        columns.extend([text_column(key, results), text_column("error", errors)]);
        write_stream(columns, out);
    }
}

/// Returns a stream that has no rows. Its columns are the position, the result and the error.
pub fn no_rows(key: &'static str) -> Vec<u8> {
    let (mut columns, mut out) = (Vec::new(), Vec::new());
    place_columns(Vec::new(), Vec::new(), Vec::new(), &mut columns);
    columns.extend([text_column(key, Vec::new()), text_column("error", Vec::new())]);
    write_stream(columns, &mut out);
    out
}

fn place_columns(files: Vec<String>, lines: Vec<i64>, offsets: Vec<i64>, columns: &mut Vec<(Field, ArrayRef)>) {
    let int = |name: &str, values: Vec<i64>| {
        let array: ArrayRef = Arc::new(Int64Array::from(values));
        (Field::new(name, DataType::Int64, true), array)
    };
    columns.push(text_column("file", files.into_iter().map(Some).collect()));
    columns.extend([int("line", lines), int("offset", offsets)]);
}

/// Appends an Arrow stream with the columns of a table and the columns of `added`. Row N of `added` belongs to row N of
/// the table. If the table has more rows than `added`, the last rows of the table are omitted.
pub fn join_columns(table: &TableRows, added: &RecordBatch, out: &mut Vec<u8>) {
    let mut columns = Vec::new();
    kept_columns(table, added.num_rows(), &mut columns);
    columns.extend(named_columns(added));
    write_stream(columns, out);
}

fn named_columns(batch: &RecordBatch) -> Vec<(Field, ArrayRef)> {
    let schema = batch.schema();
    schema.fields().iter().map(|field| field.as_ref().clone()).zip(batch.columns().iter().cloned()).collect()
}

/// Appends the columns of a table. Each column has only the first `rows` rows.
fn kept_columns(table: &TableRows, rows: usize, columns: &mut Vec<(Field, ArrayRef)>) {
    if let Some(batch) = &table.batch {
        return columns.extend(named_columns(&batch.slice(0, rows)));
    }
    for (index, name) in table.names.iter().enumerate() {
        let values = table.rows.iter().take(rows).map(|row| match &row.values[index] {
            Value::Null => None,
            Value::Text(text) => Some(String::from_utf8_lossy(text).into_owned()),
            Value::Json(json) => Some(json.clone()),
        });
        columns.push(text_column(name, values.collect()));
    }
}

/// Appends columns as an Arrow stream.
fn write_stream(columns: Vec<(Field, ArrayRef)>, out: &mut Vec<u8>) {
    let (fields, arrays): (Vec<Field>, Vec<ArrayRef>) = columns.into_iter().unzip();
    let schema = Arc::new(Schema::new(fields));
    let batch = RecordBatch::try_new(Arc::clone(&schema), arrays).expect("columns of one length");
    let mut writer = StreamWriter::try_new(out, &schema).expect("memory takes all that is written");
    writer.write(&batch).and_then(|()| writer.finish()).expect("memory takes all that is written");
}

fn text_column(name: &str, values: Vec<Option<String>>) -> (Field, ArrayRef) {
    (Field::new(name, DataType::Utf8, true), Arc::new(StringArray::from(values)))
}

/// Joins the Arrow streams of all chunks into one Arrow stream or Parquet file.
pub struct ColumnOutput {
    format: AnswerFormat,
    /// `None` while the writer owns the output.
    output: Option<Output>,
    writer: Option<(Arc<Schema>, BatchWriter)>,
}

enum BatchWriter {
    Arrow(StreamWriter<Output>),
    Parquet(ArrowWriter<Output>),
}

impl ColumnOutput {
    pub fn new(format: AnswerFormat, output: Output) -> Self {
        Self { format, output: Some(output), writer: None }
    }

    /// Writes the rows of a stream.
    ///
    /// # Errors
    /// Writing fails, or the columns differ from those of earlier streams.
    pub fn write(&mut self, stream: &[u8]) -> Result<()> {
        if stream.is_empty() {
            return Ok(());
        }
        let reader = StreamReader::try_new(stream, None)?;
        let schema = reader.schema();
        if let Some(output) = self.output.take() {
            self.writer = Some((Arc::clone(&schema), BatchWriter::new(self.format, output, &schema)?));
        }
        let Some((first, writer)) = &mut self.writer else { return Ok(()) };
        if *first != schema {
            bail!("the columns of two inputs differ: process them one by one");
        }
        for batch in reader {
            match writer {
                BatchWriter::Arrow(writer) => writer.write(&batch?)?,
                BatchWriter::Parquet(writer) => writer.write(&batch?)?,
            }
        }
        Ok(())
    }

    /// Completes the output.
    ///
    /// # Errors
    /// Writing fails, or the input has no columns.
    pub fn complete(self) -> Result<()> {
        let mut output = match self.writer {
            None => bail!("the input has no columns, but {} needs some", self.format.name()),
            Some((_, BatchWriter::Arrow(writer))) => writer.into_inner()?,
            Some((_, BatchWriter::Parquet(writer))) => writer.into_inner()?,
        };
        std::io::Write::flush(&mut output)?;
        output.complete()
    }
}

impl BatchWriter {
    fn new(format: AnswerFormat, output: Output, schema: &Arc<Schema>) -> Result<Self> {
        if format == AnswerFormat::Arrow {
            return Ok(Self::Arrow(StreamWriter::try_new(output, schema)?));
        }
        if let Some(field) =
            schema.flattened_fields().into_iter().find(|field| is_absent_from_parquet(field.data_type()))
        {
            let (name, data_type) = (field.name(), field.data_type());
            bail!("Parquet has no type for the column {name} of the type {data_type}: write Arrow (--format arrow)");
        }
        let compression = Compression::ZSTD(ZstdLevel::default());
        // Without coerced types, the writer would store a Date64 as a number and not as a date.
        let properties = WriterProperties::builder().set_compression(compression).set_coerce_types(true).build();
        Ok(Self::Parquet(ArrowWriter::try_new(output, Arc::clone(schema), Some(properties))?))
    }
}

/// Returns whether Parquet lacks a data type. If a column had such a type, the Parquet writer would panic, fail, or
/// store plain integers.
fn is_absent_from_parquet(data_type: &DataType) -> bool {
    use DataType::*;
    match data_type {
        Timestamp(TimeUnit::Second, _) | Time32(TimeUnit::Second) | Duration(_) => true,
        Union(..) | Interval(IntervalUnit::MonthDayNano) | FixedSizeBinary(0) => true,
        Decimal32(_, ..0) | Decimal64(_, ..0) | Decimal128(_, ..0) | Decimal256(_, ..0) => true,
        Struct(fields) => fields.is_empty(),
        Dictionary(_, values) => is_absent_from_parquet(values),
        _ => false,
    }
}
