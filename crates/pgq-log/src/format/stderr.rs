//! The stderr format (elog.c: send_message_to_server_log). A line starts with log_line_prefix and a severity. A
//! continuation line starts with a tab.

use crate::format::batch::{Batch, LineParser};
use crate::format::frame::Frame;
use crate::format::line::{Line, SourcePosition};
use crate::format::line_header::{LineHeader, may_be_of_unproved_client};
use crate::format::recent_lines::RecentLines;
use crate::message::field::Field;
use crate::message::label::{Label, find_label};
use crate::message::parts::Message;
use crate::message::severity::Severity;
use crate::message::startup::{contains_startup_error, is_lost_client};
use crate::message::text::effective_severity;
use crate::prefix::Prefix;
use crate::scan::lines::split_lines;

pub struct StderrParser {
    header: LineHeader,
    /// Kind of the pending message, which later lines may continue. Unless this message is ignored, it is the open
    /// message of the batch.
    pending: PendingKind,
    /// Process ID of the pending message. Lines with this process ID and a label such as DETAIL belong to the message.
    pid: u32,
    /// Whether the pending message reports that the server could not send data to a client. The names of this client
    /// may be longer than 63 bytes, because the server may log this message before it cuts the names.
    is_lost_client: bool,
    /// Position of an error's statement.
    statement_position: SourcePosition,
    /// Field that a continuation line extends. `None` if the line is ignored.
    field: Option<Field>,
    /// The last lines. Empty if the prefix contains no names.
    recent: RecentLines,
    /// Offset up to which the batch was searched for lines that contain another message, and the number of searches.
    searched: (usize, usize),
}

/// [`StderrParser::follows_mixed_line`] searches this number of bytes before an unreadable line: the capacity of a
/// pipe.
const MIXED: usize = 64 << 10;
/// Maximum number of searches by [`StderrParser::follows_mixed_line`] in a batch.
const MAX_SEARCHES: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PendingKind {
    /// There is no pending message.
    Nothing,
    /// A message with a severity that is not selected.
    Ignored,
    Message,
    /// The statement of an error, logged after a message of another process.
    OrphanStatement,
}

impl StderrParser {
    pub fn new(prefixes: Vec<Prefix>) -> Self {
        Self {
            header: LineHeader::new(prefixes),
            pending: PendingKind::Nothing,
            pid: 0,
            is_lost_client: false,
            statement_position: SourcePosition::default(),
            field: None,
            recent: RecentLines::default(),
            searched: (0, 0),
        }
    }

    fn finish_message(&mut self, batch: &mut Batch) {
        self.field = None;
        match std::mem::replace(&mut self.pending, PendingKind::Nothing) {
            PendingKind::Nothing | PendingKind::Ignored => {}
            PendingKind::Message => {
                let mut is_of_statement = || batch.open_message().is_some_and(|message| message.has(Field::Statement));
                let is_ambiguous = std::mem::take(&mut self.is_lost_client) && !is_of_statement();
                batch.stats.ambiguous += u64::from(is_ambiguous);
                batch.close(self.statement_position);
            }
            PendingKind::OrphanStatement => batch.close_orphan_statement(),
        }
    }

    /// Counts an unreadable line. Ends the pending message if the line may start a message.
    #[cold]
    fn skip_unreadable(&mut self, line: Line, batch: &mut Batch) {
        batch.stats.unreadable += 1;
        let ends_a_name = self.may_end_a_name(line, batch);
        let is_ambiguous =
            ends_a_name || self.header.may_be_cut(batch.line_text(line)) || self.follows_mixed_line(line, batch);
        batch.stats.ambiguous += u64::from(is_ambiguous);
        if matches!(find_label(batch.line_text(line)), Some((_, Label::Primary(_), _))) {
            self.finish_message(batch);
        }
    }

    /// Whether an unreadable line may be the rest of an earlier line that another message interrupted. This happens
    /// if several processes write to one pipe. Searches the preceding bytes for a message that begins inside of a
    /// line.
    fn follows_mixed_line(&mut self, line: Line, batch: &Batch) -> bool {
        let (searched, count) = self.searched;
        if count == MAX_SEARCHES {
            return false;
        }
        self.searched = (line.end, count + 1);
        let start = searched.max(line.start.saturating_sub(MIXED)).min(line.start);
        let mut lines = split_lines(&batch.bytes[start..line.start]).map(Frame::strip);
        if start > 0 {
            lines.next(); // may be a part of a line
        }
        lines.any(|line| self.header.contains_message(line))
    }

    /// Marks the pending message as truncated, because the log lacks a part of it.
    #[cold]
    fn truncate_message(&mut self, batch: &mut Batch) {
        if matches!(self.pending, PendingKind::Message | PendingKind::OrphanStatement)
            && let Some(message) = batch.open_message()
        {
            message.truncated = true;
        }
    }

    /// Reads a line with a label. `text`: the offset after the label.
    fn take_line(&mut self, label: Label, line: Line, text: usize, batch: &mut Batch) {
        match label {
            Label::Primary(severity) => self.start_message(severity, line, text, batch),
            label => {
                batch.stats.parts += 1;
                self.add_labelled_line(label, line, text, batch);
            }
        }
    }

    /// Starts a message. `line` is the message's first line. `text`: the offset of the message in the line.
    fn start_message(&mut self, severity: Severity, line: Line, text: usize, batch: &mut Batch) {
        self.finish_message(batch);
        self.pid = self.header.pid(batch.line_text(line));
        let severity = effective_severity(severity, &batch.bytes[line.start + text..line.end]);
        if !batch.count_message(severity) {
            self.pending = PendingKind::Ignored;
            return;
        }
        let position = batch.position(line, text);
        let session_fields = batch.selection.session_fields_of(severity);
        let mut message = Message::new(self.pid, severity, position);
        self.header.set_fields(batch.line_text(line), line.start, session_fields, &mut message);
        batch.apply_frame(line, &mut message);
        message.set(Field::Message, line.start + text..line.end);
        self.pid = message.pid;
        batch.open(message);
        (self.pending, self.field) = (PendingKind::Message, Some(Field::Message));
    }

    /// Appends a continuation line, without its tab, to the message.
    fn add_further_line(&mut self, line: Line, batch: &mut Batch) {
        match (self.field, self.pending) {
            (_, PendingKind::Nothing) => batch.stats.unreadable += 1,
            (Some(field), _) => {
                batch.stats.parts += 1;
                batch.extend_field(field, line);
            }
            (None, _) => batch.stats.parts += 1,
        }
    }

    /// Whether the last line, which looks like a continuation line, may be the rest of a log_line_prefix, because a name
    /// in the prefix (the user or the database) contains a line break.
    fn may_end_a_name(&self, line: Line, batch: &Batch) -> bool {
        let may_break = |(lines, last): (&[u8], usize)| self.header.may_break_a_name(lines, last);
        self.header.has_names() && (contains_startup_error(batch.line_text(line)) || self.recent.spans().any(may_break))
    }

    /// Adds a line with a label such as DETAIL to its message.
    fn add_labelled_line(&mut self, label: Label, line: Line, text: usize, batch: &mut Batch) {
        let pid = self.header.pid(batch.line_text(line));
        let position = batch.position(line, text);
        let range = line.start + text..line.end;
        self.field = None;
        if pid == self.pid || pid == 0 {
            if let Some(field) = label.field().filter(|_| self.pending == PendingKind::Message)
                && let Some(message) = batch.open_message()
            {
                self.field = Some(field);
                message.set(field, range);
                if field == Field::Statement {
                    self.statement_position = position;
                }
            }
        } else if label == Label::Statement && batch.selection.errors {
            // Another process logged a message between the error and its statement, so the statement becomes a separate
            // message.
            self.finish_message(batch);
            let mut message = Message::new(pid, Severity::Error, position);
            message.set(Field::Statement, range);
            batch.open(message);
            self.pid = pid;
            (self.pending, self.field) = (PendingKind::OrphanStatement, Some(Field::Statement));
        } else if label != Label::Statement && self.header.has_names() {
            // The server writes a DETAIL together with its message, but this line follows no such message. A line
            // break in a name of the log_line_prefix may have split a line here.
            batch.stats.ambiguous += 1;
        }
    }
}

impl LineParser for StderrParser {
    fn begin_batch(&mut self, before: &[u8]) {
        self.recent.begin(before);
    }

    fn parse_line(&mut self, line: Line, batch: &mut Batch) {
        // Copied first, because a continuation line is moved.
        if self.header.has_names() {
            self.recent.push(batch.line_text(line));
        }
        if batch.line_text(line).first() == Some(&b'\t') {
            let further = Line { start: line.start + 1, ..line };
            let is_ambiguous = self.header.may_be_message(batch.line_text(line))
                || self.header.may_be_mixed_in(batch.line_text(further))
                // `line` includes the tab, because the tab may be part of the prefix.
                || self.may_end_a_name(line, batch);
            batch.stats.ambiguous += u64::from(is_ambiguous);
            self.add_further_line(further, batch);
        } else {
            match self.header.parse(batch.line_text(line)) {
                // The tab is missing, but the envelope shows that the line continues the message.
                None if self.pending != PendingKind::Nothing
                    && batch.frame(line).is_some_and(|frame| frame.continued) =>
                {
                    batch.stats.parts += 1;
                    let is_ambiguous =
                        self.header.may_be_cut(batch.line_text(line)) || self.may_end_a_name(line, batch);
                    batch.stats.ambiguous += u64::from(is_ambiguous);
                    if let Some(field) = self.field {
                        batch.extend_field(field, line);
                    }
                }
                None => {
                    if let Some((len, may_be_message)) = self.header.continuation(batch.line_text(line)) {
                        let further = Line { start: line.start + len + 1, ..line };
                        let is_ambiguous = may_be_message || self.may_end_a_name(further, batch);
                        batch.stats.ambiguous += u64::from(is_ambiguous);
                        self.add_further_line(further, batch);
                    } else if line.start < line.end {
                        return self.skip_unreadable(line, batch);
                    } else {
                        batch.stats.empty += 1;
                        return;
                    }
                }
                Some((label, text)) => {
                    self.header.count_ambiguity(&batch.bytes[line.start..line.end], label, text, &mut batch.stats);
                    let may_be_unproved = may_be_of_unproved_client(label, &batch.line_text(line)[text..]);
                    let is_ambiguous = batch.frame(line).is_some_and(|frame| frame.is_rest)
                        || self.header.may_continue(may_be_unproved)
                            && self
                                .recent
                                .spans()
                                .any(|(lines, last)| self.header.may_begin_before(lines, last, may_be_unproved, text));
                    batch.stats.ambiguous += u64::from(is_ambiguous);
                    self.take_line(label, line, text, batch);
                    self.is_lost_client |= may_be_unproved
                        && (label, self.pending) == (Label::Primary(Severity::Log), PendingKind::Message)
                        && self.header.has_names()
                        && is_lost_client(&batch.line_text(line)[text..]);
                }
            }
        }
        if !line.whole {
            self.truncate_message(batch);
        }
    }

    fn end_batch(&mut self, batch: &mut Batch, in_message: bool) {
        if in_message {
            self.truncate_message(batch);
        }
        self.finish_message(batch);
        self.pid = 0;
        self.searched = (0, 0);
    }

    fn starts_message(&mut self, line: &[u8]) -> bool {
        line.first() != Some(&b'\t') && matches!(self.header.parse(line), Some((Label::Primary(_), _)))
    }
}
