//! Tests of four kinds of logs: logs of several servers, logs of daemons that forward lines, logs with names that look
//! like other fields, and logs with csvlog columns.

use pgq_log::{Field, LogKind};
use serde_json::json;

use super::api_envelopes::columns_newest_first;
use super::common::{read, unwrap};
use super::envelopes::{Envelope, each_line, iso};
use super::events::{Event, events};
use super::{fields, write};

/// Returns the sorted records of a log, after the removal of text that other programs added to its lines.
fn records(log: &str, setting: &str) -> Vec<String> {
    let (lines, _) = unwrap(log.as_bytes());
    let kind = pgq_log::detect_format("-", &lines).expect("a log");
    let mut records = read(kind, None, &lines, |entry| fields(setting, entry)).records;
    records.sort();
    records
}

fn expected(events: &[Event], setting: &str) -> Vec<String> {
    let csvlog = write::csvlog(events).concat();
    let mut records = read(LogKind::Csvlog, None, csvlog.as_bytes(), |entry| fields(setting, entry)).records;
    records.sort();
    records
}

/// Function that formats a log line. The arguments are the event, the host and the line.
type Form = fn(&Event, &str, &str) -> String;

/// Formats a record of OpenTelemetry with attributes.
fn otel(event: &Event, resource: &serde_json::Value, own: &serde_json::Value, line: &str) -> String {
    let record =
        json!({"timeUnixNano": format!("{}000000", event.millis), "attributes": own, "body": {"stringValue": line}});
    let scope = json!({"scope": {}, "logRecords": [record]});
    json!({"resourceLogs": [{"resource": {"attributes": resource}, "scopeLogs": [scope]}]}).to_string()
}

fn attribute(key: &str, value: &str) -> serde_json::Value {
    json!([{"key": key, "value": {"stringValue": value}}])
}

const FORMS: &[Form] = &[
    |event, host, line| {
        let time = iso(event, "Z");
        let text = json!(line);
        format!("---\nresource:\n  labels:\n    database_id: shop:{host}\ntextPayload: {text}\ntimestamp: '{time}'")
    },
    |_, host, line| format!("Jan 31 12:00:00 {host} postgres[7]: {}", line.replace('\t', "#011")),
    |event, host, line| format!("<134>1 {} {host} postgres 7 - - {line}", iso(event, "Z")),
    |event, host, line| {
        json!({"@timestamp": iso(event, "Z"), "kubernetes": {"pod_name": host}, "message": line}).to_string()
    },
    |_, host, line| json!({"container_name": host, "log": line}).to_string(),
    |_, host, line| format!("{host} postgres {line}"),
    |event, host, line| otel(event, &attribute("k8s.pod.name", host), &json!([]), line),
    |event, host, line| otel(event, &attribute("host.name", host), &json!([]), line),
    |event, host, line| otel(event, &json!([]), &attribute("log.file.path", &format!("/{host}/2026-01-31.log")), line),
    |event, host, line| {
        json!({"@timestamp": iso(event, "Z"), "body": {"text": line}, "resource": {"attributes": {"host.name": host}}})
            .to_string()
    },
    |event, host, line| format!("{}\tkube.{host}.log\t{}", iso(event, "Z"), json!({"stream": "stderr", "log": line})),
    |event, host, line| format!("{} {{level=\"info\", pod=\"{host}\"}} {line}", iso(event, "Z")),
    |event, host, line| {
        let labels = json!({"app": host, "detected_level": if line.starts_with('\t') { "unknown" } else { "info" }});
        json!({"labels": labels, "line": line, "timestamp": iso(event, "Z")}).to_string()
    },
    |event, host, line| {
        let event_of = json!({"line": line, "source": "stderr", "tag": host});
        json!({"time": event.millis.to_string(), "host": "node", "event": event_of}).to_string()
    },
    |event, host, line| {
        json!({"version": "1.1", "host": "node", "_container_name": host, "short_message": line, "timestamp": event.millis})
            .to_string()
    },
    |event, host, line| {
        json!({"@timestamp": iso(event, "Z"), "host": {"name": "node"}, "kubernetes": {"pod": {"name": host}}, "message": line})
            .to_string()
    },
    |_, host, line| {
        json!({"MESSAGE": line, "__REALTIME_TIMESTAMP": "1769860800000000", "_HOSTNAME": "node", "CONTAINER_ID": "1", "CONTAINER_NAME": host})
            .to_string()
    },
    |event, host, line| {
        let tags = json!(["env:prod", format!("pod_name:{host}")]);
        json!({"attributes": {"timestamp": iso(event, "Z"), "host": "node", "tags": tags, "message": line}}).to_string()
    },
    |event, host, line| {
        json!({"logStream": host, "logEvents": [{"id": "1", "timestamp": event.millis, "message": line}]}).to_string()
    },
    |event, host, line| {
        json!({"timestamp": iso(event, "Z"), "resource": {"labels": {"database_id": host}}, "labels": {"bucket": "1"}, "textPayload": line})
            .to_string()
    },
    |event, host, line| {
        json!({"host": "node", "file": format!("/var/{host}.log"), "message": line, "source_type": "file", "timestamp": iso(event, "Z")})
            .to_string()
    },
];

/// In the CSV of Grafana, one column contains all labels as JSON.
#[test]
fn labels_of_a_csv_keep_servers_apart() {
    let mut csv = "Date,Line,tsNs,labels\n".to_string();
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    for line in ["LOG:  duration: 1 ms  statement: SELECT", "\ta", "LOG:  statement: SELECT 1", "LOG:  duration: 1 ms"]
    {
        for host in ["x", "y"] {
            let line = if line.starts_with('\t') {
                format!("\t{host}")
            } else {
                format!("2026-01-31 12:00:00.000 UTC [7] {line}")
            };
            let labels = json!({"app": host, "level": line.len().to_string()}).to_string();
            csv += &format!("2026-01-31 12:00:00,{},1769860800000000000,{}\n", quoted(&line), quoted(&labels));
        }
    }
    let records = records(&csv, "%m [%p] ").join("\n");
    assert!(records.contains("SELECT\nx") && records.contains("SELECT\ny"), "{records}");
}

#[test]
fn servers_with_the_same_processes_are_kept_apart() {
    const SETTING: &str = "%m [%p] %q%u@%d ";
    let events = events();
    let messages = write::stderr(&events, SETTING);
    let mut twice: Vec<String> =
        expected(&events, SETTING).into_iter().flat_map(|record| [record.clone(), record]).collect();
    twice.sort();
    for form in FORMS {
        let mut log = String::new();
        for (event, message) in events.iter().zip(&messages) {
            for host in ["pg-0", "pg-1"] {
                message.lines().for_each(|line| log += &format!("{}\n", form(event, host, line)));
            }
        }
        assert_eq!(records(&log, SETTING), twice, "{}", &log[..200]);
    }
}

#[test]
fn a_daemon_that_passes_lines_on_is_no_process() {
    const SETTING: &str = "%m %q%u@%d ";
    let events = events();
    let messages = write::stderr(&events, SETTING);
    let forms: [Envelope; 2] = [
        |events, messages| {
            each_line(events, messages, |_, line| {
                format!("Jan 31 12:00:00 node pg[812]: {}", line.replace('\t', "#011"))
            })
        },
        |events, messages| {
            each_line(events, messages, |_, line| {
                json!({"MESSAGE": line, "_PID": "812", "__REALTIME_TIMESTAMP": "1769860800000000"}).to_string()
            })
        },
    ];
    for form in forms {
        let log = form(&events, &messages);
        let (lines, _) = unwrap(log.as_bytes());
        let reading = read(LogKind::Stderr, None, &lines, |entry| {
            let text = |field: Field| String::from_utf8_lossy(entry.get(field)).into_owned();
            format!("{} {} {}", text(Field::Sql), entry.pid(), text(Field::Duration))
        });
        // The durations of the INSERTs are on separate lines. Without a process ID, they cannot be assigned to the
        // INSERTs, so these records have the process ID 0 and no duration.
        let inserts: Vec<&String> = reading.records.iter().filter(|record| record.starts_with("INSERT")).collect();
        assert_eq!(inserts.len(), 12);
        assert!(inserts.iter().all(|record| record.ends_with(" 0 ")), "{inserts:?}");
        // The name of one user looks like a mail address.
        assert_eq!(
            reading.stats.losses().as_deref(),
            Some(
                "12 durations that the log does not assign to a session, 19 lines whose names can be divided in two ways, 11 errors \
                 that may not belong to the statements before them"
            )
        );
    }
}

#[test]
fn applications_may_look_like_other_fields() {
    let names = ["pgAdmin 4 - DB:shop", "sidekiq 6.5.8 shop [3 of 10 busy]", "/usr/lib/postgresql/16/bin/psql"];
    for name in names {
        let mut events = events();
        for event in &mut events {
            event.session.application = if event.session.user.is_empty() { "" } else { name };
            if let Some((start, _)) = event.message.split_once(" application_name=") {
                event.message = format!("{start} application_name={name}");
            }
        }
        for setting in ["%m [%p] %q%u@%d/%a ", "%t [%p] %q%u@%d %a ", "%m|%u|%d|%a|%h|%p|", "%m [%p] %a %u@%d "] {
            let log = write::stderr(&events, setting).concat();
            assert_eq!(records(&log, setting), expected(&events, setting), "{name} {setting}");
        }
    }
}

#[test]
fn columns_may_run_newest_first() {
    const SETTING: &str = "%m%p%u%d%a%c%h%e";
    let events = events();
    let expected = expected(&events, SETTING);
    let array = columns_newest_first(&events);
    let objects: Vec<serde_json::Value> = serde_json::from_str(&array).unwrap();
    let google: Vec<serde_json::Value> = objects
        .iter()
        .map(|object| json!({"insertId": "1", "jsonPayload": {"logger": "postgres", "record": object}}))
        .collect();
    let lines: String = objects.iter().map(|object| format!("{object}\n")).collect();
    for log in [array, serde_json::to_string_pretty(&google).unwrap(), lines] {
        assert_eq!(records(&log, SETTING), expected, "{}", &log[..200]);
    }
}

/// At first, all lines are from one server, so pgq configures its reader for one source. Lines of a second server
/// follow later. pgq must then change the configuration and notify the user.
#[test]
fn a_server_may_join_later() {
    let line = |host: &str, second: usize| {
        let line = format!("2026-01-31 12:00:{second:02} UTC [7] u@d LOG:  duration: 1 ms  statement: SELECT 1");
        json!({"host": host, "message": line}).to_string() + "\n"
    };
    let log: String = (0..20).map(|second| line("a", second)).chain((20..22).map(|second| line("b", second))).collect();
    let (lines, _) = unwrap(log.as_bytes());
    let sample = &lines[..lines.len() / 2];
    let (config, _) = pgq_log::LogReaderConfig::new(LogKind::Stderr, super::common::SELECTION, None, sample);
    assert!(!config.is_sequential());
    let step = pgq_log::Chunks::new(config).next_chunk(&mut &lines[..], &|| {}).unwrap().unwrap();
    assert!(step.config.is_sequential() && step.notice.is_some());
}

#[test]
fn times_of_an_import_do_not_hide_the_order() {
    const SETTING: &str = "%m [%p] %q%u@%d ";
    let events = events();
    let messages = write::stderr(&events, SETTING);
    let objects = messages.iter().rev().enumerate().map(|(at, message)| {
        // The timestamp is the time at which a line was imported, not the time of the event. The import took two
        // seconds, one for each half of the log.
        let second = 2 * at / messages.len();
        json!({"timestamp": format!("2026-02-01T08:00:0{second}Z"), "message": message.trim_end()}).to_string() + "\n"
    });
    assert_eq!(records(&objects.collect::<String>(), SETTING), expected(&events, SETTING));
}

/// Docker and other container runtimes split long lines. They split the lines of stdout and of stderr independently.
#[test]
fn a_line_of_stdout_does_not_separate_the_parts_of_a_line() {
    let sql = format!("SELECT '{}'", "x".repeat(30_000));
    let line = format!("2026-01-31 12:00:00 UTC [7] u@d LOG:  duration: 1 ms  statement: {sql}");
    let (first, rest) = line.split_at(16 << 10);
    let docker = |stream: &str, text: &str| {
        json!({"log": text, "stream": stream, "time": "2026-01-31T12:00:00.1Z"}).to_string() + "\n"
    };
    let cri = |stream: &str, text: &str| match text.strip_suffix('\n') {
        Some(line) => format!("2026-01-31T12:00:00.1Z {stream} F {line}\n"),
        None => format!("2026-01-31T12:00:00.1Z {stream} P {text}\n"),
    };
    let last = "2026-01-31 12:00:01 UTC [7] u@d LOG:  duration: 1 ms  statement: SELECT 2\n";
    let fast = |stream: &str, text: &str| {
        format!("{{\"log\":{},\"stream\":\"{stream}\",\"time\":\"2026-01-31T12:00:00.1Z\"}}\n", json!(text))
    };
    for form in [&docker as &dyn Fn(&str, &str) -> String, &fast, &cri] {
        let log = [
            form("stderr", first),
            form("stdout", "INSERT 0 1\n"),
            form("stderr", &format!("{rest}\n")),
            form("stderr", last),
        ];
        let records = records(&log.concat(), "%m [%p] %u@%d ");
        assert!(
            records.len() == 2 && records.iter().any(|record| record.contains(&sql)),
            "{} {}",
            records.len(),
            &log[1]
        );
    }
}
