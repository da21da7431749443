//! Functions that write a server's messages in the formats of platforms (envelopes). json_envelopes.rs contains the
//! functions for JSON and YAML.

use serde_json::{Value, json};

use super::events::Event;

/// Function that writes a log in the format of a platform or tool that adds text to each line. The arguments are the
/// events, and the messages that the server writes for them: one message per event, which may consist of several lines.
pub type Envelope = fn(&[Event], &[String]) -> String;

pub fn iso(event: &Event, zone: &str) -> String {
    let (seconds, millis) = (event.millis / 1000, event.millis % 1000);
    format!("2026-01-31T12:{:02}:{:02}.{millis:03}{zone}", seconds / 60, seconds % 60)
}

pub fn unix_millis(event: &Event) -> u64 {
    1_769_860_800_000 + u64::from(event.millis)
}

/// Writes each line of the messages with `form`.
pub fn each_line(events: &[Event], messages: &[String], form: impl Fn(&Event, &str) -> String) -> String {
    let lines = events.iter().zip(messages).flat_map(|(event, message)| message.lines().map(move |line| (event, line)));
    lines.map(|(event, line)| form(event, line) + "\n").collect()
}

/// Writes each whole message with `form`.
pub fn each_message(events: &[Event], messages: &[String], form: impl Fn(&Event, &str) -> String) -> String {
    events.iter().zip(messages).map(|(event, message)| form(event, message.trim_end_matches('\n'))).collect()
}

/// Splits a line into pieces of at most `len` bytes.
fn pieces(line: &str, len: usize) -> Vec<&str> {
    let (mut pieces, mut rest) = (Vec::new(), line);
    while rest.len() > len {
        let (piece, after) = rest.split_at(len);
        pieces.push(piece);
        rest = after;
    }
    pieces.push(rest);
    pieces
}

/// Splits a line as elog.c does for syslog: before the last white space within the first 900 bytes or, if there is
/// none, after 900 bytes.
fn parts(line: &str) -> Vec<&str> {
    let (mut parts, mut rest) = (Vec::new(), line);
    while rest.len() > 900 {
        let limit = rest.floor_char_boundary(900);
        let is_space = |at: usize| rest.as_bytes()[at].is_ascii_whitespace();
        let end = (1..=limit).rev().find(|at| is_space(*at)).unwrap_or(limit);
        let (part, after) = rest.split_at(end);
        parts.push(part);
        rest = after;
    }
    parts.push(rest);
    parts
}

/// Writes lines in numbered pieces, as elog.c writes to syslog.
fn syslog(events: &[Event], messages: &[String], header: impl Fn(&Event) -> String) -> String {
    let mut text = String::new();
    for (number, (event, message)) in events.iter().zip(messages).enumerate() {
        let lines = message.lines().flat_map(parts);
        for (piece, line) in lines.enumerate() {
            text += &format!("{}[{}-{}] {}\n", header(event), number + 1, piece + 1, line.replace('\t', "#011"));
        }
    }
    text
}

fn bsd(event: &Event) -> String {
    format!("Jan 31 12:{:02}:{:02}", event.millis / 60_000, event.millis / 1000 % 60)
}

pub const ENVELOPES: &[(&str, Envelope)] = &[
    ("docker", |events, messages| {
        let lines =
            events.iter().zip(messages).flat_map(|(event, message)| message.lines().map(move |line| (event, line)));
        let object = |event: &Event, text: &str| {
            json!({"log": text, "stream": "stderr", "time": iso(event, "456789Z")}).to_string() + "\n"
        };
        lines
            .flat_map(|(event, line)| {
                pieces(line, 70)
                    .into_iter()
                    .map(|piece| piece.to_string())
                    .chain(["\n".into()])
                    .map(move |piece| object(event, &piece))
                    .collect::<Vec<_>>()
            })
            .collect()
    }),
    ("cri", |events, messages| {
        each_line(events, messages, |event, line| {
            let pieces = pieces(line, 50);
            let last = pieces.len() - 1;
            let piece = |(index, piece): (usize, &&str)| {
                format!("{} stderr {} {piece}", iso(event, "456789Z"), if index == last { "F" } else { "P" })
            };
            pieces.iter().enumerate().map(piece).collect::<Vec<_>>().join("\n")
        })
    }),
    ("kubectl --timestamps", |events, messages| {
        each_line(events, messages, |event, line| format!("{} {line}", iso(event, "456789Z")))
    }),
    ("kubectl --prefix", |events, messages| {
        each_line(events, messages, |_, line| format!("[pod/pg-0/postgres] {line}"))
    }),
    ("kubectl --prefix --timestamps", |events, messages| {
        each_line(events, messages, |event, line| format!("[pod/pg-0/postgres] {} {line}", iso(event, "456789Z")))
    }),
    ("stern", |events, messages| each_line(events, messages, |_, line| format!("pg-0 postgres {line}"))),
    ("stern --timestamps", |events, messages| {
        each_line(events, messages, |event, line| {
            format!("pg-7d9f8b6c5d-x2x9z postgres {} {line}", iso(event, "456789Z"))
        })
    }),
    ("docker compose", |events, messages| each_line(events, messages, |_, line| format!("db-1  | {line}"))),
    ("docker compose --timestamps", |events, messages| {
        each_line(events, messages, |event, line| format!("db-1  | {} {line}", iso(event, "456789Z")))
    }),
    ("journald short", |events, messages| {
        each_line(events, messages, |event, line| format!("{} db postgres[{}]: {line}", bsd(event), event.session.pid))
    }),
    ("journald short-precise", |events, messages| {
        each_line(events, messages, |event, line| {
            format!("{}.123456 db postgres[{}]: {line}", bsd(event), event.session.pid)
        })
    }),
    ("journald short-iso", |events, messages| {
        each_line(events, messages, |event, line| {
            format!("{} db postgres[{}]: {line}", iso(event, "+0000").replace(".", ","), event.session.pid)
        })
    }),
    ("fluentd's file", |events, messages| {
        each_line(events, messages, |event, line| {
            format!("{}\tpostgres.log\t{}", iso(event, "+00:00"), json!({"log": line, "container": "db"}))
        })
    }),
    ("journald json", |events, messages| {
        each_line(events, messages, |event, line| {
            let message = if line.contains('@') { Value::from(line) } else { Value::from(line.as_bytes()) };
            json!({"MESSAGE": message, "__REALTIME_TIMESTAMP": format!("{}000", unix_millis(event)), "_PID": event.session.pid.to_string(), "_SYSTEMD_UNIT": "postgresql.service"}).to_string()
        })
    }),
    ("journald cat", |_, messages| messages.concat()),
    ("syslog RFC 3164", |events, messages| {
        syslog(events, messages, |event| format!("{} db postgres[{}]: ", bsd(event), event.session.pid))
    }),
    ("syslog <PRI>", |events, messages| {
        syslog(events, messages, |event| format!("<134>{} db postgres[{}]: ", bsd(event), event.session.pid))
    }),
    ("syslog without a host", |events, messages| {
        syslog(events, messages, |event| format!("{} postgres[{}]: ", bsd(event), event.session.pid))
    }),
    ("syslog <PRI> without a host", |events, messages| {
        syslog(events, messages, |event| format!("<134>{} postgres[{}]: ", bsd(event), event.session.pid))
    }),
    ("syslog RFC 3339", |events, messages| {
        syslog(events, messages, |event| format!("{} db postgres[{}]: ", iso(event, "+01:00"), event.session.pid))
    }),
    ("syslog RFC 5424", |events, messages| {
        syslog(events, messages, |event| {
            format!("<134>1 {} db postgres {} - [meta sequenceId=\"1\"] ", iso(event, "Z"), event.session.pid)
        })
    }),
    ("syslog RFC 5424 with octet counts", |events, messages| {
        each_line(events, messages, |event, line| {
            let (pid, line) = (event.session.pid, line.replace('\t', "#011"));
            let line = format!("<134>1 {} db postgres {pid} - - {line}", iso(event, "Z"));
            format!("{} {line}", line.len())
        })
    }),
    ("syslog without sequences", |events, messages| {
        each_line(events, messages, |event, line| {
            format!("{} db postgres[{}]: {}", bsd(event), event.session.pid, line.replace('\t', "#011"))
        })
    }),
    ("heroku", |events, messages| {
        each_line(events, messages, |event, line| format!("{} app[postgres.1]: {line}", iso(event, "+00:00")))
    }),
    ("logplex drain", |events, messages| {
        each_line(events, messages, |event, line| {
            let line = format!("<134>1 {} host app postgres.1 - {line}", iso(event, "+00:00"));
            format!("{} {line}", line.len())
        })
    }),
    ("aws logs tail", |events, messages| {
        each_message(events, messages, |event, text| format!("{} mydb.0 {text}\n", iso(event, "000+00:00")))
    }),
    ("aws logs tail --format short", |events, messages| {
        each_message(events, messages, |event, text| format!("{} {text}\n", &iso(event, "")[..19]))
    }),
    ("S3 export", |events, messages| {
        each_message(events, messages, |event, text| format!("{} {text}\n", iso(event, "Z")))
    }),
    ("logcli", |events, messages| {
        each_message(events, messages, |event, text| {
            format!("{} {{app=\"pg\", pod=\"pg-0\"}} {text}\n", iso(event, "Z"))
        })
    }),
    ("docker compose in colors", |events, messages| {
        each_line(events, messages, |_, line| format!("\x1b[36mdb-1  | \x1b[0m{line}"))
    }),
    ("docker service compose", |events, messages| {
        each_line(events, messages, |_, line| format!("pg_db.1.x8f7k2j3h4g5@node1    | {line}"))
    }),
    ("syslog of busybox", |events, messages| {
        each_line(events, messages, |event, line| {
            format!("{} db local0.info postgres[{}]: {}", bsd(event), event.session.pid, line.replace('\t', "#011"))
        })
    }),
    ("syslog without a process", |events, messages| {
        each_line(events, messages, |event, line| format!("{} db postgres: {}", bsd(event), line.replace('\t', "#011")))
    }),
    ("lines with times", |events, messages| {
        each_line(events, messages, |event, line| format!("{} {line}", bsd(event)))
    }),
    ("a byte order mark", |_, messages| format!("\u{feff}{}", messages.concat())),
];
