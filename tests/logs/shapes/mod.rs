//! Writes one log with every prefix, in every format of a platform or tool. The records must equal the records of the
//! csvlog, in all fields that the written log has.

mod altered_envelopes;
mod api_envelopes;
mod csv_envelopes;
mod damaged;
mod envelopes;
mod events;
mod forged_lines;
mod hostile_names;
mod json_envelopes;
mod prefixes;
mod printed_envelopes;
mod random;
mod refused;
mod sources;
mod tool_envelopes;
mod write;

use crate::common::{self, read, unwrap};
use events::events;
use pgq_log::{Entry, Field, LogKind, detect_format};

/// Formats a record. Includes only the fields that the prefix `setting` contains.
fn fields(setting: &str, entry: Entry<'_>) -> String {
    let has = |escapes: &str| {
        escapes.chars().any(|escape| setting.contains(&format!("%{escape}")) || setting.contains(&format!("0{escape}")))
    };
    let text = |field: Field| String::from_utf8_lossy(entry.get(field)).into_owned();
    let mut line = format!("{} {} {}", entry.severity().name(), text(Field::Sql), text(Field::Params));
    if has("pc") {
        line += &format!(" pid {}", entry.pid());
    }
    // The log has the duration of an INSERT in a separate message. pgq can assign it to the INSERT only if the prefix
    // has a process ID or a session ID. Otherwise the record has no duration.
    let has_end = has("pc") || !text(Field::Sql).starts_with("INSERT");
    if has_end {
        line += &format!(" duration {}", text(Field::Duration));
    }
    if entry.severity().is_error() {
        line += &text(Field::Message);
    }
    let kept = [
        ("u", Field::User),
        ("d", Field::Database),
        ("a", Field::Application),
        ("c", Field::Session),
        ("rh", Field::RemoteHost),
        ("e", Field::SqlState),
        ("i", Field::CommandTag),
        ("s", Field::SessionStart),
        ("v", Field::VirtualXid),
    ];
    for (escapes, field) in kept {
        if has(escapes) {
            line += &format!(" {field:?}={}", text(field).replace("[unknown]", ""));
        }
    }
    if !has_end {
        // Does not compare the times. A record normally has the time at which its statement ended. If the prefix does not
        // identify the session, the record has the time at which the statement started.
    } else if has("m") {
        line += &format!(" {}", text(Field::Time));
    } else if has("t") {
        line += &format!(" {:.19}", text(Field::Time));
    }
    line
}

#[test]
fn common_prefixes_are_recognized_and_others_refused() {
    let events = events();
    let csvlog = write::csvlog(&events).concat();
    let mut wrong = String::new();
    for setting in prefixes::RECOGNIZED.iter().chain(&prefixes::REFUSED).copied() {
        let expected = read(LogKind::Csvlog, None, csvlog.as_bytes(), |entry| fields(setting, entry));
        assert_eq!((expected.records.len(), expected.stats.unreadable), (60, 0));
        let log = write::stderr(&events, setting).concat();
        for given in [None, Some(setting)] {
            let found = read(LogKind::Stderr, given, log.as_bytes(), |entry| fields(setting, entry));
            let is_refused = given.is_none() && prefixes::REFUSED.contains(&setting);
            let notice = found.notice.clone().unwrap_or_default();
            if is_refused && found.records.is_empty() && notice.contains("cannot be inferred") {
                continue;
            }
            if is_refused || found.records != expected.records {
                let differs = found.records.iter().zip(&expected.records).find(|(found, expected)| found != expected);
                wrong += &format!(
                    "{setting:?} {given:?}\n  {:?}\n  {} records, {differs:?}\n",
                    found.notice,
                    found.records.len()
                );
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Logs inside the envelopes.
const INNER: [(&str, LogKind, &str); 5] = [
    ("stderr, Debian's prefix", LogKind::Stderr, "%m [%p] %q%u@%d "),
    ("stderr, RDS's prefix", LogKind::Stderr, "%t:%r:%u@%d:[%p]:"),
    ("stderr, names", LogKind::Stderr, "%m [%p]: [%l-1] user=%u,db=%d,app=%a,client=%h "),
    ("csvlog", LogKind::Csvlog, "%m%p%u%d%a%c%h%e"),
    ("jsonlog", LogKind::Jsonlog, "%m%p%u%d%a%c%h%e"),
];

fn all_envelopes() -> impl Iterator<Item = (&'static str, envelopes::Envelope)> {
    let json = json_envelopes::ENVELOPES.iter().chain(csv_envelopes::ENVELOPES).chain(api_envelopes::ENVELOPES);
    let text = tool_envelopes::ENVELOPES.iter().chain(printed_envelopes::ENVELOPES).chain(altered_envelopes::ENVELOPES);
    envelopes::ENVELOPES.iter().chain(json).chain(text).copied()
}

#[test]
fn every_envelope_is_taken_off() {
    let events = events();
    let csvlog = write::csvlog(&events).concat();
    let (mut wrong, mut count) = (String::new(), 0);
    for (inner, kind, setting) in INNER {
        let messages = match kind {
            LogKind::Stderr => write::stderr(&events, setting),
            LogKind::Csvlog => write::csvlog(&events),
            LogKind::Jsonlog => write::jsonlog(&events),
        };
        let in_order = read(LogKind::Csvlog, None, csvlog.as_bytes(), |entry| fields(setting, entry)).records;
        for (name, envelope) in all_envelopes() {
            let is_for_stderr =
                ["syslog", "heroku with", "logplex", "numbered", "for stderr"].iter().any(|only| name.contains(only));
            if is_for_stderr && kind != LogKind::Stderr {
                continue;
            }
            // These platforms write the fields of a csvlog instead of a log line. pgq converts the fields to a
            // jsonlog.
            let has_fields =
                ["CloudNativePG", "Supabase JSON with fields", "CSV with columns of a csvlog"].contains(&name);
            let kind = if has_fields { LogKind::Jsonlog } else { kind };
            if has_fields && !inner.starts_with("csv") {
                continue;
            }
            count += 1;
            let mut expected = in_order.clone();
            let log = envelope(&events, &messages);
            let (lines, title) = unwrap(log.as_bytes());
            let found_kind = detect_format("-", &lines);
            let mut found = read(kind, None, &lines, |entry| fields(setting, entry));
            let is_mixed =
                ["syslog", "journald", "kubectl --prefix", "stern", "compose", "heroku", "logplex", "aws", "service"];
            if is_mixed.iter().any(|mixed| name.contains(mixed)) {
                // In logs of several processes, a record is complete only when its process starts the next message.
                // Therefore the order of records may differ.
                expected.sort();
                found.records.sort();
            }
            if found.records != expected || found_kind != Some(kind) || found.stats.ambiguous > 0 {
                let differs = found.records.iter().zip(&expected).find(|(found, expected)| found != expected);
                let start: String = log.chars().take(300).collect();
                wrong += &format!(
                    "{name} around {inner}: taken for {title:?}, {found_kind:?}, {:?}, {} ambiguous\n  {} records, {differs:?}\n  {start}\n",
                    found.notice,
                    found.stats.ambiguous,
                    found.records.len()
                );
            }
        }
    }
    println!("{count} logs in envelopes");
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn a_csvlog_may_be_written_again() {
    let csvlog = write::csvlog(&events()).concat();
    let expected = read(LogKind::Csvlog, None, csvlog.as_bytes(), |entry| fields("%m%p%u%d%a%c%h%e", entry));
    let (mut rows, mut is_quoted) = (vec![vec![String::new()]], false);
    for character in csvlog.chars() {
        is_quoted ^= character == '"';
        match character {
            ',' if !is_quoted => rows.last_mut().unwrap().push(String::new()),
            '\n' if !is_quoted => rows.push(vec![String::new()]),
            _ => rows.last_mut().unwrap().last_mut().unwrap().push(character),
        }
    }
    rows.pop();
    let all_quoted = |value: &String| if value.starts_with('"') { value.clone() } else { format!("\"{value}\"") };
    let few_quoted = |value: &String| match value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(plain) if !plain.contains(['"', ',', '\n']) => plain.to_string(),
        _ => value.clone(),
    };
    let write = |form: &dyn Fn(&String) -> String| -> String {
        rows.iter().map(|row| row.iter().map(form).collect::<Vec<_>>().join(",") + "\n").collect()
    };
    for log in [write(&all_quoted), write(&few_quoted)] {
        assert_eq!(unwrap(log.as_bytes()).1, None);
        assert_eq!(detect_format("-", log.as_bytes()), Some(LogKind::Csvlog), "{log}");
        let found = read(LogKind::Csvlog, None, log.as_bytes(), |entry| fields("%m%p%u%d%a%c%h%e", entry));
        assert_eq!(found.records, expected.records);
    }
}
