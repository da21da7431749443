//! THE TABLE of envelopes of platforms and shippers. To add an envelope, add a row here. Then add a function to
//! tests/shapes that writes the envelope.

use super::{Envelope, Form, TIMES};

const fn line(name: &'static str, title: &'static str, pattern: &'static str) -> Envelope {
    Envelope { name, title, form: Form::Line(pattern) }
}

const fn object(
    name: &'static str,
    title: &'static str,
    keys: &'static [&'static str],
    [text, time, stream]: [&'static str; 3],
) -> Envelope {
    Envelope { name, title, form: Form::Object { keys, text, time, stream } }
}

const fn fields(name: &'static str, title: &'static str, at: &'static str) -> Envelope {
    Envelope { name, title, form: Form::Fields { at } }
}

const fn csv(
    name: &'static str,
    title: &'static str,
    keys: &'static [&'static str],
    [text, time, stream]: [&'static str; 3],
) -> Envelope {
    Envelope { name, title, form: Form::Csv { keys, text, time, stream } }
}

/// Title of the envelope that has only piece numbers (`[7-2] `) and no header of syslog. The server writes these
/// numbers for syslog.
pub const PIECES: &str = "pieces of syslog";

/// Specific forms must precede general forms, because the first row that fits is chosen.
#[rustfmt::skip] // one row per line
pub const ENVELOPES: &[Envelope] = &[
    // Text.
    line("cri", "Kubernetes CRI", "{iso} {std} {flag} {text}"),
    line("kubectl", "kubectl logs --prefix --timestamps", "[pod/{n}] {iso} {text}"),
    line("kubectl", "kubectl logs --prefix", "[pod/{n}] {text}"),
    line("timestamps", "lines with times in brackets", "[{iso}] {text}"),
    line("timestamps", "lines with times in brackets", "[{bsd}] {text}"),
    line("compose", "docker service logs --timestamps", "{iso} {n}@{n}{_}| {text}"),
    line("compose", "docker service logs", "{n}@{n}{_}| {text}"),
    line("compose", "docker compose logs --timestamps", "{n}{_}| {iso} {text}"),
    line("compose", "docker compose logs", "{n}{_}| {text}"),
    line("heroku", "heroku logs", "{iso} app[{n}]: [{n}] {seq}{text}"),
    line("heroku", "heroku logs", "{iso} app[{n}]: {text}"),
    line("fly", "fly logs", "{iso} app[{n}] {w} [{w}] {text}"),
    line("fly", "fly logs of a supervisor", "{iso} app[{n}] {w} [{w}]{n}{_}| {text}"),
    line("syslog", "syslog (RFC 5424, octets counted)", "{d} {pri}1 {iso} {host} {w} {pid} {w} {sd} {seq}{text}"),
    line("syslog", "syslog (RFC 5424)", "{pri}1 {iso} {host} {w} {pid} {w} {sd} {seq}{text}"),
    line("logplex", "logplex drain", "{d} {pri}1 {iso} {w} {w} {n} - [{w}] {seq}{text}"),
    line("logplex", "logplex drain", "{pri}1 {iso} {w} {w} {n} - [{w}] {seq}{text}"),
    line("logplex", "logplex drain", "{d} {pri}1 {iso} {w} {w} {n} - {text}"),
    line("logplex", "logplex drain", "{pri}1 {iso} {w} {w} {n} - {text}"),
    line("heroku", "cf logs", "{_}{iso} [{n}] {w} {text}"),
    line("syslog", "syslog (RFC 3164)", "{pri}{bsd} {host} {tag}: {seq}{text}"),
    line("syslog", "syslog (RFC 3164, without a host)", "{pri}{bsd} {tag}: {seq}{text}"),
    line("syslog", "syslog with RFC 3339 times", "{pri}{iso} {host} {tag}: {seq}{text}"),
    line("syslog", "syslog", "{bsd} {host} {tag}: {seq}{text}"),
    line("syslog", "syslog without a host", "{bsd} {w}[{pid}]: {seq}{text}"),
    line("syslog", "syslog with facilities", "{bsd} {host} {facility} {tag}: {seq}{text}"),
    line("syslog", "syslog with RFC 3339 times", "{iso} {host} {tag}: {seq}{text}"),
    line("loki", "logcli", "{iso} {labels}{_}{text}"),
    line("fluentd", "fluentd's file", "{iso}\t{n}\t{text}"),
    line("aws", "aws logs tail", "{iso} {n} {text}"),
    line("timestamps", "lines with RFC 3339 times", "{iso} {text}"),
    line("timestamps", "lines with RFC 3339 times", "{iso}\t{text}"),
    line("timestamps", "lines with times", "{bsd} {text}"),
    line("loki", "Grafana's download", "{d}\t{iso}\t{text}"),
    line("syslog", PIECES, "{piece}{text}"),
    line("syslog", PIECES, " {piece}{text}"),
    line("grep", "lines behind a file's name and a number", "{file}{gs}{line}{gs}{text}"),
    line("grep", "lines behind a file's name", "{file}{gs}{text}"),
    line("stern", "stern --timestamps", "{n} {n} {iso} {text}"),
    line("stern", "stern", "{n} {n} {text}"),
    line("podman", "lines with a name and a time", "{n} {iso} {text}"),
    Envelope { name: "colors", title: "a terminal's colors", form: Form::Colors },
    // JSON.
    fields("cnpg", "CloudNativePG JSON", "record"),
    fields("supabase", "Supabase JSON", "metadata/0/parsed/0"),
    fields("azure", "Azure Monitor JSON", "properties"),
    fields("gcp", "Google Cloud Logging JSON", "jsonPayload"),
    fields("gcp", "Google Cloud Logging JSON, CloudNativePG", "jsonPayload/record"),
    fields("elastic", "Elasticsearch JSON", "_source"),
    fields("json", "JSON with the columns of a csvlog", ""),
    object("journald", "journald JSON", &["MESSAGE", "__REALTIME_TIMESTAMP"], ["MESSAGE", "__REALTIME_TIMESTAMP", ""]),
    object("gcp", "Google Cloud Logging JSON", &["textPayload"], ["textPayload", "timestamp", ""]),
    object("gcp", "Google Cloud Logging JSON", &["jsonPayload/message"], ["jsonPayload/message", "timestamp", ""]),
    object("gcp", "Google Cloud Logging JSON", &["jsonPayload/log"], ["jsonPayload/log", "timestamp", ""]),
    object("kubernetes", "Kubernetes JSON of a shipper", &["log", "kubernetes"], ["log", "time", "kubernetes/pod_name"]),
    object("docker", "docker json-file", &["log", "stream"], ["log", "time", ""]),
    object("rds", "RDS log file portion", &["LogFileData"], ["LogFileData", "", ""]),
    object("cloudwatch", "CloudWatch JSON", &["message", "timestamp", "eventId"], ["message", "timestamp", "logStreamName"]),
    object("cloudwatch", "CloudWatch Logs Insights JSON", &["@message"], ["@message", "@timestamp", "@logStream"]),
    object("cloudwatch", "CloudWatch Logs JSON", &["message", "timestamp", "id"], ["message", "timestamp", ""]),
    object("otel", "OpenTelemetry JSON", &["body/stringValue"], ["body/stringValue", "timeUnixNano", ""]),
    object("otel", "OpenTelemetry JSON", &["body/text", "@timestamp"], ["body/text", "@timestamp", ""]),
    object("otel", "OpenTelemetry JSON", &["Body", "Timestamp"], ["Body", "Timestamp", ""]),
    object("otel", "OpenTelemetry JSON", &["body", "timeUnixNano"], ["body", "timeUnixNano", ""]),
    object("datadog", "Datadog JSON", &["attributes/message"], ["attributes/message", "attributes/timestamp", "attributes/host"]),
    object("datadog", "Datadog JSON", &["content/message"], ["content/message", "content/timestamp", "content/host"]),
    object("elastic", "Elasticsearch JSON", &["_source/message"], ["_source/message", "_source/@timestamp", "_source/host/name"]),
    object("elastic", "Elasticsearch JSON", &["_source/event/original"], ["_source/event/original", "_source/@timestamp", "_source/host/name"]),
    object("elastic", "Elasticsearch JSON", &["fields/message"], ["fields/message", "fields/@timestamp", "fields/host.name"]),
    object("filebeat", "Filebeat JSON", &["message", "@timestamp"], ["message", "@timestamp", "host/name"]),
    object("filebeat", "Filebeat JSON", &["event/original", "@timestamp"], ["event/original", "@timestamp", "host/name"]),
    object("vector", "Vector JSON", &["message", "source_type"], ["message", "timestamp", "host"]),
    object("fluentbit", "Fluent Bit JSON", &["date", "log"], ["log", "date", ""]),
    object("azure", "Azure Log Analytics JSON", &["TimeGenerated", "Message"], ["Message", "TimeGenerated", ""]),
    object("azure", "Azure's containers JSON", &["LogMessage"], ["LogMessage", "TimeGenerated", "PodName"]),
    object("azure", "Azure's containers JSON", &["LogEntry"], ["LogEntry", "TimeGenerated", "PodName"]),
    object("gelf", "GELF", &["short_message", "full_message"], ["full_message", "timestamp", "host"]),
    object("gelf", "GELF", &["short_message"], ["short_message", "timestamp", "host"]),
    object("splunk", "Splunk JSON", &["event/line"], ["event/line", "time", ""]),
    object("splunk", "Splunk JSON", &["event", "time"], ["event", "time", "host"]),
    object("loki", "Loki JSON", &["line", "timestamp"], ["line", "timestamp", "labels"]),
    object("rsyslog", "rsyslog JSON", &["msg", "timereported"], ["msg", "timereported", "hostname"]),
    object("supabase", "Supabase JSON", &["event_message"], ["event_message", "timestamp", ""]),
    object("json", "JSON objects", &["message"], ["message", "timestamp", ""]),
    object("json", "JSON objects", &["log"], ["log", "time", ""]),
    object("json", "JSON objects", &["msg"], ["msg", "time", ""]),
    object("journald", "journald JSON of Fluent Bit", &["MESSAGE", "date"], ["MESSAGE", "date", ""]),
    object("json", "JSON objects", &["MESSAGE", "@timestamp"], ["MESSAGE", "@timestamp", ""]),
    object("json", "JSON objects", &["MESSAGE"], ["MESSAGE", "", ""]),
    object("json", "JSON objects", &["body"], ["body", "timestamp", ""]),
    object("json", "JSON objects", &["text"], ["text", "timestamp", ""]),
    object("json", "JSON objects", &["_raw"], ["_raw", "_time", ""]),
    object("json", "JSON objects", &["line"], ["line", "ts", ""]),
    object("json", "VictoriaLogs JSON", &["_msg"], ["_msg", "_time", ""]),
    object("json", "JSON objects", &["Message"], ["Message", "Timestamp", ""]),
    // CSV with a header.
    csv("azure", "Azure Log Analytics CSV", &["timegenerated", "errorlevel_s", "message"], ["", "timegenerated", ""]),
    csv("azure", "Azure Log Analytics CSV", &["timegenerated", "errorlevel", "message"], ["", "timegenerated", ""]),
    csv("azure", "Azure Log Analytics CSV", &["timegenerated", "message"], ["message", "timegenerated", ""]),
    csv("cloudwatch", "CloudWatch Logs Insights CSV", &["@message"], ["@message", "@timestamp", "@logstream"]),
    csv("datadog", "Datadog CSV", &["date", "service", "message"], ["message", "date", "host"]),
    csv("datadog", "Datadog CSV", &["date", "service", "content"], ["content", "date", "host"]),
    csv("gcp", "Google Cloud Logging CSV", &["textpayload"], ["textpayload", "timestamp", ""]),
    csv("gcp", "Google Cloud Logging CSV", &["text_payload"], ["text_payload", "timestamp", ""]),
    csv("gcp", "Google Cloud Logging CSV", &["jsonpayload.message"], ["jsonpayload.message", "timestamp", ""]),
    csv("elastic", "Kibana CSV", &["@timestamp", "message"], ["message", "@timestamp", "host.name"]),
    csv("splunk", "Splunk CSV", &["_raw"], ["_raw", "_time", "host"]),
    csv("loki", "Grafana CSV", &["line", "tsns"], ["line", "tsns", "labels"]),
    csv("supabase", "Supabase CSV", &["error_severity", "event_message"], ["", "timestamp", ""]),
    csv("supabase", "Supabase CSV", &["event_message"], ["event_message", "timestamp", ""]),
    csv("csvexport", "CSV with the columns of a csvlog", &["error_severity", "message"], ["", TIMES, ""]),
    csv("csvexport", "CSV", &["message"], ["message", TIMES, ""]),
    csv("csvexport", "CSV", &["log"], ["log", TIMES, ""]),
    csv("csvexport", "CSV", &["line"], ["line", TIMES, ""]),
    csv("csvexport", "CSV", &["msg"], ["msg", TIMES, ""]),
    csv("csvexport", "CSV", &["event"], ["event", TIMES, ""]),
    // Blocks of several lines.
    Envelope { name: "gcp", title: "gcloud YAML", form: Form::Yaml },
];
