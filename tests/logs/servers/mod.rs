//! Logs of real servers, versions 13 to 18. A server writes the same messages to stderr, csvlog and jsonlog, under
//! settings that change its messages (settings.rs). The records of all formats must be equal. The number of executions
//! must equal the number of calls in pg_stat_statements.
//!
//! By default, the test runs the installed server under a few settings. Environment variables:
//!
//! - `PGQ_SERVERS=1` runs every version under every setting, which takes half an hour. `mvn` fetches the servers of
//!   embedded-postgres-binaries (Maven Central). Settings for messages in other languages are tested only with the
//!   installed server, because only this server has message catalogs.
//! - `PGQ_SERVERS=15,17` runs only these versions.
//! - `PGQ_OFFLINE=1` fetches nothing.
//!
//! The test needs psql, pgbench, unzip and tar. It must not run as root, unless there is a user `postgres`. If a
//! program or server is unavailable, the test skips the parts that need it and prints the reason.

mod server;
mod settings;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::common::{Reading, read};
use crate::left_out::left_out;
use pgq_log::{Entry, Event, Field, without_position};
use server::Logs;
use settings::{PREFIXES, SETTINGS, Setting};

const VERSIONS: [&str; 6] = ["13.22.0", "14.19.0", "15.14.0", "16.10.0", "17.6.0", "18.0.0"];

/// Formats the parts of a record that all log formats share. Omits the position of an error,
/// because only stderr has it.
fn word(entry: Entry<'_>) -> String {
    let text = |field: Field| String::from_utf8_lossy(entry.get(field)).into_owned();
    let message = if entry.severity().is_error() { without_position(entry.get(Field::Message)) } else { b"" };
    let message = String::from_utf8_lossy(message);
    let (user, database, sql) = (text(Field::User), text(Field::Database), text(Field::Sql));
    let (severity, duration, params) = (entry.severity().name(), text(Field::Duration), text(Field::Params));
    let event = entry.event().map_or_else(String::new, |event| format!("{event:?}"));
    format!("{} {severity}{event} {user}@{database} {duration} {sql} ({params}) {message}", entry.pid())
}

/// Sorts records by process and keeps their order within a process. Formats may order the records of two processes
/// differently.
fn by_process(mut reading: Reading) -> Reading {
    let process = |record: &String| record.split(' ').next().unwrap_or_default().to_string();
    reading.records.sort_by_key(process);
    reading
}

/// Compares a log's records in the first format with its records in every other format. Returns the number of records.
fn compare(title: &str, setting: &Setting, Logs { logs, .. }: &Logs) -> usize {
    let readings = || logs.iter().map(|(kind, log)| (kind, by_process(read(*kind, None, log, word))));
    let (_, expected) = readings().next().unwrap();
    assert!(!expected.records.iter().any(|record| record.contains(" SELECT forged ")), "{title}");
    let is_terse = setting.name == "terse";
    let kept = |records: &[String]| -> Vec<String> {
        if !is_terse {
            return records.to_vec();
        }
        // With log_error_verbosity = terse, messages on stderr lack DETAIL and CONTEXT. Without DETAIL, the records
        // of an EXECUTE lack its statement and parameters. Without CONTEXT, a message that a function raised looks
        // like an event of the server. The test therefore omits these records and parameters in all formats.
        let unsaid = [" EXECUTE p", "SELECT b FROM t WHERE a = $1; (", "base/forged"];
        let is_kept = |record: &&String| !unsaid.iter().any(|text| record.contains(text));
        let records = records.iter().filter(is_kept);
        records.map(|record| record.split(" ($1 = ").next().unwrap().trim_end_matches(" () ").to_string()).collect()
    };
    for (kind, found) in readings().skip(1) {
        assert_eq!(found.stats.unreadable, 0, "{title}, {kind:?} {:?}", found.notice);
        let (found_records, expected) = (kept(&found.records), kept(&expected.records));
        let differs = found_records.iter().zip(&expected).find(|(found, expected)| found != expected);
        let (count, of) = (found_records.len(), expected.len());
        assert!(found_records == expected, "{title}, {kind:?} {:?}: {count} of {of}: {differs:#?}", found.notice);
    }
    expected.records.len()
}

/// Replaces all constants in the queries of the test workload with `?`.
fn masked(sql: &str) -> String {
    let (mut text, mut rest) = (String::new(), sql.trim().trim_end_matches(';').trim());
    while let Some(character) = rest.chars().next() {
        let digits = |from: usize| from + rest[from..].bytes().take_while(u8::is_ascii_digit).count();
        let is_word = text.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let len = match character {
            '\'' => rest[1..].replace("''", "__").find('\'').map_or(rest.len(), |at| at + 2),
            '$' if digits(1) > 1 => digits(1),
            '0'..='9' if !is_word => digits(0),
            _ => 0,
        };
        text += if len > 0 { "?" } else { &rest[..character.len_utf8()] };
        rest = &rest[len.max(character.len_utf8())..];
    }
    // Since version 17, names of savepoints are constants in pg_stat_statements.
    if let Some(command) = ["SAVEPOINT ", "ROLLBACK TO "].iter().find(|command| text.starts_with(**command)) {
        return format!("{command}?");
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace("E?", "?").replace("x ?", "?")
}

/// Compares the executions in the csvlog with the calls in pg_stat_statements. Returns the number of equal calls.
///
/// Counts like pg_stat_statements: ignores PREPARE, counts an EXECUTE as the prepared statement, and counts each
/// statement of a message separately.
fn compare_calls(title: &str, Logs { logs, calls }: &Logs) -> u64 {
    let sql = |entry: Entry<'_>| {
        let is_call = entry.event().is_none() && !entry.severity().is_error() && entry.get(Field::Database) == b"shop";
        if is_call { String::from_utf8_lossy(entry.sql()).into_owned() } else { String::new() }
    };
    let (kind, log) = &logs[0];
    let mut counts: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for text in read(*kind, None, log, sql).records {
        let several = text.split(';').map(str::trim).filter(|part| !part.is_empty());
        let parts: Vec<&str> =
            if text.starts_with("SELECT b FROM t WHERE a = 1 ;") { several.collect() } else { vec![&text] };
        for part in parts.into_iter().filter(|part| !part.is_empty()) {
            counts.entry(masked(part)).or_default().0 += 1;
        }
    }
    for (calls, query) in calls {
        let query = query.strip_prefix("PREPARE p (int) AS ").unwrap_or(query);
        counts.entry(masked(query)).or_default().1 += calls;
    }
    counts.retain(|query, _| !query.starts_with("PREPARE "));
    let differs: Vec<_> = counts.iter().filter(|(_, (log, server))| log != server).collect();
    assert!(differs.is_empty(), "{title}: calls in the log and in pg_stat_statements: {differs:#?}");
    counts.values().map(|(calls, _)| calls).sum()
}

/// Checks the log of a server whose language is not English.
fn check_language(title: &str, setting: &Setting, logs: &Logs) {
    for (kind, log) in &logs.logs {
        let of = |entry: Entry<'_>| match entry.event() {
            Some(Event::TemporaryFile { bytes }) if bytes > 0 => "file".to_string(),
            None if entry.is_canceled() => "canceled".to_string(),
            _ => String::new(),
        };
        let found = read(*kind, None, log, of).records;
        let has = |what: &str| found.iter().any(|found| found == what);
        assert!(has("file") && has("canceled"), "{title}, {kind:?}");
        let english = memchr::memmem::find(log, b"division by zero").is_some();
        assert!(!english, "{title}: the server has no catalog of {}", setting.language);
    }
}

/// Runs a server under some settings. Returns the number of compared logs, records and calls.
fn run(name: &str, bin: &Path, folder: &Path, major: u32, settings: &[&Setting], failed: &mut Vec<String>) -> [u64; 3] {
    let mut sums = [0; 3];
    for (index, setting) in settings.iter().enumerate() {
        let title = format!("PostgreSQL {name}, {}", setting.name);
        if major < setting.since {
            continue;
        }
        let logs = match server::run(bin, folder, major, setting, PREFIXES[index % PREFIXES.len()]) {
            Ok(logs) => logs,
            Err(why) => {
                left_out(&title, &why);
                break;
            }
        };
        // Catches the panic of a failed setting, so that the failures of later settings are reported, too.
        let checked = std::panic::catch_unwind(|| {
            let records = compare(&title, setting, &logs) as u64;
            let calls = if setting.is_complete { compare_calls(&title, &logs) } else { 0 };
            if !setting.language.is_empty() {
                check_language(&title, setting, &logs);
            }
            [1, records, calls]
        });
        match checked {
            Ok(counts) => sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count),
            Err(_) => failed.push(title),
        }
    }
    println!("PostgreSQL {name}: {} settings, {} records, {} calls", sums[0], sums[1], sums[2]);
    sums
}

#[test]
fn real_servers_give_the_same_records_in_every_format() {
    let asked = std::env::var("PGQ_SERVERS").unwrap_or_default();
    let is_asked = |major: u32| asked == "1" || asked.split(',').any(|version| version == major.to_string());
    let cache = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("servers");
    let folder = std::env::temp_dir().join(format!("pgq-servers-{}", std::process::id()));
    let place = |name: &str| server::open_folder(&folder.join(name)).map(|()| folder.join(name));
    let (mut sums, mut failed): (Vec<[u64; 3]>, Vec<String>) = (Vec::new(), Vec::new());
    for version in VERSIONS {
        let major: u32 = version.split('.').next().unwrap().parse().unwrap();
        if !is_asked(major) {
            continue;
        }
        let bin = place(version).and_then(|place| Ok((server::fetched(version, &cache, &place)?, place)));
        match bin.and_then(|(bin, place)| server::open_folder(&place).map(|()| (bin, place))) {
            Ok((bin, place)) => {
                let settings: Vec<&Setting> = SETTINGS.iter().filter(|setting| setting.language.is_empty()).collect();
                sums.push(run(version, &bin, &place, major, &settings, &mut failed));
            }
            Err(why) => left_out(&format!("PostgreSQL {major}"), &why),
        }
    }
    match server::installed().and_then(|installed| Ok((installed, place("installed")?))) {
        Ok(((bin, major), place)) => {
            let is_run = |setting: &&Setting| match asked.is_empty() {
                true => setting.is_quick,
                false => !setting.language.is_empty(),
            };
            let settings: Vec<&Setting> = SETTINGS.iter().filter(is_run).collect();
            sums.push(run(&format!("{major} as installed"), &bin, &place, major, &settings, &mut failed));
        }
        Err(why) => left_out("the installed PostgreSQL", &why),
    }
    let _ = std::fs::remove_dir_all(&folder);
    let [logs, records, calls] = [0, 1, 2].map(|of| sums.iter().map(|sums| sums[of]).sum::<u64>());
    println!("{logs} logs of real servers give the same {records} records in every format, and {calls} calls");
    assert!(failed.is_empty(), "{failed:#?}");
}
