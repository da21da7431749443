//! A message with its text: [`Entry`] borrows the text from the batch, and [`OwnedEntry`] owns it and outlives the
//! batch.

use std::sync::Arc;

use pgq_lexer::{first_word, statement_keyword};

use crate::format::file_position::FilePosition;
use crate::format::line::SourcePosition;
use crate::message::event::{Event, is_cancellation};
use crate::message::field::Field;
use crate::message::parts::{MAX_MESSAGE_BYTES, Message, MessageKind};
use crate::message::portal::is_simple;
use crate::message::severity::Severity;
use crate::time::timestamp::Timestamp;

/// A record: a message, and the bytes that its fields refer to.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    bytes: &'a [u8],
    message: &'a Message,
    /// File position of the first byte of `bytes`.
    batch_start: FilePosition,
    file: Option<&'a str>,
}

impl<'a> Entry<'a> {
    pub(crate) fn new(bytes: &'a [u8], message: &'a Message, batch_start: FilePosition) -> Self {
        Self { bytes, message, batch_start, file: None }
    }

    /// Returns the name of the record's file, or `None` if the record is from the same file as the
    /// batch.
    #[must_use]
    pub fn file(&self) -> Option<&'a str> {
        self.file
    }

    /// Returns the text of a field. The text is empty if the record lacks the field.
    #[must_use]
    pub fn get(&self, field: Field) -> &'a [u8] {
        self.message.get(field, self.bytes)
    }

    /// Returns the SQL of the statement.
    #[must_use]
    pub fn sql(&self) -> &'a [u8] {
        self.get(Field::Sql)
    }

    /// Returns the ID of the process that logged the record, or 0 if the log lacks it.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.message.pid
    }

    /// Returns the session key, or 0 if the log does not distinguish sessions.
    pub(crate) fn session(&self) -> u64 {
        self.message.session
    }

    /// Whether the time is from an envelope.
    pub(crate) fn has_time_of_envelope(&self) -> bool {
        self.message.is_time_of_envelope
    }

    /// Returns the severity of the message.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.message.severity
    }

    /// Whether the server logged the statement before parsing it (`log_statement`), and the log lacks its duration.
    /// In this case, the record's query ID, transaction ID and command tag are not those of the statement. They
    /// describe the session before the statement.
    #[must_use]
    pub fn is_logged_before_parsing(&self) -> bool {
        self.get(Field::Duration).is_empty() && is_simple(self.get(Field::Heading))
    }

    /// Whether the record is a plan that the server logged while the session ran another statement, so that the
    /// record's query ID and command tag are not those of the planned statement. In a transaction, the server logs a
    /// plan of the extended protocol only when the next statement or the transaction's end closes the portal.
    #[must_use]
    pub fn is_logged_by_another_statement(&self) -> bool {
        let is_own = || {
            let tag = first_word(self.get(Field::CommandTag));
            match statement_keyword(self.sql()).as_str() {
                "values" | "table" => tag == b"SELECT",
                keyword => tag.eq_ignore_ascii_case(keyword.as_bytes()),
            }
        };
        self.message.kind == MessageKind::Plan && !is_own()
    }

    /// Returns the offset from UTC, in microseconds, at the session's start. A log with session IDs contains the start
    /// twice: as a local time (`started`), and as seconds since 1970 in the ID (elog.c: log_status_format). Returns
    /// `None` if the zone of `started` is known, or if the difference is not a valid offset.
    #[must_use]
    pub fn session_offset(&self, started: Timestamp) -> Option<i64> {
        /// A valid offset from UTC is a multiple of a quarter of an hour, and at most 14 hours.
        const QUARTER: i64 = 900_000_000;
        if started.has_zone() {
            return None;
        }
        let (seconds, _) = std::str::from_utf8(self.get(Field::Session)).ok()?.split_once('.')?;
        let started_utc = i64::from_str_radix(seconds, 16).ok()?.checked_mul(1_000_000)?;
        let offset = started.local_micros() - started_utc;
        (offset % QUARTER == 0 && offset.abs() <= 14 * 4 * QUARTER).then_some(offset)
    }

    /// Whether the time of the record has the same zone abbreviation as the session's start.
    #[must_use]
    pub fn has_zone_of_session(&self) -> bool {
        let abbreviation = |field| self.get(field).rsplit(|byte| *byte == b' ').next();
        abbreviation(Field::Time) == abbreviation(Field::SessionStart)
    }

    /// Returns the event that this record reports, or `None` for an execution or an error. The event's statement may be
    /// unknown.
    #[must_use]
    pub fn event(&self) -> Option<Event> {
        self.message.event
    }

    /// Returns the known duration, in microseconds, of a failed lock wait: the statement waited for a lock and did not
    /// get it. The entry is the error that ended the wait, or the execution of a statement that caught this error. The
    /// actual wait was longer than the returned duration, because the log has only the time until its last message
    /// about the wait. Returns `None` if there was no such wait.
    #[must_use]
    pub fn failed_lock_wait(&self) -> Option<u64> {
        Some(self.message.lock_wait).filter(|waited| *waited > 0)
    }

    /// Whether the record is the error of a statement that was canceled by a timeout, a user or a recovery conflict.
    #[must_use]
    pub fn is_canceled(&self) -> bool {
        self.severity().is_error()
            && (self.get(Field::SqlState) == b"57014" || is_cancellation(self.get(Field::Message)))
    }

    /// Whether the log lacks the end of the record's text.
    #[must_use]
    pub fn is_truncated(&self) -> bool {
        self.message.truncated
    }

    /// Whether the SQL was unescaped or joined from several lines. If so, offsets in the SQL differ from offsets in the
    /// file.
    #[must_use]
    pub fn is_decoded(&self) -> bool {
        self.message.decoded
    }

    /// Returns the file position of the SQL. If the format escapes text, returns the position of the record's line.
    #[must_use]
    pub fn position(&self) -> FilePosition {
        self.message.position.in_file(self.batch_start, self.bytes)
    }

    /// Returns the duration in milliseconds, if the record has one.
    #[must_use]
    pub fn duration_ms(&self) -> Option<f64> {
        std::str::from_utf8(self.get(Field::Duration)).ok()?.parse().ok()
    }
}

/// A message that owns its fields. It can outlive its batch while it waits for a duration or a statement.
#[derive(Debug, Clone)]
pub struct OwnedEntry {
    bytes: Vec<u8>,
    /// The message. Its fields are ranges of `bytes`.
    pub message: Message,
    /// Name of the file that contains the message, or `None` for the file that is being read.
    pub file: Option<Arc<str>>,
}

impl OwnedEntry {
    /// Copies the fields of an entry. For an execution, omits [`Field::Message`], which is not needed later.
    pub fn new(entry: Entry<'_>) -> Self {
        let mut owned = Self { bytes: Vec::new(), message: entry.message.clone(), file: entry.file.map(Arc::from) };
        owned.message.position = SourcePosition::InFile(entry.position());
        for field in Field::ALL {
            owned.set(
                field,
                if field == Field::Message && entry.severity() == Severity::Log && entry.event().is_none() {
                    b""
                } else {
                    entry.get(field)
                },
            );
        }
        owned
    }

    /// Creates an entry from a message and a copy of `bytes`, to which the message's fields refer.
    pub fn from_message(message: Message, bytes: &[u8]) -> Self {
        Self { bytes: bytes.to_vec(), message, file: None }
    }

    /// Returns the message and the bytes to which its fields refer.
    pub fn into_parts(self) -> (Message, Vec<u8>) {
        (self.message, self.bytes)
    }

    /// Sets a field to a copy of `text`.
    pub fn set(&mut self, field: Field, text: &[u8]) {
        let start = self.bytes.len();
        self.message.set(field, start..start);
        self.extend(field, text);
    }

    /// Sets the duration, and the time at which the statement ended.
    pub fn end_at(&mut self, duration: &[u8], time: &[u8]) {
        self.set(Field::Duration, duration);
        if !time.is_empty() {
            self.set(Field::Time, time);
        }
    }

    /// Appends `text` to `field`, which must be the field that was set last. Truncates the entry at
    /// [`MAX_MESSAGE_BYTES`].
    pub fn extend(&mut self, field: Field, text: &[u8]) {
        let room = MAX_MESSAGE_BYTES.saturating_sub(self.bytes.len());
        self.message.truncated |= text.len() > room;
        self.bytes.extend_from_slice(&text[..text.len().min(room)]);
        self.message.set(field, self.message.range(field).start..self.bytes.len());
    }

    /// Adds the failed SQL to this error. `statement`: a later message of the log, with this SQL.
    pub fn add_statement(&mut self, statement: Entry<'_>) {
        self.set(Field::Sql, statement.sql());
        self.message.truncated |= statement.is_truncated();
        self.message.decoded |= statement.is_decoded();
        self.message.position = SourcePosition::InFile(statement.position());
        let Self { bytes, message, .. } = self;
        message.find_parameters(Field::Context, bytes);
    }

    /// Returns the entry, which borrows the text.
    pub fn entry(&self) -> Entry<'_> {
        Entry {
            bytes: &self.bytes,
            message: &self.message,
            batch_start: FilePosition::default(),
            file: self.file.as_deref(),
        }
    }

    /// Returns the memory usage in bytes.
    pub fn memory_size(&self) -> usize {
        size_of::<Self>() + self.bytes.capacity()
    }
}
