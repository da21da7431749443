//! Tests rotated logs, in which a statement and its duration may be in two files of one run.

use std::path::Path;

use serde_json::Value;

use crate::common::program::{run, stderr, write};

/// A log in stderr format. Its last line is the start of a statement that takes 40 minutes.
const FIRST: &str = "2026-01-31 23:50:00.000 UTC [8] LOG:  statement: SELECT 2\n\
                     2026-01-31 23:50:00.001 UTC [8] LOG:  duration: 1.000 ms\n\
                     2026-01-31 23:50:00.002 UTC [7] LOG:  statement: SELECT a FROM report\n";

/// The next log. Its last line is the duration of the statement at the end of [`FIRST`].
const NEXT: &str = "2026-02-01 00:10:00.000 UTC [8] LOG:  statement: SELECT 2\n\
                    2026-02-01 00:10:00.001 UTC [8] LOG:  duration: 1.000 ms\n\
                    2026-02-01 00:30:00.002 UTC [7] LOG:  duration: 2400000.000 ms\n";

/// Returns the digest of files as JSON, the messages, and the exit code.
fn digest(files: &[&str]) -> (Value, String, Option<i32>) {
    let output = run(&[&["digest", "--format", "json", "--jobs", "2"][..], files].concat(), b"");
    (serde_json::from_slice(&output.stdout).unwrap_or_default(), stderr(&output), output.status.code())
}

fn two_files(folder: &Path, first: &str, next: &str) -> [String; 2] {
    [write(folder, "pg-2026-01-31.log", first), write(folder, "pg-2026-02-01.log", next)]
}

/// A row of a csvlog.
fn row(time: &str, session: &str, message: &str) -> String {
    format!(
        "2026-01-31 {time} UTC,\"app\",\"shop\",7,\"[local]\",{session},1,\"SELECT\",2026-01-31 11:59:00 UTC,3/0,0,LOG,\
         00000,\"{message}\",,,,,,,,,\"psql\",\"client backend\",,0\n"
    )
}

#[test]
fn a_statement_may_end_in_the_next_file() {
    let folder = tempfile::tempdir().unwrap();
    let [first, next] = two_files(folder.path(), FIRST, NEXT);
    for files in [&[&*first, &*next][..], &[folder.path().to_str().unwrap()]] {
        let (found, messages, code) = digest(files);
        assert_eq!((&found["statements"], &found["total_ms"]), (&3.into(), &2_400_002.0.into()), "{messages}");
        assert!(!messages.contains("running") && !messages.contains("not logged") && code == Some(0), "{messages}");
    }
    let exported = run(&["export", "--format", "csv", "--columns", "file,line,time,duration_us", &first, &next], b"");
    let exported = String::from_utf8(exported.stdout).unwrap();
    assert!(exported.contains(&format!("{first},3,2026-02-01T00:30:00.002000Z,2400000000\n")), "{exported}");
}

#[test]
fn rotated_logs_are_read_from_the_oldest_to_the_newest() {
    for (first, older) in [(".1", ".10"), ("-20260201", "-20260101"), (".2026-02-01", ".2026-01-31")] {
        let folder = tempfile::tempdir().unwrap();
        let next = write(folder.path(), "postgresql.log", NEXT);
        let first = write(folder.path(), &format!("postgresql.log{first}"), FIRST);
        let older = write(folder.path(), &format!("postgresql.log{older}"), NEXT.replace("-02-", "-01-"));
        for files in [&[&*next, &*first, &*older][..], &[folder.path().to_str().unwrap()]] {
            let (found, messages, _) = digest(files);
            assert_eq!((&found["statements"], &found["total_ms"]), (&4.into(), &2_400_003.0.into()), "{messages}");
        }
    }
}

#[test]
fn a_statement_waits_through_several_files_and_is_a_call_without_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let [first, next] = two_files(folder.path(), FIRST, NEXT);
    let (before, end) = NEXT.split_at(NEXT.rfind("2026").unwrap());
    let between = write(folder.path(), "between.log", before);
    let last = write(folder.path(), "last.log", format!("{}{end}", before.replace(":10:", ":20:")));
    assert_eq!(digest(&[&first, &between, &last]).0["total_ms"], 2_400_003.0);
    let script = write(folder.path(), "script.sql", "SELECT 1;");
    for after in [&[&*between][..], &[&*between, &*script], &[&*between, "absent.log"], &[&*script, "absent.log"]] {
        let (found, messages, _) = digest(&[&[&*first][..], after].concat());
        let calls = 1 + after.iter().filter(|file| **file != "absent.log").count();
        assert_eq!(found["statements"], calls + 1, "{after:?}: {messages}");
        assert!(messages.contains("1 statement still running at the end of the log"), "{after:?}: {messages}");
    }
    let (found, ..) = digest(&[&next, &script]);
    assert_eq!(found["statements"], 2);
}

#[test]
fn a_statement_does_not_end_in_the_log_of_another_server() {
    let folder = tempfile::tempdir().unwrap();
    let [first, next] = two_files(folder.path(), FIRST, &NEXT.replace("2400000.000", "5.000"));
    let (found, messages, _) = digest(&[&first, &next]);
    assert_eq!(found["total_ms"], 2.0, "{messages}");
    assert!(messages.contains("1 duration of statements not logged"), "{messages}");
    let pair = |session: &str| {
        let first = row("12:00:00.000", "65ba2f3c.7", "statement: SELECT 1");
        let next = row("12:00:01.000", session, "duration: 1000.000 ms");
        let files = two_files(folder.path(), &first, &next);
        digest(&[&files[0], &files[1]]).0["total_ms"].clone()
    };
    assert_eq!((pair("65ba2f3c.7"), pair("65ba2fff.7")), (1000.0.into(), 0.0.into()));
}

/// Returns the offsets of the ends of a csvlog's rows.
fn ends_of_rows(log: &str) -> Vec<usize> {
    let mut is_quoted = false;
    let is_end = |(_, byte): &(usize, u8)| {
        is_quoted ^= *byte == b'"';
        *byte == b'\n' && !is_quoted
    };
    log.bytes().enumerate().filter(is_end).map(|(at, _)| at + 1).collect()
}

#[test]
fn a_csvlog_may_be_cut_after_any_row() {
    let folder = tempfile::tempdir().unwrap();
    let cases = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/logs/cases");
    let figures = |(found, messages, _): (Value, String, Option<i32>)| {
        let names = ["statements", "total_ms", "errors", "stray_errors", "groups", "severities"];
        let mut found = names.map(|name| found[name].clone());
        found[4].as_array_mut().into_iter().flatten().for_each(|group| group["example"] = Value::Null);
        (found, messages)
    };
    let mut cuts = 0;
    for path in std::fs::read_dir(cases).unwrap().map(|entry| entry.unwrap().path()) {
        let log = std::fs::read_to_string(&path).unwrap_or_default();
        if path.extension().is_none_or(|extension| extension != "csv") || log.len() > 50_000 {
            continue;
        }
        let whole = figures(digest(&[path.to_str().unwrap()])).0;
        let ends = ends_of_rows(&log);
        for end in ends[..ends.len() - 1].iter().step_by(ends.len().div_ceil(12)) {
            let [first, next] =
                [write(folder.path(), "1.csv", &log[..*end]), write(folder.path(), "2.csv", &log[*end..])];
            let (found, messages) = figures(digest(&[&first, &next]));
            // The second file may begin with the plan of the first file's last execution, and have no durations.
            if !messages.contains("1 plan that may be part of other executions") {
                assert_eq!(found, whole, "{}, cut at {end}: {messages}", path.display());
            }
            cuts += 1;
        }
    }
    assert!(cuts > 50, "too few logs");
}
