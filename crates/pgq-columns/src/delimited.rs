//! Writes rows in the formats of PostgreSQL's COPY. In CSV (RFC 4180), NULL is an empty field, and an empty string is
//! `""`. In TSV, which is COPY's text format, NULL is `\N`, and backslashes, tabs and line breaks are escaped. Lists
//! are JSON arrays.

use crate::TableColumn;

/// The delimiter of fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delimiter {
    /// CSV.
    Comma,
    /// TSV.
    Tab,
}

impl Delimiter {
    fn byte(self) -> u8 {
        match self {
            Self::Comma => b',',
            Self::Tab => b'\t',
        }
    }
}

/// Appends the header line with the column names.
pub fn write_header<C: TableColumn>(columns: &[C], delimiter: Delimiter, out: &mut Vec<u8>) {
    for (index, column) in columns.iter().enumerate() {
        if index > 0 {
            out.push(delimiter.byte());
        }
        out.extend_from_slice(column.name().as_bytes());
    }
    out.push(b'\n');
}

/// Appends a row as a line. With `guarded`, writes an apostrophe before each CSV field that a spreadsheet would
/// evaluate.
pub fn write_line<C: TableColumn>(
    columns: &[C],
    delimiter: Delimiter,
    guarded: bool,
    row: &C::Row<'_>,
    out: &mut Vec<u8>,
) {
    for (index, column) in columns.iter().enumerate() {
        if index > 0 {
            out.push(delimiter.byte());
        }
        let start = out.len();
        column.write_text_value(row, out);
        if delimiter == Delimiter::Tab {
            if column.has_value(row) {
                escape(out, start)
            } else {
                out.extend_from_slice(b"\\N")
            }
            continue;
        }
        if guarded && is_formula(&out[start..]) {
            out.insert(start, b'\'');
        }
        // Some spreadsheets split unquoted fields at semicolons. Therefore `guarded`, which is for spreadsheets, also
        // quotes a field with a semicolon.
        let is_split = guarded && out[start..].contains(&b';');
        if column.has_value(row) && (is_split || needs_quotes(&out[start..])) {
            quote(out, start);
        }
    }
    out.push(b'\n');
}

/// Returns whether a spreadsheet may evaluate a field as a formula. For example, `=A1` and `-A1` are formulas, but the
/// number `-1` is not. Blanks and invisible characters may precede the formula. Also returns true for a field that
/// starts with a tab or a line break.
#[must_use]
pub fn is_formula(field: &[u8]) -> bool {
    const SIGNS: [char; 10] = ['=', '+', '-', '@', '|', '%', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];
    let is_invisible = |c: char| c.is_whitespace() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{feff}');
    if matches!(field.first(), Some(b'\t' | b'\r' | b'\n')) {
        return true;
    }
    let text = String::from_utf8_lossy(field);
    // A number is not a formula. However, Rust also parses `-inf` and `-nan` as numbers, and spreadsheets do not.
    // Therefore a field that starts with a sign and contains an `n` counts as a formula. A number in digits has no `n`.
    text.trim_start_matches(is_invisible).starts_with(SIGNS)
        && (text.contains(['n', 'N']) || text.parse::<f64>().is_err())
}

/// Escapes the field of TSV that starts at `start`.
fn escape(out: &mut Vec<u8>, start: usize) {
    if !out[start..].iter().any(|byte| b"\\\t\n\r".contains(byte)) {
        return;
    }
    for byte in out.split_off(start) {
        match byte {
            b'\\' => out.extend_from_slice(b"\\\\"),
            b'\t' => out.extend_from_slice(b"\\t"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            byte => out.push(byte),
        }
    }
}

/// Returns whether a field of CSV needs quotes. Without quotes, readers would misread a field with a comma, a quotation
/// mark or a line break. They would read an empty field as NULL, and might trim white space at the start or end of a
/// field. COPY before PostgreSQL 18 would read the field `\.` as the end of the data.
fn needs_quotes(field: &[u8]) -> bool {
    let blank = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_whitespace);
    let special = |byte: &u8| (*byte == b'"') | (*byte == b'\n') | (*byte == b'\r') | (*byte == b',');
    // The loop has no early exit, so it compiles to a few vector instructions.
    let has_special = |piece: &[u8]| piece.iter().fold(false, |any, byte| any | special(byte));
    field == b"\\." || blank(field.first()) || blank(field.last()) || field.chunks(64).any(has_special)
}

/// Puts quotes around the field that starts at `start`.
fn quote(out: &mut Vec<u8>, start: usize) {
    let field = out.split_off(start);
    out.push(b'"');
    for part in field.split_inclusive(|byte| *byte == b'"') {
        out.extend_from_slice(part);
        if part.ends_with(b"\"") {
            out.push(b'"');
        }
    }
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text_list::TextListBuilder;
    use crate::{Column, Row};

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        let mut list = TextListBuilder::default();
        list.push(Some("a,b"));
        list.push(None);
        let columns = [Column::User, Column::Database, Column::Sql, Column::Params, Column::Truncated];
        let row = Row {
            user: None,
            database: Some(""),
            sql: Some("SELECT \"a\",\n\t1"),
            params: Some(list.list()),
            truncated: Some(false),
            ..Row::default()
        };
        let mut out = Vec::new();
        write_header(&columns, Delimiter::Comma, &mut out);
        write_line(&columns, Delimiter::Comma, false, &row, &mut out);
        let expected =
            "user,database,sql,params,truncated\n,\"\",\"SELECT \"\"a\"\",\n\t1\",\"[\"\"a,b\"\",null]\",false\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
        let mut out = Vec::new();
        write_line(&columns, Delimiter::Tab, false, &row, &mut out);
        let expected = "\\N\t\tSELECT \"a\",\\n\\t1\t[\"a,b\",null]\tfalse\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn formulas_are_guarded_and_numbers_are_not() {
        for (field, guarded) in [
            ("=1+1", "'=1+1"),
            ("@a", "'@a"),
            ("\tx", "'\tx"),
            ("=a,\"b\"", "\"'=a,\"\"b\"\"\""),
            ("-1.5", "-1.5"),
            ("a=b", "a=b"),
        ] {
            let mut out = Vec::new();
            let row = Row { sql: Some(field), ..Row::default() };
            write_line(&[Column::Sql], Delimiter::Comma, true, &row, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), format!("{guarded}\n"));
        }
    }
}
