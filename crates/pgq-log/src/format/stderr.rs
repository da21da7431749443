//! The stderr format (elog.c: send_message_to_server_log). A line starts with log_line_prefix and a severity. A
//! continuation line starts with a tab.

use std::ops::Range;

use crate::format::batch::{Batch, LineParser};
use crate::format::line::{Line, SourcePosition};
use crate::format::line_header::LineHeader;
use crate::message::field::Field;
use crate::message::label::{Label, find_label};
use crate::message::parts::Message;
use crate::message::severity::Severity;
use crate::prefix::Prefix;
use crate::prefix::readings::WINDOW;

pub struct StderrParser {
    header: LineHeader,
    /// Kind of the pending message, which later lines may continue. Unless this message is ignored, it is the open
    /// message of the batch.
    pending: PendingKind,
    /// Process ID of the pending message. Labeled lines with this process ID belong to the message.
    pid: u32,
    /// Position of an error's statement.
    statement_position: SourcePosition,
    /// Field that a continuation line extends. `None` if the line is ignored.
    field: Option<Field>,
    /// The last line with a header.
    header_line: Range<usize>,
    /// The text of `header_line` and its continuation lines, if there are continuation lines.
    lines: Vec<u8>,
}

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
            statement_position: SourcePosition::default(),
            field: None,
            header_line: 0..0,
            lines: Vec::new(),
        }
    }

    fn finish_message(&mut self, batch: &mut Batch) {
        self.field = None;
        match std::mem::replace(&mut self.pending, PendingKind::Nothing) {
            PendingKind::Nothing | PendingKind::Ignored => {}
            PendingKind::Message => batch.close(self.statement_position),
            PendingKind::OrphanStatement => batch.close_orphan_statement(),
        }
    }

    /// Counts an unreadable line. Ends the pending message if the line may start a message.
    #[cold]
    fn skip_unreadable(&mut self, line: Line, batch: &mut Batch) {
        batch.stats.unreadable += 1;
        batch.stats.ambiguous += u64::from(self.header.may_be_cut(batch.line_text(line)));
        if matches!(find_label(batch.line_text(line)), Some((_, Label::Primary(_), _))) {
            self.finish_message(batch);
        }
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
        self.header_line = line.start..line.end;
        self.lines.clear();
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

    /// Whether a continuation line may contain the end of a name, because a name may contain a line break.
    fn may_end_a_name(&mut self, line: Line, batch: &Batch) -> bool {
        // Without a pending message, the header is unknown, because it may be in an earlier batch.
        if self.pending == PendingKind::Nothing || !self.header.has_names() {
            return false;
        }
        if self.lines.is_empty() {
            self.lines.extend_from_slice(&batch.bytes[self.header_line.clone()]);
        }
        if self.lines.len() >= WINDOW {
            return false;
        }
        self.lines.push(b'\n');
        self.lines.extend_from_slice(batch.line_text(line));
        self.header.may_break_a_name(&self.lines)
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
        }
    }
}

impl LineParser for StderrParser {
    fn parse_line(&mut self, line: Line, batch: &mut Batch) {
        if batch.line_text(line).first() == Some(&b'\t') {
            let further = Line { start: line.start + 1, ..line };
            let is_ambiguous = self.header.may_be_message(batch.line_text(line)) || self.may_end_a_name(further, batch);
            batch.stats.ambiguous += u64::from(is_ambiguous);
            self.add_further_line(further, batch);
        } else {
            match self.header.parse(batch.line_text(line)) {
                // The tab is missing, but the envelope shows that the line continues the message.
                None if self.pending != PendingKind::Nothing
                    && batch.frame(line).is_some_and(|frame| frame.continued) =>
                {
                    batch.stats.parts += 1;
                    if let Some(field) = self.field {
                        batch.extend_field(field, line);
                    }
                }
                None => {
                    if let Some(len) = self.header.continuation(batch.line_text(line)) {
                        let further = Line { start: line.start + len + 1, ..line };
                        batch.stats.ambiguous += u64::from(self.may_end_a_name(further, batch));
                        self.add_further_line(further, batch);
                    } else if line.start < line.end {
                        return self.skip_unreadable(line, batch);
                    } else {
                        batch.stats.empty += 1;
                        return;
                    }
                }
                Some((label, text)) => {
                    self.header.count_ambiguity(&batch.bytes[line.start..line.end], text, &mut batch.stats);
                    batch.stats.ambiguous += u64::from(batch.frame(line).is_some_and(|frame| frame.is_rest));
                    self.take_line(label, line, text, batch);
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
    }

    fn starts_message(&mut self, line: &[u8]) -> bool {
        line.first() != Some(&b'\t') && matches!(self.header.parse(line), Some((Label::Primary(_), _)))
    }
}

#[cfg(test)]
mod tests {
    use super::{Prefix, StderrParser};
    use crate::testing::{check_all_cuts, read_log};

    const PREFIX: &str = "%m [%p] %q%u@%d ";
    const HEADER: &str = "2026-01-31 12:00:00.123 UTC [7] ann@shop ";

    fn parser() -> StderrParser {
        StderrParser::new(vec![Prefix::parse(PREFIX)])
    }

    /// Returns the records of a log in which `7>` and `8>` represent the headers of two processes.
    fn records(log: &str) -> Vec<String> {
        let log = log.replace("7>", HEADER).replace("8>", &HEADER.replace("[7]", "[8]"));
        read_log(&|| Box::new(parser()), log.as_bytes()).0
    }

    #[test]
    fn statements_of_every_form_are_read() {
        let log = "7>LOG:  duration: 0.1 ms  statement: SELECT 1\n\
                   7>LOG:  duration: 0.2 ms  parse s: SELECT $1\n\
                   7>LOG:  duration: 0.2 ms  bind s: SELECT $1\n\
                   7>DETAIL:  parameters: $1 = 'a'\n\
                   7>LOG:  duration: 0.3 ms  execute s: SELECT $1\n\
                   7>DETAIL:  Parameters: $1 = 'a'\n\
                   7>LOG:  statement: SELECT\n\t\n\t\t2\n\
                   7>LOG:  duration: 4 ms\n\
                   7>LOG:  execute fetch from s/c: SELECT 3\n\
                   7>LOG:  duration: 5 ms  plan:\n\tQuery Text: SELECT 3\n\tResult  (cost=0.00..0.01 rows=1 width=4)\n\
                   7>ERROR:  no\n\tway\n\
                   7>HINT:  none\n\
                   7>STATEMENT:  SELECT\n\t4\n";
        assert_eq!(
            records(log),
            [
                "7 LOG | ann | 0.1 | SELECT 1",
                "7 LOG | ann | 0.3 | SELECT $1 | $1 = 'a'",
                "7 LOG | ann | 4 | SELECT\n\n\t2",
                "7 LOG | ann | 5 | SELECT 3",
                "7 ERROR | ann | SELECT\n4",
            ]
        );
    }

    #[test]
    fn messages_of_processes_may_interleave() {
        let log =
            "7>LOG:  statement: A\n8>ERROR:  x\n7>LOG:  duration: 1 ms\n8>STATEMENT:  B\n\tC\n7>LOG:  statement: D\n";
        assert_eq!(records(log), ["7 LOG | ann | 1 | A", "8 ERROR | ann | B\nC", "7 LOG | ann | D"]);
    }

    #[test]
    fn further_lines_may_stand_behind_the_text_of_another_program() {
        let log = "db 7 LOG:  statement: SELECT\ndb \t1\n\ndb 7 ERROR:  x\ndb 7 STATEMENT:  B\ndb \tC\nmore\n";
        let new_parser = || -> Box<dyn crate::format::batch::LineParser> {
            Box::new(StderrParser::new(vec![Prefix::parse("db %p ")]))
        };
        let (records, stats) = read_log(&new_parser, log.as_bytes());
        assert_eq!(records, ["7 LOG | SELECT\n1", "7 ERROR | B\nC"]);
        assert_eq!((stats.lines, stats.messages, stats.parts, stats.empty, stats.unreadable), (7, 2, 3, 1, 1));
    }

    #[test]
    fn a_name_that_starts_with_a_tab_is_noticed() {
        let log = "a@b LOG:  statement: SELECT\n\t1\n\tc@d LOG:  statement: DELETE\n\nc@d ERROR:  x\n\t\ty\n";
        for prefix in ["%u@%d ", "%q%u@%d "] {
            let (_, stats) = read_log(&|| Box::new(StderrParser::new(vec![Prefix::parse(prefix)])), log.as_bytes());
            assert_eq!((stats.ambiguous, stats.messages), (1, 2), "{prefix}");
        }
    }

    #[test]
    fn the_last_record_of_a_cut_log_is_truncated() {
        assert_eq!(records("7>LOG:  statement: SELECT 1, '2"), ["7 LOG | ann | SELECT 1, '2 | truncated"]);
        let log = "7>LOG:  duration: 1 ms  statement: A\n\tB\n7>LOG:  execute x: C\n7>DETAIL:  parameters: $1 = '1'\n";
        let log = log.replace("7>", HEADER);
        check_all_cuts(&|| Box::new(parser()), log.as_bytes());
    }
}
