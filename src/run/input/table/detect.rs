//! Detects tables and parse trees by the first bytes of an input.

use super::text::{decode, fields};
use super::{RECOGNIZED, TableFormat};

/// Maximum bytes of JSON to inspect.
const SAMPLE_BYTES: usize = 4096;

/// Detects the format of a table by its magic number, or by a first line with the SQL column's name. That name is
/// `column` or one of [`RECOGNIZED`]. `name` is the file name.
pub fn detect(name: &str, start: &[u8], column: Option<&str>) -> Option<TableFormat> {
    if start.starts_with(b"PAR1") {
        return Some(TableFormat::Parquet);
    }
    if start.starts_with(b"ARROW1") || start.starts_with(&[0xFF; 4]) {
        return Some(TableFormat::Arrow);
    }
    let start = without_mark(start);
    let line = start.split(|byte| *byte == b'\n').next()?.trim_ascii();
    if line.starts_with(b"{") {
        return is_row(line, column).then_some(TableFormat::Jsonl);
    }
    let is_named = |extension: &str| name.to_ascii_lowercase().contains(extension);
    let formats = [(TableFormat::Csv, ".csv"), (TableFormat::Tsv, ".tsv")];
    formats.into_iter().find_map(|(format, extension)| {
        let names: Option<Vec<String>> = fields(format, line).map(|field| column_name(format, field)).collect();
        let names = names?;
        let has = |wanted: &str| names.iter().any(|name| name == wanted);
        let found = column.map_or_else(|| RECOGNIZED.iter().any(|known| has(known)), has);
        (found && (names.len() > 1 || is_named(extension))).then_some(format)
    })
}

/// Returns a column name, or `None` for a field that looks like a value.
fn column_name(format: TableFormat, field: &[u8]) -> Option<String> {
    let name = String::from_utf8(decode(format, field)?).ok()?;
    let is_name = name.chars().all(|c| c.is_alphanumeric() || "_ .-()%#".contains(c));
    (is_name && name.starts_with(|c: char| c.is_alphabetic() || c == '_')).then_some(name)
}

/// Whether a line is an object with SQL, not a log line in an envelope.
fn is_row(line: &[u8], column: Option<&str>) -> bool {
    const LOGS: [&str; 9] =
        ["error_severity", "message", "msg", "log", "MESSAGE", "@message", "textPayload", "jsonPayload", "line"];
    let Ok(object) = serde_json::from_slice::<serde_json::Map<String, serde_json::Value>>(line) else { return false };
    let has = |name: &str| object.get(name).is_some_and(|value| value.is_string() || value.is_null());
    match column {
        Some(column) => has(column),
        None => RECOGNIZED.iter().any(|name| has(name)) && !LOGS.iter().any(|name| object.contains_key(*name)),
    }
}

/// Whether an input contains parse trees: libpg_query's JSON, or records of `pgq parse --format json`.
pub fn holds_trees(start: &[u8]) -> bool {
    let start = without_mark(&start[..start.len().min(SAMPLE_BYTES)]);
    let Some(rest) = start.trim_ascii_start().strip_prefix(b"{") else { return false };
    let Some(rest) = rest.trim_ascii_start().strip_prefix(b"\"") else { return false };
    let Some(end) = memchr::memchr(b'"', rest) else { return false };
    let value = rest[end + 1..].trim_ascii_start().strip_prefix(b":").unwrap_or_default().trim_ascii_start();
    match &rest[..end] {
        b"stmts" | b"tree" => true,
        b"version" => value.first().is_some_and(u8::is_ascii_digit),
        b"file" => ["\"offset\":", "\"tree\":"].iter().all(|key| memchr::memmem::find(rest, key.as_bytes()).is_some()),
        _ => false,
    }
}

/// Whether an input begins with a JSON object. SQL never does.
pub fn starts_as_object(start: &[u8]) -> bool {
    without_mark(start).trim_ascii_start().starts_with(b"{")
}

/// Returns the bytes after a byte order mark.
fn without_mark(start: &[u8]) -> &[u8] {
    start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_names_its_columns() {
        let of = |text: &str| detect("-", text.as_bytes(), None);
        assert_eq!(of("calls,query,rows\n1,SELECT 1,2\n"), Some(TableFormat::Csv));
        assert_eq!(of("calls\tsql\n"), Some(TableFormat::Tsv));
        assert_eq!(of("{\"query\":\"SELECT 1\",\"calls\":3}\n"), Some(TableFormat::Jsonl));
        assert_eq!(detect("a.csv", b"query\nSELECT 1\n", None), Some(TableFormat::Csv));
        for no in [
            "query\n",
            "SELECT a, query\n",
            "SELECT query, sql\n",
            "a,b\n",
            "{\"query\":1}\n",
            "{\"message\":\"LOG:  statement: SELECT 1\",\"query\":\"q\"}\n",
        ] {
            assert_eq!(of(no), None, "{no}");
        }
        assert_eq!(detect("-", b"a,b\n", Some("b")), Some(TableFormat::Csv));
    }

    #[test]
    fn trees_are_told_from_logs() {
        for yes in [
            "{\"version\":180006,\"stmts\":[]}",
            "{\n \"stmts\": []}",
            "{\"file\":\"a\",\"line\":1,\"offset\":0,\"tree\":{}}",
        ] {
            assert!(holds_trees(yes.as_bytes()), "{yes}");
        }
        for no in ["{\"version\":\"1.1\",\"host\":\"a\"}", "{\"timestamp\":\"2026\"}", "SELECT 1", "{"] {
            assert!(!holds_trees(no.as_bytes()), "{no}");
        }
    }
}
