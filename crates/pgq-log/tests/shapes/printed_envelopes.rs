//! Writers of output of platforms and tools for people: lines with names, times and colors, blocks, YAML.

use serde_json::json;

use super::envelopes::{Envelope, each_line, each_message, iso, unix_millis};
use super::events::Event;

fn short(event: &Event) -> String {
    format!("01-31 {}", &iso(event, "")[11..19])
}

fn bsd(event: &Event) -> String {
    format!("Jan 31 {}", &iso(event, "")[11..19])
}

/// Writes each line with the numbers of its message and of the line in the message, as elog.c writes to syslog.
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

/// Formats a double-quoted YAML string. It continues on the next line at the first two blanks.
fn yaml(text: &str) -> String {
    let quoted = json!(text.trim_end_matches('\n')).to_string();
    quoted.replacen("  ", " \\\n    \\ ", 1)
}

#[rustfmt::skip] // one envelope per entry
pub const ENVELOPES: &[(&str, Envelope)] = &[
    ("docker logs --details", |events, messages| {
        each_line(events, messages, |event, line| format!("{} project=shop,service=db {line}", iso(event, "456789Z")))
    }),
    ("docker service compose with times", |events, messages| {
        each_line(events, messages, |event, line| format!("{} pg_db.1.x8f7k2j3@node1    | {line}", iso(event, "456789Z")))
    }),
    ("podman", |events, messages| {
        each_line(events, messages, |event, line| format!("4f3c2b1a0987 {} {line}", iso(event, "456789+00:00")))
    }),
    ("stern in all namespaces", |events, messages| {
        format!("+ prod pg-0 › postgres\n{}", each_line(events, messages, |_, line| format!("prod pg-0 postgres {line}")))
    }),
    ("stern --timestamps=short", |events, messages| {
        each_line(events, messages, |event, line| format!("pg-0 postgres {} {line}", short(event)))
    }),
    ("kubetail with containers", |events, messages| {
        each_line(events, messages, |_, line| format!("[pg-0 postgres] {line}"))
    }),
    ("kubetail in colors", |events, messages| {
        each_line(events, messages, |_, line| format!("\x1b[36m[pg-0]\x1b[0m {line}"))
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
    ("heroku: scalingo", |events, messages| {
        each_line(events, messages, |event, line| {
            format!("{} [postgresql-1] {line}", iso(event, "456789 +0000 UTC").replacen('T', " ", 1))
        })
    }),
    ("clever", |events, messages| each_line(events, messages, |event, line| format!("{}: {line}", iso(event, "Z")))),
    ("journald short-delta", |events, messages| {
        each_line(events, messages, |event, line| {
            format!("[14411.{:06} <    0.000137>] db postgres[{}]: {line}", event.millis, event.session.pid)
        })
    }),
    ("syslog of Solaris", |events, messages| {
        pieces(events, messages, |event, line| {
            format!("{} db postgres[{}]: [ID 748625 local0.info] {line}", bsd(event), event.session.pid)
        })
    }),
    ("syslog of FreeBSD", |events, messages| {
        pieces(events, messages, |event, line| format!("{} <local0.info> db postgres[{}]: {line}", bsd(event), event.session.pid))
    }),
    ("syslog of AIX", |events, messages| {
        pieces(events, messages, |event, line| format!("{} db local0:info postgres[{}]: {line}", bsd(event), event.session.pid))
    }),
    ("syslog with RFC 3339 times and facilities", |events, messages| {
        pieces(events, messages, |event, line| format!("{} db local0.info postgres[{}]: {line}", iso(event, "Z"), event.session.pid))
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
    ("syslog, messages alone", |events, messages| pieces(events, messages, |_, line| format!(" {line}"))),
    ("aws filter-log-events as text", |events, messages| {
        each_message(events, messages, |event, text| {
            format!("EVENTS\t37120\t{0}\tmydb.0\t{text}\t{0}\n", unix_millis(event))
        })
    }),
    ("aws get-log-events as text", |events, messages| {
        each_message(events, messages, |event, text| format!("EVENTS\t{0}\t{text}\t{0}\n", unix_millis(event)))
    }),
    ("awslogs", |events, messages| {
        each_message(events, messages, |event, text| format!("/aws/rds/instance/mydb/postgresql mydb.0 {} {text}\n", iso(event, "Z")))
    }),
    ("aws YAML", |events, messages| {
        let event = |event: &Event, text: &str| {
            format!("- ingestionTime: {0}\n  message: {1}\n  timestamp: {0}\n", unix_millis(event), yaml(text))
        };
        format!("events:\n{}nextForwardToken: f/37\n", each_message(events, messages, event))
    }),
    ("gcloud YAML in quotes", |events, messages| {
        each_message(events, messages, |event, text| {
            format!("---\ninsertId: x\ntextPayload: {}\ntimestamp: '{}'\n", yaml(text), iso(event, "Z"))
        })
    }),
    ("gcloud value, newest first", |events, messages| {
        let lines = events.iter().zip(messages).map(|(event, text)| format!("{}\t{text}", iso(event, "Z")));
        lines.rev().collect()
    }),
    ("Fluent Bit's file", |events, messages| {
        each_line(events, messages, |event, line| {
            format!("pg.log: [{}.{:09}, {}]", unix_millis(event) / 1000, event.millis % 1000 * 1_000_000, json!({"log": line}))
        })
    }),
    ("gh", |events, messages| {
        each_line(events, messages, |event, line| format!("test\tStop containers\t{} {line}", iso(event, "4567Z")))
    }),
    ("kubectl: GitLab", |events, messages| {
        each_line(events, messages, |event, line| format!("[service:postgres-db] {} {line}", iso(event, "456789Z")))
    }),
    ("Jenkins", |events, messages| each_line(events, messages, |event, line| format!("[{}] {line}", iso(event, "Z")))),
    ("times in brackets", |events, messages| {
        each_line(events, messages, |event, line| format!("[{}] {line}", &iso(event, "").replace('T', " ")[..19]))
    }),
    ("balena", |events, messages| {
        each_line(events, messages, |event, line| format!("[Logs]    [1/31/2026, {} PM] [db] {line}", &iso(event, "")[11..19]))
    }),
    ("Papertrail's archive", |events, messages| {
        each_line(events, messages, |event, line| {
            let time = iso(event, "Z");
            format!("4000\t{time}\t{time}\t55\tdb\t10.0.0.1\tLocal0\tInfo\tpostgres\t{line}")
        })
    }),
    ("numbered by grep -C", |_, messages| {
        let lines = messages.concat();
        let sign = |line: &str| if line.starts_with('\t') { '-' } else { ':' };
        lines.lines().enumerate().map(|(index, line)| format!("{}{}{line}\n", index + 1, sign(line))).collect()
    }),
    ("numbered not, by grep -H -C", |_, messages| {
        let lines = messages.concat();
        let sign = |line: &str| if line.starts_with('\t') { '-' } else { ':' };
        lines.lines().map(|line| format!("postgresql-16-main.log{}{line}\n", sign(line))).collect()
    }),
    ("numbered by less", |_, messages| {
        let lines = messages.concat();
        lines.lines().enumerate().map(|(index, line)| format!("{:>7} {line}\n", index + 1)).collect()
    }),
];
