//! Writers of logs that programs changed: escapes, base64, another order. Also writers of exports with events at a path
//! that no row has.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::envelopes::{Envelope, each_line, each_message, iso, unix_millis};
use super::events::Event;

fn values(events: &[Event], messages: &[String], value: impl Fn(&Event, &str) -> Value) -> Vec<Value> {
    events.iter().zip(messages).map(|(event, text)| value(event, text.trim_end_matches('\n'))).collect()
}

/// Writes events as the payload of a CloudWatch stream.
fn payload(events: &[Event], messages: &[String]) -> String {
    let events =
        values(events, messages, |event, text| json!({"id": "1", "timestamp": unix_millis(event), "message": text}));
    let data = json!({"messageType": "DATA_MESSAGE", "logGroup": "g", "logStream": "s", "logEvents": events});
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(data.to_string().as_bytes()).expect("memory takes all");
    STANDARD.encode(encoder.finish().expect("memory takes all"))
}

pub const ENVELOPES: &[(&str, Envelope)] = &[
    ("escapes of COPY, one for stderr", |events, messages| {
        each_message(events, messages, |_, text| {
            text.replace('\\', "\\\\").replace('\n', "\\n").replace('\t', "\\t") + "\n"
        })
    }),
    ("a list of texts in quotes, for stderr", |events, messages| {
        each_message(events, messages, |_, text| format!("- {}\n", json!(text)))
    }),
    ("syslog's daemon, a message a line", |events, messages| {
        each_message(events, messages, |event, text| {
            let text = text.replace('\n', "#012").replace('\t', "#011");
            format!("Jan 31 {} db postgres[{}]: {text}\n", &iso(event, "")[11..19], event.session.pid)
        })
    }),
    ("syslog's daemon, a numbered message a line", |events, messages| {
        let numbers = std::cell::Cell::new(6);
        each_message(events, messages, |event, text| {
            numbers.set(numbers.get() + 1);
            let text = text.replace('\n', "#012").replace('\t', "#011");
            let time = &iso(event, "")[11..19];
            format!("Jan 31 {time} db postgres[{}]: [{}] {text}\n", event.session.pid, numbers.get())
        })
    }),
    ("syslog in pieces without a number of the message", |events, messages| {
        each_message(events, messages, |event, text| {
            let header = format!("<134>Jan 31 {} postgres[{}]: ", &iso(event, "")[11..19], event.session.pid);
            let lines = text.lines().enumerate().map(|(at, line)| format!("{header}[{}] {line}\n", at + 1));
            if text.contains('\n') { lines.collect() } else { format!("{header}{text}\n") }
        })
    }),
    ("docker compose, attached", |events, messages| {
        let lines = each_line(events, messages, |_, line| format!("\x1b[33mdb-1   | \x1b[0m{line}\r"));
        format!("Attaching to db-1, web-1\r\n{lines}")
    }),
    ("journald json-seq", |events, messages| {
        each_line(events, messages, |event, line| {
            let micros = (unix_millis(event) * 1000).to_string();
            let pid = event.session.pid.to_string();
            format!("\x1e{}", json!({"MESSAGE": line, "__REALTIME_TIMESTAMP": micros, "_PID": pid}))
        })
    }),
    ("a terminal's notes, for stderr", |events, messages| {
        each_line(events, messages, |event, line| format!("\x1b_bk;t={}\x07{line}", unix_millis(event)))
    }),
    ("lines turned round, for stderr", |_, messages| {
        let text = messages.concat();
        text.lines().rev().map(|line| line.to_string() + "\n").collect()
    }),
    ("events turned round, for stderr", |_, messages| {
        let text = messages.concat();
        let mut events: Vec<String> = Vec::new();
        for line in text.split_inclusive('\n') {
            match events.last_mut().filter(|_| line.starts_with('\t')) {
                Some(event) => event.push_str(line),
                None => events.push(line.to_string()),
            }
        }
        events.iter().rev().map(String::as_str).collect()
    }),
    ("messages turned round", |_, messages| messages.iter().rev().cloned().collect()),
    ("a stream of payloads", |events, messages| {
        let records: Vec<Value> = events
            .chunks(7)
            .zip(messages.chunks(7))
            .map(|(events, messages)| json!({"kinesis": {"data": payload(events, messages)}}))
            .collect();
        json!({"Records": records}).to_string()
    }),
    ("a function's payload", |events, messages| json!({"awslogs": {"data": payload(events, messages)}}).to_string()),
    ("Nomad's frames", |_, messages| {
        let text = messages.concat();
        let frames = text.as_bytes().chunks(500);
        frames.map(|part| json!({"Data": STANDARD.encode(part), "File": "x", "Offset": 0}).to_string() + "\n").collect()
    }),
    ("Elasticsearch's fields", |events, messages| {
        let hit = |event: &Event, text: &str| json!({"fields": {"message": [text], "@timestamp": [iso(event, "Z")]}});
        json!({"rawResponse": {"hits": {"hits": values(events, messages, hit)}}}).to_string()
    }),
    ("tables of columns and rows", |events, messages| {
        let rows = values(events, messages, |event, text| json!([iso(event, "Z"), text]));
        json!({"tables": [{"columns": [{"name": "TimeGenerated"}, {"name": "Message"}], "rows": rows}]}).to_string()
    }),
    ("Ansible's output", |_, messages| {
        let text = messages.concat();
        let lines: Vec<&str> = text.lines().collect();
        let value = json!({"rc": 0, "stdout": text, "stdout_lines": lines});
        format!("db1 | CHANGED => {}\n", serde_json::to_string_pretty(&value).expect("it is JSON"))
    }),
    ("lines in a list", |_, messages| {
        let text = messages.concat();
        json!({"task": {"output": text.lines().collect::<Vec<_>>()}}).to_string()
    }),
    ("a column without a name", |events, messages| {
        let rows = each_message(events, messages, |_, text| {
            format!("Information,1/31/2026 12:00:00 PM,PostgreSQL,0,None,\"{}\n\"\n", text.replace('"', "\"\""))
        });
        "Level,Date and Time,Source,Event ID,Task Category\n".to_string() + &rows
    }),
    ("columns without names, for stderr", |events, messages| {
        each_message(events, messages, |event, text| {
            format!("\"{}\",\"db1\",\"{}\"\n", iso(event, "Z"), text.replace('"', "\"\""))
        })
    }),
    ("cut portions of RDS", |_, messages| {
        let text = messages.concat();
        let parts = text.char_indices().filter(|(at, _)| at % 300 == 0).map(|(at, _)| at).collect::<Vec<_>>();
        let ends = parts.iter().skip(1).copied().chain([text.len()]);
        parts
            .iter()
            .zip(ends)
            .map(|(start, end)| json!({"LogFileData": &text[*start..end]}).to_string() + "\n")
            .collect()
    }),
];
