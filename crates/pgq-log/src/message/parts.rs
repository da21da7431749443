//! One message of a log: which bytes of its batch are which field. Holds offsets and no text, and
//! does not know the format.

use std::ops::Range;

use crate::format::line::SourcePosition;
use crate::message::event::Event;
use crate::message::field::Field;
use crate::message::parameters::find_parameters;
use crate::message::severity::Severity;

/// Maximum length of a message, in bytes. The statement of a longer message is truncated.
pub const MAX_MESSAGE_BYTES: usize = 64 << 20;

/// What a message means for records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MessageKind {
    /// A statement was executed; or parsed or bound, if that was selected.
    Statement,
    /// A plan of auto_explain: an execution, unless the same one is logged by its duration, too.
    Plan,
    /// A statement was parsed or bound; its duration is added to that of the execution that follows.
    Preparation,
    /// More rows of a portal were fetched: its duration is part of the execution's.
    Fetch,
    /// The session has ended.
    SessionEnd,
    /// The parallel worker with the process ID [`Message::session`] has ended.
    WorkerEnd,
    /// Not an execution of its own; a duration that follows is not another statement's.
    Uncounted,
    /// The duration of the statement that the same process logged before.
    Duration,
    /// An error, with or without its statement.
    Error,
    /// The statement of an earlier error, after a message of another process.
    OrphanStatement,
    /// Something else about a statement.
    Event,
    /// Nothing: the message does not concern a statement.
    #[default]
    Unrelated,
}

/// A message. Its fields are byte ranges of the batch, or of an [`OwnedEntry`]'s bytes.
///
/// [`OwnedEntry`]: crate::assembly::entry::OwnedEntry
#[derive(Debug, Clone, Default)]
pub struct Message {
    fields: [(u32, u32); Field::COUNT],
    /// Process ID; 0 if the log does not have it.
    pub pid: u32,
    /// What tells the sessions apart: the process ID, or something else that only one session at a time
    /// has. 0 if the log has nothing of that kind.
    pub session: u64,
    pub severity: Severity,
    pub kind: MessageKind,
    /// Set if this is no execution, but says something else about a statement.
    pub event: Option<Event>,
    /// Whether the log has lost an end of the text.
    pub truncated: bool,
    /// Whether the text was unescaped or joined from several lines, so that offsets in it are not
    /// offsets in the file.
    pub decoded: bool,
    /// Where its SQL starts; in formats that escape text, where the line with the record starts.
    pub position: SourcePosition,
}

impl Message {
    /// A message without fields.
    pub fn new(pid: u32, severity: Severity, position: SourcePosition) -> Self {
        Self { pid, session: u64::from(pid), severity, position, ..Self::default() }
    }

    /// The byte range of a field; empty if the message does not have it.
    pub fn range(&self, field: Field) -> Range<usize> {
        let (start, end) = self.fields[field as usize];
        start as usize..end as usize
    }

    pub fn has(&self, field: Field) -> bool {
        let (start, end) = self.fields[field as usize];
        start < end
    }

    pub fn set(&mut self, field: Field, range: Range<usize>) {
        self.fields[field as usize] = (range.start as u32, range.end as u32);
    }

    /// The text of a field. `bytes` are those that the message's ranges refer to.
    pub fn get<'a>(&self, field: Field, bytes: &'a [u8]) -> &'a [u8] {
        &bytes[self.range(field)]
    }

    /// Moves all fields by `distance` bytes.
    pub fn shift(&mut self, distance: usize) {
        for (start, end) in &mut self.fields {
            (*start, *end) = (*start + distance as u32, *end + distance as u32);
        }
    }

    /// Sets [`Field::Params`] if `field`, a detail or a context, contains parameters.
    pub fn find_parameters(&mut self, field: Field, bytes: &[u8]) {
        if !self.has(field) {
            return;
        }
        if let Some(start) = find_parameters(self.get(field, bytes)) {
            let range = self.range(field);
            self.set(Field::Params, range.start + start..range.end);
        }
    }
}
