//! THE TABLE of envelopes: what platforms and shippers put around the lines of a log. A row is a name for
//! `--from`, words for the user, and a form. Adding an envelope is adding a row, and a
//! writer of it in tests/shapes/envelopes.rs.

/// How an envelope is recognised and taken off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Each line has this form (pattern.rs). The first that fits more lines than those before is taken.
    Line(&'static str),
    /// JSON objects that have all of `keys` (paths with `/`): the text is at `text`, the time at `time`. An
    /// empty path is none.
    Object { keys: &'static [&'static str], text: &'static str, time: &'static str, stream: &'static str },
    /// JSON objects whose fields at `at` are those of a csvlog or jsonlog by other names (fields.rs).
    Fields { at: &'static str },
    /// Rows of CSV behind a header that has all of `keys`, in lower case. `text`, `time` and `stream` are columns,
    /// of the time several by turns (`|`). Without a `text` the columns are those of a csvlog (fields.rs).
    Csv { keys: &'static [&'static str], text: &'static str, time: &'static str, stream: &'static str },
    /// Blocks of `KEY=value` lines, as `journalctl -o export` writes them.
    Export,
    /// Blocks of indented `KEY=value` lines behind a time, as `journalctl -o verbose` writes them.
    Verbose,
    /// Documents or lists of YAML with `textPayload` or `message`, as `gcloud logging read` and `aws` write them.
    Yaml,
    /// Blocks of what the collector of OpenTelemetry prints.
    Debug,
    /// Blocks of what Logstash prints.
    Ruby,
    /// Lines with a terminal's colors.
    Colors,
    /// Lines of `key=value` pairs.
    Logfmt,
    /// Lines of HTML.
    Html,
    /// Rows of a csvlog with another separator.
    Separated(u8),
    /// Lines that all have a start that is learnt from them (learn.rs).
    CommonStart,
    /// JSON objects with a key that is learnt from them.
    AnyKey,
    /// Rows of CSV with a column that is learnt from them.
    AnyColumn,
    /// Messages with tabs between them on one line, as `aws … --query 'events[].message' --output text` writes them.
    Tabs,
}

/// An envelope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Envelope {
    pub name: &'static str,
    pub title: &'static str,
    pub form: Form,
}

impl Envelope {
    /// Whether its sources are told apart by what most logs have one of: a host, a pod.
    pub fn may_have_sources(&self) -> bool {
        match self.form {
            Form::Line(pattern) => pattern.contains("{host}"),
            Form::Object { .. } => self.name != "docker",
            _ => false,
        }
    }
}

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

/// Names of the column with the time, as people and platforms have them.
pub const TIMES: &str = "timestamp|@timestamp|time|_time|date|datetime|timegenerated|ts|log_time|eventtime|date/time";

/// More particular forms come first.
#[rustfmt::skip] // a row a line
pub const ENVELOPES: &[Envelope] = &[
    // Text.
    line("cri", "Kubernetes CRI", "{iso} {std} {flag} {text}"),
    line("kubectl", "kubectl logs --prefix --timestamps", "[pod/{n}] {iso} {text}"),
    line("kubectl", "kubectl logs --prefix", "[pod/{n}] {text}"),
    line("kubectl", "kail", "{n}/{n}[{n}]: {text}"),
    line("aws", "saw", "[{iso}] ({n}) {text}"),
    line("timestamps", "lines with times in brackets", "[{iso}] {text}"),
    line("timestamps", "lines with times in brackets", "[{plain}] {text}"),
    line("kubectl", "GitLab's services", "[{n}] {iso} {text}"),
    line("kubectl", "kubetail", "[{n} {n}] {text}"),
    line("kubectl", "kubetail", "[{n}] {text}"),
    line("stern", "stern, in colors", "{ansi}{n}{ansi} {ansi}{n}{ansi} {text}"),
    line("compose", "docker compose logs, in colors", "{ansi}{n}{_}| {ansi}{iso} {text}"),
    line("compose", "docker compose logs, in colors", "{ansi}{n}{_}| {ansi}{text}"),
    line("compose", "docker service logs --timestamps", "{iso} {n}@{n}{_}| {text}"),
    line("compose", "docker service logs", "{n}@{n}{_}| {text}"),
    line("compose", "foreman", "{clock} {n}{_}| {text}"),
    line("compose", "docker compose logs --timestamps", "{n}{_}| {iso} {text}"),
    line("compose", "docker compose logs", "{n}{_}| {text}"),
    line("heroku", "heroku logs", "{iso} app[{n}]: [{n}] {seq}{text}"),
    line("heroku", "heroku logs", "{iso} app[{n}]: {text}"),
    line("fly", "fly logs", "{iso} app[{n}] {w} [{w}] {text}"),
    line("syslog", "syslog (RFC 5424, octets counted)", "{d} {pri}1 {iso} {host} {w} {pid} {w} {sd} {seq}{text}"),
    line("syslog", "syslog (RFC 5424)", "{pri}1 {iso} {host} {w} {pid} {w} {sd} {seq}{text}"),
    line("logplex", "logplex drain", "{d} {pri}1 {iso} {w} {w} {n} - [{w}] {seq}{text}"),
    line("logplex", "logplex drain", "{pri}1 {iso} {w} {w} {n} - [{w}] {seq}{text}"),
    line("logplex", "logplex drain", "{d} {pri}1 {iso} {w} {w} {n} - {text}"),
    line("logplex", "logplex drain", "{pri}1 {iso} {w} {w} {n} - {text}"),
    line("heroku", "cf logs", "{_}{iso} [{n}] {w} {text}"),
    line("heroku", "scalingo logs", "{go} [{n}] {text}"),
    line("syslog", "syslog (RFC 3164)", "{pri}{bsd} {host} {tag}: {seq}{text}"),
    line("syslog", "syslog (RFC 3164, without a host)", "{pri}{bsd} {tag}: {seq}{text}"),
    line("syslog", "syslog with RFC 3339 times", "{pri}{iso} {host} {tag}: {seq}{text}"),
    line("syslog", "syslog of Solaris", "{bsd} {host} {tag}: [ID {d} {facility}] {seq}{text}"),
    line("syslog", "syslog", "{bsd} {host} {tag}: {seq}{text}"),
    line("syslog", "syslog with facilities", "{bsd} {host} {facility} {tag}: {seq}{text}"),
    line("syslog", "syslog of FreeBSD, with facilities", "{bsd} <{facility}> {host} {tag}: {seq}{text}"),
    line("syslog", "syslog with RFC 3339 times and facilities", "{iso} {host} {facility} {tag}: {seq}{text}"),
    line("syslog", "syslog with RFC 3339 times", "{iso} {host} {tag}: {seq}{text}"),
    line("journald", "journalctl -o short-full", "{full} {host} {tag}: {seq}{text}"),
    line("journald", "journalctl -o short-unix", "{unix} {host} {tag}: {seq}{text}"),
    line("journald", "journalctl -o short-monotonic", "{mono} {host} {tag}: {seq}{text}"),
    line("loki", "logcli", "{iso} {labels} {text}"),
    line("loki", "promtail", "{iso}{labels}\t{text}"),
    line("fluentd", "fluentd's output", "{micros} {w} {n}: {text}"),
    line("fluentd", "fluentd's file", "{iso}\t{n}\t{text}"),
    line("timestamps", "docker logs --timestamps --details", "{iso} {kv} {text}"),
    line("timestamps", "docker logs --details", "{kv} {text}"),
    line("aws", "aws logs tail", "{iso} {n} {text}"),
    line("aws", "aws logs filter-log-events, as text", "EVENTS\t{d}\t{d}\t{n}\t{text}\t{millis}"),
    line("aws", "aws logs get-log-events, as text", "EVENTS\t{d}\t{text}\t{millis}"),
    Envelope { name: "aws", title: "messages of aws logs between tabs", form: Form::Tabs },
    line("timestamps", "lines with RFC 3339 times", "{iso}: {text}"),
    line("timestamps", "lines with RFC 3339 times", "{iso} {text}"),
    line("timestamps", "lines with RFC 3339 times", "{iso}\t{text}"),
    line("timestamps", "lines with times of s6-log", "{micros}  {text}"),
    line("timestamps", "lines with times", "{micros} {text}"),
    line("timestamps", "lines with times", "{clock} {text}"),
    line("timestamps", "lines with times of svlogd", "{svlogd} {text}"),
    line("timestamps", "lines with times", "{bsd} {text}"),
    line("timestamps", "lines with TAI64N times", "{tai} {text}"),
    line("journald", "journalctl -o json-sse", "data: {text}"),
    line("papertrail", "Papertrail's archive", "{d}\t{iso}\t{iso}\t{d}\t{host}\t{cell}\t{cell}\t{cell}\t{cell}\t{text}"),
    line("loki", "Grafana's download", "{d}\t{iso}\t{text}"),
    line("timestamps", "gh run view --log", "{cell}\t{cell}\t{iso} {text}"),
    line("fluentbit", "Fluent Bit's file", "{n}: [{epoch}, {text}]"),
    line("balena", "balena logs", "[Logs]{_}[{page}] [{n}] {text}"),
    line("syslog", "pieces of syslog", "{piece}{text}"),
    line("syslog", "pieces of syslog", " {piece}{text}"),
    line("grep", "lines behind a file's name and a number", "{file}{gs}{d}{gs}{text}"),
    line("grep", "lines behind a file's name", "{file}{gs}{text}"),
    line("numbered", "numbered lines", "{d}{gs}{text}"),
    line("numbered", "numbered lines", "{_}{d}\t{text}"),
    line("numbered", "numbered lines", "{_}{d} {text}"),
    line("grep", "lines behind a file's name", "{n}:{text}"),
    line("stern", "stern --timestamps", "{n} {n} {iso} {text}"),
    line("stern", "stern --timestamps=short", "{n} {n} {short} {text}"),
    line("stern", "stern --all-namespaces", "{n} {n} {n} {text}"),
    line("stern", "stern", "{n} {n} {text}"),
    line("aws", "awslogs get --timestamp", "{n} {n} {iso} {text}"),
    line("podman", "lines with a name and a time", "{n} {iso} {text}"),
    Envelope { name: "logfmt", title: "logfmt", form: Form::Logfmt },
    Envelope { name: "html", title: "HTML", form: Form::Html },
    Envelope { name: "separated", title: "csvlog with semicolons", form: Form::Separated(b';') },
    Envelope { name: "separated", title: "csvlog with tabs", form: Form::Separated(b'\t') },
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
    object("filebeat", "Filebeat JSON", &["message", "@timestamp"], ["message", "@timestamp", "host/name"]),
    object("filebeat", "Filebeat JSON", &["event/original", "@timestamp"], ["event/original", "@timestamp", "host/name"]),
    object("vector", "Vector JSON", &["message", "source_type"], ["message", "timestamp", "host"]),
    object("fluentbit", "Fluent Bit JSON", &["date", "log"], ["log", "date", ""]),
    object("azure", "Azure Log Analytics JSON", &["TimeGenerated", "Message"], ["Message", "TimeGenerated", ""]),
    object("azure", "Azure's containers JSON", &["LogMessage"], ["LogMessage", "TimeGenerated", "PodName"]),
    object("azure", "Azure's containers JSON", &["LogEntry"], ["LogEntry", "TimeGenerated", "PodName"]),
    object("gelf", "GELF", &["short_message", "full_message"], ["full_message", "timestamp", "host"]),
    object("gelf", "GELF", &["short_message"], ["short_message", "timestamp", "host"]),
    object("gelf", "Graylog JSON", &["message/message"], ["message/message", "message/timestamp", "message/source"]),
    object("sumo", "Sumo Logic JSON", &["map/_raw"], ["map/_raw", "map/_messagetime", "map/_sourcehost"]),
    object("splunk", "Splunk JSON", &["event/line"], ["event/line", "time", ""]),
    object("splunk", "Splunk JSON", &["event", "time"], ["event", "time", "host"]),
    object("loki", "Loki JSON", &["line", "timestamp"], ["line", "timestamp", "labels"]),
    object("supabase", "Supabase JSON", &["event_message"], ["event_message", "timestamp", ""]),
    object("json", "JSON objects", &["message"], ["message", "timestamp", ""]),
    object("json", "JSON objects", &["log"], ["log", "time", ""]),
    object("json", "JSON objects", &["msg"], ["msg", "time", ""]),
    object("json", "JSON objects", &["MESSAGE"], ["MESSAGE", "", ""]),
    object("json", "JSON objects", &["body"], ["body", "timestamp", ""]),
    object("json", "JSON objects", &["text"], ["text", "timestamp", ""]),
    object("json", "JSON objects", &["_raw"], ["_raw", "_time", ""]),
    object("json", "JSON objects", &["line"], ["line", "ts", ""]),
    object("json", "JSON objects", &["Message"], ["Message", "Timestamp", ""]),
    object("json", "JSON objects", &["raw"], ["raw", "dt", ""]),
    object("json", "JSON objects", &["_line"], ["_line", "_ts", ""]),
    object("json", "JSON objects", &["@rawstring"], ["@rawstring", "@timestamp", ""]),
    object("json", "JSON objects", &["@m"], ["@m", "@t", ""]),
    Envelope { name: "json", title: "JSON objects", form: Form::AnyKey },
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
    csv("splunk", "Splunk CSV", &["_raw"], ["_raw", "_time|_messagetime", "host"]),
    csv("loki", "Grafana CSV", &["line", "tsns"], ["line", "tsns", ""]),
    csv("supabase", "Supabase CSV", &["event_message"], ["event_message", "timestamp", ""]),
    csv("csvexport", "CSV with the columns of a csvlog", &["error_severity", "message"], ["", TIMES, ""]),
    csv("azure", "Azure's containers CSV", &["logmessage"], ["logmessage", TIMES, "podname"]),
    csv("azure", "Azure's containers CSV", &["logentry"], ["logentry", TIMES, "podname"]),
    csv("csvexport", "CSV", &["message"], ["message", TIMES, ""]),
    csv("csvexport", "CSV", &["log"], ["log", TIMES, ""]),
    csv("csvexport", "CSV", &["line"], ["line", TIMES, ""]),
    csv("csvexport", "CSV", &["msg"], ["msg", TIMES, ""]),
    csv("csvexport", "CSV", &["body"], ["body", TIMES, ""]),
    csv("csvexport", "CSV", &["content"], ["content", TIMES, ""]),
    csv("csvexport", "CSV", &["text"], ["text", TIMES, ""]),
    csv("csvexport", "CSV", &["event"], ["event", TIMES, ""]),
    csv("csvexport", "CSV", &["payload"], ["payload", TIMES, ""]),
    Envelope { name: "csvexport", title: "CSV", form: Form::AnyColumn },
    // Blocks.
    Envelope { name: "journald", title: "journalctl -o verbose", form: Form::Verbose },
    Envelope { name: "journald", title: "journalctl -o export", form: Form::Export },
    Envelope { name: "gcp", title: "gcloud YAML", form: Form::Yaml },
    Envelope { name: "cloudwatch", title: "CloudWatch YAML", form: Form::Yaml },
    Envelope { name: "otel", title: "OpenTelemetry's debug exporter", form: Form::Debug },
    Envelope { name: "logstash", title: "Logstash's rubydebug", form: Form::Ruby },
    // What is none of these.
    Envelope { name: "behind", title: "lines with a common start", form: Form::CommonStart },
];

/// Keys of an object or array in which exports keep their events.
pub const CONTAINERS: &[&str] = &[
    "events",
    "logEvents",
    "results",
    "records",
    "entries",
    "data",
    "result",
    "resourceLogs",
    "scopeLogs",
    "logRecords",
    "hits",
    "values",
    "logs",
    "items",
    "messages",
    "matches",
    "rows",
    "lines",
    "streams",
    "actor",
    "account",
    "nrql",
];
