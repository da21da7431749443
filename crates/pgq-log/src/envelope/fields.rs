//! Envelopes in which each field of the server's message is a separate value. Such an envelope is a
//! JSON object whose keys are csvlog columns or jsonlog keys, possibly under other names. Converts
//! an object to a jsonlog line. If the message still has its log_line_prefix, converts the object
//! to stderr lines instead.

use serde_json::{Map, Value};

use super::time_text::time_text;
use crate::format::detect::{LogKind, detect_format};
use crate::message::label::{Label, find_label};
use crate::message::severity::Severity;
use crate::message::text::{MessageText, classify, sqlstate_len};

/// Alternative names of each jsonlog key.
#[rustfmt::skip] // one key per line
const FIELDS: [(&str, &[&str]); 21] = [
    ("timestamp", &["log_time", "timestamp"]),
    ("user", &["user_name", "user", "username"]),
    ("dbname", &["database_name", "dbname", "database"]),
    ("pid", &["process_id", "processId", "pid"]),
    ("remote_host", &["remote_host", "connection_from", "host"]),
    ("session_id", &["session_id", "sessionId"]),
    ("line_num", &["session_line_num", "line_num"]),
    ("ps", &["command_tag", "ps"]),
    ("session_start", &["session_start_time", "session_start"]),
    ("vxid", &["virtual_transaction_id", "vxid"]),
    ("txid", &["transaction_id", "txid"]),
    ("error_severity", &["error_severity", "errorLevel", "severity"]),
    ("state_code", &["sql_state_code", "sqlerrcode", "sqlErrorCode", "state_code"]),
    ("message", &["message"]),
    ("detail", &["detail"]),
    ("hint", &["hint"]),
    ("context", &["context"]),
    // In Azure's objects, `query` is the internal query, so `statement` has priority.
    ("statement", &["statement", "query"]),
    ("application_name", &["application_name"]),
    ("backend_type", &["backend_type"]),
    ("query_id", &["query_id"]),
];
/// Keys whose values are numbers.
const NUMBERS: [&str; 4] = ["pid", "line_num", "txid", "query_id"];

/// Whether an object has the fields of a server's message: a severity, and at least one other field, such as the
/// process ID or the session ID. An object with only one of these fields does not count, because a log shipper may have
/// added the field.
pub fn has_fields(object: &Map<String, Value>) -> bool {
    let has = |names: &[&str]| names.iter().any(|name| object.get(*name).is_some_and(|value| !value.is_null()));
    has(&["error_severity", "errorLevel"])
        && has(&["process_id", "processId", "pid", "session_id", "prefix", "event_message"])
}

pub fn time(object: &Map<String, Value>) -> Option<&Value> {
    ["log_time", "timestamp"].iter().find_map(|name| object.get(*name))
}

/// Spellings of a missing value.
const NULLS: [&str; 6] = ["", "NULL", "null", "NaN", "None", "\\N"];

/// Renames CSV columns to names in [`FIELDS`]: Azure's `processId_d` becomes `processId`.
pub fn renamed(row: &Map<String, Value>) -> Map<String, Value> {
    let plain = |key: &str| {
        let key = ["_s", "_d", "_t", "_g", "_b"].iter().find_map(|kind| key.strip_suffix(kind)).unwrap_or(key);
        key.replace(['_', ' '], "").to_lowercase()
    };
    let names = FIELDS.iter().flat_map(|(_, names)| names.iter());
    let rename = |(key, value): (&String, &Value)| {
        let name = names.clone().find(|name| plain(name) == plain(key))?;
        Some((name.to_string(), value.clone()))
    };
    row.iter().filter(|(_, value)| !NULLS.iter().any(|null| **value == *null)).filter_map(rename).collect()
}

/// Whether an object is a row of an Azure table, which has the column `ErrorLevel` or `errorLevel_s`.
pub fn is_table_row(object: &Map<String, Value>) -> bool {
    ["ErrorLevel", "errorLevel_s"].iter().any(|key| object.contains_key(*key))
}

pub fn jsonlog_line(object: &Map<String, Value>) -> Vec<u8> {
    let mut line = Map::new();
    for (key, names) in FIELDS {
        let value = names.iter().find_map(|name| object.get(*name).filter(|value| !value.is_null() && **value != ""));
        let Some(value) = value else { continue };
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_string);
        let value = match key {
            "timestamp" => Value::String(time_text(value)),
            "remote_host" => Value::String(without_port(&text).to_string()),
            key if NUMBERS.contains(&key) => match text.parse::<i64>() {
                Ok(number) => Value::from(number),
                Err(_) => continue,
            },
            _ => Value::String(text),
        };
        line.insert(key.to_string(), value);
    }
    serde_json::to_vec(&line).expect("a map of strings and numbers")
}

/// Converts the object to lines of a log. `outer`: the message to use if the object has no `message`.
pub fn lines(object: &Map<String, Value>, outer: Option<&str>) -> Vec<u8> {
    let text = |key: &str| object.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    let message = text("message").or(outer).unwrap_or_default();
    // On Azure, the message can be a whole csvlog row or jsonlog object that the server wrote. On other platforms, a
    // message that looks like a row or an object may be text that a client chose (RAISE LOG).
    if object.contains_key("errorLevel") && is_record(message) {
        return message.as_bytes().to_vec();
    }
    let severity =
        text("error_severity").or_else(|| text("errorLevel")).map(|name| Severity::from_name(name.as_bytes()));
    // Excludes labels inside SQL, because SQL may contain a string that looks like a label.
    let is_label = |(start, label, _): &(usize, Label, usize)| {
        *start < 512
            && classify(message.as_bytes()) == MessageText::Other
            && severity.is_none_or(|severity| *label == Label::Primary(severity))
    };
    if let (Some(prefix), Some(level)) = (text("prefix"), text("errorLevel")) {
        // Writes the message and its labeled parts in the form of stderr.
        let line = |label: &str, text: &str| format!("{prefix}{label}:  {}", text.replace('\n', "\n\t"));
        let state = state(object, message.as_bytes());
        let first = line(level, &format!("{state}{message}"));
        let parts = parts(object).map(|(label, part)| line(label, part));
        return std::iter::once(first).chain(parts).collect::<Vec<_>>().join("\n").into_bytes();
    }
    let Some((label, Label::Primary(_), end)) = find_label(message.as_bytes()).filter(is_label) else {
        let mut object = object.clone();
        object.insert("message".into(), Value::String(message.to_string()));
        return jsonlog_line(&object);
    };
    // The message has a label, as on stderr. Appends a line for each part (such as DETAIL) that is a separate field.
    let (header, text) = message.trim_end().as_bytes().split_at(end.min(message.trim_end().len()));
    let mut lines = [header, state(object, text).as_bytes(), text].concat();
    for (name, part) in parts(object) {
        if memchr::memmem::find(text, format!("{name}:  ").as_bytes()).is_none() {
            lines.push(b'\n');
            lines.extend_from_slice(&message.as_bytes()[..label]);
            lines.extend_from_slice(format!("{name}:  {}", part.replace('\n', "\n\t")).as_bytes());
        }
    }
    lines
}

/// Returns the parts of a message that are separate fields of the object (DETAIL, HINT, CONTEXT, STATEMENT). Each
/// part has the label that it has in a stderr log.
fn parts(object: &Map<String, Value>) -> impl Iterator<Item = (&'static str, &str)> {
    const PARTS: [(&str, &[&str]); 4] = [
        ("DETAIL", &["detail"]),
        ("HINT", &["hint"]),
        ("CONTEXT", &["context"]),
        ("STATEMENT", &["statement", "query"]),
    ];
    let text = |key: &&str| object.get(*key).and_then(Value::as_str).filter(|text| !text.is_empty());
    PARTS.into_iter().filter_map(move |(label, keys)| Some((label, keys.iter().find_map(text)?)))
}

/// Returns the SQLSTATE field in the form that log_error_verbosity = verbose writes before a message: `42601: `.
/// Returns an empty string for success (00000).
fn state(object: &Map<String, Value>, text: &[u8]) -> String {
    let names = FIELDS.iter().filter(|(key, _)| *key == "state_code").flat_map(|(_, names)| names.iter());
    let state = names.filter_map(|name| object.get(*name)?.as_str()).find(|state| state.len() == 5);
    let before = state.filter(|state| *state != "00000").map(|state| format!("{state}: ")).unwrap_or_default();
    // Omits the SQLSTATE if the message already starts with one, or if the parser would not recognize it.
    let is_state = sqlstate_len(before.as_bytes()) > 0 && sqlstate_len(text) == 0;
    if is_state { before } else { String::new() }
}

/// Whether a message is a complete csvlog or jsonlog record.
fn is_record(message: &str) -> bool {
    message.starts_with(|first: char| first == '{' || first.is_ascii_digit())
        && matches!(detect_format("-", message.as_bytes()), Some(LogKind::Csvlog | LogKind::Jsonlog))
}

/// Returns the host of `host:port`.
fn without_port(client: &str) -> &str {
    match client.rsplit_once(':') {
        Some((host, port)) if !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()) => host,
        _ => client,
    }
}
