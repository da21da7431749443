//! Logs with one damaged or foreign line. The inferred prefix must equal the prefix that is
//! inferred without this line, or pgq must refuse the log. `PGQ_CASES` sets the number of logs.

use pgq_log::internals::{Prefix, PrefixField, PrefixRanges};
use pgq_log::{LogKind, LogReaderConfig};

use super::common::{SELECTION, unwrap};
use super::events::events;
use super::random::{PREFIXES as RANDOM, Random, random_events, setting};
use super::{prefixes, write};

/// Lines that pg_ctl, psql, initdb and other programs write to the output of a container.
const FOREIGN: [&str; 14] = [
    "INFO:  starting",
    "WARNING:  x",
    "app[7]: ERROR:  failed",
    "2026-01-31 12:00:00,123 INFO:  x",
    "2026/01/31 12:00:00 [7] LOG:  x",
    "31.01.2026 12:00:00 LOG:  x",
    "psql:/docker-entrypoint-initdb.d/init.sql:7: NOTICE:  table \"t\" does not exist, skipping",
    "initdb: WARNING:  enabling \"trust\" authentication for local connections",
    "[1769857200] LOG:  x",
    "12:00:00 LOG:  x",
    "12:00:00.123 [main] INFO:  x",
    "Sat Jan 31 12:00:00 2026 LOG:  x",
    "1769857200 LOG:  x",
    "2026-01-31 12:00:00.123 UTC [7] DEBUG:  x",
];

/// Output of other programs. The output does not end with a line break, so the next log line follows on the same line.
const BEFORE: [&str; 9] = [
    ".",
    "...",
    "waiting for server to start....",
    "waiting for server to shut down...",
    "+ ",
    "done",
    "server stopped",
    " ",
    "7 ",
];

/// Returns the number of ways in which [`damage`] can change a line.
fn damages(line: &str) -> usize {
    3 * line.len().min(100) + BEFORE.len() + FOREIGN.len()
}

/// Damages a line. Returns `None` if the line remains unchanged.
fn damage(line: &str, number: usize) -> Option<String> {
    let len = line.len().min(100);
    let at = number % len;
    let (before, rest) = line.split_at_checked(at)?;
    Some(match number / len {
        0 => rest.to_string(),
        1 => format!("{before}{}", rest.get(1..)?),
        2 => format!("{before}x{}", rest.get(1..)?),
        _ => match number - 3 * len {
            number if number < BEFORE.len() => format!("{}{line}", BEFORE[number]),
            number => format!("{}\n{line}", FOREIGN[number - BEFORE.len()]),
        },
    })
}

fn inferred(log: &str) -> String {
    let (log, title) = unwrap(log.as_bytes());
    let notice = LogReaderConfig::new(LogKind::Stderr, SELECTION, None, &log).1.unwrap_or_default();
    title.map_or(notice.clone(), |title| format!("{title}: {notice}"))
}

/// Returns the prefixes in a notice.
fn prefixes_of(notice: &str) -> Vec<Prefix> {
    notice.split('\'').skip(1).step_by(2).map(Prefix::parse).collect()
}

/// Returns the fields and the text of a line.
fn read_line(prefixes: &[Prefix], line: &str) -> Option<(Vec<String>, usize)> {
    const FIELDS: [PrefixField; 11] = [
        PrefixField::Time,
        PrefixField::Pid,
        PrefixField::Session,
        PrefixField::User,
        PrefixField::Database,
        PrefixField::Application,
        PrefixField::RemoteHost,
        PrefixField::SessionLine,
        PrefixField::SqlState,
        PrefixField::VirtualXid,
        PrefixField::Txid,
    ];
    let mut ranges = PrefixRanges::default();
    let (_, text) = prefixes.iter().find_map(|prefix| prefix.match_line(line.as_bytes(), &mut ranges))?;
    Some((FIELDS.iter().map(|field| line[ranges.get(*field)].to_string()).collect(), text))
}

#[test]
fn a_damaged_line_does_not_change_the_prefix() {
    let (cases, seed) = (setting("PGQ_CASES", 300), setting("PGQ_SEED", 1));
    let (mut wrong, mut refused) = (Vec::new(), Vec::new());
    for case in 0..cases {
        let mut random = Random(seed * 1_000_003 + case);
        let setting = if random.below(2) == 0 { random.of(&prefixes::RECOGNIZED) } else { random.of(&RANDOM) };
        let events = if random.below(8) == 0 { events() } else { random_events(&mut random) };
        let log = write::stderr(&events, setting).concat();
        let expected = inferred(&log);
        let lines: Vec<&str> = log.lines().collect();
        // Skips short logs, because a damaged line is a large part of a short log.
        if lines.len() < 12 || lines.len() > 1000 || !expected.contains("taken to be") {
            continue;
        }
        let at = if random.below(2) == 0 { 0 } else { random.below(lines.len()) };
        let number = random.below(damages(lines[at]));
        let Some(line) = damage(lines[at], number) else { continue };
        let mut damaged: Vec<&str> = lines.clone();
        damaged[at] = &line;
        let found = inferred(&(damaged.join("\n") + "\n"));
        let case = format!("case {case}, {} lines: {setting:?}\n  {expected}\n  {found}\n  {line}\n", lines.len());
        let (before, after) = (prefixes_of(&expected), prefixes_of(&found));
        if after.is_empty() {
            refused.push(case);
        } else if (0..lines.len())
            .any(|index| index != at && read_line(&before, lines[index]) != read_line(&after, lines[index]))
        {
            wrong.push(case);
        }
    }
    println!("{cases} logs: {} wrong, {} refused\n{}", wrong.len(), refused.len(), refused.concat());
    assert!(wrong.is_empty(), "{} of {cases}\n{}", wrong.len(), wrong[..wrong.len().min(12)].concat());
    assert!(refused.len() as u64 * 50 < cases, "{} of {cases} are refused", refused.len());
}
