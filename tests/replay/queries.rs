//! The queries of a replay's report, against the queries of `pgq digest`.

use serde_json::{Value, json};

use crate::common::program;
use crate::ends::log;
use crate::workload::{PREFIX, replay_log, report_of, shared};

/// Returns the fingerprint and the number of calls of each query, sorted.
fn queries(list: &Value, calls: &str) -> Vec<(String, u64)> {
    let query = |query: &Value| {
        (query["fingerprint"].as_str().unwrap().to_string(), query.pointer(calls).unwrap().as_u64().unwrap())
    };
    let mut queries: Vec<_> = list.as_array().unwrap().iter().map(query).collect();
    queries.sort();
    queries
}

#[test]
fn a_replay_has_the_queries_of_digest() {
    let Some(workload) = shared() else { return };
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state").display().to_string();
    let logged = log(&[
        (1, "CREATE ROLE bob PASSWORD 'one'"),
        (1, "ALTER ROLE bob PASSWORD 'two'"),
        (1, "ALTER ROLE bob PASSWORD 'three'"),
        (1, "DROP ROLE bob"),
        (1, "EXPLAIN (COSTS 0) /* token=1 */ SELECT 1"),
        (1, "DO $$ BEGIN PERFORM 1; END $$"),
        (1, "DO $$ BEGIN PERFORM now(); END $$"),
        (1, "CREATE FUNCTION pg_temp.f() RETURNS int LANGUAGE sql AS 'SELECT 1'"),
        (1, "CREATE OR REPLACE FUNCTION pg_temp.f() RETURNS int LANGUAGE sql AS 'SELECT count(*)::int FROM notes'"),
    ]);
    let maps = ["--speed", "max", "--database-map", "one=two", "--user-map", "ann=postgres"];
    let more = ["--writes", "--format", "json", "--state", &state];
    let report = report_of(&replay_log(&workload.server, &logged, &[&maps[..], &more].concat()));
    assert_eq!((&report["executed"], &report["errors"]["new"]), (&9.into(), &json!({})), "{report}");
    let digest = |arguments: &[&str]| -> Value {
        let output = program::stdout_of(&[&["digest", "--format", "json"], arguments].concat());
        serde_json::from_str(&output).unwrap()
    };
    let path = program::write(folder.path(), "log", &logged);
    let expected = queries(&digest(&["--log-line-prefix", PREFIX, &path])["groups"], "/calls");
    assert_eq!(expected.len(), 8, "only the statements with ALTER ROLE are one query");
    assert_eq!(queries(&report["queries"], "/after/calls"), expected, "{report}");
    assert_eq!(queries(&digest(&["--merge", &state])["groups"], "/calls"), expected);
}
