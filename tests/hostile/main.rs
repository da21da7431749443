//! Hostile inputs for every command, as scripts and as logs, and for the library on a thread with a
//! small stack. Every run must end before its timeout with exit code 0, 1 or 2, without a signal or
//! a panic.
//!
//! The inputs are the files of `tests/hostile/cases`, whose names describe them, and the inputs of [`generated`]. Times
//! below [`TIMEOUT`] are not asserted; the slowest runs are printed.

#[path = "../common/mod.rs"]
mod common;
mod generated;

use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

use common::program;
use common::tally::assert_none;
use generated::Case;
use rayon::prelude::*;
use wait_timeout::ChildExt;

/// Timeout of a run. Even on a busy machine, every run is much shorter.
const TIMEOUT: Duration = Duration::from_secs(180);

/// All commands that read SQL, with their variants.
const COMMANDS: &[&[&str]] = &[
    &["parse", "--compact"],
    &["parse", "--indented"],
    &["parse", "--format", "json"],
    &["parse", "--from", "lines"],
    &["deparse", "--from", "sql"],
    &["deparse"],
    &["fingerprint"],
    &["fingerprint", "--full-depth", "--format", "json"],
    &["normalize"],
    &["normalize", "--format", "json", "--from", "null"],
    &["scan"],
    &["scan", "--format", "json"],
    &["digest", "--from", "sql"],
    &["digest"],
];

/// Commands that read the hostile inputs as logs.
const LOG_COMMANDS: &[&[&str]] = &[
    &["fingerprint", "--from", "stderr"],
    &["fingerprint", "--from", "csvlog"],
    &["fingerprint", "--from", "jsonlog"],
    &["normalize", "--from", "auto", "--format", "json"],
];

/// Returns the files of `tests/hostile/cases`.
fn files() -> Vec<Case> {
    let folder = walkdir::WalkDir::new(common::project::project_file("tests/hostile/cases")).sort_by_file_name();
    let entries = folder.into_iter().map(|entry| entry.unwrap()).filter(|entry| entry.file_type().is_file());
    let case = |entry: walkdir::DirEntry| Case {
        name: entry.file_name().to_string_lossy().into_owned(),
        bytes: std::fs::read(entry.path()).unwrap(),
    };
    entries.map(case).collect()
}

fn all_cases() -> Vec<Case> {
    files().into_iter().chain(generated::cases()).collect()
}

/// A run of the program.
struct Run {
    /// The input and the arguments.
    title: String,
    time: Duration,
    /// Whether the program may have stopped before the last input.
    has_stopped: bool,
    problem: Option<String>,
}

/// Runs the program on files. Keeps only the last byte of the output, because the output may be large.
fn run(args: &[&str], files: &[PathBuf], name: &str) -> Run {
    let start = Instant::now();
    let mut child = program::command(args).args(files).stdin(Stdio::null()).spawn().unwrap();
    let (mut stdout, mut stderr) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let last_byte = std::thread::spawn(move || {
        let (mut last, mut buffer) = (b'\n', vec![0; 1 << 16]);
        while let Ok(length @ 1..) = stdout.read(&mut buffer) {
            last = buffer[length - 1];
        }
        last
    });
    let errors = std::thread::spawn(move || {
        let mut errors = Vec::new();
        let _ = stderr.read_to_end(&mut errors);
        String::from_utf8_lossy(&errors).into_owned()
    });
    let status = child.wait_timeout(TIMEOUT).unwrap();
    if status.is_none() {
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let (time, last_byte, errors) = (start.elapsed(), last_byte.join().unwrap(), errors.join().unwrap());
    let problem = match status {
        None => Some("does not end".to_string()),
        Some(status) if status.signal().is_some() => Some(status.to_string()),
        Some(status) if !matches!(status.code(), Some(0..=2)) => Some(status.to_string()),
        Some(_) if errors.contains("panicked") => Some(errors),
        Some(status) if status.code() == Some(2) && errors.is_empty() => Some("exit code 2 without a message".into()),
        Some(_) if last_byte != b'\n' => Some("an incomplete line on stdout".into()),
        Some(_) => None,
    };
    let has_stopped = status.is_none_or(|status| status.code() == Some(2));
    Run { title: format!("{name}: pgq {}", args.join(" ")), time, has_stopped, problem }
}

/// Runs all commands on all cases. Prints the number of runs, and fails if there is a problem. Several cases share a
/// run, because starting the program takes most of the time. If such a run stops early or has a problem, its cases run
/// again, one by one.
fn run_all(title: &str, cases: &[Case], commands: &[&[&str]]) {
    const SHARING: usize = 12;
    let folder = tempfile::tempdir().unwrap();
    let write = |(number, case): (usize, &Case)| {
        let file = folder.path().join(format!("case-{number}"));
        std::fs::write(&file, &case.bytes).unwrap();
        file
    };
    let files: Vec<PathBuf> = cases.iter().enumerate().map(write).collect();
    let run_group = |(cases, files): (&[Case], &[PathBuf])| {
        let run_command = |args: &&[&str]| {
            let run_together = run(args, files, &format!("{} to {}", cases[0].name, cases[cases.len() - 1].name));
            if !run_together.has_stopped && run_together.problem.is_none() {
                return vec![run_together];
            }
            let singly = cases.iter().zip(files).map(|(case, file)| run(args, std::slice::from_ref(file), &case.name));
            singly.collect()
        };
        commands.iter().flat_map(run_command).collect::<Vec<Run>>()
    };
    let mut runs: Vec<Run> =
        cases.par_chunks(SHARING).zip(files.par_chunks(SHARING)).flat_map_iter(run_group).collect();
    runs.sort_by_key(|run| std::cmp::Reverse(run.time));
    println!("{title}: {} cases, {} runs; the slowest:", cases.len(), runs.len());
    runs.iter().take(5).for_each(|run| println!("  {:6.2} s  {}", run.time.as_secs_f64(), run.title));
    let problems = runs.iter().filter_map(|run| Some(format!("{}: {}", run.title, run.problem.as_deref()?)));
    assert_none(&problems.collect::<Vec<_>>(), "problems");
}

#[test]
fn files_through_every_command() {
    run_all("files", &files(), COMMANDS);
}

#[test]
fn generated_inputs_through_every_command() {
    println!("generated inputs at 1/{} of their size", generated::DIVISOR);
    run_all("generated", &generated::cases(), COMMANDS);
}

#[test]
fn all_inputs_read_as_logs() {
    run_all("read as logs", &all_cases(), LOG_COMMANDS);
}

#[test]
fn all_inputs_in_messages_of_logs() {
    let (mut stderr, mut csvlog, mut jsonlog) = (Vec::new(), Vec::new(), Vec::new());
    for Case { name, bytes } in all_cases() {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let time = "2026-01-31 12:00:00.123 UTC";
        let indented = text.replace('\n', "\n\t");
        let message = format!("duration: 1.5 ms  statement: {indented}");
        stderr.push(Case { name: name.clone(), bytes: format!("{time} [7] LOG:  {message}\n").into() });
        let quoted = format!("duration: 1.5 ms  statement: {text}").replace('"', "\"\"");
        let line =
            format!("{time},\"u\",\"d\",7,,5.7,1,\"SELECT\",{time},3/1,0,LOG,00000,\"{quoted}\",,,,,,,,,\"a\"\n");
        csvlog.push(Case { name: name.clone(), bytes: line.into() });
        let message = format!("duration: 1.5 ms  statement: {text}");
        let record = serde_json::json!({"timestamp": time, "pid": 7, "error_severity": "LOG", "message": message});
        jsonlog.push(Case { name, bytes: format!("{record}\n").into() });
    }
    run_all("in stderr logs", &stderr, &[&["fingerprint", "--from", "stderr"], &["digest", "--from", "stderr"]]);
    run_all("in csvlog", &csvlog, &[&["normalize", "--from", "csvlog", "--format", "json"]]);
    run_all("in jsonlog", &jsonlog, &[&["parse", "--from", "jsonlog"]]);
}

/// Calls every function of the library. Returns the number of results and the number of errors.
fn call_library(bytes: &[u8]) -> (usize, usize) {
    let Ok(sql) = std::str::from_utf8(bytes) else {
        assert!(pgq::check_utf8(bytes).is_err());
        return (0, 1);
    };
    let mut full_depth = pgq::FingerprintOptions::default();
    full_depth.full_depth = true;
    let results = [
        pgq::parse(sql).map(drop).is_ok(),
        pgq::parse_to_json(sql).map(drop).is_ok(),
        pgq::fingerprint(sql).is_ok(),
        pgq::fingerprint_with(sql, &full_depth).is_ok(),
        pgq::normalize(sql).is_ok(),
        pgq::scan(sql).is_ok(),
        pgq::comments(sql).is_ok(),
        pgq::split(sql, pgq::SplitMethod::Parser).is_ok(),
        pgq::split(sql, pgq::SplitMethod::Scanner).is_ok(),
    ];
    let good = results.iter().filter(|good| **good).count();
    (good, results.len() - good)
}

#[test]
fn the_library_on_a_thread_with_a_small_stack() {
    let (mut results, mut errors) = (0, 0);
    for Case { name, bytes } in all_cases() {
        let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(move || call_library(&bytes)).unwrap();
        let (good, bad) = thread.join().unwrap_or_else(|_| panic!("{name}: panicked"));
        results += good;
        errors += bad;
    }
    println!("library on a thread with 2 MB of stack: {results} results, {errors} errors");
    assert!(results > 0 && errors > 0);
}

/// Checks the messages for inputs that are too large for a case in `tests/cli`.
#[test]
fn messages_for_large_inputs() {
    let folder = tempfile::tempdir().unwrap();
    for (text, place, message) in [
        (
            format!("SELECT 1 {}", "/*".repeat(20_000)),
            "1:10",
            "comments are nested too deeply for PostgreSQL's scanner to read in reasonable time",
        ),
        (
            format!("SELECT 'é';\nSELECT {}1", "+-".repeat(15_000)),
            "2:8",
            "a run of operator characters is too long for PostgreSQL's scanner to read in reasonable time",
        ),
        (format!("SELECT {}", "(".repeat(12_000)), "1:10004", "memory exhausted at or near \"(\""),
    ] {
        let file = program::write(folder.path(), "input", text);
        for command in ["parse", "normalize"] {
            let output = program::run(&[command, &file], b"");
            let errors = program::stderr(&output);
            assert_eq!(output.status.code(), Some(1), "{errors}");
            assert_eq!(errors, format!("{file}:{place}: error: {message}\n"));
        }
    }
}
