//! The stderr format for logs in which lines of several sources are mixed, or long messages are in numbered pieces
//! (elog.c: write_syslog). Syslog, journald and log collectors of several servers write such logs.
//!
//! Each source has at most one open message. If the envelope has process IDs, each process is a source.

use foldhash::{HashMap, HashSet};

use crate::assembly::entry::OwnedEntry;
use crate::format::batch::{Batch, LineParser};
use crate::format::frame::Frame;
use crate::format::line::{Line, SourcePosition};
use crate::format::line_header::{LineHeader, may_be_of_unproved_client};
use crate::format::syslog_escape::decode_escapes;
use crate::format::syslog_part::{Break, Part};
use crate::message::field::Field;
use crate::message::label::{Label, find_label};
use crate::message::severity::Severity;
use crate::message::text::effective_severity;
use crate::prefix::Prefix;
use crate::prefix::readings::WINDOW;

/// The blanks that journalctl prints in place of a tab.
const TAB_OF_JOURNALCTL: &[u8] = b"        ";
/// Maximum number of open messages.
const MAX_OPEN: usize = 256;
/// Maximum number of streams whose last message is stored.
const MAX_STREAMS: usize = 1 << 16;
/// Maximum number of lines for which a message stays open.
const MAX_OPEN_LINES: u64 = 2000;

/// A message that later pieces may continue.
struct OpenMessage {
    entry: OwnedEntry,
    /// Position of an error's statement.
    statement_position: SourcePosition,
    /// Field to which text without a label is appended. `None` if such text is ignored.
    field: Option<Field>,
    /// Message number and piece number of the last piece, as in syslog's `[7-2]`.
    piece: Option<(u64, u64)>,
    /// The last part of a split line. `None` if the message's last line has no number: the server has not split this
    /// line, because it numbers the parts of every line that it splits.
    part: Option<Part>,
    /// Number of the message's first line.
    first_line: u64,
    /// Whether an unreadable line of this source has followed the last labeled line. In this case, the next lines may
    /// belong to another message: the unreadable line may be the start of a log_line_prefix that is split by a line
    /// break in a name.
    follows_unreadable: bool,
    /// The header of the first line. Empty if the log_line_prefix contains no names.
    header: Box<[u8]>,
}

/// Parser of a log with mixed lines.
pub struct InterleavedParser {
    header: LineHeader,
    /// Open messages by source. A source is a stream (the host, container or file in the envelope) and a process ID.
    open: HashMap<u64, OpenMessage>,
    /// The source of the last message of each stream, if the prefix contains names.
    last: HashMap<u32, u64>,
    /// Buffer for the decoded text of a line.
    decoded: Vec<u8>,
    /// Number of parsed lines.
    lines: u64,
    /// Streams with unescaped tabs.
    raw_streams: HashSet<u32>,
    /// Streams with escaped or unescaped tabs.
    streams_with_tabs: HashSet<u32>,
}

impl InterleavedParser {
    pub fn new(prefixes: Vec<Prefix>) -> Self {
        Self {
            header: LineHeader::new(prefixes),
            open: HashMap::default(),
            last: HashMap::default(),
            decoded: Vec::new(),
            lines: 0,
            raw_streams: HashSet::default(),
            streams_with_tabs: HashSet::default(),
        }
    }

    /// Closes the open message of a source and pushes it.
    fn close(&mut self, source: u64, batch: &mut Batch) {
        if let Some(open) = self.open.remove(&source)
            && batch.is_selected(open.entry.message.severity)
        {
            let message = batch.adopt(open.entry);
            batch.push(message, open.statement_position);
        }
    }

    /// Pushes messages that were open for too long, oldest first. With `all`, pushes every open message.
    fn close_old(&mut self, all: bool, batch: &mut Batch) {
        let full = self.open.len() > MAX_OPEN;
        if !full && !all && !self.lines.is_multiple_of(MAX_OPEN_LINES / 2) {
            return;
        }
        let mut oldest: Vec<(u64, u64)> = self.open.iter().map(|(source, open)| (open.first_line, *source)).collect();
        oldest.sort_unstable();
        let surplus = if full { MAX_OPEN / 2 } else { 0 };
        for (index, (first_line, source)) in oldest.into_iter().enumerate() {
            if all || index < surplus || first_line + MAX_OPEN_LINES < self.lines {
                self.close(source, batch);
            }
        }
    }
}

impl InterleavedParser {
    /// Whether the header of a line may begin in the last message of its stream, because a name contains a line break
    /// ([`LineHeader::may_begin_before`]). Notes the line as the last message of the stream.
    fn may_begin_before(&mut self, (stream, source): (u32, u64), line: &[u8], label: Label, text: usize) -> bool {
        if self.last.len() > MAX_STREAMS {
            self.last.clear();
        }
        let may_be_unproved = may_be_of_unproved_client(label, &line[text..]);
        let before = self.last.insert(stream, source).filter(|_| self.header.may_continue(may_be_unproved));
        let before = before.and_then(|source| self.open.get(&source)?.short_text());
        before.is_some_and(|before| {
            let lines = [&before[..], b"\n", line].concat();
            self.header.may_begin_before(&lines, before.len() + 1, may_be_unproved, text)
        })
    }

    /// Adds the continuation lines of a message that syslog did not split. In `lines`, a line break precedes each line.
    /// Returns whether one of the lines may instead be the rest of a log_line_prefix, which a line break in a name has
    /// split.
    fn add_lines(&mut self, source: u64, lines: &[u8]) -> bool {
        let Some(open) = self.open.get_mut(&source) else { return false };
        let mut may_end_a_name = false;
        for line in lines.split(|b| *b == b'\n').skip(1) {
            let label = if line.starts_with(b"\t") { None } else { self.header.parse(line) };
            match label.filter(|(label, _)| !matches!(label, Label::Primary(_))) {
                Some((label, start)) => open.set_field(label, &line[start..]),
                None => {
                    open.extend(line, true);
                    may_end_a_name |= open.may_end_a_name(&self.header);
                }
            }
        }
        may_end_a_name
    }

    /// Decodes a line that syslog may have split. Replaces `#012` with a line break only before a tab or a labeled part
    /// of the message, because the server writes line breaks only there. A numbered piece has no line breaks, so its
    /// `#012` stays unchanged. Returns true if a `#012` that stays unchanged may be a line break in a name.
    fn decode(&mut self, text: &[u8], frame: &Frame<'_>, decoded: &mut Vec<u8>) -> bool {
        if text.contains(&b'\t') {
            self.raw_streams.insert(frame.stream);
        }
        let is_part = |(label, _)| !matches!(label, Label::Primary(_));
        let mut may_be_in_name = false;
        let starts_line = |after: &[u8]| {
            let line = &after[..memchr::memmem::find(after, b"#012").unwrap_or(after.len())];
            let is_line = after.is_empty() || line.starts_with(b"#011") || line.starts_with(b"\t");
            let is_line = frame.piece.is_none() && (is_line || self.header.parse(line).is_some_and(is_part));
            may_be_in_name |= !is_line && self.header.may_be_cut(line);
            is_line
        };
        decode_escapes(text, !self.raw_streams.contains(&frame.stream), starts_line, decoded);
        may_be_in_name
    }

    /// Returns the source key of a line. `decoded` is the text of the line. It must be the last text that `self.header`
    /// has parsed.
    fn source(&self, frame: &Frame<'_>, has_label: bool, decoded: &[u8]) -> u64 {
        let of = |pid: u32| u64::from(frame.stream) << 32 | u64::from(pid);
        let Some((message, number)) = frame.piece.filter(|_| frame.pid == 0) else { return of(frame.pid) };
        // The envelope has no process ID. If the prefix has a process ID, that ID determines the source. If neither has
        // a process ID, a line with syslog's number `[7-2]` continues the open message whose last piece is `[7-1]`.
        if has_label && self.header.pid(decoded) != 0 {
            return of(self.header.pid(decoded));
        }
        let goes_on = |open: &OpenMessage| open.piece.is_some_and(|(of, last)| of == message && last + 1 == number);
        let is_of_stream = |source: u64| source >> 32 == u64::from(frame.stream);
        let open = self.open.iter().filter(|(source, open)| is_of_stream(**source) && goes_on(open));
        open.max_by_key(|(_, open)| open.first_line).map_or(of(0), |(source, _)| *source)
    }

    /// Starts a message. `decoded` is the text of the message's first line. The message begins at offset `start` of
    /// this text.
    fn start_message(
        &self,
        severity: Severity,
        start: usize,
        line: Line,
        decoded: &[u8],
        batch: &Batch,
    ) -> OpenMessage {
        let frame = batch.frame(line).unwrap_or_default();
        let is_verbatim = frame.position.column > 1 && decoded.len() == batch.line_text(line).len();
        let skip = if is_verbatim { start } else { 0 };
        let position = SourcePosition::InFile(batch.file_position(batch.position(line, skip)));
        let message =
            self.header.start_message(decoded, 0, severity, position, batch.selection.session_fields_of(severity));
        let mut entry = OwnedEntry::from_message(message, decoded);
        let message = &mut entry.message;
        frame.apply_session(message);
        (message.decoded, message.truncated) = (!is_verbatim, !line.whole);
        if !message.has(Field::Time) {
            entry.set(Field::Time, frame.time);
            entry.message.is_time_of_envelope = true;
        } else if let Some(time) = frame.time_with_zone(entry.entry().get(Field::Time)) {
            entry.set(Field::Time, time.as_bytes());
        }
        entry.set(Field::Message, &decoded[start..]);
        OpenMessage {
            entry,
            statement_position: SourcePosition::default(),
            field: Some(Field::Message),
            piece: frame.piece,
            part: part(&frame, decoded),
            first_line: self.lines,
            follows_unreadable: false,
            header: if self.header.has_names() { decoded[..start].into() } else { Box::default() },
        }
    }
}

impl LineParser for InterleavedParser {
    fn parse_line(&mut self, line: Line, batch: &mut Batch) {
        self.lines += 1;
        let frame = batch.frame(line).unwrap_or_default().without_time();
        let Frame { piece, splits, continued, is_rest, .. } = frame;
        let text = batch.line_text(line);
        let mut decoded = std::mem::take(&mut self.decoded);
        decoded.clear();
        match splits {
            true => batch.stats.ambiguous += u64::from(self.decode(text, &frame, &mut decoded)),
            false => decoded.extend_from_slice(text),
        }
        // With syslog_split_messages = off, the log has a message as one line, with `#012` in place of its line breaks.
        // `decoded` has line breaks again, and the text after the first one consists of the message's other lines.
        let rest = memchr::memchr(b'\n', &decoded).filter(|_| splits).map(|end| decoded.split_off(end));
        if splits && decoded.contains(&b'\t') {
            self.streams_with_tabs.insert(frame.stream);
        }
        let has_no_tabs = splits && !self.streams_with_tabs.contains(&frame.stream);
        if (piece.is_some() || has_no_tabs) && decoded.starts_with(TAB_OF_JOURNALCTL) {
            decoded.splice(..TAB_OF_JOURNALCTL.len(), *b"\t");
        }
        let first_piece = piece.is_none_or(|(_, number)| number == 1);
        let label = if decoded.starts_with(b"\t") { None } else { self.header.parse(&decoded) };
        let source = self.source(&frame, label.is_some(), &decoded);
        if let Some((label, text)) = label {
            self.header.count_ambiguity(&decoded, label, text, &mut batch.stats);
            batch.stats.ambiguous += u64::from(is_rest);
        }
        match label {
            Some((Label::Primary(severity), start)) if first_piece => {
                if self.header.has_names() {
                    let label = Label::Primary(severity);
                    let is_ambiguous = self.may_begin_before((frame.stream, source), &decoded, label, start);
                    batch.stats.ambiguous += u64::from(is_ambiguous);
                }
                self.close(source, batch);
                let severity = effective_severity(severity, &decoded[start..]);
                batch.count_message(severity);
                let open = self.start_message(severity, start, line, &decoded, batch);
                self.open.insert(source, open);
                self.close_old(false, batch);
            }
            label => match self.open.get_mut(&source) {
                Some(open) if label.is_some() && !open.is_of(self.header.pid(&decoded)) => {
                    batch.stats.unreadable += 1;
                    open.follows_unreadable = true;
                }
                // The first piece of a message always has a header. If the header is not found, a line break in a
                // name may have split it.
                Some(_) if label.is_none() && (piece.is_some() && first_piece || is_left_out(&decoded)) => {
                    self.close(source, batch);
                    batch.stats.unreadable += 1;
                    batch.stats.ambiguous += u64::from(self.header.has_names());
                }
                Some(open) if label.is_some() || splits || continued || decoded.starts_with(b"\t") => {
                    batch.stats.parts += 1;
                    // The server writes a tab after each line break of a message, but not after a line break in a
                    // name. Therefore a line without a tab may be the rest of a name.
                    let before = open.part.filter(|_| is_numbered(&frame));
                    let may_be_of_a_name = match (decoded.strip_prefix(b"\t"), before) {
                        // A line with a tab is not necessarily a continuation line, because pgq inserts a tab in place
                        // of journalctl's blanks. Therefore test whether a labeled line, such as a STATEMENT, follows
                        // the tab.
                        (Some(further), _) => {
                            self.header.may_be_message(&decoded)
                                || self.header.may_be_mixed_in(further)
                                || self.header.parse(further).is_some()
                                || self.header.has_tabs() && open.may_end_a_name_with(&decoded, &self.header)
                        }
                        (None, Some(part)) => part.ends_before(&decoded),
                        (None, None) => self.header.may_be_cut(&decoded),
                    };
                    let may_be_of_a_name = self.header.has_names() && may_be_of_a_name;
                    open.follows_unreadable &= label.is_none();
                    let is_ambiguous = label.is_none() && (may_be_of_a_name || open.follows_unreadable);
                    batch.stats.ambiguous += u64::from(is_ambiguous);
                    batch.stats.unclear_breaks += u64::from(open.add_piece(label, &decoded, &frame, line.whole));
                    batch.stats.ambiguous += u64::from(open.may_end_a_name(&self.header));
                    if open.field == Some(Field::Statement) && matches!(label, Some((Label::Statement, _))) {
                        let position = batch.file_position(batch.position(line, 0));
                        open.statement_position = SourcePosition::InFile(position);
                    }
                }
                _ if decoded.is_empty() => batch.stats.empty += 1,
                _ => {
                    batch.stats.unreadable += 1;
                    batch.stats.ambiguous += u64::from(self.header.may_be_cut(&decoded));
                    self.open.entry(source).and_modify(|open| open.follows_unreadable = true);
                    if matches!(find_label(&decoded), Some((_, Label::Primary(_), _))) {
                        self.close(source, batch);
                    }
                }
            },
        }
        self.decoded = decoded;
        batch.stats.ambiguous += u64::from(rest.is_some_and(|rest| self.add_lines(source, &rest)));
    }

    fn end_batch(&mut self, batch: &mut Batch, in_message: bool) {
        if in_message {
            self.open.values_mut().for_each(|open| open.entry.message.truncated = true);
        }
        // Keeps recent messages open, because the next batch may have more of their pieces.
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
    /// Whether the message may belong to process `pid`. The ID 0 means that the process is unknown.
    fn is_of(&self, pid: u32) -> bool {
        pid == 0 || self.entry.message.pid == 0 || self.entry.message.pid == pid
    }

    /// Adds a piece. `label`: the label of the piece, and the offset after the label. Returns `true` if it is
    /// unclear whether a line break precedes the piece.
    fn add_piece(&mut self, label: Option<(Label, usize)>, text: &[u8], frame: &Frame<'_>, whole: bool) -> bool {
        let follows = match (self.piece, frame.piece) {
            (Some((message, number)), Some((next_message, next_number))) => {
                message == next_message && number + 1 == next_number
            }
            (before, next) => before == next,
        };
        let before = std::mem::replace(&mut self.part, part(frame, text)).filter(|_| follows && self.part.is_some());
        self.piece = frame.piece;
        // If a piece is missing, its text is lost, so the message is truncated.
        self.entry.message.truncated |= !follows || !whole;
        if let Some((label, start)) = label.filter(|(label, _)| !matches!(label, Label::Primary(_))) {
            self.set_field(label, &text[start..]);
            return false;
        }
        let has_tab = text.starts_with(b"\t");
        let kind = before.filter(|_| has_tab).map_or(Break::Line, |before| before.break_before(text));
        self.extend(text, !frame.splits || has_tab && kind != Break::LikelyTab);
        kind != Break::Line
    }

    /// Whether the last line of this message may be the end of a log_line_prefix, which a line break in a name has
    /// split.
    fn may_end_a_name(&self, header: &LineHeader) -> bool {
        self.short_text().is_some_and(|lines| Self::may_break_a_name(&lines, header))
    }

    /// Whether `line`, which begins with a tab, may be the end of a log_line_prefix that contains this tab.
    fn may_end_a_name_with(&self, line: &[u8], header: &LineHeader) -> bool {
        self.short_text().is_some_and(|lines| Self::may_break_a_name(&[&lines[..], b"\n", line].concat(), header))
    }

    /// Whether a header may end after the first of `lines`.
    fn may_break_a_name(lines: &[u8], header: &LineHeader) -> bool {
        let first_end = memchr::memchr(b'\n', lines).unwrap_or(lines.len());
        lines.len() < WINDOW && header.may_break_a_name(lines, first_end)
    }

    /// Returns the header and the text so far. Returns `None` if they are long, if the log_line_prefix contains no
    /// names, or if the message already has another field.
    fn short_text(&self) -> Option<Vec<u8>> {
        let text = self.entry.entry().get(Field::Message);
        let is_short = self.field == Some(Field::Message) && self.header.len() + text.len() < WINDOW;
        (is_short && !self.header.is_empty()).then(|| [&*self.header, text].concat())
    }

    /// Starts the field with this label.
    fn set_field(&mut self, label: Label, text: &[u8]) {
        self.field = label.field();
        if let Some(field) = self.field {
            self.entry.set(field, text);
            self.entry.message.decoded = true;
        }
    }

    /// Extends the last field. If `is_line`, `text` is a continuation line: replaces its tab with a line break.
    fn extend(&mut self, text: &[u8], is_line: bool) {
        let Some(field) = self.field else { return };
        if is_line {
            self.entry.extend(field, b"\n");
        }
        self.entry.extend(field, text.strip_prefix(b"\t").filter(|_| is_line).unwrap_or(text));
        self.entry.message.decoded = true;
    }
}

/// Whether journalctl printed only the size of a line, because the line has control characters: `[125B blob data]`.
fn is_left_out(text: &[u8]) -> bool {
    matches!(text, [b'[', b'0'..=b'9', ..]) && text.ends_with(b" blob data]")
}

/// Whether the server numbered a line.
fn is_numbered(frame: &Frame<'_>) -> bool {
    frame.piece.is_some() || frame.numbered
}

/// Returns the text of a line as a [`Part`], or `None` if the server did not number the line.
fn part(frame: &Frame<'_>, text: &[u8]) -> Option<Part> {
    is_numbered(frame).then(|| Part::new(text))
}
