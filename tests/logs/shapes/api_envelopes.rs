//! Functions that write logs as API responses: JSON, and the CSV of command-line tools.

use serde_json::{Map, Value, json};

use super::envelopes::{Envelope, each_line, each_message, iso, unix_millis};
use super::events::Event;

fn list(events: &[Event], messages: &[String], object: impl Fn(&Event, &str) -> Value) -> Vec<Value> {
    events.iter().zip(messages).map(|(event, text)| object(event, text.trim_end_matches('\n'))).collect()
}

fn csv(text: &str) -> String {
    format!("\"{}\"", text.trim_end_matches('\n').replace('"', "\"\""))
}

/// Returns the fields of an event under the names of csvlog columns.
pub fn columns(event: &Event) -> Map<String, Value> {
    let session = event.session;
    let client =
        if session.port == 0 { session.host.to_string() } else { format!("{}:{}", session.host, session.port) };
    let object = json!({
        "log_time": super::write::time(event), "user_name": session.user, "database_name": session.database,
        "process_id": session.pid.to_string(), "connection_from": client, "session_id": super::write::session_id(event),
        "sql_state_code": event.state, "error_severity": event.severity, "message": event.message,
        "detail": event.detail, "query": event.statement, "application_name": session.application});
    object.as_object().unwrap().clone()
}

/// Writes the columns of each event as an object, newest event first.
pub fn columns_newest_first(events: &[Event]) -> String {
    let objects: Vec<Value> = events.iter().rev().map(|event| Value::Object(columns(event))).collect();
    serde_json::to_string_pretty(&objects).unwrap()
}

#[rustfmt::skip] // one envelope per entry
pub const ENVELOPES: &[(&str, Envelope)] = &[
    ("docker's splunk driver", |events, messages| {
        each_line(events, messages, |event, line| json!({"event": {"line": line, "source": "stderr"}, "time": iso(event, "Z")}).to_string())
    }),
    ("Splunk HEC", |events, messages| {
        each_message(events, messages, |event, text| {
            format!("{}\n", json!({"time": unix_millis(event) as f64 / 1000.0, "host": "db", "sourcetype": "postgres", "event": text}))
        })
    }),
    ("Google Cloud jsonPayload of a container", |events, messages| {
        each_line(events, messages, |event, line| json!({"timestamp": iso(event, "Z"), "jsonPayload": {"log": line}}).to_string())
    }),
    ("Google Cloud CSV of gcloud", |events, messages| {
        let rows: String = each_message(events, messages, |event, text| format!("{},{}\n", iso(event, "Z"), csv(text)));
        format!("timestamp,text_payload\n{rows}")
    }),
    ("New Relic's API", |events, messages| {
        let mut list = list(events, messages, |event, text| json!({"message": text, "timestamp": unix_millis(event)}));
        list.reverse();
        serde_json::to_string_pretty(&json!({"data": {"actor": {"account": {"nrql": {"results": list}}}}})).unwrap()
    }),
    ("Elasticsearch with originals", |events, messages| {
        let list = list(events, messages, |event, text| json!({"_source": {"@timestamp": iso(event, "Z"), "event": {"original": text}, "message": "parsed"}}));
        json!({"hits": {"hits": list}}).to_string() + "\n"
    }),
    ("Azure Log Analytics with fields", |events, messages| {
        let list = list(events, messages, |event, text| {
            let (text, detail) = match text.split_once("DETAIL:  ") {
                Some((first, detail)) => (first.rsplit_once('\n').unwrap().0, detail),
                None => (text, ""),
            };
            json!({"TableName": "PrimaryResult", "TimeGenerated": iso(event, "Z"), "Detail": detail, "ErrorLevel": event.severity, "Message": text, "ProcessId": event.session.pid.to_string(), "SqlErrorCode": event.state})
        });
        serde_json::to_string_pretty(&list).unwrap()
    }),
    ("Azure's containers", |events, messages| {
        each_line(events, messages, |event, line| json!({"TimeGenerated": iso(event, "Z"), "PodName": "pg-0", "LogMessage": line}).to_string())
    }),
    ("a JSON text a line", |events, messages| each_message(events, messages, |_, text| format!("{}\n", json!(text)))),
];
