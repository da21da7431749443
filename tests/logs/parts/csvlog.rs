//! Tests of csvlog rows: the columns of all versions, truncated rows, and the end of a row.

use pgq_log::internals::{csvlog_parser, last_row_end};

use super::read_log::{check_all_cuts, read_log};

/// Returns a row with the columns of PostgreSQL 8.3, followed by the columns of later versions.
fn row(severity: &str, message: &str, detail: &str, query: &str, later: &str) -> String {
    format!(
        "2026-01-31 12:00:00.123 UTC,\"ann\",\"shop\",7,\"[local]\",65b.7,1,\"SELECT\",2026-01-31 12:00:00 UTC,3/7,0,\
         {severity},00000,{message},{detail},,,,,{query},,{later}\n"
    )
}

fn log() -> String {
    row("LOG", "\"duration: 1.5 ms  statement: SELECT\n 'a', \"\"b\"\"\"", "", "", ",\"psql\"")
        + &row("LOG", "\"statement: A\"", "", "", "")
        + &row("ERROR", "\"no\"", "", "\"SELECT\n\n1\"", ",\"psql\",\"client backend\"")
        + &row("LOG", "\"execute s: B\"", "\"parameters: $1 = 'x'\"", "", ",\"psql\",\"client backend\",,0")
}

#[test]
fn rows_of_all_versions_are_read() {
    let (records, stats) = read_log(&csvlog_parser, log().as_bytes());
    assert_eq!(
        records,
        [
            "7 LOG | ann | 1.5 | SELECT\n 'a', \"b\"",
            "7 LOG | ann | A",
            "7 ERROR | ann | SELECT\n\n1",
            "7 LOG | ann | B | $1 = 'x'",
        ]
    );
    assert_eq!((stats.messages, stats.unreadable, stats.interrupted), (4, 0, 0));
}

#[test]
fn cuts_and_garbage_affect_no_other_row() {
    check_all_cuts(&csvlog_parser, log().as_bytes());
    let cut = row("LOG", "\"statement: cut", "", "", "");
    let (records, stats) = read_log(&csvlog_parser, (cut + &log()).as_bytes());
    assert_eq!((records.len(), stats.interrupted), (4, 1));
}

#[test]
fn the_end_of_a_field_is_not_the_start_of_a_row() {
    // A client chose texts that end like the start of a row. They do not start a row, because the closing quote of the
    // field follows each text in the log.
    let end = "\n2026-01-31 12:00:00.123 UTC,";
    let named = log().replacen("\"shop\"", &format!("\"shop{end}\""), 1);
    let said = row("LOG", &format!("\"statement: A{end}\""), "\"\n2026-01-31 12:00:00.123 UTC,,,9\"", "", "");
    let last = row("LOG", "\"statement: A\"", "", "", &format!("\"{end}\""));
    let (records, stats) = read_log(&csvlog_parser, (named + &said + &last).as_bytes());
    assert_eq!((records.len(), stats.messages, stats.interrupted, stats.unreadable), (6, 6, 0, 0), "{records:?}");
}

#[test]
fn nuls_of_a_crash_are_noticed() {
    let hole = log().replacen("statement", &"\0".repeat(200), 1);
    assert_eq!(read_log(&csvlog_parser, hole.as_bytes()).1.unreadable, 1);
}

#[test]
fn a_row_ends_outside_of_quotes() {
    for (bytes, end) in [("a,\"b\nc", 0), ("a\nb,\"c\n", 2), ("a,\"b\n\"\"\n\"\nc", 10), ("a", 0)] {
        assert_eq!(last_row_end(bytes.as_bytes()), end, "{bytes:?}");
    }
}
