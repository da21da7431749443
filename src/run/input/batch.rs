//! Batches of whole statements, with their positions in the file.

use std::cell::Cell;
use std::ops::Range;

use pgq_log::{Entry, FilePosition};

use super::table::TableRow;

/// Whether a command returns one result for each statement or for each record of the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Granularity {
    /// One statement.
    Statement,
    /// One record of the input, with any number of statements.
    Record,
}

/// A row of a table, and the names of its columns.
#[derive(Clone, Copy)]
pub struct TableRecord<'a> {
    pub names: &'a [String],
    pub row: &'a TableRow,
}

/// Consecutive statements of a file, borrowed from a chunk in memory.
pub struct StatementBatch<'a> {
    pub file: &'a str,
    pub bytes: &'a [u8],
    /// Position of the first byte in the file. Not used where `log` is set: [`Self::start`] then
    /// asks the entry, whose position takes time to compute.
    start: FilePosition,
    /// Number of line breaks directly before the first byte, if comments are kept; `None` at the start of a script.
    pub line_breaks: Option<usize>,
    pub granularity: Granularity,
    /// There is no statement.
    only_comments: bool,
    /// The last statement contained a meta-command, now replaced by blanks.
    pub interrupted: bool,
    /// The script is that of an extension.
    pub is_extension: bool,
    /// Whether backslashes are escapes in plain literals, if a script sets it; otherwise the run's options decide.
    pub backslash_escapes: Option<bool>,
    /// The script has switched off that CREATE FUNCTION checks bodies.
    pub skips_bodies: bool,
    /// Every byte has the position of the first.
    is_decoded: bool,
    /// The log's entry, if the batch is a record of a log.
    pub log: Option<Entry<'a>>,
    /// The table's row, if the batch is one.
    pub table: Option<TableRecord<'a>>,
    /// Byte range of each statement, counted from the start of the batch that this one was cut
    /// from. Empty if all of `bytes` is one statement or record.
    ranges: &'a [Range<usize>],
    /// Where `bytes` starts in that batch.
    base: usize,
    /// The last offset whose position was computed, and that position: the next one is counted from
    /// there, since statements are visited in order. An earlier one is counted from the start.
    last_position: Cell<Option<(usize, FilePosition)>>,
}

impl<'a> StatementBatch<'a> {
    /// Creates a batch of a script's statements. `ranges` are their byte ranges in `bytes`, each from its first word to
    /// the end of its semicolon, or of its text without one; there is at least one.
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

    /// Comments of a script, without a statement.
    pub fn from_comments(file: &'a str, bytes: &'a [u8], start: FilePosition) -> Self {
        Self { only_comments: true, ..Self::from_script(file, bytes, start, &[]) }
    }

    /// The same, of a script with these properties.
    pub fn with_properties(self, interrupted: bool, is_extension: bool) -> Self {
        Self { interrupted, is_extension, ..self }
    }

    /// One record.
    pub fn from_record(file: &'a str, bytes: &'a [u8], start: FilePosition) -> Self {
        Self { granularity: Granularity::Record, ..Self::from_script(file, bytes, start, &[]) }
    }

    /// The SQL of a table's row, whose position is that of the row. Empty for NULL.
    pub fn from_table(file: &'a str, record: TableRecord<'a>) -> Self {
        let sql = record.row.sql.as_deref().unwrap_or_default();
        Self { is_decoded: true, table: Some(record), ..Self::from_record(file, sql, record.row.start) }
    }

    /// The statement of a log's entry.
    pub fn from_log_entry(file: &'a str, entry: Entry<'a>) -> Self {
        Self { log: Some(entry), ..Self::from_record(file, entry.sql(), FilePosition::default()) }
    }

    /// Returns the number of statements; a record counts as one.
    pub fn len(&self) -> usize {
        if self.only_comments { 0 } else { self.ranges.len().max(1) }
    }

    /// Returns the byte range in `bytes` of statement `index`, which must be less than [`Self::len`].
    pub fn range(&self, index: usize) -> Range<usize> {
        let all = 0..self.bytes.len();
        self.ranges.get(index).map_or(all, |range| range.start - self.base..range.end - self.base)
    }

    /// Whether it is one statement that starts at its first byte.
    pub fn is_single(&self) -> bool {
        self.len() == 1 && self.range(0).start == 0
    }

    /// Position of the first byte.
    pub fn start(&self) -> FilePosition {
        self.log.map_or(self.start, |entry| entry.position())
    }

    /// Position in the file of byte `offset` of `bytes`; beyond their end, that of the end. In a
    /// decoded entry of a log, every byte has the position of the first.
    pub fn position(&self, offset: usize) -> FilePosition {
        if self.is_decoded || self.log.is_some_and(|entry| entry.is_decoded()) {
            return self.start(); // the log has escapes, so its offsets are not those of `bytes`
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

    /// Returns a batch of some of the statements, at least one.
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

    fn cut(&self, bytes: Range<usize>, statements: Range<usize>) -> Self {
        // A record of a log is never divided, so its start stays.
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
