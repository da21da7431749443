//! Tables as text: CSV from PostgreSQL or spreadsheets, and tab-separated values from `COPY … TO STDOUT`.

use std::io;
use std::sync::Arc;

use pgq_log::{BeforeWait, ByteSource, FilePosition};

use super::{ColumnChoice, SEMICOLONS, TableFormat, TableRow, TableRows, Value, invalid};
use crate::run::input::reader::Reader;

/// Maximum rows of a chunk.
const ROWS: usize = 500;
/// A chunk ends after this many bytes.
const CHUNK_BYTES: usize = 64 * 1024;

/// Splits a table into rows. The first row has the column names.
pub struct TextRows {
    format: TableFormat,
    /// Maximum bytes of a row.
    max_len: usize,
    position: FilePosition,
    names: Arc<[String]>,
    /// Number of columns.
    width: usize,
    /// Index of the SQL column.
    sql: usize,
    keep: bool,
}

impl TextRows {
    /// Reads the header.
    ///
    /// # Errors
    /// Reading fails, or the header lacks the SQL column.
    pub fn new(
        format: TableFormat,
        reader: &mut Reader,
        choice: ColumnChoice<'_>,
        max_len: usize,
        before_wait: BeforeWait<'_>,
    ) -> io::Result<(Self, Option<String>)> {
        let mut rows = Self {
            format,
            max_len,
            position: FilePosition::default(),
            names: Arc::default(),
            width: 0,
            sql: 0,
            keep: choice.keeps(),
        };
        reader.skip_byte_order_mark(&mut rows.position);
        let Some((_, header)) = rows.next_line(reader, before_wait)? else { return Ok((rows, None)) };
        let text = |field: &[u8]| String::from_utf8_lossy(&decode(format, field).unwrap_or_default()).into_owned();
        let names: Vec<String> = fields(format, &header).map(text).collect();
        if format == TableFormat::Csv && names.len() == 1 && names[0].contains(';') {
            return Err(invalid(SEMICOLONS.into()));
        }
        let chosen = choice.choose(&names)?;
        (rows.sql, rows.width, rows.names) = (chosen.sql, names.len(), chosen.kept.into());
        Ok((rows, chosen.notice))
    }

    /// Returns a part of the table that has the columns but no rows.
    pub fn no_rows(&self) -> TableRows {
        TableRows::of_text(Arc::clone(&self.names), Vec::new())
    }

    /// Returns the next rows, or `None` at the end.
    ///
    /// # Errors
    /// Reading fails, a quote is not closed, a row and the header differ in the number of fields, or a row is longer
    /// than the limit.
    pub fn next(&mut self, reader: &mut Reader, before_wait: BeforeWait<'_>) -> io::Result<Option<TableRows>> {
        let (mut rows, mut bytes) = (Vec::new(), 0);
        while rows.len() < ROWS && bytes < CHUNK_BYTES {
            let Some((start, line)) = self.next_line(reader, before_wait)? else { break };
            bytes += line.len();
            let (mut sql, mut values, mut width) = (None, Vec::new(), 0);
            for (index, field) in fields(self.format, &line).enumerate() {
                width = index + 1;
                if self.keep || index == self.sql {
                    let value = decode(self.format, field);
                    if index == self.sql {
                        sql.clone_from(&value);
                    }
                    if self.keep {
                        values.push(value.map_or(Value::Null, Value::Text));
                    }
                }
            }
            if width != self.width {
                let (line, header) = (start.line, self.width);
                return Err(invalid(format!("the row in line {line} has {width} fields, the header {header}")));
            }
            rows.push(TableRow { start, sql, values });
        }
        Ok((!rows.is_empty()).then(|| TableRows::of_text(Arc::clone(&self.names), rows)))
    }

    /// Returns the next row and its position, or `None` at the end. Removes the line break and skips empty lines.
    fn next_line(
        &mut self,
        reader: &mut Reader,
        before_wait: BeforeWait<'_>,
    ) -> io::Result<Option<(FilePosition, Vec<u8>)>> {
        let (mut searched, mut is_quoted) = (0, false);
        loop {
            let bytes = reader.bytes();
            let newline = memchr::memchr(b'\n', &bytes[searched..]).map(|at| searched + at + 1);
            let end = newline.unwrap_or(bytes.len());
            if end > self.max_len {
                let line = self.position.line;
                return Err(invalid(format!("the row in line {line} is longer than --max-statement-bytes")));
            }
            let has_ended = newline.is_some() || reader.is_complete();
            if has_ended {
                if self.format == TableFormat::Csv {
                    // Quotes in values are doubled. Therefore a row that has an odd number of quotes continues on the
                    // next line.
                    is_quoted ^= memchr::memchr_iter(b'"', &bytes[searched..end]).count() % 2 == 1;
                }
                searched = end;
                if is_quoted && newline.is_some() {
                    continue;
                }
                if is_quoted {
                    return Err(invalid(format!("a quote in the row of line {} is not closed", self.position.line)));
                }
                if end == 0 {
                    return Ok(None);
                }
                let line = bytes[..end].to_vec();
                reader.consume(end);
                let start = self.position;
                self.position = start.after(&line);
                searched = 0;
                let line = line.strip_suffix(b"\n").unwrap_or(&line);
                let line = line.strip_suffix(b"\r").unwrap_or(line);
                if !line.is_empty() {
                    return Ok(Some((start, line.to_vec())));
                }
            } else {
                reader.read_more(&mut self.position, before_wait)?;
            }
        }
    }
}

/// Splits a row into its encoded fields.
pub fn fields(format: TableFormat, line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let delimiter = if format == TableFormat::Csv { b',' } else { b'\t' };
    let mut is_quoted = false;
    line.split(move |byte| {
        is_quoted ^= format == TableFormat::Csv && *byte == b'"';
        *byte == delimiter && !is_quoted
    })
}

/// Decodes a field. Returns `None` for NULL.
pub fn decode(format: TableFormat, field: &[u8]) -> Option<Vec<u8>> {
    match format {
        TableFormat::Csv if field.is_empty() => None,
        TableFormat::Csv => match field.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\"")) {
            Some(inner) => Some(without_doubled_quotes(inner)),
            None => Some(field.to_vec()),
        },
        _ if field == b"\\N" => None,
        _ => Some(without_backslashes(field)),
    }
}

/// Appends a value as a CSV field. An empty value becomes `""`, because an empty field is NULL.
pub fn encode_csv(value: &[u8], out: &mut Vec<u8>) {
    if !value.is_empty() && !value.iter().any(|byte| b",\"\r\n".contains(byte)) {
        return out.extend_from_slice(value);
    }
    out.push(b'"');
    for byte in value {
        out.extend(std::iter::repeat_n(*byte, if *byte == b'"' { 2 } else { 1 }));
    }
    out.push(b'"');
}

/// Appends a value as a TSV field. The caller writes NULL, which is `\N`.
pub fn encode_tsv(value: &[u8], out: &mut Vec<u8>) {
    for byte in value {
        match ESCAPES.iter().find(|(_, escaped)| escaped == byte) {
            Some((letter, _)) => out.extend_from_slice(&[b'\\', *letter]),
            None => out.push(*byte),
        }
    }
}

/// Letters after a backslash, with the bytes that they represent.
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

#[cfg(test)]
mod tests {
    use super::super::KeptColumns;
    use super::*;

    fn rows(text: &'static str, format: TableFormat) -> io::Result<Vec<Vec<Option<String>>>> {
        let mut reader = Reader::new(Box::new(text.as_bytes()));
        let choice = ColumnChoice { column: Some("a"), kept: KeptColumns::Fixed, results: &[] };
        let (mut rows, _) = TextRows::new(format, &mut reader, choice, 1000, &|| {})?;
        let mut all = Vec::new();
        while let Some(some) = rows.next(&mut reader, &|| {})? {
            for row in some.rows {
                all.push(row.values.into_iter().map(|value| match value {
                    Value::Text(text) => String::from_utf8(text).ok(),
                    _ => None,
                }));
            }
        }
        Ok(all.into_iter().map(Iterator::collect).collect())
    }

    fn some(values: &[&str]) -> Vec<Option<String>> {
        values.iter().map(|value| Some((*value).to_string())).collect()
    }

    #[test]
    fn values_may_have_delimiters_quotes_and_line_breaks() {
        let mut expected = vec![some(&["b", "c, \"d\""]), some(&["x\ny", ""]), some(&["", "z"])];
        expected[2][0] = None;
        let csv = "\u{feff}a,n\r\nb,\"c, \"\"d\"\"\"\r\n\"x\ny\",\"\"\n\n,z";
        assert_eq!(rows(csv, TableFormat::Csv).unwrap(), expected);
        let mut expected = vec![some(&["a\tb", "c\\d\"", "e\nf"]), some(&["", "g", ""])];
        expected[1][0] = None;
        assert_eq!(rows("a\tn\tm\na\\tb\tc\\\\d\"\te\\nf\n\\N\tg\t\n", TableFormat::Tsv).unwrap(), expected);
    }

    #[test]
    fn a_row_that_is_cut_off_is_an_error() {
        for (text, message) in [("a,b\n1\n", "has 1 fields"), ("a,b\n1,\"2", "not closed"), ("b\n1\n", "no column")] {
            let error = rows(text, TableFormat::Csv).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }

    #[test]
    fn what_is_encoded_is_decoded() {
        for value in ["", "a", "a,b", "\"", "a\nb\tc\\", "\r\n"] {
            let (mut csv, mut tsv) = (Vec::new(), Vec::new());
            encode_csv(value.as_bytes(), &mut csv);
            encode_tsv(value.as_bytes(), &mut tsv);
            let decoded = [decode(TableFormat::Csv, &csv), decode(TableFormat::Tsv, &tsv)];
            assert_eq!(decoded.map(Option::unwrap), [value.as_bytes(), value.as_bytes()], "{value:?}");
        }
    }
}
