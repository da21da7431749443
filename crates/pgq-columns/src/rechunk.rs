//! Divides rows into batches by number and size. The batches do not depend on how many rows each
//! `push` adds.

use std::collections::VecDeque;

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use arrow_select::concat::concat_batches;

use crate::row_group::RowGroup;

/// Maximum number of rows in a batch.
pub(crate) const BATCH_ROWS: usize = 8192;

/// Size limit of a batch's strings, in bytes. The row that reaches the limit is the last row of the batch.
const BATCH_BYTES: usize = 8 << 20;

/// Buffers rows until they fill a batch.
#[derive(Default)]
pub(crate) struct Rechunker {
    groups: VecDeque<RowGroup>,
    /// Number of rows that were already taken from the start of the first group in `groups`.
    taken: usize,
    /// Rows of the current, incomplete batch. They were taken from `groups`.
    parts: Vec<RecordBatch>,
    rows: usize,
    bytes: usize,
}

impl Rechunker {
    pub(crate) fn push(&mut self, rows: RowGroup) {
        self.groups.push_back(rows);
    }

    /// Returns the next full batch and the size of its strings, or `None` if there are not enough rows.
    pub(crate) fn next_full(&mut self) -> Result<Option<(RecordBatch, usize)>, ArrowError> {
        while let Some(group) = self.groups.front() {
            let start = self.taken;
            let mut end = start;
            let mut full = false;
            while !full && end < group.sizes.len() {
                self.rows += 1;
                self.bytes += group.sizes[end] as usize;
                end += 1;
                full = self.rows == BATCH_ROWS || self.bytes >= BATCH_BYTES;
            }
            self.parts.push(group.batch.slice(start, end - start));
            self.taken = end;
            if end == group.sizes.len() {
                self.groups.pop_front();
                self.taken = 0;
            }
            if full {
                return self.take_rest();
            }
        }
        Ok(None)
    }

    /// Returns the rows of the incomplete batch and the size of their strings, or `None` if there are no rows.
    pub(crate) fn take_rest(&mut self) -> Result<Option<(RecordBatch, usize)>, ArrowError> {
        let bytes = std::mem::take(&mut self.bytes);
        self.rows = 0;
        let parts = std::mem::take(&mut self.parts);
        let batch = match parts.as_slice() {
            [] => return Ok(None),
            [only] => only.clone(),
            [first, ..] => concat_batches(first.schema_ref(), &parts)?,
        };
        Ok(Some((batch, bytes)))
    }
}
