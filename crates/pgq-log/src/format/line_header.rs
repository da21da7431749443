//! The header of a stderr line, which is the text before the label (such as `LOG:`).

use foldhash::HashMap;

use crate::assembly::stats::LogStats;
use crate::format::line::SourcePosition;
use crate::message::field::Field;
use crate::message::label::{Label, find_label};
use crate::message::language::{self, is_unknown};
use crate::message::parts::Message;
use crate::message::severity::Severity;
use crate::message::startup::is_startup_error;
use crate::message::text::sqlstate_len;
use crate::prefix::readings::{Ambiguity, WINDOW};
use crate::prefix::{KnownTails, Prefix, PrefixField, PrefixRanges};
use crate::scan::number::parse_pid;
use crate::time::timestamp::timestamp_len;

/// Fields of a prefix, with the corresponding message fields.
const FIELDS: [(PrefixField, Field); 14] = [
    (PrefixField::Time, Field::Time),
    (PrefixField::User, Field::User),
    (PrefixField::Database, Field::Database),
    (PrefixField::Application, Field::Application),
    (PrefixField::Session, Field::Session),
    (PrefixField::RemoteHost, Field::RemoteHost),
    (PrefixField::VirtualXid, Field::VirtualXid),
    (PrefixField::SessionLine, Field::SessionLine),
    (PrefixField::SessionStart, Field::SessionStart),
    (PrefixField::CommandTag, Field::CommandTag),
    (PrefixField::SqlState, Field::SqlState),
    (PrefixField::Txid, Field::Txid),
    (PrefixField::QueryId, Field::QueryId),
    (PrefixField::BackendType, Field::BackendType),
];
/// Number of leading [`FIELDS`] that are always read. Whether the other fields are read depends on
/// [`RecordSelection::session_fields`].
///
/// [`RecordSelection::session_fields`]: crate::RecordSelection::session_fields
const SESSION_FIELDS: usize = 7;

/// Parser of line headers. Stores the fields of the last parsed header.
pub struct LineHeader {
    /// The log's prefixes. Most logs have one prefix.
    prefixes: Vec<Prefix>,
    ranges: PrefixRanges,
    /// Index of the prefix that matched the last line.
    matched: usize,
    /// Cache of the results of `Prefix::ambiguity`. The key consists of the names in a line.
    readings: HashMap<Vec<u8>, Ambiguity>,
    /// Cached matches of the first prefix.
    known: KnownTails,
    /// Whether a line may begin with a name. If the name begins with a tab, the line looks like a continuation line.
    begins_with_name: bool,
}

impl LineHeader {
    pub fn new(prefixes: Vec<Prefix>) -> Self {
        Self {
            begins_with_name: prefixes.iter().any(Prefix::begins_with_text),
            prefixes,
            ranges: PrefixRanges::default(),
            matched: 0,
            readings: HashMap::default(),
            known: KnownTails::default(),
        }
    }

    /// Parses the header of a line. Returns the label and the offset after it.
    pub fn parse(&mut self, line: &[u8]) -> Option<(Label, usize)> {
        let ranges = &mut self.ranges;
        let (first, others) = self.prefixes.split_first()?;
        self.matched = 0;
        let (label, text) = match first.match_line_by(&mut self.known, line, ranges) {
            Some(found) => found,
            None => others.iter().find_map(|prefix| {
                self.matched += 1;
                prefix.match_line(line, ranges)
            })?,
        };
        let skipped = if matches!(label, Label::Primary(_)) { self.skip_sqlstate(&line[text..], text) } else { 0 };
        Some((label, text + skipped))
    }

    /// Counts the last parsed line as ambiguous if it matches the prefix in several ways. `text`: the offset after the
    /// label.
    pub fn count_ambiguity(&mut self, line: &[u8], label: Label, text: usize, stats: &mut LogStats) {
        if label == Label::Primary(Severity::Fatal) && self.has_names() && is_startup_error(&line[text..]) {
            stats.ambiguous += 1;
            return;
        }
        let header = &line[..text];
        if let Label::Primary(severity) = label
            && !header.ends_with(b"LOG:  ")
            && language::ends_transliterated(header)
        {
            stats.count_in_ascii(severity, &line[text..]);
            // The meaning of this message is unknown, so it may be an error about a startup packet. A client chooses
            // the names in its startup packet, and one of these names may contain a whole forged message.
            if self.line_has_names() {
                stats.ambiguous += 1;
                return;
            }
        }
        match self.prefixes[self.matched].ambiguity(line, text, &self.ranges, &mut self.readings) {
            Ambiguity::None => {}
            Ambiguity::Names if !self.has_blank_in_names(line) => stats.ambiguous_names += 1,
            Ambiguity::Names | Ambiguity::Message => stats.ambiguous += 1,
        }
    }

    /// Whether the user or the database contains a blank, which is rare.
    fn has_blank_in_names(&self, line: &[u8]) -> bool {
        let has_blank = |field: PrefixField| line[self.ranges.get(field)].contains(&b' ');
        has_blank(PrefixField::User) || has_blank(PrefixField::Database)
    }

    /// Whether a prefix contains a tab.
    pub fn has_tabs(&self) -> bool {
        self.prefixes.iter().any(Prefix::has_tabs)
    }

    /// Whether a prefix contains a name, such as the user. A name can be any text.
    pub fn has_names(&self) -> bool {
        self.prefixes.iter().any(Prefix::has_texts)
    }

    /// Whether a header may begin at the start of `lines` and end at offset `last` or later, because a name may contain
    /// a line break. `last` must be on a line after the first.
    pub fn may_break_a_name(&self, lines: &[u8], last: usize) -> bool {
        self.prefixes.iter().any(|prefix| prefix.may_break_a_name(lines, last))
    }

    /// Whether the header of the last parsed line may begin on an earlier line, because a name contains a line break.
    /// For example, a header with the user `LOG:  x` and the database `y\n2026-01-31 12:00:00 UTC [7] ann@shop` looks
    /// like two messages. `lines`: the earlier line and the lines after it. `last`: the offset of the last parsed line
    /// in `lines`. `text`: the offset after the label in this line.
    ///
    /// Call this function only if [`may_continue`](Self::may_continue) is true. It is for two kinds of lines:
    ///
    /// - Lines whose message the server may log before it has authenticated the client. Such a client can send any
    ///   name. `may_be_unproved`: whether the line is of this kind ([`may_be_of_unproved_client`]).
    /// - Lines that seem to have a header without names. Such a line may be the end of a name that begins earlier. What
    ///   looks like the label of the line is then a part of this name, and the real label follows it.
    ///
    /// Other lines are not tested, because the server logs their messages only for authenticated clients. The names of
    /// these clients exist in the server. They rarely contain a line break, because only a role that may create users
    /// or databases can create such a name.
    pub fn may_begin_before(&self, lines: &[u8], last: usize, may_be_unproved: bool, text: usize) -> bool {
        let end = lines.len().min(last + text + WINDOW);
        let skipped = if may_be_unproved { 0 } else { text };
        self.may_break_a_name(&lines[..end], end.min(last + skipped))
    }

    /// Whether the last parsed line may be the end of a message that begins on an earlier line, because a name contains
    /// a line break. This requires:
    ///
    /// - The log_line_prefix contains a name, but does not begin with it.
    /// - The line has neither a user nor a database, or the server may have logged its message before it authenticated
    ///   the client (`may_be_unproved`).
    pub fn may_continue(&self, may_be_unproved: bool) -> bool {
        let is_possible = || self.has_names() && !self.begins_with_name;
        (may_be_unproved || !self.line_has_names()) && is_possible()
    }

    /// Whether the last parsed line has a user or a database.
    fn line_has_names(&self) -> bool {
        [PrefixField::User, PrefixField::Database].iter().any(|field| self.ranges.get(*field).end > 0)
    }

    /// Whether `line` may be part of a longer line that was split because a name contains a line break. `line` must not
    /// match any prefix.
    pub fn may_be_cut(&self, line: &[u8]) -> bool {
        let starts = |prefix: &Prefix| timestamp_len(line) > 0 || find_label(line).is_some() || prefix.begins(line);
        self.prefixes.iter().any(|prefix| prefix.has_texts() && starts(prefix))
    }

    /// Whether a message with a time, a process ID or a session ID begins inside of a line, after the line's own
    /// header.
    pub fn contains_message(&self, line: &[u8]) -> bool {
        let mut ranges = PrefixRanges::default();
        let mut from = 0;
        while let Some((start, label, text)) = find_label(&line[from..]) {
            let (start, text) = (from + start, from + text);
            let mut begins = |at: usize, prefix: &Prefix| {
                let found = prefix.match_line(&line[at..text], &mut ranges).is_some_and(|(_, end)| at + end == text);
                let fields = [PrefixField::Time, PrefixField::Pid, PrefixField::Session];
                found && fields.into_iter().any(|field| !ranges.get(field).is_empty())
            };
            let prefixes = || self.prefixes.iter().filter(|prefix| !prefix.begins_with_text());
            let is_own = from == 0 && prefixes().any(|prefix| begins(0, prefix));
            let inner = from.max(1).max(start.saturating_sub(WINDOW))..start;
            if !is_own
                && matches!(label, Label::Primary(_))
                && inner.into_iter().any(|at| prefixes().any(|prefix| begins(at, prefix)))
            {
                return true;
            }
            from = text;
        }
        false
    }

    /// Whether a line that starts with a tab may be a message of a client whose name starts with a tab.
    #[inline]
    pub fn may_be_message(&self, line: &[u8]) -> bool {
        self.begins_with_name
            && self.prefixes.iter().any(|prefix| prefix.match_line(line, &mut PrefixRanges::default()).is_some())
    }

    /// Whether the text after the tab of a continuation line is a message with a time. If several processes write to
    /// one pipe, the message of one process may interrupt the statement of another process after a tab.
    #[inline]
    pub fn may_be_mixed_in(&self, text: &[u8]) -> bool {
        let is_message = |prefix: &Prefix| {
            let mut ranges = PrefixRanges::default();
            !prefix.begins_with_text()
                && (timestamp_len(text) > 0 || prefix.begins(text))
                && matches!(prefix.match_line(text, &mut ranges), Some((Label::Primary(_), _)))
                && !ranges.get(PrefixField::Time).is_empty()
        };
        text.first().is_some_and(|byte| !byte.is_ascii_whitespace()) && self.prefixes.iter().any(is_message)
    }

    /// If `line` starts with the leading literal of a prefix (the text before its first field) and a tab, returns the
    /// length of the literal. Such a line is a continuation line to which another program has added the literal. The
    /// second value is true if the line may instead be a message: the prefix has a name after the literal, and the name
    /// may start with a tab.
    pub fn continuation(&self, line: &[u8]) -> Option<(usize, bool)> {
        self.prefixes.iter().find_map(|prefix| {
            let literal = prefix.leading_literal();
            let is_further = line.strip_prefix(literal).is_some_and(|rest| rest.first() == Some(&b'\t'));
            (is_further && !literal.is_empty()).then(|| (literal.len(), prefix.has_text_after_literal()))
        })
    }

    /// Returns the length of the SQLSTATE that log_error_verbosity = verbose inserts before a message.
    #[inline]
    fn skip_sqlstate(&mut self, text: &[u8], at: usize) -> usize {
        let len = sqlstate_len(text);
        if len > 0 && self.ranges.get(PrefixField::SqlState).is_empty() {
            self.ranges.set(PrefixField::SqlState, at..at + 5);
        }
        len
    }

    /// Returns the session key in the header of `line`, which must be the line that was parsed last. This line must not
    /// have a process ID. The key is a client's address with its port, or the backend of a virtual transaction. Returns
    /// 0 if the line has neither.
    fn session(&self, line: &[u8]) -> u64 {
        const NOT_A_PID: u64 = 1 << 63;
        let field = |field: PrefixField| &line[self.ranges.get(field)];
        let host = field(PrefixField::RemoteHost);
        let backend = field(PrefixField::VirtualXid).split(|b| *b == b'/').next().unwrap_or_default();
        let key = if host.ends_with(b")") { host } else { backend };
        if key.is_empty() {
            return 0;
        }
        // FNV-1a suffices, because sessions are few and no adversary chooses the keys.
        key.iter()
            .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
            | NOT_A_PID
    }

    /// Returns the process ID in the header of `line`, which must be the last parsed line. Returns 0 if the header has
    /// no process ID.
    pub fn pid(&self, line: &[u8]) -> u32 {
        let field = |field: PrefixField| &line[self.ranges.get(field)];
        if let Some(pid) = parse_pid(field(PrefixField::Pid)) {
            return pid;
        }
        // A session ID (`65b.2a`) is the start time and the process ID in hexadecimal.
        let session = field(PrefixField::Session);
        if session.is_empty() {
            return 0;
        }
        let session = std::str::from_utf8(session).unwrap_or_default();
        let (_, pid) = session.rsplit_once('.').unwrap_or_default();
        u32::from_str_radix(pid, 16).unwrap_or(0)
    }

    /// Creates a message with the fields of the last parsed line, `line`. `line_start`: the line's offset in the
    /// message's bytes.
    pub fn start_message(
        &self,
        line: &[u8],
        line_start: usize,
        severity: Severity,
        position: SourcePosition,
        session_fields: bool,
    ) -> Message {
        let mut message = Message::new(self.pid(line), severity, position);
        self.set_fields(line, line_start, session_fields, &mut message);
        message
    }

    /// Like [`LineHeader::start_message`], but sets the fields of an existing message.
    #[inline]
    pub fn set_fields(&self, line: &[u8], line_start: usize, session_fields: bool, message: &mut Message) {
        if message.session == 0 {
            message.session = self.session(line);
        }
        let fields = if session_fields { FIELDS.len() } else { SESSION_FIELDS };
        for (prefix_field, field) in FIELDS[..fields].iter().copied() {
            let mut range = self.ranges.get(prefix_field);
            if range.is_empty() {
                continue;
            }
            if prefix_field == PrefixField::RemoteHost && line[range.clone()].ends_with(b")") {
                // `host(port)`
                range.end = memchr::memrchr(b'(', &line[range.clone()]).map_or(range.end, |len| range.start + len);
            }
            if !range.is_empty() && !is_unknown(&line[range.clone()]) {
                message.set(field, line_start + range.start..line_start + range.end);
            }
        }
    }
}

/// Starts of messages that the server logs only for authenticated clients and for its own processes. The list is
/// English: in other languages, pgq recognizes only messages about statements.
const PROVED: [&[u8]; 11] = [
    b"statement: ",
    b"execute ",
    b"fastpath function call: ",
    b"disconnection: ",
    b"connection authorized: ",
    b"temporary file: ",
    b"process ",
    b"checkpoint ",
    b"restartpoint ",
    b"automatic ",
    b"logical replication ",
];

#[inline]
fn is_of_proved_client(message: &[u8]) -> bool {
    // Most messages begin with `duration`. These eight bytes are compared as one number, which is fast.
    message.first_chunk() == Some(b"duration") || PROVED.iter().any(|start| message.starts_with(start))
}

/// Whether the server may log a message before it has authenticated the client. An ERROR is never such a message,
/// because until the authentication, the server logs every ERROR as a FATAL.
#[inline]
pub fn may_be_of_unproved_client(label: Label, message: &[u8]) -> bool {
    match label {
        Label::Primary(Severity::Fatal) => true,
        // `Other` includes DEBUG.
        Label::Primary(Severity::Log | Severity::Warning | Severity::Other) => {
            !is_of_proved_client(message) && language::classify(message).is_none()
        }
        _ => false,
    }
}
