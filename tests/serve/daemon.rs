//! A daemon for a test, with a socket in a separate folder. It ends with the test.

use std::io::{BufRead, BufReader, Read};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::common::program::pgq;

/// Timeout of every operation in these tests.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A running `pgq serve`.
pub struct Daemon {
    pub socket: PathBuf,
    child: Child,
    _folder: TempDir,
}

impl Daemon {
    /// Starts a daemon with options, and waits until it accepts connections.
    pub fn start(options: &[&str]) -> Self {
        Self::start_by(pgq(), options)
    }

    /// Same as [`Daemon::start`]. `command` runs pgq. This function adds pgq's arguments to `command`.
    pub fn start_by(mut command: Command, options: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("pgq.sock");
        command.arg("serve").arg("--socket").arg(&socket).args(options);
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut daemon = Self { socket, child, _folder: folder };
        let since = Instant::now();
        while UnixStream::connect(&daemon.socket).is_err() {
            if let Some(status) = daemon.child.try_wait().unwrap() {
                panic!("pgq serve: {status}: {}", daemon.stderr());
            }
            assert!(since.elapsed() < PATIENCE, "pgq serve does not listen");
            std::thread::sleep(Duration::from_millis(5));
        }
        daemon
    }

    /// Returns a connection whose reads and writes have a timeout.
    pub fn connect(&self) -> UnixStream {
        let stream = UnixStream::connect(&self.socket).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Waits until the daemon ends.
    pub fn wait(&mut self) -> ExitStatus {
        let since = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(since.elapsed() < PATIENCE, "pgq serve does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    pub fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// Returns the resident memory in kilobytes; `None` without /proc.
    pub fn resident(&self) -> Option<usize> {
        let status = std::fs::File::open(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = BufReader::new(status).lines().map_while(Result::ok).find(|line| line.starts_with("VmRSS:"))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }

    /// Waits until no connection has a thread, so only the main thread and the signal thread exist.
    pub fn await_quiet(&self) {
        let since = Instant::now();
        let threads = || std::fs::read_dir(format!("/proc/{}/task", self.child.id())).map_or(0, Iterator::count);
        while threads() > 2 {
            assert!(since.elapsed() < PATIENCE, "connections do not end");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Returns the number of open file descriptors; `None` without /proc.
    pub fn descriptors(&self) -> Option<usize> {
        Some(std::fs::read_dir(format!("/proc/{}/fd", self.child.id())).ok()?.count())
    }

    fn stderr(&mut self) -> String {
        let mut text = String::new();
        if let Some(mut stderr) = self.child.stderr.take() {
            let _ = stderr.read_to_string(&mut text);
        }
        text
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        if let (true, Ok(Some(status))) = (std::thread::panicking(), self.child.try_wait()) {
            eprintln!("pgq serve has ended: {status}: {}", self.stderr());
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
