//! `--from stderr`: lines that begin with log_line_prefix and a severity, and their
//! continuations, which begin with a tab.

use crate::batch::{Batch, Line, LineParser};
use crate::entry::{Message, Part, Severity, Start};
use crate::prefix::{Field, Found, Prefix};
use crate::severity::{Label, anywhere};
use crate::timestamp::timestamp_len;

/// The state of a log written to stderr.
pub struct Stderr {
    header: Header,
    message: Message,
    /// Where the statement of an error starts.
    statement_at: Start,
    /// What a continuation goes on with; `None` where it is of no interest.
    part: Option<Part>,
    open: Open,
}

/// What the last line has begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    Nothing,
    /// A message that never comes with a statement.
    Other,
    Message,
    /// The statement of an error of another process than the message before.
    OrphanStatement,
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

    /// The word of a line and where its text starts, in bytes.
    pub fn read(&mut self, line: &[u8]) -> Option<(Label, usize)> {
        if let Some(prefix) = &self.prefix {
            return prefix.read(line, &mut self.found);
        }
        let (start, word, text) = anywhere(line)?;
        self.found = Found::default();
        let blank = line[..start].iter().take_while(|b| matches!(b, b' ' | b'<' | b'[')).count();
        self.found[Field::Time as usize] = blank..blank + timestamp_len(&line[blank..start]);
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

    /// Begins a message with the fields of the line that was read last, which starts at byte
    /// `start` of the batch.
    pub fn begin(&self, text: &[u8], start: usize, severity: Severity, at: Start) -> Message {
        let mut message = Message::new(self.pid(text), severity, at);
        for (field, part) in [
            (Field::Time, Part::Time),
            (Field::User, Part::User),
            (Field::Database, Part::Database),
            (Field::Application, Part::Application),
            (Field::Session, Part::Session),
        ] {
            let range = self.found[field as usize].clone();
            if !range.is_empty() && &text[range.clone()] != b"[unknown]" {
                message.set(part, start + range.start..start + range.end);
            }
        }
        message
    }
}

/// The part that a word begins, if it is of interest.
pub fn part_of(word: Label) -> Option<Part> {
    match word {
        Label::Detail => Some(Part::Detail),
        Label::Context => Some(Part::Context),
        Label::Statement => Some(Part::Statement),
        Label::Ignored | Label::Primary(_) => None,
    }
}

impl Stderr {
    pub fn new(prefix: Option<Prefix>) -> Self {
        Self {
            header: Header::new(prefix),
            message: Message::default(),
            statement_at: Start::default(),
            part: None,
            open: Open::Nothing,
        }
    }

    /// Ends what is open.
    fn close(&mut self, batch: &mut Batch) {
        self.part = None;
        match std::mem::replace(&mut self.open, Open::Nothing) {
            Open::Nothing | Open::Other => {}
            Open::Message => batch.push(std::mem::take(&mut self.message), self.statement_at),
            Open::OrphanStatement => batch.push_orphan_statement(std::mem::take(&mut self.message)),
        }
    }

    fn begin(&mut self, severity: Severity, line: Line, text: usize, batch: &mut Batch) {
        self.close(batch);
        if !batch.count(severity) {
            // What follows of it is known to be its own.
            self.message = Message::new(self.header.pid(batch.text(line)), severity, Start::of(line));
            self.open = Open::Other;
            return;
        }
        let at = Start::of(line).along(&batch.text(line)[..text]);
        self.message = self.header.begin(batch.text(line), line.start, severity, at);
        self.message.set(Part::Message, line.start + text..line.end);
        (self.open, self.part) = (Open::Message, Some(Part::Message));
    }

    /// A line that belongs to a message.
    fn secondary(&mut self, word: Label, line: Line, text: usize, batch: &mut Batch) {
        let pid = self.header.pid(batch.text(line));
        let at = Start::of(line).along(&batch.text(line)[..text]);
        let range = line.start + text..line.end;
        self.part = None;
        if pid == self.message.pid || pid == 0 {
            if let Some(part) = part_of(word).filter(|_| self.open == Open::Message) {
                self.part = Some(part);
                self.message.set(part, range);
                if part == Part::Statement {
                    self.statement_at = at;
                }
            }
        } else if word == Label::Statement && batch.selection.errors {
            // Another process came between.
            self.close(batch);
            self.message = Message::new(pid, Severity::Error, at);
            self.message.set(Part::Statement, range);
            (self.open, self.part) = (Open::OrphanStatement, Some(Part::Statement));
        }
    }
}

impl LineParser for Stderr {
    fn line(&mut self, line: Line, batch: &mut Batch) {
        if batch.text(line).first() == Some(&b'\t') {
            match self.part {
                Some(part) => {
                    batch.extend(&mut self.message, part, Line { start: line.start + 1, ..line });
                }
                None => batch.stats.unreadable += u64::from(self.open == Open::Nothing),
            }
        } else {
            match self.header.read(batch.text(line)) {
                None => {
                    batch.stats.unreadable += u64::from(line.start < line.end);
                    return;
                }
                Some((Label::Primary(severity), text)) => self.begin(severity, line, text, batch),
                Some((word, text)) => self.secondary(word, line, text, batch),
            }
        }
        self.message.truncated |= !line.whole;
    }

    fn end(&mut self, batch: &mut Batch, cut: bool) {
        self.message.truncated |= cut;
        self.close(batch);
        self.message = Message::default();
    }

    fn begins(&mut self, line: &[u8]) -> bool {
        line.first() != Some(&b'\t') && matches!(self.header.read(line), Some((Label::Primary(_), _)))
    }
}

#[cfg(test)]
mod tests {
    use super::{Prefix, Stderr};
    use crate::testing::{any_cut_is_survived, records};

    const PREFIX: &str = "%m [%p] %q%u@%d ";
    const HEAD: &str = "2026-01-31 12:00:00.123 UTC [7] ann@shop ";

    fn new() -> Stderr {
        Stderr::new(Some(Prefix::new(PREFIX)))
    }

    /// `7>` and `8>` stand for the prefix of a process.
    fn seen(log: &str) -> Vec<String> {
        let log = log.replace("7>", HEAD).replace("8>", &HEAD.replace("[7]", "[8]"));
        records(&|| Box::new(new()), log.as_bytes()).0
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
        any_cut_is_survived(&|| Box::new(new()), log.as_bytes());
    }

    #[test]
    fn without_a_prefix_time_and_process_are_found() {
        let log = "<2026-01-31 12:00:00.123 UTC app [x] - [7]> LOG:  statement: A\n\tB\n[8]{q}ERROR:  x\n[8]{q}STATEMENT:  C\n";
        let (seen, _) = records(&|| Box::new(Stderr::new(None)), log.as_bytes());
        assert_eq!(seen, ["7 LOG | A\nB", "8 ERROR | C"]);
    }
}
