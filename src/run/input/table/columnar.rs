//! Tables in Parquet and Arrow. A Parquet file on disk is read in parts. Parquet from a pipe is read into memory as a
//! whole. Arrow is always read into memory as a whole.

use std::fs::File;
use std::io::{self, Cursor};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, DataType, Field, Schema, TimeUnit};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use parquet::basic::{ConvertedType, LogicalType, Type};
use parquet::file::reader::ChunkReader;
use parquet::schema::types::ColumnDescPtr;
use pgq_log::{BeforeWait, ByteSource, FilePosition};

use super::values::{UTC_TIME, texts, values};
use super::{ChosenColumns, ColumnChoice, KeptColumns, TableFormat, TableRow, TableRows, invalid};
use crate::run::input::options::STDIN_NAME;
use crate::run::input::panics::catch_panic;
use crate::run::input::reader::Reader;

/// Maximum rows of a chunk.
const ROWS: usize = 500;

type Batches = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>;

/// Reads the rows of record batches.
pub struct ColumnarRows {
    batches: Batches,
    /// Remaining rows of the most recently read batch.
    rest: Option<RecordBatch>,
    /// Name of the SQL column.
    name: String,
    /// Index of the SQL column in a batch.
    sql: usize,
    kept: KeptColumns,
    /// Names of all columns, if kept.
    names: Arc<[String]>,
    /// The schema of the batches. If columns are copied to the output, the schema has their output names.
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
        // Only an uncompressed file can be read in parts. `reader.bytes()` are the bytes after decompression. If the
        // file on disk starts with the same bytes, the file is uncompressed.
        let may_read_parts = format == TableFormat::Parquet && reader.is_file() && name != STDIN_NAME;
        let file = if may_read_parts { File::open(name).ok() } else { None };
        let file = file.filter(|file| begins_as(file, reader.bytes()));
        let bytes = if file.is_some() { Vec::new() } else { read_all(reader, before_wait)? };
        let open = || match (format, file) {
            (TableFormat::Parquet, Some(file)) => parquet(file, choice),
            (TableFormat::Parquet, None) => parquet(bytes::Bytes::from(bytes), choice),
            _ => arrow(bytes, choice),
        };
        catch_panic(open).unwrap_or_else(|| Err(damaged()))
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
    /// Reading fails, or a value cannot be converted to text.
    pub fn next(&mut self) -> io::Result<Option<TableRows>> {
        let next =
            |batches: &mut Batches| batches.find(|batch| !batch.as_ref().is_ok_and(|batch| batch.num_rows() == 0));
        let batch = match self.rest.take() {
            Some(rest) => rest,
            None => match catch_panic(|| next(&mut self.batches)).ok_or_else(damaged)? {
                Some(batch) => batch.map_err(arrow_failed)?,
                None => return Ok(None),
            },
        };
        let len = batch.num_rows().min(ROWS);
        if len < batch.num_rows() {
            self.rest = Some(batch.slice(len, batch.num_rows() - len));
        }
        let columns = batch.slice(0, len).columns().to_vec();
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), columns).map_err(arrow_failed)?;
        let sql = texts(&self.name, self.schema.field(self.sql), batch.column(self.sql))?;
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

    /// Returns a [`TableRows`] with the table's columns, but without rows.
    pub fn no_rows(&self) -> TableRows {
        let batch = Some(RecordBatch::new_empty(Arc::clone(&self.schema)));
        TableRows { names: Arc::clone(&self.names), rows: Vec::new(), batch }
    }
}

/// Returns the error for a panic in the crates parquet and arrow. They panic on some damaged files, because they do not
/// check all lengths and offsets of the file.
fn damaged() -> io::Error {
    invalid("the file is damaged".to_string())
}

fn arrow_failed(problem: ArrowError) -> io::Error {
    invalid(problem.to_string())
}

fn parquet(input: impl ChunkReader + 'static, choice: ColumnChoice<'_>) -> io::Result<(ColumnarRows, Option<String>)> {
    let failed = |problem: parquet::errors::ParquetError| invalid(problem.to_string());
    let metadata = ArrowReaderMetadata::load(&input, ArrowReaderOptions::new()).map_err(failed)?;
    let metadata = with_int96_in_microseconds(metadata, choice)?;
    let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(input, metadata).with_batch_size(ROWS);
    // Intervals cannot be copied to the output, because the Parquet reader would drop their months.
    let is_interval = |column: &&ColumnDescPtr| column.converted_type() == ConvertedType::INTERVAL;
    if let Some(column) = builder.parquet_schema().columns().iter().find(is_interval).filter(|_| choice.keeps()) {
        return Err(invalid(format!("the column {} has intervals: cast it to text in the table", column.path())));
    }
    let stored = builder.parquet_schema().root_schema().get_fields();
    let fields = builder.schema().fields().iter().zip(stored).map(|(field, stored)| {
        let mut field = field.as_ref().clone();
        if matches!(stored.get_basic_info().logical_type_ref(), Some(LogicalType::Time(time)) if time.is_adjusted_to_u_t_c) {
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

/// Sets the unit of times of the obsolete type INT96 to microseconds. The default unit is nanoseconds, with which years
/// outside of 1677 to 2262 would overflow.
fn with_int96_in_microseconds(
    metadata: ArrowReaderMetadata,
    choice: ColumnChoice<'_>,
) -> io::Result<ArrowReaderMetadata> {
    let stored = metadata.parquet_schema();
    let mut int96 = stored.columns().iter().filter(|column| column.physical_type() == Type::INT96).peekable();
    if int96.peek().is_none() {
        return Ok(metadata);
    }
    if let Some(column) = int96.find(|column| column.path().parts().len() > 1).filter(|_| choice.keeps()) {
        let why = "is in a list or struct and has times of the obsolete type INT96: cast it to timestamp in the table";
        return Err(invalid(format!("the column {} {why}", column.path())));
    }
    let fields =
        metadata.schema().fields().iter().zip(stored.root_schema().get_fields()).map(|(field, stored)| {
            match (stored.is_primitive() && stored.get_physical_type() == Type::INT96, field.data_type()) {
                (true, DataType::Timestamp(_, zone)) => {
                    let kind = DataType::Timestamp(TimeUnit::Microsecond, zone.clone());
                    Arc::new(field.as_ref().clone().with_data_type(kind))
                }
                _ => Arc::clone(field),
            }
        });
    let fields: Vec<_> = fields.collect();
    let schema = Schema::new_with_metadata(fields, metadata.schema().metadata().clone());
    let options = ArrowReaderOptions::new().with_schema(Arc::new(schema));
    ArrowReaderMetadata::try_new(Arc::clone(metadata.metadata()), options).map_err(|error| invalid(error.to_string()))
}

fn arrow(bytes: Vec<u8>, choice: ColumnChoice<'_>) -> io::Result<(ColumnarRows, Option<String>)> {
    /// The first and the last bytes of an Arrow file.
    const MAGIC: &[u8] = b"ARROW1";
    let is_file = bytes.starts_with(MAGIC);
    if is_file && !bytes.ends_with(MAGIC) {
        return Err(invalid("the Arrow file is cut short".to_string()));
    }
    let (schema, batches): (_, Batches) = if is_file {
        check_blocks(&bytes[..bytes.len() - MAGIC.len()]).ok_or_else(damaged)?;
        let batches = FileReader::try_new(Cursor::new(bytes), None).map_err(arrow_failed)?;
        (batches.schema(), Box::new(batches))
    } else {
        if !check_stream(&bytes).ok_or_else(damaged)?.is_empty() {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "other data follows the end of the Arrow stream"));
        }
        let batches = StreamReader::try_new(Cursor::new(bytes), None).map_err(arrow_failed)?;
        (batches.schema(), Box::new(batches))
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

/// Checks the lengths in an Arrow file. Returns `None` if a length is impossible. Without this check, a wrong length
/// could exhaust the memory, because the readers of the crate arrow-ipc allocate as many bytes as the file specifies.
///
/// `file` contains the bytes before the last magic number. It ends with a footer, which lists the blocks of the file,
/// and with the length of the footer.
fn check_blocks(file: &[u8]) -> Option<()> {
    let (rest, len) = file.split_last_chunk()?;
    let start = rest.len().checked_sub(usize::try_from(i32::from_le_bytes(*len)).ok()?)?;
    let footer = arrow_ipc::root_as_footer(&rest[start..]).ok()?;
    let dictionaries = footer.dictionaries().into_iter().flatten();
    for block in footer.recordBatches().into_iter().flatten().chain(dictionaries) {
        let [offset, body] = [block.offset(), block.bodyLength()].map(|number| usize::try_from(number).ok());
        let (message, rest) = file.get(offset?..)?.split_at_checked(usize::try_from(block.metaDataLength()).ok()?)?;
        let message = message.strip_prefix(&NEW_MESSAGE).unwrap_or(message).get(4..)?;
        check_message(arrow_ipc::root_as_message(message).ok()?, rest.get(..body?)?)?;
    }
    Some(())
}

/// The marker before the length of a message. Writers before 2019 omit it.
const NEW_MESSAGE: [u8; 4] = [0xFF; 4];

/// Checks the lengths in an Arrow stream. Returns the bytes after the stream, or `None` if a length is impossible.
fn check_stream(mut stream: &[u8]) -> Option<&[u8]> {
    while !stream.is_empty() {
        let (len, rest) = stream.strip_prefix(&NEW_MESSAGE).unwrap_or(stream).split_first_chunk()?;
        let len = usize::try_from(i32::from_le_bytes(*len)).ok()?;
        if len == 0 {
            return Some(rest);
        }
        let (message, rest) = rest.split_at_checked(len)?;
        let message = arrow_ipc::root_as_message(message).ok()?;
        let (body, rest) = rest.split_at_checked(usize::try_from(message.bodyLength()).ok()?)?;
        check_message(message, body)?;
        stream = rest;
    }
    Some(stream)
}

/// Checks the lengths of the decompressed buffers of a message.
fn check_message(message: arrow_ipc::Message<'_>, body: &[u8]) -> Option<()> {
    /// Maximum bytes of a decompressed buffer.
    const MAX_DECOMPRESSED: i64 = 4 << 30;
    let dictionary = message.header_as_dictionary_batch().and_then(|dictionary| dictionary.data());
    let batch = message.header_as_record_batch().or(dictionary);
    if let Some(batch) = batch.filter(|batch| batch.compression().is_some()) {
        for buffer in batch.buffers()?.iter().filter(|buffer| buffer.length() > 0) {
            // In a compressed buffer, the length of the decompressed bytes precedes the compressed bytes.
            let bytes = body.get(usize::try_from(buffer.offset()).ok()?..)?;
            (i64::from_le_bytes(bytes.first_chunk().copied()?) <= MAX_DECOMPRESSED).then_some(())?;
        }
    }
    Some(())
}

fn choose(fields: &[Field], choice: ColumnChoice<'_>) -> io::Result<ChosenColumns> {
    let names: Vec<String> = fields.iter().map(|field| field.name().clone()).collect();
    choice.choose(&names)
}

/// Whether a file begins with the first bytes of `start`. If so, rewinds the file.
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
