//! Tables as text: CSV from PostgreSQL or spreadsheets, and tab-separated values from `COPY … TO STDOUT`.

use std::borrow::Cow;
use std::io;
use std::sync::Arc;

use pgq_log::{BeforeWait, ByteSource, FilePosition};

use super::fields::{decode, escapes_next, fields, is_malformed};
use super::{ColumnChoice, KeptColumns, SEMICOLONS, TableFormat, TableRow, TableRows, Value, invalid};
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
    kept: KeptColumns,
}

impl TextRows {
    /// Reads the header.
    ///
    /// # Errors
    /// Reading fails, the header lacks the SQL column, or the name of a copied column is not UTF-8.
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
            kept: choice.kept,
        };
        reader.skip_byte_order_mark(&mut rows.position);
        let Some((_, header)) = rows.next_line(reader, before_wait)? else { return Ok((rows, None)) };
        let text = |field: &[u8]| match String::from_utf8_lossy(&decode(format, field).unwrap_or_default()) {
            Cow::Owned(name) if choice.keeps() => Err(not_utf8(&name, "the header")),
            name => Ok(name.into_owned()),
        };
        if fields(format, &header).any(|field| is_malformed(format, field)) {
            return Err(invalid("the header has text after the closing quote of a field".into()));
        }
        let names: Vec<String> = fields(format, &header).map(text).collect::<io::Result<_>>()?;
        if format == TableFormat::Csv && names.len() == 1 && names[0].contains(';') {
            return Err(invalid(SEMICOLONS.into()));
        }
        let chosen = choice.choose(&names)?;
        (rows.sql, rows.width, rows.names) = (chosen.sql, names.len(), chosen.kept.into());
        Ok((rows, chosen.notice))
    }

    /// Returns a [`TableRows`] with the table's columns, but without rows.
    pub fn no_rows(&self) -> TableRows {
        TableRows::of_text(Arc::clone(&self.names), Vec::new())
    }

    /// Returns the next rows, or `None` at the end.
    ///
    /// # Errors
    /// Returns an error if reading fails, a quote is not closed, a row has more or fewer fields than the header, or a
    /// row is longer than the limit. Also returns an error if the output requires UTF-8 and a value is not UTF-8.
    pub fn next(&mut self, reader: &mut Reader, before_wait: BeforeWait<'_>) -> io::Result<Option<TableRows>> {
        // If the output is JSON, Arrow or Parquet, copied values must be UTF-8. CSV and TSV outputs copy the bytes
        // unchanged.
        let must_be_utf8 = matches!(self.kept, KeptColumns::Growing | KeptColumns::Columnar);
        let keep = self.kept != KeptColumns::None;
        let (mut rows, mut bytes) = (Vec::new(), 0);
        while rows.len() < ROWS && bytes < CHUNK_BYTES {
            let Some((start, line)) = self.next_line(reader, before_wait)? else { break };
            bytes += line.len();
            let (mut sql, mut values, mut width) = (None, Vec::new(), 0);
            for (index, field) in fields(self.format, &line).enumerate() {
                width = index + 1;
                if is_malformed(self.format, field) {
                    let why = "has text after the closing quote of a field: quotes in a field must be doubled";
                    return Err(invalid(format!("the row in line {} {why}", start.line)));
                }
                if keep || index == self.sql {
                    let value = decode(self.format, field);
                    if index == self.sql {
                        sql.clone_from(&value);
                    }
                    if must_be_utf8 && std::str::from_utf8(value.as_deref().unwrap_or_default()).is_err() {
                        let name = self.names.get(index).map_or("", String::as_str);
                        return Err(not_utf8(name, &format!("line {}", start.line)));
                    }
                    if keep {
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

    /// Returns the next row and its position, or `None` at the end. Removes the line break. An empty line is a row only
    /// in a table with one column, as for COPY FROM.
    fn next_line(
        &mut self,
        reader: &mut Reader,
        before_wait: BeforeWait<'_>,
    ) -> io::Result<Option<(FilePosition, Vec<u8>)>> {
        let (mut searched, mut is_open) = (0, false);
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
                is_open = match self.format {
                    // Quotes in values are doubled. Therefore a row that has an odd number of quotes continues on the
                    // next line.
                    TableFormat::Csv => is_open ^ (memchr::memchr_iter(b'"', &bytes[searched..end]).count() % 2 == 1),
                    _ => newline.is_some() && escapes_next(&bytes[..end - 1]),
                };
                searched = end;
                if is_open && newline.is_some() {
                    continue;
                }
                if is_open {
                    return Err(invalid(format!("a quote in the row of line {} is not closed", self.position.line)));
                }
                if end == 0 {
                    return Ok(None);
                }
                let mut line = bytes[..end].to_vec();
                reader.consume(end);
                let start = self.position;
                self.position = start.after(&line);
                searched = 0;
                line.truncate(end - usize::from(newline.is_some()));
                if line.ends_with(b"\r") && (self.format == TableFormat::Csv || !escapes_next(&line[..line.len() - 1]))
                {
                    line.pop();
                }
                if self.format == TableFormat::Tsv && line == b"\\." {
                    while reader.bytes().is_empty() && reader.read_more(&mut self.position, before_wait)? {}
                    let problem = || invalid(format!("text follows the end marker \\. of line {}", start.line));
                    return if reader.bytes().is_empty() { Ok(None) } else { Err(problem()) };
                }
                if !line.is_empty() || self.width == 1 {
                    return Ok(Some((start, line)));
                }
            } else {
                reader.read_more(&mut self.position, before_wait)?;
            }
        }
    }
}

fn not_utf8(column: &str, place: &str) -> io::Error {
    invalid(format!("the column {column} is not UTF-8 in {place}: name the encoding (--encoding)"))
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
    fn an_empty_line_is_a_row_of_one_column() {
        let null = vec![None];
        let expected = vec![null.clone(), some(&["b"]), null.clone(), some(&[""]), some(&["\\."]), null];
        assert_eq!(rows("a\r\n\r\nb\n\n\"\"\n\\.\n\n", TableFormat::Csv).unwrap(), expected);
        let expected = vec![some(&[""]), some(&["b"]), some(&[""])];
        assert_eq!(rows("a\n\nb\n\r\n", TableFormat::Tsv).unwrap(), expected);
    }

    #[test]
    fn a_backslash_escapes_delimiters_in_tsv() {
        let expected = vec![some(&["b\tc", "d\\"]), some(&["\ne", "f\r"])];
        assert_eq!(rows("a\tn\nb\\\tc\td\\\\\n\\\ne\tf\\\r\n", TableFormat::Tsv).unwrap(), expected);
    }

    #[test]
    fn tsv_ends_at_the_end_marker() {
        assert_eq!(rows("a\nb\n\\.\n", TableFormat::Tsv).unwrap(), [some(&["b"])]);
        let error = rows("a\nb\n\\.\nc\n", TableFormat::Tsv).unwrap_err().to_string();
        assert_eq!(error, "text follows the end marker \\. of line 3");
    }

    #[test]
    fn a_row_that_is_cut_off_is_an_error() {
        for (text, message) in [("a,b\n1\n", "has 1 fields"), ("a,b\n1,\"2", "not closed"), ("b\n1\n", "no column")] {
            let error = rows(text, TableFormat::Csv).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
