//! Tests that the caches of a parser do not change records. The records of a whole log must equal the records of its
//! messages, parsed separately.

use pgq_log::{Assembler, Batch, Chunks, Field, LogKind, LogReaderConfig, RecordSelection, StreamState};

const FIELDS: [Field; 16] = [
    Field::Time,
    Field::User,
    Field::Database,
    Field::Application,
    Field::Session,
    Field::RemoteHost,
    Field::SessionLine,
    Field::SessionStart,
    Field::CommandTag,
    Field::SqlState,
    Field::VirtualXid,
    Field::Txid,
    Field::QueryId,
    Field::Sql,
    Field::Duration,
    Field::Params,
];

/// Returns every field of every record.
fn records(kind: LogKind, prefix: &str, log: &[u8]) -> Vec<Vec<String>> {
    let mut selection = RecordSelection::default();
    (selection.errors, selection.session_fields) = (true, true);
    let (config, _) = LogReaderConfig::new(kind, selection, Some(prefix), log);
    let (mut source, mut chunks, mut assembler) = (log, Chunks::new(config), Assembler::default());
    let mut records = Vec::new();
    while let Some(step) = chunks.next_chunk(&mut source, &|| {}).unwrap() {
        assert_eq!(step.state, StreamState::End);
        let batch = Batch::parse(step.chunk, step.config.selection, step.config.parser().as_mut());
        for entry in assembler.finish(batch).iter() {
            let fields = FIELDS.map(|field| String::from_utf8_lossy(entry.get(field)).into_owned());
            records.push([&[entry.pid().to_string(), entry.severity().name().to_string()], &fields[..]].concat());
        }
    }
    records
}

/// A generator of numbers below a bound, with a fixed seed.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    fn of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }
}

struct Parts {
    time: String,
    user: &'static str,
    database: &'static str,
    application: &'static str,
    pid: usize,
    host: &'static str,
    number: usize,
    tag: &'static str,
    message: String,
    detail: &'static str,
    severity: &'static str,
}

fn parts(random: &mut Random, number: usize) -> Parts {
    let durations = ["0.1", "12.345", "99999.001"];
    let statements =
        ["SELECT 1", "SELECT ''x'', \"q\"", "UPDATE t SET a = $1", "SELECT 'LOG:  ann@shop psql '", "SELECT '\\\\n'"];
    let message = match random.below(6) {
        0 => "checkpoint complete".to_string(),
        1 => "relation \"t\" does not exist".to_string(),
        _ => format!("duration: {} ms  execute s: {}", random.of(&durations), random.of(&statements)),
    };
    let severity = if message.starts_with("rel") { "ERROR" } else { random.of(&["LOG", "LOG", "LOG", "WARNING"]) };
    Parts {
        time: format!(
            "2026-01-31 12:00:{:02}.{:03} {}",
            random.below(60),
            random.below(1000),
            random.of(&["UTC", "CEST"])
        ),
        user: random.of(&["ann", "bob", "a b", "x@y", "", "o\"o"]),
        database: random.of(&["shop", "a-very-long-name-of-a-database"]),
        application: random.of(&["psql", "", "my app", "[unknown]"]),
        pid: [7, 42, 4242, 42_424][random.below(4)],
        host: random.of(&["[local]", "10.0.0.1", "::1"]),
        number,
        tag: random.of(&["SELECT", "idle in transaction", ""]),
        message,
        detail: random.of(&["", "", "parameters: $1 = 'a'", "parameters: $1 = 'a''b\\c', $2 = NULL"]),
        severity,
    }
}

/// Formats a message in the log format `kind`. In the stderr format, the message starts with `prefix`.
fn message(kind: LogKind, prefix: &str, parts: &Parts) -> String {
    let Parts { time, user, database, application, pid, host, number, tag, message, detail, severity } = parts;
    let csv = |text: &str| if text.is_empty() { String::new() } else { format!("\"{}\"", text.replace('"', "\"\"")) };
    match kind {
        LogKind::Stderr => {
            let mut line = prefix.replace("%q", "");
            let pid = pid.to_string();
            let number = number.to_string();
            for (escape, value) in [
                ("%m", time.as_str()),
                ("%p", &pid),
                ("%l", &number),
                ("%u", user),
                ("%d", database),
                ("%a", application),
                ("%h", host),
                ("%i", tag),
                ("%x", "0"),
            ] {
                line = line.replace(escape, value);
            }
            let detail = if detail.is_empty() { String::new() } else { format!("{line}DETAIL:  {detail}\n") };
            format!("{line}{severity}:  {message}\n{detail}")
        }
        LogKind::Csvlog => format!(
            "{time},{},{},{pid},\"{host}\",65b.{pid:x},{number},{},2026-01-31 11:00:00 UTC,3/{number},0,{severity},00000,{},{},,,,,,,,{},\"client backend\",,0\n",
            csv(user),
            csv(database),
            csv(tag),
            csv(message),
            csv(detail),
            csv(application),
        ),
        LogKind::Jsonlog => {
            let mut object = format!("{{\"timestamp\":\"{time}\"");
            for (key, value) in [("user", user), ("dbname", database)] {
                object += &format!(",\"{key}\":{}", serde_json::Value::from(*value));
            }
            object += &format!(
                ",\"pid\":{pid},\"remote_host\":\"{host}\",\"session_id\":\"65b.{pid:x}\",\"line_num\":{number}"
            );
            object += &format!(
                ",\"ps\":\"{tag}\",\"session_start\":\"2026-01-31 11:00:00 UTC\",\"vxid\":\"3/{number}\",\"txid\":0"
            );
            object += &format!(
                ",\"error_severity\":\"{severity}\",\"message\":{}",
                serde_json::Value::from(message.as_str())
            );
            for (key, value) in [("detail", detail), ("application_name", application)] {
                if !value.is_empty() {
                    object += &format!(",\"{key}\":{}", serde_json::Value::from(*value));
                }
            }
            object + ",\"backend_type\":\"client backend\",\"query_id\":0}\n"
        }
    }
}

fn check(kind: LogKind, prefix: &str) {
    let mut random = Random(1);
    let messages: Vec<String> =
        (0..6000).map(|number| message(kind, prefix, &parts(&mut random, number / 3))).collect();
    let alone: Vec<_> = messages.iter().flat_map(|message| records(kind, prefix, message.as_bytes())).collect();
    let together = records(kind, prefix, messages.concat().as_bytes());
    assert!(alone.len() > 1500, "{}", alone.len());
    for (number, (one, other)) in alone.iter().zip(&together).enumerate() {
        assert_eq!(one, other, "{kind:?} {prefix}: record {number}");
    }
    assert_eq!(alone.len(), together.len());
}

#[test]
fn rows_and_objects_are_those_that_stand_alone() {
    check(LogKind::Csvlog, "");
    check(LogKind::Jsonlog, "");
}

#[test]
fn lines_are_those_that_stand_alone() {
    for prefix in [
        "%m [%p] %q%u@%d ",
        "%m [%p] %q%u@%d %a ",
        "%m [%p]: [%l-1] user=%u,db=%d,app=%a,client=%h ",
        "%m:%h:%u@%d:[%p]:",
    ] {
        check(LogKind::Stderr, prefix);
    }
}
