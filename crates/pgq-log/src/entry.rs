//! One message of a log and the statement in it, whatever the format it was written in.
//! The text stays where it was read; here are only places in it. It knows nothing of formats.

use std::ops::Range;

use crate::batch::Line;
use crate::message;
use crate::position::FilePosition;

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

impl Part {
    const ALL: [Self; 12] = [
        Self::Time,
        Self::User,
        Self::Database,
        Self::Application,
        Self::Session,
        Self::Message,
        Self::Detail,
        Self::Context,
        Self::Statement,
        Self::Sql,
        Self::Duration,
        Self::Params,
    ];
}

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

/// What a message says, as far as statements go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MessageKind {
    /// A statement was executed, or parsed or bound where that was asked for.
    Statement,
    /// The duration of what its process logged before.
    Duration,
    /// An error, with its statement or without.
    Error,
    /// The statement of an error that another process came between.
    OrphanStatement,
    /// Nothing of a statement.
    #[default]
    Nothing,
}

/// A message, and once it is found there, its statement. Places are bytes of its [`Batch`].
///
/// [`Batch`]: super::Batch
#[derive(Debug, Clone, Default)]
pub struct Message {
    parts: [(u32, u32); Part::ALL.len()],
    /// 0 where the log does not tell.
    pub pid: u32,
    pub severity: Severity,
    pub said: MessageKind,
    /// The log has lost an end of the text.
    pub truncated: bool,
    /// The text spans lines, or is escaped: places in it are none in the file.
    pub rewritten: bool,
    /// Where its SQL, or the record that it is in, starts.
    pub at: Start,
}

/// A place where a text starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// In a batch as it was read: lines from its start, and bytes. The column is counted
    /// when it is asked for.
    Batch { line: u32, line_start: u32, offset: u32 },
    /// In the file.
    File(FilePosition),
}

impl Default for Start {
    fn default() -> Self {
        Self::Batch { line: 0, line_start: 0, offset: 0 }
    }
}

impl Start {
    /// The start of a line of a batch.
    pub fn of(line: Line) -> Self {
        Self::Batch { line: line.number, line_start: line.start as u32, offset: line.start as u32 }
    }

    /// Moves it along its line, behind `text`.
    pub fn along(self, text: &[u8]) -> Self {
        match self {
            Self::Batch { line, line_start, offset } => {
                Self::Batch { line, line_start, offset: offset + text.len() as u32 }
            }
            Self::File(cursor) => Self::File(cursor.along(text)),
        }
    }

    /// The place in the file, `bytes` being the batch, which starts at `from`.
    pub fn in_file(self, from: FilePosition, bytes: &[u8]) -> FilePosition {
        match self {
            Self::File(cursor) => cursor,
            Self::Batch { line, line_start, offset } => {
                let start = FilePosition {
                    offset: from.offset + u64::from(line_start),
                    line: from.line + u64::from(line),
                    column: 1,
                };
                start.along(&bytes[line_start as usize..offset as usize])
            }
        }
    }

    /// Whether it is the start of a line: there, places are those of a whole record.
    pub fn is_record(self) -> bool {
        match self {
            Self::Batch { line_start, offset, .. } => line_start == offset,
            Self::File(cursor) => cursor.column == 1,
        }
    }
}

impl Message {
    /// A message without parts.
    pub fn new(pid: u32, severity: Severity, at: Start) -> Self {
        Self { pid, severity, at, ..Self::default() }
    }

    /// Where a part is; empty where there is none.
    pub fn range(&self, part: Part) -> Range<usize> {
        let (start, end) = self.parts[part as usize];
        start as usize..end as usize
    }

    pub fn has(&self, part: Part) -> bool {
        let (start, end) = self.parts[part as usize];
        start < end
    }

    pub fn set(&mut self, part: Part, range: Range<usize>) {
        self.parts[part as usize] = (range.start as u32, range.end as u32);
    }

    /// What of `bytes` a part is.
    pub fn get<'a>(&self, part: Part, bytes: &'a [u8]) -> &'a [u8] {
        &bytes[self.range(part)]
    }

    /// Moves all places by so many bytes.
    pub fn shift(&mut self, by: usize) {
        for (start, end) in &mut self.parts {
            (*start, *end) = (*start + by as u32, *end + by as u32);
        }
    }

    /// Finds the parameters in a detail or a context.
    pub fn find_parameters(&mut self, part: Part, bytes: &[u8]) {
        if !self.has(part) {
            return;
        }
        if let Some(start) = message::parameters(self.get(part, bytes)) {
            let range = self.range(part);
            self.set(Part::Params, range.start + start..range.end);
        }
    }
}

/// A record's message with the bytes that it is in.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    bytes: &'a [u8],
    message: &'a Message,
    /// Where the bytes start in the file.
    from: FilePosition,
}

impl<'a> Entry<'a> {
    pub fn new(bytes: &'a [u8], message: &'a Message, batch_start: FilePosition) -> Self {
        Self { bytes, message, from: batch_start }
    }

    pub fn get(&self, part: Part) -> &'a [u8] {
        self.message.get(part, self.bytes)
    }

    /// The text to be read as SQL.
    pub fn sql(&self) -> &'a [u8] {
        self.get(Part::Sql)
    }

    pub fn pid(&self) -> u32 {
        self.message.pid
    }

    pub fn severity(&self) -> Severity {
        self.message.severity
    }

    pub fn is_truncated(&self) -> bool {
        self.message.truncated
    }

    /// Whether places in the SQL are none in the file.
    pub fn is_rewritten(&self) -> bool {
        self.message.rewritten
    }

    /// Where the SQL starts in the file, or the record that it is in.
    pub fn at(&self) -> FilePosition {
        self.message.at.in_file(self.from, self.bytes)
    }

    /// In milliseconds.
    pub fn duration(&self) -> Option<f64> {
        std::str::from_utf8(self.get(Part::Duration)).ok()?.parse().ok()
    }
}

/// A message that outlives its batch: it waits for its duration, or for its statement.
#[derive(Debug, Clone)]
pub struct OwnedEntry {
    bytes: Vec<u8>,
    pub message: Message,
}

impl OwnedEntry {
    /// Copies what there is of a message, and only that.
    pub fn new(entry: Entry<'_>) -> Self {
        let mut own = Self { bytes: Vec::new(), message: entry.message.clone() };
        own.message.at = Start::File(entry.at());
        for part in Part::ALL {
            // Of the message, what matters has been found.
            own.set(part, if part == Part::Message { b"" } else { entry.get(part) });
        }
        own
    }

    /// A message whose places are in `bytes`.
    pub fn of(message: Message, bytes: &[u8]) -> Self {
        Self { bytes: bytes.to_vec(), message }
    }

    pub fn into_parts(self) -> (Message, Vec<u8>) {
        (self.message, self.bytes)
    }

    /// Adds a part.
    pub fn set(&mut self, part: Part, text: &[u8]) {
        let start = self.bytes.len();
        self.message.set(part, start..start);
        self.extend(part, text);
    }

    /// Goes on with the part that was added last, up to a limit.
    pub fn extend(&mut self, part: Part, text: &[u8]) {
        let room = LONGEST.saturating_sub(self.bytes.len());
        self.message.truncated |= text.len() > room;
        self.bytes.extend_from_slice(&text[..text.len().min(room)]);
        self.message.set(part, self.message.range(part).start..self.bytes.len());
    }

    /// Its statement comes after all, and stands at `at`.
    pub fn complete(&mut self, statement: Entry<'_>) {
        self.set(Part::Sql, statement.sql());
        self.message.truncated |= statement.is_truncated();
        self.message.rewritten |= statement.is_rewritten();
        self.message.at = Start::File(statement.at());
        let Self { bytes, message, .. } = self;
        message.find_parameters(Part::Context, bytes);
    }

    pub fn entry(&self) -> Entry<'_> {
        Entry { bytes: &self.bytes, message: &self.message, from: FilePosition::default() }
    }

    /// Bytes of memory that it takes up.
    pub fn weight(&self) -> usize {
        size_of::<Self>() + self.bytes.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::{Entry, FilePosition, Message, OwnedEntry, Part, Start};

    #[test]
    fn an_own_entry_says_what_the_one_in_the_batch_does() {
        let bytes = b"\xc3\xbcn ann LOG:  statement: SELECT 1";
        let mut message =
            Message { pid: 7, at: Start::Batch { line: 0, line_start: 0, offset: 25 }, ..Message::default() };
        message.set(Part::User, 4..7);
        message.set(Part::Message, 14..33);
        message.set(Part::Sql, 25..33);
        let entry = Entry::new(bytes, &message, FilePosition { offset: 100, line: 5, column: 1 });
        let mut own = OwnedEntry::new(entry);
        assert_eq!((own.entry().sql(), own.entry().get(Part::User)), (&b"SELECT 1"[..], &b"ann"[..]));
        assert_eq!(entry.at(), FilePosition { offset: 125, line: 5, column: 25 });
        assert_eq!(own.entry().at(), entry.at());
        assert_eq!(own.entry().duration(), None);
        own.set(Part::Duration, b"1.5");
        assert_eq!(own.entry().duration(), Some(1.5));
    }
}
