//! Rows as a Parquet file. The values are encoded here; the file around them is the crate parquet's.

mod dictionary;
mod encode;
mod group;
mod kinds;
mod packed;
mod page;
mod pages;

use std::io::Write;
use std::sync::Arc;

use arrow_schema::{DataType, SchemaRef};
use parquet::arrow::{ArrowSchemaConverter, add_encoded_arrow_schema_to_metadata};
use parquet::basic::{Compression as Codec, ZstdLevel};
use parquet::errors::Result;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;

use self::group::GroupColumn;
pub(crate) use self::kinds::PackedKind;
pub use self::packed::{PackedColumn, PackedRowBuilder, PackedRows};
use self::pages::PageCompressor;
use crate::Compression;

/// Most rows of a row group.
const GROUP_ROWS: usize = 122_880;

/// A row group ends with the row that brings its texts to this many bytes.
const GROUP_BYTES: usize = 32 << 20;

/// Writes a Parquet file. Its bytes depend on the rows alone.
pub struct ParquetWriter<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    compressor: PageCompressor,
    /// For each column, whether it has lists.
    lists: Vec<bool>,
    /// Those of the row group that is being written; none before the first row.
    columns: Vec<GroupColumn>,
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
        let mut properties = WriterProperties::builder().set_key_value_metadata(Some(metadata)).build();
        add_encoded_arrow_schema_to_metadata(schema, &mut properties);
        let columns = ArrowSchemaConverter::new().schema_root("arrow_schema").convert(schema)?;
        let writer = SerializedFileWriter::new(out, columns.root_schema_ptr(), Arc::new(properties))?;
        let lists = schema.fields().iter().map(|field| matches!(field.data_type(), DataType::List(_))).collect();
        let compressor = PageCompressor::new(codec)?;
        Ok(Self { writer, compressor, lists, columns: Vec::new(), rows: 0, bytes: 0 })
    }

    /// Adds rows.
    ///
    /// # Errors
    /// A failed write.
    pub fn write(&mut self, rows: &PackedRows) -> Result<()> {
        if self.columns.is_empty() {
            let descriptions = self.writer.schema_descr().columns();
            let columns = descriptions.iter().zip(&rows.columns).zip(&self.lists);
            self.columns = columns
                .map(|((description, column), is_list)| GroupColumn::new(Arc::clone(description), column, *is_list))
                .collect();
        }
        let mut start = 0;
        while start < rows.sizes.len() {
            let end = start + self.count_fitting(&rows.sizes[start..]);
            for (column, packed) in self.columns.iter_mut().zip(&rows.columns) {
                column.append(packed, start..end, &mut self.compressor)?;
            }
            if self.rows >= GROUP_ROWS || self.bytes >= GROUP_BYTES {
                self.finish_group()?;
            }
            start = end;
        }
        Ok(())
    }

    /// Counts rows, of the sizes that are given, to the end of the row group.
    fn count_fitting(&mut self, sizes: &[u32]) -> usize {
        let mut count = 0;
        for size in sizes {
            count += 1;
            self.rows += 1;
            self.bytes += *size as usize;
            if self.rows >= GROUP_ROWS || self.bytes >= GROUP_BYTES {
                break;
            }
        }
        count
    }

    fn finish_group(&mut self) -> Result<()> {
        let mut group = self.writer.next_row_group()?;
        for column in &mut self.columns {
            let (bytes, close) = column.finish(&mut self.compressor)?;
            group.append_column(&bytes, close)?;
        }
        group.close()?;
        (self.rows, self.bytes) = (0, 0);
        Ok(())
    }

    /// Ends the file. Returns what it was written to.
    ///
    /// # Errors
    /// A failed write.
    pub fn finish(mut self) -> Result<W> {
        if self.rows > 0 {
            self.finish_group()?;
        }
        self.writer.into_inner()
    }
}
