//! Tests `pgq replay` from one database of a real server to another: which statements it sends, which it does not
//! send, and its report.

#[path = "../common/mod.rs"]
mod common;
mod disguises;
mod ends;
mod filters;
mod masks;
mod pgbench;
#[path = "../../crates/pgq-postgres/tests/common/mod.rs"]
mod postgres;
mod queries;
mod reports;
mod sessions;
mod settings;
mod snapshot;
mod target;
mod workload;

use std::process::Output;

use pgq_postgres::Client;
use postgres::{Server, texts};
use workload::{PREFIX, Workload, report_of, shared, with_limit};

/// Options for reading the log.
const LOG: [&str; 4] = ["--database", "one", "--log-line-prefix", PREFIX];

/// Runs `pgq replay` from the database `one` to the database `two`.
fn replay(workload: &Workload, arguments: &[&str]) -> Output {
    let server = format!("host={} port={} user=postgres", workload.server.folder.display(), workload.server.port);
    let log = workload.log.display().to_string();
    let fixed = ["replay", "--same-server", "--trust-log", "--to", &server, "--database-map", "one=two", &log];
    let is_role_given = arguments.contains(&"--writes") || arguments.contains(&"--user-map");
    let role = if is_role_given { &[][..] } else { &["--user-map", "*=plain"] };
    common::program::run(&[&fixed[..], &LOG, role, arguments].concat(), b"")
}

fn two(server: &Server) -> Client {
    server.client("dbname=two")
}

#[test]
fn with_writes_the_copy_becomes_equal_and_errors_are_the_same() {
    let Some(workload) = shared() else { return };
    // The replay is slower than the log, so that the statements of different sessions keep their order even on a busy
    // machine.
    let output = replay(&workload, &["--writes", "--speed", "0.05", "--format", "json"]);
    assert!(output.status.success(), "{output:?}");
    let report = report_of(&output);
    assert_eq!(report["executed"], workload.statements, "{report}");
    assert_eq!(report["guessed_types"], 1, "{report}");
    assert_eq!(
        report["errors"],
        serde_json::json!({"same": {"22012": 1, "42703": 1}, "other": {}, "new": {}, "gone": {}})
    );
    assert_eq!((&report["copies_without_rows"], &report["not_sent"]), (&1.into(), &serde_json::json!({})));
    let all = "SELECT string_agg(id || ' ' || note, ',' ORDER BY id) FROM notes";
    let one = texts(&mut workload.server.client("dbname=one"), all);
    assert_eq!(texts(&mut two(&workload.server), all), one);
    assert!(one[0].starts_with("1 it's"), "{one:?}");
}

#[test]
fn without_writes_nothing_is_written() {
    let Some(workload) = shared() else { return };
    let mut client = two(&workload.server);
    let state = "SELECT count(*) || ' ' || coalesce(sum(id), 0) FROM notes";
    let before = texts(&mut client, state);
    let output = replay(&workload, &["--speed", "max", "--format", "json"]);
    let report = report_of(&output);
    assert!(output.status.success(), "{output:?}");
    assert!(report["not_sent"]["they write or may write (--writes sends them)"].as_u64().unwrap() >= 5, "{report}");
    // One statement calls a function that writes. pgq sends this statement, and the server refuses the write with the
    // code 42501. No other new error may occur.
    let new = report["errors"]["new"].as_object().unwrap();
    assert!(new.keys().all(|code| code == "42501"), "the role may not write: {report}");
    assert_eq!(texts(&mut client, state), before);
}

#[test]
fn a_plan_in_a_file_is_the_same_plan() {
    let Some(workload) = shared() else { return };
    let folder = tempfile::tempdir().unwrap();
    let plan = folder.path().join("plan").display().to_string();
    let log = workload.log.display().to_string();
    let run = |arguments: &[&str]| common::program::run(&[&["replay"], arguments].concat(), b"");
    assert!(run(&[&["--trust-log", "--plan", &plan, &log], &LOG[..]].concat()).status.success());
    let (direct, planned) =
        (run(&[&["--dry-run", "--trust-log", &log], &LOG[..]].concat()), run(&["--dry-run", &plan]));
    assert_eq!(direct.stdout, planned.stdout);
    assert!(String::from_utf8(direct.stdout).unwrap().contains(" 3 sessions "), "{planned:?}");
    std::fs::write(&plan, &std::fs::read(&plan).unwrap()[..200]).unwrap();
    let cut = run(&["--dry-run", &plan]);
    assert_eq!(cut.status.code(), Some(2), "{cut:?}");
}

#[test]
fn a_plan_with_a_long_first_line_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let zeros = b"0".repeat(200 << 20);
    let line = [&br#"{"without_step":{},"end":null,"first":1."#[..], &zeros, b"}\n"].concat();
    let bytes = [b"pgq replay plan 6\n".to_vec(), zstd::encode_all(&line[..], 1).unwrap()].concat();
    let plan = common::program::write(folder.path(), "plan", bytes);
    let since = std::time::Instant::now();
    let output = common::program::run(&["replay", "--dry-run", &plan], b"");
    assert!(since.elapsed().as_secs() < 5, "{:?}", since.elapsed());
    assert!(output.status.code() == Some(2) && common::program::stderr(&output).contains("is damaged"), "{output:?}");
}

#[test]
fn a_plan_with_any_bit_changed_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let plan = folder.path().join("plan").display().to_string();
    let log = common::program::write(folder.path(), "log", ends::log(&[(1, "SELECT 1"), (2, "SELECT 2")]));
    let run = |arguments: &[&str]| common::program::run(&[&["replay"], arguments].concat(), b"");
    assert!(run(&["--trust-log", "--log-line-prefix", PREFIX, "--plan", &plan, &log]).status.success());
    let good = std::fs::read(&plan).unwrap();
    let unchanged = run(&["--dry-run", &plan]).stdout;
    // Change no byte of the first line, because pgq recognizes a plan by this line.
    for at in 18..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 1 << (at % 8);
        std::fs::write(&plan, bad).unwrap();
        let output = run(&["--dry-run", &plan]);
        // Either the flipped bit is detected, or the result is unchanged. Some bits of compressed data do not affect
        // the result.
        let is_refused = output.status.code() == Some(2);
        assert!(is_refused || output.stdout == unchanged, "byte {at} of {}: {output:?}", good.len());
    }
}

#[test]
fn a_query_that_got_slower_comes_first_and_fails_the_run() {
    let Some(workload) = shared() else { return };
    // In the copied database, the function `look_up`, which the query calls, sleeps for a second.
    let slow = "CREATE OR REPLACE FUNCTION look_up(a int) RETURNS int LANGUAGE plpgsql AS
                $$ BEGIN PERFORM pg_sleep(1); RETURN a; END $$";
    let mut client = two(&workload.server);
    let before = texts(&mut client, "SELECT prosrc FROM pg_proc WHERE proname = 'look_up'").remove(0);
    client.run(slow).unwrap();
    let arguments = ["--speed", "max", "--fail-if", "p95 > 20x", "--fail-if", "errors > 1000000"];
    let output = replay(&workload, &arguments);
    client
        .run(&format!("CREATE OR REPLACE FUNCTION look_up(a int) RETURNS int LANGUAGE plpgsql AS $${before}$$"))
        .unwrap();
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let first = text.lines().skip_while(|line| !line.contains("change")).nth(1).unwrap();
    assert!(first.contains("look_up"), "{text}");
    assert!(String::from_utf8(output.stderr).unwrap().contains("p95 > 20x: "));
}

#[test]
fn more_sessions_than_the_server_takes_wait_for_a_connection() {
    let Some(workload) = with_limit() else { return };
    let as_plain = ["--speed", "max", "--user-map", "*=plain"];
    let output = replay(&workload, &as_plain);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("SQLSTATE 53300") && text.contains("--connections"), "{text}");
    let output = replay(&workload, &[&as_plain[..], &["--connections", "10", "--format", "json"]].concat());
    let report = report_of(&output);
    assert!(output.status.success(), "{report}");
    assert_eq!(
        (report["executed"].as_u64(), report["most_connections"].as_u64()),
        (Some(workload.statements), Some(10))
    );
}

#[test]
fn what_is_wrong_with_the_server_is_said_and_the_report_written() {
    let Some(workload) = shared() else { return };
    let tcp = |more: &str| format!("hostaddr=127.0.0.1 port={} {more}", workload.server.port);
    for (arguments, expected) in [
        (&["--database-map", "one=nothing"][..], "SQLSTATE 3D000"),
        (&["--user-map", "*=nobody"], "role \"nobody\" does not exist"),
        (&["--to", "host=/does/not/exist"], "/does/not/exist/.s.PGSQL.5432"),
        (&["--to", &tcp("password=wrong"), "--user-map", "*=plain"], "SQLSTATE 28P01"),
        (&["--to", &tcp("sslmode=require"), "--user-map", "*=plain"], "TLS"),
    ] {
        let log = workload.log.display().to_string();
        let server = format!("host={} port={} user=postgres", workload.server.folder.display(), workload.server.port);
        let to: &[&str] = if arguments[0] == "--to" { &[] } else { &["--to", &server] };
        let output = common::program::run(
            &[&["replay", "--same-server", "--trust-log", &log], &LOG[..], to, arguments].concat(),
            b"",
        );
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(expected) && text.contains("0 statements executed"), "{text}");
    }
}

#[test]
fn a_statement_that_takes_too_long_is_ended() {
    let Some(workload) = shared() else { return };
    let mut client = two(&workload.server);
    // The sessions wait for this lock until their timeout.
    client.run("BEGIN; LOCK TABLE notes IN ACCESS EXCLUSIVE MODE").unwrap();
    let arguments = ["--speed", "max", "--statement-timeout", "200ms", "--format", "json"];
    let output = replay(&workload, &arguments);
    // The times of these statements are unknown.
    let judged = replay(&workload, &[&arguments[..], &["--fail-if", "p95 > 1h"]].concat());
    client.run("ROLLBACK").unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(report_of(&output)["errors"]["new"]["57014"].as_u64().unwrap() > 0);
    assert_eq!(judged.status.code(), Some(2), "{judged:?}");
    assert!(report_of(&judged)["timed_out"].as_u64().unwrap() > 0);
}

#[test]
fn a_log_is_not_run_on_the_server_that_wrote_it() {
    let Some(workload) = shared() else { return };
    let own = workload.server.folder.join("data/own.log");
    std::fs::copy(&workload.log, &own).unwrap();
    let server = format!("host={} port={} user=postgres", workload.server.folder.display(), workload.server.port);
    let own = own.display().to_string();
    let run = |more: &[&str]| {
        let maps = ["--database-map", "one=two", "--user-map", "*=plain"];
        let to = ["replay", "--trust-log", "--to", &server, "--speed", "max", &own];
        common::program::run(&[&to, &maps[..], &LOG[..], more].concat(), b"")
    };
    let refused = run(&[]);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    assert!(common::program::stderr(&refused).contains("may be the one that wrote the log"), "{refused:?}");
    assert!(run(&["--same-server"]).status.success());
}
