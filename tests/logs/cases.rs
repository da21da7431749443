//! Reads the logs in cases/, and compares their counts with the expected counts. Each log tests one difficult case.
//! The expected counts were confirmed by a real server or by a separate count.

use crate::common::{SELECTION, read, read_selected, unwrap};
use pgq_log::{Event, Field, LogKind, LogStats, RecordSelection, detect_format, duration_micros};

#[derive(Debug, Default, PartialEq, Eq)]
struct Figures {
    calls: u64,
    /// Total duration in microseconds.
    time: u64,
    /// Number of messages of severity ERROR, FATAL and PANIC, with or without a statement.
    errors: u64,
    warnings: u64,
    canceled: u64,
}

/// Values of log_line_prefix for the logs whose prefix pgq cannot infer.
const PREFIXES: [(&str, &str); 2] = [
    ("application_of_a_blank.log", "%a %u %d [%p] %m "),
    ("parallel_worker_without_sqlstate.log", "%m [%p] %q%b %e %i "),
];

fn figures(name: &str) -> (Figures, LogStats) {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/logs/cases");
    let log = std::fs::read(folder.join(name)).unwrap_or_else(|problem| panic!("{name}: {problem}"));
    let (log, envelope) = unwrap(&log);
    let kind = detect_format(if envelope.is_some() { "-" } else { name }, &log).unwrap_or(LogKind::Stderr);
    let selection = RecordSelection { messages: true, ..SELECTION };
    let prefix = PREFIXES.iter().find(|(log, _)| *log == name).map(|(_, prefix)| *prefix);
    let reading = read_selected(selection, kind, prefix, &log, |entry| {
        let is_warning = entry.severity().name() == "WARNING";
        let what = match entry.event() {
            None if !entry.severity().is_error() => "call",
            None | Some(Event::Message) if entry.severity().is_error() => "error",
            Some(Event::Message) if is_warning => "warning",
            _ => "other",
        };
        let micros = duration_micros(entry.get(Field::Duration)).unwrap_or(0);
        format!("{what} {micros} {}", entry.is_canceled())
    });
    let mut figures = Figures::default();
    for record in &reading.records {
        let parts: Vec<&str> = record.split(' ').collect();
        match parts[0] {
            "call" => {
                (figures.calls, figures.time) = (figures.calls + 1, figures.time + parts[1].parse::<u64>().unwrap())
            }
            "error" => figures.errors += 1,
            "warning" => figures.warnings += 1,
            _ => {}
        }
        figures.canceled += u64::from(parts[2] == "true");
    }
    (figures, reading.stats)
}

fn check(name: &str, calls: u64, time: u64, errors: u64) -> LogStats {
    let (found, stats) = figures(name);
    assert_eq!((found.calls, found.time, found.errors), (calls, time, errors), "{name}: calls, microseconds, errors");
    stats
}

#[test]
fn a_duration_comes_thousands_of_lines_after_its_statement() {
    check("slow_on_busy_server.log", 2202, 2_202_000, 0);
}

#[test]
fn processes_in_a_row_are_processes() {
    check("consecutive_pids.log", 36, 360_000, 0);
}

#[test]
fn an_error_while_binding_leaves_the_call_before_it() {
    for name in ["bind_error.csv", "bind_error.json", "bind_error.log"] {
        check(name, 4, 0, 2);
    }
}

#[test]
fn a_timeout_before_the_server_sets_the_tag_is_of_the_logged_statement() {
    assert_eq!(check("timeout_before_the_tag.csv", 3, 1_000_000, 3).failed, 1);
}

#[test]
fn an_error_of_a_parallel_worker_that_no_leader_repeats_counts() {
    let stats = check("parallel_worker_alone.csv", 0, 0, 7);
    assert_eq!((stats.worker_errors, stats.unpaired_workers), (3, 4));
}

#[test]
fn an_error_of_a_parallel_worker_is_its_leaders() {
    check("parallel_worker_that_is_ended.log", 0, 0, 1);
    check("parallel_worker_without_process_ids.log", 0, 0, 3);
    // Two workers log an error that their leader logs once.
    assert_eq!(check("parallel_workers_with_one_error.log", 0, 0, 2).unpaired_workers, 1);
    // Three workers log the same error, but no leader logs it, so all three errors count. The error of a fourth worker
    // is also logged by its leader.
    assert_eq!(check("parallel_workers_without_leader.log", 1, 1000, 4).worker_errors, 1);
    check("application_of_a_blank.log", 3, 3000, 3);
    for name in ["parallel_worker.csv", "parallel_worker.log"] {
        // The leader also logs the error of the first worker. The second and the third worker started after the
        // leader's failure and therefore failed, too.
        assert_eq!(check(name, 2, 24_753, 2).worker_errors, 3, "{name}");
    }
}

#[test]
fn an_error_of_a_parallel_worker_is_its_leaders_without_names_and_statements() {
    for (name, errors) in [("parallel_worker_without_users.log", 3), ("parallel_worker_without_sqlstate.log", 4)] {
        assert_eq!(check(name, 0, 0, errors).worker_errors, 3, "{name}");
    }
}

#[test]
fn an_error_of_another_background_worker_counts() {
    assert_eq!(check("error_of_a_background_worker.csv", 0, 0, 3).worker_errors, 0);
}

#[test]
fn fetches_are_part_of_their_call() {
    check("jdbc_fetch.log", 2, 40_003_100, 0);
    // The log lacks the executions of 20 fetched portals, so their fetches become records. Ten of the portals belong to
    // one session. The other ten portals belong to ten sessions whose processes had the same ID.
    check("fetches_of_many_portals.csv", 20, 1_100_000, 0);
}

#[test]
fn a_duration_is_of_its_own_session() {
    assert_eq!(check("process_id_of_two_sessions.csv", 2, 5000, 0).orphan_durations, 1);
}

#[test]
fn sessions_whose_processes_have_the_same_id_share_nothing() {
    let log = include_bytes!("cases/reused_process_ids.csv");
    let selection = RecordSelection { add_parse_bind: true, ..SELECTION };
    let reading = read_selected(selection, LogKind::Csvlog, None, log, |entry| {
        let [user, sql] = [Field::User, Field::Sql].map(|field| String::from_utf8_lossy(entry.get(field)));
        let micros = duration_micros(entry.get(Field::Duration)).unwrap_or(0);
        format!("{user}: {sql} {micros} {:?}", entry.failed_lock_wait())
    });
    let mut records = reading.records;
    records.sort();
    let expected = [
        "ann: DROP TABLE t 0 None",
        "ann: UPDATE t SET a = 1 0 None",
        "bob: DROP TABLE t 0 None",
        "bob: SELECT 1 5000 None",
        "bob: SELECT 1/0 0 None",
    ];
    assert_eq!(records, expected);
}

#[test]
fn syslog_may_leave_messages_whole() {
    let (split, _) = figures("syslog_unsplit_same_on_stderr.log");
    let (whole, _) = figures("syslog_unsplit.log");
    assert_eq!((split.calls, split.errors), (18, 5));
    assert_eq!(whole, split);
}

#[test]
fn the_plan_of_a_cursor_is_no_call() {
    check("declare.log", 4, 0, 0);
}

#[test]
fn the_plan_of_an_execute_inside_is_no_call() {
    check("ctas_execute.log", 1, 11_000, 0);
}

#[test]
fn errors_without_their_statement_end_it() {
    let (found, stats) = figures("min_error_panic.csv");
    assert_eq!((found.calls, stats.failed), (2, 3));
}

#[test]
fn a_zone_with_several_meanings_is_counted() {
    use pgq_log::{RecordFilter, TimeLimit, parse_timestamp};
    let filter =
        RecordFilter { since: parse_timestamp("2026-11-25T00:00:00Z").map(TimeLimit::At), ..Default::default() };
    let log = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/logs/cases/cst.log")).unwrap();
    let stats = std::cell::RefCell::new(LogStats::default());
    read(LogKind::Stderr, None, &log, |entry| filter.selects(entry, &mut stats.borrow_mut()).to_string());
    assert_eq!(stats.borrow().ambiguous_zones, 4);
    assert!(stats.borrow().losses().unwrap().contains("CST"));
}

#[test]
fn names_of_functions_do_not_hide_that_they_raise() {
    let selection = RecordSelection { events: true, ..SELECTION };
    for (context, events) in [
        ("PL/pgSQL function plain() line 2 at RAISE", 0),
        // The function's name contains line breaks, and the texts of other entries of a CONTEXT.
        (
            "PL/pgSQL function a.\"x line 3 at SQL statement\nSQL statement \"\"x\"\"\nPL/pgSQL function y\"() line 2 at RAISE",
            0,
        ),
        ("PL/pgSQL function a.\"x«\"() line 2 at RAISE", 0),
        ("fonction PL/pgSQL a.\"x\ny\"(), ligne 2, à RAISE", 0),
        ("PL/pgSQL function a.\"at RAISE\nx\"() line 2 at SQL statement", 1),
        ("SQL statement \"select '\"'\"\nPL/pgSQL function a.\"x at RAISE\"() line 2 at SQL statement", 1),
    ] {
        let quoted = context.replace('"', "\"\"");
        let log = format!(
            "2026-01-31 12:00:06.223 UTC,\"ann\",\"shop\",7,\"[local]\",6b0af996.7,1,\"SELECT\",2026-01-31 12:00:06 UTC,3/1,0,LOG,\
             00000,\"temporary file: path \"\"base/pgsql_tmp/pgsql_tmp7.1\"\", size 99\",,,,,\"{quoted}\",\"SELECT 1\",,,\"\",\
             \"client backend\",,0\n"
        );
        let reading = read_selected(selection, LogKind::Csvlog, None, log.as_bytes(), |_| String::new());
        assert_eq!((reading.records.len(), reading.stats.unknown_texts), (events, 0), "{context}");
    }
}

#[test]
fn messages_that_are_not_utf8_are_counted() {
    let row = "2026-01-31 12:00:06.223 UTC,\"ann\",\"shop\",7,\"[local]\",6b0af996.7,1,\"SELECT\",2026-01-31 12:00:06 UTC,3/0,\
               0,LOG,00000,\"MESSAGE\",,,,,,,,,\"\",\"client backend\",,0\n";
    let [before, after] = row.split_once("MESSAGE").map(|(before, after)| [before, after]).unwrap();
    for (message, unknown) in [
        ("duración: 0.083 ms  sentencia: select 777".as_bytes(), 0),
        (b"duraci\xf3n: 0.083 ms  sentencia: select 777", 1),
        (b"Ausf\xfchren s1: select 777", 1),
        (b"statement: select '\xf3'", 0),
        (b"Ausf?hren s1: select 777", 1),
        ("serverny`j proczess (PID 7) by`l zavershyon po signalu 9: Killed".as_bytes(), 1),
        (b"?? ????(PID 7)? ?? 9: Killed", 1),
        (b"AUDIT: SESSION,1,1,READ,SELECT,,,select 'a?b'", 0),
        (b"connection ready: setup total=1.250 ms, fork=0.250 ms, authentication=0.125 ms", 0),
        (b"automatic vacuum of table \"\"a\"\": index scans: 0\nI/O timings: read: 0.125 ms, write: 0.000 ms", 0),
    ] {
        let log = [before.as_bytes(), message, after.as_bytes()].concat();
        let reading = read_selected(SELECTION, LogKind::Csvlog, None, &log, |_| String::new());
        assert_eq!(reading.stats.unknown_texts, unknown, "{}", String::from_utf8_lossy(message));
        assert_eq!(reading.stats.is_poorly_understood(), unknown > 0);
    }
}

#[test]
fn a_cancellation_may_have_a_position() {
    let (found, _) = figures("lock_timeout_position.log");
    assert_eq!((found.calls, found.errors, found.canceled), (1, 1, 1));
}

#[test]
fn plans_without_a_session_may_count_twice_which_is_counted() {
    let (found, stats) = figures("no_pid_auto_explain.log");
    assert!(found.calls == 10 || stats.unclear_plans > 0, "{found:?}");
}

#[test]
fn errors_without_a_statement_are_records() {
    let (found, _) = figures("errors_without_statement.log");
    assert_eq!((found.calls, found.errors, found.warnings), (2, 7, 1));
}
