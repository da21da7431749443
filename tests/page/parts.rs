//! Tests selections on the page: the statements of a user, client or tag, or of a period. The page's figures must
//! equal the counts that the test makes while it writes the log.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::{Folder, array, browser, digest, page_and_json};

const SCRIPT: &str = include_str!("parts.js");
const PREFIX: &str = "%m [%p] %u@%d %h ";

/// A statement of the log.
struct Statement {
    second: usize,
    user: &'static str,
    host: String,
    controller: &'static str,
    table: char,
    /// 0 if the log lacks the duration.
    micros: u64,
    failed: bool,
}

/// Names of tables. The log lacks the durations of some statements on these tables.
const SAMPLED: [char; 2] = ['e', FAST];
/// Name of a table whose statements take 6 microseconds. The missing durations hardly change the query's total.
const FAST: char = 'b';

/// Calls, microseconds, errors.
type Sums = [u64; 3];

fn statements() -> Vec<Statement> {
    let statement = |second: usize| {
        let table = char::from(b'a' + (second * second % 11) as u8);
        Statement {
            second,
            user: ["ann", "bob", "cy"][second % 3],
            host: format!("10.0.0.{}", second % 5),
            controller: ["cart", "home"][second / 7 % 2],
            table,
            micros: match table {
                FAST => 6 * u64::from(second % 30 != 1),
                'e' if second.is_multiple_of(4) => 0,
                _ => 1000 * (second % 13) as u64 + 250,
            },
            failed: second % 50 == 7,
        }
    };
    (0..3000).map(statement).collect()
}

fn log(statements: &[Statement]) -> String {
    let mut log = String::new();
    for Statement { second, user, host, controller, table, micros, failed } in statements {
        let (hour, minute) = (10 + second / 3600, second / 60 % 60);
        let head = format!("2026-01-31 {hour}:{minute:02}:{:02}.500 UTC [1] {user}@shop {host} ", second % 60);
        let sql = format!("SELECT {second} FROM t_{table} /*controller='{controller}'*/");
        log += &match (failed, micros) {
            (true, _) => format!("{head}ERROR:  no\n{head}STATEMENT:  {sql}\n"),
            (false, 0) => format!("{head}LOG:  statement: {sql}\n"),
            (false, _) => {
                format!("{head}LOG:  duration: {}.{:03} ms  statement: {sql}\n", micros / 1000, micros % 1000)
            }
        };
    }
    log
}

/// Returns the sums for each table.
fn sums<'a>(statements: impl Iterator<Item = &'a Statement>) -> BTreeMap<String, Sums> {
    let mut sums = BTreeMap::<String, Sums>::new();
    for statement in statements {
        let [calls, micros, errors] = sums.entry(format!("t_{}", statement.table)).or_default();
        match statement.failed {
            true => *errors += 1,
            false => (*calls, *micros) = (*calls + 1, *micros + statement.micros),
        }
    }
    sums
}

/// Returns the sums that the page shows for a selection, by table.
fn shown(part: &Value, tables: &BTreeMap<String, String>) -> BTreeMap<String, Sums> {
    let row = |row: &Value| {
        let table = tables[row[0].as_str().unwrap()].clone();
        let micros = (row[2].as_f64().unwrap() * 1000.0).round() as u64;
        (table, [row[1].as_u64().unwrap(), micros, row[3].as_u64().unwrap()])
    };
    array(&part["rows"]).iter().map(row).collect()
}

fn assert_part(part: &Value, expected: &BTreeMap<String, Sums>, tables: &BTreeMap<String, String>) {
    assert_eq!(&shown(part, tables), expected, "{}", part["note"]);
    for (row, mean) in array(&part["rows"]).iter().zip(array(&part["means"])) {
        let table = &tables[row[0].as_str().unwrap()];
        let [calls, micros, _] = expected[table];
        let is_known = calls > 0 && micros > 0 && !table.ends_with(SAMPLED);
        let mean_micros = mean.as_f64().map(|ms| (ms * 1000.0).round());
        let expected = is_known.then(|| (micros as f64 / calls as f64).round());
        assert_eq!(mean_micros, expected, "{table} of {}", part["note"]);
    }
    let total = |index: usize| expected.values().map(|sums| sums[index]).sum::<u64>();
    let number = |text: &Value| text.as_str().unwrap().replace(',', "").parse::<u64>().unwrap();
    assert_eq!([number(&part["statements"]), number(&part["errors"])], [total(0), total(2)], "{}", part["note"]);
    let mut by_time: Vec<(&String, &Sums)> = expected.iter().collect();
    by_time.sort_by_key(|(_, sums)| std::cmp::Reverse(sums[1]));
    let first = tables[part["bars"][0].as_str().unwrap()].clone();
    assert_eq!(expected[&first][1], by_time[0].1[1], "the query with the most time is the first");
    assert!(array(&part["p95"]).iter().all(|text| text == "–"), "percentiles are not known for a part");
    assert!(array(&part["changes"]).iter().all(|text| text == "–"), "changes are not known for a part");
}

#[test]
fn the_page_follows_a_user_a_client_a_tag_and_a_period() {
    let Some(chromium) = browser::chromium() else { return };
    let folder = Folder::new("parts");
    let statements = statements();
    let log = folder.write("log", &log(&statements));
    let args = ["--log-line-prefix", PREFIX, &log.to_string_lossy()];
    let before = folder.write("before", &digest(&[&args[..], &["--format", "json"]].concat()));
    let (page, document) = page_and_json(&[&args[..], &["--baseline", &before.to_string_lossy()]].concat());
    let tables: BTreeMap<String, String> = array(&document["groups"])
        .iter()
        .map(|group| {
            let text = |value: &Value| value.as_str().unwrap().to_string();
            (text(&group["fingerprint"]), text(&group["tables"][0]))
        })
        .collect();
    let copy = folder.write("page.html", &browser::with_probe(&page, SCRIPT, &[]));
    let seen = browser::answer(&chromium, &copy, "");

    assert_eq!(shown(&seen["whole"], &tables), sums(statements.iter()));
    assert!(array(&seen["whole"]["changes"]).iter().any(|text| text == "1.00×"), "{}", seen["whole"]["changes"]);
    let parts = array(&seen["parts"]);
    assert_eq!(parts.len(), 3 + 5 + 2, "users, hosts, tags; there is one database");
    for part in parts {
        let (name, _) = part["name"].as_str().unwrap().split_once(" (").unwrap();
        let is_in = |statement: &&Statement| match part["group"].as_str().unwrap() {
            "Users" => statement.user == name,
            "Hosts" => statement.host == name,
            _ => format!("controller={}", statement.controller) == name,
        };
        assert_part(part, &sums(statements.iter().filter(is_in)), &tables);
        assert_ne!(part["calls"], seen["whole"]["calls"], "the timeline follows");
    }

    // The note has the form `Only 2026-01-31 10:12:30 to 2026-01-31 10:25:00: …`.
    let note = seen["period"]["note"].as_str().unwrap();
    let second = |at: usize| {
        let clock = &note[at..at + 8];
        let parts: Vec<usize> = clock.split(':').map(|part| part.parse().unwrap()).collect();
        (parts[0] - 10) * 3600 + parts[1] * 60 + parts[2]
    };
    let (from, to) = (second("Only 2026-01-31 ".len()), second("Only 2026-01-31 10:12:30 to 2026-01-31 ".len()));
    assert!((600..800).contains(&from) && (1400..1600).contains(&to), "{note}");
    let in_period = sums(statements.iter().filter(|statement| (from..to).contains(&statement.second)));
    // Each call ends in the middle of a second and takes less than half a second, so no call crosses the start of the
    // period.
    assert_part(&seen["period"], &in_period, &tables);
    let csv = seen["csv"].as_str().unwrap();
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let number = |at: usize, scale: f64| fields.get(at)?.parse::<f64>().ok().map(|n| (n * scale).round() as u64);
        Some((tables.get(fields[0])?.clone(), [number(1, 1.0)?, number(2, 1000.0)?, number(9, 1.0)?]))
    };
    assert_eq!(csv.lines().filter_map(row).collect::<BTreeMap<_, _>>(), in_period, "{csv}");

    assert_eq!(seen["again"], seen["whole"]);
    assert_eq!(seen["linked"], json!(true));
    let bars = array(&seen["bars"]);
    assert!(bars.len() > 20 && bars.iter().all(|bar| bar.as_str().unwrap().contains("call")), "{}", seen["bars"]);
}

/// A call lasts from before the period until after it. The page shows the part of the call's time that is in the
/// period. The page does not count the call, because the call ends after the period.
#[test]
fn a_query_that_runs_through_a_period_is_listed() {
    let Some(chromium) = browser::chromium() else { return };
    let folder = Folder::new("runs-through");
    let log = folder.write(
        "log",
        "2026-01-31 00:00:01.000 UTC [1] LOG:  duration: 1.000 ms  statement: SELECT a FROM t\n\
         2026-01-31 10:00:00.000 UTC [1] LOG:  duration: 28800000.000 ms  statement: SELECT pg_sleep(28800)\n",
    );
    let (page, document) = page_and_json(&["--log-line-prefix", "%m [%p] ", &log.to_string_lossy()]);
    let copy = folder.write("page.html", &browser::with_probe(&page, SCRIPT, &[]));
    let period = &browser::answer(&chromium, &copy, "")["period"];

    let longest = &document["groups"][0]["fingerprint"];
    let [row] = array(&period["rows"]) else { panic!("{period}") };
    assert_eq!([&row[0], &row[1], &row[3]], [longest, &json!(0), &json!(0)]);
    assert!(row[2].as_f64() > Some(7_000_000.0), "{row}");
    assert_eq!([&period["statements"], &period["queries"]], ["0", "1"]);
    assert_eq!(period["bars"], json!([longest]));
}

/// The page uses the log's time zone, even if the log abbreviates the zone ambiguously (`IST`).
#[test]
fn the_page_is_in_the_zone_of_the_log() {
    let folder = Folder::new("zone");
    for (name, option, seconds) in
        [("IST", "Asia/Kolkata", 19_800), ("CST", "Asia/Shanghai", 28_800), ("CEST", "UTC", 7200)]
    {
        let log = format!("2026-06-01 00:00:01.900 {name} [1] LOG:  duration: 1 ms  statement: SELECT 1\n");
        let log = folder.write("log", &log);
        let page = digest(&[
            "--format",
            "html",
            "--timezone",
            option,
            "--log-line-prefix",
            "%m [%p] ",
            &log.to_string_lossy(),
        ]);
        assert!(page.contains(&format!("\"zone\":{seconds},")), "{name}");
    }
}
