//! The stderr format as syslog keeps it: a header of syslog before each line, long messages in
//! numbered pieces (elog.c: write_syslog). It does not assemble records.
//!
//! Pieces of different processes are mixed, so one message of each process is kept open.

use std::collections::HashMap;

use crate::batch::{Batch, LineParser};
use crate::entry::OwnedEntry;
use crate::field::Field;
use crate::label::Label;
use crate::line::{Line, SourcePosition};
use crate::line_header::LineHeader;
use crate::prefix::Prefix;
use crate::severity::Severity;
use crate::syslog_header::{SyslogHeader, decode_escapes, parse_header};

/// Maximum number of open messages.
const MAX_OPEN: usize = 256;
/// Maximum number of lines for which a message stays open.
const MAX_OPEN_LINES: u64 = 2000;

/// A message that further pieces may continue.
struct OpenMessage {
    entry: OwnedEntry,
    /// Where the statement of an error starts.
    statement_position: SourcePosition,
    /// The field that a piece without a label extends; `None` if the piece is ignored.
    field: Option<Field>,
    /// Numbers of the last piece.
    piece: Option<(u64, u64)>,
    /// The number of the line that started it.
    first_line: u64,
}

/// The parser of a log that went through syslog.
pub struct SyslogParser {
    header: LineHeader,
    /// By process.
    open: HashMap<u32, OpenMessage>,
    /// Buffer for the decoded text of a line.
    decoded: Vec<u8>,
    /// Lines parsed so far.
    lines: u64,
}

impl SyslogParser {
    pub fn new(prefixes: Vec<Prefix>) -> Self {
        Self { header: LineHeader::new(prefixes), open: HashMap::new(), decoded: Vec::new(), lines: 0 }
    }

    /// Pushes the open message of a process.
    fn close(&mut self, pid: u32, batch: &mut Batch) {
        if let Some(open) = self.open.remove(&pid)
            && open.entry.message.severity != Severity::Other
        {
            let message = batch.adopt(open.entry);
            batch.push(message, open.statement_position);
        }
    }

    /// Pushes messages that have been open for long, oldest first; with `all`, every one.
    fn close_old(&mut self, all: bool, batch: &mut Batch) {
        let full = self.open.len() > MAX_OPEN;
        if !full && !all && !self.lines.is_multiple_of(MAX_OPEN_LINES / 2) {
            return;
        }
        let mut oldest: Vec<(u64, u32)> = self.open.iter().map(|(pid, open)| (open.first_line, *pid)).collect();
        oldest.sort_unstable();
        let surplus = if full { MAX_OPEN / 2 } else { 0 };
        for (index, (first_line, pid)) in oldest.into_iter().enumerate() {
            if all || index < surplus || first_line + MAX_OPEN_LINES < self.lines {
                self.close(pid, batch);
            }
        }
    }
}

impl LineParser for SyslogParser {
    fn parse_line(&mut self, line: Line, batch: &mut Batch) {
        self.lines += 1;
        let Some(SyslogHeader { time, pid, piece, text }) = parse_header(batch.line_text(line)) else {
            batch.stats.unreadable += u64::from(line.start < line.end);
            return;
        };
        let mut decoded = std::mem::take(&mut self.decoded);
        decode_escapes(text, &mut decoded);
        let (time, escaped) = (time.to_vec(), text.len() != decoded.len());
        let text_start = (line.end - line.start) - text.len();
        let first_piece = piece.is_none_or(|(_, number)| number == 1);
        let label = if decoded.starts_with(b"\t") { None } else { self.header.parse(&decoded) };
        match label {
            Some((Label::Primary(severity), start)) if first_piece => {
                self.close(pid, batch);
                batch.count_message(severity);
                let before = text_start + if escaped { 0 } else { start };
                let position = SourcePosition::line_start(line).after_in_line(&batch.line_text(line)[..before]);
                let position = SourcePosition::InFile(batch.file_position(position));
                let message =
                    self.header.start_message(&decoded, 0, severity, position, batch.selection.session_fields);
                let mut entry = OwnedEntry::from_message(message, &decoded);
                if entry.message.pid == 0 {
                    (entry.message.pid, entry.message.session) = (pid, u64::from(pid));
                }
                if !entry.message.has(Field::Time) {
                    entry.set(Field::Time, &time);
                }
                entry.message.decoded = escaped;
                entry.message.truncated = !line.whole;
                entry.set(Field::Message, &decoded[start..]);
                let open = OpenMessage {
                    entry,
                    statement_position: SourcePosition::default(),
                    field: Some(Field::Message),
                    piece,
                    first_line: self.lines,
                };
                self.open.insert(pid, open);
                self.close_old(false, batch);
            }
            label => match self.open.get_mut(&pid) {
                None => batch.stats.unreadable += 1,
                Some(open) => {
                    open.add_piece(label, &decoded, piece, line.whole);
                    if open.field == Some(Field::Statement) && matches!(label, Some((Label::Statement, _))) {
                        let position = batch.file_position(SourcePosition::line_start(line));
                        open.statement_position = SourcePosition::InFile(position);
                    }
                }
            },
        }
        self.decoded = decoded;
    }

    fn end_batch(&mut self, batch: &mut Batch, _in_message: bool) {
        // Further pieces of open messages may be in the next batch.
        self.close_old(false, batch);
    }

    fn flush(&mut self, batch: &mut Batch) {
        self.close_old(true, batch);
    }

    fn starts_message(&mut self, _line: &[u8]) -> bool {
        true
    }
}

impl OpenMessage {
    /// Adds a further piece. `label` is its label and the offset of the text after it.
    fn add_piece(&mut self, label: Option<(Label, usize)>, text: &[u8], piece: Option<(u64, u64)>, whole: bool) {
        let follows = match (self.piece, piece) {
            (Some((message, number)), Some((next_message, next_number))) => {
                message == next_message && number + 1 == next_number
            }
            (before, next) => before == next,
        };
        self.piece = piece;
        let entry = &mut self.entry;
        // The text of a missing piece is lost; it may also have started another field.
        entry.message.truncated |= !follows || !whole;
        match label {
            Some((label, start)) if !matches!(label, Label::Primary(_)) => {
                self.field = label.field();
                if let Some(field) = self.field {
                    entry.set(field, &text[start..]);
                    entry.message.decoded = true;
                }
            }
            _ => {
                let Some(field) = self.field else { return };
                if text.starts_with(b"\t") {
                    entry.extend(field, b"\n");
                }
                entry.extend(field, text.strip_prefix(b"\t").unwrap_or(text));
                entry.message.decoded = true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Prefix, SyslogParser};
    use crate::testing::read_log;

    /// The records of a log in which `7>` and `8>` stand for the headers of two processes.
    fn records(log: &str) -> Vec<String> {
        let log =
            log.replace("7>", "Jan  1 12:00:00 db postgres[7]: ").replace("8>", "Jan  1 12:00:00 db postgres[8]: ");
        read_log(&|| Box::new(SyslogParser::new(vec![Prefix::parse("%q%u@%d ")])), log.as_bytes()).0
    }

    #[test]
    fn pieces_are_joined() {
        let log = "7>[3-1] ann@shop LOG:  duration: 1 ms  execute s: SELECT a,\n\
                   8>[5-1] bob@shop LOG:  statement: SELECT 1\n\
                   7>[3-2]  b,\n\
                   7>[3-3] #011c\n\
                   8>[6-1] bob@shop LOG:  duration: 2 ms\n\
                   7>[3-4] ann@shop DETAIL:  parameters: $1 = '1'\n";
        assert_eq!(records(log), ["8 LOG | bob | 2 | SELECT 1", "7 LOG | ann | 1 | SELECT a, b,\nc | $1 = '1'"]);
    }

    #[test]
    fn a_missing_piece_truncates() {
        let log =
            "7>[3-1] ann@shop LOG:  statement: SELECT a\n7>[3-3] #011FROM t\n7>[4-1] ann@shop LOG:  statement: B\n";
        assert_eq!(records(log), ["7 LOG | ann | SELECT a\nFROM t | truncated", "7 LOG | ann | B"]);
    }

    #[test]
    fn pieces_without_numbers_are_joined() {
        let log = "7>ann@shop LOG:  statement: SELECT\n8>LOG:  checkpoint\n7>#011 a\n7>ann@shop ERROR:  x\n7>ann@shop STATEMENT:  B\n";
        assert_eq!(records(log), ["7 LOG | ann | SELECT\n a", "7 ERROR | ann | B"]);
    }
}
