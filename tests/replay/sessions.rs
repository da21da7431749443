//! Tests the state of a replayed session: lost connections, encodings and types. Also tests filters that reject a SET,
//! or some statements of a transaction, but select later statements of the session.

use std::process::Output;

use serde_json::{Value, json};

use crate::common::program;
use crate::ends::{log, log_with_error};
use crate::postgres::{Server, texts};
use crate::workload::{PREFIX, replay_log, report_of, shared};

const KILL: &str = "SELECT pg_terminate_backend(pg_backend_pid())";
/// A query that fails unless the session has the setting `work_mem = '7MB'`.
pub const ASKS: &str = "SELECT 1 / (current_setting('work_mem') = '7MB')::int";
const SINCE: [&str; 2] = ["--since", "2026-01-31 12:00:00.004 UTC"];

fn run(server: &Server, log: &str, more: &[&str]) -> Output {
    let maps = ["--database-map", "*=two", "--speed", "max", "--format", "json"];
    replay_log(server, log, &[&maps, more].concat())
}

/// Replays without `--writes`.
pub fn read(server: &Server, log: &str, more: &[&str]) -> Value {
    let output = run(server, log, &[&["--user-map", "*=plain"], more].concat());
    assert!(output.status.success(), "{output:?}");
    report_of(&output)
}

/// Replays with `--writes`. Returns the output, and the ids in the table after the replay.
pub fn write(server: &Server, log: &str, more: &[&str]) -> (Output, Vec<String>) {
    let mut client = server.client("dbname=two");
    client.run("TRUNCATE notes").unwrap();
    let output = run(server, log, &[&["--user-map", "*=postgres", "--writes"], more].concat());
    (output, texts(&mut client, "SELECT id::text FROM notes ORDER BY id"))
}

fn insert(id: u32) -> String {
    format!("INSERT INTO notes VALUES ({id})")
}

#[test]
fn settings_of_a_session_pass_the_filters() {
    let Some(workload) = shared() else { return };
    // No filter selects a statement of session 2. Session 3 begins its transaction before the time of `--since`.
    let logged = log(&[
        (1, "SET work_mem = '7MB'"),
        (2, "SET work_mem = '8MB'"),
        (3, "BEGIN"),
        (3, "SET LOCAL work_mem = '7MB'"),
        (1, ASKS),
        (3, ASKS),
        (1, "SET work_mem = '1MB'"),
    ]);
    for filter in [SINCE, ["--kind", "select"], ["--min-duration", "1ms"], ["--application", "other"]] {
        let mut logged = logged.clone();
        if filter[0] == "--min-duration" {
            logged = logged.lines().map(|line| format!("{line}\n")).collect::<String>();
            logged = logged.replace("0.000 ms  statement: SELECT", "2.000 ms  statement: SELECT");
        }
        if filter[0] == "--application" {
            let other =
                |line: &str| if line.contains("SELECT") { line.replace(" app ", " other ") } else { line.into() };
            logged = logged.lines().map(|line| other(line) + "\n").collect();
        }
        let report = read(&workload.server, &logged, &filter);
        let new = &report["errors"]["new"];
        let executed = if filter == SINCE { 3 } else { 2 };
        assert_eq!(
            (&report["executed"], &report["sessions"], new),
            (&executed.into(), &2.into(), &json!({})),
            "{filter:?}: {report}"
        );
    }
}

#[test]
fn an_empty_statement_in_an_aborted_block_is_no_new_error() {
    let Some(workload) = shared() else { return };
    let failed = "SELECT nothing";
    let statements = ["BEGIN", failed, "-- ping", ";", "ROLLBACK", "SELECT 1"].map(|sql| (1, sql));
    let logged = log_with_error(&statements, failed, "42703", "column \"nothing\" does not exist");
    let report = read(&workload.server, &logged, &[]);
    let errors = &report["errors"];
    assert_eq!((&report["executed"], &errors["new"], &errors["same"]), (&2.into(), &json!({}), &json!({"42703": 1})));
}

#[test]
fn a_copy_that_failed_in_the_log_fails() {
    let Some(workload) = shared() else { return };
    let copy = "COPY notes FROM STDIN";
    let [first, second] = [1, 2].map(insert);
    let statements = [(1, "BEGIN"), (1, &*first), (1, copy), (1, "COMMIT"), (1, &*second)];
    let logged = log_with_error(&statements, copy, "22P02", "invalid input syntax for type integer: \"x\"");
    let (output, ids) = write(&workload.server, &logged, &[]);
    assert_eq!(ids, ["2"], "{output:?}");
}

#[test]
fn an_error_of_a_copy_that_succeeded_in_the_log_is_new() {
    let Some(workload) = shared() else { return };
    let mut client = workload.server.client("dbname=two");
    // The server requests the data of the COPY before it runs the trigger.
    for sql in [
        "CREATE TABLE copied (id int)",
        "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''no''; END'",
        "CREATE TRIGGER refuse BEFORE INSERT ON copied FOR EACH STATEMENT EXECUTE FUNCTION refuse()",
    ] {
        client.run(sql).unwrap();
    }
    let (output, _) = write(&workload.server, &log(&[(1, "COPY copied FROM STDIN")]), &[]);
    client.run("DROP TABLE copied; DROP FUNCTION refuse").unwrap();
    assert_eq!(report_of(&output)["errors"]["new"], json!({"P0001": 1}), "{output:?}");
}

#[test]
fn what_is_before_since_does_not_delay_the_run() {
    let Some(workload) = shared() else { return };
    let logged = log(&[(1, "SET work_mem = '7MB'"), (1, ASKS)]).replace("12:00:00.001", "13:00:00.000");
    let folder = tempfile::tempdir().unwrap();
    let plan = folder.path().join("plan").display().to_string();
    let log = program::write(folder.path(), "log", logged);
    let since = ["--since", "2026-01-31 12:30 UTC", "--trust-log", "--log-line-prefix", PREFIX, &log];
    let dry = program::stdout_of(&[&["replay", "--dry-run"], &since[..]].concat());
    assert!(dry.starts_with("1 statement of 1 session in 0.000 s"), "{dry}");
    assert!(
        dry.ends_with("and 1 statement of their sessions' settings and transactions, which the filters reject\n"),
        "{dry}"
    );
    assert!(program::run(&[&["replay", "--plan", &plan], &since[..]].concat(), b"").status.success());
    let to = format!("host={} port={}", workload.server.folder.display(), workload.server.port);
    let maps = ["--database-map", "*=two", "--user-map", "*=plain", "--format", "json"];
    let output = program::run(&[&["replay", "--same-server", "--to", &to, &plan], &maps[..]].concat(), b"");
    let report = report_of(&output);
    assert_eq!((&report["executed"], &report["errors"]["new"]), (&1.into(), &json!({})), "{report}");
}

#[test]
fn filters_keep_the_ends_of_transactions() {
    let Some(workload) = shared() else { return };
    let [one, two, three, four] = [1, 2, 3, 4].map(insert);
    let log = log(&[
        (1, "BEGIN"),
        (1, &one),
        (2, "BEGIN"),
        (2, &two),
        (1, &three), // --since begins here
        (1, "ROLLBACK"),
        (2, &four),
        (2, "COMMIT"),
    ]);
    let (output, ids) = write(&workload.server, &log, &["--kind", "insert"]);
    assert_eq!(ids, ["2", "4"], "{output:?}");
    // `--since` selects the second half of both transactions. Session 1 rolls its transaction back. Session 2 inserts
    // row 4 and commits.
    assert_eq!(write(&workload.server, &log, &SINCE).1, ["4"]);
    // Without the second half, the transactions have no COMMIT. The end of the connection rolls them back.
    assert!(write(&workload.server, &log, &["--until", SINCE[1]]).1.is_empty());
}

#[test]
fn with_writes_a_lost_connection_ends_its_session() {
    let Some(workload) = shared() else { return };
    let log = log(&[
        (1, "SET search_path = pg_temp, public"),
        (1, "BEGIN"),
        (1, &insert(1)),
        (1, KILL),
        (1, &insert(2)),
        (1, "COMMIT"),
        (1, &insert(3)),
        (2, &insert(4)),
    ]);
    let (output, ids) = write(&workload.server, &log, &[]);
    let report = report_of(&output);
    assert_eq!((output.status.code(), &ids[..]), (Some(2), &["4".to_string()][..]), "{report}");
    let counts = ["executed", "lost", "given_up"].map(|name| report[name].as_u64().unwrap());
    assert_eq!(counts, [4, 1, 3], "{report}");
}

#[test]
fn with_writes_the_encoding_stays_utf8() {
    let Some(workload) = shared() else { return };
    let note = |id: u32| format!("INSERT INTO notes VALUES ({id}, 'größe')");
    let log = log(&[
        (1, "SET client_encoding = 'LATIN1'"),
        (1, &note(1)),
        (2, &note(2)),
        (2, "SELECT set_config('client_encoding', 'LATIN1', false)"),
        (2, &note(3)),
    ]);
    let (output, ids) = write(&workload.server, &log, &[]);
    let report = report_of(&output);
    let notes = texts(&mut workload.server.client("dbname=two"), "SELECT DISTINCT note FROM notes");
    assert_eq!((&ids[..], &notes[..]), (&["1".into(), "2".into()][..], &["größe".to_string()][..]), "{report}");
    assert_eq!((output.status.code(), &report["given_up"], &report["replaced"]), (Some(2), &1.into(), &1.into()));
    assert!(report["connection_errors"].to_string().contains("client_encoding is LATIN1"), "{report}");
}

#[test]
fn what_the_log_refused_as_several_statements_is_not_executed_one_by_one() {
    let Some(workload) = shared() else { return };
    let several = format!("{}; {}", insert(1), insert(2));
    let (_, three) = (1, insert(3));
    let statements = [(1, &*three), (1, &*several), (2, &several.replace('2', "4"))];
    let message = "cannot insert multiple commands into a prepared statement";
    let logged = log_with_error(&statements, &several, "42601", message);
    let (output, ids) = write(&workload.server, &logged, &[]);
    let reason = "several statements in one text (--writes sends them unless the log's server refused them)";
    assert_eq!(report_of(&output)["not_sent"], json!({reason: 1}), "{output:?}");
    assert_eq!(ids, ["1", "3", "4"], "{output:?}");
}

#[test]
fn guessed_types_follow_the_values() {
    let Some(workload) = shared() else { return };
    let execution = |value: &str| {
        let prefix = "2026-01-31 12:00:00.000 UTC [1] ann@one app s1 00000";
        let sql = "SELECT concat('place ', $1), jsonb_build_object('place', $1)";
        format!("{prefix} LOG:  duration: 0.000 ms  execute s1: {sql}\n{prefix} DETAIL:  parameters: $1 = '{value}'\n")
    };
    let log: String = ["10115", "Berlin", "NW1 6XE", "10117", "2026-01-31", "t"].map(execution).concat();
    let report = read(&workload.server, &log, &[]);
    assert_eq!((&report["executed"], &report["errors"]["new"]), (&6.into(), &json!({})), "{report}");
}

/// Two servers can assign the same session ID.
#[test]
fn a_session_has_one_database() {
    let log = log(&[(1, "BEGIN"), (1, "SELECT 1"), (1, "COMMIT")]);
    let both = format!("{log}{}", log.replace("@one", "@other"));
    let dry = ["replay", "--dry-run", "--trust-log", "--log-line-prefix", PREFIX];
    let text = String::from_utf8(program::run(&dry, both.as_bytes()).stdout).unwrap();
    assert!(text.starts_with("6 statements of 2 sessions"), "{text}");
}

#[test]
fn parameters_that_are_not_utf8_are_not_sent() {
    let folder = tempfile::tempdir().unwrap();
    let prefix = "2026-01-31 12:00:00.000 UTC [1] ann@one app s1 00000";
    for (message, detail) in [
        ("execute s1: SELECT $1", "parameters: $1 = 'é'"),
        ("statement: EXECUTE s1('é')", "prepare: PREPARE s1(text) AS SELECT $1"),
    ] {
        let text = format!("{prefix} LOG:  duration: 1.000 ms  {message}\n{prefix} DETAIL:  {detail}\n");
        let latin1 = text.chars().map(|c| c as u8).collect::<Vec<_>>();
        let log = program::write(folder.path(), "log", latin1);
        let dry = ["replay", "--dry-run", "--trust-log", "--log-line-prefix", PREFIX, &log];
        let found = |more: &[&str]| String::from_utf8(program::run(&[&dry[..], more].concat(), b"").stdout).unwrap();
        assert!(found(&[]).contains("1  not sent: not UTF-8\n"), "{}", found(&[]));
        assert!(found(&["--encoding", "latin1"]).contains("1  sent (pgq's own transactions"), "{message}");
    }
}

#[test]
fn an_error_of_binding_again_is_not_that_of_the_execution_before() {
    let row = |line: u32, tag: &str, severity: &str, code: &str, message: &str, statement: &str| {
        let time = "2026-01-31 12:00:00.000 UTC";
        format!(
            "{time},\"ann\",\"one\",1,\"[local]\",s1.1,{line},\"{tag}\",{time},3/1,0,{severity},{code},\"{message}\",,,,,,\
             {statement},,,\"app\",\"client backend\",,0\n"
        )
    };
    let sql = "SELECT $1::date";
    let executed = row(1, "SELECT", "LOG", "00000", &format!("execute <unnamed>: {sql}"), "");
    for (tag, expected) in [("BIND", "2 statements"), ("SELECT", "1 statement")] {
        let failed = row(2, tag, "ERROR", "22008", "date out of range", &format!("\"{sql}\""));
        let log = format!("{executed}{failed}");
        let output = program::run(&["replay", "--dry-run", "--from", "csvlog"], log.as_bytes());
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.starts_with(expected) && text.contains("; 1 statement failed"), "{tag}: {text}");
    }
}

/// Replays one session. Returns the errors that the log does not have.
fn new_errors(statements: &[&str]) -> Option<Value> {
    let workload = shared()?;
    let statements: Vec<_> = statements.iter().map(|sql| (1, *sql)).collect();
    Some(read(&workload.server, &log(&statements), &[])["errors"]["new"].clone())
}

#[test]
fn discard_all_releases_advisory_locks() {
    let released = "SELECT 1 / (NOT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory'))::int";
    let lock = "SELECT pg_advisory_lock(5)";
    for (statements, expected) in
        [(&[lock, "DISCARD ALL", released][..], json!({})), (&[lock, "DISCARD PLANS", released], json!({"22012": 1}))]
    {
        let Some(errors) = new_errors(statements) else { return };
        assert_eq!(errors, expected, "{statements:?}");
    }
}

/// pgq repeats the settings of a session at the start of later transactions. `standard_conforming_strings` may have
/// changed by then, so that a backslash in a setting would have a different meaning. Therefore pgq does not send a
/// setting with a backslash.
#[test]
fn a_setting_with_a_backslash_is_not_sent() {
    let Some(workload) = shared() else { return };
    let [on, off] = ["on", "off"].map(|value| format!("SET standard_conforming_strings = {value}"));
    let asks = "SELECT 1 / (current_setting('a.b', true) IS NULL)::int";
    let report = read(&workload.server, &log(&[(1, &off), (1, r"SET a.b = 'x\\y'"), (1, &on), (1, asks)]), &[]);
    assert_eq!((&report["executed"], &report["errors"]["new"]), (&3.into(), &json!({})), "{report}");
    let reason = "settings with a backslash, or after the first 100 (or 64 kB) of their session (--writes sends them)";
    assert_eq!(report["not_sent"], json!({reason: 1}), "{report}");
}

/// One of the tested texts is `SELECT pg_advisory_unlock_all(); …`, with which asyncpg resets a connection.
#[test]
fn a_text_of_several_statements_changes_and_resets_settings() {
    let is_reset = "SELECT 1 / (current_setting('work_mem') <> '7MB')::int";
    let set = "SET work_mem = '7MB'";
    for statements in [
        &[set, "SELECT pg_advisory_unlock_all(); CLOSE ALL; UNLISTEN *; RESET ALL", is_reset][..],
        &["BEGIN", set, "ROLLBACK; SELECT 1", is_reset],
        &["SELECT 1", "SELECT 1; SET work_mem = '7MB'", ASKS],
        &["SELECT 1", "BEGIN; SET work_mem = '7MB'", ASKS, "COMMIT; SELECT 1", ASKS],
    ] {
        let Some(errors) = new_errors(statements) else { return };
        assert_eq!(errors, json!({}), "{statements:?}");
    }
}

#[test]
fn statements_whose_prepare_was_not_executed_are_not_sent() {
    let Some(workload) = shared() else { return };
    let fails = "PREPARE q AS SELECT 1 / 0";
    let statements = ["PREPARE q AS SELECT 1", "EXECUTE q", "DEALLOCATE q; SELECT 2", fails, "EXECUTE q"];
    let report = read(&workload.server, &log(&statements.map(|sql| (1, sql))), &[]);
    let not_prepared = "EXECUTE or DEALLOCATE of statements that the session has not prepared";
    assert_eq!((&report["executed"], &report["not_sent"][not_prepared]), (&3.into(), &1.into()), "{report}");
}

#[test]
fn names_of_prepared_statements_that_the_server_cuts_are_one_name() {
    let Some(workload) = shared() else { return };
    let prefix = "2026-01-31 12:00:00.000 UTC [1] ann@one app s1 00000";
    let name = "n".repeat(63);
    let line = |end: &str, sql: &str| format!("{prefix} LOG:  duration: 0.000 ms  execute {name}{end}: {sql}\n");
    let [one, other] = ["SELECT 1 / 1", "SELECT 1 / 0"];
    let logged = [line(".a", one), line(".b", other), line(".a", one), line(".b", other)].concat();
    let report = read(&workload.server, &logged, &[]);
    assert_eq!((&report["executed"], &report["errors"]["new"]), (&4.into(), &json!({"22012": 2})), "{report}");
}

#[test]
fn a_failed_statement_aborts_its_block_even_if_a_filter_rejects_it() {
    let Some(workload) = shared() else { return };
    let failed = "INSERT INTO missing VALUES (1)";
    let statements = ["SELECT 1", "BEGIN", "SET work_mem = '7MB'", failed, "COMMIT", "SHOW work_mem", ASKS];
    let message = "relation \"missing\" does not exist";
    let logged = log_with_error(&statements.map(|sql| (1, sql)), failed, "42P01", message);
    for filter in [&["--kind", "select"][..], &[]] {
        let report = read(&workload.server, &logged, filter);
        assert_eq!(report["errors"]["new"], json!({"22012": 1}), "{filter:?}: {report}");
        let (output, _) = write(&workload.server, &logged, filter);
        assert_eq!(report_of(&output)["errors"]["new"], json!({"22012": 1}), "{filter:?}: {output:?}");
    }
}
