//! Rows as Arrow record batches. Does not write them.

use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

use crate::table::{Builders, Column, Row};

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
        let size = self.builders.append(row);
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
