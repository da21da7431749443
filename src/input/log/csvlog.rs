//! `--from csvlog`: rows of 22 to 26 columns, as PostgreSQL has written them since 8.3.
//!
//! A row ends where its quotes are even. A row that was cut off would take all that follows
//! along; a line that can only be the start of a row ends it.

use anyhow::Result;
use csv_core::{ReadRecordResult, Reader};

use super::assemble::Assembler;
use super::entry::{Entry, LONGEST, Part, Severity};
use super::lines::Format;
use super::time::extent;
use crate::input::{Cursor, Flow};

/// Columns by their number; those from 22 on came later.
const TIME: usize = 0;
const USER: usize = 1;
const DATABASE: usize = 2;
const PID: usize = 3;
const SESSION: usize = 5;
const SEVERITY: usize = 11;
const MESSAGE: usize = 13;
const DETAIL: usize = 14;
const CONTEXT: usize = 18;
const QUERY: usize = 19;
const APPLICATION: usize = 22;
/// Columns that every version has.
const FEWEST: usize = 22;

/// The state of a csvlog.
pub struct CsvLog {
    reader: Reader,
    /// Lines of a row that is not complete yet.
    row: Vec<u8>,
    row_at: Cursor,
    /// Fields of a row, without quotes, one behind the other, and their ends.
    text: Vec<u8>,
    ends: Vec<usize>,
    entry: Entry,
}

impl Default for CsvLog {
    fn default() -> Self {
        Self {
            reader: Reader::new(),
            row: Vec::new(),
            row_at: Cursor::default(),
            text: vec![0; 4096],
            ends: vec![0; 64],
            entry: Entry::default(),
        }
    }
}

/// Whether a line can only be the start of a row: inside of quotes, those around the user
/// would be doubled.
fn starts_row(line: &[u8]) -> bool {
    let time = extent(line);
    time > 0 && matches!(&line[time..], [b',', b'"', user, ..] if *user != b'"')
}

impl CsvLog {
    /// Splits a row. False if it is none.
    fn split(&mut self, row: &[u8]) -> Option<usize> {
        self.reader.reset();
        // Fields are never longer than what they are written as.
        if self.text.len() < row.len() {
            self.text.resize(row.len(), 0);
        }
        let (mut read, mut written, mut fields) = (0, 0, 0);
        loop {
            let (result, r, w, f) =
                self.reader.read_record(&row[read..], &mut self.text[written..], &mut self.ends[fields..]);
            (read, written, fields) = (read + r, written + w, fields + f);
            match result {
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::Record => return Some(fields),
                _ => return None,
            }
        }
    }

    fn field(&self, index: usize) -> &[u8] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.text[start..self.ends[index]]
    }

    fn row(&mut self, row: &[u8], at: Cursor, out: &mut Assembler<'_>) -> Result<Flow> {
        let fields = self.split(row).unwrap_or(0);
        if fields < FEWEST || extent(row) == 0 {
            out.stats.unreadable += u64::from(!row.is_empty());
            return Ok(Flow::Continue);
        }
        out.stats.messages += 1;
        let severity = Severity::of(self.field(SEVERITY));
        if severity == Severity::Other {
            out.stats.other += 1;
            return Ok(Flow::Continue);
        }
        let mut entry = std::mem::take(&mut self.entry);
        entry.clear();
        entry.severity = severity;
        entry.rewritten = true;
        (entry.message_at, entry.statement_at) = (at, at);
        entry.pid = std::str::from_utf8(self.field(PID)).ok().and_then(|pid| pid.parse().ok()).unwrap_or(0);
        for (column, part) in [
            (TIME, Part::Time),
            (USER, Part::User),
            (DATABASE, Part::Database),
            (SESSION, Part::Session),
            (APPLICATION, Part::Application),
            (MESSAGE, Part::Message),
            (DETAIL, Part::Detail),
            (CONTEXT, Part::Context),
            (QUERY, Part::Statement),
        ] {
            if column < fields {
                entry.set(part, self.field(column));
            }
        }
        let flow = out.message(&mut entry);
        self.entry = entry;
        flow
    }
}

impl Format for CsvLog {
    fn line(&mut self, line: &[u8], at: Cursor, whole: bool, out: &mut Assembler<'_>) -> Result<Flow> {
        let even = memchr::memchr_iter(b'"', line).count().is_multiple_of(2);
        if !self.row.is_empty() {
            if starts_row(line) || self.row.len() + line.len() > LONGEST {
                out.stats.cut += 1;
                self.row.clear();
            } else {
                self.row.push(b'\n');
                self.row.extend_from_slice(line);
                if even {
                    return Ok(Flow::Continue); // still inside of a quoted field
                }
                let row = std::mem::take(&mut self.row);
                let flow = self.row(&row, self.row_at, out);
                self.row = row;
                self.row.clear();
                return flow;
            }
        }
        if even {
            return self.row(line, at, out);
        }
        if !whole {
            out.stats.cut += 1;
        } else if extent(line) == 0 {
            out.stats.unreadable += 1; // rubbish with a quote in it
        } else {
            self.row.extend_from_slice(line);
            self.row_at = at;
        }
        Ok(Flow::Continue)
    }

    fn rest(&mut self, end: bool, out: &mut Assembler<'_>) -> Result<Flow> {
        // A row that is not complete is either still being written or cut.
        if end && !self.row.is_empty() {
            out.stats.cut += 1;
            self.row.clear();
        }
        Ok(Flow::Continue)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{any_cut_is_survived, records};
    use super::{CsvLog, Format};

    /// A row as PostgreSQL 8.3 wrote it, and what later versions add.
    fn row(severity: &str, message: &str, detail: &str, query: &str, later: &str) -> String {
        format!(
            "2026-01-31 12:00:00.123 UTC,\"ann\",\"shop\",7,\"[local]\",65b.7,1,\"SELECT\",2026-01-31 12:00:00 UTC,3/7,0,\
             {severity},00000,{message},{detail},,,,,{query},,{later}\n"
        )
    }

    fn log() -> String {
        row("LOG", "\"duration: 1.5 ms  statement: SELECT\n 'a', \"\"b\"\"\"", "", "", ",\"psql\"")
            + &row("LOG", "\"statement: A\"", "", "", "")
            + &row("ERROR", "\"no\"", "", "\"SELECT\n\n1\"", ",\"psql\",\"client backend\"")
            + &row("LOG", "\"execute s: B\"", "\"parameters: $1 = 'x'\"", "", ",\"psql\",\"client backend\",,0")
    }

    #[test]
    fn rows_of_all_versions() {
        let (seen, stats) = records(&mut CsvLog::default(), log().as_bytes());
        assert_eq!(
            seen,
            [
                "7 LOG | ann | 1.5 | SELECT\n 'a', \"b\"",
                "7 LOG | ann | A",
                "7 ERROR | ann | SELECT\n\n1",
                "7 LOG | ann | B | $1 = 'x'",
            ]
        );
        assert_eq!((stats.messages, stats.unreadable, stats.cut), (4, 0, 0));
    }

    #[test]
    fn cuts_and_rubbish_cost_only_what_they_hit() {
        any_cut_is_survived(&|| Box::<CsvLog>::default() as Box<dyn Format>, log().as_bytes());
        let cut = row("LOG", "\"statement: cut", "", "", "");
        let (seen, stats) = records(&mut CsvLog::default(), (cut + &log()).as_bytes());
        assert_eq!((seen.len(), stats.cut), (4, 1));
    }
}
