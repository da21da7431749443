//! Functions that write logs in the formats of tools. A tool adds its own text before each line, or writes JSON
//! objects.

use serde_json::{Value, json};

use super::envelopes::{Envelope, each_line, each_message, iso, unix_millis};
use super::events::Event;

/// Writes a JSON object for each message.
fn objects(events: &[Event], messages: &[String], object: impl Fn(&Event, &str) -> Value) -> String {
    each_message(events, messages, |event, text| format!("{}\n", object(event, text)))
}

pub const ENVELOPES: &[(&str, Envelope)] = &[
    ("heroku: fly", |events, messages| {
        each_line(events, messages, |event, line| format!("{} app[e2865551a54678] ams [info] {line}", iso(event, "Z")))
    }),
    ("heroku: fly with a supervisor", |events, messages| {
        let time = |event: &Event| iso(event, "Z");
        each_line(events, messages, |event, line| {
            format!("{} app[e2865551a54678] ams [info]postgres | {line}", time(event))
        })
    }),
    ("heroku with sequences", |events, messages| {
        let mut text = String::new();
        for (event, message) in events.iter().zip(messages) {
            for (index, line) in message.lines().enumerate() {
                let (time, piece) = (iso(event, "+00:00"), index + 1);
                text += &format!("{time} app[postgres.4321]: [DATABASE] [7-{piece}] {line}\n");
            }
        }
        text
    }),
    ("syslog RFC 5424 with a byte order mark", |events, messages| {
        each_line(events, messages, |event, line| {
            let line = line.replace('\t', "#011");
            format!("<134>1 {} db postgres {} - - \u{feff}{line}", iso(event, "Z"), event.session.pid)
        })
    }),
    ("times and a tab", |events, messages| {
        each_message(events, messages, |event, text| format!("{}\t{text}\n", iso(event, "Z")))
    }),
    ("numbered not, by grep -H", |events, messages| {
        each_line(events, messages, |_, line| format!("/var/log/postgresql/postgresql-15-main.log:{line}"))
    }),
    ("numbered by grep -Hn", |_, messages| {
        let lines = messages.concat();
        let line = |(index, line): (usize, &str)| format!("postgresql-16-main.log:{}:{line}\n", index + 1);
        lines.lines().enumerate().map(line).collect()
    }),
    ("an array of texts", |_, messages| {
        json!(messages.iter().map(|message| message.trim_end()).collect::<Vec<_>>()).to_string()
    }),
    ("OpenTelemetry in Elasticsearch", |events, messages| {
        objects(events, messages, |event, text| json!({"@timestamp": iso(event, "Z"), "body": {"text": text}}))
    }),
    ("Log Analytics JSON", |events, messages| {
        objects(events, messages, |event, text| json!({"TimeGenerated": iso(event, "Z"), "Message": text}))
    }),
    ("GELF", |events, messages| {
        objects(events, messages, |event, text| {
            let short = text.lines().next().unwrap_or_default();
            json!({"version": "1.1", "host": "db", "short_message": short, "full_message": text, "timestamp": unix_millis(event) as f64 / 1000.0})
        })
    }),
    ("GELF of docker", |events, messages| {
        each_line(events, messages, |event, line| {
            json!({"host": "db", "short_message": line, "timestamp": unix_millis(event) as f64 / 1000.0}).to_string()
        })
    }),
    ("Supabase JSON", |events, messages| {
        objects(events, messages, |event, text| json!({"event_message": text, "timestamp": unix_millis(event) * 1000}))
    }),
    ("journald JSON of Fluent Bit", |events, messages| {
        each_line(events, messages, |event, line| {
            let pid = event.session.pid.to_string();
            json!({"date": unix_millis(event) as f64 / 1000.0, "MESSAGE": line, "_PID": pid}).to_string()
        })
    }),
    ("any body", |events, messages| objects(events, messages, |_, text| json!({"body": text}))),
    ("any text", |events, messages| objects(events, messages, |_, text| json!({"text": text}))),
    ("any line", |events, messages| {
        objects(events, messages, |event, text| json!({"line": text, "ts": iso(event, "Z")}))
    }),
    ("any _raw", |events, messages| {
        objects(events, messages, |event, text| json!({"_raw": text, "_time": iso(event, "Z")}))
    }),
    ("stern's JSON", |events, messages| {
        objects(events, messages, |_, text| json!({"message": text, "podName": "pg-0", "containerName": "postgres"}))
    }),
    ("any Message", |events, messages| objects(events, messages, |_, text| json!({"Message": text}))),
];
