//! Functions that write logs in the human-readable formats of platforms and tools. Some formats add names, times and
//! colors to each line. Others write a block of several lines, or YAML.

use serde_json::json;

use super::envelopes::{Envelope, each_line, each_message, iso};
use super::events::Event;

fn bsd(event: &Event) -> String {
    format!("Jan 31 {}", &iso(event, "")[11..19])
}

/// Writes each line with two numbers, as elog.c writes to syslog: the number of the message, and the number of the
/// line within the message.
fn pieces(events: &[Event], messages: &[String], form: impl Fn(&Event, &str) -> String) -> String {
    let mut text = String::new();
    for (number, (event, message)) in events.iter().zip(messages).enumerate() {
        for (piece, line) in message.lines().enumerate() {
            let line = format!("[{}-{}] {}", number + 1, piece + 1, line.replace('\t', "#011"));
            text += &format!("{}\n", form(event, &line));
        }
    }
    text
}

/// Formats a double-quoted YAML string. Breaks the string at the first two consecutive blanks, and continues it on
/// the next line.
fn yaml(text: &str) -> String {
    let quoted = json!(text.trim_end_matches('\n')).to_string();
    quoted.replacen("  ", " \\\n    \\ ", 1)
}

#[rustfmt::skip] // one envelope per entry
pub const ENVELOPES: &[(&str, Envelope)] = &[
    ("docker service compose with times", |events, messages| {
        each_line(events, messages, |event, line| format!("{} pg_db.1.x8f7k2j3@node1    | {line}", iso(event, "456789Z")))
    }),
    ("podman", |events, messages| {
        each_line(events, messages, |event, line| format!("4f3c2b1a0987 {} {line}", iso(event, "456789+00:00")))
    }),
    ("heroku in colors", |events, messages| {
        each_line(events, messages, |event, line| format!("\x1b[36m{} app[postgres.1]:\x1b[0m {line}", iso(event, "+00:00")))
    }),
    ("grep --color", |events, messages| {
        each_line(events, messages, |_, line| line.replacen("LOG", "\x1b[01;31m\x1b[KLOG\x1b[m\x1b[K", 1))
    }),
    ("heroku with metrics", |events, messages| {
        let mut text = String::new();
        for (number, (event, message)) in events.iter().zip(messages).enumerate() {
            let time = iso(event, "+00:00");
            text += &format!("{time} app[heroku-postgres]: source=ROSE sample#db_size=44318175bytes\n");
            for (piece, line) in message.lines().enumerate() {
                text += &format!("{time} app[postgres.4321]: [ROSE] [{}-{}] {line}\n", number + 1, piece + 1);
            }
        }
        text
    }),
    ("heroku: cf", |events, messages| {
        each_line(events, messages, |event, line| format!("   {} [APP/PROC/WEB/0] ERR {line}", iso(event, "+0000")))
    }),
    ("syslog of AIX", |events, messages| {
        pieces(events, messages, |event, line| format!("{} db local0:info postgres[{}]: {line}", bsd(event), event.session.pid))
    }),
    ("syslog, relayed", |events, messages| {
        each_line(events, messages, |event, line| {
            format!("{} node 4f3c2b1a0987[812]: {}", bsd(event), line.replace('\t', "#011"))
        })
    }),
    ("syslog in JSON of Vector", |events, messages| {
        pieces(events, messages, |event, line| {
            json!({"appname": "postgres", "message": line, "procid": event.session.pid, "source_type": "syslog", "timestamp": iso(event, "Z")}).to_string()
        })
    }),
    ("syslog in JSON of syslog-ng", |events, messages| {
        pieces(events, messages, |event, line| {
            json!({"PROGRAM": "postgres", "PID": event.session.pid.to_string(), "MESSAGE": line, "DATE": bsd(event)}).to_string()
        })
    }),
    ("syslog in JSON of rsyslog", |events, messages| {
        pieces(events, messages, |event, line| {
            let tag = format!("postgres[{}]:", event.session.pid);
            json!({"@timestamp": iso(event, "+00:00"), "host": "db", "tag": tag, "message": format!(" {line}")}).to_string()
        })
    }),
    ("syslog in JSON of rsyslog's jsonmesg", |events, messages| {
        pieces(events, messages, |event, line| {
            let (tag, raw) = (format!("postgres[{}]:", event.session.pid), format!("<134>{} postgres: {line}", bsd(event)));
            json!({"msg": format!(" {line}"), "rawmsg": raw, "timereported": iso(event, "+00:00"), "hostname": "db", "syslogtag": tag}).to_string()
        })
    }),
    ("gcloud YAML in quotes", |events, messages| {
        each_message(events, messages, |event, text| {
            format!("---\ninsertId: x\ntextPayload: {}\ntimestamp: '{}'\n", yaml(text), iso(event, "Z"))
        })
    }),
    ("ts with brackets", |events, messages| each_line(events, messages, |event, line| format!("[{}] {line}", bsd(event)))),
    ("Jenkins", |events, messages| each_line(events, messages, |event, line| format!("[{}] {line}", iso(event, "Z")))),
    ("numbered not, by grep -H -C", |_, messages| {
        let lines = messages.concat();
        let sign = |line: &str| if line.starts_with('\t') { '-' } else { ':' };
        lines.lines().map(|line| format!("postgresql-16-main.log{}{line}\n", sign(line))).collect()
    }),
    ("numbered by grep -Hn -C", |_, messages| {
        let lines = messages.concat();
        let line = |(index, line): (usize, &str)| {
            let sign = if line.starts_with('\t') { '-' } else { ':' };
            format!("postgresql-16-main.log{sign}{}{sign}{line}\n", index + 1)
        };
        lines.lines().enumerate().map(line).collect()
    }),
];
