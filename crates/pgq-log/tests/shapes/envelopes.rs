//! Writers of envelopes: each puts messages of a server into the form in which a platform gives them.

use serde_json::{Value, json};

use super::events::Event;

/// Takes the events, and the message of each in the inner format, with its further lines and line breaks.
pub type Envelope = fn(&[Event], &[String]) -> String;

fn iso(event: &Event, zone: &str) -> String {
    let (seconds, millis) = (event.millis / 1000, event.millis % 1000);
    format!("2026-01-31T12:{:02}:{:02}.{millis:03}{zone}", seconds / 60, seconds % 60)
}

fn unix_millis(event: &Event) -> u64 {
    1_769_860_800_000 + u64::from(event.millis)
}

/// Each physical line of the messages in a form.
fn each_line(events: &[Event], messages: &[String], form: impl Fn(&Event, &str) -> String) -> String {
    let lines = events.iter().zip(messages).flat_map(|(event, message)| message.lines().map(move |line| (event, line)));
    lines.map(|(event, line)| form(event, line) + "\n").collect()
}

/// Each message as a whole in a form.
fn each_message(events: &[Event], messages: &[String], form: impl Fn(&Event, &str) -> String) -> String {
    events.iter().zip(messages).map(|(event, message)| form(event, message.trim_end_matches('\n'))).collect()
}

fn json_lines(events: &[Event], messages: &[String], object: impl Fn(&Event, &str) -> Value) -> String {
    each_message(events, messages, |event, message| format!("{}\n", object(event, message)))
}

fn document(
    events: &[Event],
    messages: &[String],
    newest_first: bool,
    object: impl Fn(&Event, &str) -> Value,
) -> Value {
    let objects = events.iter().zip(messages).map(|(event, message)| object(event, message.trim_end_matches('\n')));
    if newest_first { objects.rev().collect() } else { objects.collect() }
}

/// A line in pieces of at most `len` bytes.
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

/// As elog.c writes to syslog: lines in numbered pieces.
fn syslog(events: &[Event], messages: &[String], header: impl Fn(&Event) -> String) -> String {
    let mut text = String::new();
    for (number, (event, message)) in events.iter().zip(messages).enumerate() {
        let lines = message.lines().flat_map(|line| pieces(line, 140));
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
    ("journald short-full", |events, messages| {
        each_line(events, messages, |event, line| {
            format!("Sat {} UTC db postgres[{}]: {line}", iso(event, "").replace('T', " "), event.session.pid)
        })
    }),
    ("journald with-unit", |events, messages| {
        let time = |event: &Event| iso(event, "").replace('T', " ");
        each_line(events, messages, |event, line| {
            format!("Sat {} UTC db postgresql@15-main.service[{}]: {line}", time(event), event.session.pid)
        })
    }),
    ("journald short-unix", |events, messages| {
        each_line(events, messages, |event, line| {
            format!(
                "{}.{:06} db postgres[{}]: {line}",
                unix_millis(event) / 1000,
                event.millis % 1000 * 1000,
                event.session.pid
            )
        })
    }),
    ("journald short-monotonic", |events, messages| {
        each_line(events, messages, |event, line| {
            format!(
                "[{:>5}.{:06}] db postgres[{}]: {line}",
                event.millis / 1000,
                event.millis % 1000,
                event.session.pid
            )
        })
    }),
    ("journald export", |events, messages| {
        each_line(events, messages, |event, line| {
            format!(
                "__CURSOR=s=1\n__REALTIME_TIMESTAMP={}000\n_PID={}\nSYSLOG_IDENTIFIER=postgres\nMESSAGE={line}\n",
                unix_millis(event),
                event.session.pid
            )
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
    ("syslog RFC 3339", |events, messages| {
        syslog(events, messages, |event| format!("{} db postgres[{}]: ", iso(event, "+01:00"), event.session.pid))
    }),
    ("syslog RFC 5424", |events, messages| {
        syslog(events, messages, |event| {
            format!("<134>1 {} db postgres {} - [meta sequenceId=\"1\"] ", iso(event, "Z"), event.session.pid)
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
    ("filter-log-events", |events, messages| {
        let events = document(
            events,
            messages,
            false,
            |event, text| json!({"logStreamName": "mydb.0", "timestamp": unix_millis(event), "message": text, "ingestionTime": unix_millis(event), "eventId": "1"}),
        );
        serde_json::to_string_pretty(&json!({"events": events, "searchedLogStreams": []})).unwrap()
    }),
    ("Logs Insights", |events, messages| {
        let results = document(
            events,
            messages,
            true,
            |event, text| json!([{"field": "@timestamp", "value": iso(event, "").replace('T', " ")}, {"field": "@message", "value": text}, {"field": "@ptr", "value": "x"}]),
        );
        serde_json::to_string_pretty(&json!({"results": results, "status": "Complete"})).unwrap()
    }),
    ("subscription", |events, messages| {
        let events = document(
            events,
            messages,
            false,
            |event, text| json!({"id": "1", "timestamp": unix_millis(event), "message": text}),
        );
        json!({"messageType": "DATA_MESSAGE", "owner": "1", "logGroup": "/aws/rds", "logStream": "mydb", "logEvents": events}).to_string() + "\n"
    }),
    ("RDS portion", |_, messages| {
        serde_json::to_string_pretty(
            &json!({"LogFileData": messages.concat(), "Marker": "1", "AdditionalDataPending": false}),
        )
        .unwrap()
    }),
    ("Google Cloud JSON lines", |events, messages| {
        json_lines(
            events,
            messages,
            |event, text| json!({"insertId": "1", "timestamp": iso(event, "Z"), "textPayload": text, "severity": "INFO"}),
        )
    }),
    ("Google Cloud array", |events, messages| {
        serde_json::to_string_pretty(&document(
            events,
            messages,
            true,
            |event, text| json!({"timestamp": iso(event, "Z"), "textPayload": text}),
        ))
        .unwrap()
    }),
    ("Google Cloud jsonPayload", |events, messages| {
        json_lines(
            events,
            messages,
            |event, text| json!({"timestamp": iso(event, "Z"), "jsonPayload": {"message": text}}),
        )
    }),
    ("gcloud YAML", |events, messages| {
        each_message(events, messages, |event, text| {
            let text: String = text.lines().map(|line| format!("  {line}\n")).collect();
            format!(
                "---\ninsertId: x\nresource:\n  type: cloudsql_database\ntextPayload: |-\n{text}timestamp: '{}'\n",
                iso(event, "Z")
            )
        })
    }),
    ("azure", |events, messages| {
        json_lines(events, messages, |event, text| {
            let mut properties = json!({"timestamp": iso(event, "Z"), "processId": event.session.pid, "errorLevel": event.severity, "sqlerrcode": event.state, "message": text});
            if let Some((first, rest)) = text.split_once("DETAIL:  ") {
                properties["message"] = first.rsplit_once('\n').unwrap().0.into();
                properties["detail"] = rest.into();
            }
            json!({"category": "PostgreSQLLogs", "time": iso(event, "Z"), "properties": properties})
        })
    }),
    ("Kubernetes of Fluent Bit", |events, messages| {
        each_line(events, messages, |event, line| {
            json!({"@timestamp": iso(event, "Z"), "log": line, "stream": "stderr", "kubernetes": {"pod_name": "pg-0", "namespace_name": "x"}}).to_string()
        })
    }),
    ("Fluent Bit", |events, messages| {
        each_line(events, messages, |event, line| {
            json!({"date": unix_millis(event) as f64 / 1000.0, "log": line}).to_string()
        })
    }),
    ("Filebeat", |events, messages| {
        json_lines(
            events,
            messages,
            |event, text| json!({"@timestamp": iso(event, "Z"), "@metadata": {"beat": "filebeat"}, "message": text, "host": {"name": "db"}}),
        )
    }),
    ("Vector", |events, messages| {
        json_lines(
            events,
            messages,
            |event, text| json!({"file": "/var/log/x", "host": "db", "message": text, "source_type": "file", "timestamp": iso(event, "Z")}),
        )
    }),
    ("Datadog", |events, messages| {
        let data = document(
            events,
            messages,
            true,
            |event, text| json!({"id": "1", "type": "log", "attributes": {"timestamp": iso(event, "Z"), "host": "db", "message": text}}),
        );
        json!({"data": data}).to_string() + "\n"
    }),
    ("OpenTelemetry", |events, messages| {
        let records = document(
            events,
            messages,
            false,
            |event, text| json!({"timeUnixNano": format!("{}000000", unix_millis(event)), "body": {"stringValue": text}}),
        );
        json!({"resourceLogs": [{"resource": {}, "scopeLogs": [{"scope": {}, "logRecords": records}]}]}).to_string()
            + "\n"
    }),
    ("logcli jsonl", |events, messages| {
        json_lines(
            events,
            messages,
            |event, text| json!({"labels": {"app": "pg"}, "line": text, "timestamp": iso(event, "Z")}),
        )
    }),
    ("Loki's API", |events, messages| {
        let values =
            document(events, messages, true, |event, text| json!([format!("{}000000", unix_millis(event)), text]));
        json!({"status": "success", "data": {"resultType": "streams", "result": [{"stream": {"app": "pg"}, "values": values}]}}).to_string() + "\n"
    }),
    ("Elasticsearch", |events, messages| {
        let hits = document(
            events,
            messages,
            false,
            |event, text| json!({"_index": "x", "_source": {"@timestamp": iso(event, "Z"), "message": text}}),
        );
        json!({"took": 1, "hits": {"total": 1, "hits": hits}}).to_string() + "\n"
    }),
    ("any message", |events, messages| {
        json_lines(events, messages, |_, text| json!({"level": "info", "message": text}))
    }),
    ("any log", |events, messages| json_lines(events, messages, |_, text| json!({"log": text}))),
    ("any msg", |events, messages| json_lines(events, messages, |_, text| json!({"msg": text}))),
    ("docker in journald json", |events, messages| {
        each_line(events, messages, |event, line| {
            let inner = json!({"log": format!("{line}\n"), "stream": "stderr", "time": iso(event, "Z")}).to_string();
            json!({"MESSAGE": inner, "__REALTIME_TIMESTAMP": format!("{}000", unix_millis(event))}).to_string()
        })
    }),
];
