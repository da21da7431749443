//! Functions that write logs in the form in which other programs store or print them: with lines that are joined,
//! indented or cut, or as JSON objects.

use serde_json::json;

use super::envelopes::{Envelope, each_line, each_message, iso, unix_millis};

pub const ENVELOPES: &[(&str, Envelope)] = &[
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
    ("docker compose, attached", |events, messages| {
        let lines = each_line(events, messages, |_, line| format!("\x1b[33mdb-1   | \x1b[0m{line}\r"));
        format!("Attaching to db-1, web-1\r\n{lines}")
    }),
    ("Elasticsearch's fields", |events, messages| {
        let hits = events
            .iter()
            .zip(messages)
            .map(|(event, text)| json!({"fields": {"message": [text.trim_end()], "@timestamp": [iso(event, "Z")]}}));
        json!({"rawResponse": {"hits": {"hits": hits.collect::<Vec<_>>()}}}).to_string()
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
    ("journald short, indented, one for stderr", |events, messages| {
        each_message(events, messages, |event, text| {
            let header = format!("Jan 31 {} db postgres[{}]: ", &iso(event, "")[11..19], event.session.pid);
            let further = format!("\n{}", " ".repeat(header.len()));
            format!("{header}{}\n", text.replace('\n', &further))
        })
    }),
    ("VictoriaLogs", |events, messages| {
        each_message(events, messages, |event, text| json!({"_time": iso(event, "Z"), "_msg": text}).to_string() + "\n")
    }),
    ("Fluent Bit's JSON of docker", |events, messages| {
        each_line(events, messages, |event, line| {
            json!({"date": unix_millis(event), "log": line, "stream": "stderr", "logtag": "F"}).to_string()
        })
    }),
    ("Grafana's download", |events, messages| {
        each_message(events, messages, |event, text| {
            format!("{}000000\t{}\t{text}\n", unix_millis(event), iso(event, "Z"))
        })
    }),
];
