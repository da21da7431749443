//! Batches of whole statements, with their positions in the file.

use std::cell::Cell;
use std::ops::Range;

use pgq_log::{Entry, FilePosition};

use super::table::TableRow;

/// The unit for which a command has one result: a statement or a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Granularity {
    /// One statement.
    Statement,
    /// A record of the input, such as a line, a log entry or a table row. It contains any number of
    /// statements.
    Record,
}

/// A row of a table, and the column names.
#[derive(Clone, Copy)]
pub struct TableRecord<'a> {
    pub names: &'a [String],
    pub row: &'a TableRow,
}

/// Consecutive statements of a file. Their bytes are borrowed from a chunk.
pub struct StatementBatch<'a> {
    pub file: &'a str,
    pub bytes: &'a [u8],
    /// Position of the batch in the file. Unused if `log` is set: computing the position of a log entry is slow, so
    /// [`Self::start`] computes it on demand.
    start: FilePosition,
    /// Number of line breaks directly before the first byte. `None` at the start of a script, or if comments are not
    /// kept.
    pub line_breaks: Option<usize>,
    pub granularity: Granularity,
    /// Whether the batch has comments but no statement.
    only_comments: bool,
    /// Whether a meta-command inside the last statement was replaced with spaces.
    pub interrupted: bool,
    /// Whether the statements are from the script of an extension (CREATE EXTENSION).
    pub is_extension: bool,
    /// Whether backslashes are escapes in plain literals (`'…'`). If `None`, the options of the run
    /// decide.
    pub backslash_escapes: Option<bool>,
    /// Whether the script has disabled check_function_bodies.
    pub skips_bodies: bool,
    /// Whether decoding has changed the offsets. If so, [`Self::position`] returns the start of the batch for every
    /// byte.
    is_decoded: bool,
    /// The log entry, if the batch is a log record.
    pub log: Option<Entry<'a>>,
    /// The table row, if the batch is a table row.
    pub table: Option<TableRecord<'a>>,
    /// Byte ranges of the statements, relative to the original batch from which this batch was cut. Empty if all of
    /// `bytes` is one statement or record.
    ranges: &'a [Range<usize>],
    /// Offset of `bytes` in the original batch.
    base: usize,
    /// The offset whose position was computed most recently, and this position. The position of a higher offset is
    /// computed from these two values.
    last_position: Cell<Option<(usize, FilePosition)>>,
}

impl<'a> StatementBatch<'a> {
    /// Creates a batch of a script's statements. `ranges` are the byte ranges of the statements in `bytes`. A range
    /// extends from the statement's first word to its semicolon, or to the end of `bytes`. There is at least one range.
    pub fn from_script(file: &'a str, bytes: &'a [u8], start: FilePosition, ranges: &'a [Range<usize>]) -> Self {
        let (granularity, last_position) = (Granularity::Statement, Cell::new(None));
        Self {
            file,
            bytes,
            start,
            line_breaks: None,
            granularity,
            only_comments: false,
            interrupted: false,
            is_extension: false,
            backslash_escapes: None,
            skips_bodies: false,
            is_decoded: false,
            log: None,
            table: None,
            ranges,
            base: 0,
            last_position,
        }
    }

    /// Creates a batch that has comments of a script but no statement.
    pub fn from_comments(file: &'a str, bytes: &'a [u8], start: FilePosition) -> Self {
        Self { only_comments: true, ..Self::from_script(file, bytes, start, &[]) }
    }

    /// Sets properties of the batch's script.
    pub fn with_properties(self, interrupted: bool, is_extension: bool) -> Self {
        Self { interrupted, is_extension, ..self }
    }

    /// Creates a batch of one record.
    pub fn from_record(file: &'a str, bytes: &'a [u8], start: FilePosition) -> Self {
        Self { granularity: Granularity::Record, ..Self::from_script(file, bytes, start, &[]) }
    }

    /// Creates a batch of the SQL in a table row. Every byte has the position of the row. If the SQL is NULL, the batch
    /// is empty.
    pub fn from_table(file: &'a str, record: TableRecord<'a>) -> Self {
        let sql = record.row.sql.as_deref().unwrap_or_default();
        Self { is_decoded: true, table: Some(record), ..Self::from_record(file, sql, record.row.start) }
    }

    /// Creates a batch of a log entry's statement. `file` is the chunk's file. If the entry is from an earlier file,
    /// the batch gets that file instead.
    pub fn from_log_entry(file: &'a str, entry: Entry<'a>) -> Self {
        let file = entry.file().unwrap_or(file);
        Self { log: Some(entry), ..Self::from_record(file, entry.sql(), FilePosition::default()) }
    }

    /// Returns the number of statements. A record counts as one statement.
    pub fn len(&self) -> usize {
        if self.only_comments { 0 } else { self.ranges.len().max(1) }
    }

    /// Returns the byte range of statement `index`, which must be less than [`Self::len`].
    pub fn range(&self, index: usize) -> Range<usize> {
        let all = 0..self.bytes.len();
        self.ranges.get(index).map_or(all, |range| range.start - self.base..range.end - self.base)
    }

    /// Whether the batch is one statement that starts at its first byte.
    pub fn is_single(&self) -> bool {
        self.len() == 1 && self.range(0).start == 0
    }

    /// Returns the position of the first byte.
    pub fn start(&self) -> FilePosition {
        self.log.map_or(self.start, |entry| entry.position())
    }

    /// Returns the file position of byte `offset`. For an offset after the end, returns the position of the end. In a
    /// decoded batch, all bytes have the position of the first byte.
    pub fn position(&self, offset: usize) -> FilePosition {
        if self.is_decoded || self.log.is_some_and(|entry| entry.is_decoded()) {
            return self.start(); // decoding has changed the offsets
        }
        let offset = offset.min(self.bytes.len());
        let (from, position) = match self.last_position.get() {
            Some((last, position)) if last <= offset => (last, position),
            _ => (0, self.start()),
        };
        let position = position.after(&self.bytes[from..offset]);
        self.last_position.set(Some((offset, position)));
        position
    }

    /// Returns the byte ranges of the statements. Empty if all bytes are one statement or record.
    pub fn ranges(&self) -> &'a [Range<usize>] {
        self.ranges
    }

    /// Returns the batch with `bytes` as its SQL. `ranges` are the byte ranges of the statements in `bytes`. `self`
    /// must not be a part that was cut from a batch.
    pub fn with_text(&self, bytes: &'a [u8], ranges: &'a [Range<usize>]) -> Self {
        Self { bytes, ranges, last_position: Cell::new(None), ..*self }
    }

    /// Returns a batch of the statements with these indexes. The range must not be empty.
    pub fn slice(&self, statements: Range<usize>) -> Self {
        let bytes = self.range(statements.start).start..self.range(statements.end - 1).end;
        self.cut(bytes, statements)
    }

    /// Returns a batch of statement `index`, with or without the comments before it.
    pub fn single(&self, index: usize, with_comments: bool) -> Self {
        let mut bytes = self.range(index);
        if with_comments {
            let previous_end = index.checked_sub(1).map_or(0, |index| self.range(index).end);
            let between = &self.bytes[previous_end..bytes.start];
            bytes.start = previous_end + between.iter().take_while(|b| b.is_ascii_whitespace()).count();
        }
        self.cut(bytes, 0..0)
    }

    /// Returns a batch of the comments after the last statement, or `None` if there are no comments.
    pub fn after_statements(&self) -> Option<Self> {
        let start = self.len().checked_sub(1).map_or(0, |last| self.range(last).end);
        let rest = self.bytes[start..].trim_ascii_start();
        let has_comments = rest.iter().any(|byte| !matches!(byte, b';') && !byte.is_ascii_whitespace());
        has_comments.then(|| self.cut(self.bytes.len() - rest.len()..self.bytes.len(), 0..0))
    }

    fn cut(&self, bytes: Range<usize>, statements: Range<usize>) -> Self {
        // A log record is never divided, so its start stays the same.
        let start = if self.log.is_some() { self.start } else { self.position(bytes.start) };
        Self {
            file: self.file,
            start,
            line_breaks: None,
            granularity: self.granularity,
            only_comments: false,
            interrupted: self.interrupted,
            is_extension: self.is_extension,
            backslash_escapes: self.backslash_escapes,
            skips_bodies: self.skips_bodies,
            is_decoded: self.is_decoded,
            log: self.log,
            table: self.table,
            ranges: self.ranges.get(statements).unwrap_or_default(),
            base: self.base + bytes.start,
            bytes: &self.bytes[bytes],
            last_position: Cell::new(None),
        }
    }
}
