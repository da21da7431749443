//! Writers of lines with a tool's text before each line, and of additional JSON envelopes.

use serde_json::{Value, json};

use super::envelopes::{Envelope, each_line, each_message, iso, unix_millis};
use super::events::Event;

fn clock(event: &Event) -> String {
    iso(event, "")[11..19].to_string()
}

/// Writes a JSON object for each message.
fn objects(events: &[Event], messages: &[String], object: impl Fn(&Event, &str) -> Value) -> String {
    each_message(events, messages, |event, text| format!("{}\n", object(event, text)))
}

fn numbered(messages: &[String], form: impl Fn(usize, &str) -> String) -> String {
    let text = messages.concat();
    text.lines().enumerate().map(|(index, line)| form(index + 1, line) + "\n").collect()
}

pub const ENVELOPES: &[(&str, Envelope)] = &[
    ("kubectl --prefix: kail", |events, messages| {
        each_line(events, messages, |_, line| format!("default/pg-0[postgres]: {line}"))
    }),
    ("kubectl --prefix: kubetail", |events, messages| each_line(events, messages, |_, line| format!("[pg-0] {line}"))),
    ("stern in colors", |events, messages| {
        each_line(events, messages, |_, line| format!("\x1b[32mpg-0\x1b[0m \x1b[1;32mpostgres\x1b[0m {line}"))
    }),
    ("compose: foreman", |events, messages| {
        each_line(events, messages, |event, line| format!("{} db.1   | {line}", clock(event)))
    }),
    ("aws: saw", |events, messages| {
        each_message(events, messages, |event, text| format!("[{}] (mydb.0) {text}\n", iso(event, "Z")))
    }),
    ("heroku: fly", |events, messages| {
        each_line(events, messages, |event, line| format!("{} app[e2865551a54678] ams [info] {line}", iso(event, "Z")))
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
    ("promtail", |events, messages| {
        each_message(events, messages, |event, text| {
            format!("{}{{filename=\"/x\", job=\"pg\"}}\t{text}\n", iso(event, "Z"))
        })
    }),
    ("fluentd's output", |events, messages| {
        each_message(events, messages, |event, text| {
            let time = iso(event, "000000 +0000").replace('T', " ");
            format!("{time} pg.log: {}\n", json!({"message": text}))
        })
    }),
    ("times and a tab", |events, messages| {
        each_message(events, messages, |event, text| format!("{}\t{text}\n", iso(event, "Z")))
    }),
    ("times of ts", |events, messages| {
        each_line(events, messages, |event, line| format!("{} {line}", iso(event, "456").replace('T', " ")))
    }),
    ("times of s6-log", |events, messages| {
        each_line(events, messages, |event, line| format!("{}  {line}", iso(event, "456789").replace('T', " ")))
    }),
    ("clock", |events, messages| each_line(events, messages, |event, line| format!("{} {line}", clock(event)))),
    ("svlogd", |events, messages| {
        each_line(events, messages, |event, line| format!("{} {line}", iso(event, "45").replace('T', "_")))
    }),
    ("journald json-sse", |events, messages| {
        each_line(events, messages, |event, line| {
            let (pid, time) = (event.session.pid.to_string(), format!("{}000", unix_millis(event)));
            format!("data: {}\n", json!({"MESSAGE": line, "__REALTIME_TIMESTAMP": time, "_PID": pid}))
        })
    }),
    ("numbered by grep", |_, messages| numbered(messages, |number, line| format!("{number}:{line}"))),
    ("numbered by cat", |_, messages| numbered(messages, |number, line| format!("{number:>6}\t{line}"))),
    ("numbered not, by grep -H", |events, messages| {
        each_line(events, messages, |_, line| format!("/var/log/postgresql/postgresql-15-main.log:{line}"))
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
    ("any Message", |events, messages| objects(events, messages, |_, text| json!({"Message": text}))),
    ("raw", |events, messages| objects(events, messages, |event, text| json!({"dt": iso(event, "Z"), "raw": text}))),
    ("_line", |events, messages| {
        objects(events, messages, |event, text| json!({"_ts": unix_millis(event), "_line": text}))
    }),
    ("@rawstring", |events, messages| {
        objects(events, messages, |event, text| json!({"@timestamp": unix_millis(event), "@rawstring": text}))
    }),
    ("@m", |events, messages| objects(events, messages, |event, text| json!({"@t": iso(event, "Z"), "@m": text}))),
];
