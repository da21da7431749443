//! Tests of syslog lines, which are pieces of messages: how they are joined, and their escapes.

use pgq_log::Unwrapper;
use pgq_log::internals::{decode_syslog_escapes, interleaved_parser};

use super::read_log::read_log;

/// Returns the records of a log in which `7>` and `8>` represent the headers of two processes.
fn records(log: &str) -> Vec<String> {
    let log = log.replace("7>", "Jan  1 12:00:00 db postgres[7]: ").replace("8>", "Jan  1 12:00:00 db postgres[8]: ");
    records_of(&log, "%q%u@%d ")
}

fn records_of(log: &str, prefix: &str) -> Vec<String> {
    let (mut unwrapper, mut lines) = (Unwrapper::detect(log.as_bytes(), &["syslog"]).unwrap(), Vec::new());
    unwrapper.feed(log.as_bytes(), &mut lines).unwrap();
    unwrapper.finish(&mut lines).unwrap();
    read_log(&|| interleaved_parser(prefix), &lines).0
}

#[test]
fn pieces_are_joined() {
    let log = "7>[3-1] ann@shop LOG:  duration: 1 ms  execute s: SELECT a,\n\
               8>[5-1] bob@shop LOG:  statement: SELECT 1\n\
               7>[3-2]  b,\n\
               7>[3-3] #011c\n\
               8>[6-1] bob@shop LOG:  duration: 2 ms\n\
               7>[3-4] ann@shop DETAIL:  parameters: $1 = '1'\n";
    assert_eq!(records(log), ["8 LOG | bob | 2 | SELECT 1", "7 LOG | ann | 1 | SELECT a, b,\nc | $1 = '1'"]);
}

#[test]
fn pieces_without_a_process_are_joined_by_their_numbers() {
    let log = "db: [3-1] [7] ann LOG:  statement: SELECT a,\n\
               db: [5-1] [8] bob LOG:  statement: SELECT 1\n\
               db: [3-2] #011b\n\
               db: [6-1] [8] bob ERROR:  x\n\
               db: [3-3] [7] ann DETAIL:  d\n\
               db: [6-2] [8] bob STATEMENT:  SELECT 2\n";
    let log = log.replace("db: ", "Jan  1 12:00:00 db postgres: ");
    assert_eq!(
        records_of(&log, "[%p] %u "),
        ["8 LOG | bob | SELECT 1", "7 LOG | ann | SELECT a,\nb", "8 ERROR | bob | SELECT 2"]
    );
}

#[test]
fn a_missing_piece_truncates() {
    let log = "7>[3-1] ann@shop LOG:  statement: SELECT a\n7>[3-3] #011FROM t\n7>[4-1] ann@shop LOG:  statement: B\n";
    assert_eq!(records(log), ["7 LOG | ann | SELECT a\nFROM t | truncated", "7 LOG | ann | B"]);
}

#[test]
fn pieces_without_numbers_are_joined() {
    let log = "7>ann@shop LOG:  statement: SELECT\n8>LOG:  checkpoint\n7>#011 a\n7>ann@shop ERROR:  x\n7>ann@shop STATEMENT:  B\n";
    assert_eq!(records(log), ["7 LOG | ann | SELECT\n a", "7 ERROR | ann | B"]);
}

#[test]
fn white_space_is_decoded() {
    let mut decoded = Vec::new();
    decode_syslog_escapes(b"#011FROM t#012#033 #", &mut decoded);
    assert_eq!(decoded, b"\tFROM t\n#033 #");
}
