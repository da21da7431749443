//! Rows as a Parquet file. The encoding is the crate parquet's; here is only which rows share a row group.

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

/// Maximum number of rows of a row group.
const GROUP_ROWS: usize = 122_880;

/// A row group ends with the batch that brings its strings to this many bytes.
const GROUP_BYTES: usize = 32 << 20;

/// Writes a Parquet file. Its bytes depend on the rows alone, not on how they were divided among calls.
pub struct ParquetWriter<W: Write + Send> {
    writer: ArrowWriter<W>,
    rechunker: Rechunker,
    /// Bytes of strings in the row group that is being written.
    bytes: usize,
}

impl<W: Write + Send> ParquetWriter<W> {
    /// Starts a file with the schema's columns and metadata.
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
    /// A failed write.
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
            self.bytes = 0; // the row group became full
        } else if self.bytes >= GROUP_BYTES {
            self.writer.flush()?;
            self.bytes = 0;
        }
        Ok(())
    }

    /// Ends the file. Returns what it was written to.
    ///
    /// # Errors
    /// A failed write.
    pub fn finish(mut self) -> Result<W> {
        if let Some((batch, bytes)) = self.rechunker.take_rest()? {
            self.write_batch(&batch, bytes)?;
        }
        self.writer.into_inner()
    }
}
