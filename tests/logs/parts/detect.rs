//! Tests of detection. pgq detects a log's format by its name and content, and detects whether two files contain the
//! same log.

use pgq_log::{FirstMessages, LogKind, LogReaderConfig, RecordSelection, detect_format, is_known_name, starts_as_log};

/// Returns a line that PostgreSQL would write with a prefix.
fn line(prefix: &str) -> String {
    let escapes = [
        ("%m", "2026-01-31 12:00:00.123 UTC"),
        ("%t", "2026-01-31 12:00:00 UTC"),
        ("%s", "2026-01-31 11:00:00 UTC"),
        ("%p", "42"),
        ("%q", ""),
        ("%u", "ann"),
        ("%d", "shop"),
        ("%a", "my app"),
        ("%h", "10.0.0.1"),
        ("%r", "10.0.0.1(5000)"),
        ("%l", "3"),
        ("%e", "00000"),
        ("%v", "3/7"),
        ("%x", "0"),
        ("%c", "65b.2a"),
    ];
    escapes.iter().fold(prefix.to_string(), |line, (escape, text)| line.replace(escape, text)) + "LOG:  x\n"
}

#[test]
fn formats_are_detected_by_name_then_by_content() {
    assert_eq!(detect_format("x.sql", b"2026-01-31 12:00:00 UTC LOG:  x"), None);
    assert_eq!(detect_format("x.csv.gz", b""), Some(LogKind::Csvlog));
    assert_eq!(detect_format("-", b"{\"timestamp\":\"2026\",\"error_severity\":"), Some(LogKind::Jsonlog));
    assert_eq!(detect_format("a.log", b"2026-01-31 12:00:00.1 UTC,\"ann\",\"shop\",1"), Some(LogKind::Csvlog));
    assert_eq!(detect_format("a.log", line("%m [%p] ").as_bytes()), Some(LogKind::Stderr));
    assert_eq!(detect_format("a.log", b"SELECT 1;\n"), None);
}

#[test]
fn a_script_may_speak_of_a_log() {
    for script in [
        "SELECT 'ERROR:  x';\n",
        "-- LOG:  statement: SELECT 1\nSELECT 1;\n",
        "select 1;\n-- 2026-01-31 12:00:00 UTC [42] LOG:  x\n",
        "\\echo 'NOTICE:  x'\n",
        "CREATE TABLE t (a int);\nNOTICE:  x\n",
    ] {
        assert_eq!(detect_format("-", script.as_bytes()), None, "{script}");
    }
    let comment = line("-- %m [%p] ");
    assert_eq!(detect_format("-", format!("{comment}{comment}\tSELECT 1;\n").as_bytes()), Some(LogKind::Stderr));
    assert_eq!(detect_format("-", format!("{comment}{comment}SELECT 1;\n").as_bytes()), None);
    let prefix = line("%m [%p] ");
    assert_eq!(detect_format("-", format!("{prefix}\tSELECT 1;\n").as_bytes()), Some(LogKind::Stderr));
    assert_eq!(detect_format("-", format!("SELECT 1\n{prefix}{prefix}").as_bytes()), Some(LogKind::Stderr));
    assert_eq!(detect_format("-", b"LOG:  statement: SELECT 1\nSELECT 2\n"), Some(LogKind::Stderr));
}

#[test]
fn names_of_scripts_and_logs_are_known() {
    let known = ["a.sql", "A.SQL.gz", "postgresql.log", "postgresql.log.2.gz", "x.log-20260131", "p.csv", "p.json.1"];
    assert!(known.into_iter().all(is_known_name));
    assert!(!["README.md", "a.sql~", "log", "a.log.bak", ".sql.swp"].into_iter().any(is_known_name));
}

#[test]
fn a_log_is_known_by_its_first_line() {
    let row =
        "2026-01-31 12:00:00.123 UTC,ann,shop,7,[local],65b.7,1,SELECT,2026-01-31 12:00:00 UTC,3/7,0,LOG,00000,x\n";
    assert_eq!(detect_format("-", row.as_bytes()), Some(LogKind::Csvlog));
    assert!(starts_as_log(row.as_bytes()) && starts_as_log(line("%m [%p] ").as_bytes()));
    for other in ["", "LOG:  x\n", "# Example\n2026-01-31 12:00:00 UTC LOG:  x\n", "2026-01-31 12:00:00,7,a\n"] {
        assert!(!starts_as_log(other.as_bytes()), "{other}");
    }
}

#[test]
fn one_damaged_line_does_not_decide() {
    let patroni = "2026-01-31 12:00:00,123 INFO: no action\n".repeat(3);
    assert_eq!(detect_format("log", format!("{patroni}{}", line("%m [%p] ")).as_bytes()), Some(LogKind::Stderr));
    let row = "2026-01-31 12:00:00.123 UTC,\"u\",\"d\",7,\n";
    let message = line("%m [%p] ");
    assert_eq!(detect_format("log", format!("{message}{message}{row}").as_bytes()), Some(LogKind::Stderr));
    assert_eq!(detect_format("log", format!("{message}{row}{row}").as_bytes()), Some(LogKind::Csvlog));
}

fn first(kind: LogKind, log: &str) -> FirstMessages {
    let (config, _) = LogReaderConfig::new(kind, RecordSelection::default(), None, log.as_bytes());
    FirstMessages::new(&config, log.as_bytes()).unwrap()
}

#[test]
fn a_log_is_recognised_in_another_format() {
    let line = |second: u32, pid: u32| {
        format!("2026-01-31 12:00:{second:02} UTC [{pid}] ann@shop LOG:  duration: 1.5 ms  statement: SELECT 1,\n\t2\n")
    };
    let log = |pid| (0..8).map(|second| line(second, pid)).collect::<String>();
    let row = |second: u32| {
        format!(
            "{{\"timestamp\":\"2026-01-31 12:00:{second:02}.250 UTC\",\"pid\":7,\"error_severity\":\"LOG\",\
             \"message\":\"duration: 1.5 ms  statement: SELECT 1,\\n2\"}}\n"
        )
    };
    let stderr = first(LogKind::Stderr, &log(7));
    assert!(stderr.is_same(&first(LogKind::Jsonlog, &(0..9).map(row).collect::<String>())));
    assert!(!stderr.is_same(&first(LogKind::Jsonlog, &(1..9).map(row).collect::<String>())));
    assert!(!stderr.is_same(&first(LogKind::Stderr, &log(8))));
    assert!(!stderr.is_same(&first(LogKind::Stderr, &line(0, 7))));
    let in_unix_time = |second: u32| {
        format!("{}.250 [7] ann@shop LOG:  duration: 1.5 ms  statement: SELECT 1,\n\t2\n", 1_769_860_800 + second)
    };
    let epoch = first(LogKind::Stderr, &(0..8).map(in_unix_time).collect::<String>());
    assert!(epoch.is_same(&stderr));
    assert!(epoch.is_same(&first(LogKind::Jsonlog, &(0..8).map(row).collect::<String>())));
}

#[test]
fn milliseconds_distinguish_logs_of_one_second() {
    let log = |millis: u32| {
        let line =
            |number: u32| format!("2026-01-31 12:00:00.{:03} UTC [7] LOG:  statement: COMMIT\n", millis + number);
        first(LogKind::Stderr, &(0..8).map(line).collect::<String>())
    };
    assert!(log(0).is_same(&log(0)) && !log(0).is_same(&log(8)));
}
