//! Detects envelopes that are not in table.rs. There are three kinds: all lines of a sample start with the same
//! pattern, a key of a JSON object contains a log, or a column of a CSV file contains a log.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use super::fields::has_fields;
use super::object::container_of;
use super::payload;
use super::table::{CONTAINERS, Envelope, Form, TIMES};
use super::times::{bsd_len, digits, iso_len, plain_len};
use crate::format::detect::{LogKind, detect_format};
use crate::message::label::{Label, find_label};

/// Detected rows, keyed by a string that distinguishes them. Each row is leaked once and exists until the program ends.
static LEARNT: Mutex<Vec<(String, &'static Envelope)>> = Mutex::new(Vec::new());

pub fn intern(key: String, make: impl FnOnce() -> Envelope) -> &'static Envelope {
    let mut learnt = LEARNT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, known)) = learnt.iter().find(|(known, _)| *known == key) {
        return known;
    }
    let envelope: &'static Envelope = Box::leak(Box::new(make()));
    learnt.push((key, envelope));
    envelope
}

/// A part of a common start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part<'a> {
    Iso,
    Bsd,
    Plain,
    Digits,
    Blanks(usize),
    Word(&'a [u8]),
    Other(u8),
}

fn parts(mut text: &[u8]) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    while let Some(first) = text.first() {
        let is_word = |b: &&u8| b.is_ascii_alphabetic() || **b >= 0x80;
        let times = [(Part::Iso, iso_len(text)), (Part::Bsd, bsd_len(text)), (Part::Plain, plain_len(text))];
        let (part, len) = match times.into_iter().find(|(_, len)| *len > 0) {
            Some(time) => time,
            None if first.is_ascii_digit() => (Part::Digits, digits(text)),
            None if *first == b' ' => {
                let len = text.iter().take_while(|b| **b == b' ').count();
                (Part::Blanks(len), len)
            }
            None => match text.iter().take_while(is_word).count() {
                0 => (Part::Other(*first), 1),
                len => (Part::Word(&text[..len]), len),
            },
        };
        parts.push(part);
        text = &text[len..];
    }
    parts
}

/// Returns rows for lines to which another program has added a common start. After this start, every continuation line
/// begins with a tab, or every line begins with an object. The server itself writes nothing before the tab.
pub fn common_starts(lines: &[&[u8]]) -> Vec<&'static Envelope> {
    const MAX_TABS: usize = 3;
    if lines.iter().any(|line| line.starts_with(b"\t") || line.starts_with(b"{")) {
        return Vec::new();
    }
    let object = |line: &[u8]| memchr::memmem::find(line, b"{\"");
    let tab = |line: &[u8], count: usize| {
        let mut tabs = memchr::memchr_iter(b'\t', line).chain(memchr::memmem::find(line, b"#011"));
        tabs.nth(count).filter(|_| find_label(line).is_none())
    };
    // First tries the starts that contain more tabs. After a shorter start, every line would begin with a tab.
    let by_tab = (0..MAX_TABS).rev().filter_map(|count| common_start(lines, |line| tab(line, count)));
    by_tab.chain(common_start(lines, object)).collect()
}

/// Returns an envelope for lines that start with the same pattern. `end` returns the length of the start of a line.
fn common_start(lines: &[&[u8]], end: impl Fn(&[u8]) -> Option<usize>) -> Option<&'static Envelope> {
    const MAX_LEN: usize = 200;
    let start = |line: &[u8]| end(line).filter(|end| (1..MAX_LEN).contains(end));
    let starts: Vec<Vec<Part<'_>>> = lines.iter().filter_map(|line| Some(parts(&line[..start(line)?]))).collect();
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    starts.iter().for_each(|parts| *counts.entry(parts.len()).or_default() += 1);
    let (len, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
    let alike: Vec<&Vec<Part<'_>>> = starts.iter().filter(|parts| parts.len() == len).collect();
    if count < 2 {
        return None;
    }
    let mut pattern = String::new();
    for at in 0..len {
        let part = alike[0][at];
        let is_constant = alike.iter().all(|parts| parts[at] == part);
        match part {
            Part::Iso => pattern += "{iso}",
            Part::Bsd => pattern += "{bsd}",
            Part::Plain => pattern += "{plain}",
            Part::Digits => pattern += "{d}",
            // If the start ends in blanks, their number is fixed, because the indentation of a continuation line may
            // follow them.
            Part::Blanks(len) if is_constant && at + 1 == alike[0].len() => pattern += &" ".repeat(len),
            Part::Blanks(_) => pattern += "{_}",
            Part::Word(word) if is_constant => pattern += std::str::from_utf8(word).ok()?,
            Part::Word(_) if alike.iter().all(|parts| matches!(parts[at], Part::Word(_))) => pattern += "{w}",
            Part::Other(byte)
                if is_constant && (byte.is_ascii_graphic() || byte == b'\t') && !b"{}".contains(&byte) =>
            {
                pattern.push(char::from(byte));
            }
            _ => return None,
        }
    }
    // Lines with syslog's escapes are syslog lines, even if another program wrote their start.
    let is_syslog = lines.iter().any(|line| memchr::memmem::find(line, b"#011").is_some());
    let pattern = pattern.replace("[{d}-{d}] ", "{seq}").replacen("[{d}]:", "[{pid}]:", 1);
    let name = if is_syslog || pattern.contains("{seq}") { "syslog" } else { "behind" };
    Some(intern(format!("{name} {pattern}"), || {
        let title = format!("lines behind '{pattern}'").leak();
        Envelope { name, title, form: Form::Line(format!("{pattern}{{text}}").leak()) }
    }))
}

/// Whether a string is a message of a log.
pub fn is_message(text: &str) -> bool {
    let line = text.as_bytes();
    let is_label = matches!(find_label(line), Some((start, Label::Primary(_), _)) if start < 512);
    is_label || matches!(detect_format("-", line), Some(LogKind::Csvlog | LogKind::Jsonlog))
}

/// Whether a value is a message or a list of lines with messages.
fn is_text_of_message(value: &Value) -> bool {
    match value {
        Value::String(text) => is_message(text),
        Value::Array(lines) => lines.iter().take(20).any(|line| line.as_str().is_some_and(is_message)),
        _ => false,
    }
}

/// Returns a row for objects with messages at a path that the table of envelopes lacks.
pub fn any_key(values: &[Value]) -> Option<&'static Envelope> {
    let (path, event) = most_frequent_path(values, &is_text_of_message)?;
    // The event's other fields are in the same object as the message, or in the outermost object.
    let beside = path.rsplit_once('/').map_or("", |(object, _)| object);
    let time = [beside, ""].into_iter().find_map(|at| {
        let object = if at.is_empty() { event } else { event.pointer(&format!("/{at}"))? }.as_object()?;
        let key = TIMES.split('|').find_map(|name| object.keys().find(|key| key.eq_ignore_ascii_case(name)))?;
        Some(if at.is_empty() { key.clone() } else { format!("{at}/{key}") })
    });
    Some(intern(format!("json {path} {time:?}"), || {
        let (title, path): (_, &'static str) = (format!("JSON objects with {path}").leak(), path.leak());
        let time = time.unwrap_or_default().leak();
        Envelope { name: "json", title, form: Form::Object { keys: vec![path].leak(), text: path, time, stream: "" } }
    }))
}

/// Returns a row for objects with csvlog fields at a path that the table of envelopes lacks.
pub fn any_fields(values: &[Value]) -> Option<&'static Envelope> {
    let has_fields = |value: &Value| value.as_object().is_some_and(has_fields);
    let (path, _) = most_frequent_path(values, &has_fields)?;
    Some(intern(format!("fields {path}"), || {
        let (title, at): (_, &'static str) = (format!("JSON with the fields of a log in {path}").leak(), path.leak());
        Envelope { name: "json", title, form: Form::Fields { at } }
    }))
}

/// Returns a row for objects with base64 at some path. The caller checks whether the decoded bytes are a log.
pub fn any_encoded(values: &[Value]) -> Option<&'static Envelope> {
    let is_encoded = |value: &Value| value.as_str().is_some_and(payload::is_encoded);
    let (path, _) = most_frequent_path(values, &is_encoded)?;
    Some(intern(format!("base64 {path}"), || {
        let (title, text): (_, &'static str) = (format!("JSON objects with base64 in {path}").leak(), path.leak());
        Envelope { name: "base64", title, form: Form::Encoded { text, is_stream: false } }
    }))
}

/// Returns the most frequent path to a value that satisfies `is_it`. Also returns one of the events.
fn most_frequent_path<'v>(values: &'v [Value], is_it: &dyn Fn(&Value) -> bool) -> Option<(String, &'v Value)> {
    const MAX_EVENTS: usize = 100;
    let (mut counts, mut events) = (BTreeMap::new(), Vec::new());
    values.iter().for_each(|value| leaves(value, is_it, &mut events));
    events.iter().take(MAX_EVENTS).for_each(|event| count_paths(event, "", is_it, &mut counts));
    let (path, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
    (count > 1 || events.len() == 1).then(|| (path, events[0]))
}

/// Collects the objects that do not contain other events.
fn leaves<'v>(value: &'v Value, is_it: &dyn Fn(&Value) -> bool, events: &mut Vec<&'v Value>) {
    match value {
        Value::Array(list) => list.iter().for_each(|value| leaves(value, is_it, events)),
        Value::Object(object) => {
            let has_it = || {
                let mut counts = BTreeMap::new();
                count_paths(value, "", is_it, &mut counts);
                !counts.is_empty()
            };
            let is_known = |key: &&str| CONTAINERS.contains(key);
            match container_of(object) {
                Some(key) if is_known(&key) || !has_it() => leaves(&object[key], is_it, events),
                _ => events.push(value),
            }
        }
        _ => {}
    }
}

/// Counts the values that satisfy `is_it`, by path.
fn count_paths(value: &Value, path: &str, is_it: &dyn Fn(&Value) -> bool, counts: &mut BTreeMap<String, usize>) {
    const MAX_DEPTH: usize = 4;
    if !path.is_empty() && is_it(value) {
        *counts.entry(path.to_string()).or_default() += 1;
    }
    if let Value::Object(object) = value
        && path.matches('/').count() < MAX_DEPTH
    {
        for (key, value) in object.iter().filter(|(key, _)| !key.is_empty() && !key.contains('/')) {
            let path = if path.is_empty() { key.clone() } else { format!("{path}/{key}") };
            count_paths(value, &path, is_it, counts);
        }
    }
}

/// Returns an envelope for logs with `width` blanks in place of a tab.
pub fn indented(width: usize) -> &'static Envelope {
    intern(format!("indented {width}"), || {
        let title = format!("{width} blanks for a tab").leak();
        Envelope { name: "indented", title, form: Form::Indented(width) }
    })
}

/// Returns a row for CSV with messages in a column that the table of envelopes lacks. `rows`: complete CSV rows, keyed
/// by column names.
pub fn any_column(rows: &[serde_json::Map<String, Value>]) -> Option<&'static Envelope> {
    let mut counts = BTreeMap::new();
    let columns = rows.iter().map(serde_json::Map::len).max()?;
    let is_whole = |row: &&serde_json::Map<String, Value>| row.len() == columns;
    rows.iter()
        .filter(is_whole)
        .for_each(|row| count_paths(&Value::Object(row.clone()), "", &is_text_of_message, &mut counts));
    let (column, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
    if count < 2 {
        return None;
    }
    Some(intern(format!("csv {column}"), || {
        let (title, column): (_, &'static str) = (format!("CSV with the column {column}").leak(), column.leak());
        let form = Form::Csv { keys: vec![column].leak(), text: column, time: TIMES, stream: "" };
        Envelope { name: "csvexport", title, form }
    }))
}
