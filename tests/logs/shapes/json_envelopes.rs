//! Functions that write logs as JSON or YAML.

use serde_json::{Value, json};

use super::api_envelopes::columns;
use super::envelopes::{Envelope, each_line, each_message, iso, unix_millis};
use super::events::Event;

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

pub const ENVELOPES: &[(&str, Envelope)] = &[
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
            if let Some((first, rest)) = text.split_once("DETAIL:  ")
                && let Some((message, _)) = first.rsplit_once('\n')
            {
                properties["message"] = message.into();
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
    ("journald json-pretty", |events, messages| {
        each_line(events, messages, |event, line| {
            let pid = event.session.pid.to_string();
            let value =
                json!({"MESSAGE": line, "__REALTIME_TIMESTAMP": format!("{}000", unix_millis(event)), "_PID": pid});
            serde_json::to_string_pretty(&value).unwrap()
        })
    }),
    ("OpenTelemetry, flat", |events, messages| {
        json_lines(events, messages, |event, text| json!({"Timestamp": iso(event, "Z"), "Body": text}))
    }),
    ("CloudNativePG", |events, _| {
        let record = |event: &Event| {
            let session = event.session;
            let client = super::write::client(event);
            json!({"level": "info", "logger": "postgres", "msg": "record", "logging_pod": "pg-1", "record": {
                "log_time": super::write::time(event), "user_name": session.user, "database_name": session.database,
                "process_id": session.pid.to_string(), "connection_from": client,
                "session_id": super::write::session_id(event), "sql_state_code": event.state,
                "error_severity": event.severity, "message": event.message, "detail": event.detail,
                "query": event.statement, "application_name": session.application}})
        };
        events.iter().map(|event| format!("{}\n", record(event))).collect()
    }),
    ("Supabase JSON with fields", |events, _| {
        let object = |event: &Event| {
            let message = event.message.clone();
            json!({"event_message": message, "timestamp": 1, "metadata": [{"parsed": [columns(event)]}]}).to_string()
                + "\n"
        };
        events.iter().map(object).collect()
    }),
];
