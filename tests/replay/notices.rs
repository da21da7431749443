//! What a replay tells about statements that it did not execute or could not compare.

use std::process::Output;

use crate::ends::log;
use crate::postgres::Server;
use crate::workload::{replay_log, shared};

/// Replays a log without `--writes`.
fn replay(server: &Server, log: &str, more: &[&str]) -> Output {
    let maps = ["--speed", "max", "--database-map", "one=two", "--user-map", "ann=plain"];
    replay_log(server, log, &[&maps[..], more].concat())
}

#[test]
fn every_format_names_the_statements_that_were_not_sent() {
    let Some(workload) = shared() else { return };
    let folder = tempfile::tempdir().unwrap();
    let logged = log(&[(1, "SELECT 1"), (1, "INSERT INTO notes VALUES (1)")]);
    for extension in ["html", "json", "txt"] {
        let path = folder.path().join(format!("report.{extension}")).display().to_string();
        let output = replay(&workload.server, &logged, &["-o", &path]);
        let (report, stderr) = (std::fs::read_to_string(path).unwrap(), String::from_utf8(output.stderr).unwrap());
        assert!(output.status.success() && stderr.contains("1 statement not sent: "), "{extension}: {stderr}");
        assert!(report.contains("1 statement not sent: ") || report.contains("\"writes\": 1"), "{extension}: {report}");
    }
}

#[test]
fn a_page_without_any_execution_does_not_look_good() {
    let Some(workload) = shared() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.html").display().to_string();
    let logged = log(&[(1, "SELECT 1")]).replace("@one", "@nowhere");
    let output = replay(&workload.server, &logged, &["-o", &path]);
    let page = std::fs::read_to_string(path).unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(page.contains("1 statements not executed, because their session was given up"), "{page}");
    assert!(page.contains("No query ran.") && !page.contains("ran again"), "{page}");
}

#[test]
fn a_multiple_without_a_duration_in_the_log_is_not_judged() {
    let Some(workload) = shared() else { return };
    let logged = log(&[(1, "SELECT 1"), (1, "SELECT a FROM (VALUES (1)) AS v (a)")]);
    let untimed = logged.replace("duration: 0.000 ms  ", "");
    let half = untimed.lines().next().unwrap().to_string() + "\n" + logged.lines().last().unwrap() + "\n";
    let condition = ["--fail-if", "p95 > 1000000x"];
    let found = |log: &str| {
        let output = replay(&workload.server, log, &condition);
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, notice) = found(&untimed);
    assert!(code == Some(2) && notice.contains("p95 > 1000000x: not judged for 2 queries"), "{code:?} {notice}");
    let (code, notice) = found(&half.replace("0.000 ms", "1.000 ms"));
    assert!(code == Some(0) && notice.contains("p95 > 1000000x: not judged for 1 query"), "{code:?} {notice}");
}

#[test]
fn discard_all_releases_advisory_locks() {
    let Some(workload) = shared() else { return };
    let lock = "SELECT pg_advisory_lock(5)";
    // The first session ends after the second one.
    let statements = [(1, lock), (1, "DISCARD ALL"), (2, lock), (1, "SELECT 1")];
    let output = replay(&workload.server, &log(&statements), &["--statement-timeout", "5s", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["executed"], &report["errors"]["new"]), (&3.into(), &serde_json::json!({})), "{report}");
}
