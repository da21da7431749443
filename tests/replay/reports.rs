//! Options of a replay that affect its report: errors, names, and formats.

use std::process::Output;

use serde_json::Value;

use crate::common::program;
use crate::ends::log;
use crate::postgres::{Server, texts};
use crate::workload::{PREFIX, replay_log, report_of, shared};

/// Replays statements from a log. In the log, the user ann runs them in the database `one`. The replay runs them in the
/// database `two`. With `--writes` it runs them as the user `postgres`, otherwise as the user `plain`.
fn replay(server: &Server, statements: &[(u32, &str)], more: &[&str]) -> Output {
    let user = if more.contains(&"--writes") { "ann=postgres" } else { "ann=plain" };
    let maps = ["--speed", "max", "--database-map", "one=two", "--user-map", user];
    replay_log(server, &log(statements), &[&maps[..], more].concat())
}

#[test]
fn a_session_goes_on_after_an_error() {
    let Some(workload) = shared() else { return };
    let mut client = workload.server.client("dbname=two");
    client.run("TRUNCATE notes").unwrap();
    let statements = [
        (1, "BEGIN"),
        (1, "SELECT 1 / 0"),
        (1, "INSERT INTO notes VALUES (1)"),
        (1, "COMMIT"),
        // --user-map and --database-map replace the log's names.
        (1, "INSERT INTO notes VALUES (2, current_user || ' ' || current_database())"),
    ];
    let report = report_of(&replay(&workload.server, &statements, &["--writes", "--format", "json"]));
    let notes = texts(&mut client, "SELECT id || ' ' || note FROM notes");
    assert_eq!((&report["executed"], &notes[..]), (&5.into(), &["2 postgres two".to_string()][..]), "{report}");
    assert_eq!(report["errors"]["new"], serde_json::json!({"22012": 1, "25P02": 1}), "{report}");
}

/// Returns the log's messages about a PREPARE that fails because its name is taken.
fn name_taken(prefix: &str, sql: &str) -> String {
    let prefix = prefix.replace("00000", "42P05");
    format!("{prefix}ERROR:  prepared statement \"P\" already exists\n{prefix}STATEMENT:  {sql}\n")
}

#[test]
fn statements_whose_name_was_taken_are_not_sent() {
    let Some(workload) = shared() else { return };
    let failed = |line: &str| match line.split_once("LOG:  ") {
        Some((prefix, message)) if !message.contains("select 1") => {
            name_taken(prefix, message.split_once("statement: ").unwrap().1)
        }
        _ => format!("{line}\n"),
    };
    let logged = log(&[(1, "select 1"), (1, "select 2"), (1, "prepare s as select 3"), (1, "prepare s as select 3")]);
    let logged: String = logged.lines().map(failed).collect();
    let arguments = ["--format", "json", "--database-map", "*=two", "--user-map", "*=plain"];
    let report = report_of(&replay_log(&workload.server, &logged, &arguments));
    let reason = "refused in the log, because the name of a prepared statement was taken (SQLSTATE 42P05)";
    assert_eq!((&report["not_sent"][reason], &report["executed"]), (&1.into(), &3.into()), "{report}");
    let errors = ["same", "gone"].map(|kind| report["errors"][kind]["42P05"].clone());
    assert_eq!(errors, [1, 1], "the first PREPARE succeeds: {report}");
}

#[test]
fn fetches_of_a_cursor_that_was_not_declared_are_no_new_errors() {
    let Some(workload) = shared() else { return };
    let logged = log(&[
        (1, "begin; declare c cursor for select 1; fetch 1 in c"),
        (1, "fetch 1 in c"),
        (1, "close c"),
        (1, "commit"),
        (2, "declare w cursor with hold for select 1"),
        (2, "move 1 in w"),
        (2, "select 1"),
    ]);
    let arguments = ["--format", "json", "--database-map", "*=two", "--user-map", "*=plain"];
    let report = report_of(&replay_log(&workload.server, &logged, &arguments));
    assert_eq!(report["errors"]["new"].as_object().unwrap().len(), 0, "{report}");
    let reason = "refused, because their cursor is not open in pgq's transaction (--writes keeps cursors)";
    assert_eq!((&report["not_sent"][reason], &report["executed"]), (&3.into(), &2.into()), "{report}");
}

#[test]
fn execute_is_sent_as_logged_if_its_prepare_was_sent() {
    let Some(workload) = shared() else { return };
    let prepare = "prepare \"P\"(int) as select 1 / ($1 - 4)";
    let logged = log(&[
        (1, prepare),
        (1, "a repeated PREPARE"),
        (1, "execute \"P\"(5)"),
        (1, "execute \"P\"(4)"),
        (2, "execute \"P\"(6)"),
        (1, "deallocate \"P\""),
        (1, "execute \"P\"(7)"),
        (3, "a repeated PREPARE"),
        (3, "execute \"P\"(8)"),
        (3, "deallocate \"Q\""),
    ]);
    // The server adds the PREPARE as a detail.
    let detail = |line: &str| match line.split_once("LOG:  ") {
        Some((prefix, message)) if message.contains("execute") => {
            format!("{line}\n{prefix}DETAIL:  prepare: {prepare}\n")
        }
        Some((prefix, message)) if message.contains("a repeated PREPARE") => name_taken(prefix, prepare),
        _ => format!("{line}\n"),
    };
    let logged: String = logged.lines().map(detail).collect();
    for more in [&["--user-map", "*=plain"][..], &["--user-map", "*=postgres", "--writes"]] {
        let fixed = ["--format", "json", "--database-map", "*=two"];
        let report = report_of(&replay_log(&workload.server, &logged, &[&fixed[..], more].concat()));
        assert_eq!((&report["executed"], &report["errors"]["new"]["22012"]), (&6.into(), &1.into()), "{report}");
        // In session 3, the PREPARE fails only in the log. There, the name "P" belongs to a prepared statement whose
        // PREPARE was not logged.
        assert_eq!(["same", "gone"].map(|kind| &report["errors"][kind]["42P05"]), [1, 1], "{report}");
        assert_eq!(report["errors"]["new"].as_object().unwrap().len(), 1, "{report}");
        let reason = "EXECUTE or DEALLOCATE of statements that the session has not prepared";
        assert_eq!(report["not_sent"][reason], 4, "{report}");
        let is_query = |query: &&Value| query["normalized"] == "select $2 / ($1 - $3)";
        let queries: Vec<_> = report["queries"].as_array().unwrap().iter().filter(is_query).collect();
        assert_eq!((queries.len(), &queries[0]["after"]["calls"]), (1, &1.into()), "{report}");
    }
}

#[test]
fn the_state_of_a_run_is_a_state_and_a_baseline_of_digest() {
    let Some(workload) = shared() else { return };
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state").display().to_string();
    let statements = [(1, "SELECT look_up(1)"), (1, "SELECT look_up(2)"), (1, "SELECT nothing")];
    let output = replay(&workload.server, &statements, &["--state", &state]);
    assert!(output.status.success(), "{output:?}");
    let logged = program::write(folder.path(), "log", log(&statements));
    let before = folder.path().join("before").display().to_string();
    program::stdout_of(&["digest", "--state", &before, "--log-line-prefix", PREFIX, &logged]);
    let page = program::stdout_of(&["digest", "--format", "html", "--merge", &state, "--baseline", &before]);
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("look_up"), "{page}");
    let digest = ["digest", "--format", "json", "--log-line-prefix", PREFIX, "--baseline", &state, &logged];
    let report: Value = serde_json::from_str(&program::stdout_of(&digest)).unwrap();
    let text = report.to_string();
    assert!(text.contains("look_up($1)") && report["groups"][0]["change"]["is"].is_string(), "{text}");
    let merged = program::stdout_of(&["digest", "--format", "json", "--merge", &state]);
    let merged: Value = serde_json::from_str(&merged).unwrap();
    let query = |query: &&Value| query.to_string().contains("look_up");
    let calls = merged["groups"].as_array().unwrap().iter().find(query).unwrap()["calls"].clone();
    assert_eq!(calls, 2, "{merged}");
}

#[test]
fn a_dropped_index_is_found_by_the_query_that_needs_it() {
    let Some(workload) = shared() else { return };
    let mut client = workload.server.client("dbname=two");
    client
        .run("CREATE TABLE harbors AS SELECT id, 'Harbor ' || id AS name FROM generate_series(1, 100000) AS id")
        .unwrap();
    client.run("CREATE INDEX harbors_id ON harbors (id); GRANT SELECT ON harbors TO PUBLIC; ANALYZE harbors").unwrap();
    let look_up: Vec<String> = (0..50).map(|id| format!("SELECT name FROM harbors WHERE id = {}", id * 1999)).collect();
    let statements: Vec<(u32, &str)> =
        look_up.iter().flat_map(|sql| [(1, sql.as_str()), (2, "SELECT count(*) FROM notes")]).collect();
    // The first replay uses the index `harbors_id` and measures the median duration of the query. This duration is
    // written to a second log. The replay of the second log runs without the index, so the query is slower than in the
    // log.
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state").display().to_string();
    let with_index = report_of(&replay(&workload.server, &statements, &["--format", "json", "--state", &state]));
    client.run("DROP INDEX harbors_id").unwrap();
    let median = |report: &Value| {
        let queries = report["queries"].as_array().unwrap().iter();
        let query = queries.clone().find(|query| query["normalized"].as_str().unwrap().contains("harbors")).unwrap();
        query["after"]["p50_ms"].as_f64().unwrap()
    };
    let before = median(&with_index);
    let logged = log(&statements).replace("duration: 0.000 ms", &format!("duration: {before:.3} ms"));
    let maps = ["--database-map", "one=two", "--user-map", "ann=plain"];
    let more = ["--speed", "max", "--fail-if", "p50 > 1.5x"];
    let output = replay_log(&workload.server, &logged, &[maps, more].concat());
    client.run("DROP TABLE harbors").unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(3), "{text}");
    let first = text.lines().skip_while(|line| !line.contains("change")).nth(1).unwrap();
    assert!(first.contains("SELECT name FROM harbors WHERE id = $1"), "{text}");
}

#[test]
fn statements_that_were_deallocated_are_prepared_again() {
    let Some(workload) = shared() else { return };
    let prepare = "PREPARE p AS SELECT 1";
    let before = [(1, "A"), (1, "A"), (1, "deallocate all"), (1, "A"), (1, prepare), (1, "RESET ALL")];
    let after = [(1, "EXECUTE p"), (1, "DISCARD ALL"), (1, "A"), (1, prepare)];
    let logged = log(&[&before[..], &after].concat());
    let logged = logged.replace("statement: A", "execute s1: SELECT 7");
    let more = ["--speed", "max", "--database-map", "one=two", "--user-map", "*=plain", "--format", "json"];
    let report = report_of(&replay_log(&workload.server, &logged, &more));
    assert_eq!((&report["executed"], &report["errors"]["new"]), (&Value::from(9), &serde_json::json!({})), "{report}");
    assert_eq!(report["replaced"], 1, "DISCARD ALL: {report}");
}

#[test]
fn every_report_and_the_terminal_tell_what_was_not_executed() {
    let Some(workload) = shared() else { return };
    let folder = tempfile::tempdir().unwrap();
    let statements = [(1, "SELECT 1"), (1, "INSERT INTO notes VALUES (1)"), (2, "SELECT 1; SELECT 2")];
    let nobody = ["--to", "host=127.0.0.1 port=1 sslmode=disable"];
    for format in ["text", "json"] {
        let file = folder.path().join(format).display().to_string();
        let more = ["--format", format, "--output", &file];
        let mut output = replay(&workload.server, &statements, &more);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let told = ["1 statement not sent: they write", "1 statement not sent: several statements in one text"];
        let mut expected = vec![(output, told)];
        // No server listens on this port. The log is longer than the part that pgq reads ahead, so pgq gives up before
        // the end of the log.
        let logged = log(&[(1, "SELECT 1")]) + &log(&[(1, "SELECT 1")]).replace("12:00", "13:00");
        let run = ["replay", "--trust-log", "--log-line-prefix", PREFIX, "--user-map", "ann=plain"];
        output = program::run(&[&run, &nobody[..], &more].concat(), logged.as_bytes());
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let told = ["1 statement not executed, because the session was given up", "the run ended early"];
        expected.push((output, told));
        for (output, told) in expected {
            let terminal = program::stderr(&output);
            assert!(told.iter().all(|line| terminal.contains(line)), "{terminal}");
        }
        let shown = std::fs::read_to_string(&file).unwrap();
        let told = if format == "json" { ["\"given_up\": 1", "\"ended_early\": true"] } else { told };
        assert!(told.iter().all(|line| shown.contains(line)), "{shown}");
    }
}

#[test]
fn the_time_before_includes_parse_and_bind() {
    let Some(workload) = shared() else { return };
    let executed = log(&[(1, "SELECT look_up(1)")]);
    let phase = |message: &str| executed.replace("duration: 0.000 ms  statement: ", message);
    let logged = [
        "duration: 5.000 ms  parse <unnamed>: ",
        "duration: 10.000 ms  bind <unnamed>: ",
        "duration: 1.000 ms  execute <unnamed>: ",
    ]
    .map(phase)
    .concat();
    let maps = ["--speed", "max", "--database-map", "one=two", "--user-map", "ann=plain", "--format", "json"];
    let report = report_of(&replay_log(&workload.server, &logged, &maps));
    let before = &report["queries"][0]["before"];
    assert_eq!((&before["calls"], &before["mean_ms"]), (&1.into(), &16.0.into()), "{report}");
}

#[test]
fn conditions_that_cannot_be_judged_fail_the_run() {
    let Some(workload) = shared() else { return };
    let logged = log(&[(1, "SELECT 1"), (1, "SELECT look_up(1)"), (1, "SELECT look_up(2)")]);
    // One of two calls lacks its duration.
    let without = "duration: 0.000 ms  statement: SELECT look_up(2)";
    let logged = logged.replace(without, "statement: SELECT look_up(2)").replace("0.000 ms", "9999.000 ms");
    let maps = ["--speed", "max", "--database-map", "one=two", "--user-map", "ann=plain", "--format", "json"];
    for (condition, code, lines) in
        [("p95 > 1x", 2, 1), ("total > 1e-9x", 3, 1), ("errors > 1x", 0, 0), ("p95 > 1min", 0, 0)]
    {
        let output = replay_log(&workload.server, &logged, &[&maps[..], &["--fail-if", condition]].concat());
        let report = report_of(&output);
        assert_eq!(report["not_judged"].as_array().unwrap().len(), lines, "{report}");
        assert_eq!(output.status.code(), Some(code), "{output:?}");
    }
    let output = replay(&workload.server, &[(1, "DO ''")], &["--fail-if", "errors > 0"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(String::from_utf8(output.stdout).unwrap().contains("not judged: errors > 0: no statement"));
}

#[test]
fn what_the_role_or_unknown_types_may_cause_is_named() {
    let Some(workload) = shared() else { return };
    let mut client = workload.server.client("dbname=two");
    client
        .run(
            "CREATE SEQUENCE numbers; CREATE TABLE secured (a int); GRANT SELECT ON numbers, secured TO plain; \
             ALTER TABLE secured ENABLE ROW LEVEL SECURITY",
        )
        .unwrap();
    let statement = log(&[(1, "SELECT nextval('numbers')"), (1, "SELECT * FROM secured")]);
    let prefix = "2026-01-31 12:00:00.500 UTC [1] ann@one app s1 00000";
    // In the first statement, the server infers that $1 is a timestamptz. In the second, it cannot infer the type of
    // $1, because the function is polymorphic, so pgq guesses the type.
    let executions = [("SELECT now() - $1", "1 day"), ("SELECT to_jsonb($1)", "5")].map(|(sql, value)| {
        format!("{prefix} LOG:  duration: 0.000 ms  execute p: {sql}\n{prefix} DETAIL:  parameters: $1 = '{value}'\n")
    });
    let maps = ["--database-map", "one=two", "--user-map", "ann=plain", "--format", "json"];
    let report = report_of(&replay_log(&workload.server, &[&[statement], &executions[..]].concat().concat(), &maps));
    client.run("DROP SEQUENCE numbers; DROP TABLE secured").unwrap();
    let reason = "refused, because the role lacks a right that they need (--writes accepts any role)";
    assert_eq!(report["not_sent"], serde_json::json!({reason: 1}), "{report}");
    assert_eq!(report["errors"]["new"], serde_json::json!({"22007": 1}), "{report}");
    let counts = ["executed", "errors_without_types", "guessed_types", "tables_with_hidden_rows"];
    assert_eq!(counts.map(|name| report[name].as_u64().unwrap()), [3, 1, 1, 1], "{report}");
}
