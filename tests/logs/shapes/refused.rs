//! Tests that pgq refuses a log if an unknown program has added text to its lines, because pgq could misread such
//! lines.

use pgq_log::{LogKind, LogReaderConfig, Unwrapper, detect_format};
use serde_json::json;

use super::common::SELECTION;
use super::envelopes::{Envelope, each_line, each_message, iso, unix_millis};
use super::events::events;
use super::write;

const FORMS: &[(&str, Envelope)] = &[
    ("supervisord", |events, messages| {
        each_line(events, messages, |event, line| {
            format!("{} DEBG 'pg' stderr output: {line}", iso(event, "").replace('T', " "))
        })
    }),
    ("turbo", |events, messages| each_line(events, messages, |_, line| format!("db:dev: {line}"))),
    ("seconds", |events, messages| {
        each_line(events, messages, |event, line| format!("{} {line}", unix_millis(event) / 1000))
    }),
    ("numbered", |_, messages| {
        let text = messages.concat();
        text.lines().enumerate().map(|(index, line)| format!("{:>6}\t{line}\n", index + 1)).collect()
    }),
    ("years in syslog", |events, messages| {
        each_line(events, messages, |event, line| {
            format!("Jan 31 2026 {} db postgres[{}]: {line}", &iso(event, "")[11..19], event.session.pid)
        })
    }),
    ("objects after a name", |events, messages| {
        each_message(events, messages, |_, text| format!("db-1\t{}\n", json!({"message": text})))
    }),
    ("JSON with an unknown key", |events, messages| {
        each_message(events, messages, |_, text| json!({"fields": {"content": text}}).to_string() + "\n")
    }),
    ("CSV with an unknown column", |events, messages| {
        let row = |text: &str| format!("1,\"{}\"\n", text.replace('"', "\"\""));
        "when,log_entry\n".to_string() + &each_message(events, messages, |_, text| row(text))
    }),
    ("CSV without a header", |events, messages| {
        each_message(events, messages, |_, text| format!("\"db1\",\"{}\"\n", text.replace('"', "\"\"")))
    }),
    ("logfmt", |events, messages| {
        each_message(events, messages, |_, text| format!("level=info msg={}\n", json!(text)))
    }),
    ("quoted strings", |events, messages| each_message(events, messages, |_, text| format!("- {}\n", json!(text)))),
    ("line breaks as \\n", |events, messages| {
        each_message(events, messages, |_, text| text.replace('\n', "\\n").replace('\t', "\\t") + "\n")
    }),
    ("YAML of another program", |events, messages| {
        each_message(events, messages, |_, text| format!("- id: 1\n  message: {}\n", json!(text)))
    }),
];

#[test]
fn logs_in_unknown_forms_are_refused() {
    let events = events();
    for setting in ["%m [%p] %q%u@%d ", "%t:%r:%u@%d:[%p]:", "%m [%p]: [%l-1] user=%u,db=%d,app=%a,client=%h "] {
        let messages = write::stderr(&events, setting);
        for (name, form) in FORMS {
            let log = form(&events, &messages);
            let title = Unwrapper::detect(log.as_bytes(), &[], None).map(|unwrapper| unwrapper.title());
            assert_eq!(title, None, "{name}");
            let kind = detect_format("-", log.as_bytes());
            let refuses = |kind: LogKind| {
                let (config, notice) = LogReaderConfig::new(kind, SELECTION, None, log.as_bytes());
                println!("{name}: {notice:?}");
                config.refuses(log.as_bytes())
            };
            assert!(kind.is_none_or(refuses), "{name} {setting:?} {kind:?}");
        }
    }
}
