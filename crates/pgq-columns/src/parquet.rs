//! Rows as a Parquet file.

use std::io::Write;
use std::sync::Arc;

use arrow_schema::{DataType, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression as Codec, ZstdLevel};
use parquet::errors::Result;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

use crate::Compression;
use crate::rechunk::Rechunker;
use crate::row_group::RowGroup;

/// Most rows of a row group.
const GROUP_ROWS: usize = 122_880;

/// A row group ends with the batch that brings its texts to this many bytes.
const GROUP_BYTES: usize = 32 << 20;

/// The column of whole statements. They differ from each other, so that a dictionary only costs time,
/// and nobody asks for the smallest.
const SQL: &str = "sql";

/// Whether values repeat: names and normalized texts do, times and numbers do not.
fn is_text(kind: &DataType) -> bool {
    matches!(kind, DataType::Utf8 | DataType::List(_))
}

/// Writes a Parquet file. Its bytes depend on the rows alone.
pub struct ParquetWriter<W: Write + Send> {
    writer: ArrowWriter<W>,
    rechunker: Rechunker,
    rows: usize,
    bytes: usize,
}

impl<W: Write + Send> ParquetWriter<W> {
    /// A file with the schema's columns and metadata.
    ///
    /// # Errors
    /// A failed write.
    pub fn new(out: W, schema: &SchemaRef, compression: Compression) -> Result<Self> {
        let codec = match compression {
            Compression::None => Codec::UNCOMPRESSED,
            Compression::Zstd => Codec::ZSTD(ZstdLevel::try_new(1)?),
        };
        let mut metadata: Vec<_> =
            schema.metadata().iter().map(|(key, value)| KeyValue::new(key.clone(), value.clone())).collect();
        metadata.sort_by(|a, b| a.key.cmp(&b.key));
        let mut properties = WriterProperties::builder()
            .set_compression(codec)
            .set_max_row_group_row_count(Some(GROUP_ROWS))
            .set_key_value_metadata(Some(metadata))
            .set_statistics_enabled(EnabledStatistics::Chunk);
        for field in schema.fields() {
            let column = ColumnPath::from(field.name().as_str());
            if field.name() == SQL {
                properties = properties.set_column_statistics_enabled(column.clone(), EnabledStatistics::None);
            }
            if field.name() == SQL || !is_text(field.data_type()) {
                properties = properties.set_column_dictionary_enabled(column, false);
            }
        }
        let properties = properties.build();
        let writer = ArrowWriter::try_new(out, Arc::clone(schema), Some(properties))?;
        Ok(Self { writer, rechunker: Rechunker::default(), rows: 0, bytes: 0 })
    }

    /// Adds rows.
    ///
    /// # Errors
    /// A failed write.
    pub fn write(&mut self, rows: RowGroup) -> Result<()> {
        self.rechunker.push(rows);
        while let Some((batch, bytes)) = self.rechunker.next_full()? {
            self.writer.write(&batch)?;
            self.rows += batch.num_rows();
            self.bytes += bytes;
            if self.rows >= GROUP_ROWS || self.bytes >= GROUP_BYTES {
                self.writer.flush()?;
                (self.rows, self.bytes) = (0, 0);
            }
        }
        Ok(())
    }

    /// Ends the file. Returns what it was written to.
    ///
    /// # Errors
    /// A failed write.
    pub fn finish(mut self) -> Result<W> {
        if let Some((batch, _)) = self.rechunker.take_rest()? {
            self.writer.write(&batch)?;
        }
        self.writer.into_inner()
    }
}
