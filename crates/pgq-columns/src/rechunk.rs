//! Cuts rows into batches by their number and size alone, so that what is written does not depend
//! on how the input was cut into chunks.

use std::collections::VecDeque;

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use arrow_select::concat::concat_batches;

use crate::row_group::RowGroup;

/// Most rows of a batch.
pub(crate) const BATCH_ROWS: usize = 8192;

/// A batch ends with the row that brings its texts to this many bytes.
const BATCH_BYTES: usize = 8 << 20;

/// Rows that wait for their batch to be full.
#[derive(Default)]
pub(crate) struct Rechunker {
    groups: VecDeque<RowGroup>,
    /// Rows of the first group that are in batches already.
    taken: usize,
    /// What the current batch has, of groups that were looked through.
    parts: Vec<RecordBatch>,
    rows: usize,
    bytes: usize,
}

impl Rechunker {
    pub(crate) fn push(&mut self, rows: RowGroup) {
        self.groups.push_back(rows);
    }

    /// The next full batch, and the bytes of its texts; `None` if there are not enough rows.
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

    /// The rows of the batch that is not full, and the bytes of their texts; `None` if there are
    /// none.
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
