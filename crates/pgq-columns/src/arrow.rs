//! Rows as Arrow record batches, and as an Arrow IPC stream.

use std::collections::HashMap;
use std::io::Write;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{IpcWriteOptions, StreamWriter};
use arrow_schema::{ArrowError, Field, Schema, SchemaRef};

use crate::rechunk::Rechunker;
use crate::table::{Builders, Column, Row, data_type};
use crate::{Compression, SCHEMA_VERSION};

/// The Arrow schema of some columns. `metadata` is added to that of the file.
#[must_use]
pub fn schema(columns: &[Column], metadata: &[(&str, &str)]) -> SchemaRef {
    let field = |column: &Column| {
        let described = [("description", column.description()), ("unit", column.unit())];
        let described = described.into_iter().filter(|(_, text)| !text.is_empty());
        Field::new(column.name(), data_type(*column), true)
            .with_metadata(described.map(|(key, text)| (key.to_string(), text.to_string())).collect::<HashMap<_, _>>())
    };
    let fields: Vec<Field> = columns.iter().map(field).collect();
    let mut all: HashMap<String, String> =
        metadata.iter().map(|(key, text)| (format!("pgq.{key}"), (*text).to_string())).collect();
    all.insert("pgq.schema".to_string(), SCHEMA_VERSION.to_string());
    Arc::new(Schema::new_with_metadata(fields, all))
}

/// Some rows as a record batch, with the size of each.
#[derive(Debug)]
pub struct RowGroup {
    pub(crate) batch: RecordBatch,
    /// Bytes of the texts of each row.
    pub(crate) sizes: Vec<u32>,
}

impl RowGroup {
    /// Size in memory, in bytes.
    #[must_use]
    pub fn memory_size(&self) -> usize {
        self.batch.get_array_memory_size() + self.sizes.capacity() * size_of::<u32>()
    }
}

/// Builds record batches from rows.
pub struct RowBuilder {
    schema: SchemaRef,
    columns: Vec<Column>,
    builders: Builders,
    sizes: Vec<u32>,
}

impl RowBuilder {
    /// A builder of `columns`, whose schema is `schema`.
    #[must_use]
    pub fn new(columns: &[Column], schema: SchemaRef) -> Self {
        Self { schema, columns: columns.to_vec(), builders: Builders::new(columns), sizes: Vec::new() }
    }

    /// Appends a row.
    pub fn append(&mut self, row: &Row<'_>) {
        self.builders.append(row);
        let texts = [row.sql, row.normalized, row.error].into_iter().flatten().map(str::len);
        let lists = [row.params, row.tables, row.functions, row.filter_columns, row.ctes].into_iter().flatten();
        let size = texts.sum::<usize>() + lists.map(|list| list.size()).sum::<usize>();
        self.sizes.push(u32::try_from(size).unwrap_or(u32::MAX));
    }

    /// The rows so far; `None` if there are none.
    ///
    /// # Panics
    /// If texts of one column have more than 2 GiB.
    pub fn finish(&mut self) -> Option<RowGroup> {
        if self.sizes.is_empty() {
            return None;
        }
        let arrays = self.columns.iter().map(|column| self.builders.finish(*column)).collect();
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), arrays).expect("columns of the schema's types");
        Some(RowGroup { batch, sizes: std::mem::take(&mut self.sizes) })
    }
}

/// Writes an Arrow IPC stream.
pub struct ArrowWriter<W: Write> {
    writer: StreamWriter<W>,
    rechunker: Rechunker,
}

impl<W: Write> ArrowWriter<W> {
    /// A stream that begins with its schema.
    ///
    /// # Errors
    /// A failed write.
    pub fn new(out: W, schema: &SchemaRef, compression: Compression) -> Result<Self, ArrowError> {
        let codec = match compression {
            Compression::None => None,
            Compression::Zstd => Some(CompressionType::ZSTD),
        };
        let options = IpcWriteOptions::default().try_with_compression(codec)?;
        let writer = StreamWriter::try_new_with_options(out, schema, options)?;
        Ok(Self { writer, rechunker: Rechunker::default() })
    }

    /// Adds rows.
    ///
    /// # Errors
    /// A failed write.
    pub fn write(&mut self, rows: RowGroup) -> Result<(), ArrowError> {
        self.rechunker.push(rows);
        while let Some((batch, _)) = self.rechunker.next_full()? {
            self.writer.write(&batch)?;
        }
        Ok(())
    }

    /// Writes the rows that were held back until there are enough for a batch.
    ///
    /// # Errors
    /// A failed write.
    pub fn flush(&mut self) -> Result<(), ArrowError> {
        if let Some((batch, _)) = self.rechunker.take_rest()? {
            self.writer.write(&batch)?;
        }
        self.writer.flush()
    }

    /// Ends the stream. Returns what it was written to.
    ///
    /// # Errors
    /// A failed write.
    pub fn finish(mut self) -> Result<W, ArrowError> {
        self.flush()?;
        self.writer.finish()?;
        self.writer.into_inner()
    }
}
