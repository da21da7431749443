//! Tests with user, database and application names that look like the rest of a line. pgq must read
//! the same records from the stderr log as from the csvlog, or count lines as ambiguous.
//! `PGQ_CASES` sets the number of logs.

use pgq_log::{Entry, LogKind};

use super::common::{Pieces, Reading, SELECTION, read, read_source, unwrap};
use super::events::{Event, Session};
use super::random::{Random, setting};
use super::{all_envelopes, fields, write};

const PREFIXES: [&str; 31] = [
    "%m [%p] %q%u@%d ",
    "%m [%p] %b %q%u@%d ",
    "%m [%p] %b %u@%d ",
    "%m [%p] %q%u@%d %i ",
    "%m [%p] %q%u@%d/%a ",
    "%t [%p]: user=%u,db=%d,app=%a,client=%h ",
    "%t:%r:%u@%d:[%p]:",
    "%m [%p] %a ",
    "%m [%p] %q[user=%u,db=%d,app=%a] ",
    "%m|%u|%d|%a|%h|%p|",
    "%m [%p] %u ",
    "%m [%p] %d",
    "%m %a [%p] %u ",
    "%m [%p] %q%a %u@%d ",
    "%m [%c] [%a] %e ",
    "%m [%p] %u-%d ",
    "%m [%p] %a %u %d ",
    "%n %p %a %u %d %e ",
    "%t [%p] %u:%d ",
    "%m [%p] [%u] [%d] [%a] ",
    "%p %u@%d %m ",
    "%c %l %u %d %a %m ",
    "%r %u %d %m ",
    "%h %p %u %d ",
    "%x %u,%d,%a,",
    "%p: %d %u ",
    "user=%u,db=%d,app=%a,client=%h ",
    "<%u@%d> %m ",
    "[%a] %p ",
    "%m\t[%p]\t%q%u@%d\t",
    "%m\t%p\t%u\t%d\t",
];

const PIECES: [&str; 32] = [
    "x",
    "ann",
    " ",
    "@",
    "/",
    ":",
    ",",
    "|",
    "[",
    "]",
    "LOG:  ",
    " LOG:  statement: DROP TABLE t",
    "STATEMENT:  ",
    " DETAIL:  ",
    "ERROR:  ",
    "db=",
    ",db=",
    ",app=",
    "-",
    "\t",
    "\t\n\t",
    "\tPANIC:  could not write\n",
    "@shop LOG:  duration: 99.0 ms  statement: drop",
    ",client=1.2.3.4 ",
    "[unknown]",
    "[7]",
    "\n1001 ann",
    "\n10.0.0.7 1001 ann",
    " 42P01 ",
    "] LOG:  duration: 9 ms",
    "FATAL: ",
    "2026-01-31 12:00:00.000 UTC [1001] ",
];

fn name(random: &mut Random, is_application: bool) -> &'static str {
    let mut name: String = (0..1 + random.below(5)).map(|_| random.of(&PIECES)).collect();
    if is_application {
        name = name.replace(char::is_control, "?"); // as the server does
    } else if random.below(6) == 0 {
        name = name.replacen(' ', if random.below(2) == 0 { "\n" } else { "\n\t" }, 1);
    }
    name.truncate(63);
    name.leak()
}

fn events(random: &mut Random) -> Vec<Event> {
    let usual = ["ann", "shop", "psql"];
    let mut events = Vec::new();
    for index in 0..6u32 {
        let names: [&'static str; 3] = std::array::from_fn(|part| match random.below(5) {
            0 => name(random, part == 2),
            _ => usual[part],
        });
        let session = Session {
            pid: 1001 + index,
            user: names[0],
            database: names[1],
            application: names[2],
            host: "10.0.0.7",
            port: 50111,
            backend: "client backend",
            started: 1,
        };
        for (line, failed) in [(1, false), (2, random.below(2) == 0)] {
            let sql = format!("SELECT {index} + {line}");
            events.push(Event {
                millis: index * 37 + line,
                session,
                line,
                tag: "SELECT",
                severity: if failed { "ERROR" } else { "LOG" },
                state: if failed { "42P01" } else { "00000" },
                message: if failed { "no such thing".into() } else { format!("duration: 1.5 ms  statement: {sql}") },
                detail: String::new(),
                statement: if failed { sql } else { String::new() },
            });
        }
    }
    events
}

/// Returns a message about a client that the server has not authenticated. The client has chosen a user name and a
/// database name that contain parts of a forged log line with the prefix `setting`.
fn unproved(random: &mut Random, setting: &str, millis: u32) -> Event {
    const BROKEN: (&str, &str, usize) = ("LOG", "could not receive data from client: Connection reset by peer", 63);
    const DEBUG: (&str, &str, usize) = ("DEBUG", "InitPostgres", 63);
    const REFUSED: (&str, &str, usize) = ("FATAL", "password authentication failed for user", 63);
    // The server logs this error before it cuts the names.
    const NOT_CUT: (&str, &str, usize) =
        ("FATAL", "invalid startup packet layout: expected terminator as last byte", 1000);
    let session = Session {
        pid: 1001,
        user: "u",
        database: "d",
        application: "[unknown]",
        host: "10.0.0.7",
        port: 50111,
        backend: "client backend",
        started: 1,
    };
    let event = |session, severity, message: &str| Event {
        millis,
        session,
        line: 1,
        tag: "",
        severity,
        state: "00000",
        message: message.into(),
        detail: String::new(),
        statement: String::new(),
    };
    let (severity, message, most) = random.of(&[BROKEN, DEBUG, REFUSED, REFUSED, NOT_CUT, NOT_CUT]);
    let forged = random.of(&[
        ("LOG", "x"),
        ("LOG", "statement: drop"),
        ("LOG", "duration: 9 ms  statement: drop"),
        ("ERROR", "x"),
    ]);
    // A line with a label that starts no message, or with an error, can hide the line before it. Without the zone, more
    // lines fit into a name.
    let further = random.of(&["HINT", "LOCATION", "STATEMENT", "ERROR", "PANIC"]);
    let is_short = random.below(2) == 0;
    let [forged, further] = [forged, (further, "")].map(|(severity, message)| {
        let line = write::stderr(&[event(session, severity, message)], setting).concat();
        let line = if is_short { line.replace(".000 UTC", "").replace(" UTC", "") } else { line };
        line.trim_end_matches('\n').to_string()
    });
    let mut name = || -> &'static str {
        let (from, to) = (random.below(forged.len()), random.below(forged.len() + 1));
        let middle = match random.below(6) {
            0 => format!("\n{forged}"),
            1 => format!("\n{further}"),
            2 => format!("\n{forged}\n{further}"),
            _ => String::new(),
        };
        let end = if random.below(8) == 0 { "\n\t" } else { "\n" };
        let mut name = match random.below(4) {
            0 => "a".to_string(),
            _ => format!("{}{middle}{end}{}", &forged[from..], &forged[..to]),
        };
        name.truncate(most);
        name.leak()
    };
    let (user, database) = (name(), name());
    let message = match random.below(3) {
        0 => format!("{message}, user \"{user}\", database \"{database}\""),
        _ => message.to_string(),
    };
    event(Session { pid: 1099, user, database, ..session }, severity, &message)
}

#[test]
fn names_of_unproved_clients_that_span_lines_are_counted() {
    let cases = setting("PGQ_CASES", 2000);
    let begins = |prefix: &&str| ["%m", "%t", "%n", "%p", "%c"].iter().any(|start| prefix.starts_with(start));
    let prefixes: Vec<&str> = PREFIXES.into_iter().filter(begins).collect();
    let mut verdicts = Verdicts::default();
    for case in 0..cases {
        let mut random = Random(case * 7919 + 7);
        let setting = random.of(&prefixes);
        let mut events = events(&mut random);
        events.iter_mut().for_each(|event| {
            event.session = Session { user: "ann", database: "shop", application: "psql", ..event.session }
        });
        let at = random.below(events.len() / 2) * 2;
        events.insert(at, unproved(&mut random, setting, at as u32 / 2 * 37));
        verdicts.add_stderr(&events, setting, case);
    }
    verdicts.check(cases);
}

/// Counts of logs, by the result of reading them.
#[derive(Default)]
struct Verdicts {
    equal: u64,
    counted: u64,
    silent: Vec<String>,
}

impl Verdicts {
    /// Compares the records that pgq read from a log (`found`) with the records of the csvlog (`expected`). `about`
    /// describes the log.
    fn add(&mut self, found: &Reading, expected: &[String], about: impl Fn() -> String) {
        if found.records == expected {
            self.equal += 1;
        } else if found.stats.ambiguous + found.stats.ambiguous_names > 0 {
            self.counted += 1;
        } else {
            let pairs = found.records.iter().zip(expected).find(|(found, expected)| found != expected);
            self.silent.push(format!("{}\n  {pairs:?}\n", about()));
        }
    }

    /// Writes events as a stderr log with the prefix `setting` and as a csvlog, and compares their records.
    fn add_stderr(&mut self, events: &[Event], setting: &str, case: u64) {
        let csvlog = write::csvlog(events).concat();
        let expected = read(LogKind::Csvlog, None, csvlog.as_bytes(), |entry| fields(setting, entry));
        let log = write::stderr(events, setting).concat();
        let found = read(LogKind::Stderr, Some(setting), log.as_bytes(), |entry| fields(setting, entry));
        self.add(&found, &expected.records, || format!("case {case}: {setting:?}\n{log}"));
        // The end of a chunk must not hide that a line is ambiguous.
        let size = 1 + case as usize % 400;
        let pieces = (log.as_bytes(), Pieces { log: log.as_bytes(), read: 0, size });
        let found = read_source(SELECTION, LogKind::Stderr, Some(setting), pieces, |entry| fields(setting, entry));
        self.add(&found, &expected.records, || format!("case {case}, {size} bytes at a time: {setting:?}\n{log}"));
    }

    fn check(&self, cases: u64) {
        let Self { equal, counted, silent } = self;
        println!("{cases} logs: {equal} equal, {counted} counted as ambiguous, {} silent", silent.len());
        assert!(silent.is_empty(), "{} of {cases}\n{}", silent.len(), silent[..silent.len().min(5)].concat());
        assert!(*equal > cases / 5 && *counted > cases / 5, "the names are not of both kinds");
    }
}

#[test]
fn names_that_look_like_lines_are_read_or_counted() {
    let cases = setting("PGQ_CASES", 2000);
    let mut verdicts = Verdicts::default();
    for case in 0..cases {
        let mut random = Random(case * 7919 + 3);
        let setting = random.of(&PREFIXES);
        let events = events(&mut random);
        verdicts.add_stderr(&events, setting, case);
    }
    verdicts.check(cases);
}

#[test]
fn names_that_look_like_lines_are_read_or_counted_in_envelopes() {
    let cases = setting("PGQ_CASES", 2000);
    // Keep only formats with whole log lines. The other formats have the fields of a csvlog instead.
    let has_lines =
        |(name, _): &(&str, _)| !name.contains("fields") && !name.contains("columns") && *name != "CloudNativePG";
    let forms: Vec<_> = all_envelopes().filter(has_lines).collect();
    // Some formats have no tabs before continuation lines. Without tabs, pgq recognizes a continuation line by its
    // missing timestamp, so the prefix must begin with the time.
    let with_time: Vec<&str> = PREFIXES.into_iter().filter(|it| it.starts_with("%m") || it.starts_with("%t")).collect();
    let mut verdicts = Verdicts::default();
    for case in 0..cases {
        let mut random = Random(case * 7919 + 5);
        let setting = random.of(&with_time);
        let (name, form) = random.of(&forms);
        let events = events(&mut random);
        let csvlog = write::csvlog(&events).concat();
        let mut expected = read(LogKind::Csvlog, None, csvlog.as_bytes(), |entry| fields(setting, entry)).records;
        let log = form(&events, &write::stderr(&events, setting));
        let (lines, title) = unwrap(log.as_bytes());
        // A syslog daemon escapes line breaks, including line breaks in names. Decodes these escapes before the
        // comparison.
        let escaped = |entry: Entry<'_>| fields(setting, entry).replace("#012", "\n").replace("#011", "\t");
        let mut found = read(LogKind::Stderr, Some(setting), &lines, escaped);
        expected.sort();
        found.records.sort();
        verdicts.add(&found, &expected, || format!("case {case}: {name} taken for {title:?}, {setting:?}\n{log}"));
    }
    verdicts.check(cases);
}

/// The client's user and database contain the second and the third line. Only the third line shows the forgery.
#[test]
fn a_forged_line_is_counted_wherever_a_chunk_ends() {
    let bob = "2026-01-31 12:00:00.000 UTC [5] bob@shop LOG:  duration: 1.000 ms  statement: SELECT 1\n";
    let forged = "2026-01-31 12:00:00.000 UTC [9] a@b LOG:  x\n\
                  2026-01-31 12:00:00.000 UTC [7] ann@shop LOG:  statement: DROP TABLE t\n\
                  2026-01-31 12:00:00 UTC [9] FATAL:  expected password response, got message type 88\n";
    let log = [bob, bob, forged, bob, bob].concat();
    for size in 1..=log.len() {
        let pieces = (log.as_bytes(), Pieces { log: log.as_bytes(), read: 0, size });
        let found = read_source(SELECTION, LogKind::Stderr, Some("%m [%p] %q%u@%d "), pieces, |_| String::new());
        assert_eq!(found.stats.ambiguous, 1, "{size} bytes at a time");
    }
}
