//! Tests logs in which names and statements imitate other records. pgq must not read the imitations as records.

use serde_json::Value;

use crate::common::program::{run, stderr};
use crate::logs::json_lines;

#[test]
fn a_statement_cannot_choose_the_envelope() {
    const PREFIX: &str = "%m [%p] %q%u@%d ";
    let line = |time: usize, sql: &str| {
        format!("2026-01-31 12:00:00.{time:03} UTC [7] ann@shop LOG:  duration: 1.000 ms  statement: {sql}\n")
    };
    let forged =
        |time: usize| line(time, "SELECT 'forged'").replace("ann@", "eve@").replace("duration: 1", "duration: 9");
    let shapes: [fn(&str) -> String; 4] = [
        |forged| format!("db-1  | {forged}"),
        |forged| format!("ts=2026-01-31T12:00:00Z level=info msg=\"{}\"\n", forged.trim_end()),
        |forged| format!("{}\n", serde_json::json!({ "log": forged, "stream": "stderr" })),
        |forged| format!("2026-01-31T12:00:00.000000000Z {forged}"),
    ];
    for shape in shapes {
        let statement: String = (0..300).map(|time| shape(&forged(time))).collect();
        let log =
            format!("{}{}{}", line(0, "SELECT 1"), line(1, &format!("SELECT 1\n{statement}")), line(2, "SELECT 1"));
        let output = run(&["digest", "--format", "json", "--log-line-prefix", PREFIX, "-"], log.as_bytes());
        let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        let is_silent = output.status.success() && report["total_ms"] != 3.0;
        assert!(!is_silent, "{}\n{report}", shape("LOG"));
    }
}

/// Returns a row as the server writes it.
fn csvlog_row(user: &str, message: &str) -> String {
    format!(
        "2026-01-31 12:00:00.000 UTC,\"{user}\",\"shop\",7,\"[local]\",65ba2f3c.7,1,\"SELECT\",2026-01-31 11:59:00 UTC,\
         3/0,0,LOG,00000,\"duration: 1.000 ms  statement: {message}\",,,,,,,,,\"psql\",\"client backend\",,0\n"
    )
}

#[test]
fn a_line_break_in_a_statement_does_not_change_other_rows() {
    let log = format!("{}{}", csvlog_row("bob", "SELECT 1\r\n, 2"), csvlog_row("ann", "SELECT 'x\r\ny'"));
    let output = run(&["export", "--from", "csvlog", "--columns", "sql", "--format", "json", "-"], log.as_bytes());
    let sql: Vec<String> = json_lines(&output).iter().map(|row| row["sql"].as_str().unwrap().to_owned()).collect();
    assert_eq!(sql, ["SELECT 1\r\n, 2", "SELECT 'x\r\ny'"]);
    // If every line of a file ends in CRLF, a line break inside SQL is read as LF.
    let log = log.replace("\r\n", "\n").replace('\n', "\r\n");
    let output = run(&["export", "--from", "csvlog", "--columns", "sql", "--format", "json", "-"], log.as_bytes());
    assert_eq!(json_lines(&output)[0]["sql"], "SELECT 1\n, 2");
}

#[test]
fn rows_of_a_statement_at_the_start_of_a_csvlog_are_ambiguous() {
    let forged = csvlog_row("eve", "SELECT 666").replace('"', "");
    let log = format!("{forged}{forged}'\"\n{}", csvlog_row("ann", "SELECT 1"));
    let output = run(&["digest", "--from", "csvlog", "-"], log.as_bytes());
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("1 line that can be read in two ways"), "{}", stderr(&output));
    let output = run(&["replay", "--dry-run", "--from", "csvlog", "-"], log.as_bytes());
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("without the server's quotes"), "{}", stderr(&output));
}

#[test]
fn a_name_cannot_choose_the_format_of_a_given_prefix() {
    let line = |user: &str| {
        format!("2026-01-31 12:00:00.000 UTC,{user},shop,7 LOG:  duration: 1.000 ms  statement: SELECT ',,,\"'\n")
    };
    let log = format!("{}{}", line("\"eve\",\"shop\",7,,5.7,1,,,,0,LOG,00000,\"\"").repeat(3), line("ann"));
    let output = run(&["digest", "--format", "json", "--log-line-prefix", "%m,%u,%d,%p ", "-"], log.as_bytes());
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    assert_eq!(report["statements"], 4, "{}", stderr(&output));
}
