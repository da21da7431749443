//! Pieces: runs of whole statements, with their place in the file.

use std::cell::Cell;
use std::ops::Range;

use super::Cursor;
use pgq_log::Entry;

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
    start: Cursor,
    pub unit: Unit,
    /// What a log says of it, where it comes from one.
    pub log: Option<Entry<'a>>,
    /// The bytes of each statement in the text that `bytes` begin at byte `base` of; none
    /// where all of it is one.
    ranges: &'a [Range<usize>],
    base: usize,
    /// The last place asked for: statements are asked for in order, so counting goes on
    /// from there instead of from the start.
    last: Cell<Option<(usize, Cursor)>>,
}

impl<'a> Piece<'a> {
    /// Whole statements of a script; `ranges` are the bytes of each, from its first word to
    /// behind its semicolon.
    pub fn of_script(file: &'a str, bytes: &'a [u8], start: Cursor, ranges: &'a [Range<usize>]) -> Self {
        Self { file, bytes, start, unit: Unit::Statement, log: None, ranges, base: 0, last: Cell::new(None) }
    }

    /// One record.
    pub fn of_record(file: &'a str, bytes: &'a [u8], start: Cursor) -> Self {
        Self { unit: Unit::Record, ..Self::of_script(file, bytes, start, &[]) }
    }

    /// The statement of a log's record.
    pub fn of_log(file: &'a str, entry: Entry<'a>) -> Self {
        Self { log: Some(entry), ..Self::of_record(file, entry.sql(), Cursor::default()) }
    }

    /// How many statements there are.
    pub fn len(&self) -> usize {
        self.ranges.len().max(1)
    }

    /// The bytes of statement `index`.
    pub fn range(&self, index: usize) -> Range<usize> {
        let all = 0..self.bytes.len();
        self.ranges.get(index).map_or(all, |range| range.start - self.base..range.end - self.base)
    }

    /// Whether it is one statement and nothing before it.
    pub fn is_alone(&self) -> bool {
        self.len() == 1 && self.range(0).start == 0
    }

    /// The place of the first byte. That of a log's record is counted when it is asked for.
    pub fn start(&self) -> Cursor {
        self.log.map_or(self.start, |entry| entry.at())
    }

    /// The place of byte `offset` of the piece.
    pub fn place(&self, offset: usize) -> Cursor {
        if self.log.is_some_and(|entry| entry.is_rewritten()) {
            return self.start(); // places in the text are none in the file
        }
        let offset = offset.min(self.bytes.len());
        let (from, cursor) = match self.last.get() {
            Some((last, cursor)) if last <= offset => (last, cursor),
            _ => (0, self.start()),
        };
        let place = cursor.after(&self.bytes[from..offset]);
        self.last.set(Some((offset, place)));
        place
    }

    /// Some of the statements as a piece of their own.
    pub fn part(&self, statements: Range<usize>) -> Self {
        let bytes = self.range(statements.start).start..self.range(statements.end - 1).end;
        self.cut(bytes, statements)
    }

    /// Statement `index` as a piece of its own, with the comments before it or without.
    pub fn alone(&self, index: usize, with_comments: bool) -> Self {
        let mut bytes = self.range(index);
        if with_comments {
            let before = index.checked_sub(1).map_or(0, |index| self.range(index).end);
            let blank = self.bytes[before..bytes.start].iter().take_while(|b| b.is_ascii_whitespace()).count();
            bytes.start = before + blank;
        }
        self.cut(bytes, 0..0)
    }

    fn cut(&self, bytes: Range<usize>, statements: Range<usize>) -> Self {
        // A log's record is never cut: it is one.
        let start = if self.log.is_some() { self.start } else { self.place(bytes.start) };
        Self {
            file: self.file,
            start,
            unit: self.unit,
            log: self.log,
            ranges: self.ranges.get(statements).unwrap_or_default(),
            base: self.base + bytes.start,
            bytes: &self.bytes[bytes],
            last: Cell::new(None),
        }
    }
}
