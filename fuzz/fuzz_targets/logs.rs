//! Any bytes for a log or a script, through fingerprint, normalize and digest: the program's own
//! modules, since the readers of logs are not in the library. The first byte chooses the format
//! and the command. What is printed is not looked at: run it with `-close_fd_mask=3`.
#![no_main]
#![allow(dead_code, unused_imports)] // what only main uses

#[path = "../../src/cli.rs"]
mod cli;
#[path = "../../src/cmd/mod.rs"]
mod cmd;
#[path = "../../src/digest/mod.rs"]
mod digest;
#[path = "../../src/input/mod.rs"]
mod input;
#[path = "../../src/output/mod.rs"]
mod output;
#[path = "../../src/pipeline/mod.rs"]
mod pipeline;

use std::path::PathBuf;
use std::sync::LazyLock;

use clap::Parser;
use libfuzzer_sys::fuzz_target;

/// Where the bytes are put: in memory, where there is such a folder.
static FILE: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = PathBuf::from("/dev/shm");
    let folder = if folder.is_dir() { folder } else { std::env::temp_dir() };
    folder.join(format!("pgq-fuzz-{}", std::process::id()))
});

const ARGUMENTS: [&[&str]; 8] = [
    &["fingerprint", "--from", "stderr", "--format", "json"],
    &["fingerprint", "--from", "stderr", "--log-line-prefix", "%m [%p] %q%u@%d ", "--errors"],
    &["fingerprint", "--from", "csvlog", "--format", "json"],
    &["fingerprint", "--from", "jsonlog", "--format", "json", "--parse-bind"],
    &["normalize", "--from", "sql", "--placeholders", "psql", "--format", "json"],
    &["normalize", "--from", "auto"],
    &["digest", "--from", "auto"],
    &["digest", "--from", "csvlog", "--format", "html"],
];

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, log)) = bytes.split_first() else { return };
    std::fs::write(&*FILE, log).expect("there is room for a file");
    let arguments = ARGUMENTS[usize::from(*choice) % ARGUMENTS.len()];
    let file = FILE.to_str().expect("an ASCII path");
    let end = ["--jobs", "1", file];
    let all = ["pgq"].iter().chain(arguments).chain(&end);
    let cli = cli::Cli::try_parse_from(all).unwrap_or_else(|problem| panic!("{problem}"));
    // An error is as good as a result.
    let _ = cmd::run(cli.command, &output::Messages::default());
});
