//! Offsets of the columns in a csvlog row.

use std::ops::Range;

use super::{is_servers_row, looks_like_row};
use crate::format::frame::Frame;
use crate::scan::known_runs::KnownRuns;
use crate::scan::lines::split_lines;
use crate::scan::near::{find_near, find_near2};
use crate::scan::number::is_number;
use crate::time::timestamp::timestamp_len;

/// Number of columns in PostgreSQL 14 and later. Further columns are ignored.
pub const MAX_COLUMNS: usize = 26;
const MAX_COLUMN_COUNT: u8 = MAX_COLUMNS as u8;
/// Number of columns in PostgreSQL 8.3. Later versions have more columns.
pub const MIN_COLUMNS: usize = 22;
pub const USER: usize = 1;
/// Index of the process ID. From here to the session ID, all columns are constant within a session.
pub const PID: usize = 3;
/// Index of the host. The range of this column excludes the port.
const HOST: usize = 4;
/// Index of the session ID.
const SESSION_ID: usize = 5;
/// Index of the command tag.
pub const TAG: usize = 7;
const SESSION_START: usize = 8;
pub const MESSAGE: usize = 13;
pub const QUERY: usize = 19;
pub const SEVERITY: usize = 11;
const QUERY_ID: usize = MAX_COLUMNS - 1;

/// Severity and SQLSTATE of most rows, and the opening quote of the message.
const USUAL: &[u8; 11] = b"LOG,00000,\"";

/// Returns the number of columns of the row at the start of a sample. Returns `None` if a client may have written this
/// row. A client's text can make the first line of a stderr log look like a row. Such a line is recognized by its
/// label: the colon after the severity is outside of quotes.
pub fn columns_of_first_row(sample: &[u8]) -> Option<usize> {
    let mut lines = split_lines(sample).map(Frame::strip).skip_while(|line| line.is_empty());
    // The row may have several lines, because a name may contain a line break. The severity may be on a later line.
    let mut row = lines.next().filter(|line| looks_like_row(line) && timestamp_len(line) > 0)?.to_vec();
    let is_odd = |line: &[u8]| !memchr::memchr_iter(b'"', line).count().is_multiple_of(2);
    let mut is_open = is_odd(&row);
    while is_open {
        // The row may be longer than the sample.
        let Some(line) = lines.next() else { return is_servers_row(&row).then_some(MAX_COLUMNS) };
        is_open ^= is_odd(line);
        row.push(b'\n');
        row.extend_from_slice(line);
    }
    if !is_servers_row(&row) {
        return None;
    }
    // A sample may end between the two quotes of a doubled quote. In this case, the row only seems to be complete.
    let is_cut = lines.next().is_none() && !sample.ends_with(b"\n");
    let mut columns = CsvRow::default();
    if columns.split(&row, true, &mut KnownColumns::default()).is_none() {
        return is_cut.then_some(MAX_COLUMNS);
    }
    let is_column = |column: usize| {
        let range = columns.range(column);
        column == SESSION_START || row[range.start - 1] == b'"' || !row[range].contains(&b':')
    };
    let is_whole = columns.count >= MIN_COLUMNS;
    let is_row = (is_whole || is_cut) && columns.count > SEVERITY && (USER..=SEVERITY).all(is_column);
    is_row.then_some(if is_whole { columns.count } else { MAX_COLUMNS })
}

/// Caches the columns that are the same in many rows. These are the session's columns and the columns after the
/// message.
#[derive(Default)]
pub struct KnownColumns {
    sessions: KnownRuns<u8, ()>,
    /// Columns after the message. The value of each cached run is the number of columns of the whole row.
    ends: KnownRuns<u8, u8>,
}

/// Returns the length of the host in `host:port`.
fn host_len(client: &[u8]) -> usize {
    match memchr::memrchr(b':', client) {
        Some(colon) if client[colon + 1..].iter().all(u8::is_ascii_digit) => colon,
        _ => client.len(),
    }
}

#[derive(Default)]
pub struct CsvRow {
    /// Byte ranges without the quotes.
    ranges: [(u32, u32); MAX_COLUMNS],
    /// Bit set of the columns that contain doubled quotes.
    pub doubled: u32,
    pub count: usize,
}

impl CsvRow {
    pub fn range(&self, column: usize) -> Range<usize> {
        let (start, end) = self.ranges[column];
        start as usize..end as usize
    }

    /// Splits a row into columns. Returns `None` if its quotes are invalid. `strict`: whether to reject a quote inside
    /// an unquoted field.
    pub fn split(&mut self, row: &[u8], strict: bool, known: &mut KnownColumns) -> Option<()> {
        self.doubled = 0;
        self.count = 0;
        // Starts of the columns to be cached.
        let (mut session, mut end_of_row) = (None, None);
        let mut at = 0;
        loop {
            let (start, end, next) = if row.get(at) == Some(&b'"') {
                let start = at + 1;
                let mut end = start;
                loop {
                    end += find_near(b'"', &row[end..])?;
                    if row.get(end + 1) != Some(&b'"') {
                        break;
                    }
                    self.doubled |= 1u32.checked_shl(self.count as u32).unwrap_or(0);
                    end += 2;
                }
                (start, end, end + 1)
            } else {
                let end = find_near2(b',', b'"', &row[at..]).map_or(row.len(), |len| at + len);
                let end = match row.get(end) {
                    Some(b'"') if strict => return None,
                    Some(b'"') => memchr::memchr(b',', &row[end..]).map_or(row.len(), |len| end + len),
                    _ => end,
                };
                (at, end, end)
            };
            if let Some(column) = self.ranges.get_mut(self.count) {
                *column = (start as u32, end as u32);
            }
            self.count += 1;
            match row.get(next) {
                None => break,
                Some(b',') => at = next + 1,
                Some(_) => return None,
            }
            let first = self.count;
            if first == PID && strict && known.sessions.is_worthwhile() {
                let ranges = &mut self.ranges;
                let set = |column: u8, start, end| ranges[usize::from(column)] = (at as u32 + start, at as u32 + end);
                match known.sessions.find(&row[at..], set) {
                    Some((len, ())) => (self.count, at) = (SESSION_ID + 1, at + len),
                    None => session = Some(at),
                }
            } else if first == SESSION_ID + 1 {
                let host = self.range(HOST);
                self.ranges[HOST].1 = (host.start + host_len(&row[host])) as u32;
                if let Some(from) = session.filter(|_| self.doubled >> PID == 0) {
                    known.sessions.keep(&row[from..at], self.fields(PID..first, from), ());
                }
            } else if first == SEVERITY && row[at..].first_chunk() == Some(USUAL) {
                let start = at as u32;
                self.ranges[SEVERITY] = (start, start + 3);
                self.ranges[SEVERITY + 1] = (start + 4, start + 9);
                (self.count, at) = (MESSAGE, at + USUAL.len() - 1);
            } else if first == MESSAGE + 1 && strict && known.ends.is_worthwhile() {
                let ranges = &mut self.ranges;
                let set = |column: u8, start, end| ranges[usize::from(column)] = (at as u32 + start, at as u32 + end);
                if let Some((len, count)) = known.ends.find(&row[at..], set) {
                    let (last, has_query_id) = (at + len, usize::from(count) == MAX_COLUMNS);
                    if last == row.len() || (has_query_id && is_number(&row[last..])) {
                        if has_query_id {
                            self.ranges[QUERY_ID] = (last as u32, row.len() as u32);
                        }
                        self.count = usize::from(count);
                        return Some(());
                    }
                }
                end_of_row = Some(at);
            }
        }
        if let Some(from) = end_of_row
            && self.doubled >> (MESSAGE + 1) == 0
            && let Ok(count @ ..=MAX_COLUMN_COUNT) = u8::try_from(self.count)
        {
            // The query ID differs between statements, so the cached columns end before it.
            let has_query_id = self.count == MAX_COLUMNS;
            let end = if has_query_id { self.range(QUERY_ID).start } else { row.len() };
            known.ends.keep(&row[from..end], self.fields(MESSAGE + 1..self.count.min(QUERY_ID), from), count);
        }
        Some(())
    }

    /// Returns the index, the start and the end of each of `columns`. Start and end are relative to offset `from`.
    fn fields(&self, columns: Range<usize>, from: usize) -> impl Iterator<Item = (u8, u32, u32)> {
        columns.map(move |column| {
            let (start, end) = self.ranges[column];
            (column as u8, start - from as u32, end - from as u32)
        })
    }
}
