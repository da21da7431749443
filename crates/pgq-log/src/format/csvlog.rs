//! The csvlog format of PostgreSQL 8.3 and later (csvlog.c): rows of 22 to 26 columns. Converts rows to messages.
//!
//! A row ends at a line break with an even number of quotes before it. A row also ends before a line that certainly
//! starts another row. Without this second rule, a truncated row would include all later rows.

pub mod row;

use std::ops::Range;

use crate::format::batch::{Batch, LineParser};
use crate::format::frame::Frame;
use crate::format::line::{Line, SourcePosition};
use crate::message::field::Field;
use crate::message::language;
use crate::message::parts::Message;
use crate::message::severity::Severity;
use crate::message::text::effective_severity;
use crate::scan::lines::{outside_quotes, split_lines};
use crate::scan::number::parse_pid;
use crate::time::timestamp::timestamp_len;
use row::{CsvRow, KnownColumns, MAX_COLUMNS, MESSAGE, MIN_COLUMNS, PID, QUERY, SEVERITY, TAG, USER};

const COLUMNS: [(usize, Field); 19] = [
    (0, Field::Time),
    (1, Field::User),
    (2, Field::Database),
    (5, Field::Session),
    (22, Field::Application),
    (13, Field::Message),
    (14, Field::Detail),
    (18, Field::Context),
    (19, Field::Statement),
    (4, Field::RemoteHost),
    (9, Field::VirtualXid),
    (6, Field::SessionLine),
    (7, Field::CommandTag),
    (8, Field::SessionStart),
    (10, Field::Txid),
    (12, Field::SqlState),
    (25, Field::QueryId),
    (15, Field::Hint),
    (23, Field::BackendType),
];
/// Number of leading [`COLUMNS`] that are always read. Whether the other columns are read depends on
/// [`RecordSelection::session_fields`].
///
/// [`RecordSelection::session_fields`]: crate::RecordSelection::session_fields
const SESSION_COLUMNS: usize = 11;

/// Maximum end offset of the time column. If the column ends later, the row was cut inside its time, and the column
/// also contains the start of the next row.
const MAX_TIME: usize = 41;

#[derive(Default)]
pub struct CsvlogParser {
    /// Whether names have no quotes. The server writes quotes, but a program that rewrites the log may omit them.
    has_bare_names: bool,
    /// Maximum number of columns of a row. A row with more columns has lost its end, so the next row was read as a part
    /// of it.
    max_columns: usize,
    /// An incomplete row: its first line, and the current end of its text.
    pending_row: Option<(Line, usize)>,
    /// The columns of the last row.
    columns: CsvRow,
    known: KnownColumns,
}

/// Whether a line looks like the start of a row. A row starts with a time, followed by a quoted user name or an empty
/// column.
pub fn looks_like_row(line: &[u8]) -> bool {
    matches!(line.get(timestamp_len(line)..), Some([b',', b',' | b'"', ..]))
}

/// Whether a line is the start of a row without an envelope. The line must have a time, and later a severity, a
/// SQLSTATE and a quoted message. A row in HTML does not match, because its quotes are entities. A row from `grep
/// --color` does not match, because escape sequences enclose the severity.
pub fn is_servers_row(line: &[u8]) -> bool {
    let is_code = |text: &[u8]| text.iter().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
    let mut severity = 0;
    let ends_severity = |at: usize| {
        let from = std::mem::replace(&mut severity, at + 1);
        let after = &line[at + 1..];
        !line[from..at].contains(&0x1b) && after.len() > 6 && is_code(&after[..5]) && after[5..].starts_with(b",\"")
    };
    timestamp_len(line) > 0 && looks_like_row(line) && memchr::memchr_iter(b',', line).any(ends_severity)
}

/// Whether the first row of a sample has a user without quotes.
pub fn has_bare_names(sample: &[u8]) -> bool {
    let user = |line: &[u8]| match time_len(line) {
        0 => None,
        len => line[len..].strip_prefix(b",")?.first().copied().filter(|first| *first != b','),
    };
    let mut lines = outside_quotes(split_lines(sample).map(Frame::strip), |line| line, looks_like_row);
    lines.find_map(user).is_some_and(|first| first != b'"')
}

/// Whether a line is certainly the start of a row: a time, a comma, a quote and the start of a user name. A line inside
/// a quoted field cannot start like this: a quote character of the text is doubled, and the closing quote is followed
/// by a comma or a line break. The time may be in quotes, too, if another program has rewritten the log.
fn starts_row(line: &[u8]) -> bool {
    let time = time_len(line);
    time > 0 && matches!(&line[time..], [b',', b'"', user, ..] if !b"\",\r".contains(user))
}

/// Returns the length of the time at the start of a line, including quotes around the time.
fn time_len(line: &[u8]) -> usize {
    match line.strip_prefix(b"\"") {
        None => timestamp_len(line),
        Some(text) => match timestamp_len(text) {
            len if len > 0 && text.get(len) == Some(&b'"') => len + 2,
            _ => 0,
        },
    }
}

/// Whether two lines have different sources according to the envelope.
fn is_of_another_source(batch: &Batch, first: Line, line: Line) -> bool {
    let source = |line: Line| batch.frame(line).map(|frame| (frame.stream, frame.pid));
    source(first) != source(line)
}

/// Replaces each doubled quote (`""`) with one quote, in place. Returns the new length.
fn undouble_quotes(text: &mut [u8]) -> usize {
    let (mut from, mut to) = (0, 0);
    while let Some(len) = memchr::memchr(b'"', &text[from..]) {
        text.copy_within(from..from + len + 1, to);
        (from, to) = (from + len + 2, to + len + 1);
    }
    let from = from.min(text.len());
    text.copy_within(from.., to);
    to + text.len() - from
}

impl CsvlogParser {
    /// Creates a parser. `first_columns`: the number of columns of the first row. This number
    /// exceeds `MAX_COLUMNS` if a future version writes more columns.
    pub fn new(has_bare_names: bool, first_columns: usize) -> Self {
        Self { has_bare_names, max_columns: first_columns.max(MAX_COLUMNS), ..Self::default() }
    }

    /// Parses the row that starts with line `first` and ends at offset `end`.
    fn parse_row(&mut self, first: Line, end: usize, batch: &mut Batch) {
        let row = &batch.bytes[first.start..end];
        if self.columns.split(row, false, &mut self.known).is_some() && self.is_row(row) {
            self.push_row(first, batch);
            return;
        }
        Self::count_unreadable(first, row.is_empty(), batch);
    }

    /// Counts a line or row that cannot be read. At the start of a log, also counts it as ambiguous, because the log
    /// may start within a statement, whose lines may look like rows.
    #[cold]
    fn count_unreadable(line: Line, is_empty: bool, batch: &mut Batch) {
        let stats = &mut batch.stats;
        if is_empty {
            stats.empty += 1;
            return;
        }
        stats.unreadable += 1;
        let starts_log = line.number == 0 && line.header == 0 && batch.start.offset == 0;
        stats.ambiguous += u64::from(starts_log);
    }

    /// Counts a row whose end is missing, for example because the disk was full. The text of the row ends at offset
    /// `end`. A line of this text that looks like a row counts as ambiguous: it may be the row of a process without a
    /// user, or a part of the statement in the cut row.
    #[cold]
    fn count_cut_row(first: Line, end: usize, batch: &mut Batch) {
        let further = split_lines(&batch.bytes[first.start..end]).skip(1);
        batch.stats.ambiguous += further.filter(|line| is_servers_row(line)).count() as u64;
        batch.stats.interrupted += 1;
    }

    /// Whether the row in `self.columns` is a row of a log.
    fn is_row(&self, row: &[u8]) -> bool {
        let has_columns = self.columns.count >= MIN_COLUMNS && self.columns.count <= self.max_columns;
        has_columns && time_len(row) > 0 && self.columns.range(0).end <= MAX_TIME
    }

    /// Pushes the message of the row in `self.columns`.
    fn push_row(&self, first: Line, batch: &mut Batch) {
        let row = &batch.bytes[first.start..];
        let name = &row[self.columns.range(SEVERITY)];
        let Some(severity) = Severity::of_known_name(name) else {
            return Self::count_unreadable(first, false, batch);
        };
        if name != b"LOG" && language::ends_transliterated(name) {
            batch.stats.count_in_ascii(severity, &row[self.columns.range(MESSAGE)]);
        }
        let severity = effective_severity(severity, &row[self.columns.range(MESSAGE)]);
        let pid = &row[self.columns.range(PID)];
        let pid = match parse_pid(pid) {
            Some(pid) => pid,
            None if pid.is_empty() => 0,
            None => return Self::count_unreadable(first, false, batch),
        };
        // In a log that starts within a statement, the statement's lines may look like rows. Therefore a row counts as
        // ambiguous if its quotes differ from those of a row by the server. First, the user name must have quotes
        // exactly if the names in other rows have them. Second, the message and the query must have quotes. The server
        // always writes these, and doubles the quotes inside a statement.
        let is_quoted = |column: Range<usize>| row[column.start - 1] == b'"';
        let user = self.columns.range(USER);
        let is_servers = |column: usize| {
            let text = self.columns.range(column);
            column >= self.columns.count || text.is_empty() || is_quoted(text)
        };
        let is_like_others = (user.is_empty() || is_quoted(user) != self.has_bare_names)
            && (self.has_bare_names || is_servers(MESSAGE) && is_servers(QUERY));
        batch.stats.ambiguous += u64::from(!is_like_others);
        if !batch.count_message(severity) {
            return;
        }
        let mut message = Message::new(pid, severity, SourcePosition::line_start(first));
        message.decoded = true;
        let columns = if batch.selection.session_fields_of(severity) { COLUMNS.len() } else { SESSION_COLUMNS };
        for (column, field) in COLUMNS[..columns].iter().copied() {
            let range = self.columns.range(column);
            if column < self.columns.count && !range.is_empty() {
                let (start, mut end) = (first.start + range.start, first.start + range.end);
                if self.columns.doubled >> column & 1 == 1 {
                    end = start + undouble_quotes(&mut batch.bytes[start..end]);
                }
                message.set(field, start..end);
            }
        }
        if columns == SESSION_COLUMNS && batch.selection.needs_tag(message.get(Field::Message, &batch.bytes)) {
            let tag = self.columns.range(TAG);
            message.set(Field::CommandTag, first.start + tag.start..first.start + tag.end);
        }
        batch.apply_frame(first, &mut message);
        batch.push(message, batch.position(first, 0));
    }
}

impl LineParser for CsvlogParser {
    fn parse_line(&mut self, line: Line, batch: &mut Batch) {
        let text = batch.line_text(line);
        // Most rows have one line. If the line splits into columns, its quotes are balanced and need not be counted.
        if self.pending_row.is_none() && self.columns.split(text, true, &mut self.known).is_some() && self.is_row(text)
        {
            return self.push_row(line, batch);
        }
        let odd = !memchr::memchr_iter(b'"', text).count().is_multiple_of(2);
        if let Some((first, end)) = self.pending_row.take() {
            if line.header > 0 && is_of_another_source(batch, first, line) {
                batch.stats.unreadable += 1;
                self.pending_row = Some((first, end));
                return;
            }
            if starts_row(text) {
                Self::count_cut_row(first, end, batch);
            } else {
                batch.stats.parts += 1;
                let end = batch.append_line(end, line);
                if odd {
                    self.parse_row(first, end, batch);
                } else {
                    self.pending_row = Some((first, end)); // the row continues inside a quoted field
                }
                return;
            }
        }
        if !odd {
            self.parse_row(line, line.end, batch);
        } else if !line.whole {
            batch.stats.interrupted += 1;
        } else if time_len(batch.line_text(line)) == 0 {
            Self::count_unreadable(line, false, batch); // not a row, but contains a quote
        } else {
            self.pending_row = Some((line, line.end));
        }
    }

    fn end_batch(&mut self, batch: &mut Batch, _in_message: bool) {
        if let Some((first, end)) = self.pending_row.take() {
            Self::count_cut_row(first, end, batch);
        }
    }

    fn has_contexts(&self) -> bool {
        true
    }

    fn starts_message(&mut self, line: &[u8]) -> bool {
        starts_row(line)
    }
}
