//! Extracts messages from JSON events. Finds the events inside the lists and objects of an export, and the values of
//! an event at the paths that table.rs lists.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::fields;
use super::sources::{add_names_at, labels, labels_in};
use super::table::{CONTAINERS, Envelope, Form};
use super::time_text::time_text;

#[derive(Debug, Default, PartialEq, Eq)]
pub struct Event<'a> {
    pub text: Cow<'a, [u8]>,
    pub time: String,
    pub pid: u32,
    pub stream: String,
}

/// Calls `f` with every event in a JSON value. An event is an object that does not contain other events. The second
/// argument of `f` contains the source names from the objects that enclose the event. `around`: the source names from
/// the objects that enclose `value`.
pub fn for_each_event(value: &Value, rows: &[&Envelope], around: &str, f: &mut dyn FnMut(&Map<String, Value>, &str)) {
    match value {
        Value::Array(list) => match pairs(list) {
            Some(event) => f(&event, around),
            None => list.iter().for_each(|value| for_each_event(value, rows, around, f)),
        },
        Value::Object(object) => match container_of(object) {
            Some(key) if !rows.iter().any(|row| fits(row, object)) => {
                let mut around = around.to_string();
                object.iter().filter(|(other, _)| *other != key).for_each(|(key, value)| {
                    add_names_at("", key, value, &mut around);
                });
                for_each_event(&object[key], rows, &around, f);
            }
            _ => f(object, around),
        },
        Value::String(text) => {
            f(&std::iter::once(("message".to_string(), Value::from(text.as_str()))).collect(), around);
        }
        _ => {}
    }
}

/// Whether a JSON value contains an event of the given envelope.
pub fn has_event(value: &Value, row: &Envelope) -> bool {
    let mut has_it = false;
    for_each_event(value, &[row], "", &mut |event, _| has_it |= fits(row, event));
    has_it
}

/// Returns the key of `object` whose value contains events. If the object has a known key of an export, returns that
/// key. Otherwise returns the first key whose value is a list of objects or of lists, or contains such a list.
fn container_of(object: &Map<String, Value>) -> Option<&str> {
    // Fast path: most objects have only strings and numbers.
    if !object.values().any(|value| value.is_array() || value.is_object()) {
        return None;
    }
    let is_known = |key: &&&str| matches!(object.get(**key), Some(Value::Array(_) | Value::Object(_)));
    if let Some(known) = CONTAINERS.iter().find(is_known) {
        return Some(known);
    }
    let has_list = |(_, value): &(&String, &Value)| match value {
        Value::Array(list) => list.iter().any(|value| value.is_array() || value.is_object()),
        Value::Object(inner) => container_of(inner).is_some(),
        _ => false,
    };
    object.iter().find(has_list).map(|(key, _)| key.as_str())
}

/// Converts a list to an event. The list is `[time, line]`, or contains objects such as `{"field": "@message", "value":
/// "…"}`.
fn pairs(list: &[Value]) -> Option<Map<String, Value>> {
    if let [Value::String(time), Value::String(line), ..] = list
        && time.len() >= 10
        && time.bytes().all(|b| b.is_ascii_digit())
    {
        let pairs = [("timestamp", time), ("line", line)];
        return Some(pairs.map(|(key, text)| (key.to_string(), Value::String(text.clone()))).into_iter().collect());
    }
    let pair = |value: &Value| Some((value.get("field")?.as_str()?.to_string(), value.get("value")?.clone()));
    let fields: Map<String, Value> = list.iter().map(pair).collect::<Option<_>>()?;
    (!fields.is_empty()).then_some(fields)
}

/// Returns the value at a path.
fn at<'v>(object: &'v Map<String, Value>, path: &str) -> Option<&'v Value> {
    let mut parts = path.split('/');
    // Some shippers write keys with dots or slashes, so the whole path may be one key.
    let mut value = object.get(path).or_else(|| object.get(parts.next()?))?;
    if object.contains_key(path) {
        return Some(value);
    }
    for part in parts {
        value = match part.parse::<usize>() {
            Ok(index) => value.get(index)?,
            Err(_) => value.get(part)?,
        };
    }
    Some(value)
}

/// Returns the object at a path, or `object` itself for an empty path.
fn object_at<'v>(object: &'v Map<String, Value>, path: &str) -> Option<&'v Map<String, Value>> {
    if path.is_empty() { Some(object) } else { at(object, path)?.as_object() }
}

/// Keys whose values contain the server's process ID, either alone or in a tag such as `postgres[42]:`.
const PIDS: [&str; 8] = ["_PID", "SYSLOG_PID", "PID", "procid", "syslogtag", "syslog-tag", "syslog_tag", "tag"];

/// Returns the server's process ID if the envelope has it as a separate value.
pub fn pid_of(object: &Map<String, Value>) -> Option<u32> {
    if object.contains_key("CONTAINER_ID") {
        return None; // the process ID is the container's
    }
    // Filebeat's syslog input writes the process as an object.
    let process = object.get("process").filter(|process| {
        let is_server = |key: &str| process.get(key).and_then(Value::as_str).is_some_and(|name| name == "postgres");
        is_server("program") || is_server("name")
    });
    if let Some(pid) = process.and_then(|process| process.get("pid")?.as_u64()) {
        return pid.try_into().ok();
    }
    PIDS.iter().find_map(|key| match object.get(*key)? {
        Value::Number(number) => number.as_u64()?.try_into().ok(),
        Value::String(text) => match text.split_once('[') {
            Some((_, pid)) => pid.trim_end_matches(':').strip_suffix(']')?.parse().ok(),
            None if key.ends_with("tag") => None,
            None => text.parse().ok(),
        },
        _ => None,
    })
}

/// Whether journald has split a line. If so, the next event of the same process continues the line.
pub fn is_broken(event: &Map<String, Value>) -> bool {
    matches!(event.get("_LINE_BREAK").and_then(Value::as_str), Some("line-max" | "pid-change"))
}

pub fn fits(row: &Envelope, object: &Map<String, Value>) -> bool {
    match row.form {
        Form::Object { keys, text, .. } => {
            keys.iter().all(|key| at(object, key).is_some()) && at(object, text).is_some_and(is_text)
        }
        Form::Csv { keys, .. } => keys.iter().all(|key| object.contains_key(*key)),
        Form::Fields { at: path } => object_at(object, path).is_some_and(fields::has_fields),
        _ => false,
    }
}

fn is_text(value: &Value) -> bool {
    match value {
        Value::String(_) => true,
        // A list of bytes or of lines.
        Value::Array(list) => !list.is_empty() && (list.iter().all(Value::is_u64) || list.iter().all(Value::is_string)),
        Value::Object(object) => fields::has_fields(object),
        _ => false,
    }
}

/// Returns the event in `object`. Returns `None` if the object does not fit the envelope `row`.
pub fn event<'v>(row: &Envelope, object: &'v Map<String, Value>) -> Option<Event<'v>> {
    match row.form {
        Form::Object { text, time, stream, .. } => {
            let text = match at(object, text)? {
                Value::String(text) if fields::is_table_row(object) => {
                    Cow::Owned(fields::lines(&fields::renamed(object), Some(text)))
                }
                Value::String(text) => Cow::Borrowed(text.as_bytes()),
                Value::Array(lines) if lines.first().is_some_and(Value::is_string) => {
                    let lines: Vec<&str> = lines.iter().filter_map(Value::as_str).collect();
                    Cow::Owned(lines.join("\n").into_bytes())
                }
                Value::Array(bytes) => {
                    Cow::Owned(bytes.iter().filter_map(|byte| byte.as_u64()?.try_into().ok()).collect())
                }
                Value::Object(inner) => Cow::Owned(fields::jsonlog_line(inner)),
                _ => return None,
            };
            let name = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_string);
            let stream = match at(object, stream) {
                Some(Value::Object(map)) => labels(map),
                value => value.map_or_else(String::new, name),
            };
            Some(Event {
                text,
                time: at(object, time).map_or_else(String::new, time_text),
                pid: pid_of(object).unwrap_or(0),
                stream,
            })
        }
        Form::Csv { text, time, stream, .. } => {
            let value = |key: &str| object.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
            let text = match text {
                "" => fields::lines(&fields::renamed(object), value("event_message")),
                text => value(text).unwrap_or_default().as_bytes().to_vec(),
            };
            let time = time.split('|').find_map(value).map_or_else(String::new, |time| time_text(&time.into()));
            Some(Event { text: text.into(), time, pid: 0, stream: labels_in(value(stream).unwrap_or_default()) })
        }
        Form::Fields { at: path } => {
            let inner = object_at(object, path)?;
            // The object around the fields may contain the message.
            let outer = ["event_message", "message"].iter().find_map(|key| object.get(*key)?.as_str());
            let stream = object.get("logging_pod").and_then(Value::as_str).unwrap_or_default().to_string();
            let time = fields::time(inner).or_else(|| ["time", "timestamp"].iter().find_map(|key| object.get(*key)));
            let time = time.map_or_else(String::new, time_text);
            Some(Event { text: Cow::Owned(fields::lines(inner, outer)), stream, time, pid: 0 })
        }
        _ => None,
    }
}
