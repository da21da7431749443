//! Hostile inputs through every command, as scripts and as logs, and through the library on a
//! small thread: no signal, no panic, nothing that does not end, no exit code but 0, 1 and 2.
//!
//! The cases are files in `tests/hostile/cases` (the name says what each is) and texts made by
//! [`made`]. A run that takes [`PATIENCE`] is taken for one that does not end; no time is
//! asserted, but the slowest runs are named in the output.

mod made;

use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use made::Case;

/// Far more than any run takes, also on a machine with other things to do.
const PATIENCE: Duration = Duration::from_secs(180);

/// Every command that reads SQL, in its forms.
const COMMANDS: &[&[&str]] = &[
    &["parse", "--compact"],
    &["parse", "--pretty"],
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

/// The same bytes taken for logs.
const LOGS: &[&[&str]] = &[
    &["fingerprint", "--from", "stderr"],
    &["fingerprint", "--from", "csvlog"],
    &["fingerprint", "--from", "jsonlog"],
    &["normalize", "--from", "auto", "--format", "json"],
];

/// A folder of the test's own, gone when it ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("pgq-hostile-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn files() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile/cases");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    paths.iter().map(|path| Case { name: name(path), bytes: std::fs::read(path).unwrap() }).collect()
}

/// How a run ended.
struct Run {
    what: String,
    took: Duration,
    problem: Option<String>,
}

/// Runs the program on a file; what it prints is read to the end, and stderr kept.
fn run(args: &[&str], file: &Path, name: &str) -> Run {
    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_pgq"))
        .args(args)
        .arg(file)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let mut stderr = child.stderr.take().unwrap();
    let last = std::thread::spawn(move || {
        let (mut last, mut some) = (b'\n', vec![0; 1 << 16]);
        while let Ok(read @ 1..) = stdout.read(&mut some) {
            last = some[read - 1];
        }
        last
    });
    let errors = std::thread::spawn(move || {
        let mut errors = Vec::new();
        let _ = stderr.read_to_end(&mut errors);
        String::from_utf8_lossy(&errors).into_owned()
    });
    let status = loop {
        match child.try_wait().unwrap() {
            Some(status) => break Some(status),
            None if start.elapsed() > PATIENCE => {
                child.kill().unwrap();
                child.wait().unwrap();
                break None;
            }
            None => std::thread::sleep(Duration::from_millis(1 + start.elapsed().as_millis() as u64 / 20)),
        }
    };
    let (took, last, errors) = (start.elapsed(), last.join().unwrap(), errors.join().unwrap());
    let problem = match status {
        None => Some("does not end".to_string()),
        Some(status) if status.signal().is_some() => Some(status.to_string()),
        Some(status) if !matches!(status.code(), Some(0..=2)) => Some(status.to_string()),
        Some(_) if errors.contains("panicked") => Some(errors),
        Some(status) if status.code() == Some(2) && errors.is_empty() => Some("exit code 2 without a word".into()),
        Some(_) if last != b'\n' => Some("half a line on stdout".into()),
        Some(_) => None,
    };
    Run { what: format!("{name}: pgq {}", args.join(" ")), took, problem }
}

/// Runs all commands on all cases, two at a time; prints the counts and fails on a problem.
fn through(name: &str, cases: &[Case], commands: &[&[&str]]) {
    let folder = Folder::new(name);
    let next = AtomicUsize::new(0);
    let runs = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for worker in 0..2 {
            let (folder, next, runs) = (&folder, &next, &runs);
            scope.spawn(move || {
                let file = folder.0.join(format!("case-{worker}"));
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    std::fs::write(&file, &case.bytes).unwrap();
                    let own: Vec<Run> = commands.iter().map(|args| run(args, &file, &case.name)).collect();
                    runs.lock().unwrap().extend(own);
                }
            });
        }
    });
    let mut runs = runs.into_inner().unwrap();
    runs.sort_by_key(|run| std::cmp::Reverse(run.took));
    let problems: Vec<String> =
        runs.iter().filter_map(|run| Some(format!("{}: {}", run.what, run.problem.as_deref()?))).collect();
    println!("{name}: {} cases, {} runs, {} problems; the slowest:", cases.len(), runs.len(), problems.len());
    runs.iter().take(5).for_each(|run| println!("  {:6.2} s  {}", run.took.as_secs_f64(), run.what));
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn files_through_every_command() {
    through("files", &files(), COMMANDS);
}

#[test]
fn large_inputs_through_every_command() {
    println!("large inputs at 1/{} of their size", made::SHARE);
    through("large", &made::cases(), COMMANDS);
}

#[test]
fn all_of_it_taken_for_logs() {
    let cases: Vec<Case> = files().into_iter().chain(made::cases()).collect();
    through("as logs", &cases, LOGS);
}

#[test]
fn all_of_it_logged_by_a_server() {
    let mut stderr = Vec::new();
    let mut csvlog = Vec::new();
    let mut jsonlog = Vec::new();
    for Case { name, bytes } in files().into_iter().chain(made::cases()) {
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
    through("logged to stderr", &stderr, &[&["fingerprint", "--from", "stderr"], &["digest", "--from", "stderr"]]);
    through("logged in CSV", &csvlog, &[&["normalize", "--from", "csvlog", "--format", "json"]]);
    through("logged in JSON", &jsonlog, &[&["parse", "--from", "jsonlog"]]);
}

#[test]
fn the_library_on_a_small_thread() {
    let cases: Vec<Case> = files().into_iter().chain(made::cases()).collect();
    let (mut good, mut refused) = (0, 0);
    for Case { name, bytes } in cases {
        let run = move || {
            let Ok(sql) = std::str::from_utf8(&bytes) else {
                return (0, usize::from(pgq::check_utf8(&bytes).is_err()));
            };
            let mut full = pgq::FingerprintOptions::default();
            full.full_depth = true;
            let outcomes = [
                pgq::parse(sql).map(drop).is_ok(),
                pgq::parse_to_json(sql).map(drop).is_ok(),
                pgq::fingerprint(sql).is_ok(),
                pgq::fingerprint_with(sql, &full).is_ok(),
                pgq::normalize(sql).is_ok(),
                pgq::scan(sql).is_ok(),
                pgq::comments(sql).is_ok(),
                pgq::split(sql, pgq::SplitMethod::Parser).is_ok(),
                pgq::split(sql, pgq::SplitMethod::Scanner).is_ok(),
            ];
            let good = outcomes.iter().filter(|good| **good).count();
            (good, outcomes.len() - good)
        };
        let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(run).unwrap();
        let (more, not) = thread.join().unwrap_or_else(|_| panic!("{name}: panicked"));
        good += more;
        refused += not;
    }
    println!("library on a thread of 2 MB: {good} answers, {refused} refusals");
    assert!(good > 0 && refused > 0);
}

/// What is said of inputs that are too large for a case in `tests/cli`.
#[test]
fn messages_of_large_inputs() {
    let folder = Folder::new("messages");
    for (text, place, message) in [
        (
            format!("SELECT 1 {}", "/*".repeat(20_000)),
            "1:10",
            "comments are nested too deeply for PostgreSQL's scanner to read in reasonable time",
        ),
        (
            format!("SELECT 'é';\nSELECT {}1", "+-".repeat(15_000)),
            "2:8",
            "a row of operator characters is too long for PostgreSQL's scanner to read in reasonable time",
        ),
        (format!("SELECT {}", "(".repeat(12_000)), "1:10004", "memory exhausted at or near \"(\""),
    ] {
        let file = folder.0.join("input");
        std::fs::write(&file, text).unwrap();
        for command in ["parse", "normalize"] {
            let output = Command::new(env!("CARGO_BIN_EXE_pgq")).arg(command).arg(&file).output().unwrap();
            let errors = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(1), "{errors}");
            assert_eq!(errors, format!("{}:{place}: error: {message}\n", file.display()));
        }
    }
}
