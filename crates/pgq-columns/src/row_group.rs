//! Builds Arrow record batches from rows.

use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

use crate::TableColumn;
use crate::table::RowBuilders;

/// A record batch with the size of each row.
#[derive(Debug)]
pub struct RowGroup {
    pub(crate) batch: RecordBatch,
    /// Size of each row's strings, in bytes.
    pub(crate) sizes: Vec<u32>,
}

impl RowGroup {
    /// Returns the record batch.
    #[must_use]
    pub fn into_batch(self) -> RecordBatch {
        self.batch
    }

    /// Returns the memory usage in bytes.
    #[must_use]
    pub fn memory_size(&self) -> usize {
        self.batch.get_array_memory_size() + self.sizes.capacity() * size_of::<u32>()
    }
}

/// Builds record batches from rows.
pub struct RowBuilder<C: TableColumn> {
    schema: SchemaRef,
    columns: Vec<C>,
    builders: C::Builders,
    sizes: Vec<u32>,
}

impl<C: TableColumn> RowBuilder<C> {
    /// Creates a builder for `columns`. `schema` is the Arrow schema of these columns.
    #[must_use]
    pub fn new(columns: &[C], schema: SchemaRef) -> Self {
        Self { schema, columns: columns.to_vec(), builders: C::Builders::new(columns), sizes: Vec::new() }
    }

    /// Appends a row.
    pub fn append(&mut self, row: &C::Row<'_>) {
        let size = self.builders.append(row);
        self.sizes.push(u32::try_from(size).unwrap_or(u32::MAX));
    }

    /// Returns the number of rows so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sizes.len()
    }

    /// Returns whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }

    /// Returns the appended rows as a group, or `None` if there are no rows. Empties the builder.
    ///
    /// # Panics
    /// Panics if the strings of one column exceed 2 GiB.
    pub fn finish(&mut self) -> Option<RowGroup> {
        if self.sizes.is_empty() {
            return None;
        }
        let arrays = self.columns.iter().map(|column| self.builders.finish(*column)).collect();
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), arrays).expect("columns of the schema's types");
        Some(RowGroup { batch, sizes: std::mem::take(&mut self.sizes) })
    }
}
