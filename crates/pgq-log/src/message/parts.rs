//! A log message, whose fields are byte ranges of a buffer. Independent of the log's format.

use std::ops::Range;

use crate::format::line::SourcePosition;
use crate::message::event::Event;
use crate::message::field::Field;
use crate::message::parameters::find_parameters;
use crate::message::severity::Severity;

/// Maximum length of a message, in bytes. The statement of a longer message is truncated.
pub const MAX_MESSAGE_BYTES: usize = 64 << 20;

/// Effect of a message on the records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MessageKind {
    /// A statement that was executed. If parse and bind messages are selected as records, a statement that was only
    /// parsed or bound has this kind, too.
    Statement,
    /// A plan of auto_explain. It counts as an execution only if no other message reports the duration of the same
    /// execution.
    Plan,
    /// A statement was parsed or bound. The duration is added to the duration of the next execution.
    Preparation,
    /// Further rows of a portal were fetched. The duration is part of the execution's duration.
    Fetch,
    /// The session has ended.
    SessionEnd,
    /// The server has started, so all earlier sessions have ended.
    ServerStart,
    /// The parallel worker with the process ID [`Message::session`] has ended.
    WorkerEnd,
    /// A message that does not count as an execution, but whose duration may follow on a separate line.
    Uncounted,
    /// The duration of the process's previous statement.
    Duration,
    /// An error, with or without its statement.
    Error,
    /// The statement of an earlier error, logged after a message of another process.
    OrphanStatement,
    /// Any other message about a statement.
    Event,
    /// A message that does not concern a statement.
    #[default]
    Unrelated,
}

/// A message. Its fields are byte ranges of a buffer that belongs to a batch of messages or to an [`OwnedEntry`].
///
/// [`OwnedEntry`]: crate::assembly::entry::OwnedEntry
#[derive(Debug, Clone, Default)]
pub struct Message {
    fields: [(u32, u32); Field::COUNT],
    /// Process ID, 0 if the log lacks it.
    pub pid: u32,
    /// Session key: the process ID, or another value that only one session has at a time. A later session may have the
    /// same key, unless the log has session IDs. The key is 0 if the log has no such value.
    pub session: u64,
    pub severity: Severity,
    pub kind: MessageKind,
    /// The event that the message reports, such as a temporary file, if the message is not an execution.
    pub event: Option<Event>,
    /// Known duration, in microseconds, of a failed lock wait: the statement waited for a lock and did not get it. 0 if
    /// there was no such wait. The message is the error that ended the wait, or belongs to a statement that caught this
    /// error.
    pub lock_wait: u64,
    /// Whether the log lacks the end of the message's text.
    pub truncated: bool,
    /// Whether the text was unescaped or joined from several lines. If so, offsets in the text differ from offsets in
    /// the file.
    pub decoded: bool,
    /// Whether the time is from the envelope, which is the text that another program added to the line. In this case,
    /// the time of the message is the time at which that program received it.
    pub is_time_of_envelope: bool,
    /// Position of the SQL. If the format escapes text, this is the position of the line that contains the record.
    pub position: SourcePosition,
}

impl Message {
    /// Creates a message without fields.
    pub fn new(pid: u32, severity: Severity, position: SourcePosition) -> Self {
        Self { pid, session: u64::from(pid), severity, position, ..Self::default() }
    }

    /// Adds the session's start time to the session key, so that a later session with the same process ID has a
    /// different key. The start time is the first eight hexadecimal digits of the session ID.
    #[inline]
    pub fn distinguish_sessions(&mut self, bytes: &[u8]) {
        if let Some(start) = self.get(Field::Session, bytes).first_chunk::<8>()
            && self.session != 0
        {
            // The multiplication by an odd number spreads the bits of the start time over the whole key.
            self.session ^= u64::from_le_bytes(*start).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
    }

    /// Returns the byte range of a field. The range is empty if the message lacks the field.
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

    /// Sets the duration, and the time at which the statement ended.
    pub fn end_at(&mut self, duration: Range<usize>, time: Range<usize>) {
        self.set(Field::Duration, duration);
        if !time.is_empty() {
            self.set(Field::Time, time);
        }
    }

    /// Returns the text of a field. The message's ranges refer to `bytes`.
    pub fn get<'a>(&self, field: Field, bytes: &'a [u8]) -> &'a [u8] {
        &bytes[self.range(field)]
    }

    /// Adds `distance` to the offsets of all fields.
    pub fn shift(&mut self, distance: usize) {
        for (start, end) in &mut self.fields {
            (*start, *end) = (*start + distance as u32, *end + distance as u32);
        }
    }

    /// Searches `field`, which is the DETAIL or the CONTEXT, for parameters, and sets [`Field::Params`] if there
    /// are any.
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
