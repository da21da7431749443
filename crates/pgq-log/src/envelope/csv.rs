//! Exports of platforms as CSV: a header with the names of columns, and a row an event. Makes an object of each
//! row, so that the rows of table.rs say what is in which column. Knows no columns.

use serde_json::{Map, Value};

use crate::batch::BYTE_ORDER_MARK;
use crate::message::MAX_MESSAGE_BYTES;

/// The rows of an export so far.
#[derive(Default)]
pub struct CsvRows {
    /// Names of the columns, once there is a header; and what is between them.
    header: Option<(Vec<String>, u8)>,
    /// The start of a row that goes on in the next line.
    row: Vec<u8>,
    /// Whether `row` ends inside of quotes.
    is_quoted: bool,
}

impl CsvRows {
    /// Takes a line; the row that it completes, by the names of its columns.
    pub fn line(&mut self, line: &[u8]) -> Option<Map<String, Value>> {
        if self.header.is_none() {
            self.header = Some(header(line)?);
            return None;
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
        let values = split(&row, *separator);
        let value = |text: &Vec<u8>| Value::String(String::from_utf8_lossy(text).into_owned());
        Some(names.iter().cloned().zip(values.iter().map(value)).collect())
    }

    /// The row that has no end.
    pub fn finish(&mut self) -> Vec<u8> {
        self.is_quoted = false;
        std::mem::take(&mut self.row)
    }
}

/// The line that PowerShell writes before a header.
pub const TYPE: &[u8] = b"#TYPE ";

/// The names of columns in the first line of an export, in lower case and without a zone (`TimeGenerated [UTC]`),
/// and what is between them. `None` if it is no such line.
pub fn header(line: &[u8]) -> Option<(Vec<String>, u8)> {
    const MAX_COLUMNS: usize = 500;
    let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line).trim_ascii_end();
    if line.starts_with(TYPE) {
        return None;
    }
    let separator =
        [b',', b';', b'\t'].into_iter().max_by_key(|byte| (memchr::memchr_iter(*byte, line).count(), *byte == b','))?;
    let is_name = |name: &String| {
        (1..100).contains(&name.len())
            && name.starts_with(|c: char| c.is_ascii_alphabetic() || "_@".contains(c))
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_@. /-:#()".contains(&b))
    };
    let names = split(line, separator).into_iter().map(|name| {
        let name = String::from_utf8_lossy(&name).trim().to_lowercase();
        name.split(" [").next().unwrap_or_default().to_string()
    });
    let names: Vec<String> = names.take(MAX_COLUMNS + 1).collect();
    (names.len() <= MAX_COLUMNS && names.iter().all(is_name)).then_some((names, separator))
}

/// The values of a row, without their quotes.
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
