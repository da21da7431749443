//! PostgreSQL's logs as the program reads them: the same traffic in three formats, compressed,
//! through pipes, growing, filtered.

use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const PREFIX: &str = "%m [%p] %q%u@%d %a %c ";

fn fixture(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/log").join(name).to_string_lossy().into_owned()
}

fn pgq(args: &[&str], input: Option<&[u8]>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pgq"));
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.map(<[u8]>::to_vec);
    let writer = std::thread::spawn(move || drop(input.map(|bytes| stdin.write_all(&bytes))));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

fn lines(output: &Output) -> Vec<Value> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The records of a format, without what depends on how they are written, in the order of
/// their processes: the collector writes what they say at the same time in any order.
fn records(form: &str, name: &str, more: &[&str]) -> Vec<Value> {
    let file = fixture(name);
    let mut args = vec!["fingerprint", "--format", "json", "--from", form, &file];
    if form == "stderr" {
        args.extend(["--log-line-prefix", PREFIX]);
    }
    args.extend(more);
    let mut records = lines(&pgq(&args, None));
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
fn records_carry_what_the_log_knows() {
    let all = records("csvlog", "log.csv", &["--errors"]);
    let apart = all.iter().find(|r| r["application"] == "report, daily" && r["duration_ms"].is_number()).unwrap();
    assert_eq!((&apart["user"], &apart["database"]), (&"postgres".into(), &"bench".into()));
    assert!(all.iter().any(|r| r["params"].as_array().is_some_and(|params| params.len() > 1)));
    assert!(all.iter().any(|r| r["severity"] == "ERROR" && r["error"].is_null()));
    assert!(all.iter().any(|r| r["severity"] == "ERROR" && r["error"].is_string()));
    let kinds: std::collections::BTreeSet<&str> = all.iter().map(|r| r["kind"].as_str().unwrap()).collect();
    for kind in ["select", "insert", "update", "begin", "create", "copy", "declare", "fetch", "execute", "values"] {
        assert!(kinds.contains(kind), "{kind} is not among {kinds:?}");
    }
    assert!(!kinds.contains("with"));
}

#[test]
fn filters_leave_some() {
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
fn filters_are_for_logs() {
    for option in [&["--errors"][..], &["--user", "x"], &["--since", "2026-01-01"], &["--kind", "select"]] {
        let mut args = vec!["fingerprint"];
        args.extend(option);
        let output = pgq(&args, Some(b"SELECT 1"));
        assert_eq!(output.status.code(), Some(2), "{option:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(option[0]));
    }
    for wrong in [["--since", "tomorrow"], ["--min-duration", "long"], ["--min-duration", "-1"]] {
        assert_eq!(pgq(&["fingerprint", "--from", "auto", wrong[0], wrong[1]], Some(b"")).status.code(), Some(2));
    }
    assert_eq!(pgq(&["scan", "--from", "auto", "--errors"], Some(b"SELECT 1;\n")).status.code(), Some(2));
    assert_eq!(pgq(&["scan", "--from", "auto"], Some(b"SELECT 1;\n")).status.code(), Some(0));
    assert_eq!(pgq(&["scan", "--from", "stderr", "--follow"], Some(b"")).status.code(), Some(2));
}

#[test]
fn compressed_logs_are_read_as_they_are() {
    let plain = std::fs::read(fixture("log.csv")).unwrap();
    let expected = pgq(&["fingerprint", "--from", "csvlog"], Some(&plain)).stdout;
    assert!(expected.len() > 1000);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&plain).unwrap();
    for packed in [gzip.finish().unwrap(), zstd::encode_all(&plain[..], 1).unwrap()] {
        for form in ["csvlog", "auto"] {
            assert_eq!(pgq(&["fingerprint", "--from", form], Some(&packed)).stdout, expected);
        }
        let cut = pgq(&["fingerprint", "--from", "csvlog"], Some(&packed[..packed.len() / 2]));
        assert!(expected.starts_with(&cut.stdout), "records before the cut are the same");
        assert_eq!(cut.status.code(), Some(2));
    }
}

#[test]
fn every_command_reads_logs() {
    let file = fixture("log.json");
    let count = records("jsonlog", "log.json", &[]).len();
    for command in ["parse", "deparse", "fingerprint", "normalize", "scan"] {
        let output = pgq(&[command, "--from", "jsonlog", "--format", "json", &file], None);
        assert_eq!(lines(&output).len(), count, "{command}");
    }
}

#[test]
fn places_are_those_of_the_file() {
    let log =
        "LOG:  statement: SELECT 1\nLOG:  duration: 2 ms  statement: SELECT é FROM\nLOG:  statement: SELECT\n\t2\n";
    let output = pgq(&["parse", "--from", "stderr", "--format", "json"], Some(log.as_bytes()));
    let records = lines(&output);
    let places: Vec<_> = records.iter().map(|r| (r["line"].as_u64().unwrap(), r["offset"].as_u64().unwrap())).collect();
    let starts: Vec<u64> = log.match_indices("SELECT").map(|(at, _)| at as u64).collect();
    assert_eq!(places, [(1, starts[0]), (2, starts[1]), (3, starts[2])]);
    assert_eq!(records[1]["error"]["column"], 47);
    assert_eq!(records[1]["duration_ms"], 2.0);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("log_line_prefix taken to be ''"));
}

#[test]
fn a_truncated_statement_has_no_fingerprint() {
    let log = b"LOG:  statement: SELECT 1\nLOG:  statement: SELECT 2 FROM t WHERE x = 1";
    let output = pgq(&["fingerprint", "--from", "stderr", "--format", "json"], Some(log));
    let records = lines(&output);
    assert!(records[0]["fingerprint"].is_string() && records[0]["truncated"].is_null());
    assert!(records[1]["fingerprint"].is_null() && records[1]["truncated"] == true);
    assert_eq!(output.status.code(), Some(0));
    let text = pgq(&["fingerprint", "--from", "stderr"], Some(log));
    assert_eq!(text.stdout.len(), 17);
    assert!(String::from_utf8_lossy(&text.stderr).contains("1 truncated"));
}

#[test]
fn counts_add_up() {
    let file = fixture("log.csv");
    let output = pgq(&["fingerprint", "--from", "csvlog", "--stats", &file], None);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let number = |before: &str| -> u64 {
        let text = said.split(before).next().unwrap().trim_end();
        text.rsplit([' ', '(']).next().unwrap().parse().unwrap_or(0)
    };
    let out: u64 = [" messages without", " parse and bind", " statements of errors", " plans", " durations of"]
        .into_iter()
        .filter(|what| said.contains(what))
        .map(number)
        .sum();
    let attached = records("csvlog", "log.csv", &["--application", "report, daily"]);
    let attached = attached.iter().filter(|r| r["duration_ms"].is_number()).count() as u64;
    // Durations on lines of their own went into records: all of the report's but its first.
    assert_eq!(number(" messages;"), number(" records (") + out + attached - 1, "{said}");
}

#[test]
fn a_growing_log_is_followed_through_rotation() {
    let folder = std::env::temp_dir().join(format!("pgq-logs-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path: PathBuf = folder.join("log");
    std::fs::write(&path, "LOG:  statement: SELECT 1\n").unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_pgq"))
        .args(["normalize", "--from", "stderr", "--follow"])
        .arg(&path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let stdout = std::io::BufReader::new(child.stdout.take().unwrap());
    let (send, lines) = std::sync::mpsc::channel();
    std::thread::spawn(move || stdout.lines().try_for_each(|line| send.send(line.unwrap())));
    let line = || lines.recv_timeout(std::time::Duration::from_secs(60)).expect("a line within a minute");
    assert_eq!(line(), "SELECT $1");
    let mut log = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
    log.write_all(b"LOG:  statement: SELECT 2,\n\t3\n").unwrap();
    assert_eq!(line(), "SELECT $1, $2");
    std::fs::rename(&path, folder.join("log.1")).unwrap();
    std::fs::write(&path, "LOG:  statement: SELECT a\n").unwrap();
    assert_eq!(line(), "SELECT a");
    child.kill().unwrap();
    child.wait().unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
}
