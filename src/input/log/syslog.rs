//! PostgreSQL's messages as syslog keeps them: a header of syslog's own, `[7-2]` for the
//! second piece of message 7, long lines wrapped, control characters as `#011`. Messages of
//! several processes come mixed, so each is put together by itself.

use std::collections::HashMap;

use anyhow::Result;

use super::assemble::Assembler;
use super::entry::{Entry, Part, Severity};
use super::lines::Format;
use super::prefix::Prefix;
use super::severity::Word;
use super::stderr::{Header, part_of};
use crate::input::{Cursor, Flow};

/// Most messages that are open at once, and most lines that one stays open.
const OPEN: usize = 256;
const LINES: u64 = 2000;

/// What syslog wrote before PostgreSQL's own text.
#[derive(Debug, PartialEq, Eq)]
pub struct Wrapper<'a> {
    time: &'a [u8],
    pid: u32,
    /// Number of the message and of the piece.
    piece: Option<(u64, u64)>,
    pub text: &'a [u8],
}

/// Takes a line of syslog apart: `TIME HOST IDENT[PID]: [N-M] text`.
pub fn unwrap(line: &[u8]) -> Option<Wrapper<'_>> {
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
    Some(Wrapper { time: &line[..time], pid, piece, text })
}

struct Open {
    entry: Entry,
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
}

impl Syslog {
    pub fn new(prefix: Option<Prefix>) -> Self {
        Self { header: Header::new(prefix), open: HashMap::new(), plain: Vec::new() }
    }

    fn end(&mut self, pid: u32, out: &mut Assembler<'_>) -> Result<Flow> {
        match self.open.remove(&pid) {
            Some(mut open) if open.entry.severity != Severity::Other => out.message(&mut open.entry),
            _ => Ok(Flow::Continue),
        }
    }

    /// Ends messages that have been open for long, oldest first.
    fn end_old(&mut self, out: &mut Assembler<'_>) -> Result<Flow> {
        let full = self.open.len() > OPEN;
        if !full && !out.stats.lines.is_multiple_of(LINES / 2) {
            return Ok(Flow::Continue);
        }
        let mut old: Vec<(u64, u32)> = self.open.iter().map(|(pid, open)| (open.since, *pid)).collect();
        old.sort_unstable();
        let many = if full { OPEN / 2 } else { 0 };
        for (index, (since, pid)) in old.into_iter().enumerate() {
            let end = index < many || since + LINES < out.stats.lines;
            if end && self.end(pid, out)? == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
        Ok(Flow::Continue)
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

impl Format for Syslog {
    fn line(&mut self, line: &[u8], at: Cursor, whole: bool, out: &mut Assembler<'_>) -> Result<Flow> {
        let Some(Wrapper { time, pid, piece, text }) = unwrap(line) else {
            out.stats.unreadable += u64::from(!line.is_empty());
            return Ok(Flow::Continue);
        };
        let mut plain = std::mem::take(&mut self.plain);
        unescape(text, &mut plain);
        let first = piece.is_none_or(|(_, part)| part == 1);
        let word = if plain.starts_with(b"\t") { None } else { self.header.read(&plain) };
        let mut flow = Flow::Continue;
        match word {
            Some((Word::Primary(severity), start)) if first => {
                flow = self.end(pid, out)?;
                out.stats.messages += 1;
                out.stats.other += u64::from(severity == Severity::Other);
                let mut entry = Entry::default();
                self.header.begin(&plain, &mut entry);
                if entry.pid == 0 {
                    entry.pid = pid;
                }
                if entry.get(Part::Time).is_empty() {
                    entry.set(Part::Time, time);
                }
                entry.severity = severity;
                entry.rewritten = text.len() != plain.len();
                let text_at = line.len() - text.len() + if entry.rewritten { 0 } else { start };
                entry.message_at = at.along(&line[..text_at]);
                entry.set(Part::Message, &plain[start..]);
                entry.truncated = !whole;
                self.open.insert(pid, Open { entry, part: Some(Part::Message), piece, since: out.stats.lines });
                if flow == Flow::Continue {
                    flow = self.end_old(out)?;
                }
            }
            word => match self.open.get_mut(&pid) {
                None => out.stats.unreadable += 1,
                Some(open) => open.more(word, &plain, piece, at, whole),
            },
        }
        self.plain = plain;
        Ok(flow)
    }

    fn rest(&mut self, _end: bool, out: &mut Assembler<'_>) -> Result<Flow> {
        let mut pids: Vec<(u64, u32)> = self.open.iter().map(|(pid, open)| (open.since, *pid)).collect();
        pids.sort_unstable();
        for (_, pid) in pids {
            if self.end(pid, out)? == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
        Ok(Flow::Continue)
    }
}

impl Open {
    /// A further piece of the message.
    fn more(&mut self, word: Option<(Word, usize)>, text: &[u8], piece: Option<(u64, u64)>, at: Cursor, whole: bool) {
        let follows = match (self.piece, piece) {
            (Some((message, part)), Some((this, next))) => message == this && part + 1 == next,
            (before, this) => before == this,
        };
        self.piece = piece;
        // A lost piece may have been the end of this part, or the start of another.
        self.entry.truncated |= !follows || !whole;
        match word {
            Some((word, start)) if !matches!(word, Word::Primary(_)) => {
                self.part = part_of(word);
                if let Some(part) = self.part {
                    self.entry.set(part, &text[start..]);
                    self.entry.rewritten = true;
                    self.entry.statement_at = at;
                }
            }
            _ => {
                let Some(part) = self.part else { return };
                if text.starts_with(b"\t") {
                    self.entry.extend(part, b"\n");
                }
                self.entry.extend(part, text.strip_prefix(b"\t").unwrap_or(text));
                self.entry.rewritten = true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::records;
    use super::{Prefix, Syslog, unescape, unwrap};

    #[test]
    fn headers() {
        for time in ["Jan  1 12:00:00", "2026-01-31T12:00:00.123456+01:00"] {
            let line = format!("{time} db1 postgres[42]: [7-2] #011FROM t");
            let wrapper = unwrap(line.as_bytes()).unwrap();
            assert_eq!((wrapper.time, wrapper.pid, wrapper.piece), (time.as_bytes(), 42, Some((7, 2))));
            let mut plain = Vec::new();
            unescape(wrapper.text, &mut plain);
            assert_eq!(plain, b"\tFROM t");
        }
        let plain = unwrap(b"Jan 31 12:00:00 db1 postgres[42]: LOG:  x").unwrap();
        assert_eq!((plain.piece, plain.text), (None, &b"LOG:  x"[..]));
        for line in ["2026-01-31 12:00:00 UTC [42]: LOG:  x", "", "J", "Jan  1 12:00:00 a b c[1]: x"] {
            assert_eq!(unwrap(line.as_bytes()), None, "{line}");
        }
    }

    fn seen(log: &str) -> Vec<String> {
        let log =
            log.replace("7>", "Jan  1 12:00:00 db postgres[7]: ").replace("8>", "Jan  1 12:00:00 db postgres[8]: ");
        records(&mut Syslog::new(Some(Prefix::new("%q%u@%d "))), log.as_bytes()).0
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
