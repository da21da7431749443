//! Tests of syslog lines: how the parts of a message are joined, and escapes.

use pgq_log::internals::{decode_syslog_escapes, interleaved_parser};
use pgq_log::{LogStats, Unwrapper};

use super::read_log::read_log;

/// Returns the records of a log in which `7>` and `8>` represent the headers of two processes.
fn records(log: &str) -> Vec<String> {
    let log = log.replace("7>", "Jan  1 12:00:00 db postgres[7]: ").replace("8>", "Jan  1 12:00:00 db postgres[8]: ");
    records_of(&log, "%q%u@%d ")
}

fn records_of(log: &str, prefix: &str) -> Vec<String> {
    read_of(log, prefix).0
}

fn read(log: &str) -> (Vec<String>, LogStats) {
    read_of(&log.replace("7>", "Jan  1 12:00:00 db postgres[7]: "), "%q%u@%d ")
}

fn read_of(log: &str, prefix: &str) -> (Vec<String>, LogStats) {
    let (mut unwrapper, mut lines) = (Unwrapper::detect(log.as_bytes(), &["syslog"], None).unwrap(), Vec::new());
    unwrapper.feed(log.as_bytes(), &mut lines).unwrap();
    unwrapper.finish(&mut lines).unwrap();
    read_log(&|| interleaved_parser(prefix), &lines)
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
fn a_plan_may_have_any_level() {
    let log = "7>[3-1] ann@shop NOTICE:  duration: 1.000 ms  plan:\n\
               7>[3-2] #011Query Text: SELECT a\n\
               7>[3-3] #011Result  (cost=0.00..0.01 rows=1 width=4)\n\
               7>[4-1] ann@shop NOTICE:  duration: unknown\n";
    assert_eq!(records(log), ["7 LOG | ann | 1.000 | SELECT a"]);
    let log = "7>ann@shop WARNING:  duration: 1.000 ms  plan:#012#011Query Text: SELECT a\n";
    assert_eq!(records(log), ["7 LOG | ann | 1.000 | SELECT a"]);
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
    let decode = |text: &[u8], has_tabs_escaped| {
        let mut decoded = Vec::new();
        decode_syslog_escapes(text, has_tabs_escaped, |after| after.starts_with(b"#"), &mut decoded);
        String::from_utf8(decoded).unwrap()
    };
    assert_eq!(decode(b"#011FROM t#011#012#033 #", true), "\tFROM t\t\n#033 #");
    assert_eq!(decode(b"#011FROM t#011#012x", false), "\tFROM t#011#012x");
}

#[test]
fn an_escape_in_sql_is_not_a_line_break() {
    let log = "7>[3-1] ann@shop LOG:  statement: SELECT '#012#011'\n\
               7>[3-2] #011FROM t\n\
               7>[4-1] ann@shop LOG:  statement: SELECT '#012', 1\n";
    assert_eq!(records(log), ["7 LOG | ann | SELECT '#012\t'\nFROM t", "7 LOG | ann | SELECT '#012', 1"]);
    let whole =
        "7>[3] ann@shop LOG:  execute s: SELECT '#012', $1#012#011FROM t#012ann@shop DETAIL:  parameters: $1 = '1'\n";
    assert_eq!(records(whole), ["7 LOG | ann | SELECT '#012', $1\nFROM t | $1 = '1'"]);
    // Raw tabs show that the daemon does not escape tabs.
    let raw =
        "7>[3-1] ann@shop LOG:  statement: SELECT\n7>[3-2] \t'#011'\n7>[4-1] ann@shop LOG:  statement: SELECT '#011'\n";
    assert_eq!(records(raw), ["7 LOG | ann | SELECT\n'#011'", "7 LOG | ann | SELECT '#011'"]);
}

#[test]
fn an_escape_in_sql_leaves_the_plan() {
    for escape in ["#011", "#012", "#015", "#012#011"] {
        let plan = format!(
            "7>[3] ann@shop LOG:  duration: 1 ms  plan:#012#011{{#012#011  \"Query Text\": \"SELECT '{escape}', 1\",#012#011  \"Plan\": {{}}#012#011}}\n"
        );
        assert_eq!(records(&plan).len(), 1, "{escape}");
    }
}

/// Splits a message as elog.c (write_syslog) splits it.
fn parts(message: &str) -> Vec<&str> {
    let is_space = |byte: u8| byte.is_ascii_whitespace();
    let (mut parts, mut rest) = (Vec::new(), message);
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('\n') {
            rest = after;
            continue;
        }
        let line = rest.split('\n').next().unwrap();
        let mut len = line.floor_char_boundary(900);
        if rest.as_bytes().get(len).is_some_and(|byte| !is_space(*byte)) {
            len = (1..len).rev().find(|at| is_space(rest.as_bytes()[*at])).unwrap_or(len);
        }
        parts.push(&rest[..len]);
        rest = &rest[len..];
    }
    parts
}

/// Formats a statement as the lines of syslog. `number` formats the number of a part.
fn syslog(sql: &str, number: &dyn Fn(usize) -> String) -> String {
    let message = format!("ann@shop LOG:  statement: {}", sql.replace('\n', "\n\t"));
    let lines = parts(&message).into_iter().zip(1..).map(|(part, at)| format!("7>[{}] {part}\n", number(at)));
    lines.collect()
}

#[test]
fn a_line_split_at_a_tab_is_one_line() {
    let fields: Vec<String> = (0..400).map(|field| format!("field{field:04}")).collect();
    let rows = format!("INSERT INTO t\nVALUES ('{}')", fields.join("\t"));
    for number in [&|at| format!("3-{at}"), &|at: usize| at.to_string()] as [&dyn Fn(usize) -> String; 2] {
        assert_eq!(records(&syslog(&rows, number)), [format!("7 LOG | ann | {rows}")]);
    }
    let escaped = syslog(&rows, &|at| format!("3-{at}")).replace('\t', "#011");
    assert_eq!(records(&escaped), [format!("7 LOG | ann | {rows}")]);
}

#[test]
fn a_line_break_that_may_be_a_tab_is_counted() {
    let mut random = 7u64;
    let mut next = |below: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % below
    };
    let (mut exact, mut counted) = (0, 0);
    for _ in 0..2000 {
        let spaces = [" ", " ", " ", "\t", "\n", "\n\t", "\n  "];
        let (kinds, unit) = (1 + next(spaces.len() as u64), ["x", "ü", "x#"][next(3) as usize]);
        let words = (0..1 + next(400)).map(|_| {
            let line = if next(20) == 0 { next(kinds) } else { next(kinds.min(4)) };
            unit.repeat(1 + next(12) as usize) + spaces[line as usize]
        });
        let sql = "SELECT ".to_string() + words.collect::<String>().trim_end();
        let log = syslog(&sql, &|at| format!("3-{at}"));
        let (found, stats) = read(&log);
        if stats.unclear_breaks > 0 {
            counted += 1;
            let blank = |text: &str| text.replace(['\n', '\t'], " ");
            assert_eq!(blank(&found[0]), blank(&format!("7 LOG | ann | {sql}")));
        } else {
            exact += 1;
            assert_eq!(found, [format!("7 LOG | ann | {sql}")], "{log}");
        }
    }
    assert!(exact > 1000 && counted > 100, "{exact} {counted}");
}
