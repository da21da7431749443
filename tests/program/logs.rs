//! Tests how pgq reads PostgreSQL logs: the same log in three formats, compressed, through pipes, while it grows, and
//! with filters.

use std::io::{BufRead, BufReader, Write};
use std::process::{Output, Stdio};
use std::time::Duration;

use crate::common::program::{command, run, stderr};
use crate::common::project::project_file;
use serde_json::Value;

const PREFIX: &str = "%m [%p] %q%u@%d %a %c ";

fn fixture(name: &str) -> String {
    project_file(&format!("fixtures/log/{name}"))
}

/// Returns the records that a run printed as JSON.
pub fn json_lines(output: &Output) -> Vec<Value> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns the records of a log without the fields that differ between formats. The records are sorted by process,
/// because the server may write messages of different processes in any order.
fn records(format: &str, name: &str, more: &[&str]) -> Vec<Value> {
    let file = fixture(name);
    let mut args = vec!["fingerprint", "--format", "json", "--from", format, &file];
    if format == "stderr" {
        args.extend(["--log-line-prefix", PREFIX]);
    }
    args.extend(more);
    let mut records = json_lines(&run(&args, b""));
    for record in &mut records {
        let record = record.as_object_mut().unwrap();
        for key in ["file", "line", "offset"] {
            record.remove(key);
        }
        if let Some(error) = record.get_mut("error") {
            *error = error["message"].take();
        }
    }
    records.sort_by_key(|record| record["pid"].as_u64());
    records
}

#[test]
fn the_three_formats_give_the_same_records() {
    for more in [&[][..], &["--errors"], &["--errors", "--parse-bind"], &["--kind", "select,begin"]] {
        let stderr = records("stderr", "log.log", more);
        assert!(stderr.len() > 20, "{}", stderr.len());
        assert_eq!(stderr, records("csvlog", "log.csv", more), "csvlog {more:?}");
        assert_eq!(stderr, records("jsonlog", "log.json", more), "jsonlog {more:?}");
        assert_eq!(stderr, records("auto", "log.json", more), "auto {more:?}");
    }
}

#[test]
fn records_have_the_fields_of_the_log() {
    let all = records("csvlog", "log.csv", &["--errors"]);
    let reported = all.iter().find(|r| r["application"] == "report, daily" && r["duration_ms"].is_number()).unwrap();
    assert_eq!((&reported["user"], &reported["database"]), (&"postgres".into(), &"bench".into()));
    assert!(all.iter().any(|r| r["params"].as_array().is_some_and(|params| params.len() > 1)));
    assert!(all.iter().any(|r| r["severity"] == "ERROR" && r["error"].is_null()));
    assert!(all.iter().any(|r| r["severity"] == "ERROR" && r["error"].is_string()));
    let kinds: std::collections::BTreeSet<&str> = all.iter().map(|r| r["kind"].as_str().unwrap()).collect();
    for kind in ["select", "insert", "update", "begin", "create", "copy", "declare", "fetch", "values"] {
        assert!(kinds.contains(kind), "{kind} is not among {kinds:?}");
    }
    assert!(!kinds.contains("with"));
    // An EXECUTE is recorded as the prepared statement, which the message's DETAIL contains.
    assert!(!kinds.contains("execute") && all.iter().any(|record| record["duration_ms"] == 0.04));
}

#[test]
fn filters_select_records() {
    let all = records("jsonlog", "log.json", &[]).len();
    let count = |more: &[&str]| records("jsonlog", "log.json", more).len();
    assert_eq!(count(&["--user", "postgres", "--since", "2020-01-01", "--until", "2100-01-01T00:00:00Z"]), all);
    assert_eq!(count(&["--user", "nobody"]) + count(&["--database", "none"]) + count(&["--until", "2020-01-01"]), 0);
    let report = count(&["--application", "report, daily"]);
    assert!((5..20).contains(&report), "{report}");
    let slow = count(&["--min-duration", "1ms"]);
    assert!(slow > 0 && slow < all, "{slow}");
    assert_eq!(slow, count(&["--min-duration", "0.001s"]));
}

#[test]
fn filters_need_a_log() {
    for option in [&["--errors"][..], &["--user", "x"], &["--since", "2026-01-01"], &["--kind", "select"]] {
        let mut args = vec!["fingerprint"];
        args.extend(option);
        let output = run(&args, b"SELECT 1");
        assert_eq!(output.status.code(), Some(2), "{option:?}");
        assert!(stderr(&output).contains(option[0]));
    }
    for wrong in [["--since", "tomorrow"], ["--min-duration", "long"], ["--min-duration", "-1"]] {
        assert_eq!(run(&["fingerprint", "--from", "auto", wrong[0], wrong[1]], b"").status.code(), Some(2));
    }
    assert_eq!(run(&["scan", "--from", "auto", "--errors"], b"SELECT 1;\n").status.code(), Some(2));
    assert_eq!(run(&["scan", "--from", "auto"], b"SELECT 1;\n").status.code(), Some(0));
    assert_eq!(run(&["scan", "--from", "stderr", "--follow"], b"").status.code(), Some(2));
}

#[test]
fn compressed_logs_are_decompressed() {
    let plain = std::fs::read(fixture("log.csv")).unwrap();
    let expected = run(&["fingerprint", "--from", "csvlog"], &plain).stdout;
    assert!(expected.len() > 1000);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&plain).unwrap();
    let gzip = gzip.finish().unwrap();
    let without_last_byte = run(&["fingerprint"], &gzip[..gzip.len() - 1]);
    assert_eq!((without_last_byte.stdout, without_last_byte.status.code()), (expected.clone(), Some(2)));
    for compressed in [gzip, zstd::encode_all(&plain[..], 1).unwrap()] {
        for format in ["csvlog", "auto"] {
            assert_eq!(run(&["fingerprint", "--from", format], &compressed).stdout, expected);
        }
        let truncated = run(&["fingerprint", "--from", "csvlog"], &compressed[..compressed.len() / 2]);
        assert!(expected.starts_with(&truncated.stdout), "the first records are the same");
        assert_eq!(truncated.status.code(), Some(2));
    }
}

/// A stderr log may be cut between the lines of a message. Therefore the last message of a cut log counts as truncated,
/// even if the lines of the log are JSON lines of a container runtime.
#[test]
fn the_last_message_of_a_cut_compressed_log_is_truncated() {
    let line = |time: usize, text: &str| format!("2026-01-31 12:00:{time:02}.000 UTC [7] LOG:  {text}");
    let plain = |lines: &[String]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let docker = |lines: &[String]| {
        let wrap = |line: &String| serde_json::json!({"log": format!("{line}\n"), "stream": "stderr", "time": "2026-01-31T12:00:00Z"});
        lines.iter().map(|line| format!("{}\n", wrap(line))).collect::<String>()
    };
    let message = |number| {
        [line(number, &format!("duration: {number}.000 ms  statement: DELETE FROM t")), format!("\tWHERE a = {number}")]
    };
    let lines: Vec<String> = (10..60).flat_map(message).collect();
    for log in [plain(&lines), docker(&lines)] {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
        gzip.write_all(log.as_bytes()).unwrap();
        let gzip = gzip.finish().unwrap();
        for cut in (gzip.len() / 2..gzip.len()).step_by(47) {
            let output = run(&["export", "--columns", "sql,fingerprint"], &gzip[..cut]);
            assert_eq!(output.status.code(), Some(2), "{cut}");
            let whole = json_lines(&output).into_iter().filter(|row| !row["fingerprint"].is_null());
            assert!(whole.clone().count() > 10, "{cut}");
            assert!(whole.clone().all(|row| row["sql"].as_str().unwrap().contains("WHERE")), "{cut}: {output:?}");
        }
    }
}

#[test]
fn every_command_reads_logs() {
    let file = fixture("log.json");
    let count = records("jsonlog", "log.json", &[]).len();
    for command in ["parse", "deparse", "fingerprint", "normalize", "scan"] {
        let output = run(&[command, "--from", "jsonlog", "--format", "json", &file], b"");
        assert_eq!(json_lines(&output).len(), count, "{command}");
    }
}

#[test]
fn lines_and_offsets_are_those_of_the_file() {
    let log =
        "LOG:  statement: SELECT 1\nLOG:  duration: 2 ms  statement: SELECT é FROM\nLOG:  statement: SELECT\n\t2\n";
    let output = run(&["parse", "--from", "stderr", "--format", "json"], log.as_bytes());
    let records = json_lines(&output);
    let places: Vec<_> = records.iter().map(|r| (r["line"].as_u64().unwrap(), r["offset"].as_u64().unwrap())).collect();
    let starts: Vec<u64> = log.match_indices("SELECT").map(|(at, _)| at as u64).collect();
    assert_eq!(places, [(1, starts[0]), (2, starts[1]), (3, starts[2])]);
    assert_eq!(records[1]["error"]["column"], 47);
    assert_eq!(records[1]["duration_ms"], 2.0);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("log_line_prefix taken to be ''"));
}

#[test]
fn a_truncated_statement_has_no_fingerprint() {
    let log = b"LOG:  statement: SELECT 1\nLOG:  statement: SELECT 2 FROM t WHERE x = 1";
    let output = run(&["fingerprint", "--from", "stderr", "--format", "json"], log);
    let records = json_lines(&output);
    assert!(records[0]["fingerprint"].is_string() && records[0]["truncated"].is_null());
    assert!(records[1]["fingerprint"].is_null() && records[1]["truncated"] == true);
    assert_eq!(output.status.code(), Some(0));
    let text = run(&["fingerprint", "--from", "stderr"], log);
    assert_eq!(text.stdout.len(), 17);
    assert!(stderr(&text).contains("1 truncated"));
}

#[test]
fn counts_add_up() {
    let output = run(&["fingerprint", "--from", "csvlog", "--stats", &fixture("log.csv")], b"");
    let stats = stderr(&output);
    let number_before = |text: &str| -> u64 {
        let before = stats.split(text).next().unwrap().trim_end();
        before.rsplit([' ', '(']).next().unwrap().parse().unwrap_or(0)
    };
    let skipped: u64 = [
        " messages without",
        " parse and bind",
        " statements of errors",
        " plan of executions",
        " durations of",
        " fetches of",
        " calls by",
        " statement that failed",
    ]
    .into_iter()
    .filter(|kind| stats.contains(kind))
    .map(number_before)
    .sum();
    let reported = records("csvlog", "log.csv", &["--application", "report, daily"]);
    let with_duration = reported.iter().filter(|record| record["duration_ms"].is_number()).count() as u64;
    // The first record of this application that has a duration consists of a single message, which contains both the
    // statement and its duration. All later ones consist of two messages: the statement, and its duration.
    assert_eq!(number_before(" messages"), number_before(" records (") + skipped + with_duration - 1, "{stats}");
}

#[test]
fn a_growing_log_is_followed_through_rotation() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    std::fs::write(&path, "LOG:  statement: SELECT 1\n").unwrap();
    let mut child = command(&["normalize", "--from", "stderr", "--follow"])
        .arg(&path)
        .stdin(Stdio::inherit())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let stdout = BufReader::new(child.stdout.take().unwrap());
    let (send, lines) = std::sync::mpsc::channel();
    std::thread::spawn(move || stdout.lines().try_for_each(|line| send.send(line.unwrap())));
    let line = || lines.recv_timeout(Duration::from_secs(60)).expect("a line within a minute");
    let mut log = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
    log.write_all(b"LOG:  statement: SELECT 2,\n\t3\n").unwrap();
    // A message ends when the next message begins, or when the file ends.
    assert_eq!(line(), "SELECT $1");
    std::fs::rename(&path, folder.path().join("log.1")).unwrap();
    std::fs::write(&path, "LOG:  statement: SELECT a\nLOG:  statement: SELECT b\n").unwrap();
    assert_eq!(line(), "SELECT $1, $2");
    assert_eq!(line(), "SELECT a");
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Returns a row of a csvlog in the server's form.
fn csv_row(second: usize, user: &str, statement: &str) -> String {
    let (time, text) = (format!("2026-01-31 12:00:{:02}.000 UTC", second % 60), statement.replace('"', "\"\""));
    format!(
        "{time},\"{user}\",\"shop\",7,\"[local]\",s7.1,1,\"SELECT\",{time},3/1,0,LOG,00000,\
         \"duration: 1.000 ms  statement: {text}\",,,,,,,,,\"app\",\"client backend\",,0\n"
    )
}

/// Returns a statement whose comment contains lines that look like csvlog rows of another user. The newest row is
/// first.
fn imitation(lines: usize) -> String {
    let row = |number| {
        format!(
            "2026-01-31 11:{:02}:00.000 UTC,boss,shop,7,[local],s7.1,1,SELECT,,3/1,0,LOG,00000,duration: 9 ms  statement: DELETE FROM t,,,,,,,,,app\n",
            59 - number % 60
        )
    };
    format!("SELECT 1 /*\n{}*/", (0..lines).map(row).collect::<String>())
}

#[test]
fn rows_inside_a_statement_do_not_turn_a_csvlog_round() {
    for lines in [20, 59, 600] {
        let log = (0..5).map(|second| csv_row(second, "ann", "SELECT 2")).collect::<String>()
            + &csv_row(6, "evil", &imitation(lines))
            + &csv_row(7, "ann", "SELECT 2");
        let in_cri: String =
            log.lines().map(|line| format!("2026-01-31T12:00:00.000000000Z stderr F {line}\n")).collect();
        for (from, log) in [(&[][..], &log), (&["--from", "csvlog"], &log), (&[], &in_cri)] {
            let output = run(&[&["digest", "--format", "json"][..], from].concat(), log.as_bytes());
            assert!(output.status.success(), "{output:?}");
            let report: Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(report["statements"], 7, "{lines}");
        }
    }
}

#[test]
fn a_csvlog_that_begins_within_a_row_is_ambiguous() {
    let log = csv_row(1, "evil", &imitation(20))
        + &(0..2000).map(|second| csv_row(second, "ann", "SELECT 2")).collect::<String>();
    let cut = &log[log.find("/*").unwrap()..];
    let output = run(&["digest", "--from", "csvlog"], cut.as_bytes());
    let messages = stderr(&output);
    assert!(output.status.code() == Some(1) && messages.contains("can be read in two ways"), "{messages}");
}
