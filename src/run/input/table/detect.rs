//! Detects tables and parse trees by the first bytes of an input.

use super::fields::{decode, fields};
use super::{RECOGNIZED, SEMICOLONS, TableFormat};

/// Maximum bytes of JSON to inspect.
const SAMPLE_BYTES: usize = 4096;

/// The reason for refusing a JSON array.
pub const JSON_ARRAY: &str = "is a JSON array, but pgq reads one object per line: jq -c '.[]' FILE | pgq ...";
/// The reason for refusing a table of log messages that lacks required columns, or is in COPY's text format.
const PART_OF_LOG: &str = "lacks columns of a log, or is in COPY's text format: export it by COPY ... (FORMAT csv, HEADER), \
                           with error_severity, message, process_id and session_id, or name the column with SQL \
                           (--column)";
/// The reason for refusing a JSON object that spans several lines.
const JSON_OBJECT: &str =
    "is JSON with an object on several lines, but pgq reads one object per line: jq -c . FILE | pgq ...";

/// Detects the format of a table by its first bytes: by the magic number of Parquet or Arrow, or by a first line that
/// contains the name of the SQL column. The column's name is the value of `column` or one of [`RECOGNIZED`], in upper
/// or lower case. `name`: the name of the file.
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
        return is_row(&serde_json::from_slice(line).ok()?, column).then_some(TableFormat::Jsonl);
    }
    let is_named = |extension: &str| name.to_ascii_lowercase().contains(extension);
    let formats = [(TableFormat::Csv, ".csv"), (TableFormat::Tsv, ".tsv")];
    formats.into_iter().find_map(|(format, extension)| {
        let names: Option<Vec<String>> = fields(format, line).map(|field| name_beside_sql(format, field)).collect();
        let names = names.filter(|names| !names[0].to_ascii_lowercase().starts_with("select "))?;
        let found = names.iter().any(|name| is_sql(name, column)) && (column.is_some() || !is_log(&names));
        (found && (names.len() > 1 || is_named(extension))).then_some(format)
    })
}

/// Whether a file in a folder is a table, in a supported or unsupported format. `name` is the file name.
pub fn is_table(name: &str, start: &[u8], column: Option<&str>) -> bool {
    detect(name, start, column).is_some() || refusal(start, column).is_some()
}

/// Returns the reason for refusing a table in an unsupported format. Must be called only if [`detect`] has returned
/// `None`.
pub fn refusal(start: &[u8], column: Option<&str>) -> Option<&'static str> {
    let start = without_mark(start).trim_ascii_start();
    let first = |json: &[u8]| serde_json::Deserializer::from_slice(json).into_iter::<Object>().next()?.ok();
    if let Some(items) = start.strip_prefix(b"[") {
        return is_row(&first(items)?, column).then_some(JSON_ARRAY);
    }
    if start.starts_with(b"{") {
        return is_row(&first(start)?, column).then_some(JSON_OBJECT);
    }
    let line = start.split(|byte| *byte == b'\n').next()?.trim_ascii();
    let names: Option<Vec<String>> =
        line.split(|byte| *byte == b';').map(|field| column_name(TableFormat::Csv, field)).collect();
    let is_header = |names: &Vec<String>| {
        let is_word = |name: &String| !name.contains(' ');
        names.len() > 1
            && names.iter().all(is_word)
            && names.iter().any(|name| is_sql(name, column))
            && (column.is_some() || !is_log(names))
    };
    names.filter(is_header).map(|_| SEMICOLONS)
}

/// Returns the reason for refusing a table whose SQL column has no recognized name. Such a table is CSV or TSV with a
/// header of single words, or has a JSON object on its first line. Must be called only if [`detect`] has returned
/// `None` and the input is not a log.
pub fn missing_column(name: &str, start: &[u8]) -> Option<String> {
    let line = without_mark(start).split(|byte| *byte == b'\n').next()?.trim_ascii();
    let is_tsv = name.to_ascii_lowercase().contains(".tsv");
    let format = if is_tsv { TableFormat::Tsv } else { TableFormat::Csv };
    let names: Option<Vec<String>> = match line.strip_prefix(b"{") {
        Some(_) => serde_json::from_slice::<Object>(line).ok().map(|object| object.keys().cloned().collect()),
        None => fields(format, line).map(|field| column_name(format, field).filter(|it| !it.contains(' '))).collect(),
    };
    let names = names.filter(|names| names.len() > 1 || line.starts_with(b"{"))?;
    if is_log(&names) {
        return Some(PART_OF_LOG.to_string());
    }
    Some(format!("{} {}", super::NO_COLUMN, names.join(", ")))
}

fn is_sql(name: &str, column: Option<&str>) -> bool {
    RECOGNIZED.iter().copied().chain(column).any(|known| known.eq_ignore_ascii_case(name))
}

/// Returns a column name, or `None` for a field that looks like a value.
fn column_name(format: TableFormat, field: &[u8]) -> Option<String> {
    let name = String::from_utf8(decode(format, field)?).ok()?;
    let is_name = name.chars().all(|c| c.is_alphanumeric() || "_ .-()%#".contains(c));
    (is_name && name.starts_with(|c: char| c.is_alphabetic() || c == '_')).then_some(name)
}

/// Like [`column_name`], but also accepts names such as `?column?` or `count(*)`. The caller must check that another
/// field of the line is the name of the SQL column, because only then is the line a header.
fn name_beside_sql(format: TableFormat, field: &[u8]) -> Option<String> {
    let name = String::from_utf8(decode(format, field)?).ok()?;
    let is_name = field.starts_with(b"\"") || !name.contains([';', '\'', '"', ',']);
    let starts_name = name.starts_with(|c: char| c.is_alphabetic() || "_?".contains(c));
    (is_name && starts_name && !name.contains(char::is_control)).then_some(name)
}

/// Whether a header has the columns of a log. A table with such a header is not read as a table with SQL, because its
/// column `query` contains only statements that failed.
fn is_log(names: &[String]) -> bool {
    const LOGS: [&str; 7] =
        ["error_severity", "event_message", "errorlevel", "errorlevel_s", "@message", "textpayload", "text_payload"];
    let has = |wanted: &str| names.iter().any(|name| name.eq_ignore_ascii_case(wanted));
    LOGS.iter().any(|name| has(name)) || (has("log_time") && has("message"))
}

type Object = serde_json::Map<String, serde_json::Value>;

/// Whether an object is a row with SQL. An object that docker or journald has written around a log line is not a row.
fn is_row(object: &Object, column: Option<&str>) -> bool {
    const LOGS: [&str; 9] =
        ["error_severity", "message", "msg", "log", "MESSAGE", "@message", "textPayload", "jsonPayload", "line"];
    let is_text = |value: &serde_json::Value| value.is_string() || value.is_null();
    let has = |wanted: &str| object.iter().any(|(name, value)| name.eq_ignore_ascii_case(wanted) && is_text(value));
    column.is_some_and(has)
        || RECOGNIZED.iter().any(|name| has(name)) && !LOGS.iter().any(|name| object.contains_key(*name))
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

/// Whether an input begins with a JSON object. SQL never begins in this way.
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
        assert_eq!(of("Calls,QUERY\n"), Some(TableFormat::Csv));
        assert_eq!(of("{\"Query\":\"SELECT 1\"}\n"), Some(TableFormat::Jsonl));
        assert_eq!(of("{\"query\":\"SELECT 1\",\"calls\":3}\n"), Some(TableFormat::Jsonl));
        assert_eq!(detect("a.csv", b"query\nSELECT 1\n", None), Some(TableFormat::Csv));
        for no in [
            "query\n",
            "SELECT a, query\n",
            "SELECT query, sql\n",
            "a,b\n",
            "log_time,error_severity,message,query\n",
            "timestamp,Error_Severity,event_message,query\n",
            "{\"query\":1}\n",
            "{\"message\":\"LOG:  statement: SELECT 1\",\"query\":\"q\"}\n",
        ] {
            assert_eq!(of(no), None, "{no}");
        }
        assert_eq!(detect("-", b"a,b\n", Some("b")), Some(TableFormat::Csv));
    }

    #[test]
    fn unsupported_tables_are_refused() {
        let of = |text: &str| refusal(text.as_bytes(), None);
        assert_eq!(of("[{\"sql\":\"SELECT 1\"},{\"sql\""), Some(JSON_ARRAY));
        assert_eq!(of("[\n {\"SQL\": \"SELECT 1\"}\n]"), Some(JSON_ARRAY));
        assert_eq!(of("{\n \"query\": \"SELECT 1\"\n}\n"), Some(JSON_OBJECT));
        assert_eq!(of("id;Query\n1;SELECT 1\n"), Some(SEMICOLONS));
        for no in
            ["[]", "[{\"message\":\"a\",\"query\":\"b\"}]", "{\n\"stmts\":[]}", "SELECT 1;query", "a;b\n", "", "["]
        {
            assert_eq!(of(no), None, "{no}");
        }
    }

    #[test]
    fn a_table_without_a_recognized_column_is_refused() {
        let of = |name, text: &str| missing_column(name, text.as_bytes());
        for (name, text) in [
            ("-", "id,q,\"text\"\n1,SELECT 1,a\n"),
            ("a.tsv", "id\tq\ttext\n"),
            ("-", "{\"id\":1,\"q\":\"\",\"text\":2}\n"),
        ] {
            assert!(of(name, text).is_some_and(|problem| problem.ends_with("there are id, q, text")), "{text}");
        }
        for no in ["SELECT a,b\n", "a\n", "", "BEGIN;\n", "SELECT\ta\n", "'a','b'\n", "{\n", "2026-01-31,a\n"] {
            assert_eq!(of("-", no), None, "{no}");
        }
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
