//! Replays logs of pgbench, in its three modes and in three log formats, on copies of the databases. Compares the
//! executed statements, as counted by the server, and the contents of the tables.
//!
//! Each client runs 40 transactions. With `PGQ_REPLAY_SECONDS=60`, each client runs for a minute instead. Each replay
//! takes as long as the original run.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::left_out::left_out;
use crate::common::program;
use crate::postgres::{Server, texts};

const CLIENTS: &str = "16";
const MODES: [&str; 3] = ["simple", "extended", "prepared"];
/// Log formats with their file extensions.
const FORMATS: [(&str, &str); 3] = [("stderr", "log"), ("csvlog", "csv"), ("jsonlog", "json")];
const PREFIX: &str = "%m [%p] %q%u@%d %a %c %e ";

/// Queries of all data that is equal in every run, whatever the order of commits. Balances are equal, because they are
/// sums. The times in the history are omitted, because they differ in each run.
const TABLES: [&str; 4] = [
    "SELECT format('%s %s', bid, bbalance) FROM pgbench_branches ORDER BY bid",
    "SELECT format('%s %s %s', tid, bid, tbalance) FROM pgbench_tellers ORDER BY tid",
    "SELECT format('%s %s %s', aid, bid, abalance) FROM pgbench_accounts ORDER BY aid",
    "SELECT format('%s %s %s %s', tid, bid, aid, delta) AS row FROM pgbench_history ORDER BY row",
];

#[test]
fn what_pgbench_did_is_done_again_in_each_mode_and_from_each_format() {
    let check = "replay of pgbench";
    let Some(server) = Server::start(false).map_err(|why| left_out(check, &why)).ok() else { return };
    let Some(formats) = prepare(&server, check) else { return };
    for mode in MODES {
        run_pgbench(&server, mode, &formats);
        let executed = calls(&server, mode);
        std::thread::scope(|scope| {
            for (format, extension) in &formats {
                scope.spawn(|| replay_is_the_same(&server, mode, format, extension, &executed));
            }
        });
    }
}

/// Replays the log of a pgbench mode on a copy of the mode's database. Compares the counts and the tables. `executed`
/// contains the number of calls of each query in the original run.
fn replay_is_the_same(server: &Server, mode: &str, format: &str, extension: &str, executed: &[String]) {
    let log = server.folder.join(format!("data/log/replay.{extension}"));
    let copy = format!("{mode}_{format}");
    let (statements, report) = (statements(executed), replay(server, &log, format, mode, &copy));
    assert_eq!(report["executed"], statements, "{copy}: {report}");
    for kind in ["same", "other", "new", "gone"] {
        assert_eq!(report["errors"][kind], serde_json::json!({}), "{copy}: {report}");
    }
    assert_eq!(report["not_sent"], serde_json::json!({}), "{copy}: {report}");
    assert_eq!(calls(server, &copy), executed, "{copy}");
    for table in TABLES {
        // Turn logging off for these connections. Otherwise the next mode's log would contain their queries.
        let settings = |database: &str| format!("dbname={database} options=-clog_min_duration_statement=-1");
        let of = |database: &str| texts(&mut server.client(&settings(database)), table);
        let (before, now) = (of(mode), of(&copy));
        assert!(before == now, "{copy}: {} rows, and {}: {table}", before.len(), now.len());
    }
    println!(
        "{copy}: {statements} statements, lag p50 {} ms, p99 {} ms, at most {} ms",
        report["lag_ms"]["p50"], report["lag_ms"]["p99"], report["lag_ms"]["max"]
    );
}

/// Creates a database for each mode of pgbench, and copies of each database for the replays. Enables logging for these
/// databases, but not for the copies. Returns the log formats that the server supports, or `None` if pgbench or
/// pg_stat_statements is missing.
fn prepare(server: &Server, check: &str) -> Option<Vec<(&'static str, &'static str)>> {
    let version = Command::new(server.program("pgbench")).arg("--version").stdout(Stdio::null()).status();
    if !version.is_ok_and(|status| status.success()) {
        left_out(check, "pgbench is not installed");
        return None;
    }
    let mut client = server.client("");
    let version: u32 = texts(&mut client, "SHOW server_version_num")[0].parse().unwrap();
    let has_json = version >= 150_000;
    if !has_json {
        left_out("replay of a jsonlog", "the server is older than PostgreSQL 15");
    }
    if texts(&mut client, "SELECT name FROM pg_available_extensions WHERE name = 'pg_stat_statements'").is_empty() {
        left_out(check, "pg_stat_statements is not installed");
        return None;
    }
    let formats: Vec<_> = FORMATS.into_iter().filter(|(name, _)| has_json || *name != "jsonlog").collect();
    let names: Vec<_> = formats.iter().map(|(name, _)| *name).collect();
    for set in [
        "shared_preload_libraries = 'pg_stat_statements'",
        "max_connections = 100",
        "logging_collector = on",
        "log_filename = 'replay.log'",
        "log_rotation_size = 0",
        &format!("log_destination = '{}'", names.join(",")),
        &format!("log_line_prefix = '{PREFIX}'"),
    ] {
        client.run(&format!("ALTER SYSTEM SET {set}")).unwrap();
    }
    drop(client);
    server.restart();
    let mut client = server.client("");
    client.run("CREATE EXTENSION pg_stat_statements").unwrap();
    for mode in MODES {
        client.run(&format!("CREATE DATABASE {mode}")).unwrap();
        pgbench(server, &["-i", "-q", "-s", "2", mode]);
        for (format, _) in &formats {
            client.run(&format!("CREATE DATABASE {mode}_{format} TEMPLATE {mode}")).unwrap();
        }
        client.run(&format!("ALTER DATABASE {mode} SET log_min_duration_statement = 0")).unwrap();
    }
    client.run("SELECT pg_stat_statements_reset()").unwrap();
    Some(formats)
}

fn run_pgbench(server: &Server, mode: &str, formats: &[(&str, &str)]) {
    let seconds = std::env::var("PGQ_REPLAY_SECONDS");
    let length = seconds.as_ref().map_or(["-t", "40"], |seconds| ["-T", seconds]);
    pgbench(server, &[&["-n", "-c", CLIENTS, "-M", mode], &length[..], &[mode]].concat());
    // The server's logging collector writes messages in order. Therefore, once a log contains this last message, it
    // contains all messages.
    let end = format!("the end of {mode}");
    server.client("").run(&format!("DO $$ BEGIN RAISE LOG '{end}'; END $$")).unwrap();
    for (_, extension) in formats {
        let log = server.folder.join(format!("data/log/replay.{extension}"));
        while !std::fs::read_to_string(&log).unwrap_or_default().contains(&end) {
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
    }
}

fn pgbench(server: &Server, arguments: &[&str]) {
    let mut command = Command::new(server.program("pgbench"));
    command.args(["-h", &server.folder.display().to_string(), "-p", &server.port.to_string(), "-U", "postgres"]);
    let output = command.args(arguments).output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

fn replay(server: &Server, log: &Path, format: &str, database: &str, copy: &str) -> serde_json::Value {
    let to = format!("host={} port={}", server.folder.display(), server.port);
    let (map, log) = (format!("{database}={copy}"), log.display().to_string());
    let mut arguments = vec!["replay", "--same-server", "--trust-log", "--writes", "--to", &to, "--database-map", &map];
    arguments.extend(["--database", database, "--from", format, "--format", "json", &log]);
    let output = program::run(&arguments, b"");
    assert!(output.status.success(), "{copy}: {}", program::stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Returns each query of a database with its number of calls, as the server counts them. Omits the statements that pgq
/// itself sends in a replay to check the server.
fn calls(server: &Server, database: &str) -> Vec<String> {
    let sql = format!(
        "SELECT calls || ' ' || query AS line FROM pg_stat_statements JOIN pg_database ON oid = dbid
         WHERE datname = '{database}' AND query NOT IN ('BEGIN READ ONLY', 'ROLLBACK') AND query NOT LIKE 'SET LOCAL %'
         ORDER BY line"
    );
    texts(&mut server.client(""), &sql)
}

/// Returns the number of executed statements. The server's own counts of BEGIN and END are too low, because they
/// include only the first execution after each preparation. Instead, this function counts one BEGIN and one END per
/// transaction.
fn statements(calls: &[String]) -> u64 {
    let of = |line: &String| line.split(' ').next().unwrap().parse::<u64>().unwrap();
    let is_counted = |line: &&String| !line.ends_with(" BEGIN") && !line.ends_with(" END");
    let transactions = calls.iter().filter(|line| line.contains("INSERT INTO pgbench_history")).map(of).sum::<u64>();
    calls.iter().filter(is_counted).map(of).sum::<u64>() + 2 * transactions
}
