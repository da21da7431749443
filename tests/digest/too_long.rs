//! A message that is too long is skipped or cut, and reported. pgq does not mistake a line of this message for a new
//! message, and reads the messages after it as usual.

use std::fs::File;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::tempdir;

use super::common::program::{run, stderr, write};

/// Size of the long message, in bytes. A message of this size exceeds the limit (64 MiB) by more than the largest part
/// that pgq reads from a pipe at a time (16 MiB).
const LONG: usize = 82 << 20;

const TIME: &str = "2026-01-31 12:00:00.000 UTC";

fn csv_row(user: &str, message: &str) -> String {
    let message = message.replace('"', "\"\"");
    format!(
        "{TIME},\"{user}\",\"d\",7,\"[local]\",s.7,1,\"SELECT\",{TIME},3/1,0,LOG,00000,\"{message}\",,,,,,,,,\"a\",\"client \
         backend\",,0\n"
    )
}

fn stderr_lines(user: &str, message: &str) -> String {
    format!("{TIME} [7] {user}@d LOG:  {}\n", message.replace('\n', "\n\t"))
}

#[test]
fn a_message_of_more_than_64_mb_is_skipped_or_cut() {
    // Lines that look like rows of another user.
    let forged =
        format!("\n{TIME},eve,d,8,[local],s.8,1,SELECT,{TIME},3/1,0,LOG,00000,duration: 1.0 ms  statement: x,,");
    let long = format!("duration: 1.0 ms  statement: SELECT 1 /*{}{forged}\n\"*/", "x".repeat(LONG));
    for (format, row) in [("csvlog", csv_row as fn(&str, &str) -> String), ("stderr", stderr_lines)] {
        let short = row("ann", "duration: 1.0 ms  statement: SELECT 1");
        let log = [short.repeat(3), row("bob", &long), short.repeat(4)].concat();
        let prefix: &[&str] = if format == "stderr" { &["--log-line-prefix", "%m [%p] %u@%d "] } else { &[] };
        let output = run(&[&["digest", "--from", format, "--format", "json"], prefix].concat(), log.as_bytes());
        assert_eq!(output.status.code(), Some(1), "{format}");
        assert!(stderr(&output).contains("1 message of more than 64 MB skipped or cut"), "{}", stderr(&output));
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let calls = |user: &str| report["users"][user]["calls"].as_u64();
        let cut = (format == "stderr").then_some(1);
        assert_eq!([calls("ann"), calls("bob"), calls("eve")], [Some(7), cut, None], "{format}");
    }
}

/// Writes a file that starts with `start` and is `len` bytes long. The other bytes are zeros, which need no disk space.
fn sparse_file(folder: &Path, start: &str, len: u64) -> String {
    let path = write(folder, "long", start);
    let file = File::options().write(true).open(&path).unwrap();
    file.set_len(len).unwrap();
    path
}

#[test]
fn a_json_document_of_more_than_256_mb_is_refused() {
    let folder = tempdir().unwrap();
    let message = format!("{TIME} [7] ann@d LOG:  duration: 1.0 ms  statement: SELECT 1");
    let event = json!({"message": message}).to_string();
    for start in [
        format!("{{\"events\":[{event},"),
        format!("[\n{event},\n{event},\n"),
        format!("[{{\n  \"message\": \"{message}\"\n}},{{\n"),
        // A later line is too long.
        format!("{event}\n").repeat(3),
    ] {
        let output = run(&["digest", &sparse_file(folder.path(), &start, 300 << 20)], b"");
        assert_eq!(output.status.code(), Some(2), "{start}");
        assert!(
            stderr(&output).contains("a line of more than 256 MB: write one object per line"),
            "{}",
            stderr(&output)
        );
    }
    // The first line opens a JSON object and does not close it. pgq must skip only this line, and must not read the
    // whole log as one JSON document.
    let row = json!({"timestamp": TIME, "user": "ann", "pid": 7, "error_severity": "LOG",
                     "message": "duration: 1.0 ms  statement: SELECT 1"});
    let start = format!("{{\"timestamp\":\n{}", format!("{row}\n").repeat(3));
    let output = run(&["digest", "--format", "json", &sparse_file(folder.path(), &start, 300 << 20)], b"");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    assert_eq!(report["statements"], 3, "{}", stderr(&output));
}

#[test]
fn a_state_of_more_than_256_mb_is_refused() {
    let folder = tempdir().unwrap();
    let path = sparse_file(folder.path(), "pgqstate", 300 << 20);
    let output = run(&["digest", "--merge", &path], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("has more than 256 MB"), "{}", stderr(&output));
}
