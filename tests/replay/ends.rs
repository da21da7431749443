//! Replays that end before the end of their log: the server disappears or accepts no connection, a
//! signal arrives, or statements never end. The report must include the executed statements.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::net::UnixStream;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::json;

use crate::common::program;
use crate::postgres::{Server, texts};
use crate::workload::{PREFIX, report_of, shared};

/// Returns a log of statements. Each statement is given as its session number and its SQL. The statements start at
/// intervals of one millisecond.
pub fn log(statements: &[(u32, &str)]) -> String {
    let line = |(number, (session, sql)): (usize, &(u32, &str))| {
        let (second, millisecond) = (number / 1000, number % 1000);
        format!(
            "2026-01-31 12:00:{second:02}.{millisecond:03} UTC [{session}] ann@one app s{session} 00000 LOG:  \
             duration: 0.000 ms  statement: {sql}\n"
        )
    };
    statements.iter().enumerate().map(line).collect()
}

/// Like [`log`], but the statement `failed` has an error with this SQLSTATE.
pub fn log_with_error(statements: &[(u32, &str)], failed: &str, sqlstate: &str, message: &str) -> String {
    let error = |line: &str| match line.split_once("00000 LOG:  duration: 0.000 ms  statement: ") {
        Some((prefix, sql)) if sql == failed => {
            format!("{prefix}{sqlstate} ERROR:  {message}\n{prefix}{sqlstate} STATEMENT:  {sql}\n")
        }
        _ => format!("{line}\n"),
    };
    log(statements).lines().map(error).collect()
}

fn arguments(server: &Server, database: &str) -> Vec<String> {
    let to = format!("host={} port={}", server.folder.display(), server.port);
    let map = format!("*={database}");
    let server = ["--same-server", "--trust-log", "--to", &to, "--database-map", &map, "--user-map", "*=plain"];
    ["replay", "--log-line-prefix", PREFIX].iter().chain(&server).map(ToString::to_string).collect()
}

fn replay(server: &Server, log: &str, more: &[&str]) -> Output {
    let arguments = arguments(server, "postgres");
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).chain(more.iter().copied()).collect();
    program::run(&arguments, log.as_bytes())
}

#[test]
fn a_lost_connection_ends_its_session() {
    let Some(workload) = shared() else { return };
    let kill = "SELECT pg_terminate_backend(pg_backend_pid())";
    let log = log(&[(1, "SELECT 1"), (1, kill), (1, "SELECT 2"), (2, "SELECT 3"), (1, "SELECT 4")]);
    let output = replay(&workload.server, &log, &["--speed", "max", "--format", "json"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let report = report_of(&output);
    let counts = ["executed", "lost", "given_up"].map(|name| report[name].as_u64().unwrap());
    assert_eq!(counts, [2, 1, 2], "{report}");
    assert!(report["connection_errors"].to_string().contains("57P01"), "{report}");
}

#[test]
fn what_pgq_cannot_parse_is_not_sent_without_writes() {
    let Some(workload) = shared() else { return };
    // pgq refuses this statement, because PostgreSQL's scanner would take too long to read it.
    let deep = format!("SELECT U&'a' UESCAPE '!' {}{}", "/*".repeat(7_500), "*/".repeat(7_500));
    let escaped = "PREPARE TRANSACTION 'a\\'b'";
    let log = log(&[(1, "SELECT 1"), (1, "SELECT FROM FROM"), (1, &deep), (1, escaped), (2, "SELCT 1")]);
    let output = replay(&workload.server, &log, &["--speed", "max", "--format", "json"]);
    let report = report_of(&output);
    assert_eq!((output.status.code(), &report["executed"]), (Some(0), &1.into()), "{report}");
    assert_eq!(report["not_sent"], json!({"not parsed by pgq (--writes sends them)": 4}), "{report}");
}

/// In the log, a syntax error aborts the transaction block, so the server undoes the SET in the block. The replay must
/// undo the SET too, although pgq does not send the invalid statement.
#[test]
fn a_failed_statement_that_is_not_sent_ends_the_settings_of_its_block() {
    let Some(workload) = shared() else { return };
    let failed = "SELCT 1";
    let asks = "SELECT 1 / (current_setting('work_mem') <> '7MB')::int";
    let statements = ["SELECT 1", "BEGIN", "SET work_mem = '7MB'", failed, "COMMIT", asks].map(|sql| (1, sql));
    let logged = log_with_error(&statements, failed, "42601", "syntax error");
    let output = replay(&workload.server, &logged, &["--speed", "max", "--format", "json"]);
    let report = report_of(&output);
    assert_eq!((&report["executed"], &report["errors"]["new"]), (&3.into(), &json!({})), "{report}");
}

#[test]
fn a_thousand_sessions_share_the_connections_that_the_server_takes() {
    let Some(server) = Server::start(false).map_err(|why| crate::common::left_out::left_out("replay", &why)).ok()
    else {
        return;
    };
    server.client("").run("ALTER SYSTEM SET max_connections = 100").unwrap();
    server.restart();
    let sessions = (1..=1000).map(|session| (session, "SELECT pg_sleep(0.1)"));
    let statements: Vec<_> = sessions.clone().chain((1..=1000).map(|session| (session, "SELECT 1"))).collect();
    let log = log(&statements);

    let long: Vec<_> = (1..=300).map(|session| (session, "SELECT pg_sleep(3)")).collect();
    let output = replay(&server, &crate::ends::log(&long), &["--speed", "max"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("SQLSTATE 53300"), "{text}");
    let advice = text.split("--connections ").nth(1).unwrap_or_else(|| panic!("{text}"));
    let advice: usize = advice.split(' ').next().unwrap().parse().unwrap();
    assert!((1..100).contains(&advice), "{text}");

    let output = replay(&server, &log, &["--speed", "max", "--connections", "80", "--format", "json"]);
    let report = report_of(&output);
    assert!(output.status.success(), "{report}");
    assert_eq!([&report["executed"], &report["sessions"], &report["most_connections"]], [2000, 1000, 80]);
    assert!(report["waited_for_connection"].as_u64().unwrap() >= 900, "{report}");

    // Without `--connections`, pgq opens connections before they are needed, but only a few at a time. Therefore these
    // 1000 short sessions need fewer than 100 concurrent connections. The server must accept more, because on a slow
    // machine, it takes a while to end a session whose connection is closed.
    server.client("").run("ALTER SYSTEM SET max_connections = 400").unwrap();
    server.restart();
    let short: Vec<_> = (1..=1000).map(|session| (session, "SELECT 1")).collect();
    let output = replay(&server, &crate::ends::log(&short), &["--format", "json"]);
    let report = crate::ends::report_of(&output);
    assert_eq!([&report["executed"], &report["sessions"]], [1000, 1000], "{report}");
    assert!(report["most_connections"].as_u64().unwrap() < 100, "{report}");

    // The server disappears during this replay.
    let statements: Vec<_> = (0..200).map(|number| (number % 10, "SELECT pg_sleep(0.1)")).collect();
    let log = crate::ends::log(&statements);
    let output = std::thread::scope(|scope| {
        let run = scope.spawn(|| replay(&server, &log, &["--format", "json"]));
        while texts(&mut server.client(""), "SELECT count(*) FROM pg_stat_activity WHERE query ~ '^SELECT pg_sleep'")
            == ["0"]
        {}
        server.pg_ctl("stop -m immediate");
        run.join().unwrap()
    });
    let report = crate::ends::report_of(&output);
    assert_eq!(output.status.code(), Some(2), "{report}");
    let counts = ["executed", "lost", "given_up"].map(|name| report[name].as_u64().unwrap());
    assert_eq!(counts.iter().sum::<u64>(), 200, "{report}");
    assert!(counts[1] > 0 && counts[2] > 0, "{report}");
    assert_ne!(report["connection_errors"], json!({}));
}

#[test]
fn a_signal_ends_the_run_and_what_ran_is_reported() {
    let Some(workload) = shared() else { return };
    let folder = tempfile::tempdir().unwrap();
    let log = program::write(
        folder.path(),
        "log",
        log(&[(1, "SELECT 1"), (1, "SELECT pg_sleep(1000)"), (1, "SELECT 2"), (2, "SELECT pg_sleep(1000)")]),
    );
    let mut arguments = arguments(&workload.server, "two");
    arguments.extend(["--speed", "max", "--format", "json", &log].map(String::from));
    let run = program::pgq().args(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut client = workload.server.client("");
    let sleeping = "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query ~ '^SELECT pg_sleep'";
    while texts(&mut client, sleeping) != ["2"] {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap().success());
    let output = run.wait_with_output().unwrap();
    let report = report_of(&output);
    assert_eq!(output.status.code(), Some(130), "{report}");
    assert_eq!(
        ["executed", "lost", "given_up", "stopped_by_signal"].map(|name| report[name].as_u64().unwrap()),
        [1, 2, 1, 2],
        "{report}"
    );
    // The run must also cancel the statements on the server. Wait until they have ended.
    while texts(&mut client, sleeping) != ["0"] {
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Starts a proxy of the server. When a message contains `'endless'`, the proxy sends errors without end, and notifies
/// the returned receiver. Also returns the proxy's port.
fn endless_proxy(server: &Server) -> (u16, Receiver<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let socket = server.folder.join(format!(".s.PGSQL.{}", server.port));
    let (begins, begun) = channel();
    let error = b"E\0\0\0\x13SERROR\0C22012\0\0".repeat(2000);
    std::thread::spawn(move || {
        while let Ok((mut client, _)) = listener.accept() {
            let (mut server, begins, error) = (UnixStream::connect(&socket).unwrap(), begins.clone(), error.clone());
            let (mut back, mut answers) = (client.try_clone().unwrap(), server.try_clone().unwrap());
            std::thread::spawn(move || std::io::copy(&mut answers, &mut back));
            std::thread::spawn(move || {
                let mut bytes = [0; 4096];
                while let Ok(len @ 1..) = client.read(&mut bytes) {
                    if memchr::memmem::find(&bytes[..len], b"'endless'").is_some() {
                        let _ = begins.send(());
                        while client.write_all(&error).is_ok() {}
                    }
                    let _ = server.write_all(&bytes[..len]);
                }
            });
        }
    });
    (port, begun)
}

#[test]
fn a_signal_ends_the_run_although_a_server_sends_without_an_end() {
    let Some(workload) = shared() else { return };
    let folder = tempfile::tempdir().unwrap();
    let log = program::write(folder.path(), "log", log(&[(1, "SELECT 'endless'")]));
    let (port, begun) = endless_proxy(&workload.server);
    let to = format!("host=127.0.0.1 port={port} sslmode=disable");
    let mut arguments = arguments(&workload.server, "two");
    *arguments.iter_mut().skip_while(|argument| *argument != "--to").nth(1).unwrap() = to;
    arguments.extend(["--format", "json", &log].map(String::from));
    let run = program::pgq().args(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    begun.recv_timeout(Duration::from_secs(60)).expect("the statement is sent");
    assert!(Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap().success());
    let output = run.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let counts = ["executed", "lost"].map(|name| report_of(&output)[name].as_u64().unwrap());
    assert_eq!(counts, [0, 1], "{output:?}");
}

#[test]
fn a_server_that_does_not_answer_a_rollback_is_abandoned() {
    let Some(workload) = shared() else { return };
    let folder = tempfile::tempdir().unwrap();
    let lines = log(&[(1, "BEGIN"), (1, "SELECT 'frozen'"), (1, "COMMIT")]).replace("12:00:00.002", "12:00:03.000");
    let log = program::write(folder.path(), "log", lines);
    let mut arguments = arguments(&workload.server, "two");
    arguments.extend(["--statement-timeout", "1s", "--format", "json", &log].map(String::from));
    let run = program::pgq().args(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut client = workload.server.client("");
    let frozen = "SELECT pid FROM pg_stat_activity WHERE state = 'idle in transaction' AND query ~ '^SELECT ''frozen'";
    let pid = loop {
        match texts(&mut client, frozen).pop() {
            Some(pid) => break pid,
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    let kill = |signal: &str| assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
    kill("-STOP");
    let output = run.wait_with_output();
    kill("-CONT");
    let report = report_of(&output.unwrap());
    assert!(report["connection_errors"].to_string().contains("no answer for 11 s"), "{report}");
}

#[test]
fn a_session_that_holds_a_lock_gets_its_next_statement_although_many_wait() {
    let Some(workload) = shared() else { return };
    // Session 2 takes the lock first. All statements of session 1 then wait for the lock. In the log, the statements of
    // session 1 precede the COMMIT of session 2, and more of them wait than fit in pgq's queue.
    let mut statements = vec![(2, "BEGIN"), (2, "LOCK TABLE notes"), (1, "SELECT pg_sleep(0.1)")];
    statements.extend(std::iter::repeat_n((1, "LOCK TABLE notes; SELECT 1"), 55_000));
    statements.push((2, "COMMIT"));
    let output = replay_on_copy(&workload.server, &log(&statements));
    let report = report_of(&output);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(report["executed"], 55_004, "{report}");
}

fn replay_on_copy(server: &Server, log: &str) -> Output {
    let arguments = arguments(server, "two");
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let more = ["--writes", "--speed", "max", "--statement-timeout", "60s", "--format", "json"];
    program::run(&[&arguments[..], &more].concat(), log.as_bytes())
}
