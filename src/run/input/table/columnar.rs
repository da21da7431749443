//! Tables in Parquet and Arrow. A Parquet file on disk is read in parts. Parquet from a pipe is read into memory as a
//! whole. Arrow is always read into memory as a whole.

use std::fs::File;
use std::io::{self, Cursor};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, Field, Schema};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::LogicalType;
use parquet::file::reader::ChunkReader;
use pgq_log::{BeforeWait, ByteSource, FilePosition};

use super::values::{UTC_TIME, texts, values};
use super::{ChosenColumns, ColumnChoice, KeptColumns, TableFormat, TableRow, TableRows, invalid};
use crate::run::input::reader::Reader;

/// Maximum rows of a chunk.
const ROWS: usize = 500;

type Batches = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>;

/// Reads the rows of record batches.
pub struct ColumnarRows {
    batches: Batches,
    /// Remaining rows of the last batch.
    rest: Option<RecordBatch>,
    /// Name of the SQL column.
    name: String,
    /// Index of the SQL column in a batch.
    sql: usize,
    kept: KeptColumns,
    /// Names of all columns, if kept.
    names: Arc<[String]>,
    /// The schema of the batches. Kept columns have the names that they get in the output.
    schema: Arc<Schema>,
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
        // Compares the start of the file with the bytes of the reader. They differ if the file is compressed.
        let on_disk = || File::open(name).ok().filter(|file| reader.is_file() && begins_as(file, reader.bytes()));
        match (format, on_disk()) {
            (TableFormat::Parquet, Some(file)) => parquet(file, choice),
            (TableFormat::Parquet, None) => parquet(bytes::Bytes::from(read_all(reader, before_wait)?), choice),
            _ => arrow(read_all(reader, before_wait)?, choice),
        }
    }

    fn open(fields: &[Field], chosen: ChosenColumns, kept: KeptColumns, batches: Batches) -> (Self, Option<String>) {
        let name = fields[chosen.sql].name().clone();
        let (names, sql, fields) = match kept {
            // The batches have only the SQL column.
            KeptColumns::None => (Vec::new(), 0, vec![fields[chosen.sql].clone()]),
            _ => {
                let fields = fields.iter().zip(&chosen.kept).map(|(field, name)| field.clone().with_name(name));
                (chosen.kept.clone(), chosen.sql, fields.collect())
            }
        };
        let schema = Arc::new(Schema::new(fields));
        let rows = Self { batches, rest: None, name, sql, kept, names: names.into(), schema, row: 1 };
        (rows, chosen.notice)
    }

    /// Returns the next rows, or `None` at the end.
    ///
    /// # Errors
    /// Reading fails, or a value has no text.
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
        let columns = batch.slice(0, len).columns().to_vec();
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), columns).map_err(arrow_failed)?;
        let sql = texts(&self.name, batch.column(self.sql))?;
        let values = match self.kept {
            KeptColumns::Fixed | KeptColumns::Growing => values(&batch)?,
            KeptColumns::None | KeptColumns::Columnar => vec![Vec::new(); len],
        };
        let rows = sql.into_iter().zip(values).map(|(sql, values)| {
            let start = FilePosition { line: self.row, offset: self.row - 1, ..FilePosition::default() };
            self.row += 1;
            TableRow { start, sql, values }
        });
        let rows = rows.collect();
        let is_kept = self.kept != KeptColumns::None;
        Ok(Some(TableRows { names: Arc::clone(&self.names), rows, batch: is_kept.then_some(batch) }))
    }

    /// Returns the columns of a table without rows.
    pub fn no_rows(&self) -> TableRows {
        let batch = Some(RecordBatch::new_empty(Arc::clone(&self.schema)));
        TableRows { names: Arc::clone(&self.names), rows: Vec::new(), batch }
    }
}

fn arrow_failed(problem: ArrowError) -> io::Error {
    invalid(problem.to_string())
}

fn parquet(input: impl ChunkReader + 'static, choice: ColumnChoice<'_>) -> io::Result<(ColumnarRows, Option<String>)> {
    let failed = |problem: parquet::errors::ParquetError| invalid(problem.to_string());
    let builder = ParquetRecordBatchReaderBuilder::try_new(input).map_err(failed)?.with_batch_size(ROWS);
    let stored = builder.parquet_schema().root_schema().get_fields();
    let fields = builder.schema().fields().iter().zip(stored).map(|(field, stored)| {
        let is_utc = match stored.get_basic_info().logical_type_ref() {
            Some(LogicalType::Time(time)) => time.is_adjusted_to_u_t_c,
            _ => false,
        };
        let mut field = field.as_ref().clone();
        if is_utc {
            field.metadata_mut().insert(UTC_TIME.to_string(), "true".to_string());
        }
        field
    });
    let fields: Vec<Field> = fields.collect();
    let chosen = choose(&fields, choice)?;
    let builder = match choice.keeps() {
        true => builder,
        false => {
            let mask = ProjectionMask::roots(builder.parquet_schema(), [chosen.sql]);
            builder.with_projection(mask)
        }
    };
    Ok(ColumnarRows::open(&fields, chosen, choice.kept, Box::new(builder.build().map_err(failed)?)))
}

fn arrow(bytes: Vec<u8>, choice: ColumnChoice<'_>) -> io::Result<(ColumnarRows, Option<String>)> {
    let is_file = bytes.starts_with(b"ARROW1");
    let input = Cursor::new(bytes);
    let (batches, schema): (Batches, _) = if is_file {
        let reader = arrow_ipc::reader::FileReader::try_new(input, None).map_err(arrow_failed)?;
        let schema = reader.schema();
        (Box::new(reader), schema)
    } else {
        let reader = arrow_ipc::reader::StreamReader::try_new(input, None).map_err(arrow_failed)?;
        let schema = reader.schema();
        (Box::new(reader), schema)
    };
    let fields: Vec<Field> = schema.fields().iter().map(|field| field.as_ref().clone()).collect();
    let chosen = choose(&fields, choice)?;
    let sql = chosen.sql;
    let batches: Batches = match choice.keeps() {
        true => batches,
        false => Box::new(batches.map(move |batch| batch?.project(&[sql]))),
    };
    Ok(ColumnarRows::open(&fields, chosen, choice.kept, batches))
}

fn choose(fields: &[Field], choice: ColumnChoice<'_>) -> io::Result<ChosenColumns> {
    let names: Vec<String> = fields.iter().map(|field| field.name().clone()).collect();
    choice.choose(&names)
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
