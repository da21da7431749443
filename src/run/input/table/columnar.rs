//! Tables in Parquet and Arrow. A Parquet file on disk is read from disk. Parquet from a pipe, and Arrow, are read into
//! memory.

use std::fs::File;
use std::io::{self, Cursor};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::{ArrowError, DataType, Schema};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::reader::ChunkReader;
use pgq_log::{BeforeWait, ByteSource, FilePosition};

use super::{ColumnChoice, TableFormat, TableRow, TableRows, Value, invalid};
use crate::run::input::reader::Reader;

/// Maximum rows of a chunk.
const ROWS: usize = 500;

type Batches = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>;

/// Reads the rows of record batches.
pub struct ColumnarRows {
    batches: Batches,
    /// Remaining rows of the last batch.
    rest: Option<RecordBatch>,
    names: Arc<[String]>,
    /// Index of the SQL column in a batch.
    sql: usize,
    keep: bool,
    /// Number of the next row, counted from 1.
    row: u64,
}

impl ColumnarRows {
    /// Reads the schema.
    ///
    /// # Errors
    /// Reading fails, the format is wrong, or the SQL column is missing.
    pub fn new(
        name: &str,
        format: TableFormat,
        reader: &mut Reader,
        choice: ColumnChoice<'_>,
        before_wait: BeforeWait<'_>,
    ) -> io::Result<(Self, Option<String>)> {
        // Compares the file's start with the reader's bytes. They differ if the whole file is compressed.
        let on_disk = || File::open(name).ok().filter(|file| reader.is_file() && begins_as(file, reader.bytes()));
        let (batches, schema, sql, notice) = match (format, on_disk()) {
            (TableFormat::Parquet, Some(file)) => parquet(file, choice)?,
            (TableFormat::Parquet, None) => parquet(bytes::Bytes::from(read_all(reader, before_wait)?), choice)?,
            _ => arrow(read_all(reader, before_wait)?, choice)?,
        };
        let names = match choice.keep {
            true => schema.fields().iter().map(|field| field.name().clone()).collect(),
            false => Arc::default(),
        };
        Ok((Self { batches, rest: None, names, sql, keep: choice.keep, row: 1 }, notice))
    }

    /// Returns the next rows, or `None` at the end.
    ///
    /// # Errors
    /// Reading fails.
    pub fn next(&mut self) -> io::Result<Option<TableRows>> {
        let batch = loop {
            match self.rest.take().map_or_else(|| self.batches.next().transpose(), |rest| Ok(Some(rest))) {
                Ok(Some(batch)) if batch.num_rows() == 0 => {}
                Ok(Some(batch)) => break batch,
                Ok(None) => return Ok(None),
                Err(problem) => return Err(invalid(problem.to_string())),
            }
        };
        let len = batch.num_rows().min(ROWS);
        if len < batch.num_rows() {
            self.rest = Some(batch.slice(len, batch.num_rows() - len));
        }
        let batch = batch.slice(0, len);
        let sql = texts(batch.column(self.sql))?;
        let values = if self.keep { values(&batch)? } else { vec![Vec::new(); len] };
        let rows = sql.into_iter().zip(values).map(|(sql, values)| {
            let start = FilePosition { line: self.row, offset: self.row - 1, ..FilePosition::default() };
            self.row += 1;
            TableRow { start, sql, values }
        });
        let rows = rows.collect();
        Ok(Some(TableRows { names: Arc::clone(&self.names), rows, batch: self.keep.then_some(batch) }))
    }
}

/// An opened table: batches, schema, index of the SQL column, and a notice about that column.
type Opened = (Batches, Arc<Schema>, usize, Option<String>);

fn parquet(input: impl ChunkReader + 'static, choice: ColumnChoice<'_>) -> io::Result<Opened> {
    let failed = |problem: parquet::errors::ParquetError| invalid(problem.to_string());
    let builder = ParquetRecordBatchReaderBuilder::try_new(input).map_err(failed)?.with_batch_size(ROWS);
    let schema = Arc::clone(builder.schema());
    let (sql, notice) = find(&schema, choice)?;
    if choice.keep {
        return Ok((Box::new(builder.build().map_err(failed)?), schema, sql, notice));
    }
    // Decodes only the SQL column.
    let mask = ProjectionMask::roots(builder.parquet_schema(), [sql]);
    Ok((Box::new(builder.with_projection(mask).build().map_err(failed)?), schema, 0, notice))
}

fn arrow(bytes: Vec<u8>, choice: ColumnChoice<'_>) -> io::Result<Opened> {
    let failed = |problem: ArrowError| invalid(problem.to_string());
    let is_file = bytes.starts_with(b"ARROW1");
    let input = Cursor::new(bytes);
    let (batches, schema): (Batches, _) = if is_file {
        let reader = arrow_ipc::reader::FileReader::try_new(input, None).map_err(failed)?;
        let schema = reader.schema();
        (Box::new(reader), schema)
    } else {
        let reader = arrow_ipc::reader::StreamReader::try_new(input, None).map_err(failed)?;
        let schema = reader.schema();
        (Box::new(reader), schema)
    };
    let (sql, notice) = find(&schema, choice)?;
    Ok((batches, schema, sql, notice))
}

fn find(schema: &Schema, choice: ColumnChoice<'_>) -> io::Result<(usize, Option<String>)> {
    let names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
    choice.find(&names)
}

/// Returns the values of a column as text.
fn texts(column: &dyn Array) -> io::Result<Vec<Option<Vec<u8>>>> {
    let cast = arrow_cast::cast(column, &DataType::Utf8).map_err(|problem| invalid(problem.to_string()))?;
    Ok(cast.as_string::<i32>().iter().map(|text| text.map(|text| text.as_bytes().to_vec())).collect())
}

/// Returns the values of all columns for each row.
fn values(batch: &RecordBatch) -> io::Result<Vec<Vec<Value>>> {
    let failed = |problem: ArrowError| invalid(problem.to_string());
    let options = FormatOptions::default();
    let mut rows: Vec<Vec<Value>> = vec![Vec::with_capacity(batch.num_columns()); batch.num_rows()];
    for column in batch.columns() {
        let formatter = ArrayFormatter::try_new(column, &options).map_err(failed)?;
        let is_json = matches!(column.data_type(), DataType::Boolean) || column.data_type().is_numeric();
        for (index, row) in rows.iter_mut().enumerate() {
            let text = || formatter.value(index).to_string();
            row.push(match column.is_null(index) {
                true => Value::Null,
                // NaN and infinity become text, because JSON has no such numbers.
                false if is_json => match text() {
                    text if text.ends_with(|c: char| c.is_ascii_digit() || "es".contains(c)) => Value::Json(text),
                    text => Value::Text(text.into()),
                },
                false => Value::Text(text().into()),
            });
        }
    }
    Ok(rows)
}

/// Whether a file begins with these bytes.
fn begins_as(mut file: &File, start: &[u8]) -> bool {
    use std::io::{Read, Seek};
    let mut read = vec![0; start.len().min(1024)];
    let found = file.read_exact(&mut read).is_ok() && start.starts_with(&read);
    found && file.rewind().is_ok()
}

fn read_all(reader: &mut Reader, before_wait: BeforeWait<'_>) -> io::Result<Vec<u8>> {
    while !reader.is_complete() {
        reader.fill(before_wait)?;
    }
    Ok(reader.take(reader.bytes().len()))
}
