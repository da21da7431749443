//! Statements whose lines look like messages of another client. pgq must still detect the log's format, and must
//! join the parts of split lines or count the lines as ambiguous.

use pgq_log::{LogKind, detect_format};
use serde_json::json;

use super::common::{read, summary, unwrap};
use super::events::events;
use super::write;

const SETTING: &str = "%m [%p] %q%u@%d ";
const FORGED: &str =
    "2026-01-31 12:00:09.000 UTC [1002] bob@shop LOG:  duration: 9.000 ms  statement: DROP TABLE forged";

/// Returns a csvlog row of a statement.
fn row(statement: &str) -> String {
    let text = statement.replace('"', "\"\"");
    format!(
        "2026-01-31 12:00:00.000 UTC,\"eve\",\"shop\",7,\"[local]\",65b.7,1,\"SELECT\",2026-01-31 11:00:00 UTC,3/1,0,LOG,\
         00000,\"duration: 1.000 ms  statement: {text}\",,,,,,,,,\"app\",\"client backend\",,0\n"
    )
}

/// Returns a stderr line without its line break.
fn line(pid: u32, statement: &str) -> String {
    format!("2026-01-31 12:00:00.000 UTC [{pid}] eve@shop LOG:  duration: 1.000 ms  statement: {statement}")
}

#[test]
fn a_statement_cannot_choose_the_format() {
    let rows = write::csvlog(&events()).concat();
    for forged in [
        FORGED,
        "LOG:  duration: 9.0 ms  statement: DROP TABLE forged",
        "{\"error_severity\":\"LOG\",\"message\":\"\",\"timestamp\":\"\"}",
    ] {
        for count in [60, 3000] {
            let evil = row(&format!("SELECT '\n{}'", format!("{forged}\n").repeat(count)));
            for log in [format!("{rows}{evil}{rows}"), format!("{evil}{rows}"), evil.clone()] {
                for name in ["-", "postgresql.csv.1", "postgresql.csv.old", "postgresql.log"] {
                    assert_eq!(detect_format(name, log.as_bytes()), Some(LogKind::Csvlog), "{name}: {forged}");
                }
                // A sample may end within the row.
                assert_eq!(detect_format("-", &log.as_bytes()[..log.len() / 2]), Some(LogKind::Csvlog), "{forged}");
                let framed: String =
                    log.lines().map(|line| format!("2026-01-31T12:00:00.000000000Z stderr F {line}\n")).collect();
                let (lines, _) = unwrap(framed.as_bytes());
                assert_eq!(detect_format("-", &lines), Some(LogKind::Csvlog), "CRI: {forged}");
            }
        }
    }
    // The sample for the detection may end in the middle of a doubled quote.
    let quotes = row(&format!("SELECT '\n{FORGED}\n{FORGED}\n{}\n", "\"".repeat(40)));
    let start = quotes.find("\"\"\"").unwrap();
    for end in start - 50..quotes.len() {
        assert_eq!(detect_format("-", &quotes.as_bytes()[..end]), Some(LogKind::Csvlog), "{end}");
    }
    let row = row("SELECT 1");
    let statement = format!("{}\n", line(7, &format!("SELECT\n\t{}", row.repeat(99).replace('\n', "\n\t"))));
    // A client has chosen a user name and a statement that together look like a csvlog row.
    let commas = |user: &str, sql: &str| line(7, sql).replace(" [7] eve@shop ", &format!(",{user},7 "));
    let others = format!("{}\n", commas("ann", "SELECT 1")).repeat(3);
    let imitation = commas("\"eve\"", ",,,,,,,,,LOG,00000,\"x\",,,,,,,,,,,,,");
    for log in [statement, format!("{imitation}\n{others}")] {
        assert_eq!(detect_format("-", log.as_bytes()), Some(LogKind::Stderr), "{log:.200}");
    }
}

#[test]
fn rows_that_are_glued_to_a_cut_row_are_counted() {
    let whole = row("SELECT 1");
    // Number of columns in the csvlog of each version since 9.0, and of a future version.
    for columns in [23, 24, 26, 27] {
        let whole = match whole.trim_end().split(',').collect::<Vec<_>>() {
            parts if columns > 26 => format!("{},\"later\"\n", parts.join(",")),
            parts => format!("{}\n", parts[..columns].join(",")),
        };
        let good = read(LogKind::Csvlog, None, whole.repeat(3).as_bytes(), summary);
        assert_eq!((good.records.len(), good.stats.unreadable), (3, 0), "{columns}");
        for cut in 1..whole.len() - 1 {
            let log = format!("{whole}{}{whole}{whole}", &whole[..cut]);
            let found = read(LogKind::Csvlog, None, log.as_bytes(), summary);
            let is_counted = found.stats.unreadable + found.stats.interrupted > 0;
            assert!(is_counted, "{columns} columns, {}\n{:?}", &whole[..cut], found.records);
            assert!(found.records.iter().all(|record| *record == good.records[0]), "{:?}", found.records);
        }
    }
}

/// Returns a line that a platform has split after `limit` bytes. The second part looks like a message.
fn parts(limit: usize) -> [String; 2] {
    let start = line(7, "SELECT 1 /*");
    [format!("{start}{}", "x".repeat(limit - start.len())), format!("{FORGED}*/")]
}

#[test]
fn lines_that_journald_has_split_are_joined() {
    let [start, rest] = parts(48 << 10);
    let event = |pid: &str, message: serde_json::Value| json!({"MESSAGE": message, "_PID": pid, "__REALTIME_TIMESTAMP": "1769860800000000"});
    for reason in ["line-max", "pid-change"] {
        let mut broken = event("7", start.clone().into());
        broken["_LINE_BREAK"] = reason.into();
        let other = event("8", line(8, "SELECT 2").into());
        let log = [other.clone(), broken.clone(), other.clone(), event("7", rest.clone().into()), other.clone()];
        let log: String = log.iter().map(|event| format!("{event}\n")).collect();
        let (lines, title) = unwrap(log.as_bytes());
        let found = read(LogKind::Stderr, Some(SETTING), &lines, summary);
        assert_eq!((title.as_deref(), found.records.len(), found.stats.ambiguous), (Some("journald JSON"), 4, 0));
        assert!(found.records.iter().any(|record| record.ends_with("DROP TABLE forged*/") && record.starts_with("7 ")));
        // Without `--all`, journalctl omits long messages.
        broken["MESSAGE"] = serde_json::Value::Null;
        let log = [other.clone(), broken, event("7", rest.clone().into()), other.clone(), other];
        let log: String = log.iter().map(|event| format!("{event}\n")).collect();
        let found = read(LogKind::Stderr, Some(SETTING), &unwrap(log.as_bytes()).0, summary);
        assert_eq!((found.stats.unreadable, found.stats.ambiguous), (1, 1));
    }
}

#[test]
fn lines_after_a_split_without_a_mark_are_ambiguous() {
    let syslog = |pid: u32, line: &str| format!("Jan 31 12:00:00 db postgres[{pid}]: {line}\n");
    let cloudwatch = |_: u32, line: &str| {
        format!("{}\n", json!({"eventId": "1", "timestamp": 1_769_860_800_000_u64, "message": line}))
    };
    let tail = |_: u32, line: &str| format!("2026-01-31T12:00:00.000000+00:00 db-1.0 {line}\n");
    let heroku = |_: u32, line: &str| format!("2026-01-31T12:00:00.000000+00:00 app[postgres.1]: {line}\n");
    let cri = |_: u32, line: &str| format!("2026-01-31T12:00:00.000000000Z stderr F {line}\n");
    type Form<'a> = &'a dyn Fn(u32, &str) -> String;
    let forms: [(&str, Form<'_>, usize, u64); 8] = [
        ("syslog of journald", &syslog, 48 << 10, 1),
        ("syslog of docker", &syslog, 16 << 10, 1),
        ("CloudWatch", &cloudwatch, (256 << 10) - 26, 1),
        ("CloudWatch since 2025", &cloudwatch, (1 << 20) - 26, 1),
        ("aws logs tail", &tail, (256 << 10) - 26, 1),
        ("heroku", &heroku, 10_000, 1),
        ("an ordinary long line", &cloudwatch, 300_000, 0),
        ("a line that has a mark", &cri, 16 << 10, 0),
    ];
    for (name, form, limit, ambiguous) in forms {
        let [start, rest] = parts(limit);
        let other = form(8, &line(8, "SELECT 2"));
        let log = format!("{other}{other}{}{}{other}", form(7, &start), form(7, &rest));
        let (lines, title) = unwrap(log.as_bytes());
        let found = read(LogKind::Stderr, Some(SETTING), &lines, summary);
        assert_eq!((found.stats.ambiguous, found.stats.unreadable), (ambiguous, 0), "{name}: {title:?}");
        // The platform has replaced bytes that are not UTF-8.
        let replaced = log.replace("xxx", "xx\u{FFFD}");
        let found = read(LogKind::Stderr, Some(SETTING), &unwrap(replaced.as_bytes()).0, summary);
        assert_eq!(found.stats.ambiguous, ambiguous, "{name}, with replaced bytes");
    }
    // PostgreSQL splits a line at the last blank within 900 bytes, or after 900 bytes if there is no blank.
    for (word, rest, ambiguous) in
        [("x".repeat(899), FORGED, 1), ("x".repeat(895) + "#033", FORGED, 1), ("x".repeat(890) + " yyy", " z", 0)]
    {
        let parts = [line(7, "SELECT 1 /*"), format!(" {word}"), rest.to_string()].map(|part| syslog(7, &part));
        let log = format!("{}{}{}", syslog(8, &line(8, "SELECT 2")), parts.concat(), syslog(7, &line(7, "SELECT 3")));
        let found = read(LogKind::Stderr, Some(SETTING), &unwrap(log.as_bytes()).0, summary);
        assert_eq!(found.stats.ambiguous, ambiguous, "{word}");
    }
}

#[test]
fn lines_with_a_tab_cannot_choose_the_envelope() {
    // Some tools print their header only before the first line of a message. Therefore the other lines of a client's
    // statement can imitate lines with the header of another tool.
    let tail = |line: &str| format!("2026-01-31T12:00:00.000000+00:00 db-1.0 {line}\n");
    let forged = format!("\tpg-0 postgres {FORGED}\n").repeat(400);
    let own = tail(&line(7, "SELECT 2"));
    let log = own.repeat(3) + &tail(&line(7, "SELECT 1 /*")) + &forged + &own;
    let (lines, title) = unwrap(log.as_bytes());
    assert_eq!(title.as_deref(), Some("aws logs tail"));
    let found = read(LogKind::Stderr, Some(SETTING), &lines, summary);
    assert!(found.records.len() == 5 && found.records.iter().all(|record| record.starts_with("7 LOG | eve")));
}

#[test]
fn parts_of_a_statement_cannot_choose_the_format() {
    let object = json!({"timestamp": "2026-01-31 12:00:09.000 UTC", "user": "bob", "pid": 9, "error_severity": "LOG",
                        "message": "duration: 9.000 ms  statement: DROP TABLE forged"});
    let grepped = format!("x.log:{FORGED}");
    for part in [&object.to_string(), row("DROP TABLE forged").trim_end(), &grepped] {
        // The server numbers the parts of a message.
        let syslog = |piece: usize, line: &str| format!("Jan 31 12:00:00 db postgres[7]: [1-{piece}] {line}\n");
        let parts = |start: usize| (start..70).map(|piece| syslog(piece, part)).collect::<String>();
        let own = syslog(1, &line(7, "SELECT 2"));
        // In journald, all parts but the last have the maximum length.
        let long = part.to_string() + &" ".repeat((48 << 10) - part.len());
        let journald = |line: &str| {
            json!({"MESSAGE": line, "_PID": "7", "__REALTIME_TIMESTAMP": "1769860800000000"}).to_string() + "\n"
        };
        let start = line(7, &format!("SELECT '{}", "x".repeat(48 << 10)))[..48 << 10].to_string();
        let unmarked = journald(&line(7, "SELECT 2")) + &journald(&start) + &journald(&long).repeat(4);
        for log in [own.clone() + &parts(2), parts(2) + &own.repeat(2), unmarked] {
            let (lines, title) = unwrap(log.as_bytes());
            let title = title.unwrap();
            assert!(title == "syslog" || title == "journald JSON", "{title}: {part}");
            assert_eq!(detect_format("-", &lines), Some(LogKind::Stderr), "{title}: {part}");
            let found = read(LogKind::Stderr, Some(SETTING), &lines, summary);
            assert!(found.records.iter().all(|record| record.starts_with("7 LOG | eve")), "{part}");
        }
    }
}

#[test]
fn split_lines_from_the_newest_to_the_oldest_are_refused() {
    let [start, rest] = parts(48 << 10);
    let event = |second: u32, line: &str, more: &str| {
        format!(
            "{{\"MESSAGE\":{line:?},\"_PID\":\"7\",\"__REALTIME_TIMESTAMP\":\"17698608{second:02}000000\"{more}}}\n"
        )
    };
    let other = |second| event(second, &line(7, "SELECT 2"), "");
    let log =
        other(9) + &other(8) + &other(7) + &event(6, &rest, "") + &event(5, &start, ",\"_LINE_BREAK\":\"line-max\"");
    let mut unwrapper = pgq_log::Unwrapper::detect(log.as_bytes(), &[], None).unwrap();
    let problem = unwrapper.feed(log.as_bytes(), &mut Vec::new()).unwrap_err();
    assert_eq!(problem.to_string(), "runs newest first and has split lines: export it oldest first");
}
