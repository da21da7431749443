//! CSV exports of platforms, with a header of column names and one row per event. Converts each row to an object.
//! table.rs defines the meaning of the columns.

use serde_json::{Map, Value};

use super::escaped::unescaped;
use super::learn::is_message;
use super::table::Escapes;
use super::times::{digits, iso_len};
use crate::format::batch::BYTE_ORDER_MARK;
use crate::format::csvlog::looks_like_row;
use crate::message::parts::MAX_MESSAGE_BYTES;
use crate::message::severity::Severity;
use crate::time::timestamp::timestamp_len;

/// State of an export's parser.
#[derive(Default)]
pub struct CsvRows {
    /// Column names and separator. `None` before the header.
    header: Option<(Vec<String>, u8)>,
    /// Start of a row that continues on the next line.
    row: Vec<u8>,
    /// Whether `row` ends inside quotes.
    is_quoted: bool,
    /// The last row, if it has fewer values than the header.
    broken: Vec<u8>,
}

impl CsvRows {
    /// Reads a line. Returns the row that the line completes, keyed by column names.
    pub fn line(&mut self, line: &[u8]) -> Option<Map<String, Value>> {
        if self.header.is_none() {
            self.header = Some(header(line)?);
            headerless(line)?; // a header is not a row
        }
        if !self.row.is_empty() {
            self.row.push(b'\n');
        }
        self.row.extend_from_slice(line);
        self.is_quoted ^= memchr::memchr_iter(b'"', line).count() % 2 == 1;
        if self.is_quoted && self.row.len() < MAX_MESSAGE_BYTES {
            return None;
        }
        self.is_quoted = false;
        let row = std::mem::take(&mut self.row);
        let (names, separator) = self.header.as_ref()?;
        if row.is_empty() {
            return None;
        }
        let mut values = split(&row, *separator);
        // The text format of `COPY`.
        if *separator == b'\t' && values.iter().any(|value| value == b"\\N") {
            values.iter_mut().for_each(|value| *value = copied(value));
        }
        let value = |text: &Vec<u8>| Value::String(String::from_utf8_lossy(text).into_owned());
        if values.len() < names.len() {
            self.broken = row;
            return None;
        }
        // The last columns may lack names.
        let others = (names.len() + 1..).map(|number| format!("{UNNAMED}{number}"));
        Some(names.iter().cloned().chain(others).zip(values.iter().map(value)).collect())
    }

    /// Takes the last row if it has fewer values than the header.
    pub fn take_broken(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.broken)
    }

    /// Takes the unterminated row at the end of the input.
    pub fn finish(&mut self) -> Vec<u8> {
        self.is_quoted = false;
        std::mem::take(&mut self.row)
    }
}

/// Prefix of generated column names.
pub const UNNAMED: &str = "column ";

/// Columns of a csvlog, which has no header.
const COLUMNS: &str = "log_time,user_name,database_name,process_id,connection_from,session_id,session_line_num,command_tag,\
    session_start_time,virtual_transaction_id,transaction_id,error_severity,sql_state_code,message,detail,hint,\
    internal_query,internal_query_pos,context,query,query_pos,location,application_name,backend_type,leader_pid,query_id";

/// Decodes a value in the text format of `COPY`.
fn copied(value: &[u8]) -> Vec<u8> {
    if value == b"\\N" { Vec::new() } else { unescaped(value, Escapes::All) }
}

/// Returns generated column names for a row without a header. The row must be a csvlog row that another program
/// rewrote, or a row in which one of the quoted strings is a message.
fn headerless(line: &[u8]) -> Option<(Vec<String>, u8)> {
    let is_row = |separator: &u8| {
        let values = split(line, *separator);
        let is_number =
            |at: usize| values.get(at).is_some_and(|value| digits(value) == value.len() && !value.is_empty());
        let zone = values[0].get(timestamp_len(&values[0])..).unwrap_or_default();
        let is_time =
            zone.len() < values[0].len() && (zone.is_empty() || (zone.len() <= 6 && matches!(zone[0], b'+' | b'-')));
        is_time && is_number(3) && values.get(11).is_some_and(|value| is_severity(value))
    };
    // The server's own rows need no column names.
    if looks_like_row(line) {
        return None;
    }
    if let Some(separator) = [b',', b';', b'\t', b'|'].into_iter().find(is_row) {
        return Some((COLUMNS.split(',').map(str::to_string).collect(), separator));
    }
    let separator = [b',', b';', b'\t'].into_iter().find(|separator| has_quoted_message(line, *separator))?;
    let names = split(line, separator).into_iter().enumerate().map(|(at, value)| match iso_len(&value) {
        len if at == 0 && len > 0 && len == value.len() => "time".to_string(),
        _ => format!("{UNNAMED}{}", at + 1),
    });
    Some((names.collect(), separator))
}

fn is_severity(value: &[u8]) -> bool {
    value.first().is_some_and(u8::is_ascii_uppercase) && Severity::from_name(value) != Severity::Other
}

/// Whether a row has a quoted message after its first value.
fn has_quoted_message(line: &[u8], separator: u8) -> bool {
    let is_message = |text: &[u8]| is_message(&String::from_utf8_lossy(text));
    let is_start = line.starts_with(b"\"") || line.get(iso_len(line)) == Some(&separator);
    is_start && memchr::memmem::find_iter(line, &[separator, b'"']).any(|at| is_message(&line[at + 2..]))
}

/// Start of the line that PowerShell writes before a header.
pub const TYPE: &[u8] = b"#TYPE ";

/// Returns the column names and the separator in the header of an export. Returns `None` if the line is not a header.
/// The names are in lower case. A zone after a name (`TimeGenerated [UTC]`) is removed.
pub fn header(line: &[u8]) -> Option<(Vec<String>, u8)> {
    const MAX_COLUMNS: usize = 500;
    let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line).trim_ascii_end();
    if line.starts_with(TYPE) {
        return None;
    }
    if let Some(header) = headerless(line) {
        return Some(header);
    }
    let separator = [b',', b';', b'\t', b'|']
        .into_iter()
        .max_by_key(|byte| (memchr::memchr_iter(*byte, line).count(), *byte == b','))?;
    let is_name = |name: &String| {
        (1..100).contains(&name.len())
            && name.starts_with(|c: char| c.is_ascii_alphabetic() || "_@".contains(c))
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_@. /-:#()".contains(&b))
    };
    let names = split(line, separator).into_iter().map(|name| {
        let name = String::from_utf8_lossy(&name).trim().to_lowercase();
        name.split(" [").next().unwrap_or_default().to_string()
    });
    let mut names: Vec<String> = names.take(MAX_COLUMNS + 1).collect();
    // The index column of a data frame has no name.
    if names.len() > 1 && names[0].is_empty() {
        names[0] = "index".to_string();
    }
    (names.len() <= MAX_COLUMNS && names.iter().all(is_name)).then_some((names, separator))
}

/// Splits a row and returns its values without quotes.
fn split(row: &[u8], separator: u8) -> Vec<Vec<u8>> {
    let (mut values, mut value, mut at, mut is_quoted) = (Vec::new(), Vec::new(), 0, false);
    while let Some(byte) = row.get(at) {
        at += 1;
        match byte {
            b'"' if is_quoted && row.get(at) == Some(&b'"') => {
                value.push(b'"');
                at += 1;
            }
            b'"' if is_quoted || value.is_empty() => is_quoted = !is_quoted,
            byte if *byte == separator && !is_quoted => values.push(std::mem::take(&mut value)),
            byte => value.push(*byte),
        }
    }
    values.push(value);
    values
}

#[cfg(test)]
mod tests {
    use super::{CsvRows, header};

    #[test]
    fn rows_are_objects() {
        let mut rows = CsvRows::default();
        assert!(rows.line("\u{feff}\"TimeGenerated [UTC]\",Message,n".as_bytes()).is_none());
        assert!(rows.line(b"2026,\"LOG:  x \"\"y\"\",").is_none());
        let row = rows.line(b"\tz\",1").unwrap();
        assert_eq!(
            (&row["timegenerated"], &row["message"], &row["n"]),
            (&"2026".into(), &"LOG:  x \"y\",\n\tz".into(), &"1".into())
        );
        assert!(rows.line(b"\"cut").is_none());
        assert_eq!(rows.finish(), b"\"cut");
    }

    #[test]
    fn headers_have_names() {
        assert_eq!(header(b"date;message").unwrap().1, b';');
        assert!(header(b"2026-01-31 12:00:00 UTC,\"ann\",\"shop\"").is_none());
        assert!(header(b"SELECT 'message', 1").is_none());
    }
}
