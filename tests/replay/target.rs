//! Checks before a replay sends anything: the log, the server and the role. Also checks that timeouts use pgq's clock.

use std::process::Output;

use crate::common::program;
use crate::ends::log;
use crate::postgres::{Server, texts};
use crate::workload::{PREFIX, shared};

/// Replays `SELECT 1` of a csvlog that ended before any server of these tests was created.
fn replay(server: &Server, user: &str, more: &[&str]) -> Output {
    let time = "2001-01-31 12:00:00.000 UTC";
    let line = format!(
        "{time},\"ann\",\"app\",7,\"[local]\",s7.1,1,\"SELECT\",{time},3/1,0,LOG,00000,\
         \"duration: 0.000 ms  statement: SELECT 1\",,,,,,,,,\"app\",\"client backend\",,0\n"
    );
    let to = format!("host={} port={}", server.folder.display(), server.port);
    let user = format!("*={user}");
    let fixed = ["replay", "--from", "csvlog", "--to", &to, "--database-map", "*=two", "--user-map", &user];
    program::run(&[&fixed[..], more].concat(), line.as_bytes())
}

fn refused(output: &Output, why: &str) {
    let stderr = program::stderr(output);
    assert!(output.status.code() == Some(2) && output.stdout.is_empty() && stderr.contains(why), "{why}: {stderr}");
}

#[test]
fn a_role_that_reaches_more_than_tables_is_refused() {
    let Some(workload) = shared() else { return };
    let server = &workload.server;
    let mut client = server.client("dbname=two");
    let ok = |user: &str| assert!(replay(server, user, &[]).status.success(), "{:?}", replay(server, user, &[]));
    ok("plain");
    refused(&replay(server, "postgres", &[]), "role postgres is a superuser");
    assert!(replay(server, "postgres", &["--writes"]).status.success());
    for (grant, revoke, why) in [
        ("ALTER ROLE plain REPLICATION", "ALTER ROLE plain NOREPLICATION", "REPLICATION"),
        ("GRANT pg_signal_backend TO plain", "REVOKE pg_signal_backend FROM plain", "role pg_signal_backend"),
        // A member without INHERIT can become the role.
        (
            "CREATE ROLE middle NOINHERIT; GRANT pg_read_server_files TO middle; GRANT middle TO plain",
            "DROP ROLE middle",
            "role pg_read_server_files",
        ),
        ("GRANT EXECUTE ON FUNCTION lo_export TO plain", "REVOKE ALL ON FUNCTION lo_export FROM plain", "lo_export"),
        (
            "CREATE FUNCTION definer() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 1'",
            "DROP FUNCTION definer",
            "public.definer(), with the rights of postgres",
        ),
        (
            "CREATE ROLE owner; GRANT pg_write_server_files TO owner; GRANT CREATE ON SCHEMA public TO owner; \
             CREATE FUNCTION owned() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 1'; \
             ALTER FUNCTION owned OWNER TO owner",
            "DROP OWNED BY owner; DROP ROLE owner",
            "public.owned(), with the rights of owner",
        ),
        ("ALTER ROLE plain CREATEROLE", "ALTER ROLE plain NOCREATEROLE", "CREATEROLE"),
        (
            "CREATE FOREIGN DATA WRAPPER nothing; CREATE SERVER far FOREIGN DATA WRAPPER nothing; \
             GRANT USAGE ON FOREIGN SERVER far TO plain",
            "DROP SERVER far",
            "the foreign server far",
        ),
        (
            "CREATE TABLE whole (a int) PARTITION BY LIST (a); CREATE SERVER far FOREIGN DATA WRAPPER nothing; \
             CREATE FOREIGN TABLE part PARTITION OF whole DEFAULT SERVER far; \
             CREATE VIEW over AS SELECT * FROM whole; GRANT SELECT ON over TO plain",
            "DROP TABLE whole CASCADE; DROP SERVER far",
            "can read public.over",
        ),
    ] {
        client.run(grant).unwrap();
        let output = replay(server, "plain", &[]);
        client.run(revoke).unwrap();
        refused(&output, why);
    }
    ok("plain");
    client.run("DROP FOREIGN DATA WRAPPER nothing").unwrap();
    // Before version 16 a read-only transaction can become writable, and its rollback does not undo everything.
    let version: u32 = texts(&mut client, "SHOW server_version_num")[0].parse().unwrap();
    for kind in ["SEQUENCE written", "TABLE written (a int GENERATED ALWAYS AS IDENTITY)"] {
        let name = kind.split(' ').next().unwrap();
        client.run(&format!("CREATE {kind}; GRANT UPDATE ON {name} written TO plain")).unwrap();
        let output = replay(server, "plain", &[]);
        client.run(&format!("DROP {name} written")).unwrap();
        match version {
            ..160_000 => refused(&output, "it can write to public.written"),
            _ => assert!(output.status.success(), "{output:?}"),
        }
    }
}

#[test]
fn the_role_of_role_sql_is_taken() {
    let Some(workload) = shared() else { return };
    let sql = program::stdout_of(&["replay", "--role-sql"]);
    // Runs twice, as for two databases.
    workload.server.client("dbname=two").run(&sql).unwrap();
    workload.server.client("dbname=two").run(&sql).unwrap();
    let output = replay(&workload.server, "pgq_replay", &[]);
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn a_server_that_may_have_written_the_log_is_refused() {
    let Some(workload) = shared() else { return };
    let server = &workload.server;
    let Ok(other) = Server::start(false) else { return };
    let to = format!("host={} port={}", server.folder.display(), server.port);
    let map = ["--database-map", "*=two", "--user-map", "*=plain", "--trust-log", "--log-line-prefix", PREFIX];
    // The log ends in the future, so no server was created later.
    let logged = log(&[(1, "SELECT 1")]).replace("2026", "2999");
    let run = |folder: &std::path::Path, more: &[&str]| {
        let path = program::write(folder, "some.log", &logged);
        program::run(&[&["replay", "--to", &to, &path][..], &map, more].concat(), b"")
    };
    let anywhere = tempfile::tempdir().unwrap();
    let why = "may be the one that wrote the log";
    refused(&run(anywhere.path(), &[]), why);
    refused(&run(&server.folder.join("data"), &[]), why);
    for output in [run(anywhere.path(), &["--same-server"]), run(&other.folder.join("data"), &[])] {
        assert!(output.status.success(), "{output:?}");
    }
    // The same applies with --writes, and to a plan.
    refused(&run(anywhere.path(), &["--writes"]), why);
    let plan = anywhere.path().join("plan").display().to_string();
    let path = program::write(anywhere.path(), "some.log", &logged);
    let planned = program::run(&["replay", "--trust-log", "--log-line-prefix", PREFIX, "--plan", &plan, &path], b"");
    assert!(planned.status.success(), "{planned:?}");
    refused(&program::run(&[&["replay", "--to", &to, &plan][..], &map].concat(), b""), why);
}

#[test]
fn a_log_without_statements_does_not_replace_a_plan() {
    let folder = tempfile::tempdir().unwrap();
    let plan = program::write(folder.path(), "plan", "precious");
    let output = program::run(&["replay", "--from", "csvlog", "--plan", &plan], b"");
    refused(&output, "no statement was found");
    assert_eq!(std::fs::read_to_string(&plan).unwrap(), "precious");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn the_log_cannot_lift_the_timeout() {
    let Some(workload) = shared() else { return };
    let to = format!("host={} port={}", workload.server.folder.display(), workload.server.port);
    let fixed = ["replay", "--same-server", "--trust-log", "--log-line-prefix", PREFIX, "--to", &to];
    let map = ["--database-map", "*=two", "--user-map", "*=plain", "--statement-timeout", "200ms", "--format", "json"];
    let logged = log(&[
        (1, "SET statement_timeout = 0"),
        (1, "BEGIN"),
        (1, "SELECT set_config('statement_timeout', '0', false)"),
        (1, "SELECT pg_sleep(1000)"),
        (1, "SELECT 1"),
        (1, "COMMIT"),
    ]);
    for more in [&[][..], &["--writes"]] {
        let output = program::run(&[&fixed[..], &map, more].concat(), logged.as_bytes());
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["errors"]["new"]["57014"], 1, "{report}");
        assert_eq!(report["lost"], 0, "{report}");
    }
}

#[test]
fn settings_of_the_log_hold_for_its_later_transactions() {
    let Some(workload) = shared() else { return };
    let to = format!("host={} port={}", workload.server.folder.display(), workload.server.port);
    let fixed = ["replay", "--same-server", "--trust-log", "--log-line-prefix", PREFIX, "--to", &to];
    let map = ["--database-map", "*=two", "--user-map", "*=plain", "--speed", "max", "--format", "json"];
    let check = "SELECT 1 / (current_setting('app.a', true) = 'x')::int";
    let logged = log(&[
        (1, "BEGIN"),
        (1, "SET app.a = 'x'"),
        (1, "COMMIT"),
        (1, check),
        (1, "BEGIN"),
        (1, "INSERT INTO notes VALUES (1)"),
        // The block continues, because only the server knows which statements write.
        (1, check),
        (1, "SAVEPOINT s"),
        (1, "SET app.a = 'y'"),
        (1, "ROLLBACK"),
        (1, check),
    ]);
    let output = program::run(&[&fixed[..], &map].concat(), logged.as_bytes());
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["executed"], &report["errors"]["new"]), (&5.into(), &serde_json::json!({})), "{report}");
}
