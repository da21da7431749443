//! Logs of several servers and of daemons that forward lines, logs with names that look like other fields, and logs
//! with csvlog columns.

use pgq_log::{Field, LogKind};
use serde_json::json;

use super::api_envelopes::columns_newest_first;
use super::common::{read, unwrap};
use super::envelopes::{Envelope, each_line, iso};
use super::events::{Event, events};
use super::{fields, write};

/// Returns the sorted records of a log in an envelope.
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

#[test]
fn servers_with_the_same_processes_are_kept_apart() {
    const SETTING: &str = "%m [%p] %q%u@%d ";
    let events = events();
    let messages = write::stderr(&events, SETTING);
    let mut twice: Vec<String> =
        expected(&events, SETTING).into_iter().flat_map(|record| [record.clone(), record]).collect();
    twice.sort();
    let forms: [fn(&Event, &str, &str) -> String; 5] = [
        |_, host, line| format!("Jan 31 12:00:00 {host} postgres[7]: {}", line.replace('\t', "#011")),
        |event, host, line| format!("<134>1 {} {host} postgres 7 - - {line}", iso(event, "Z")),
        |event, host, line| {
            json!({"@timestamp": iso(event, "Z"), "kubernetes": {"pod_name": host}, "message": line}).to_string()
        },
        |_, host, line| json!({"container_name": host, "log": line}).to_string(),
        |_, host, line| format!("{host} postgres {line}"),
    ];
    for form in forms {
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
        // The durations of the INSERTs are on separate lines.
        let inserts: Vec<&String> = reading.records.iter().filter(|record| record.starts_with("INSERT")).collect();
        assert_eq!(inserts.len(), 12);
        assert!(inserts.iter().all(|record| record.ends_with(" 0 ")), "{inserts:?}");
        // One of the users is named like a mail address.
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
