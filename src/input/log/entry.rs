//! One message of a log, whatever the format it was written in, and the statement in it.
//! It owns its bytes, so that it can wait for its duration or go to another thread, and is
//! filled again and again without allocating. It knows nothing of formats.

use std::ops::Range;

use crate::input::Cursor;

/// Most that is kept of one message, in bytes; a statement beyond it is truncated.
pub const LONGEST: usize = 64 << 20;

/// What a message is made of, and what is found in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Time,
    User,
    Database,
    Application,
    Session,
    /// The message itself, without its severity.
    Message,
    Detail,
    Context,
    /// The statement that an error is about.
    Statement,
    /// Found in the message: the text to be read as SQL.
    Sql,
    /// Found in the message, or in a later one: digits of milliseconds.
    Duration,
    /// Found in the detail: `$1 = '…', $2 = NULL`.
    Params,
}

const PARTS: usize = Part::Params as usize + 1;

/// How bad a message is, as far as it matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Severity {
    Log,
    Error,
    Fatal,
    Panic,
    /// Everything that never comes with a statement to be read.
    #[default]
    Other,
}

impl Severity {
    /// PostgreSQL's word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Log => "LOG",
            Self::Error => "ERROR",
            Self::Fatal => "FATAL",
            Self::Panic => "PANIC",
            Self::Other => "OTHER",
        }
    }

    /// From PostgreSQL's word.
    pub fn of(name: &[u8]) -> Self {
        match name {
            b"LOG" => Self::Log,
            b"ERROR" => Self::Error,
            b"FATAL" => Self::Fatal,
            b"PANIC" => Self::Panic,
            _ => Self::Other,
        }
    }

    pub fn is_error(self) -> bool {
        matches!(self, Self::Error | Self::Fatal | Self::Panic)
    }
}

/// A message and, once it is found there, its statement.
#[derive(Debug, Clone, Default)]
pub struct Entry {
    bytes: Vec<u8>,
    parts: [(u32, u32); PARTS],
    /// 0 where the log does not tell.
    pub pid: u32,
    pub severity: Severity,
    /// The log has lost an end of the text.
    pub truncated: bool,
    /// The text spans lines, or is escaped: places in it are none in the file.
    pub rewritten: bool,
    /// Where the message starts, or the record that it is in.
    pub message_at: Cursor,
    /// Where the statement of an error starts.
    pub statement_at: Cursor,
    /// Where the SQL starts.
    pub sql_at: Cursor,
}

impl Entry {
    /// Empty again, with its memory.
    pub fn clear(&mut self) {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.clear();
        *self = Self { bytes, ..Self::default() };
    }

    /// Bytes of memory that it takes up.
    pub fn weight(&self) -> usize {
        size_of::<Self>() + self.bytes.capacity()
    }

    /// What there is of a part; empty where there is none.
    pub fn get(&self, part: Part) -> &[u8] {
        let (start, end) = self.parts[part as usize];
        &self.bytes[start as usize..end as usize]
    }

    /// Where a part is, to find something in it.
    fn range(&self, part: Part) -> Range<usize> {
        let (start, end) = self.parts[part as usize];
        start as usize..end as usize
    }

    /// Adds a part.
    pub fn set(&mut self, part: Part, text: &[u8]) {
        let start = self.bytes.len() as u32;
        self.parts[part as usize] = (start, start);
        self.extend(part, text);
    }

    /// Goes on with the part that was added last.
    pub fn extend(&mut self, part: Part, text: &[u8]) {
        let room = LONGEST.saturating_sub(self.bytes.len());
        self.truncated |= text.len() > room;
        self.bytes.extend_from_slice(&text[..text.len().min(room)]);
        self.parts[part as usize].1 = self.bytes.len() as u32;
    }

    /// A part that lies in another, at `inside` of it.
    pub fn find(&mut self, part: Part, of: Part, inside: Range<usize>) {
        let whole = self.range(of);
        let at = |offset: usize| (whole.start + offset).min(whole.end) as u32;
        self.parts[part as usize] = (at(inside.start), at(inside.end));
    }

    /// The text to be read as SQL.
    pub fn sql(&self) -> &[u8] {
        self.get(Part::Sql)
    }

    /// In milliseconds.
    pub fn duration(&self) -> Option<f64> {
        std::str::from_utf8(self.get(Part::Duration)).ok()?.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::{Entry, LONGEST, Part};

    #[test]
    fn parts_are_added_and_found() {
        let mut entry = Entry::default();
        entry.set(Part::User, b"ann");
        entry.set(Part::Message, b"statement: SELECT");
        entry.extend(Part::Message, b"\n1");
        entry.find(Part::Sql, Part::Message, 11..19);
        assert_eq!((entry.get(Part::User), entry.sql()), (&b"ann"[..], &b"SELECT\n1"[..]));
        assert!(entry.get(Part::Database).is_empty() && entry.duration().is_none());
        entry.clear();
        assert!(entry.sql().is_empty());
    }

    #[test]
    fn what_is_too_long_is_cut() {
        let mut entry = Entry::default();
        entry.set(Part::Message, &vec![b'x'; LONGEST - 1]);
        assert!(!entry.truncated);
        entry.extend(Part::Message, b"yz");
        assert!(entry.truncated && entry.get(Part::Message).len() == LONGEST);
    }
}
