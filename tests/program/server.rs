//! Compares the logs of a real server with the server's own counts. For each query, the number of calls in
//! pg_stat_statements must equal the number of records in the log, in all three formats.
//!
//! Needs PostgreSQL's programs (15 or later, with pg_stat_statements). If the test runs as root, it also needs a user
//! `postgres`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::left_out::left_out;
use crate::common::program::run;
use crate::common::project::project_file;
use serde_json::Value;

/// For each fingerprint, the number of calls, and a string for failure messages: the kind of statement (from a log) or
/// the query (from the server).
type Calls = BTreeMap<String, (u64, String)>;

/// Returns the folder of initdb: from PATH, or the newest of Debian's folders.
fn programs() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let debian = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut versions: Vec<PathBuf> = debian.map(|entry| entry.path().join("bin")).collect();
    versions.sort();
    std::env::split_paths(&path).chain(versions.into_iter().rev()).find(|dir| dir.join("initdb").is_file())
}

/// Runs fixtures/log/make.sh for one second per protocol. If the script cannot run, returns the reason as an error.
fn make_logs(folder: &Path) -> Result<(), String> {
    let bin = programs().ok_or("initdb is not installed (PostgreSQL's server)")?;
    let scripts = folder.join("scripts");
    std::fs::create_dir(&scripts).unwrap();
    for name in ["make.sh", "traffic.sql"] {
        std::fs::copy(project_file(&format!("fixtures/log/{name}")), scripts.join(name)).unwrap();
    }
    // If this test runs as root, the server runs as another user, who must read the scripts and write the logs.
    let chmod = Command::new("chmod").args(["-R", "a+rwX"]).arg(folder).status().unwrap();
    assert!(chmod.success());
    let line = format!(
        "PATH='{}':\"$PATH\" sh '{}' '{}' 1",
        bin.display(),
        scripts.join("make.sh").display(),
        folder.display()
    );
    let is_root = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    let output = if is_root {
        Command::new("su").args(["postgres", "-s", "/bin/sh", "-c", &line]).current_dir("/").output()
    } else {
        Command::new("sh").args(["-c", &line]).output()
    };
    if folder.join("calls.csv").is_file() {
        return Ok(());
    }
    Err(format!("no server with pg_stat_statements: {}", String::from_utf8_lossy(&output.unwrap().stderr)))
}

/// Counts the records of a log by fingerprint, without the sessions that prepare the test.
fn calls_in_log(format: &str, file: &Path) -> Calls {
    let prefix = if format == "stderr" { &["--log-line-prefix", "%m [%p] %q%u@%d %a %c "][..] } else { &[] };
    let file = file.to_string_lossy().into_owned();
    let args = [&["fingerprint", "--from", format, "--format", "json", "--database", "bench", &file], prefix].concat();
    let mut calls = Calls::new();
    for line in String::from_utf8(run(&args, b"").stdout).unwrap().lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        if matches!(record["application"].as_str(), Some("init" | "counts")) {
            continue;
        }
        let fingerprint = record["fingerprint"].as_str().unwrap_or_else(|| panic!("{line}")).to_string();
        calls.entry(fingerprint).or_insert((0, record["kind"].as_str().unwrap().to_string())).0 += 1;
    }
    calls
}

/// Returns the number of calls of each query, as counted by the server. The keys are fingerprints of the normalized
/// queries.
fn calls_of_server(folder: &Path) -> Calls {
    let mut calls = Calls::new();
    let mut rows = csv::ReaderBuilder::new().has_headers(false).from_path(folder.join("calls.csv")).unwrap();
    for row in rows.deserialize() {
        let (count, query): (u64, String) = row.unwrap();
        // pg_stat_statements counts an EXECUTE under the text of its PREPARE, but the log contains the prepared
        // statement instead. Therefore also add the calls of a PREPARE to the prepared statement.
        let prepared = query.strip_prefix("PREPARE ").and_then(|rest| Some(rest.split_once(" AS ")?.1.to_string()));
        if let Some(fingerprint) = prepared.as_deref().and_then(|prepared| pgq::fingerprint(prepared).ok()) {
            calls.entry(fingerprint.to_string()).or_insert((0, query.clone())).0 += count;
        }
        if let Ok(fingerprint) = pgq::fingerprint(&query) {
            calls.entry(fingerprint.to_string()).or_insert((0, query)).0 += count;
        }
    }
    calls
}

#[test]
fn logs_have_as_many_records_as_the_server_counted_calls() {
    let folder = tempfile::tempdir().unwrap();
    if let Err(why) = make_logs(folder.path()) {
        return left_out("logs of a real server", &why);
    }
    let server = calls_of_server(folder.path());
    let logged = calls_in_log("csvlog", &folder.path().join("log.csv"));
    assert_eq!(logged, calls_in_log("stderr", &folder.path().join("log.log")), "stderr");
    assert_eq!(logged, calls_in_log("jsonlog", &folder.path().join("log.json")), "jsonlog");
    let (mut equal, mut calls) = (0, 0);
    for (fingerprint, (count, kind)) in &logged {
        let (counted, query) = server.get(fingerprint).cloned().unwrap_or_default();
        if *count == counted {
            equal += 1;
            calls += count;
            continue;
        }
        // The counts may differ for three kinds of statements. pg_stat_statements counts an EXECUTE as the prepared
        // statement, does not count empty statements, and up to version 15, counts only the first execution of a
        // prepared utility statement.
        let utility = ["begin", "end", "commit", "prepare", "execute", ""].contains(&kind.as_str());
        assert!(utility, "{kind}: {count} in the log, {counted} counted: {query}");
        println!("not compared: {kind}: {count} in the log, {counted} counted");
    }
    for (fingerprint, (count, query)) in &server {
        let expected = query.contains("pg_stat_statements") || logged.contains_key(fingerprint);
        assert!(expected, "{count} counted, none in the log: {query}");
    }
    println!("{equal} queries with {calls} calls: as many records in the logs");
    assert!(equal > 15 && calls > 100);
}
