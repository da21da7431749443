//! Writers of envelopes without a row, which pgq detects from common parts of lines, objects or rows. Also writers of
//! logs in which programs changed single characters.

use serde_json::json;

use super::envelopes::{Envelope, each_line, each_message, iso, unix_millis};

fn plain(event: &super::events::Event) -> String {
    iso(event, "").replace('T', " ")
}

fn html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#39;")
}

pub const ENVELOPES: &[(&str, Envelope)] = &[
    ("supervisord, one for stderr", |events, messages| {
        each_line(events, messages, |event, line| format!("{} DEBG 'pg' stderr output: {line}", plain(event)))
    }),
    ("lines behind a name and a time, for stderr", |events, messages| {
        each_line(events, messages, |event, line| format!("pg-ct1 Jan 31 {} {line}", &iso(event, "")[11..19]))
    }),
    ("lines behind seconds, for stderr", |events, messages| {
        each_line(events, messages, |event, line| format!("{} {line}", unix_millis(event) / 1000))
    }),
    ("turbo, one for stderr", |events, messages| each_line(events, messages, |_, line| format!("db:dev: {line}"))),
    ("syslog with years", |events, messages| {
        let mut text = String::new();
        for (number, (event, message)) in events.iter().zip(messages).enumerate() {
            for (piece, line) in message.lines().enumerate() {
                let (pid, time, line) = (event.session.pid, &iso(event, "")[11..19], line.replace('\t', "#011"));
                text += &format!("Jan 31 2026 {time} db1 postgres[{pid}]: [{}-{}] {line}\n", number + 1, piece + 1);
            }
        }
        text
    }),
    ("journald short, indented, one for stderr", |events, messages| {
        each_message(events, messages, |event, text| {
            let header = format!("Jan 31 {} db postgres[{}]: ", &iso(event, "")[11..19], event.session.pid);
            let further = format!("\n{}", " ".repeat(header.len()));
            format!("{header}{}\n", text.replace('\n', &further))
        })
    }),
    ("logfmt", |events, messages| {
        each_message(events, messages, |event, text| {
            format!("ts={} level=info job=pg msg={}\n", iso(event, "Z"), json!(text))
        })
    }),
    ("logfmt by line", |events, messages| {
        each_line(events, messages, |event, line| format!("log={} time=\"{}\"", json!(line), iso(event, "Z")))
    }),
    ("VictoriaLogs", |events, messages| {
        each_message(events, messages, |event, text| json!({"_time": iso(event, "Z"), "_msg": text}).to_string() + "\n")
    }),
    ("a nested key", |events, messages| {
        each_message(events, messages, |event, text| {
            json!({"ts": iso(event, "Z"), "level": "info", "fields": {"n": 1, "content": text}}).to_string() + "\n"
        })
    }),
    ("Axiom", |events, messages| {
        let matches = events.iter().zip(messages);
        let matches =
            matches.map(|(event, text)| json!({"_time": iso(event, "Z"), "data": {"message": text.trim_end()}}));
        json!({"matches": matches.collect::<Vec<_>>()}).to_string()
    }),
    ("an unknown container", |events, messages| {
        let row =
            |(event, text): (&super::events::Event, &String)| json!({"at": iso(event, "Z"), "entry": text.trim_end()});
        json!({"rows": events.iter().zip(messages).map(row).collect::<Vec<_>>()}).to_string()
    }),
    ("objects behind a key", |events, messages| {
        each_message(events, messages, |_, text| format!("db-1\t{}\n", json!({"message": text})))
    }),
    ("tabs before all lines, for stderr", |events, messages| {
        each_line(events, messages, |event, line| format!("error\t31-Jan-2026 {}\t{line}", &iso(event, "")[11..19]))
    }),
    ("Fluent Bit's JSON of docker", |events, messages| {
        each_line(events, messages, |event, line| {
            json!({"date": unix_millis(event), "log": line, "stream": "stderr", "logtag": "F"}).to_string()
        })
    }),
    ("a column without a known name", |events, messages| {
        let row = |(event, text): (_, &String)| {
            format!("{},\"{}\"\n", unix_millis(event), text.trim_end().replace('"', "\"\""))
        };
        "when,log_entry\n".to_string() + &events.iter().zip(messages).map(row).collect::<String>()
    }),
    ("Grafana's download", |events, messages| {
        each_message(events, messages, |event, text| {
            format!("{}000000\t{}\t{text}\n", unix_millis(event), iso(event, "Z"))
        })
    }),
    ("HTML", |_, messages| html(&messages.concat())),
];
