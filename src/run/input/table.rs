//! Tables as text, of which one column holds SQL: CSV as PostgreSQL and spreadsheets write it, and tab-separated
//! values as `COPY … TO STDOUT` does. Only that column is decoded; the bytes of the others stay as they are.

use std::io::{self, BufRead, BufReader, Read};

use pgq_log::FilePosition;

/// How a table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableFormat {
    /// Commas, quotes around values that need them, quotes in values doubled.
    Csv,
    /// Tabs, and backslashes before what would end a value; `\N` is NULL.
    Tsv,
}

impl TableFormat {
    fn delimiter(self) -> u8 {
        if self == Self::Csv { b',' } else { b'\t' }
    }

    /// The value of a field; `None` for NULL.
    pub fn decode(self, field: &[u8]) -> Option<Vec<u8>> {
        match self {
            Self::Csv if field.is_empty() => None,
            Self::Csv => match field.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\"")) {
                Some(inner) => Some(without_doubled_quotes(inner)),
                None => Some(field.to_vec()),
            },
            Self::Tsv if field == b"\\N" => None,
            Self::Tsv => Some(without_backslashes(field)),
        }
    }

    /// Appends a value as a field.
    pub fn encode(self, value: &[u8], out: &mut Vec<u8>) {
        match self {
            Self::Csv if value.is_empty() || value.iter().any(|byte| b",\"\r\n".contains(byte)) => {
                out.push(b'"');
                for byte in value {
                    out.extend(std::iter::repeat_n(*byte, if *byte == b'"' { 2 } else { 1 }));
                }
                out.push(b'"');
            }
            Self::Csv => out.extend_from_slice(value),
            Self::Tsv => {
                for byte in value {
                    match ESCAPES.iter().find(|(_, escaped)| escaped == byte) {
                        Some((letter, _)) => out.extend_from_slice(&[b'\\', *letter]),
                        None => out.push(*byte),
                    }
                }
            }
        }
    }
}

/// Letters behind a backslash, and what they stand for.
const ESCAPES: [(u8, u8); 4] = [(b'\\', b'\\'), (b't', b'\t'), (b'n', b'\n'), (b'r', b'\r')];

fn without_doubled_quotes(text: &[u8]) -> Vec<u8> {
    let mut value = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(quote) = memchr::memchr(b'"', rest) {
        value.extend_from_slice(&rest[..=quote]);
        rest = rest.get(quote + 2..).unwrap_or_default();
    }
    value.extend_from_slice(rest);
    value
}

fn without_backslashes(text: &[u8]) -> Vec<u8> {
    let mut value = Vec::with_capacity(text.len());
    let mut bytes = text.iter().copied();
    while let Some(byte) = bytes.next() {
        value.push(match byte {
            b'\\' => match bytes.next() {
                Some(letter) => ESCAPES.iter().find(|(of, _)| *of == letter).map_or(letter, |(_, escaped)| *escaped),
                None => b'\\',
            },
            byte => byte,
        });
    }
    value
}

/// A row: its bytes without the end of the line.
#[derive(Debug, Default)]
pub struct TableRow {
    bytes: Vec<u8>,
    /// Where each field ends; the next begins a byte behind it.
    ends: Vec<usize>,
    /// What ended the line.
    pub line_end: &'static [u8],
    /// Where it begins in the file.
    pub start: FilePosition,
}

impl TableRow {
    /// Number of fields.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// A field as it is written.
    pub fn field(&self, index: usize) -> &[u8] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before] + 1);
        &self.bytes[start..self.ends[index]]
    }

    /// The row with another field in the place of one, as it is written.
    pub fn with_field(&self, index: usize, field: &[u8], out: &mut Vec<u8>) {
        let start = self.ends[index] - self.field(index).len();
        out.extend_from_slice(&self.bytes[..start]);
        out.extend_from_slice(field);
        out.extend_from_slice(&self.bytes[self.ends[index]..]);
        out.extend_from_slice(self.line_end);
    }
}

/// Reads rows.
pub struct TableReader {
    input: BufReader<Box<dyn Read + Send>>,
    format: TableFormat,
    /// Most bytes of a row.
    max_len: usize,
    position: FilePosition,
}

impl TableReader {
    /// Rows of an input. A byte order mark is not part of the first.
    pub fn new(input: Box<dyn Read + Send>, format: TableFormat, max_len: usize) -> io::Result<Self> {
        const MARK: &[u8] = b"\xef\xbb\xbf";
        let mut input = BufReader::with_capacity(1 << 16, input);
        if input.fill_buf()?.starts_with(MARK) {
            input.consume(MARK.len());
        }
        Ok(Self { input, format, max_len, position: FilePosition::default() })
    }

    /// Reads the next row into `row`; `false` at the end.
    ///
    /// # Errors
    /// A failed read, a quote that is not closed, and a row that is too long.
    pub fn next_row(&mut self, row: &mut TableRow) -> io::Result<bool> {
        row.bytes.clear();
        row.start = self.position;
        let mut is_quoted = false;
        loop {
            let from = row.bytes.len();
            let room = (self.max_len + 1).saturating_sub(from) as u64;
            if self.input.by_ref().take(room).read_until(b'\n', &mut row.bytes)? == 0 {
                break;
            }
            if row.bytes.len() > self.max_len {
                return Err(invalid(format!(
                    "the row in line {} is longer than --max-statement-bytes",
                    row.start.line
                )));
            }
            if self.format == TableFormat::Csv {
                // Quotes in values are doubled, so the value goes on behind an odd number of them.
                is_quoted ^= memchr::memchr_iter(b'"', &row.bytes[from..]).count() % 2 == 1;
            }
            if !is_quoted {
                break;
            }
        }
        if is_quoted {
            return Err(invalid(format!("a quote in the row of line {} is not closed", row.start.line)));
        }
        self.position = self.position.after(&row.bytes);
        let was_there = !row.bytes.is_empty();
        row.line_end = match row.bytes.as_slice() {
            [.., b'\r', b'\n'] => b"\r\n",
            [.., b'\n'] => b"\n",
            _ => b"",
        };
        row.bytes.truncate(row.bytes.len() - row.line_end.len());
        self.find_fields(row);
        Ok(was_there)
    }

    fn find_fields(&self, row: &mut TableRow) {
        row.ends.clear();
        let delimiter = self.format.delimiter();
        let mut is_quoted = false;
        for (at, byte) in row.bytes.iter().enumerate() {
            match *byte {
                b'"' if self.format == TableFormat::Csv => is_quoted = !is_quoted,
                byte if byte == delimiter && !is_quoted => row.ends.push(at),
                _ => {}
            }
        }
        row.ends.push(row.bytes.len());
    }
}

fn invalid(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

#[cfg(test)]
mod tests {
    use super::{TableFormat, TableReader, TableRow};

    fn rows(text: &'static str, format: TableFormat) -> Vec<Vec<Option<String>>> {
        let mut reader = TableReader::new(Box::new(text.as_bytes()), format, 1000).unwrap();
        let (mut row, mut rows) = (TableRow::default(), Vec::new());
        while reader.next_row(&mut row).unwrap() {
            let value = |index| format.decode(row.field(index)).map(|value| String::from_utf8(value).unwrap());
            rows.push((0..row.len()).map(value).collect());
        }
        rows
    }

    fn some(values: &[&str]) -> Vec<Option<String>> {
        values.iter().map(|value| Some((*value).to_string())).collect()
    }

    #[test]
    fn values_may_hold_delimiters_quotes_and_line_breaks() {
        let csv = "\u{feff}a,\"b, \"\"c\"\"\"\r\n\"x\ny\",\"\"\n,z";
        let mut expected = vec![some(&["a", "b, \"c\""]), some(&["x\ny", ""]), some(&["", "z"])];
        expected[2][0] = None;
        assert_eq!(rows(csv, TableFormat::Csv), expected);
        let mut expected = vec![some(&["a\tb", "c\\d\"", "e\nf"]), some(&["", "g"])];
        expected[1][0] = None;
        assert_eq!(rows("a\\tb\tc\\\\d\"\te\\nf\n\\N\tg\n", TableFormat::Tsv), expected);
    }

    #[test]
    fn what_is_encoded_is_decoded() {
        for format in [TableFormat::Csv, TableFormat::Tsv] {
            for value in ["", "a", "a,b", "\"", "a\nb\tc\\", "\r\n"] {
                let mut field = Vec::new();
                format.encode(value.as_bytes(), &mut field);
                assert_eq!(format.decode(&field).as_deref(), Some(value.as_bytes()), "{value:?}");
            }
        }
    }

    #[test]
    fn a_row_keeps_the_bytes_of_its_other_fields() {
        let mut reader = TableReader::new(Box::new(&b"\"1\",\"a\",\n"[..]), TableFormat::Csv, 100).unwrap();
        let (mut row, mut out) = (TableRow::default(), Vec::new());
        assert!(reader.next_row(&mut row).unwrap());
        row.with_field(1, b"b", &mut out);
        assert_eq!(out, b"\"1\",b,\n");
        let mut reader = TableReader::new(Box::new(&b"a,\"b\nc"[..]), TableFormat::Csv, 100).unwrap();
        assert!(reader.next_row(&mut row).unwrap_err().to_string().contains("not closed"));
    }
}
