//! Some lines of a log, read by one thread: its messages, in the bytes that they came in.
//!
//! Text that spans lines, or is escaped, is made plain in place: plain text is never longer.

use crate::entry::{Entry, Message, MessageKind, OwnedEntry, Part, Severity, Start};
use crate::message::{self, Kind};
use crate::position::FilePosition;
use crate::stats::Stats;

/// What is read of a log at once. It begins where a message may begin.
#[derive(Debug, Default)]
pub struct LogChunk {
    pub bytes: Vec<u8>,
    pub start: FilePosition,
    /// Lines end in CR LF.
    pub crlf: bool,
    /// It had to end inside of a message, which is too long to be held.
    pub cut: bool,
}

/// Which messages are of interest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RecordSelection {
    /// Statements of errors.
    pub errors: bool,
    /// Statements that were only parsed or bound.
    pub parse_bind: bool,
}

/// The messages of a chunk that matter for records, in order.
#[derive(Debug, Default)]
pub struct Batch {
    pub bytes: Vec<u8>,
    pub start: FilePosition,
    pub messages: Vec<Message>,
    pub stats: Stats,
    pub selection: RecordSelection,
}

/// A line of a batch, without its end.
#[derive(Debug, Clone, Copy)]
pub struct Line {
    /// Bytes from the batch's start.
    pub start: usize,
    pub end: usize,
    /// Lines from the batch's start.
    pub number: u32,
    /// It had an end.
    pub whole: bool,
}

/// How lines become messages.
pub trait LineParser: Send {
    /// Takes a line.
    fn line(&mut self, line: Line, batch: &mut Batch);

    /// The batch has ended, and with it the message that is open; `cut` says that it goes on.
    fn end(&mut self, batch: &mut Batch, cut: bool);

    /// What is open is complete: the log rests, or has ended.
    fn rest(&mut self, _batch: &mut Batch) {}

    /// Whether a line can only be the start of a message, so that a batch may end before it.
    fn begins(&mut self, line: &[u8]) -> bool;
}

impl Batch {
    /// Reads a chunk.
    pub fn read(chunk: LogChunk, selection: RecordSelection, format: &mut dyn LineParser) -> Self {
        let LogChunk { bytes, start, crlf, cut } = chunk;
        let end = bytes.len();
        let mut batch = Self { bytes, start, selection, ..Self::default() };
        let (mut at, mut number) = (0, 0);
        while at < end {
            let found = memchr::memchr(b'\n', &batch.bytes[at..end]);
            let mut line = Line { start: at, end: found.map_or(end, |len| at + len), number, whole: found.is_some() };
            at = line.end + usize::from(line.whole);
            number += 1;
            if crlf && line.end > line.start && batch.bytes[line.end - 1] == b'\r' {
                line.end -= 1;
            }
            // A crash leaves NULs where the next line begins.
            while batch.bytes.get(line.start) == Some(&0) && line.start < line.end {
                line.start += 1;
            }
            batch.stats.lines += 1;
            format.line(line, &mut batch);
        }
        format.end(&mut batch, cut);
        batch.stats.bytes += end as u64;
        batch
    }

    pub fn text(&self, line: Line) -> &[u8] {
        &self.bytes[line.start..line.end]
    }

    pub fn entry(&self, index: usize) -> Entry<'_> {
        Entry::new(&self.bytes, &self.messages[index], self.start)
    }

    /// Goes on with the text that ends at byte `end`: a line break, then a line. The new end.
    pub fn join(&mut self, end: usize, line: Line) -> usize {
        if end + 1 != line.start {
            self.bytes[end] = b'\n';
            self.bytes.copy_within(line.start..line.end, end + 1);
        }
        end + 1 + (line.end - line.start)
    }

    /// The place of a start in the file.
    pub fn place(&self, start: Start) -> FilePosition {
        start.in_file(self.start, &self.bytes)
    }

    /// Takes over the parts of a message that was put together elsewhere.
    pub fn adopt(&mut self, own: OwnedEntry) -> Message {
        let at = self.bytes.len();
        let (mut message, bytes) = own.into_parts();
        self.bytes.extend_from_slice(&bytes);
        message.shift(at);
        message
    }

    /// Adds a part that is not in the text as it was read.
    pub fn add(&mut self, message: &mut Message, part: Part, text: &[u8]) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(text);
        message.set(part, start..self.bytes.len());
    }

    /// Goes on with a part of a message.
    pub fn extend(&mut self, message: &mut Message, part: Part, line: Line) {
        let range = message.range(part);
        let end = self.join(range.end, line);
        message.set(part, range.start..end);
        message.rewritten = true;
    }

    /// Takes a complete message: finds its statement, and keeps it where it matters.
    ///
    /// `statement_at` is where the statement of an error starts.
    pub fn push(&mut self, mut message: Message, statement_at: Start) {
        if message.severity.is_error() {
            return self.push_error(message, statement_at);
        }
        let text = message.range(Part::Message);
        let (sql, duration, said) = match message::kind(&self.bytes[text.clone()]) {
            Kind::Execution { sql, duration } => (sql, duration, MessageKind::Statement),
            Kind::ParseBind { sql, duration } if self.selection.parse_bind => (sql, duration, MessageKind::Statement),
            Kind::ParseBind { .. } => return self.stats.parse_bind += 1,
            Kind::Duration(range) => (0, Some(range), MessageKind::Duration),
            Kind::Plan => return self.stats.plans += 1,
            Kind::Other => {
                self.stats.other += 1;
                if self.selection.errors {
                    self.messages.push(message); // it ends the wait of an error for its statement
                }
                return;
            }
        };
        message.said = said;
        if let Some(range) = duration {
            message.set(Part::Duration, text.start + range.start..text.start + range.end);
        }
        if said == MessageKind::Statement {
            message.set(Part::Sql, text.start + sql..text.end);
            if !(message.rewritten && message.at.is_record()) {
                message.at = message.at.along(&self.bytes[text.start..text.start + sql]);
            }
            message.find_parameters(Part::Detail, &self.bytes);
        }
        self.messages.push(message);
    }

    fn push_error(&mut self, mut message: Message, statement_at: Start) {
        message.said = MessageKind::Error;
        if message.has(Part::Statement) {
            message.set(Part::Sql, message.range(Part::Statement));
            message.at = statement_at;
            message.find_parameters(Part::Context, &self.bytes);
        }
        self.messages.push(message);
    }

    /// The statement of an error whose message is not the one before it.
    pub fn push_orphan_statement(&mut self, mut message: Message) {
        message.said = MessageKind::OrphanStatement;
        message.set(Part::Sql, message.range(Part::Statement));
        self.messages.push(message);
    }

    /// Counts a message by its severity; false for one that never comes with a statement.
    pub fn count(&mut self, severity: Severity) -> bool {
        self.stats.messages += 1;
        let matters = severity != Severity::Other;
        self.stats.other += u64::from(!matters);
        matters
    }
}
