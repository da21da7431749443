//! Measures CPU time and memory of a command. The system reports only the sum over all children of a process. Therefore
//! this program starts itself again for each command, and the command is the only child of the new process.

use std::fs::File;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, ensure};
use nix::sys::resource::{UsageWho, getrusage};
use serde_json::Value;

/// The first argument of a process that runs a command.
pub const ARGUMENT: &str = "--child";

/// CPU time (user and system) in seconds, and memory in MB.
pub struct Usage {
    pub seconds: f64,
    pub megabytes: f64,
}

/// Runs a command and writes its output to a file.
pub fn measure(command: &[String], output: &Path) -> Result<Usage> {
    let program = std::env::current_exe()?;
    let child = Command::new(program).arg(ARGUMENT).arg(output).args(command).stderr(Stdio::piped()).output()?;
    let errors = String::from_utf8_lossy(&child.stderr);
    ensure!(child.status.success(), "{} fails: {}", command[0], errors.trim().replace('\n', "; "));
    let usage: Value = serde_json::from_slice(&child.stdout)?;
    let figure = |name: &str| usage[name].as_f64().context("no figures");
    Ok(Usage { seconds: figure("seconds")?, megabytes: figure("megabytes")? })
}

/// Runs the command, and prints the CPU time and the memory that it used. Called in the child process.
pub fn run(arguments: &[String]) -> Result<ExitCode> {
    let [output, program, arguments @ ..] = arguments else { anyhow::bail!("{ARGUMENT} OUTPUT PROGRAM...") };
    let status = Command::new(program).args(arguments).stdout(File::create(output)?).status()?;
    ensure!(status.success(), "{program}: {status}");
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let seconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    // Linux counts in units of 1024 bytes, macOS in bytes.
    let unit = if cfg!(target_os = "macos") { 1.0 } else { 1024.0 };
    let megabytes = usage.max_rss() as f64 * unit / 1e6;
    let seconds = seconds(usage.user_time()) + seconds(usage.system_time());
    println!("{}", serde_json::json!({ "seconds": seconds, "megabytes": megabytes }));
    Ok(ExitCode::SUCCESS)
}
