//! Checks the main figures of a report. While the test writes the log, it computes the figures that the report must
//! have.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use serde_json::Value;
use tempfile::tempdir;

use crate::common::program::{stdout_of, write};
use crate::records::PREFIX;

/// Number of different queries in the log.
const QUERIES: usize = 400;

/// A log with its correct figures.
struct Log {
    text: String,
    /// Number of calls for each table.
    calls: BTreeMap<String, u64>,
    errors: BTreeMap<&'static str, u64>,
}

/// Returns a name that consists of letters, because fingerprints ignore digits at the end of a name.
fn letters(number: usize) -> String {
    (0..3).map(|digit| char::from(b'a' + (number / 12_usize.pow(digit) % 12) as u8)).collect()
}

/// Writes a log. Its queries with the most calls take little time, so that they are not among the top queries by time.
fn log() -> Log {
    let mut log = Log { text: String::new(), calls: BTreeMap::new(), errors: BTreeMap::new() };
    let mut line = 0;
    let mut head = |text: &mut String, rest: &str| {
        let _ = writeln!(text, "2026-01-31 12:{:02}:{:02}.000 UTC [1] ann@shop {rest}", line / 60 % 60, line % 60);
        line += 1;
    };
    for number in 0..QUERIES {
        let table = format!("t_{}", letters(number));
        let calls = 1 + number as u64 % 40;
        let micros = if calls > 20 { 1 } else { 5000 + number };
        for value in 0..calls {
            let statement = format!("SELECT a FROM {table} WHERE b = {value}");
            head(
                &mut log.text,
                &format!("LOG:  duration: 0.{micros:03} ms  statement: {statement}").replace("0.5", "5."),
            );
        }
        log.calls.insert(table, calls);
    }
    let kinds = [
        (120, "invalid input syntax for type json: \"{?}\"", "invalid input syntax for type json: \"…\""),
        (30, "relation \"x_?\" does not exist", "relation \"…\" does not exist"),
        (6, "only ? simple columns are supported", "only N simple columns are supported"),
    ];
    for (count, message, masked) in kinds {
        for number in 0..count {
            head(&mut log.text, &format!("ERROR:  {}", message.replace('?', &number.to_string())));
            let table = letters(number);
            head(&mut log.text, &format!("STATEMENT:  INSERT INTO e_{table} SELECT {number}"));
            log.calls.entry(format!("e_{table}")).or_insert(0);
        }
        log.errors.insert(masked, count as u64);
    }
    log
}

fn digest(log: &str, options: &[&str]) -> String {
    // Use one job. With several jobs, the dropped queries would depend on how the jobs share the log.
    let args = ["digest", "--jobs", "1", "--from", "stderr", "--log-line-prefix", PREFIX, log];
    stdout_of(&[&args, options].concat())
}

fn document(log: &str, options: &[&str]) -> Value {
    serde_json::from_str(&digest(log, &[&["--format", "json"], options].concat())).unwrap()
}

#[test]
fn the_number_of_errors_is_exact_at_the_limit() {
    let folder = tempdir().unwrap();
    let mut log = String::new();
    for number in 0..5000 {
        let head = "2026-01-31 12:00:00.000 UTC [1] ann@shop";
        let _ = writeln!(log, "{head} ERROR:  syntax error at or near \"x{number}\" at character 8");
        let _ = writeln!(log, "{head} STATEMENT:  SELECT x{number} x{number} x{number}");
    }
    let log = write(folder.path(), "log", &log);
    for limit in ["64MB", "1MB", "64kB"] {
        let document = document(&log, &["--max-memory", limit]);
        assert_eq!([&document["errors"], &document["severities"]["ERROR"]], [5000, 5000], "{limit}");
    }
}

#[test]
fn errors_are_those_of_all_statements() {
    let (folder, truth) = (tempdir().unwrap(), log());
    let log = write(folder.path(), "log", &truth.text);
    let mut expected: Vec<(u64, &str)> = truth.errors.iter().map(|(message, count)| (*count, *message)).collect();
    expected.sort_unstable_by(|a, b| b.cmp(a));
    let kinds = document(&log, &["--top", "3"])["error_kinds"].clone();
    let kinds: Vec<(u64, &str)> = kinds
        .as_array()
        .unwrap()
        .iter()
        .map(|kind| (kind["count"].as_u64().unwrap(), kind["message"].as_str().unwrap()))
        .collect();
    assert_eq!(kinds, expected);
    for (format, sign) in [("text", "  "), ("markdown", " | "), ("csv", ""), ("html", "")] {
        let report = digest(&log, &["--top", "3", "--format", format]);
        let report = report.replace("&quot;", "\"").replace("\"\"", "\"");
        let places: Vec<usize> = expected.iter().map(|(_, message)| report.find(message).expect("listed")).collect();
        assert!(places.is_sorted(), "{format}");
        for (count, _) in &expected {
            let figure = if sign.is_empty() { count.to_string() } else { format!("{count}{sign}") };
            assert!(report.contains(&figure), "{format}: {figure}");
        }
    }
}

#[test]
fn lists_are_the_first_of_all_queries_by_their_own_key() {
    let (folder, truth) = (tempdir().unwrap(), log());
    let log = write(folder.path(), "log", &truth.text);
    let mut expected: Vec<u64> = truth.calls.values().copied().collect();
    expected.sort_unstable_by(|a, b| b.cmp(a));
    for (top, bars) in [("20", 10), ("2", 2)] {
        let page = digest(&log, &["--format", "html", "--top", top, "--sort", "max"]);
        let most_calls = &page[page.find("id=\"most-calls\"").unwrap()..];
        let most_calls = &most_calls[..most_calls.find("</section>").unwrap()];
        let listed: Vec<u64> = most_calls
            .split("<data value=\"")
            .skip(1)
            .map(|part| part[..part.find('"').unwrap()].parse().unwrap())
            .collect();
        assert_eq!(listed, expected[..bars], "--top {top}");
    }
}

#[test]
fn a_page_with_top_has_only_the_first_queries_of_each_order() {
    let (folder, truth) = (tempdir().unwrap(), log());
    let log = write(folder.path(), "log", &truth.text);
    let orders = ["total", "calls", "mean", "max", "p95", "errors", "temp", "locks"];
    let first: BTreeSet<String> = orders
        .iter()
        .map(|order| document(&log, &["--sort", order, "--top", "1"])["groups"][0]["fingerprint"].to_string())
        .collect();
    let page = digest(&log, &["--format", "html", "--top", "1"]);
    let ids = page.split("<tbody id=\"q-").skip(1).map(|part| format!("\"{}\"", &part[..16]));
    assert_eq!(ids.collect::<BTreeSet<_>>(), first);
}

#[test]
fn distinct_queries_are_counted_also_where_some_are_dropped() {
    let (folder, truth) = (tempdir().unwrap(), log());
    let log = write(folder.path(), "log", &truth.text);
    let distinct = truth.calls.len() as u64;
    assert_eq!(document(&log, &[])["distinct_queries"], distinct);
    for limit in ["100", "80kB"] {
        let limited = document(&log, &["--max-memory", limit]);
        let kept = limited["groups"].as_array().unwrap().len() as u64;
        assert_eq!(limited["distinct_queries"], distinct);
        assert_eq!(limited["other_groups_dropped"], distinct - kept);
        let line = format!("{distinct} distinct queries ({kept} kept, {} dropped: see --max-memory)", distinct - kept);
        assert!(digest(&log, &["--max-memory", limit]).contains(&line), "{line}");
        assert!(kept <= 100 && kept > 10, "{kept}");
    }
}

#[test]
fn the_times_of_messages_that_are_not_kept_count_in_the_range() {
    let folder = tempdir().unwrap();
    let mut log = String::new();
    for number in 0..1700 {
        let head = format!("2026-01-31 12:{:02}:{:02}.000 UTC [1] ann@shop", number / 60, number % 60);
        let _ = writeln!(log, "{head} FATAL:  kind {} failed", letters(number));
    }
    let log = write(folder.path(), "log", &log);
    let state = folder.path().join("state").to_string_lossy().into_owned();
    let limit = ["--max-memory", "150kB"];
    digest(&log, &[&limit[..], &["--state", &state]].concat());
    let merged = stdout_of(&[&["digest", "--format", "json", "--merge", &state], &limit[..]].concat());
    for document in [document(&log, &limit), serde_json::from_str(&merged).unwrap()] {
        assert!(document["other_messages"].as_u64() > Some(0), "all are kept");
        assert_eq!(
            [&document["first"], &document["last"]],
            ["2026-01-31 12:00:00.000 UTC", "2026-01-31 12:28:19.000 UTC"]
        );
    }
}

#[test]
fn names_that_are_not_kept_have_a_key_that_no_user_has() {
    let folder = tempdir().unwrap();
    let mut log = String::new();
    for number in 0..4000 {
        let user = if number % 4 == 0 { "(others)".into() } else { format!("user_{number}") };
        let head = format!("2026-01-31 12:00:00.000 UTC [1] {user}@shop");
        let _ = writeln!(log, "{head} LOG:  duration: 1.000 ms  statement: SELECT 1");
    }
    let log = write(folder.path(), "log", &log);
    let document = document(&log, &["--max-memory", "300kB"]);
    for users in [&document["users"], &document["groups"][0]["users"]] {
        let users = users.as_object().unwrap();
        let calls: u64 = users.values().map(|totals| totals["calls"].as_u64().unwrap()).sum();
        assert_eq!((calls, users["(others)"]["calls"].as_u64()), (4000, Some(1000)));
        assert!(users[""]["calls"].as_u64().unwrap() > 0);
    }
    let page = digest(&log, &["--format", "html", "--max-memory", "300kB"]);
    assert!(page.contains("<i>others</i>") && page.contains("<span>(others) "));
}

#[test]
fn a_long_call_counts_in_the_time_that_it_took() {
    let folder = tempdir().unwrap();
    let text = "2026-01-31 12:02:00.500 UTC [1] ann@shop LOG:  duration: 90000.000 ms  statement: SELECT 1\n";
    let log = write(folder.path(), "log", text);
    let timeline = document(&log, &[])["timeline"].clone();
    let bins = timeline["bins"].as_array().unwrap();
    let sum: f64 = bins.iter().map(|bin| bin[2].as_f64().unwrap()).sum();
    assert_eq!((bins.len(), sum, timeline["seconds"].as_i64()), (91, 90_000.0, Some(1)));
    assert!(bins[1..90].iter().all(|bin| bin[2] == 1000.0 && bin[1] == 0));
    assert!(bins[0][2] == 500.0 && bins[90][2] == 500.0 && bins[90][1] == 1);
    let page = digest(&log, &["--format", "html"]);
    assert!(page.contains("Average active queries") && page.contains("peak 1.00 at"));
}

#[test]
fn a_call_ends_at_the_same_time_in_every_setting_of_the_server() {
    let line = |time: &str, message: &str| format!("2026-01-31 12:{time}:00.000 UTC [1] ann@shop LOG:  {message}\n");
    let one = line("50", "duration: 1800000.000 ms  statement: SELECT a FROM t");
    let two = line("20", "statement: SELECT a FROM t") + &line("50", "duration: 1800000.000 ms");
    let folder = tempdir().unwrap();
    let time = |text: &str| {
        let found = document(&write(folder.path(), "log", text), &[]);
        ["first", "last", "timeline", "groups"].map(|key| found[key].clone())
    };
    assert_eq!(time(&one), time(&two));
    assert_eq!(time(&two)[1], "2026-01-31 12:50:00.000 UTC");
}

/// `IST` is ambiguous. `--timezone` determines its meaning.
#[test]
fn the_page_has_the_zone_of_an_ambiguous_abbreviation() {
    let folder = tempdir().unwrap();
    let text = "2026-01-31 00:00:01.000 IST [1] ann@shop LOG:  duration: 1.000 ms  statement: SELECT a FROM t\n";
    let log = write(folder.path(), "log", text);
    for (timezone, seconds) in [("Asia/Kolkata", 19_800), ("Asia/Jerusalem", 7_200)] {
        let page = digest(&log, &["--format", "html", "--timezone", timezone]);
        assert!(page.contains(&format!("\"zone\":{seconds},")), "{timezone}");
    }
}

/// For a query with few calls, the digest keeps each duration. For a query with many calls, it keeps only a histogram.
/// The bins in the report must not depend on this.
#[test]
fn bins_do_not_depend_on_the_number_of_calls() {
    let folder = tempdir().unwrap();
    for micros in [0, 1, 2, 3, 127, 128, 255, 256, 257, 511, 512, 1024, 1 << 20, (1 << 20) + 1] {
        let bin = |calls: usize| {
            let line = format!("LOG:  duration: {}.{:03} ms  statement: SELECT 1\n", micros / 1000, micros % 1000);
            let path = write(folder.path(), "a.log", line.repeat(calls));
            let document: Value = serde_json::from_str(&stdout_of(&["digest", "--format", "json", &path])).unwrap();
            let bins = document["groups"][0]["histogram"].as_array().unwrap().clone();
            assert_eq!((bins.len(), bins[0][1].as_u64()), (1, Some(calls as u64)), "{micros}");
            (bins[0][0].as_f64().unwrap() * 1000.0).round() as u64
        };
        let bound = if micros == 0 { 1 } else { (micros + 1_u64).next_power_of_two() };
        assert_eq!([bin(10), bin(40)], [bound, bound], "{micros}");
    }
}
