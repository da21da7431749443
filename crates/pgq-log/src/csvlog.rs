//! `--from csvlog`: rows of 22 to 26 columns, as PostgreSQL has written them since 8.3.
//!
//! A row ends where its quotes are even. A row that was cut off would take all that follows
//! along; a line that can only be the start of a row ends it.

use std::ops::Range;

use crate::batch::{Batch, Line, LineParser};
use crate::entry::{Message, Part, Severity, Start};
use crate::timestamp::timestamp_len;

/// Columns by their number; those from 22 on came later.
const PID: usize = 3;
const SEVERITY: usize = 11;
const COLUMNS: [(usize, Part); 9] = [
    (0, Part::Time),
    (1, Part::User),
    (2, Part::Database),
    (5, Part::Session),
    (22, Part::Application),
    (13, Part::Message),
    (14, Part::Detail),
    (18, Part::Context),
    (19, Part::Statement),
];
/// Columns that every version has.
const FEWEST: usize = 22;
/// Columns that are kept; PostgreSQL 14 and later write 26.
const MOST: usize = 26;

/// The state of a csvlog.
#[derive(Default)]
pub struct CsvLog {
    /// A row that is not complete yet: its first line, and where what there is of it ends.
    open: Option<(Line, usize)>,
}

/// Whether a line can only be the start of a row: inside of quotes, those around the user
/// would be doubled.
fn starts_row(line: &[u8]) -> bool {
    let time = timestamp_len(line);
    time > 0 && matches!(&line[time..], [b',', b'"', user, ..] if *user != b'"')
}

/// The fields of a row, with a bit for each in which quotes are doubled.
struct Fields {
    ranges: [Range<usize>; MOST],
    doubled: u32,
    count: usize,
}

/// Splits a row; `None` if it is none.
fn split(row: &[u8]) -> Option<Fields> {
    let mut fields = Fields { ranges: [const { 0..0 }; MOST], doubled: 0, count: 0 };
    let mut at = 0;
    loop {
        let (range, end) = if row.get(at) == Some(&b'"') {
            let start = at + 1;
            let mut end = start;
            loop {
                end += memchr::memchr(b'"', &row[end..])?;
                if row.get(end + 1) != Some(&b'"') {
                    break;
                }
                fields.doubled |= 1u32.checked_shl(fields.count as u32).unwrap_or(0);
                end += 2;
            }
            (start..end, end + 1)
        } else {
            let end = memchr::memchr(b',', &row[at..]).map_or(row.len(), |len| at + len);
            (at..end, end)
        };
        if let Some(slot) = fields.ranges.get_mut(fields.count) {
            *slot = range;
        }
        fields.count += 1;
        match row.get(end) {
            None => return Some(fields),
            Some(b',') => at = end + 1,
            Some(_) => return None,
        }
    }
}

/// Makes doubled quotes single, in place; the new end.
fn single_quotes(text: &mut [u8]) -> usize {
    let (mut from, mut to) = (0, 0);
    while let Some(len) = memchr::memchr(b'"', &text[from..]) {
        text.copy_within(from..from + len + 1, to);
        (from, to) = (from + len + 2, to + len + 1);
    }
    let from = from.min(text.len());
    text.copy_within(from.., to);
    to + text.len() - from
}

impl CsvLog {
    fn row(first: Line, end: usize, batch: &mut Batch) {
        let row = &batch.bytes[first.start..end];
        let fields = split(row).filter(|fields| fields.count >= FEWEST && timestamp_len(row) > 0);
        let Some(Fields { ranges, doubled, count }) = fields else {
            batch.stats.unreadable += u64::from(!row.is_empty());
            return;
        };
        let severity = Severity::of(&row[ranges[SEVERITY].clone()]);
        let pid = std::str::from_utf8(&row[ranges[PID].clone()]).ok().and_then(|pid| pid.parse().ok()).unwrap_or(0);
        if !batch.count(severity) {
            return;
        }
        let mut message = Message::new(pid, severity, Start::of(first));
        message.rewritten = true;
        for (column, part) in COLUMNS {
            if column < count && !ranges[column].is_empty() {
                let (start, mut end) = (first.start + ranges[column].start, first.start + ranges[column].end);
                if doubled >> column & 1 == 1 {
                    end = start + single_quotes(&mut batch.bytes[start..end]);
                }
                message.set(part, start..end);
            }
        }
        batch.push(message, Start::of(first));
    }
}

impl LineParser for CsvLog {
    fn line(&mut self, line: Line, batch: &mut Batch) {
        let text = batch.text(line);
        let odd = !memchr::memchr_iter(b'"', text).count().is_multiple_of(2);
        if let Some((first, end)) = self.open.take() {
            if starts_row(text) {
                batch.stats.cut += 1;
            } else {
                let end = batch.join(end, line);
                if odd {
                    Self::row(first, end, batch);
                } else {
                    self.open = Some((first, end)); // still inside of a quoted field
                }
                return;
            }
        }
        if !odd {
            Self::row(line, line.end, batch);
        } else if !line.whole {
            batch.stats.cut += 1;
        } else if timestamp_len(batch.text(line)) == 0 {
            batch.stats.unreadable += 1; // rubbish with a quote in it
        } else {
            self.open = Some((line, line.end));
        }
    }

    fn end(&mut self, batch: &mut Batch, _cut: bool) {
        batch.stats.cut += u64::from(self.open.take().is_some());
    }

    fn begins(&mut self, line: &[u8]) -> bool {
        starts_row(line)
    }
}

#[cfg(test)]
mod tests {
    use super::CsvLog;
    use crate::testing::{any_cut_is_survived, records};

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
        let (seen, stats) = records(&|| Box::<CsvLog>::default(), log().as_bytes());
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
        any_cut_is_survived(&|| Box::<CsvLog>::default(), log().as_bytes());
        let cut = row("LOG", "\"statement: cut", "", "", "");
        let (seen, stats) = records(&|| Box::<CsvLog>::default(), (cut + &log()).as_bytes());
        assert_eq!((seen.len(), stats.cut), (4, 1));
    }
}
