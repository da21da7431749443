//! Tests `pgq digest`. The saved states of the parts of a log, merged in any order, produce the same digest as the
//! whole log, byte for byte. All formats of a log produce the same digest. The figures add up.

#[path = "../common/mod.rs"]
mod common;
mod figures;
mod formats;
#[cfg(target_os = "linux")]
mod live;
#[cfg(unix)]
#[path = "../../crates/pgq-postgres/tests/common/mod.rs"]
mod postgres;
mod recomputed;
mod records;
mod secrets;
#[cfg(unix)]
mod server_events;
mod too_long;

use std::path::Path;

use common::program::{run, stderr, stdout_of, write};
use common::project::project_file;
use common::properties;
use proptest::prelude::*;
use proptest::sample::Index;
use records::{PREFIX, Record, record};
use serde_json::Value;
use tempfile::tempdir;

/// Compares long documents. The message shows only the first difference.
fn assert_same(actual: &str, expected: &str, what: &str) {
    let at = actual.bytes().zip(expected.bytes()).take_while(|(a, b)| a == b).count();
    let around = |text: &str| text.chars().skip(at.saturating_sub(60)).take(160).collect::<String>();
    assert!(actual == expected, "{what}: at byte {at}\n{}\n{}", around(actual), around(expected));
}

fn fixture(name: &str) -> String {
    project_file(&format!("fixtures/log/{name}"))
}

/// Runs `pgq digest` for logs of [`records`].
fn digest(args: &[&str]) -> String {
    stdout_of(&[&["digest", "--from", "stderr", "--lenient", "--log-line-prefix", PREFIX], args].concat())
}

/// Runs `pgq digest --merge` for states.
fn merge(args: &[&str], states: &[String]) -> String {
    let states: Vec<&str> = states.iter().map(String::as_str).collect();
    stdout_of(&[&["digest"], args, &["--merge"], &states].concat())
}

fn text(records: &[Record]) -> String {
    records.iter().map(ToString::to_string).collect()
}

/// Cuts a log between records. Saves the state of each part's digest, except for parts without statements. Returns the
/// paths of the states.
fn states_of_parts(folder: &Path, records: &[Record], cuts: &[Index]) -> Vec<String> {
    let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(records.len() + 1)).collect();
    cuts.extend([0, records.len()]);
    cuts.sort_unstable();
    let parts = cuts.windows(2).enumerate().filter_map(|(number, ends)| {
        let log = write(folder, "part.log", text(&records[ends[0]..ends[1]]));
        let state = folder.join(format!("{number}.state")).to_string_lossy().into_owned();
        let jobs = (1 + number % 3).to_string();
        let args = ["digest", "--from", "stderr", "--lenient", "--log-line-prefix", PREFIX, "--jobs", &jobs, "--state"];
        let output = run(&[&args[..], &[&state, &log]].concat(), b"");
        let is_empty = stderr(&output).contains("no statement and no message was found");
        assert!(output.status.success() || is_empty, "{output:?}");
        output.status.success().then_some(state)
    });
    parts.collect()
}

proptest! {
    #![proptest_config(properties::config(16))]

    #[test]
    fn states_of_parts_merge_to_the_digest_of_the_whole_log(
        records in prop::collection::vec(record(), 50..600),
        cuts in prop::collection::vec(any::<Index>(), 0..9),
        order in Just((0..10).collect::<Vec<usize>>()).prop_shuffle(),
        first_step in any::<Index>(),
    ) {
        let folder = tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
        let log = write(folder.path(), "all.log", text(&records));
        let (state, merged, again) = (path("all.state"), path("merged.state"), path("again.state"));
        let document = digest(&["--format", "json", &log]);
        digest(&["--state", &state, &log]);
        assert_same(&merge(&["--format", "json"], std::slice::from_ref(&state)), &document, "one state");

        let states = states_of_parts(folder.path(), &records, &cuts);
        let shuffled: Vec<String> = order.iter().filter_map(|at| states.get(*at)).cloned().collect();
        // Merge in two steps: first some of the states, then the result with the other states.
        let (first, rest) = shuffled.split_at(first_step.index(shuffled.len()));
        merge(&["--state", &merged], if first.is_empty() { rest } else { first });
        let rest = if first.is_empty() { &[] } else { rest };
        let all = [&[merged], rest].concat();
        assert_same(&merge(&["--format", "json"], &all), &document, "states of parts");
        merge(&["--state", &again], &all);
        assert!(std::fs::read(&again).unwrap() == std::fs::read(&state).unwrap(), "the states differ");
    }

    #[test]
    fn numbers_add_up(
        records in prop::collection::vec(record(), 0..600),
        limit in prop::sample::select(vec!["100000", "10", "1"]),
        top in prop::sample::select(vec!["100000", "3"]),
    ) {
        let folder = tempdir().unwrap();
        // The log ends inside its last statement.
        let last = "2026-01-31 12:00:00.000 UTC [1] ann@shop LOG:  statement: SELECT cu";
        let log = write(folder.path(), "log", text(&records) + last);
        let args = ["fingerprint", "--format", "json", "--from", "stderr", "--log-line-prefix", PREFIX, &log];
        let executions = String::from_utf8(run(&args, b"").stdout).unwrap().lines().count() as u64;
        let document = digest(&["--format", "json", "--max-memory", limit, "--top", top, &log]);
        let document: Value = serde_json::from_str(&document).unwrap();
        let sum = |list: &Value, key: &dyn Fn(&Value) -> Option<u64>| -> u64 {
            list.as_array().unwrap().iter().map(|item| key(item).unwrap()).sum()
        };
        let count = |key: &str| document[key].as_u64().unwrap();
        let shown = sum(&document["groups"], &|group| group["calls"].as_u64());
        let not_shown = document["not_shown"]["calls"].as_u64().unwrap();
        let apart = count("unparsed") + count("truncated") + count("other");
        assert_eq!(shown + not_shown + apart, count("statements"));
        assert_eq!((count("statements"), count("truncated")), (executions, 1));
        assert_eq!(sum(&document["timeline"]["bins"], &|bin| bin[1].as_u64()), executions);
        assert!(count("other") == 0 || limit != "100000");
    }
}

#[test]
fn formats_and_jobs_give_the_same_digest() {
    let document = |format: &str, name: &str, jobs: &str| {
        let prefix: &[&str] = if format == "stderr" { &["--log-line-prefix", "%m [%p] %q%u@%d %a %c "] } else { &[] };
        let args = ["digest", "--format", "json", "--from", format, "--jobs", jobs, &fixture(name)];
        stdout_of(&[&args, prefix].concat())
    };
    // Removes the SQLSTATEs and the client hosts, because the prefix of the stderr log does not contain them. Also
    // removes the notes, such as the note about names with blanks.
    let document = |format: &str, name: &str, jobs: &str| {
        let mut document: Value = serde_json::from_str(&document(format, name, jobs)).unwrap();
        for kind in document["error_kinds"].as_array_mut().unwrap() {
            let sqlstate = kind["sqlstate"].take();
            assert_eq!(sqlstate.is_null(), format == "stderr", "{kind}");
            kind["hosts"].take();
            for example in ["first_message", "last_message"] {
                if let Some(example) = kind[example].as_object_mut() {
                    example.remove("host");
                }
            }
        }
        document["notes"].take();
        let hosts = document["hosts"].take();
        assert_eq!(hosts == serde_json::json!({}), format == "stderr", "{hosts}");
        for list in ["groups", "unparsed_groups"] {
            for group in document[list].as_array_mut().unwrap() {
                let hosts = group["hosts"].take();
                assert_eq!(hosts == serde_json::json!({}), format == "stderr", "{group}");
            }
        }
        document.to_string()
    };
    let expected = document("csvlog", "log.csv", "1");
    for (format, name) in [("csvlog", "log.csv"), ("stderr", "log.log"), ("jsonlog", "log.json"), ("auto", "log.json")]
    {
        for jobs in ["1", "4"] {
            assert_same(&document(format, name, jobs), &expected, &format!("{format}, {jobs} jobs"));
        }
    }
}

#[test]
fn a_baseline_marks_changes() {
    let folder = tempdir().unwrap();
    let log = |statements: &[(&str, &str)]| -> String {
        let line =
            |(ms, column): &(&str, &str)| format!("LOG:  duration: {ms} ms  statement: SELECT {column} FROM t\n");
        statements.iter().map(line).collect()
    };
    // The means of f and g change by a factor of exactly 1.5, the limit for *slower* and *faster*. The baseline is read
    // from JSON, which contains rounded means, and from a saved state. Both must lead to the same result.
    let before = [("10", "a"), ("10", "b"), ("10", "c"), ("10", "d"), ("8.178", "f"), ("12.267", "g")];
    let before = write(folder.path(), "before", log(&before));
    let now = [("20", "a"), ("11", "b"), ("4", "d"), ("1", "e"), ("12.267", "f"), ("8.178", "g")];
    let now = write(folder.path(), "now", log(&now));
    let document = write(folder.path(), "before.json", stdout_of(&["digest", "--format", "json", &before]));
    let state = folder.path().join("before.state").to_string_lossy().into_owned();
    stdout_of(&["digest", "--state", &state, &before]);
    for baseline in [&document, &state] {
        let digest = stdout_of(&["digest", "--format", "json", "--baseline", baseline, &now]);
        let digest: Value = serde_json::from_str(&digest).unwrap();
        let marks = |list: &str, mark: &dyn Fn(&Value) -> String| -> Vec<String> {
            let groups = digest[list].as_array().unwrap().iter();
            groups.map(|group| format!("{} {}", group["normalized"].as_str().unwrap(), mark(group))).collect()
        };
        let mut all = marks("groups", &|group| group["change"]["is"].as_str().unwrap().to_string());
        all.extend(marks("gone", &|_| "gone".to_string()));
        let expected = [
            "SELECT a FROM t slower",
            "SELECT f FROM t slower",
            "SELECT b FROM t same",
            "SELECT g FROM t faster",
            "SELECT d FROM t faster",
            "SELECT e FROM t new",
            "SELECT c FROM t gone",
        ];
        assert_eq!(all, expected, "{baseline}");
    }
}

#[test]
fn queries_with_missing_calls_are_not_compared() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let line = |ms: &str, table: &str| format!("LOG:  duration: {ms} ms  statement: SELECT * FROM {table}\n");
    let others: String = ('a'..='t').map(|table| line("10", &table.to_string())).collect();
    // Because of `--max-memory`, the digest of the morning's log drops the query with the fewest calls.
    let morning = write(folder.path(), "morning", line("1000", "orders").repeat(5) + &others.repeat(20));
    let noon = write(folder.path(), "noon", others.repeat(2) + &line("1", "orders").repeat(5));
    stdout_of(&["digest", "--max-memory", "20", "--state", &path("morning.state"), &morning]);
    stdout_of(&["digest", "--state", &path("noon.state"), &noon]);
    let day = path("day.state");
    stdout_of(&["digest", "--merge", &path("morning.state"), &path("noon.state"), "--state", &day]);
    stdout_of(&["digest", "--merge", &day, "--output", &path("day.json")]);
    for args in [
        ["--baseline", &day, "--merge", &path("noon.state")],
        ["--baseline", &path("day.json"), "--merge", &path("noon.state")],
        ["--baseline", &path("noon.state"), "--merge", &day],
    ] {
        let digest = stdout_of(&[&["digest", "--format", "json"][..], &args].concat());
        let digest: Value = serde_json::from_str(&digest).unwrap();
        let groups = digest["groups"].as_array().unwrap();
        let orders = groups.iter().find(|group| group["normalized"] == "SELECT * FROM orders").unwrap();
        assert_eq!((&orders["calls"], &orders["change"]["is"]), (&5.into(), &"unknown".into()), "{args:?}");
    }
}

#[test]
fn a_baseline_that_compares_nothing_is_refused() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    for name in ["all.csv", "all.parquet", "all.arrow", "all.html", "all.md", "all.txt", "all.json"] {
        stdout_of(&["digest", "--output", &path(name), &fixture("log.csv")]);
    }
    stdout_of(&["digest", "--top", "1", "--output", &path("top.json"), &fixture("log.csv")]);
    stdout_of(&["export", "--output", &path("rows.csv"), &fixture("log.csv")]);
    write(folder.path(), "text.log", "2026-01-31 12:00:00 UTC [1] LOG:  statement: SELECT 1\n");
    write(folder.path(), "other.log", "GET /index.html 200\n");
    let names =
        ["all.csv", "all.parquet", "all.arrow", "all.html", "all.md", "all.txt", "rows.csv", "text.log", "other.log"];
    let cases = names.map(|name| (name, "no query with a duration to compare with: --baseline takes"));
    for (name, message) in cases.into_iter().chain([("top.json", "because --top left them out")]) {
        let output = run(&["digest", "--baseline", &path(name), &fixture("log.csv")], b"");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{name}");
        assert!(stderr(&output).contains(message), "{name}: {}", stderr(&output));
    }
    let log = fixture("log.csv");
    let output = run(&["digest", "--since", "2030-01-01", "--baseline", &log, &log], b"");
    assert!(stderr(&output).contains("the filters (since 2030-01-01) leave no query"), "{}", stderr(&output));
    let output = run(&["digest", "--baseline", "/dev/stdin", &log], b"{}");
    assert!(stderr(&output).contains("/dev/stdin is not a regular file"), "{}", stderr(&output));
    // A log may also be JSON lines from a container runtime such as Docker.
    let line = |text: &str| serde_json::json!({ "log": format!("{text}\n"), "stream": "stderr" }).to_string();
    let lines: Vec<String> = std::fs::read_to_string(fixture("log.log")).unwrap().lines().map(line).collect();
    let docker = write(folder.path(), "docker.json", lines.join("\n"));
    for baseline in [&path("all.json"), &docker] {
        let digest = stdout_of(&["digest", "--format", "json", "--baseline", baseline, &log]);
        assert!(digest.contains("\"is\":\"same\"") && digest.contains("\"gone\":[]"), "{baseline}");
    }
}

#[test]
fn files_that_are_not_states_are_refused() {
    let folder = tempdir().unwrap();
    let state = folder.path().join("good.state").to_string_lossy().into_owned();
    stdout_of(&["digest", "--state", &state, &fixture("log.csv")]);
    let bytes = std::fs::read(&state).unwrap();
    let mut other_version = bytes.clone();
    other_version[8] = 9;
    let mut damaged = bytes.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    let line = stdout_of(&["digest", "--state", "-", &fixture("log.csv")]);
    for (wrong, message) in [
        (&b""[..], "is not a state"),
        (b"{\"groups\":[]}", "is not a state"),
        (b"SELECT 1;\n", "is not a state"),
        (&bytes[..bytes.len() - 1], "incomplete or damaged"),
        (&bytes[..10], "incomplete or damaged"),
        (&damaged, "incomplete or damaged"),
        (&other_version, "version 9"),
        (&line.as_bytes()[..line.len() - 9], "incomplete or damaged"),
    ] {
        let path = write(folder.path(), "wrong.state", wrong);
        let output = run(&["digest", "--merge", &state, &path], b"");
        let errors = stderr(&output);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{message}");
        assert!(errors.contains(message) && errors.contains("wrong.state"), "{errors}");
        let output = run(&["digest", "--baseline", &path, &fixture("log.csv")], b"");
        assert_eq!(output.status.code(), Some(2), "{message}");
    }
    let missing = folder.path().join("missing").to_string_lossy().into_owned();
    assert_eq!(run(&["digest", "--merge", &missing], b"").status.code(), Some(2));
    // A file may contain several states as text, one per line.
    let lines = write(folder.path(), "lines", &line);
    assert_same(&merge(&[], &[lines]), &merge(&[], &[state]), "lines");
}
