//! Digests of a log that is still being written. If a signal ends the reading, the report is printed. With --every,
//! intermediate reports are printed too.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Output};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::{TempDir, tempdir};

use super::common::program::{PGQ, command, stderr, write};

/// Returns a log of `calls` calls, each of 1 ms.
fn log(calls: usize) -> String {
    let line = |call| format!("2026-01-31 12:00:{call:02} UTC [4711] LOG:  duration: 1 ms  statement: SELECT {call}\n");
    (0..calls).map(line).collect()
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args(["-s", name, &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

fn output(child: Child) -> Output {
    child.wait_with_output().unwrap()
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(60), "not {what} within a minute");
        sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_signal_ends_a_pipe_and_the_report_comes() {
    let folder = tempdir().unwrap();
    let named = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&named).status().unwrap().success());
    for (name, code, is_named) in [("INT", 130, false), ("TERM", 143, false), ("INT", 130, true), ("TERM", 143, true)] {
        let input = if is_named { named.to_str().unwrap() } else { "-" };
        let mut child = command(&["digest", "--format", "json", "--every", "100ms", input]).spawn().unwrap();
        let mut stdin: Box<dyn Write> = if is_named {
            Box::new(std::fs::File::options().write(true).open(&named).unwrap())
        } else {
            Box::new(child.stdin.take().unwrap())
        };
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        stdin.write_all(log(5).as_bytes()).unwrap();
        // The report lacks the last message, which may be incomplete until the next one begins or the log ends.
        while !lines.next().unwrap().unwrap().starts_with("{\"statements\":4,") {}
        signal(&child, name);
        let last = lines.last().unwrap().unwrap();
        let output = output(child);
        drop(stdin);
        assert!(last.starts_with("{\"statements\":5,"), "{name}: {last}{}", stderr(&output));
        assert_eq!(output.status.code(), Some(code), "{name}: {}", stderr(&output));
        assert!(
            stderr(&output).contains("interrupted: the digest contains only what was read before the interruption"),
            "{}",
            stderr(&output)
        );
    }
}

/// A server may log nothing for a long time. Therefore, if a signal ends a digest before the first message, the exit
/// code is that of the signal. The digest does not report the error for a log without messages.
#[test]
fn a_signal_before_the_first_message_has_its_exit_code() {
    let folder = tempdir().unwrap();
    let named = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&named).status().unwrap().success());
    for (name, code) in [("INT", 130), ("TERM", 143)] {
        let child = command(&["digest", named.to_str().unwrap()]).spawn().unwrap();
        // This call returns when pgq has opened the pipe.
        let pipe = std::fs::File::options().write(true).open(&named).unwrap();
        signal(&child, name);
        let output = output(child);
        drop(pipe);
        assert_eq!(output.status.code(), Some(code), "{name}: {}", stderr(&output));
        assert_eq!(stderr(&output), "pgq: interrupted: there is nothing to report yet\n");
    }
}

/// A digest that follows a log and writes its reports to a file.
struct Followed {
    folder: TempDir,
    log: String,
    report: PathBuf,
    child: Child,
}

impl Followed {
    /// Follows a log of six statements, and waits for a report. The report lacks the last message, which may be
    /// incomplete until the next one begins.
    fn start() -> Self {
        Self::start_with(tempdir().unwrap(), &[])
    }

    fn start_with(folder: TempDir, more: &[&str]) -> Self {
        let log = write(folder.path(), "log", log(6));
        let report = folder.path().join("report.json");
        let args = ["digest", "--follow", "--format", "json", "--every", "100ms", "--output", report.to_str().unwrap()];
        let child = command(&[&args[..], more, &[&log]].concat()).spawn().unwrap();
        let followed = Self { folder, log, report, child };
        wait_until("reported", || followed.has("\"statements\":5,"));
        followed
    }

    fn append(&self, text: &str) {
        let mut file = std::fs::OpenOptions::new().append(true).open(&self.log).unwrap();
        file.write_all(text.as_bytes()).unwrap();
    }

    /// Whether the last report contains `text`.
    fn has(&self, text: &str) -> bool {
        std::fs::read_to_string(&self.report).is_ok_and(|report| report.contains(text))
    }
}

#[test]
fn a_signal_ends_a_log_that_is_followed() {
    let followed = Followed::start();
    followed.append(&log(7));
    wait_until("read on", || followed.has("\"statements\":12,"));
    signal(&followed.child, "INT");
    let Followed { folder, report, child, .. } = followed;
    let output = output(child);
    assert!(output.status.success(), "{}: {}", output.status, stderr(&output));
    assert!(std::fs::read_to_string(&report).unwrap().contains("\"statements\":13,"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "only the log and the report are left");
}

#[test]
fn a_log_is_followed_but_not_the_log_of_its_baseline() {
    let folder = tempdir().unwrap();
    let baseline = write(folder.path(), "old", log(3));
    let followed = Followed::start_with(folder, &["--baseline", &baseline]);
    assert!(followed.has("\"is\":\"same\""));
    followed.append(&log(7));
    wait_until("read on", || followed.has("\"statements\":12,"));
    signal(&followed.child, "INT");
    assert!(output(followed.child).status.success());
}

/// A signal during the reading of the baseline must end the program, because a comparison with a part of the baseline
/// would be wrong.
#[test]
fn a_signal_while_the_baseline_is_read_ends_the_program() {
    let folder = tempdir().unwrap();
    let baseline = write(folder.path(), "old", log(50).repeat(10_000));
    let now = write(folder.path(), "log", log(5));
    let report = write(folder.path(), "report.json", "before");
    let args = ["digest", "--baseline", &baseline, "--output", &report, &now];
    let mut child = command(&args).stderr(std::process::Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().contains("log_line_prefix taken to be"));
    signal(&child, "TERM");
    assert_eq!(child.wait().unwrap().code(), Some(143));
    assert_eq!(std::fs::read_to_string(&report).unwrap(), "before");
}

/// The server starts a new log whose name has a later time.
#[test]
fn a_log_named_by_time_is_followed_to_the_next() {
    let folder = tempdir().unwrap();
    let first = write(folder.path(), "pg-20260131_120000.log", log(6));
    let report = folder.path().join("report.json");
    let args = ["digest", "--follow", "--every", "100ms", "--output", report.to_str().unwrap(), &first];
    let child = command(&args).spawn().unwrap();
    let has = |text: &str| std::fs::read_to_string(&report).is_ok_and(|report| report.contains(text));
    wait_until("reported", || has("\"statements\":5,"));
    write(folder.path(), "pg-20260131_130000.log", log(7));
    wait_until("read on", || has("\"statements\":12,"));
    signal(&child, "INT");
    let output = output(child);
    let notice = "pg-20260131_130000.log: --follow continues with this log";
    assert!(output.status.success() && stderr(&output).contains(notice), "{}", stderr(&output));
}

/// logrotate renames the log, creates an empty one, and only then tells the writer to open the new log. Until then, the
/// writer appends to the renamed log, so pgq must continue to read the renamed log.
#[test]
fn a_log_is_followed_until_its_writer_opens_the_next() {
    let followed = Followed::start();
    let old = format!("{}.1", followed.log);
    std::fs::rename(&followed.log, &old).unwrap();
    write(followed.folder.path(), "log", "");
    sleep(Duration::from_millis(500));
    std::fs::OpenOptions::new().append(true).open(&old).unwrap().write_all(log(7).as_bytes()).unwrap();
    wait_until("read on", || followed.has("\"statements\":12,"));
    followed.append(&log(3).replace("12:00", "13:00"));
    wait_until("read on in the new log", || followed.has("\"statements\":15,"));
    signal(&followed.child, "INT");
    let output = output(followed.child);
    let notice = format!("{}: --follow continues with the new log of this name", followed.log);
    assert!(output.status.success() && stderr(&output).contains(&notice), "{}", stderr(&output));
}

#[test]
fn a_rotated_log_is_not_replaced_by_the_report() {
    let followed = Followed::start();
    std::fs::rename(&followed.log, &followed.report).unwrap();
    let before = std::fs::read(&followed.report).unwrap();
    write(followed.folder.path(), "log", log(3).replace("12:00", "13:00"));
    let output = output(followed.child);
    assert!(output.status.code() == Some(2) && stderr(&output).contains("has become an input"), "{output:?}");
    assert_eq!(std::fs::read(&followed.report).unwrap(), before);
}

/// A killed server leaves a cut row at the end of its log.
#[test]
fn a_cut_row_before_the_next_log_is_reported() {
    let row = |second: usize| {
        format!(
            "2026-01-31 12:00:{second:02}.000 UTC,\"ann\",\"shop\",7,\"[local]\",65ba2f3c.7,{second},\"SELECT\",\
             2026-01-31 11:59:00 UTC,3/0,0,LOG,00000,\"duration: 1 ms  statement: SELECT\n {second}\",,,,,,,,,\
             \"psql\",\"client backend\",,0\n"
        )
    };
    let docker = |second: usize| {
        let line = format!("2026-01-31 12:00:{second:02} UTC [7] LOG:  duration: 1 ms  statement: SELECT 1");
        format!("{{\"log\":\"{line}\\n\",\"stream\":\"stderr\",\"time\":\"2026-01-31T12:00:{second:02}.0Z\"}}\n")
    };
    let rows: [&dyn Fn(usize) -> String; 2] = [&row, &docker];
    // In a csvlog, a row is complete at the end of its line. In other formats, the next line may continue the last
    // message.
    for (row, cut, open) in [(rows[0], 100, 0), (rows[0], row(0).len() - 40, 0), (rows[1], 100, 1)] {
        let folder = tempdir().unwrap();
        let text = (0..5).map(row).collect::<String>() + &row(5)[..cut];
        let first = write(folder.path(), "pg-20260131_12.csv", text);
        let report = folder.path().join("report.json");
        let args =
            ["digest", "--lenient", "--follow", "--every", "100ms", "--output", report.to_str().unwrap(), &first];
        let child = command(&args).spawn().unwrap();
        let has = |text: &str| std::fs::read_to_string(&report).is_ok_and(|report| report.contains(text));
        wait_until("reported", || has(&format!("\"statements\":{},", 5 - open)));
        write(folder.path(), "pg-20260131_13.csv", (10..17).map(row).collect::<String>());
        wait_until("read on", || has(&format!("\"statements\":{},", 12 - open)));
        signal(&child, "INT");
        let output = output(child);
        let messages = stderr(&output);
        let is_counted =
            ["1 line not understood", "1 message interrupted by another"].iter().any(|loss| messages.contains(loss));
        assert!(is_counted, "{cut}: {messages}");
    }
}

/// A newer log may belong to another server. Therefore pgq does not read it, but prints its name.
#[test]
fn a_newer_log_that_is_not_read_is_named() {
    let folder = tempdir().unwrap();
    let first = write(folder.path(), "postgresql-15-main.log", log(1));
    let mut child = command(&["digest", "--follow", &first]).stderr(std::process::Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut next = |text: &str| assert!(lines.by_ref().any(|line| line.unwrap().contains(text)), "no {text}");
    next("log_line_prefix taken to be");
    write(folder.path(), "postgresql-16-main.log", log(2));
    next("postgresql-15-main.log: --follow does not continue with ");
    signal(&child, "INT");
    assert!(child.wait().unwrap().success());
}

const FATAL: &str = "2026-01-31 12:01:00 UTC [7] FATAL:  sorry, too many clients already\n\
                     2026-01-31 12:01:00 UTC [8] PANIC:  could not write to file\n";

#[test]
fn an_error_without_a_statement_is_in_the_next_report() {
    let followed = Followed::start();
    followed.append(&[FATAL, &log(2)].concat());
    wait_until("reported with its errors", || followed.has("\"errors\":2,"));
    signal(&followed.child, "INT");
    assert!(output(followed.child).status.success());
}

#[test]
fn an_error_is_in_the_next_report_of_a_pipe_that_pauses() {
    let mut child = command(&["digest", "--format", "json", "--every", "100ms"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    stdin.write_all([&log(5), FATAL, &log(2)].concat().as_bytes()).unwrap();
    while !lines.next().unwrap().unwrap().starts_with("{\"statements\":6,\"errors\":2,") {}
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

/// A program that copies a log in blocks may pause in the middle of a message. pgq must wait for the rest of the
/// message.
#[test]
fn a_message_may_pause() {
    let followed = Followed::start();
    for part in [
        "2026-01-31 12:00:10 UTC [7] ERROR:  division by zero\n",
        "2026-01-31 12:00:10 UTC [7] STATEMENT:  SELECT 1/0\n2026-01-31 12:00:11 UTC [7] LOG:  duration: 1 ms  \
         statement: SELECT a\n",
        "\tFROM t\n",
    ] {
        followed.append(part);
        sleep(Duration::from_millis(700));
    }
    signal(&followed.child, "INT");
    let Followed { report, child, folder, .. } = followed;
    let output = output(child);
    assert!(output.status.success(), "{}", stderr(&output));
    let report = std::fs::read_to_string(&report).unwrap();
    drop(folder);
    assert!(report.contains("\"stray_errors\":0") && report.contains("SELECT a FROM t"), "{report}");
}

#[test]
fn every_reports_one_behind_the_other_in_a_pipe() {
    let args = ["digest", "--format", "json", "--every", "100ms"];
    let mut child = command(&args).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    stdin.write_all(log(4).as_bytes()).unwrap();
    // The report lacks the last message, which may be incomplete until the next message begins.
    while !lines.next().unwrap().unwrap().starts_with("{\"statements\":3,") {}
    stdin.write_all(log(4).as_bytes()).unwrap();
    drop(stdin);
    let last = lines.last().unwrap().unwrap();
    assert!(last.starts_with("{\"statements\":8,"), "{last}");
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_report_that_cannot_be_written_ends_the_reading() {
    let mut child = Command::new(PGQ)
        .args(["digest", "--format", "json", "--every", "100ms"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::fs::File::options().write(true).open("/dev/full").unwrap())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(log(3).as_bytes()).unwrap();
    let mut problem = String::new();
    child.stderr.take().unwrap().read_to_string(&mut problem).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(2), "{problem}");
    assert!(problem.contains("No space left on device"), "{problem}");
}

/// A plan may be part of an execution that is logged later, so its record waits for later messages. At the signal, all
/// waiting records must be written.
#[test]
fn an_export_that_follows_a_log_writes_what_waits_at_a_signal() {
    let folder = tempdir().unwrap();
    let plan = |line: usize| {
        format!(
            "2026-01-31 12:{:02}:{:02}.000 UTC,\"ann\",\"shop\",7,\"[local]\",697de0b0.7,{line},\"SELECT\",2026-01-31 \
             11:00:00 UTC,3/{line},0,LOG,00000,\"duration: 500.000 ms  plan:\nQuery Text: SELECT {line}\nResult  (cost=0.00..0.01 rows=1 width=4)\",\
             ,,,,,,,,\"psql\",\"client backend\",,0\n",
            line / 60,
            line % 60
        )
    };
    let log = write(folder.path(), "log.csv", (1..100).map(plan).collect::<String>());
    let args = ["export", "--from", "csvlog", "--format", "csv", "--columns", "sql", "--follow", &log];
    let mut child = command(&args).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    while lines.next().unwrap().unwrap() != "SELECT 20" {} // pgq has read the log
    signal(&child, "INT");
    let rows: Vec<String> = lines.map(Result::unwrap).collect();
    assert_eq!(rows, (21..100).map(|line| format!("SELECT {line}")).collect::<Vec<_>>());
    assert_eq!(output(child).status.code(), Some(130));
}
