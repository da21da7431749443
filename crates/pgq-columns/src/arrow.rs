//! Writes rows as Arrow record batches and as an Arrow IPC stream.

use std::collections::HashMap;
use std::io::Write;
use std::sync::Arc;

use arrow_ipc::CompressionType;
use arrow_ipc::writer::{IpcWriteOptions, StreamWriter};
use arrow_schema::{ArrowError, Field, Schema, SchemaRef};

use crate::rechunk::Rechunker;
use crate::row_group::RowGroup;
use crate::{Compression, SCHEMA_VERSION, TableColumn};

/// Returns the Arrow schema of `columns`. Adds `metadata` to the schema's metadata.
#[must_use]
pub fn schema<C: TableColumn>(columns: &[C], metadata: &[(&str, &str)]) -> SchemaRef {
    let field = |column: &C| {
        let described = [("description", column.description()), ("unit", column.unit())];
        let described = described.into_iter().filter(|(_, text)| !text.is_empty());
        Field::new(column.name(), column.data_type(), true)
            .with_metadata(described.map(|(key, text)| (key.to_string(), text.to_string())).collect::<HashMap<_, _>>())
    };
    let fields: Vec<Field> = columns.iter().map(field).collect();
    let mut all: HashMap<String, String> =
        metadata.iter().map(|(key, text)| (format!("pgq.{key}"), (*text).to_string())).collect();
    all.insert("pgq.schema".to_string(), SCHEMA_VERSION.to_string());
    Arc::new(Schema::new_with_metadata(fields, all))
}

/// Writes an Arrow IPC stream.
pub struct ArrowWriter<W: Write> {
    writer: StreamWriter<W>,
    rechunker: Rechunker,
}

impl<W: Write> ArrowWriter<W> {
    /// Starts a stream with its schema.
    ///
    /// # Errors
    /// Returns an error if a write fails.
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
    /// Returns an error if a write fails.
    pub fn write(&mut self, rows: RowGroup) -> Result<(), ArrowError> {
        self.rechunker.push(rows);
        while let Some((batch, _)) = self.rechunker.next_full()? {
            self.writer.write(&batch)?;
        }
        Ok(())
    }

    /// Writes the buffered rows as a batch.
    ///
    /// # Errors
    /// Returns an error if a write fails.
    pub fn flush(&mut self) -> Result<(), ArrowError> {
        if let Some((batch, _)) = self.rechunker.take_rest()? {
            self.writer.write(&batch)?;
        }
        self.writer.flush()
    }

    /// Ends the stream. Returns the underlying writer.
    ///
    /// # Errors
    /// Returns an error if a write fails.
    pub fn finish(mut self) -> Result<W, ArrowError> {
        self.flush()?;
        self.writer.finish()?;
        self.writer.into_inner()
    }
}
