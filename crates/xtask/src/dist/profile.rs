//! `cargo xtask dist --profile-guided`: what the compiler is told about a program that ran, so that the code that runs
//! most lies together. Rust only: of the C code, the grammar has an order of its own (build/grammar_order.txt), and gains
//! nothing from a profile.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use crate::package::run_checked;
use pgq_corpus::sql_folder;

/// SQL, by what reads it. What a release is for has to run here: a function that did not is compiled to be small.
const ON_SQL: [&str; 9] = [
    "parse --jobs 1",
    "parse --jobs 1 --no-cache --format json",
    "fingerprint --jobs 1 --no-cache",
    "normalize --jobs 1 --no-cache",
    "deparse --jobs 1 --from sql --no-cache",
    "check --jobs 1",
    "scan --jobs 1",
    "export --jobs 1 --from sql --format json",
    "bench --paths raw --time 0.5",
];

/// Folders of fixtures with SQL that an application might run.
const FIXTURES: [&str; 5] = ["analytics", "ddl", "migrations", "oltp", "orm"];

/// Logs.
const ON_LOGS: [&str; 7] = [
    "fingerprint",
    "fingerprint --jobs 1 --format json",
    "normalize --jobs 1",
    "digest --jobs 1",
    "digest --format json",
    "digest --format html",
    "export --jobs 1 --format csv",
];

/// How often each log is read: the start of a program is not what takes time.
const ROUNDS: usize = 20;

/// Requests of a program that serves others, JSON lines.
const REQUESTS: &str = r#"{"id":1,"op":"fingerprint","sql":"SELECT a FROM t WHERE b = 'c'"}
{"id":2,"op":"normalize","sql":"UPDATE t SET a = 1 WHERE b = 'c'"}
{"id":3,"op":"tree","sql":"INSERT INTO t (a, b) VALUES (1, 'c')"}
"#;

/// Runs a program that was compiled with `-Cprofile-generate`, and gives the file for `-Cprofile-use`, in `folder`.
pub(super) fn of_program(root: &Path, program: &Path, folder: &Path) -> Result<PathBuf> {
    let runs = folder.join("runs");
    let _ = std::fs::remove_dir_all(&runs);
    std::fs::create_dir_all(&runs)?;
    let fixtures = root.join("fixtures");
    let folders: Vec<PathBuf> = FIXTURES.iter().map(|name| fixtures.join(name)).chain([sql_folder()]).collect();
    for arguments in ON_SQL {
        run(program, arguments, &folders, &runs, "")?;
    }
    for log in ["log.log", "log.csv", "log.json"] {
        let lines = std::fs::read_to_string(fixtures.join("log").join(log))?.repeat(ROUNDS);
        for arguments in ON_LOGS {
            run(program, arguments, &[], &runs, &lines)?;
        }
    }
    run(program, "serve --stdio", &[], &runs, &REQUESTS.repeat(ROUNDS))?;
    let merged = folder.join("merged.profdata");
    run_checked(Command::new(merging_program()?).arg("merge").arg("--output").arg(&merged).arg(&runs))?;
    Ok(merged)
}

/// Some statements do not parse, on purpose, so that exit code 1 is no failure.
fn run(program: &Path, arguments: &str, files: &[PathBuf], runs: &Path, input: &str) -> Result<()> {
    let mut child = Command::new(program)
        .args(arguments.split(' '))
        .args(files)
        .env("LLVM_PROFILE_FILE", runs.join("%m-%p.profraw"))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let mut stdin = child.stdin.take().context("a pipe")?;
    // What does not read its input closes it.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    let status = child.wait()?;
    match status.code() {
        // 2: the command line was refused, so that this list is wrong.
        Some(code) if code < 2 => Ok(()),
        _ => bail!("pgq {arguments}: {status}"),
    }
}

/// llvm-profdata of the same LLVM as rustc's.
fn merging_program() -> Result<PathBuf> {
    let libraries = PathBuf::from(super::rustc(&["--print", "target-libdir"])?.trim_end());
    let program = libraries.with_file_name("bin").join("llvm-profdata");
    ensure!(program.exists(), "no {}: run `rustup component add llvm-tools`", program.display());
    Ok(program)
}
