//! Tests the checks that a replay makes before it sends anything: checks of the log, of the server and of the role.
//! Also tests that timeouts use pgq's clock.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::{Command, Output};

use pgq_postgres::Client;

use crate::common::left_out::left_out;
use crate::common::program;
use crate::disguises::PgBouncer;
use crate::ends::log;
use crate::postgres::{Server, programs, texts};
use crate::workload::{PREFIX, replay_log, shared};

/// Replays a csvlog with one statement, `SELECT 1`. The statement is older than all servers of these tests.
pub fn replay(server: &Server, user: &str, more: &[&str]) -> Output {
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

pub fn refused(output: &Output, why: &str) {
    let stderr = program::stderr(output);
    assert!(output.status.code() == Some(2) && output.stdout.is_empty() && stderr.contains(why), "{why}: {stderr}");
}

/// The user `a/a` in the database `b`, and the user `a` in the database `b/a/a`, are different logins.
#[test]
fn names_with_slashes_do_not_share_a_check() {
    let Some(workload) = shared() else { return };
    let server = &workload.server;
    let mut client = server.client("dbname=two");
    let names = [("postgres/postgres", "slash"), ("postgres", "slash/postgres/postgres")];
    client.run("CREATE ROLE \"postgres/postgres\" LOGIN").unwrap();
    let rows = (1..).zip(names).map(|(number, (user, database))| {
        client.run(&format!("CREATE DATABASE \"{database}\"")).unwrap();
        let public = "REVOKE ALL ON ALL FUNCTIONS IN SCHEMA public FROM PUBLIC";
        server.client(&format!("dbname='{database}'")).run(public).unwrap();
        let time = format!("2001-01-31 12:00:0{number}.000 UTC");
        format!(
            "{time},\"{user}\",\"{database}\",{number},\"[local]\",s{number}.1,1,\"SELECT\",{time},3/1,0,LOG,00000,\
             \"duration: 0.000 ms  statement: SELECT {number}\",,,,,,,,,\"app\",\"client backend\",,0\n"
        )
    });
    let log: String = rows.collect();
    let to = format!("host={} port={}", server.folder.display(), server.port);
    let output = program::run(&["replay", "--from", "csvlog", "--connections", "1", "--to", &to], log.as_bytes());
    for (_, database) in names {
        client.run(&format!("DROP DATABASE \"{database}\" WITH (FORCE)")).unwrap();
    }
    client.run("DROP ROLE \"postgres/postgres\"").unwrap();
    let report = String::from_utf8_lossy(&output.stdout).into_owned() + &program::stderr(&output);
    assert!(output.status.code() == Some(2) && report.contains("role postgres is a superuser"), "{report}");
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
        // A member without INHERIT does not have the role's rights, but can get them with SET ROLE.
        (
            "CREATE ROLE middle NOINHERIT; GRANT pg_read_server_files TO middle; GRANT middle TO plain",
            "DROP ROLE middle",
            "role pg_read_server_files",
        ),
        ("GRANT EXECUTE ON FUNCTION lo_export TO plain", "REVOKE ALL ON FUNCTION lo_export FROM plain", "lo_export"),
        (
            "CREATE FUNCTION definer() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 1'",
            "DROP FUNCTION definer",
            "execute public.definer(), a function with the rights of postgres",
        ),
        // A superuser can replace a function that initdb created. Its OID stays the same.
        (
            "CREATE LANGUAGE odd HANDLER plpgsql_call_handler;
             CREATE OR REPLACE FUNCTION pg_catalog.pg_sleep_for(interval) RETURNS void LANGUAGE odd AS 'BEGIN END'",
            "CREATE OR REPLACE FUNCTION pg_catalog.pg_sleep_for(interval) RETURNS void LANGUAGE sql AS 'SELECT pg_sleep(1)';
             DROP LANGUAGE odd",
            "execute pg_sleep_for(interval), a function in odd",
        ),
        ("ALTER ROLE plain CREATEROLE", "ALTER ROLE plain NOCREATEROLE", "CREATEROLE"),
        // In version 1.5 of pg_stat_statements, members of the role pg_read_all_stats may reset the statistics.
        (
            "CREATE EXTENSION pg_stat_statements VERSION '1.5'; GRANT pg_read_all_stats TO plain",
            "DROP EXTENSION pg_stat_statements; REVOKE pg_read_all_stats FROM plain",
            "execute public.pg_stat_statements_reset()",
        ),
        (
            "GRANT SET ON PARAMETER jit_dump_bitcode TO PUBLIC",
            "REVOKE SET ON PARAMETER jit_dump_bitcode FROM PUBLIC",
            "the right SET on jit_dump_bitcode",
        ),
        // For the functions of the following objects, such as operators, PostgreSQL does not check the EXECUTE
        // privilege.
        (
            "CREATE FUNCTION definer(int, int) RETURNS bool LANGUAGE sql SECURITY DEFINER AS 'SELECT true';
             REVOKE EXECUTE ON FUNCTION definer FROM PUBLIC;
             CREATE OPERATOR === (LEFTARG = int, RIGHTARG = int, FUNCTION = definer, RESTRICT = eqsel)",
            "DROP FUNCTION definer CASCADE",
            "operator public.===(integer,integer) calls public.definer(integer,integer)",
        ),
        (
            "CREATE FUNCTION definer(int, int) RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 0';
             REVOKE EXECUTE ON FUNCTION definer FROM PUBLIC;
             CREATE OPERATOR CLASS odd FOR TYPE int USING btree AS FUNCTION 1 definer(int, int)",
            "DROP OPERATOR FAMILY odd USING btree; DROP FUNCTION definer",
            "operator family public.odd for access method btree calls public.definer",
        ),
        // An operator family of an extension can contain functions that do not belong to the extension.
        (
            "CREATE EXTENSION citext;
             CREATE FUNCTION definer(citext, int) RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 0';
             REVOKE EXECUTE ON FUNCTION definer FROM PUBLIC;
             ALTER OPERATOR FAMILY citext_ops USING btree ADD FUNCTION 1 (citext, int) definer(citext, int)",
            "ALTER OPERATOR FAMILY citext_ops USING btree DROP FUNCTION 1 (citext, int); DROP FUNCTION definer;
             DROP EXTENSION citext",
            "operator family public.citext_ops for access method btree calls public.definer",
        ),
        (
            "CREATE FUNCTION definer(float8, float8) RETURNS float8 LANGUAGE sql IMMUTABLE SECURITY DEFINER
             AS 'SELECT 1.0::float8';
             REVOKE EXECUTE ON FUNCTION definer FROM PUBLIC;
             CREATE TYPE span AS RANGE (SUBTYPE = float8, SUBTYPE_DIFF = definer)",
            "DROP TYPE span; DROP FUNCTION definer",
            "type public.span calls public.definer",
        ),
        (
            "CREATE AGGREGATE promotes(int) (SFUNC = pg_promote, STYPE = bool, INITCOND = 'true')",
            "DROP AGGREGATE promotes(int)",
            "calls pg_promote",
        ),
        (
            "CREATE FUNCTION definer() RETURNS event_trigger LANGUAGE plpgsql SECURITY DEFINER AS 'BEGIN END';
             REVOKE EXECUTE ON FUNCTION definer FROM PUBLIC;
             CREATE EVENT TRIGGER ddl ON ddl_command_start EXECUTE FUNCTION definer()",
            "DROP EVENT TRIGGER ddl; DROP FUNCTION definer",
            "event trigger ddl calls public.definer()",
        ),
        (
            "CREATE FUNCTION sample(internal) RETURNS tsm_handler LANGUAGE internal AS 'pg_stat_reset';
             REVOKE EXECUTE ON FUNCTION sample FROM PUBLIC",
            "DROP FUNCTION sample",
            "function public.sample(internal) calls public.sample(internal)",
        ),
        (
            "CREATE FOREIGN DATA WRAPPER nothing; CREATE SERVER far FOREIGN DATA WRAPPER nothing; \
             GRANT USAGE ON FOREIGN SERVER far TO plain",
            "DROP SERVER far",
            "the right USAGE on far",
        ),
        (
            "CREATE SERVER far FOREIGN DATA WRAPPER nothing; CREATE FOREIGN TABLE remote (a int) SERVER far",
            "DROP FOREIGN TABLE remote; DROP SERVER far; DROP FOREIGN DATA WRAPPER nothing",
            "public.remote is a foreign table",
        ),
        (
            "UPDATE pg_language SET lanpltrusted = true WHERE lanname = 'internal'; \
             CREATE FUNCTION clear() RETURNS void LANGUAGE internal AS 'pg_stat_reset'",
            "DROP FUNCTION clear; UPDATE pg_language SET lanpltrusted = false WHERE lanname = 'internal'",
            "clear(), a function in internal",
        ),
        (
            "UPDATE pg_language SET lanpltrusted = true WHERE lanname = 'internal'",
            "UPDATE pg_language SET lanpltrusted = false WHERE lanname = 'internal'",
            "it can write code in the language internal",
        ),
        // After the change of the owner, pg_init_privs contains a grant of the old owner to itself. pgq must not
        // conclude from this grant that the function is harmless.
        (
            "CREATE ROLE ops; ALTER FUNCTION lo_export(oid, text) OWNER TO ops; \
             GRANT EXECUTE ON FUNCTION lo_export(oid, text) TO PUBLIC",
            "REVOKE EXECUTE ON FUNCTION lo_export(oid, text) FROM PUBLIC; \
             ALTER FUNCTION lo_export(oid, text) OWNER TO postgres; DROP ROLE ops",
            "lo_export",
        ),
        // Owners can make changes that no rollback undoes.
        ("ALTER DATABASE two OWNER TO plain", "ALTER DATABASE two OWNER TO postgres", "plain owns database two"),
        (
            "CREATE ROLE middle NOINHERIT; GRANT middle TO plain; CREATE TABLE own (a int); \
             ALTER TABLE own OWNER TO middle",
            "DROP TABLE own; DROP ROLE middle",
            "role middle owns table public.own",
        ),
        ("GRANT INSERT ON notes TO PUBLIC", "REVOKE INSERT ON notes FROM PUBLIC", "the right INSERT on public.notes"),
        (
            "GRANT UPDATE (id) ON notes TO plain",
            "REVOKE UPDATE ON notes FROM plain",
            "the right UPDATE on public.notes",
        ),
        (
            "CREATE SEQUENCE written; GRANT USAGE ON SEQUENCE written TO plain",
            "DROP SEQUENCE written",
            "the right USAGE on public.written",
        ),
        (
            "GRANT MAINTAIN ON pg_class TO plain",
            "REVOKE MAINTAIN ON pg_class FROM plain",
            "the right MAINTAIN on pg_class",
        ),
    ] {
        // Older servers reject some grants: rights on parameters exist since version 15, and MAINTAIN since version 17.
        // The extension citext may not be installed.
        if let Err(error) = client.run(grant) {
            assert!(["MAINTAIN", "PARAMETER", "citext"].iter().any(|word| grant.contains(word)), "{grant}: {error}");
            left_out(&format!("a role after {grant}"), &error.to_string());
            continue;
        }
        let output = replay(server, "plain", &[]);
        client.run(revoke).unwrap();
        refused(&output, why);
    }
    ok("plain");
}

/// Objects of ordinary databases. They use only functions for which PostgreSQL checks the EXECUTE privilege, so pgq
/// accepts them.
const ORDINARY: &str = "
    CREATE TYPE span AS RANGE (SUBTYPE = date);
    CREATE AGGREGATE total(int) (SFUNC = int4pl, STYPE = int);
    CREATE FUNCTION may(int) RETURNS bool LANGUAGE sql SECURITY DEFINER AS 'SELECT true';
    CREATE FUNCTION given(a bool DEFAULT may(1)) RETURNS bool LANGUAGE sql AS 'SELECT a';
    CREATE TABLE kept (a int DEFAULT may(1)::int CHECK (may(a)), during span);
    ALTER TABLE kept ENABLE ROW LEVEL SECURITY;
    CREATE POLICY readers ON kept USING (may(a));
    CREATE VIEW seen AS SELECT a, may(a) FROM kept;
    CREATE FUNCTION on_write() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS 'BEGIN RETURN NEW; END';
    CREATE TRIGGER writes BEFORE INSERT ON kept FOR EACH ROW EXECUTE FUNCTION on_write();
";

#[test]
fn the_role_of_role_sql_is_taken() {
    let Some(workload) = shared() else { return };
    let sql = program::stdout_of(&["replay", "--role-sql"]);
    let mut client = workload.server.client("dbname=two");
    client.run(ORDINARY).unwrap();
    // Run the SQL twice. A user runs it once for each database, so the role may already exist.
    client.run(&sql).unwrap();
    client.run(&sql).unwrap();
    let output = replay(&workload.server, "pgq_replay", &[]);
    let may = |function: &str| format!("SELECT has_function_privilege('pgq_replay', '{function}', 'EXECUTE')");
    let functions = ["total(int)", "span(date, date)", "may(int)"].map(|name| texts(&mut client, &may(name)).remove(0));
    client
        .run("DROP TABLE kept CASCADE; DROP FUNCTION given, may, on_write; DROP AGGREGATE total(int); DROP TYPE span")
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(functions, ["t", "t", "f"]);
}

#[test]
fn role_sql_warns_of_rights_that_are_left() {
    let Some(workload) = shared() else { return };
    let mut client = workload.server.client("dbname=two");
    client
        .run("CREATE TABLE granted (a int); CREATE ROLE grantor; GRANT ALL ON granted TO grantor WITH GRANT OPTION")
        .unwrap();
    client.run("SET ROLE grantor; GRANT INSERT ON granted TO PUBLIC; RESET ROLE").unwrap();
    let to =
        format!("host={} port={} user=postgres dbname=two", workload.server.folder.display(), workload.server.port);
    let mut psql = Command::new(workload.server.program("psql"));
    let ran = psql.args(["-X", "-c", &program::stdout_of(&["replay", "--role-sql"]), &to]).output();
    client.run("DROP TABLE granted; DROP ROLE grantor").unwrap();
    match ran {
        Err(why) => left_out("warnings of --role-sql", &why.to_string()),
        Ok(ran) => assert!(program::stderr(&ran).contains("INSERT on public.granted"), "{ran:?}"),
    }
}

/// The pooler changes the role of a session after the login. SET SESSION AUTHORIZATION DEFAULT in the log would restore
/// the role of the login. Therefore pgq checks this role too.
#[test]
fn behind_a_pooler_the_role_of_the_login_is_checked() {
    let Some(workload) = shared() else { return };
    let server = &workload.server;
    let hosts = format!("{} user=postgres connect_query='SET SESSION AUTHORIZATION plain'", server.folder.display());
    let bouncer = match PgBouncer::start(server, "session", &hosts) {
        Ok(bouncer) => bouncer,
        Err(why) => return left_out("replay through a pooler that changes the role", &why),
    };
    let to = format!("host={} port={}", server.folder.display(), bouncer.port);
    let logged = program::write(&server.folder, "authorization.log", log(&[(1, "SELECT 1")]));
    let map = ["--database-map", "*=two", "--user-map", "*=plain", "--trust-log", "--log-line-prefix", PREFIX];
    let output = program::run(&[&["replay", "--same-server", "--to", &to, &logged][..], &map].concat(), b"");
    assert!(program::stderr(&output).contains("superuser"), "{output:?}");
}

/// The second session gets a connection only after the first session has ended. Therefore pgq must not wait for the
/// connection of the second session before it starts the first session.
#[test]
fn behind_a_pooler_with_one_connection_all_sessions_run() {
    let Some(workload) = shared() else { return };
    let server = &workload.server;
    let bouncer = match PgBouncer::start(server, "session", &format!("{} pool_size=1", server.folder.display())) {
        Ok(bouncer) => bouncer,
        Err(why) => return left_out("replay through a pooler with one connection", &why),
    };
    let to = format!("host={} port={}", server.folder.display(), bouncer.port);
    let logged = program::write(&server.folder, "two.log", log(&[(1, "SELECT 1"), (2, "SELECT 2")]));
    let map = ["--database-map", "*=two", "--user-map", "*=plain", "--trust-log", "--log-line-prefix", PREFIX];
    let report = ["--same-server", "--format", "json", "--to", &to, &logged];
    let output = program::run(&[&["replay"][..], &report, &map].concat(), b"");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["executed"], &report["given_up"]), (&2.into(), &0.into()), "{report}");
}

#[test]
fn behind_a_pooler_statements_run_only_on_the_checked_server() {
    let servers = programs().ok_or("initdb is not installed (PostgreSQL's server)".to_string()).and_then(|bin| {
        let one = Server::start_from(bin.clone(), false, "")?;
        let conf = "listen_addresses = '127.0.0.2'\nlog_statement = all";
        let two = Server::start_at(bin, false, conf, one.port)?;
        Ok((one, two))
    });
    let (one, two) = match servers {
        Ok(servers) => servers,
        Err(why) => return left_out("replay through a pooler of two servers", &why),
    };
    // The log is older than both servers, so neither can have written it. On `two`, the role has too many rights.
    // Therefore statements may be sent to `one`, but not to `two`.
    two.client("").run("ALTER ROLE plain CREATEROLE").unwrap();
    let statements = log(&[(1, "SELECT 'harbor'"); 10]).replace("2026", "2001");
    let logged = program::write(&one.folder, "some.log", statements);
    let map = ["--database-map", "*=postgres", "--user-map", "*=plain", "--trust-log", "--log-line-prefix", PREFIX];
    let mut has_changed = false;
    for turn in 0..4 {
        let bouncer = match PgBouncer::start(&one, "transaction", "127.0.0.1,127.0.0.2") {
            Ok(bouncer) => bouncer,
            Err(why) => return left_out("replay through a pooler of two servers", &why),
        };
        let to = format!("host={} port={}", one.folder.display(), bouncer.port);
        // Concurrent transactions make the pooler connect to both servers.
        let settings = one.settings_for(&format!("{to} user=plain dbname=postgres"));
        let mut clients = [0; 2].map(|_| Client::connect(&settings).unwrap());
        clients.iter_mut().for_each(|client| client.run("BEGIN").unwrap());
        clients.iter_mut().for_each(|client| client.run("SELECT 1").unwrap());
        clients.iter_mut().for_each(|client| client.run("ROLLBACK").unwrap());
        // The pooler alternates between the servers. In every second turn, an additional query changes which server
        // comes next.
        (0..turn % 2).for_each(|_| clients[0].run("SELECT 1").unwrap());
        let output = program::run(&[&["replay", "--to", &to, &logged, "--format", "json"][..], &map].concat(), b"");
        if let Ok(report) = serde_json::from_slice::<serde_json::Value>(&output.stdout) {
            let counts = ["executed", "lost", "given_up"].map(|name| report[name].as_u64().unwrap());
            assert_eq!(counts.iter().sum::<u64>(), 10, "{report}");
            has_changed |= report["connection_errors"].to_string().contains("another server, database or role");
        }
        assert!(!std::fs::read_to_string(two.folder.join("log")).unwrap().contains("harbor"));
    }
    assert!(has_changed, "the pooler has always chosen the same server");
}

#[test]
fn temporary_tables_of_a_poolers_clients_do_not_replace_catalogs() {
    let Some(workload) = shared() else { return };
    let host = workload.server.folder.display().to_string();
    let bouncer = match PgBouncer::start(&workload.server, "transaction", &host) {
        Ok(bouncer) => bouncer,
        Err(why) => return left_out("a temporary table behind a pooler", &why),
    };
    let to = format!("host={host} port={}", bouncer.port);
    let settings = workload.server.settings_for(&format!("{to} user=plain dbname=two"));
    let mut client = workload.server.client("dbname=two");
    client.run("CREATE FUNCTION definer() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 1'").unwrap();
    Client::connect(&settings)
        .unwrap()
        .run("CREATE TEMPORARY TABLE pg_roles AS TABLE pg_catalog.pg_roles LIMIT 0")
        .unwrap();
    let logged = program::write(&workload.server.folder, "pooled.log", log(&[(1, "SELECT definer()")]));
    let map = ["--database-map", "*=two", "--user-map", "*=plain", "--trust-log", "--log-line-prefix", PREFIX];
    let output = program::run(&[&["replay", "--same-server", "--to", &to, &logged][..], &map].concat(), b"");
    client.run("DROP FUNCTION definer").unwrap();
    refused(&output, "execute public.definer(), a function with the rights of postgres");
}

#[test]
fn a_server_that_may_have_written_the_log_is_refused() {
    let Some(workload) = shared() else { return };
    let server = &workload.server;
    let to = format!("host={} port={}", server.folder.display(), server.port);
    let map = ["--database-map", "*=two", "--user-map", "*=plain", "--trust-log", "--log-line-prefix", PREFIX];
    // pgq refuses a server unless the log ended before the server was created, because otherwise the server may have
    // written the log. Therefore it refuses every server for a log that ends in 2999, and for a log without times.
    let logged = log(&[(1, "SELECT 1")]).replace("2026", "2999");
    let folder = tempfile::tempdir().unwrap();
    let path = program::write(folder.path(), "some.log", &logged);
    let timeless = "[1] ann@one app s1 00000 LOG:  duration: 0.000 ms  statement: SELECT 1\n";
    let timeless = program::write(folder.path(), "timeless.log", timeless);
    let replay = ["replay", "--to", &to];
    let run = |more: &[&str]| program::run(&[&replay[..], &[&*path], &map, more].concat(), b"");
    let why = "may be the one that wrote the log";
    refused(&run(&[]), why);
    let no_time = ["--log-line-prefix", "[%p] %u@%d %a %c %e ", &timeless];
    refused(&program::run(&[&replay, &map[..5], &no_time[..]].concat(), b""), why);
    // pgq refuses the server even if the time of only one statement is unknown.
    let row = |time: &str, line: u32| {
        format!(
            "{time},\"ann\",\"one\",1,\"[local]\",a.1,{line},\"SELECT\",{time},3/1,0,LOG,00000,\
             \"duration: 0.000 ms  statement: SELECT 1\",,,,,,,,,\"psql\"\n"
        )
    };
    let rows = row("2001-01-31 12:00:00.000 UTC", 1) + &row("2001-01-31 12:00:01.000 UTC+3", 2);
    let rows = program::write(folder.path(), "rows.csv", rows);
    refused(&program::run(&[&replay[..], &map[..5], &[&*rows]].concat(), b""), why);
    assert!(run(&["--same-server"]).status.success());
    // pgq also refuses this server if the option `--writes` is set, or if the input is a saved plan instead of a log.
    refused(&run(&["--writes"]), why);
    let plan = folder.path().join("plan").display().to_string();
    let planned = program::run(&["replay", "--trust-log", "--log-line-prefix", PREFIX, "--plan", &plan, &path], b"");
    assert!(planned.status.success(), "{planned:?}");
    refused(&program::run(&[&["replay", "--to", &to, &plan][..], &map].concat(), b""), why);
}

/// Starts a fake server that accepts logins, and answers every query with endless rows. Returns its port.
fn endless_server() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let message = |kind: u8, body: &[u8]| [&[kind][..], &(body.len() as u32 + 4).to_be_bytes(), body].concat();
    let welcome = [message(b'R', &[0; 4]), message(b'K', &[0; 8]), message(b'Z', b"I")].concat();
    let rows = message(b'D', &[0, 1, 0, 0, 0, 1, b'x']).repeat(10_000);
    std::thread::spawn(move || {
        while let Ok((mut stream, _)) = listener.accept() {
            let mut request = [0; 4096];
            let _ = stream.read(&mut request);
            let _ = stream.write_all(&welcome);
            let _ = stream.read(&mut request);
            while stream.write_all(&rows).is_ok() {}
        }
    });
    port
}

#[test]
fn an_endless_answer_to_a_check_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let log = program::write(folder.path(), "log", log(&[(1, "SELECT 1")]));
    let to = format!("host=127.0.0.1 port={} sslmode=disable user=ann dbname=one", endless_server());
    let output = program::run(&["replay", "--trust-log", "--log-line-prefix", PREFIX, "--to", &to, &log], b"");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.code() == Some(2) && text.contains("an answer of more than 16777216 bytes"), "{output:?}");
}

#[test]
fn a_plan_takes_no_other_inputs_and_no_filters() {
    let folder = tempfile::tempdir().unwrap();
    let log = program::write(folder.path(), "log", log(&[(1, "SELECT 1")]));
    let plan = folder.path().join("plan").display().to_string();
    let read = ["replay", "--trust-log", "--log-line-prefix", PREFIX, "--plan", &plan, &log];
    assert!(program::run(&read, b"").status.success());
    let run = |args: &[&str]| program::run(&[&["replay", "--dry-run"], args].concat(), b"");
    refused(&run(&[&plan, &log]), "cannot be combined with other inputs");
    refused(&run(&[&log, &plan]), "cannot be combined with other inputs");
    refused(&run(&["--database", "one", &plan]), "filters choose statements when a plan is made");
    let to = "host=127.0.0.1 port=1";
    let [own, same, link] = ["a", "./a", "link"].map(|name| format!("{}/{name}", folder.path().display()));
    std::os::unix::fs::symlink("a", &link).unwrap();
    for other in [&own, &same, &link] {
        let run = ["replay", "--to", to, "--state", &own, "-o", other, &plan];
        refused(&program::run(&run, b""), "name the same file");
    }
    refused(&run(&["--format", "json", &plan]), "--dry-run writes text");
    refused(&run(&["-o", "x.json", &plan]), "--dry-run writes text");
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
        let output = replay_log(&workload.server, &logged, &[&map[..], more].concat());
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["errors"]["new"]["57014"], 1, "{report}");
        assert_eq!(report["lost"], 0, "{report}");
    }
}

#[test]
fn settings_of_the_log_hold_for_its_later_transactions() {
    let Some(workload) = shared() else { return };
    let map = ["--database-map", "*=two", "--user-map", "*=plain", "--speed", "max", "--format", "json"];
    let check = "SELECT 1 / (current_setting('app.a', true) = 'x')::int";
    let logged = log(&[
        (1, "BEGIN"),
        (1, "SET app.a = 'x'"),
        (1, "COMMIT"),
        (1, check),
        (1, "BEGIN"),
        (1, "INSERT INTO notes VALUES (1)"),
        // pgq does not send the INSERT, which precedes this statement, but continues the transaction.
        (1, check),
        (1, "SAVEPOINT s"),
        (1, "SET app.a = 'y'"),
        (1, "ROLLBACK"),
        (1, check),
    ]);
    let output = replay_log(&workload.server, &logged, &map);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["executed"], &report["errors"]["new"]), (&5.into(), &serde_json::json!({})), "{report}");
}

/// pgq repeats a session's settings in each transaction. Without a limit, the time of the run would
/// be quadratic in the number of settings.
#[test]
fn settings_beyond_a_limit_are_not_sent() {
    let Some(workload) = shared() else { return };
    let map = ["--database-map", "*=two", "--user-map", "*=plain", "--speed", "max", "--format", "json"];
    let settings: Vec<_> = (0..120).map(|number| format!("SET app.v{number} = 'x'")).collect();
    let asks = ["SELECT 1 / (current_setting('app.v99', true) = 'x')::int"];
    let statements: Vec<_> = settings.iter().map(String::as_str).chain(asks).map(|sql| (1, sql)).collect();
    let output = replay_log(&workload.server, &log(&statements), &map);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["executed"], &report["errors"]["new"]), (&101.into(), &serde_json::json!({})), "{report}");
    let reason = "settings with a backslash, or after the first 100 (or 64 kB) of their session (--writes sends them)";
    assert_eq!(report["not_sent"], serde_json::json!({ reason: 20 }), "{report}");
}
