//! Tests of stderr lines: forms of statements, interleaved processes, and truncated logs.

use pgq_log::LineParser;
use pgq_log::internals::stderr_parser;

use super::read_log::{check_all_cuts, read_log};

const PREFIX: &str = "%m [%p] %q%u@%d ";
const HEADER: &str = "2026-01-31 12:00:00.123 UTC [7] ann@shop ";

fn parser() -> Box<dyn LineParser> {
    stderr_parser(PREFIX)
}

/// Returns the records of a log in which `7>` and `8>` represent the headers of two processes.
fn records(log: &str) -> Vec<String> {
    let log = log.replace("7>", HEADER).replace("8>", &HEADER.replace("[7]", "[8]"));
    read_log(&parser, log.as_bytes()).0
}

#[test]
fn statements_of_every_form_are_read() {
    let log = "7>LOG:  duration: 0.1 ms  statement: SELECT 1\n\
               7>LOG:  duration: 0.2 ms  parse s: SELECT $1\n\
               7>LOG:  duration: 0.2 ms  bind s: SELECT $1\n\
               7>DETAIL:  parameters: $1 = 'a'\n\
               7>LOG:  duration: 0.3 ms  execute s: SELECT $1\n\
               7>DETAIL:  Parameters: $1 = 'a'\n\
               7>LOG:  statement: SELECT\n\t\n\t\t2\n\
               7>LOG:  duration: 4 ms\n\
               7>LOG:  execute fetch from s/c: SELECT 3\n\
               7>LOG:  duration: 5 ms  plan:\n\tQuery Text: SELECT 3\n\tResult  (cost=0.00..0.01 rows=1 width=4)\n\
               7>ERROR:  no\n\tway\n\
               7>HINT:  none\n\
               7>STATEMENT:  SELECT\n\t4\n";
    assert_eq!(
        records(log),
        [
            "7 LOG | ann | 0.1 | SELECT 1",
            "7 LOG | ann | 0.3 | SELECT $1 | $1 = 'a'",
            "7 LOG | ann | 4 | SELECT\n\n\t2",
            "7 LOG | ann | 5 | SELECT 3",
            "7 ERROR | ann | SELECT\n4",
        ]
    );
}

#[test]
fn messages_of_processes_may_interleave() {
    let log = "7>LOG:  statement: A\n8>ERROR:  x\n7>LOG:  duration: 1 ms\n8>STATEMENT:  B\n\tC\n7>LOG:  statement: D\n";
    assert_eq!(records(log), ["7 LOG | ann | 1 | A", "8 ERROR | ann | B\nC", "7 LOG | ann | D"]);
}

#[test]
fn further_lines_may_stand_behind_the_text_of_another_program() {
    let log = "db 7 LOG:  statement: SELECT\ndb \t1\n\ndb 7 ERROR:  x\ndb 7 STATEMENT:  B\ndb \tC\nmore\n";
    let (records, stats) = read_log(&|| stderr_parser("db %p "), log.as_bytes());
    assert_eq!(records, ["7 LOG | SELECT\n1", "7 ERROR | B\nC"]);
    assert_eq!((stats.lines, stats.messages, stats.parts, stats.empty, stats.unreadable), (7, 2, 3, 1, 1));
}

#[test]
fn messages_that_were_mixed_in_a_pipe_are_counted() {
    let ambiguous = |log: &str| {
        let log = log.replace("7>", HEADER).replace("8>", &HEADER.replace("[7]", "[8]"));
        read_log(&parser, log.as_bytes()).1.ambiguous
    };
    let mixed = "7>LOG:  statement: SELECT\n\ta,\n\tb8>LOG:  duration: 1 ms\n";
    assert_eq!(ambiguous(&format!("{mixed}bb,\n\tc\n")), 1);
    assert_eq!(ambiguous(&format!("{mixed}8>LOG:  statement: SELECT 2\n8>LOG:  duration: 2 ms\nbb,\n\tc\nd\n")), 1);
    assert_eq!(ambiguous("7>LOG:  statement: SELE8>LOG:  statement: SELECT 1\nCT 2\n"), 1);
    // Lines are counted as ambiguous only if an unreadable line and a message inside another line occur together.
    // Each alone is not ambiguous.
    assert_eq!(ambiguous("7>LOG:  statement: SELECT\n\ta\ndone\n8>LOG:  duration: 1 ms\nstarted\n"), 0);
    assert_eq!(ambiguous(mixed), 0);
}

#[test]
fn a_name_that_starts_with_a_tab_is_noticed() {
    let log = "a@b LOG:  statement: SELECT\n\t1\n\tc@d LOG:  statement: DELETE\n\nc@d ERROR:  x\n\t\ty\n";
    for prefix in ["%u@%d ", "%q%u@%d "] {
        let (_, stats) = read_log(&|| stderr_parser(prefix), log.as_bytes());
        assert_eq!((stats.ambiguous, stats.messages), (1, 2), "{prefix}");
    }
}

#[test]
fn the_last_record_of_a_cut_log_is_truncated() {
    assert_eq!(records("7>LOG:  statement: SELECT 1, '2"), ["7 LOG | ann | SELECT 1, '2 | truncated"]);
    let log = "7>LOG:  duration: 1 ms  statement: A\n\tB\n7>LOG:  execute x: C\n7>DETAIL:  parameters: $1 = '1'\n";
    let log = log.replace("7>", HEADER);
    check_all_cuts(&parser, log.as_bytes());
}
