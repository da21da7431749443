//! `pgq digest`: however a log is cut into parts, and in whatever order their states are
//! merged, the result is the same to the byte; the formats of a log give the same digest.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("pgq-digest-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn pgq(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pgq")).args(args).output().unwrap()
}

fn out(args: &[&str]) -> String {
    String::from_utf8(pgq(args).stdout).unwrap()
}

fn good(args: &[&str]) -> String {
    let output = pgq(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Documents are long: only where they differ is shown.
fn assert_same(ours: &str, expected: &str, what: &str) {
    let at = ours.bytes().zip(expected.bytes()).take_while(|(a, b)| a == b).count();
    let around = |text: &str| text.chars().skip(at.saturating_sub(60)).take(160).collect::<String>();
    assert!(ours == expected, "{what}: at byte {at}\n{}\n{}", around(ours), around(expected));
}

fn fixture(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/log").join(name).to_string_lossy().into_owned()
}

/// A row of a generator of numbers (xorshift64), the same in every run.
fn next(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

/// A log with queries of many shapes, users and durations, errors, statements that do not
/// parse, and lines that are no message.
fn log(lines: usize, seed: u64) -> Vec<String> {
    let mut state = seed;
    let line = |_| {
        let r = |n: u64, state: &mut u64| next(state) % n;
        let (user, pid) = (["ann", "bob", ""][r(3, &mut state) as usize], r(20, &mut state));
        let second = r(40_000, &mut state);
        let time = format!(
            "2026-01-31 {:02}:{:02}:{:02}.{:03} UTC",
            second / 3600,
            second / 60 % 60,
            second % 60,
            r(1000, &mut state)
        );
        let head = format!("{time} [{pid}] {user}@shop ");
        // Letters: digits in the names of tables do not count.
        let letter = |n: u64| char::from(b'a' + (n % 26) as u8);
        let (table, value, ms) = (
            format!("{0}{0}{1}", letter(r(26, &mut state)), letter(r(3, &mut state))),
            r(1000, &mut state),
            r(1 << r(22, &mut state), &mut state),
        );
        let duration = format!("duration: {}.{:03} ms  ", ms / 1000, ms % 1000);
        match r(12, &mut state) {
            0 => format!("{head}ERROR:  no {}\n{head}STATEMENT:  SELECT {value} FROM t_a{table}", r(5, &mut state)),
            1 => format!("{head}LOG:  {duration}statement: SELEC {table}"),
            2 => format!("{head}LOG:  {duration}statement: UPDATE t_a{table}\n\tSET a = {value}"),
            3 => format!(
                "{head}LOG:  {duration}execute s: SELECT $1 FROM t_a{table}\n{head}DETAIL:  parameters: $1 = '{value}'"
            ),
            4 => "rubbish".into(),
            5 => format!(
                "{head}LOG:  {duration}statement: SELECT * FROM t WHERE a IN ({value}{})",
                ", 1".repeat(r(4, &mut state) as usize)
            ),
            _ => format!(
                "{head}LOG:  {duration}statement: SELECT a FROM t_b{} WHERE b = '{value}'",
                letter(r(9, &mut state))
            ),
        }
    };
    (0..lines).map(line).collect()
}

#[test]
fn parts_merge_to_the_whole_in_any_order() {
    let folder = Folder::new("merge");
    let lines = log(3000, 0x9E37_79B9_7F4A_7C15);
    let all = folder.path("all.log");
    std::fs::write(&all, lines.join("\n") + "\n").unwrap();
    let prefix = ["--from", "stderr", "--log-line-prefix", "%m [%p] %u@%d "];
    let (json, state) = (folder.path("all.json"), folder.path("all.state"));
    std::fs::write(&json, good(&[&["digest", "--format", "json", &all], &prefix[..]].concat())).unwrap();
    good(&[&["digest", "--partial", &state, &all], &prefix[..]].concat());
    let (whole, whole_state) = (std::fs::read_to_string(&json).unwrap(), std::fs::read(&state).unwrap());
    assert_same(&good(&["digest", "--format", "json", "--merge", &state]), &whole, "state");
    let document: Value = serde_json::from_str(&whole).unwrap();
    assert!(document["groups"].as_array().unwrap().len() > 50 && document["unparsed"].as_u64() > Some(100));
    let mut seed = 42;
    for round in 0..12 {
        // Cut between records into up to nine parts, some of them empty.
        let mut cuts: Vec<usize> = (0..round % 9).map(|_| next(&mut seed) as usize % lines.len()).collect();
        cuts.extend([0, lines.len()]);
        cuts.sort_unstable();
        let mut parts: Vec<String> = Vec::new();
        for (number, pair) in cuts.windows(2).enumerate() {
            let (part, state) = (folder.path("part.log"), folder.path(&format!("{number}.state")));
            std::fs::write(&part, lines[pair[0]..pair[1]].iter().map(|line| format!("{line}\n")).collect::<String>())
                .unwrap();
            let jobs = (1 + round % 3).to_string();
            good(&[&["digest", "--jobs", &jobs, "--partial", &state, &part], &prefix[..]].concat());
            parts.push(state);
        }
        // Any order, and in two steps.
        for i in (1..parts.len()).rev() {
            parts.swap(i, next(&mut seed) as usize % (i + 1));
        }
        let half = parts.len() / 2;
        let (some, rest) = parts.split_at(half);
        let merged = folder.path("merged.state");
        let step: Vec<&str> =
            ["digest", "--partial", &merged, "--merge"].into_iter().chain(rest.iter().map(String::as_str)).collect();
        good(&step);
        let last: Vec<&str> = ["digest", "--format", "json", "--merge", &merged]
            .into_iter()
            .chain(some.iter().map(String::as_str))
            .collect();
        assert_same(&good(&last), &whole, &format!("round {round}: {cuts:?}"));
        let again = folder.path("again.state");
        let last: Vec<&str> = ["digest", "--partial", &again, "--merge", &merged]
            .into_iter()
            .chain(some.iter().map(String::as_str))
            .collect();
        good(&last);
        assert!(std::fs::read(&again).unwrap() == whole_state, "round {round}");
    }
}

#[test]
fn jobs_and_formats_give_the_same_digest() {
    let args = |form: &'static str, name: &str, jobs: &'static str| {
        let file = fixture(name);
        let mut args = vec![
            "digest".to_string(),
            "--format".into(),
            "json".into(),
            "--from".into(),
            form.into(),
            "--jobs".into(),
            jobs.into(),
            file,
        ];
        if form == "stderr" {
            args.extend(["--log-line-prefix".into(), "%m [%p] %q%u@%d %a %c ".into()]);
        }
        args
    };
    let run = |form, name, jobs| {
        let args = args(form, name, jobs);
        good(&args.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let expected = run("csvlog", "log.csv", "1");
    for (form, name) in [("csvlog", "log.csv"), ("stderr", "log.log"), ("jsonlog", "log.json"), ("auto", "log.json")] {
        for jobs in ["1", "4"] {
            assert_same(&run(form, name, jobs), &expected, &format!("{form} {jobs}"));
        }
    }
}

#[test]
fn everything_adds_up() {
    let folder = Folder::new("sum");
    let file = folder.path("log");
    std::fs::write(
        &file,
        log(2000, 7).join("\n") + "\n2026-01-31 12:00:00.000 UTC [1] ann@shop LOG:  statement: SELECT cu",
    )
    .unwrap();
    let prefix = ["--from", "stderr", "--log-line-prefix", "%m [%p] %u@%d "];
    let executed = out(&[&["fingerprint", "--format", "json", &file], &prefix[..]].concat());
    let executed = executed.lines().count() as u64;
    for limit in ["100000", "10", "1"] {
        for top in ["100000", "3"] {
            let digest =
                good(&[&["digest", "--format", "json", "--limit", limit, "--top", top, &file], &prefix[..]].concat());
            let digest: Value = serde_json::from_str(&digest).unwrap();
            let groups: u64 = digest["groups"].as_array().unwrap().iter().map(|g| g["calls"].as_u64().unwrap()).sum();
            let count = |key: &str| digest[key].as_u64().unwrap();
            let shown = groups + digest["not_shown"]["calls"].as_u64().unwrap();
            assert_eq!(shown + count("unparsed") + count("truncated") + count("other"), count("statements"));
            assert_eq!((count("statements"), count("truncated")), (executed, 1));
            assert_eq!(count("other") > 0, limit != "100000");
            let bins: u64 =
                digest["timeline"]["bins"].as_array().unwrap().iter().map(|bin| bin[1].as_u64().unwrap()).sum();
            assert_eq!(bins, executed);
        }
    }
}

#[test]
fn a_baseline_marks_what_has_changed() {
    let folder = Folder::new("baseline");
    let (before, now) = (folder.path("before"), folder.path("now"));
    let line = |ms: u32, sql: &str| format!("LOG:  duration: {ms} ms  statement: {sql}\n");
    std::fs::write(
        &before,
        line(10, "SELECT a FROM t")
            + &line(10, "SELECT b FROM t")
            + &line(10, "SELECT c FROM t")
            + &line(10, "SELECT d FROM t"),
    )
    .unwrap();
    std::fs::write(
        &now,
        line(20, "SELECT a FROM t")
            + &line(11, "SELECT b FROM t")
            + &line(4, "SELECT d FROM t")
            + &line(1, "SELECT e FROM t"),
    )
    .unwrap();
    let (json, state) = (folder.path("before.json"), folder.path("before.state"));
    std::fs::write(&json, good(&["digest", "--format", "json", &before])).unwrap();
    good(&["digest", "--partial", &state, &before]);
    let mut seen = Vec::new();
    for baseline in [&json, &state] {
        let digest = good(&["digest", "--format", "json", "--baseline", baseline, &now]);
        let digest: Value = serde_json::from_str(&digest).unwrap();
        let mut marks: Vec<String> = digest["groups"]
            .as_array()
            .unwrap()
            .iter()
            .map(|g| format!("{} {}", g["normalized"].as_str().unwrap(), g["change"]["is"].as_str().unwrap()))
            .collect();
        marks.extend(
            digest["gone"].as_array().unwrap().iter().map(|g| format!("{} gone", g["normalized"].as_str().unwrap())),
        );
        seen.push(marks);
    }
    let expected = [
        "SELECT a FROM t slower",
        "SELECT b FROM t same",
        "SELECT d FROM t faster",
        "SELECT e FROM t new",
        "SELECT c FROM t gone",
    ];
    assert_eq!(seen[0], expected);
    assert_eq!(seen[0], seen[1]);
}

#[test]
fn what_is_no_state_is_refused() {
    let folder = Folder::new("states");
    let state = folder.path("good.state");
    good(&["digest", "--partial", &state, &fixture("log.csv")]);
    let bytes = std::fs::read(&state).unwrap();
    let mut other_version = bytes.clone();
    other_version[8] = 9;
    let mut damaged = bytes.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    let line = good(&["digest", "--partial", "-", &fixture("log.csv")]);
    for (wrong, says) in [
        (&b""[..], "is not a state"),
        (b"{\"groups\":[]}", "is not a state"),
        (b"SELECT 1;\n", "is not a state"),
        (&bytes[..bytes.len() - 1], "cut short or damaged"),
        (&bytes[..10], "cut short or damaged"),
        (&damaged, "cut short or damaged"),
        (&other_version, "version 9"),
        (&line.as_bytes()[..line.len() - 9], "cut short or damaged"),
    ] {
        let path = folder.path("wrong.state");
        std::fs::write(&path, wrong).unwrap();
        let output = pgq(&["digest", "--merge", &state, &path]);
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{says}");
        assert!(err.contains(says) && err.contains("wrong.state"), "{err}");
        let output = pgq(&["digest", "--baseline", &path, &fixture("log.csv")]);
        assert_eq!(
            output.status.code(),
            if says == "is not a state" && wrong.starts_with(b"{") { Some(0) } else { Some(2) }
        );
    }
    let missing = pgq(&["digest", "--merge", &folder.path("none")]);
    assert_eq!(missing.status.code(), Some(2));
    // A line of text is as good as a file, and several are merged.
    let lines = folder.path("lines");
    std::fs::write(&lines, &line).unwrap();
    assert_same(&good(&["digest", "--merge", &lines]), &good(&["digest", "--merge", &state]), "lines");
}
