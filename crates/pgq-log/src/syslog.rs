//! PostgreSQL's messages as syslog keeps them: a header of syslog's own, `[7-2]` for the
//! second piece of message 7, long lines wrapped, control characters as `#011`. Messages of
//! several processes come mixed, so each is put together by itself.

use std::collections::HashMap;

use crate::batch::{Batch, Line, LineParser};
use crate::entry::{OwnedEntry, Part, Severity, Start};
use crate::prefix::Prefix;
use crate::severity::Label;
use crate::stderr::{Header, part_of};

/// Most messages that are open at once, and most lines that one stays open.
const OPEN: usize = 256;
const LINES: u64 = 2000;

/// What syslog wrote before PostgreSQL's own text.
#[derive(Debug, PartialEq, Eq)]
pub struct SyslogHeader<'a> {
    time: &'a [u8],
    pid: u32,
    /// Number of the message and of the piece.
    piece: Option<(u64, u64)>,
    pub text: &'a [u8],
}

/// Takes a line of syslog has_separate_durations: `TIME HOST IDENT[PID]: [N-M] text`.
pub fn parse_header(line: &[u8]) -> Option<SyslogHeader<'_>> {
    let number = |text: &[u8]| std::str::from_utf8(text).ok()?.parse::<u64>().ok();
    let time = match line {
        // `Jan  1 12:00:00`
        [b'A'..=b'Z', b'a'..=b'z', b'a'..=b'z', b' ', _, _, b' ', ..] if line.len() > 16 && line[9] == b':' => 15,
        // `2026-01-31T12:00:00.123456+01:00`
        [b'0'..=b'9', .., b'T'] | [b'0'..=b'9', _, _, _, b'-', _, _, b'-', _, _, b'T', ..] => {
            memchr::memchr(b' ', &line[..line.len().min(40)])?
        }
        _ => return None,
    };
    let head = &line[..line.len().min(time + 256)];
    let close = memchr::memmem::find(&head[time..], b"]: ")? + time;
    let open = memchr::memrchr(b'[', &line[time..close])? + time;
    let pid = number(&line[open + 1..close])?.try_into().ok()?;
    // Between the time and the process are only a host and a name.
    if line[time + 1..open].iter().filter(|b| **b == b' ').count() != 1 {
        return None;
    }
    let text = &line[close + 3..];
    let piece = text.strip_prefix(b"[").and_then(|rest| {
        let end = memchr::memchr(b']', &rest[..rest.len().min(24)])?;
        let dash = memchr::memchr(b'-', &rest[..end])?;
        Some(((number(&rest[..dash])?, number(&rest[dash + 1..end])?), &rest[end + 1..]))
    });
    let (piece, text) = match piece {
        Some((piece, rest)) => (Some(piece), rest.strip_prefix(b" ").unwrap_or(rest)),
        None => (None, text),
    };
    Some(SyslogHeader { time: &line[..time], pid, piece, text })
}

struct Open {
    entry: OwnedEntry,
    statement_at: Start,
    part: Option<Part>,
    piece: Option<(u64, u64)>,
    /// The line that it was begun in.
    since: u64,
}

/// The state of a log that went through syslog.
pub struct Syslog {
    header: Header,
    open: HashMap<u32, Open>,
    /// Text of a line without escapes.
    plain: Vec<u8>,
    /// Lines read so far.
    lines: u64,
}

impl Syslog {
    pub fn new(prefix: Option<Prefix>) -> Self {
        Self { header: Header::new(prefix), open: HashMap::new(), plain: Vec::new(), lines: 0 }
    }

    fn close(&mut self, pid: u32, batch: &mut Batch) {
        if let Some(open) = self.open.remove(&pid)
            && open.entry.message.severity != Severity::Other
        {
            let message = batch.adopt(open.entry);
            batch.push(message, open.statement_at);
        }
    }

    /// Ends messages that have been open for long, oldest first; with `all`, every one.
    fn close_old(&mut self, all: bool, batch: &mut Batch) {
        let full = self.open.len() > OPEN;
        if !full && !all && !self.lines.is_multiple_of(LINES / 2) {
            return;
        }
        let mut old: Vec<(u64, u32)> = self.open.iter().map(|(pid, open)| (open.since, *pid)).collect();
        old.sort_unstable();
        let many = if full { OPEN / 2 } else { 0 };
        for (index, (since, pid)) in old.into_iter().enumerate() {
            if all || index < many || since + LINES < self.lines {
                self.close(pid, batch);
            }
        }
    }
}

/// `#011` and its like as the characters they stand for. Only white space: the rest may well
/// be SQL.
fn unescape(text: &[u8], plain: &mut Vec<u8>) {
    plain.clear();
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'#', rest) {
        plain.extend_from_slice(&rest[..at]);
        rest = &rest[at..];
        let byte = match rest.get(..4) {
            Some(b"#011") => b'\t',
            Some(b"#012") => b'\n',
            Some(b"#015") => b'\r',
            _ => {
                plain.push(b'#');
                rest = &rest[1..];
                continue;
            }
        };
        plain.push(byte);
        rest = &rest[4..];
    }
    plain.extend_from_slice(rest);
}

impl LineParser for Syslog {
    fn line(&mut self, line: Line, batch: &mut Batch) {
        self.lines += 1;
        let Some(SyslogHeader { time, pid, piece, text }) = parse_header(batch.text(line)) else {
            batch.stats.unreadable += u64::from(line.start < line.end);
            return;
        };
        let mut plain = std::mem::take(&mut self.plain);
        unescape(text, &mut plain);
        let (time, escaped) = (time.to_vec(), text.len() != plain.len());
        let text_at = (line.end - line.start) - text.len();
        let first = piece.is_none_or(|(_, part)| part == 1);
        let word = if plain.starts_with(b"\t") { None } else { self.header.read(&plain) };
        match word {
            Some((Label::Primary(severity), start)) if first => {
                self.close(pid, batch);
                batch.count(severity);
                let before = text_at + if escaped { 0 } else { start };
                let at = Start::File(batch.place(Start::of(line).along(&batch.text(line)[..before])));
                let mut entry = OwnedEntry::of(self.header.begin(&plain, 0, severity, at), &plain);
                if entry.message.pid == 0 {
                    entry.message.pid = pid;
                }
                if !entry.message.has(Part::Time) {
                    entry.set(Part::Time, &time);
                }
                entry.message.rewritten = escaped;
                entry.message.truncated = !line.whole;
                entry.set(Part::Message, &plain[start..]);
                let part = Some(Part::Message);
                self.open.insert(pid, Open { entry, statement_at: Start::default(), part, piece, since: self.lines });
                self.close_old(false, batch);
            }
            word => match self.open.get_mut(&pid) {
                None => batch.stats.unreadable += 1,
                Some(open) => {
                    open.more(word, &plain, piece, line.whole);
                    if open.part == Some(Part::Statement) && matches!(word, Some((Label::Statement, _))) {
                        open.statement_at = Start::File(batch.place(Start::of(line)));
                    }
                }
            },
        }
        self.plain = plain;
    }

    fn end(&mut self, batch: &mut Batch, _cut: bool) {
        // Other processes' lines, and pieces yet to come, may stand in the next batch.
        self.close_old(false, batch);
    }

    fn rest(&mut self, batch: &mut Batch) {
        self.close_old(true, batch);
    }

    fn begins(&mut self, _line: &[u8]) -> bool {
        true
    }
}

impl Open {
    /// A further piece of the message.
    fn more(&mut self, word: Option<(Label, usize)>, text: &[u8], piece: Option<(u64, u64)>, whole: bool) {
        let follows = match (self.piece, piece) {
            (Some((message, part)), Some((this, next))) => message == this && part + 1 == next,
            (before, this) => before == this,
        };
        self.piece = piece;
        let entry = &mut self.entry;
        // A lost piece may have been the end of this part, or the start of another.
        entry.message.truncated |= !follows || !whole;
        match word {
            Some((word, start)) if !matches!(word, Label::Primary(_)) => {
                self.part = part_of(word);
                if let Some(part) = self.part {
                    entry.set(part, &text[start..]);
                    entry.message.rewritten = true;
                }
            }
            _ => {
                let Some(part) = self.part else { return };
                if text.starts_with(b"\t") {
                    entry.extend(part, b"\n");
                }
                entry.extend(part, text.strip_prefix(b"\t").unwrap_or(text));
                entry.message.rewritten = true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Prefix, Syslog, parse_header, unescape};
    use crate::testing::records;

    #[test]
    fn headers() {
        for time in ["Jan  1 12:00:00", "2026-01-31T12:00:00.123456+01:00"] {
            let line = format!("{time} db1 postgres[42]: [7-2] #011FROM t");
            let wrapper = parse_header(line.as_bytes()).unwrap();
            assert_eq!((wrapper.time, wrapper.pid, wrapper.piece), (time.as_bytes(), 42, Some((7, 2))));
            let mut plain = Vec::new();
            unescape(wrapper.text, &mut plain);
            assert_eq!(plain, b"\tFROM t");
        }
        let plain = parse_header(b"Jan 31 12:00:00 db1 postgres[42]: LOG:  x").unwrap();
        assert_eq!((plain.piece, plain.text), (None, &b"LOG:  x"[..]));
        for line in ["2026-01-31 12:00:00 UTC [42]: LOG:  x", "", "J", "Jan  1 12:00:00 a b c[1]: x"] {
            assert_eq!(parse_header(line.as_bytes()), None, "{line}");
        }
    }

    fn seen(log: &str) -> Vec<String> {
        let log =
            log.replace("7>", "Jan  1 12:00:00 db postgres[7]: ").replace("8>", "Jan  1 12:00:00 db postgres[8]: ");
        records(&|| Box::new(Syslog::new(Some(Prefix::new("%q%u@%d ")))), log.as_bytes()).0
    }

    #[test]
    fn pieces_are_put_together() {
        let log = "7>[3-1] ann@shop LOG:  duration: 1 ms  execute s: SELECT a,\n\
                   8>[5-1] bob@shop LOG:  statement: SELECT 1\n\
                   7>[3-2]  b,\n\
                   7>[3-3] #011c\n\
                   8>[6-1] bob@shop LOG:  duration: 2 ms\n\
                   7>[3-4] ann@shop DETAIL:  parameters: $1 = '1'\n";
        assert_eq!(seen(log), ["8 LOG | bob | 2 | SELECT 1", "7 LOG | ann | 1 | SELECT a, b,\nc | $1 = '1'"]);
    }

    #[test]
    fn a_lost_piece_truncates() {
        let log =
            "7>[3-1] ann@shop LOG:  statement: SELECT a\n7>[3-3] #011FROM t\n7>[4-1] ann@shop LOG:  statement: B\n";
        assert_eq!(seen(log), ["7 LOG | ann | SELECT a\nFROM t | truncated", "7 LOG | ann | B"]);
    }

    #[test]
    fn pieces_without_numbers() {
        let log = "7>ann@shop LOG:  statement: SELECT\n8>LOG:  checkpoint\n7>#011 a\n7>ann@shop ERROR:  x\n7>ann@shop STATEMENT:  B\n";
        assert_eq!(seen(log), ["7 LOG | ann | SELECT\n a", "7 ERROR | ann | B"]);
    }
}
