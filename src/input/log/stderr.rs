//! `--from stderr`: lines that begin with log_line_prefix and a severity, and their
//! continuations, which begin with a tab.

use anyhow::Result;

use super::assemble::Assembler;
use super::entry::{Entry, Part, Severity};
use super::lines::Format;
use super::prefix::{Field, Found, Prefix};
use super::severity::{Word, anywhere};
use super::time::extent;
use crate::input::{Cursor, Flow};

/// Most errors that wait for a statement which another process keeps from them.
const ERRORS: usize = 64;

/// The state of a log written to stderr.
pub struct Stderr {
    header: Header,
    entry: Entry,
    /// What a continuation goes on with; `None` where it is of no interest.
    part: Option<Part>,
    /// A message has begun.
    open: bool,
    /// Errors whose STATEMENT has not come yet.
    errors: Vec<Entry>,
}

/// Reads what stands before a message.
pub struct Header {
    /// `None`: only what is found without one.
    pub prefix: Option<Prefix>,
    found: Found,
}

impl Header {
    pub fn new(prefix: Option<Prefix>) -> Self {
        Self { prefix, found: Found::default() }
    }

    /// The word of a line and where its text starts.
    pub fn read(&mut self, line: &[u8]) -> Option<(Word, usize)> {
        if let Some(prefix) = &self.prefix {
            return prefix.read(line, &mut self.found);
        }
        let (start, word, text) = anywhere(line)?;
        self.found = Found::default();
        let blank = line[..start].iter().take_while(|b| matches!(b, b' ' | b'<' | b'[')).count();
        self.found[Field::Time as usize] = blank..blank + extent(&line[blank..start]);
        // The process is the last number in square brackets.
        let mut rest = start;
        while let Some(open) = memchr::memrchr(b'[', &line[..rest]) {
            let digits = line[open + 1..start].iter().take_while(|b| b.is_ascii_digit()).count();
            if digits > 0 && matches!(line.get(open + 1 + digits), Some(b']' | b'-')) {
                self.found[Field::Pid as usize] = open + 1..open + 1 + digits;
                break;
            }
            rest = open;
        }
        Some((word, text))
    }

    /// The process of the line that was read last; 0 where the line does not tell.
    pub fn pid(&self, line: &[u8]) -> u32 {
        let found = |field: Field| &line[self.found[field as usize].clone()];
        let pid = found(Field::Pid);
        if !pid.is_empty() && pid.len() < 10 && pid.iter().all(u8::is_ascii_digit) {
            return pid.iter().fold(0, |pid, digit| pid * 10 + u32::from(digit - b'0'));
        }
        // A session is named by its start and its process, in hexadecimal.
        let session = std::str::from_utf8(found(Field::Session)).unwrap_or("");
        let (_, pid) = session.rsplit_once('.').unwrap_or_default();
        u32::from_str_radix(pid, 16).unwrap_or(0)
    }

    /// Begins a message with the fields of the line that was read last.
    pub fn begin(&self, line: &[u8], entry: &mut Entry) {
        entry.clear();
        entry.pid = self.pid(line);
        for (field, part) in [
            (Field::Time, Part::Time),
            (Field::User, Part::User),
            (Field::Database, Part::Database),
            (Field::Application, Part::Application),
            (Field::Session, Part::Session),
        ] {
            let text = &line[self.found[field as usize].clone()];
            if !text.is_empty() && text != b"[unknown]" {
                entry.set(part, text);
            }
        }
    }
}

/// The part that a word begins, if it is of interest.
pub fn part_of(word: Word) -> Option<Part> {
    match word {
        Word::Detail => Some(Part::Detail),
        Word::Context => Some(Part::Context),
        Word::Statement => Some(Part::Statement),
        Word::Aside | Word::Primary(_) => None,
    }
}

impl Stderr {
    pub fn new(prefix: Option<Prefix>) -> Self {
        Self { header: Header::new(prefix), entry: Entry::default(), part: None, open: false, errors: Vec::new() }
    }

    /// Ends the message that is open.
    fn end(&mut self, out: &mut Assembler<'_>) -> Result<Flow> {
        if !std::mem::take(&mut self.open) {
            return Ok(Flow::Continue);
        }
        if self.entry.severity.is_error() && self.entry.get(Part::Statement).is_empty() && out.wants_errors() {
            if self.errors.len() == ERRORS {
                out.message(&mut self.errors.remove(0))?;
            }
            self.errors.push(std::mem::take(&mut self.entry));
            return Ok(Flow::Continue);
        }
        out.message(&mut self.entry)
    }

    /// Errors of a process that is at its next message wait no more.
    fn give_up(&mut self, pid: u32, out: &mut Assembler<'_>) -> Result<Flow> {
        while let Some(at) = self.errors.iter().position(|entry| entry.pid == pid) {
            out.message(&mut self.errors.remove(at))?;
        }
        Ok(Flow::Continue)
    }

    fn secondary(&mut self, word: Word, line: &[u8], text: usize, at: Cursor, out: &mut Assembler<'_>) -> Result<Flow> {
        let pid = self.header.pid(line);
        self.part = None;
        if self.open && (pid == self.entry.pid || pid == 0) {
            if let Some(part) = part_of(word).filter(|_| self.entry.severity != Severity::Other) {
                self.part = Some(part);
                self.entry.set(part, &line[text..]);
                if part == Part::Statement {
                    self.entry.statement_at = at.along(&line[..text]);
                }
            }
            return Ok(Flow::Continue);
        }
        // Another process came between.
        let mine = self.errors.iter().position(|entry| entry.pid == pid).filter(|_| word == Word::Statement);
        let Some(mine) = mine else { return Ok(Flow::Continue) };
        let flow = self.end(out)?;
        self.entry = self.errors.remove(mine);
        self.entry.set(Part::Statement, &line[text..]);
        self.entry.statement_at = at.along(&line[..text]);
        (self.open, self.part) = (true, Some(Part::Statement));
        Ok(flow)
    }
}

impl Format for Stderr {
    fn line(&mut self, line: &[u8], at: Cursor, whole: bool, out: &mut Assembler<'_>) -> Result<Flow> {
        let mut flow = Flow::Continue;
        if let Some(more) = line.strip_prefix(b"\t") {
            if let (true, Some(part)) = (self.open, self.part) {
                self.entry.extend(part, b"\n");
                self.entry.extend(part, more);
                self.entry.rewritten = true;
            } else if !self.open {
                out.stats.unreadable += 1;
            }
        } else {
            match self.header.read(line) {
                None => {
                    out.stats.unreadable += u64::from(!line.is_empty());
                    return Ok(Flow::Continue);
                }
                Some((Word::Primary(severity), text)) => {
                    flow = self.end(out)?;
                    out.stats.messages += 1;
                    if severity == Severity::Other {
                        out.stats.other += 1;
                        (self.part, self.open, self.entry.severity) = (None, false, severity);
                        return Ok(flow);
                    }
                    self.header.begin(line, &mut self.entry);
                    if !self.errors.is_empty() {
                        self.give_up(self.entry.pid, out)?;
                    }
                    self.entry.severity = severity;
                    self.entry.message_at = at.along(&line[..text]);
                    self.entry.set(Part::Message, &line[text..]);
                    (self.open, self.part) = (true, Some(Part::Message));
                }
                Some((word, text)) => flow = self.secondary(word, line, text, at, out)?,
            }
        }
        self.entry.truncated |= !whole && self.open;
        Ok(flow)
    }

    fn rest(&mut self, _end: bool, out: &mut Assembler<'_>) -> Result<Flow> {
        for mut entry in std::mem::take(&mut self.errors) {
            out.message(&mut entry)?;
        }
        self.end(out)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{any_cut_is_survived, records};
    use super::{Format, Prefix, Stderr};

    const PREFIX: &str = "%m [%p] %q%u@%d ";
    const HEAD: &str = "2026-01-31 12:00:00.123 UTC [7] ann@shop ";

    fn new() -> Stderr {
        Stderr::new(Some(Prefix::new(PREFIX)))
    }

    /// `7>` and `8>` stand for the prefix of a process.
    fn seen(log: &str) -> Vec<String> {
        let log = log.replace("7>", HEAD).replace("8>", &HEAD.replace("[7]", "[8]"));
        records(&mut new(), log.as_bytes()).0
    }

    #[test]
    fn statements_of_every_form() {
        let log = "7>LOG:  duration: 0.1 ms  statement: SELECT 1\n\
                   7>LOG:  duration: 0.2 ms  parse s: SELECT $1\n\
                   7>LOG:  duration: 0.2 ms  bind s: SELECT $1\n\
                   7>DETAIL:  parameters: $1 = 'a'\n\
                   7>LOG:  duration: 0.3 ms  execute s: SELECT $1\n\
                   7>DETAIL:  Parameters: $1 = 'a'\n\
                   7>LOG:  statement: SELECT\n\t\n\t\t2\n\
                   7>LOG:  duration: 4 ms\n\
                   7>LOG:  execute fetch from s/c: SELECT 3\n\
                   7>LOG:  duration: 5 ms  plan:\n\tQuery Text: SELECT 3\n\tResult\n\
                   7>ERROR:  no\n\tway\n\
                   7>HINT:  none\n\
                   7>STATEMENT:  SELECT\n\t4\n";
        assert_eq!(
            seen(log),
            [
                "7 LOG | ann | 0.1 | SELECT 1",
                "7 LOG | ann | 0.3 | SELECT $1 | $1 = 'a'",
                "7 LOG | ann | 4 | SELECT\n\n\t2",
                "7 LOG | ann | SELECT 3",
                "7 ERROR | ann | SELECT\n4",
            ]
        );
    }

    #[test]
    fn processes_between_each_other() {
        let log =
            "7>LOG:  statement: A\n8>ERROR:  x\n7>LOG:  duration: 1 ms\n8>STATEMENT:  B\n\tC\n7>LOG:  statement: D\n";
        assert_eq!(seen(log), ["7 LOG | ann | 1 | A", "8 ERROR | ann | B\nC", "7 LOG | ann | D"]);
    }

    #[test]
    fn the_end_of_a_cut_log_is_truncated() {
        assert_eq!(seen("7>LOG:  statement: SELECT 1, '2"), ["7 LOG | ann | SELECT 1, '2 | truncated"]);
        let log = "7>LOG:  duration: 1 ms  statement: A\n\tB\n7>LOG:  execute x: C\n7>DETAIL:  parameters: $1 = '1'\n";
        let log = log.replace("7>", HEAD);
        any_cut_is_survived(&|| Box::new(new()) as Box<dyn Format>, log.as_bytes());
    }

    #[test]
    fn without_a_prefix_time_and_process_are_found() {
        let log = "<2026-01-31 12:00:00.123 UTC app [x] - [7]> LOG:  statement: A\n\tB\n[8]{q}ERROR:  x\n[8]{q}STATEMENT:  C\n";
        let (seen, _) = records(&mut Stderr::new(None), log.as_bytes());
        assert_eq!(seen, ["7 LOG | A\nB", "8 ERROR | C"]);
    }
}
