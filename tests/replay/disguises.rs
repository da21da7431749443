//! Sessions that try to write during a replay without --writes. They consist of random combinations of statements that
//! might lift the protection or hide a write. A replay of these sessions must not change anything on the server,
//! whether pgq connects directly or through PgBouncer.
//!
//! `PGQ_REPLAY_SESSIONS=300` runs more sessions. `PGQ_POSTGRES` names the program folders of other servers, separated
//! by `:`.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use pgq_postgres::{Client, ServerEvent};
use serde_json::Value;

use crate::common::left_out::left_out;
use crate::common::program;
use crate::common::setting::setting;
use crate::postgres::{Server, is_root, programs, texts};
use crate::snapshot::snapshot;

const CONF: &str = "wal_level = logical\nmax_prepared_transactions = 10\nshared_buffers = 16MB\nautovacuum = off";

/// Objects that the sessions try to change. FOLDER is a folder that the server can write to.
const VICTIMS: &str = "
    CREATE TABLE victim (id int);
    INSERT INTO victim VALUES (1), (2);
    GRANT ALL ON victim TO PUBLIC;
    CREATE MATERIALIZED VIEW copy AS SELECT * FROM victim;
    CREATE SEQUENCE counter;
    GRANT ALL ON counter TO PUBLIC;
    SELECT lo_from_bytea(4711, 'data');
    GRANT ALL ON LARGE OBJECT 4711 TO PUBLIC;
    SELECT pg_create_logical_replication_slot('slot', 'test_decoding');
    CREATE FUNCTION writes() RETURNS int LANGUAGE plpgsql AS
        $$ BEGIN INSERT INTO victim VALUES (3); RETURN 1; END $$;
    CREATE FUNCTION unlocks() RETURNS int LANGUAGE plpgsql AS $$ BEGIN
        PERFORM set_config('transaction_read' || '_only', 'off', false); INSERT INTO victim VALUES (4); RETURN 1; END $$;
    CREATE FUNCTION resets() RETURNS int LANGUAGE plpgsql AS $$ BEGIN
        RESET transaction_read_only; INSERT INTO victim VALUES (18); RETURN nextval('counter'); END $$;
    CREATE INDEX victim_brin ON victim USING brin (id);
    CREATE FUNCTION maintains() RETURNS int LANGUAGE plpgsql AS $$ BEGIN ANALYZE victim; RETURN 1; END $$;
    CREATE ROLE owner;
    CREATE SEQUENCE owned;
    ALTER SEQUENCE owned OWNER TO owner;
    CREATE FUNCTION owns() RETURNS int LANGUAGE plpgsql SECURITY DEFINER AS
        $$ BEGIN RESET transaction_read_only; RETURN nextval('owned'); END $$;
    ALTER FUNCTION owns OWNER TO owner;
    CREATE FUNCTION definer() RETURNS text LANGUAGE plpgsql SECURITY DEFINER AS
        $$ BEGIN EXECUTE 'COPY victim TO ''FOLDER/definer'''; RETURN pg_reload_conf(); END $$;
    CREATE PROCEDURE commits() LANGUAGE plpgsql AS $$ BEGIN COMMIT; INSERT INTO victim VALUES (5); COMMIT; END $$;
    CREATE SCHEMA evil;
    GRANT USAGE ON SCHEMA evil TO PUBLIC;
    CREATE FUNCTION evil.now() RETURNS int LANGUAGE sql AS 'SELECT public.writes()';
    BEGIN;
    INSERT INTO victim VALUES (6);
    PREPARE TRANSACTION 'held';
";

/// Statements that need contrib, which may not be installed.
const CONTRIB: [&str; 2] = [
    "CREATE EXTENSION dblink",
    "CREATE EXTENSION file_fdw; CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
     GRANT USAGE ON FOREIGN SERVER files TO PUBLIC",
];

/// Statements that might lift or end the protection against writes.
const LIFTERS: [&str; 38] = [
    "BEGIN",
    "BEGIN READ/**/WRITE",
    "/* a /* b */ */ START TRANSACTION\n--\nREAD WRITE",
    "SET TRANSACTION READ WRITE",
    "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE",
    "SET transaction_read_only = off",
    "SET U&\"transaction\\005fread\\005fonly\" = off",
    "SET U&\"default_transaction!005fread_only\" UESCAPE '!' = off",
    "SET default_transaction_read_only TO 'off'",
    "SELECT set_config('transaction_read'||'_only', 'off', false)",
    "SELECT set_config('default_transaction_read'||'_only', 'off', false)",
    "SELECT unlocks()",
    "RESET transaction_read_only",
    "SET LOCAL transaction_read_only TO DEFAULT",
    "SELECT set_config('transaction_read' || '_only', NULL, false)",
    "SELECT resets()",
    "COMMIT",
    "; ;COMMIT AND CHAIN",
    "/**/END",
    "ABORT",
    "SAVEPOINT a",
    "ROLLBACK TO a",
    "RELEASE a",
    "DISCARD ALL",
    "RESET ALL",
    "SET standard_conforming_strings = off",
    "SET client_encoding = 'SJIS'",
    "SET U&\"client\\005fencoding\" = 'GBK'",
    "SELECT set_config('client_encoding', 'BIG5', false)",
    "SET statement_timeout = 0",
    "SET search_path = evil, pg_catalog, public",
    "RESET ROLE",
    "SET ROLE postgres",
    "SET SESSION AUTHORIZATION DEFAULT",
    "SET session_replication_role = replica",
    "PREPARE p AS INSERT INTO victim VALUES (7)",
    "DECLARE c CURSOR WITH HOLD FOR SELECT writes()",
    "LISTEN channel",
];

/// Statements that might change something. DEEP is replaced with deeply nested comments. pgq refuses statements with
/// such comments, because PostgreSQL's scanner would take too long to read them.
const WRITERS: [&str; 66] = [
    "INSERT INTO victim VALUES (8)",
    "WITH a AS (INSERT INTO victim VALUES (9) RETURNING *) SELECT * FROM a",
    "EXPLAIN ANALYZE INSERT INTO victim VALUES (10)",
    "SELECT 1; INSERT INTO victim VALUES (11)",
    "SELECT 'a\\'; INSERT INTO victim VALUES (12); --'",
    "SELECT '\u{8868}'; INSERT INTO victim VALUES (13); --'",
    "EXECUTE p",
    "FETCH ALL FROM c",
    "SELECT writes()",
    "SELECT now()",
    "CALL commits()",
    "DO $$ BEGIN PERFORM writes(); END $$",
    "DO $$ BEGIN COMMIT; PERFORM writes(); END $$",
    "SELECT query_to_xml('INSERT INTO victim VALUES (14)', true, true, '')",
    "SELECT * FROM victim FOR UPDATE",
    "SELECT * INTO stolen FROM victim",
    "CREATE TEMP TABLE t (a int)",
    "CREATE TABLE made (a int)",
    "DROP TABLE victim",
    "TRUNCATE victim",
    "REFRESH MATERIALIZED VIEW copy",
    "VACUUM FULL victim",
    "SELECT nextval('counter')",
    "SELECT setval('counter', 99)",
    "SELECT set_config('transaction_read_only', NULL, false), nextval('counter')",
    "SELECT set_config('transaction_read_only', NULL, false), writes()",
    "SELECT resets(), nextval('counter')",
    "SELECT owns()",
    "SELECT lo_create(4712)",
    "SELECT lo_put(4711, 0, 'x')",
    "SELECT lo_unlink(4711)",
    "SELECT lowrite(lo_open(4711, 131072), 'x')",
    "SELECT lo_import('/etc/passwd', 4713)",
    "SELECT lo_export(4711, 'FOLDER/exported')",
    "COPY victim TO PROGRAM 'touch FOLDER/a'",
    "COPY victim TO PROGRAM E'touch FOLDER/b # to stdout \\303\\251'",
    "COPY victim TO 'FOLDER/c'",
    "COPY (SELECT writes()) TO STDOUT",
    "COPY victim FROM PROGRAM 'touch FOLDER/d; echo 15'",
    "COPY victim FROM STDIN",
    "SELECT pg_read_file('PG_VERSION')",
    "COMMIT PREPARED 'held'",
    "/**/ROLLBACK/**/PREPARED 'held'",
    "PREPARE TRANSACTION 'own'",
    "PREPARE TRANSACTION 'own\\'b'",
    "PREPARE TRANSACTION U&'own' UESCAPE '!' DEEP",
    "SELECT pg_create_physical_replication_slot('made', true)",
    "SELECT pg_drop_replication_slot('slot')",
    "SELECT * FROM pg_logical_slot_get_changes('slot', NULL, NULL)",
    "SELECT pg_logical_emit_message(false, 'a', 'b')",
    "SELECT pg_logical_emit_message(true, 'a', 'b')",
    "SELECT pg_notify('channel', 'b')",
    "NOTIFY channel, 'c'",
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'postgres'",
    "SELECT pg_reload_conf()",
    "ALTER SYSTEM SET work_mem = '1MB'",
    "CREATE ROLE evil SUPERUSER",
    "ALTER ROLE CURRENT_USER SET search_path = evil",
    "SELECT dblink_exec('CONNECTION', 'INSERT INTO victim VALUES (16)')",
    "SELECT dblink_connect('link', 'CONNECTION'), dblink_exec('link', 'INSERT INTO victim VALUES (17)')",
    "CREATE FOREIGN TABLE outside (a text) SERVER files OPTIONS (program 'touch FOLDER/foreign; echo 1')",
    "SELECT brin_desummarize_range('victim_brin', 0), gin_clean_pending_list('victim_brin')",
    "SELECT maintains()",
    "ANALYZE victim",
    "SELECT definer()",
    "SELECT pg_switch_wal()",
];

/// Sessions whose statements depend on each other. Random sessions rarely contain such sequences.
const SEQUENCES: [&[&str]; 2] = [
    &["SET standard_conforming_strings = off", "PREPARE TRANSACTION 'own\\'b'", "COMMIT"],
    &["BEGIN", "PREPARE p AS PREPARE TRANSACTION 'own'", "EXECUTE p", "COMMIT"],
];

/// A deterministic pseudorandom generator.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

/// Returns a csvlog of sessions that mix statements of [`LIFTERS`] and [`WRITERS`]. A statement is a simple query or an
/// execution of a prepared statement.
fn sessions(count: usize, folder: &Path, connection: &str) -> String {
    let mut random = Random(setting("PGQ_SEED", 1) as u64);
    let mut lines: Vec<(usize, String)> = Vec::new();
    let deep = ["/*".repeat(7_500), "*/".repeat(7_500)].concat();
    let fill = |sql: &str| {
        sql.replace("FOLDER", &folder.display().to_string()).replace("CONNECTION", connection).replace("DEEP", &deep)
    };
    for session in 0..count + SEQUENCES.len() {
        let statements: Vec<&str> = match session.checked_sub(count) {
            Some(sequence) => SEQUENCES[sequence].to_vec(),
            None => {
                let drawn = (0..6).map(|_| match random.below(3) {
                    0 => WRITERS[random.below(WRITERS.len())],
                    _ => LIFTERS[random.below(LIFTERS.len())],
                });
                let drawn: Vec<_> = drawn.collect();
                // Adds writers in turn, so that each writer is used at least once.
                let turns = [WRITERS[session % WRITERS.len()], WRITERS[(session * 7 + 3) % WRITERS.len()]];
                [&drawn[..], &turns].concat()
            }
        };
        for (step, sql) in statements.into_iter().enumerate() {
            let how = if random.below(2) == 0 { "statement".into() } else { format!("execute s{step}") };
            let time = format!("2026-01-31 12:00:{:02}.{:03} UTC", step, session % 1000);
            let message = format!("duration: 0.000 ms  {how}: {}", fill(sql)).replace('"', "\"\"");
            let line = format!(
                "{time},\"ann\",\"app\",{session},\"[local]\",s{session}.1,{step},\"SELECT\",{time},3/1,0,LOG,00000,\
                 \"{message}\",,,,,,,,,\"app\",\"client backend\",,0\n"
            );
            lines.push((step * (count + SEQUENCES.len()) + session, line));
        }
    }
    lines.sort();
    lines.into_iter().map(|(_, line)| line).collect()
}

/// A server with all objects of [`VICTIMS`], and a role that `--role-sql` created.
struct Target {
    server: Server,
    folder: tempfile::TempDir,
    log: String,
}

impl Target {
    fn new(bin: PathBuf, count: usize) -> Result<Self, String> {
        let server = Server::start_from(bin, false, CONF)?;
        let folder = tempfile::tempdir().unwrap();
        std::fs::set_permissions(folder.path(), Permissions::from_mode(0o777)).unwrap();
        let mut client = server.client("");
        let fill = |sql: &str| sql.replace("FOLDER", &folder.path().display().to_string());
        // Run the statements one by one, because a replication slot cannot be created in a transaction that has
        // written.
        for statement in fill(VICTIMS).split_inclusive(";\n    ").filter(|sql| !sql.trim().is_empty()) {
            client.run(statement).unwrap_or_else(|error| panic!("{error}: {statement}"));
        }
        for extension in CONTRIB {
            if let Err(error) = client.run(&fill(extension)) {
                left_out("dblink and file_fdw in a replay", &error.to_string());
            }
        }
        client.run(&program::stdout_of(&["replay", "--role-sql"])).unwrap();
        let connection = format!("host={} port={} user=postgres", server.folder.display(), server.port);
        let log = program::write(folder.path(), "log.csv", sessions(count, folder.path(), &connection));
        Ok(Self { server, folder, log })
    }

    fn replay(&self, host: &str, port: u16, arguments: &[&str]) -> Value {
        let to = format!("host={host} port={port} dbname=postgres");
        let fixed = ["replay", "--same-server", "--to", &to, "--database-map", "*=postgres", "--speed", "max"];
        // Limit the duration of statements, so that locks and sleeps do not delay other sessions for long.
        let limits = ["--connections", "8", "--statement-timeout", "3s", "--format", "json", &self.log];
        let output = program::run(&[&fixed[..], &limits, arguments].concat(), b"");
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
    }

    /// Replays as the read-only role. Checks that nothing changes and that no notification arrives.
    fn check(&self, host: &str, port: u16) -> Value {
        let mut client = self.server.client("");
        let mut listener = self.server.client("");
        listener.run("LISTEN channel").unwrap();
        let before = snapshot(&mut client, self.folder.path());
        let report = self.replay(host, port, &["--user-map", "*=pgq_replay"]);
        let after = snapshot(&mut client, self.folder.path());
        let differs: Vec<_> = after.iter().filter(|line| !before.contains(line)).collect();
        assert!(before == after, "{differs:#?}\n{report}");
        assert!(!is_notified(&mut listener), "{report}");
        assert!(report["executed"].as_u64().unwrap() > 0, "{report}");
        report
    }
}

/// Whether a notification has arrived.
fn is_notified(client: &mut Client) -> bool {
    client.connection().session().query("SELECT 1").unwrap();
    let mut notified = false;
    while client.connection().session().outstanding() > 0 {
        while let Some(answer) = client.connection().session().next_answer().unwrap() {
            notified |= matches!(answer.event, ServerEvent::Notification { .. });
        }
        client.connection().transfer().unwrap();
    }
    notified
}

#[test]
fn no_disguise_changes_anything() {
    let Some(bin) = programs() else { return left_out("replay", "initdb is not installed (PostgreSQL's server)") };
    let count = setting("PGQ_REPLAY_SESSIONS", WRITERS.len());
    let target = match Target::new(bin, count) {
        Ok(target) => target,
        Err(why) => return left_out("replay", &why),
    };
    let host = target.server.folder.display().to_string();
    let report = target.check(&host, target.server.port);
    println!("{count} sessions: {}", summary(&report));
    for mode in ["session", "transaction"] {
        match PgBouncer::start(&target.server, mode, &host) {
            Err(why) => left_out("replay through PgBouncer", &why),
            Ok(bouncer) => {
                let report = target.check(&host, bouncer.port);
                println!("{count} sessions through PgBouncer, pool_mode {mode}: {}", summary(&report));
            }
        }
    }
    // The same statements, replayed with `--writes` by a role that may write, must change the server. Otherwise the
    // test would prove nothing.
    let mut client = target.server.client("");
    let before = snapshot(&mut client, target.folder.path());
    target.replay(&host, target.server.port, &["--writes", "--user-map", "*=trusted"]);
    assert_ne!(before, snapshot(&mut target.server.client(""), target.folder.path()));
}

#[test]
fn no_disguise_changes_anything_on_other_servers() {
    let Some(folders) = std::env::var_os("PGQ_POSTGRES") else {
        return left_out("replay on other servers", "PGQ_POSTGRES names none");
    };
    let count = setting("PGQ_REPLAY_SESSIONS", WRITERS.len());
    for bin in std::env::split_paths(&folders) {
        let target = Target::new(bin, count).unwrap();
        let version = texts(&mut target.server.client(""), "SHOW server_version").remove(0);
        let report = target.check(&target.server.folder.display().to_string(), target.server.port);
        println!("{count} sessions on PostgreSQL {version}: {}", summary(&report));
    }
}

fn summary(report: &Value) -> String {
    let of = |name: &str| report[name].to_string();
    format!(
        "executed {}, replaced {}, not sent {}, lost {}",
        of("executed"),
        of("replaced"),
        of("not_sent"),
        of("lost")
    )
}

/// A PgBouncer with its socket in the server's folder.
pub struct PgBouncer {
    shell: Child,
    folder: tempfile::TempDir,
    pub port: u16,
}

impl PgBouncer {
    /// Starts a PgBouncer that forwards connections to the servers at `hosts`. All of these servers have the port of
    /// `server`.
    pub fn start(server: &Server, mode: &str, hosts: &str) -> Result<Self, String> {
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let folder = tempfile::tempdir().unwrap();
        std::fs::set_permissions(folder.path(), Permissions::from_mode(0o777)).unwrap();
        let (own, target) = (folder.path().display(), server.folder.display());
        let ini = format!(
            "[databases]\n* = host={hosts} port={}\n[pgbouncer]\nlisten_addr =\nlisten_port = {port}\n\
             unix_socket_dir = {target}\nauth_type = trust\nauth_file = {own}/users\npool_mode = {mode}\n\
             max_client_conn = 100\ndefault_pool_size = 8\nserver_round_robin = 1\npidfile = {own}/pid\n",
            server.port
        );
        let ini = program::write(folder.path(), "ini", ini);
        program::write(folder.path(), "users", "\"pgq_replay\" \"\"\n\"plain\" \"pass word\"\n");
        let mut shell = if is_root() { Command::new("su") } else { Command::new("sh") };
        shell.args(if is_root() { &["postgres", "-s", "/bin/sh", "-c"][..] } else { &["-c"] });
        let shell = shell.arg(format!("exec pgbouncer -q '{ini}'")).stdin(Stdio::null()).stderr(Stdio::null());
        let mut bouncer = Self { shell: shell.current_dir("/").spawn().unwrap(), folder, port };
        let socket = server.folder.join(format!(".s.PGSQL.{port}"));
        let pid = bouncer.folder.path().join("pid");
        while UnixStream::connect(&socket).is_err() || std::fs::read(&pid).unwrap_or_default().is_empty() {
            if bouncer.shell.try_wait().unwrap().is_some() {
                return Err("pgbouncer is not installed, or does not start".into());
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        Ok(bouncer)
    }
}

impl Drop for PgBouncer {
    fn drop(&mut self) {
        if let Ok(process) = std::fs::read_to_string(self.folder.path().join("pid")) {
            let _ = Command::new("kill").arg(process.trim()).status();
        }
        let _ = self.shell.wait();
    }
}
