//! Runs `pgq` in a shell, or directly with arguments and input.

use std::path::Path;
use std::process::{Command, Output, Stdio};

pub const PGQ: &str = env!("CARGO_BIN_EXE_pgq");

/// Returns the command `pgq`. If the tests run under `nohup`, which ignores SIGHUP, the command restores the default
/// action of this signal. Otherwise pgq would inherit the ignored signal and would not react to it.
pub fn pgq() -> Command {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or_default();
    if ignored.trim().bytes().all(|digit| digit == b'0') {
        return Command::new(PGQ);
    }
    let mut command = Command::new("env");
    command.args(["--default-signal=HUP", PGQ]);
    command
}

/// Returns the command `pgq` with arguments and piped streams.
pub fn command(args: &[&str]) -> Command {
    let mut command = pgq();
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs `pgq` with `input` on its standard input.
pub fn run(args: &[&str], input: &[u8]) -> Output {
    snapbox::cmd::Command::new(PGQ).args(args).stdin(input).output().unwrap()
}

/// Runs `pgq`, which must exit with code 0. Returns its standard output.
pub fn stdout_of(args: &[&str]) -> String {
    let output = run(args, b"");
    assert!(output.status.success(), "pgq {args:?}: {}: {}", output.status, stderr(&output));
    String::from_utf8(output.stdout).unwrap()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Returns the command `bash` in a folder, with `pgq` on its PATH.
pub fn shell(script: &str, folder: &Path) -> Command {
    let programs = Path::new(PGQ).parent().expect("the program lies in a folder");
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let mut command = Command::new("bash");
    command.args(["-c", script]).env("PATH", path).current_dir(folder);
    command
}

/// Writes a file into a folder. Returns its path as an argument.
pub fn write(folder: &Path, name: &str, contents: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    std::fs::write(&path, contents).unwrap();
    path.to_string_lossy().into_owned()
}
