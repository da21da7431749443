//! The statement that a scanner is reading.

use std::ops::Range;

use super::ScriptPart;
use super::statement_scan::StatementScan;

/// The unfinished statement.
pub(super) struct OpenStatement {
    /// End of the previous part, where the range of this statement starts.
    pub(super) at: usize,
    pub(super) start: usize,
    pub(super) holes: Vec<Range<usize>>,
    pub(super) scan: StatementScan,
}

impl OpenStatement {
    pub(super) fn new(at: usize) -> Self {
        Self { at, start: at, holes: Vec::new(), scan: StatementScan::default() }
    }

    /// Ends the statement at `end` and returns it.
    pub(super) fn close(&mut self, end: usize) -> ScriptPart {
        let Self { at, start, holes, scan } = std::mem::replace(self, Self::new(end));
        let holes = holes.into_iter().filter(|hole| hole.start < end).collect();
        ScriptPart::Statement { range: at..end, start, holes, copy_from_stdin: scan.is_copy_from_stdin() }
    }
}
