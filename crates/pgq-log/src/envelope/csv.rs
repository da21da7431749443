//! CSV exports of platforms, with a header of column names and one row per event. Converts each row
//! to a JSON object. table.rs defines the meaning of the columns.

use serde_json::{Map, Value};

use crate::format::batch::BYTE_ORDER_MARK;
use crate::message::parts::MAX_MESSAGE_BYTES;

/// State of an export's parser.
#[derive(Default)]
pub struct CsvRows {
    /// Column names and separator. `None` until the header has been read.
    header: Option<(Vec<String>, u8)>,
    /// Start of a row that continues on the next line.
    row: Vec<u8>,
    /// Whether `row` ends inside quotes.
    is_quoted: bool,
}

impl CsvRows {
    /// Reads a line. Returns the row that the line completes, keyed by column names. Returns the
    /// row as an error if it does not have one value for each column of the header.
    pub fn line(&mut self, line: &[u8]) -> Result<Option<Map<String, Value>>, Vec<u8>> {
        let Some((names, separator)) = &self.header else {
            self.header = header(line);
            return Ok(None);
        };
        if !self.row.is_empty() {
            self.row.push(b'\n');
        }
        self.row.extend_from_slice(line);
        self.is_quoted ^= memchr::memchr_iter(b'"', line).count() % 2 == 1;
        if self.row.is_empty() || (self.is_quoted && self.row.len() < MAX_MESSAGE_BYTES) {
            return Ok(None);
        }
        self.is_quoted = false;
        let row = std::mem::take(&mut self.row);
        let values = split(&row, *separator, names.len() + 1);
        if values.len() != names.len() {
            return Err(row);
        }
        let value = |text: &Vec<u8>| Value::String(String::from_utf8_lossy(text).into_owned());
        Ok(Some(names.iter().cloned().zip(values.iter().map(value)).collect()))
    }

    /// Removes and returns the unterminated row at the end of the input.
    pub fn finish(&mut self) -> Vec<u8> {
        self.is_quoted = false;
        std::mem::take(&mut self.row)
    }
}

/// Returns the column names and the separator in the header of an export. Returns `None` if the line is not a header.
/// The names are in lower case. A zone after a name (`TimeGenerated [UTC]`) is removed.
pub fn header(line: &[u8]) -> Option<(Vec<String>, u8)> {
    const MAX_COLUMNS: usize = 500;
    let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line).trim_ascii_end();
    let separator =
        [b',', b';', b'\t'].into_iter().max_by_key(|byte| (memchr::memchr_iter(*byte, line).count(), *byte == b','))?;
    let is_name = |name: &String| {
        (1..100).contains(&name.len())
            && name.starts_with(|c: char| c.is_ascii_alphabetic() || "_@".contains(c))
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_@. /-:#()".contains(&b))
    };
    let names = split(line, separator, MAX_COLUMNS + 1).into_iter().map(|name| {
        let name = String::from_utf8_lossy(&name).trim().to_lowercase();
        name.split(" [").next().unwrap_or_default().to_string()
    });
    let names: Vec<String> = names.collect();
    (names.len() <= MAX_COLUMNS && names.iter().all(is_name)).then_some((names, separator))
}

/// Whether a line has a NULL of COPY's text format: a column `\N` after a tab. The caller must not read such a line as
/// CSV, because COPY's format has escapes (for example for line breaks) that CSV lacks.
pub fn has_null_of_copy(line: &[u8]) -> bool {
    line.split(|b| *b == b'\t').skip(1).any(|column| column == b"\\N")
}

/// Splits a row and returns its first `max` values without quotes. The limit saves memory, because a damaged row may
/// have millions of values.
fn split(row: &[u8], separator: u8, max: usize) -> Vec<Vec<u8>> {
    let (mut values, mut value, mut at, mut is_quoted) = (Vec::new(), Vec::new(), 0, false);
    while let Some(byte) = row.get(at).filter(|_| values.len() < max) {
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
    values.truncate(max);
    values
}
