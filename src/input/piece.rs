//! Pieces: runs of whole statements, with their place in the file.

use std::cell::Cell;
use std::ops::Range;

use super::Cursor;
use super::log::Entry;

/// What a command treats as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Each statement.
    Statement,
    /// Each record of the input, whatever it holds.
    Record,
}

/// Consecutive statements of a file.
pub struct Piece<'a> {
    pub file: &'a str,
    pub bytes: &'a [u8],
    /// The place of the first byte.
    pub start: Cursor,
    /// The bytes of each statement, from its first word to behind its semicolon.
    pub statements: Vec<Range<usize>>,
    pub unit: Unit,
    /// What a log says of it, where it comes from one.
    pub log: Option<Entry<'a>>,
    /// The last place asked for: statements are asked for in order, so counting goes on
    /// from there instead of from the start.
    last: Cell<(usize, Cursor)>,
}

impl<'a> Piece<'a> {
    /// Whole statements of a script.
    pub fn of_script(file: &'a str, bytes: &'a [u8], start: Cursor, statements: Vec<Range<usize>>) -> Self {
        Self { file, bytes, start, statements, unit: Unit::Statement, log: None, last: Cell::new((0, start)) }
    }

    /// One record.
    pub fn of_record(file: &'a str, bytes: &'a [u8], start: Cursor) -> Self {
        let all = 0..bytes.len();
        Self { unit: Unit::Record, ..Self::of_script(file, bytes, start, vec![all]) }
    }

    /// The statement of a log's record.
    pub fn of_log(file: &'a str, entry: Entry<'a>) -> Self {
        Self { log: Some(entry), ..Self::of_record(file, entry.sql(), entry.at()) }
    }

    /// The place of byte `offset` of the piece.
    pub fn place(&self, offset: usize) -> Cursor {
        if self.log.is_some_and(|entry| entry.is_rewritten()) {
            return self.start; // places in the text are none in the file
        }
        let offset = offset.min(self.bytes.len());
        let (from, cursor) = match self.last.get() {
            (last, cursor) if last <= offset => (last, cursor),
            _ => (0, self.start),
        };
        let place = cursor.after(&self.bytes[from..offset]);
        self.last.set((offset, place));
        place
    }

    /// Statement `index` as a piece of its own, with the comments before it or without.
    pub fn alone(&self, index: usize, with_comments: bool) -> Self {
        let mut range = self.statements[index].clone();
        if with_comments {
            let before = index.checked_sub(1).map_or(0, |index| self.statements[index].end);
            let blank = self.bytes[before..range.start].iter().take_while(|b| b.is_ascii_whitespace()).count();
            range.start = before + blank;
        }
        let alone = Self::of_record(self.file, &self.bytes[range.clone()], self.place(range.start));
        Self { unit: self.unit, log: self.log, ..alone }
    }
}
