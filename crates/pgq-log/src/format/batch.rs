//! A batch: the messages of one chunk of a log, stored in the bytes of the chunk. The [`LineParser`] of the log's
//! format fills the batch.
//!
//! Escaped text, and text on several lines, is decoded in place, because the decoded text is never longer.

use std::ops::Range;

use crate::assembly::entry::{Entry, OwnedEntry};
use crate::assembly::stats::LogStats;
use crate::format::file_position::FilePosition;
use crate::format::frame::Frame;
use crate::format::line::{Line, SourcePosition};
use crate::format::selection::RecordSelection;
use crate::message::event::{
    Event, PARALLEL_WORKER, ended_worker, find_event, is_portal_context, is_raised, is_server_start, is_session_end,
    is_session_start,
};
use crate::message::field::Field;
use crate::message::parts::{Message, MessageKind};
use crate::message::plan::planned_query;
use crate::message::portal::portal_name;
use crate::message::prepared::{find_prepared, may_prepare, prepared_by_sql, statement_of_prepare};
use crate::message::severity::Severity;
use crate::message::text::{MessageText, classify, is_in_unknown_language};
use crate::time::clock::duration_micros;

/// The UTF-8 byte order mark that some editors write.
pub const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Low estimate of the number of bytes per message. Most messages are longer, so a batch's initial capacity usually
/// suffices.
const USUAL_MESSAGE: usize = 128;

/// Minimum number of characters of a duration of 10 ms or more, as in `10.000`.
const TEN_MS: usize = 6;

/// A chunk of a log. It begins at a line that may start a message.
#[derive(Debug, Default)]
pub struct LogChunk {
    /// The bytes as read.
    pub bytes: Vec<u8>,
    /// The last lines before the chunk.
    pub before: Vec<u8>,
    /// Position of the chunk's first byte in the file.
    pub start: FilePosition,
    /// Whether lines end in CR LF.
    pub crlf: bool,
    /// Whether each line begins with a header (frame.rs) in place of its removed envelope.
    pub framed: bool,
    /// Whether the chunk ends inside a message that is too long to be kept.
    pub ends_in_message: bool,
    /// Number of messages since the previous chunk that were too long to be kept.
    pub too_long: u64,
    /// Number of bytes and lines that the chunk lacks, because they belong to messages that were too long to be kept.
    pub skipped: (u64, u64),
}

/// The result of parsing a chunk. It contains, in order, the messages that become or affect records, and counts all
/// messages.
#[derive(Debug, Default)]
pub struct Batch {
    /// The chunk's bytes. Decoded text overwrites them or is appended to them.
    pub(crate) bytes: Vec<u8>,
    pub(crate) start: FilePosition,
    pub(crate) messages: Vec<Message>,
    pub(crate) stats: LogStats,
    pub(crate) selection: RecordSelection,
    /// Whether almost every plan of a statement inside a function has a CONTEXT in this log. Exceptions are the plans
    /// of cursors that are closed after the function has ended.
    pub(crate) marks_inner_plans: bool,
    /// Frame of the current line: the offset of its header, the parsed header, and the length of the time in the
    /// header.
    pub(crate) framed: Option<(usize, Frame<'static>, usize)>,
}

/// Parses the lines of a log in one format. [`LogReaderConfig::parser`] creates parsers.
///
/// [`LogReaderConfig::parser`]: crate::LogReaderConfig::parser
pub trait LineParser: Send {
    /// Parses a line of `batch`. Pushes the messages that the line completes.
    fn parse_line(&mut self, line: Line, batch: &mut Batch);

    /// Called after the last line of a batch. `in_message`: whether the last message continues after the batch. The
    /// rest of that message is dropped.
    fn end_batch(&mut self, batch: &mut Batch, in_message: bool);

    /// Pushes messages that were kept because another part might follow. Called when the log has ended.
    fn flush(&mut self, _batch: &mut Batch) {}

    /// Whether the format contains the CONTEXT of each message, regardless of
    /// `log_error_verbosity`.
    fn has_contexts(&self) -> bool {
        false
    }

    /// Whether a line is certainly the start of a message. A chunk may end before such a line. `line` excludes the line
    /// break.
    fn starts_message(&mut self, line: &[u8]) -> bool;

    /// Called before the first line of a batch. `before`: the lines before the batch, at least those in which a header
    /// may begin.
    fn begin_batch(&mut self, _before: &[u8]) {}
}

impl Batch {
    /// Parses a chunk. `parser` must be for the log's format.
    pub fn parse(chunk: LogChunk, selection: RecordSelection, parser: &mut dyn LineParser) -> Self {
        let LogChunk { bytes, before, start, crlf, framed, ends_in_message, too_long, skipped } = chunk;
        let end = bytes.len();
        // Allocates the vector once, because a growing vector would copy the messages repeatedly.
        let messages = Vec::with_capacity(end / USUAL_MESSAGE);
        // Plans of statements inside functions are recognized by their CONTEXT, which an envelope may lack.
        let marks_inner_plans = parser.has_contexts() && !framed;
        let mut batch = Self { bytes, start, selection, messages, marks_inner_plans, ..Self::default() };
        let has_mark = start.offset == 0 && batch.bytes.starts_with(BYTE_ORDER_MARK);
        let (mut at, mut number) = (if has_mark { BYTE_ORDER_MARK.len() } else { 0 }, 0);
        // After a crash of the machine, a file may have NULs in place of its last blocks, followed by lines that were
        // written after the crash. Looks only at every 128th byte, because the NULs fill the rest of a block of the
        // file system.
        let has_nuls = batch.bytes[..end].iter().step_by(128).any(|byte| *byte == 0);
        parser.begin_batch(&before);
        while at < end {
            let newline = memchr::memchr(b'\n', &batch.bytes[at..end]);
            let line_end = newline.map_or(end, |len| at + len);
            let mut line = Line { start: at, end: line_end, number, header: 0, whole: newline.is_some() };
            at = line.end + usize::from(line.whole);
            number += 1;
            if crlf && line.end > line.start && batch.bytes[line.end - 1] == b'\r' {
                line.end -= 1;
            }
            let is_damaged = has_nuls && memchr::memchr(0, batch.line_text(line)).is_some();
            batch.stats.unreadable += u64::from(is_damaged);
            while batch.bytes.get(line.start) == Some(&0) && line.start < line.end {
                line.start += 1;
            }
            batch.stats.lines += 1;
            if framed && let Some((frame, len)) = Frame::parse(batch.line_text(line)) {
                if frame.foreign {
                    batch.stats.foreign += 1;
                    continue;
                }
                let (frame, time_len) = (frame.without_time(), frame.time.len());
                batch.framed = Some((line.start, frame, time_len));
                (line.start, line.header) = (line.start + len, len as u32);
            }
            parser.parse_line(line, &mut batch);
        }
        parser.end_batch(&mut batch, ends_in_message);
        batch.stats.bytes += end as u64 + skipped.0;
        batch.stats.lines += skipped.1;
        batch.stats.parts += skipped.1;
        batch.stats.too_long += too_long;
        batch
    }

    pub(crate) fn line_text(&self, line: Line) -> &[u8] {
        &self.bytes[line.start..line.end]
    }

    #[inline]
    pub(crate) fn frame(&self, line: Line) -> Option<Frame<'_>> {
        if line.header == 0 {
            return None;
        }
        let header = line.start - line.header as usize;
        match self.framed {
            // The current line.
            Some((start, frame, time_len)) if start == header => {
                Some(Frame { time: &self.bytes[line.start - 1 - time_len..line.start - 1], ..frame })
            }
            _ => Frame::parse(&self.bytes[header..line.end]).map(|(frame, _)| frame),
        }
    }

    /// Returns the position of the text at offset `skip` of a line. If an envelope has changed the text, returns the
    /// position of the envelope's line.
    #[inline]
    pub(crate) fn position(&self, line: Line, skip: usize) -> SourcePosition {
        if line.header > 0 {
            return self.framed_position(line, skip);
        }
        let start = line.start as u32;
        SourcePosition::InBatch { line: line.number, line_start: start, offset: start + skip as u32 }
    }

    fn framed_position(&self, line: Line, skip: usize) -> SourcePosition {
        match self.frame(line) {
            Some(frame) if frame.position.column > 1 => {
                SourcePosition::InFile(frame.position.after_in_line(&self.line_text(line)[..skip]))
            }
            Some(frame) => SourcePosition::InFile(frame.position),
            None => SourcePosition::line_start(line).after_in_line(&self.line_text(line)[..skip]),
        }
    }

    /// Sets the message's fields that only the envelope has, such as the source. `line`: the first line of the message.
    #[inline]
    pub(crate) fn apply_frame(&mut self, line: Line, message: &mut Message) {
        if line.header > 0 {
            self.apply_envelope(line, message);
        }
    }

    fn apply_envelope(&mut self, line: Line, message: &mut Message) {
        let Some(frame) = self.frame(line) else { return };
        if frame.position.column == 1 {
            message.position = SourcePosition::InFile(frame.position);
            message.decoded = true;
        }
        if !message.has(Field::Time) && !frame.time.is_empty() {
            message.set(Field::Time, line.start - 1 - frame.time.len()..line.start - 1);
            message.is_time_of_envelope = true;
        }
        frame.apply_session(message);
        if let Some(time) = frame.time_with_zone(&self.bytes[message.range(Field::Time)]) {
            self.add_field(message, Field::Time, time.as_bytes());
        }
    }

    pub(crate) fn entry(&self, index: usize) -> Entry<'_> {
        Entry::new(&self.bytes, &self.messages[index], self.start)
    }

    /// Appends a line break and a line to the text that ends at offset `end`. Returns the new end.
    pub(crate) fn append_line(&mut self, end: usize, line: Line) -> usize {
        if end + 1 != line.start {
            self.bytes[end] = b'\n';
            self.bytes.copy_within(line.start..line.end, end + 1);
        }
        end + 1 + (line.end - line.start)
    }

    /// Converts a position in this batch to a file position.
    pub(crate) fn file_position(&self, position: SourcePosition) -> FilePosition {
        position.in_file(self.start, &self.bytes)
    }

    /// Appends a message that was assembled outside the batch.
    pub(crate) fn adopt(&mut self, entry: OwnedEntry) -> Message {
        let at = self.bytes.len();
        let (mut message, bytes) = entry.into_parts();
        self.bytes.extend_from_slice(&bytes);
        message.shift(at);
        message
    }

    /// Sets a field whose text is not verbatim in the batch. Appends the text to the batch.
    pub(crate) fn add_field(&mut self, message: &mut Message, field: Field, text: &[u8]) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(text);
        message.set(field, start..self.bytes.len());
    }

    /// Appends a continuation line to a field of the open message.
    pub(crate) fn extend_field(&mut self, field: Field, line: Line) {
        let Some(range) = self.messages.last().map(|message| message.range(field)) else { return };
        let end = self.append_line(range.end, line);
        if let Some(message) = self.messages.last_mut() {
            message.set(field, range.start..end);
            message.decoded = true;
        }
    }

    /// Opens a message. It is the last message of the batch, and may change until it is closed.
    #[inline]
    pub(crate) fn open(&mut self, mut message: Message) {
        message.distinguish_sessions(&self.bytes);
        self.messages.push(message);
    }

    #[inline]
    pub(crate) fn open_message(&mut self) -> Option<&mut Message> {
        self.messages.last_mut()
    }

    /// Adds a complete message. Calls [`Batch::open`] and [`Batch::close`].
    #[inline]
    pub(crate) fn push(&mut self, message: Message, statement_position: SourcePosition) {
        self.open(message);
        self.close(statement_position);
    }

    /// Closes the open message. Classifies its text. Drops the message if it neither becomes nor affects a record.
    /// `statement_position`: the position of [`Field::Statement`].
    pub(crate) fn close(&mut self, statement_position: SourcePosition) {
        let Some(message) = self.messages.last_mut() else { return };
        if message.severity != Severity::Log {
            return self.close_error(statement_position);
        }
        let text = message.range(Field::Message);
        let meaning = classify(&self.bytes[text.clone()]);
        // The server writes its own messages about statements without a STATEMENT, and without a CONTEXT other than the
        // parameters. If the message has a STATEMENT or another CONTEXT, it only looks like such a message: a function
        // has raised it (RAISE LOG).
        let is_inside = |context: &[u8]| !context.is_empty() && !is_portal_context(context);
        let is_raised = message.has(Field::Statement) || is_inside(message.get(Field::Context, &self.bytes));
        let (sql, duration, kind) = match meaning {
            MessageText::Plan { .. } if is_raised => {
                self.stats.nested_plans += 1;
                return self.drop_open();
            }
            MessageText::Plan { duration, plan } => {
                return self.close_plan(duration, text.start + plan, statement_position);
            }
            MessageText::Other => return self.close_other(statement_position),
            _ if is_raised => return self.close_other(statement_position),
            MessageText::Execution { sql, duration } => (sql, duration, MessageKind::Statement),
            MessageText::ParseBind { sql, duration } | MessageText::Fetch { sql, duration }
                if self.selection.parse_bind =>
            {
                (sql, duration, MessageKind::Statement)
            }
            MessageText::ParseBind { sql, duration } => {
                self.stats.parse_bind += 1;
                if !self.selection.add_parse_bind {
                    if let Some(range) = duration.filter(|range| range.len() >= TEN_MS) {
                        self.count_slow_preparation(text.start + range.start..text.start + range.end);
                    }
                    return self.drop_open();
                }
                let (heading, statement) = self.bytes[text.clone()].split_at(sql);
                let sql = sql + prepared_by_sql(heading, statement);
                message.set(Field::Sql, text.start + sql..text.end);
                (0, duration, MessageKind::Preparation)
            }
            // The message begins like a fetch (`execute fetch from …`), but names no portal. It may be the execution
            // of a prepared statement whose name begins with `fetch from`.
            MessageText::Fetch { sql, duration }
                if portal_name(&self.bytes[text.start..text.start + sql]).is_none() =>
            {
                self.stats.lost_fetches += 1;
                (sql, duration, MessageKind::Statement)
            }
            MessageText::Fetch { sql, duration } => {
                self.stats.fetches += 1;
                (sql, duration, if self.selection.durations { MessageKind::Fetch } else { MessageKind::Uncounted })
            }
            MessageText::Fastpath => {
                self.stats.fastpath += 1;
                (0, None, MessageKind::Uncounted)
            }
            MessageText::Duration(range) => (0, Some(range), MessageKind::Duration),
        };
        message.kind = kind;
        if let Some(range) = duration {
            message.set(Field::Duration, text.start + range.start..text.start + range.end);
        }
        if matches!(kind, MessageKind::Statement | MessageKind::Fetch) {
            message.set(Field::Heading, text.start..text.start + sql);
            let (heading, statement) = self.bytes[text.clone()].split_at(sql);
            let sql = sql + prepared_by_sql(heading, statement);
            message.set(Field::Sql, text.start + sql..text.end);
            if !(message.decoded && message.position.is_line_start()) {
                message.position = message.position.after_in_line(&self.bytes[text.start..text.start + sql]);
            }
            if message.has(Field::Detail) {
                find_in_detail(message, &self.bytes);
            }
        }
    }

    #[cold]
    fn count_slow_preparation(&mut self, duration: Range<usize>) {
        self.stats.slow_preparation_micros += duration_micros(&self.bytes[duration]).unwrap_or(0);
    }

    #[cold]
    fn drop_open(&mut self) {
        self.messages.pop();
    }

    /// Closes an open message that is not an execution.
    fn close_other(&mut self, statement_position: SourcePosition) {
        let Some(message) = self.messages.last_mut() else { return };
        let text = message.get(Field::Message, &self.bytes);
        // Without session IDs, a new session may have the process ID of an earlier session. Therefore the message about
        // the start of a session counts as the end of the earlier session. A function can raise the same text, but then
        // the message has a STATEMENT or a CONTEXT.
        let is_raised_text = message.has(Field::Statement) || message.has(Field::Context);
        let is_session_start = !message.has(Field::Session) && is_session_start(text);
        if !is_raised_text && (is_session_end(text) || is_session_start) {
            message.kind = MessageKind::SessionEnd;
            self.stats.without_statement += 1;
            return;
        }
        // Messages about the end of another process, or about the start of the server, have no user, STATEMENT or
        // CONTEXT. A message with one of these fields has the same text only if a function of a client raised it. A
        // message of a parallel worker has no user.
        let is_of_client =
            [Field::User, Field::Database, Field::Statement, Field::Context].iter().any(|field| message.has(*field));
        if let Some(pid) = ended_worker(text).filter(|_| !is_of_client) {
            (message.kind, message.session) = (MessageKind::WorkerEnd, u64::from(pid));
            self.stats.without_statement += 1;
            return;
        }
        let is_of_server = |event: &Event| matches!(event, Event::ServerKilled | Event::ServerStarted);
        let event = find_event(text).filter(|event| !is_of_client || !is_of_server(event));
        match event {
            Some(Event::TemporaryFile { .. }) => self.stats.temporary_files += 1,
            Some(Event::LockWait { .. }) => self.stats.lock_waits += 1,
            _ => {}
        }
        // A function may raise a message that looks like an event. Such a message does not count as an event.
        if event.is_some() && self.selection.events && !is_raised(message.get(Field::Context, &self.bytes)) {
            (message.kind, message.event) = (MessageKind::Event, event);
            if message.has(Field::Statement) {
                message.set(Field::Sql, message.range(Field::Statement));
                message.position = statement_position;
            }
            return;
        }
        if event == Some(Event::ServerStarted) || (!is_of_client && is_server_start(text)) {
            message.kind = MessageKind::ServerStart;
            self.stats.without_statement += 1;
            return;
        }
        let is_foreign = event.is_none()
            && !message.has(Field::Statement)
            && !is_raised(message.get(Field::Context, &self.bytes))
            && is_in_unknown_language(text);
        self.stats.unknown_texts += u64::from(is_foreign);
        self.stats.without_statement += 1;
        if !self.selection.errors {
            self.drop_open(); // if errors are selected, the message may end an error's wait for its statement
        }
    }

    /// Closes an open message that is a plan. `plan`: the offset of the plan's text in the batch.
    fn close_plan(&mut self, duration: Range<usize>, plan: usize, statement_position: SourcePosition) {
        let Some(message) = self.messages.last_mut() else { return };
        let text = message.range(Field::Message);
        let Some(query) = planned_query(&self.bytes[plan..text.end]) else {
            return self.close_other(statement_position);
        };
        self.stats.plans += 1;
        self.stats.ambiguous += u64::from(query.is_ambiguous);
        let sql = query.sql.into_owned();
        message.kind = MessageKind::Plan;
        message.decoded = true;
        message.find_parameters(Field::Context, &self.bytes);
        message.set(Field::Duration, text.start + duration.start..text.start + duration.end);
        if self.selection.events {
            message.set(Field::Plan, plan..text.end);
        }
        let prepared = statement_of_prepare(&sql);
        let start = self.bytes.len();
        self.bytes.extend_from_slice(&sql);
        message.set(Field::Sql, start + prepared.unwrap_or(0)..self.bytes.len());
        if prepared.is_some() || may_prepare(&sql) {
            message.set(Field::Statement, start..self.bytes.len());
        }
    }

    fn close_error(&mut self, statement_position: SourcePosition) {
        let Some(message) = self.messages.last_mut() else { return };
        let is_warning = message.severity == Severity::Warning;
        let is_of_worker = message.get(Field::BackendType, &self.bytes) == PARALLEL_WORKER;
        if is_of_worker && is_warning {
            self.stats.worker_errors += 1; // the worker's leader logs each warning, too
            return self.drop_open();
        }
        message.kind = if is_warning { MessageKind::Event } else { MessageKind::Error };
        message.event = is_warning.then_some(Event::Message);
        let entry = Entry::new(&self.bytes, message, self.start);
        self.stats.cancellations += u64::from(entry.is_canceled() && !is_of_worker);
        if message.has(Field::Statement) {
            message.set(Field::Sql, message.range(Field::Statement));
            message.position = statement_position;
            message.find_parameters(Field::Context, &self.bytes);
        }
    }

    /// Closes an open message that is the statement of an earlier error. Between the error and the statement, other
    /// messages were logged.
    pub(crate) fn close_orphan_statement(&mut self) {
        if let Some(message) = self.messages.last_mut() {
            message.kind = MessageKind::OrphanStatement;
            message.set(Field::Sql, message.range(Field::Statement));
        }
    }

    /// Whether messages of this severity may become records.
    #[inline]
    pub(crate) fn is_selected(&self, severity: Severity) -> bool {
        match severity {
            Severity::Other => false,
            Severity::Warning => self.selection.messages,
            _ => true,
        }
    }

    /// Counts a message. Returns `false` if messages with its severity never become records.
    pub(crate) fn count_message(&mut self, severity: Severity) -> bool {
        self.stats.messages += 1;
        let relevant = self.is_selected(severity);
        self.stats.without_statement += u64::from(!relevant);
        relevant
    }
}

/// Finds the parameters of the statement in the DETAIL of a message. If the statement is an EXECUTE, the DETAIL may
/// contain the prepared statement instead. In this case, the prepared statement becomes the message's SQL, and the
/// EXECUTE becomes [`Field::Statement`]. Exception: if the SQL of the EXECUTE or of the PREPARE has several
/// statements, the message's SQL stays unchanged.
fn find_in_detail(message: &mut Message, bytes: &[u8]) {
    let detail = message.range(Field::Detail);
    let text = &bytes[detail.clone()];
    let has_parameters = text.starts_with(b"parameters: $") || text.starts_with(b"Parameters: $");
    if !has_parameters && let Some(at) = find_prepared(message.get(Field::Sql, bytes), text) {
        message.set(Field::Statement, message.range(Field::Sql));
        message.set(Field::Sql, detail.start + at..detail.end);
        message.decoded = true;
    } else {
        message.find_parameters(Field::Detail, bytes);
    }
}
