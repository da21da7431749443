//! Writes rows as a Parquet file. The parquet crate encodes the rows. This module divides them into row groups.

use std::io::Write;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression as Codec, ZstdLevel};
use parquet::errors::Result;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};

use crate::Compression;
use crate::rechunk::Rechunker;
use crate::row_group::RowGroup;

/// Maximum number of rows in a row group.
const GROUP_ROWS: usize = 122_880;

/// Size limit of a row group's strings, in bytes. The batch that reaches the limit is the last batch of the row group.
const GROUP_BYTES: usize = 32 << 20;

/// Writes a Parquet file. The same rows produce the same file, regardless of the number of `write`
/// calls.
pub struct ParquetWriter<W: Write + Send> {
    writer: ArrowWriter<W>,
    rechunker: Rechunker,
    /// Size of the strings in the current row group, in bytes.
    bytes: usize,
}

impl<W: Write + Send> ParquetWriter<W> {
    /// Starts a file with the schema's columns and metadata.
    ///
    /// # Errors
    /// Returns an error if a write fails.
    pub fn new(out: W, schema: &SchemaRef, compression: Compression) -> Result<Self> {
        let codec = match compression {
            Compression::None => Codec::UNCOMPRESSED,
            Compression::Zstd => Codec::ZSTD(ZstdLevel::try_new(1)?),
        };
        let mut metadata: Vec<_> =
            schema.metadata().iter().map(|(key, value)| KeyValue::new(key.clone(), value.clone())).collect();
        metadata.sort_by(|a, b| a.key.cmp(&b.key));
        let properties = WriterProperties::builder()
            .set_key_value_metadata(Some(metadata))
            .set_compression(codec)
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_max_row_group_row_count(Some(GROUP_ROWS))
            .build();
        let writer = ArrowWriter::try_new(out, schema.clone(), Some(properties))?;
        Ok(Self { writer, rechunker: Rechunker::default(), bytes: 0 })
    }

    /// Adds rows.
    ///
    /// # Errors
    /// Returns an error if a write fails.
    pub fn write(&mut self, rows: RowGroup) -> Result<()> {
        self.rechunker.push(rows);
        while let Some((batch, bytes)) = self.rechunker.next_full()? {
            self.write_batch(&batch, bytes)?;
        }
        Ok(())
    }

    fn write_batch(&mut self, batch: &RecordBatch, bytes: usize) -> Result<()> {
        self.writer.write(batch)?;
        self.bytes += bytes;
        if self.writer.in_progress_rows() == 0 {
            self.bytes = 0; // the row group is full
        } else if self.bytes >= GROUP_BYTES {
            self.writer.flush()?;
            self.bytes = 0;
        }
        Ok(())
    }

    /// Ends the file. Returns the underlying writer.
    ///
    /// # Errors
    /// Returns an error if a write fails.
    pub fn finish(mut self) -> Result<W> {
        if let Some((batch, bytes)) = self.rechunker.take_rest()? {
            self.write_batch(&batch, bytes)?;
        }
        self.writer.into_inner()
    }
}
