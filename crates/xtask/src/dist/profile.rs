//! `cargo xtask dist --profile-guided`: records a profile of how often the program executes each part of its code. With
//! the profile, the compiler places frequently executed code together. The profile is used only for Rust code. It does
//! not improve the C code of the grammar, because this code is already ordered by frequency (build/grammar_order.txt).

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use crate::package::run_checked;
use pgq_corpus::sql_folder;

/// Commands that read SQL. They must include all main uses of the program. If no command executes a function, the
/// compiler optimizes this function for size instead of speed.
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

/// Directories of fixtures with SQL similar to an application's.
const FIXTURES: [&str; 5] = ["analytics", "ddl", "migrations", "oltp", "orm"];

/// Commands that read logs.
const ON_LOGS: [&str; 7] = [
    "fingerprint",
    "fingerprint --jobs 1 --format json",
    "normalize --jobs 1",
    "digest --jobs 1",
    "digest --format json",
    "digest --format html",
    "export --jobs 1 --format csv",
];

/// Number of times that each log is read. With this number, the time for starting the program is
/// negligible.
const ROUNDS: usize = 20;

/// Requests to `pgq serve`, as JSON lines.
const REQUESTS: &str = r#"{"id":1,"op":"fingerprint","sql":"SELECT a FROM t WHERE b = 'c'"}
{"id":2,"op":"normalize","sql":"UPDATE t SET a = 1 WHERE b = 'c'"}
{"id":3,"op":"tree","sql":"INSERT INTO t (a, b) VALUES (1, 'c')"}
"#;

/// Records a profile by running a program that was compiled with `-Cprofile-generate`. Returns the profile's path in
/// `folder`, for `-Cprofile-use`.
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

/// Runs the program. Exit code 1 is accepted, because some statements are invalid on purpose.
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
    // Writing fails if the program does not read its input. Ignore this error.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    let status = child.wait()?;
    match status.code() {
        // Exit code 2 means that the program rejected the arguments. In this case, the lists of commands in this file
        // are out of date.
        Some(code) if code < 2 => Ok(()),
        _ => bail!("pgq {arguments}: {status}"),
    }
}

/// Returns the path of llvm-profdata from rustc's LLVM.
fn merging_program() -> Result<PathBuf> {
    let libraries = PathBuf::from(super::rustc(&["--print", "target-libdir"])?.trim_end());
    let program = libraries.with_file_name("bin").join("llvm-profdata");
    ensure!(program.exists(), "no {}: run `rustup component add llvm-tools`", program.display());
    Ok(program)
}
