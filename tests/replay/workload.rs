//! A server with two equal databases, and a log of the statements that ran in the first database.

use std::ops::ControlFlow::Continue;
use std::path::PathBuf;
use std::process::Output;
use std::sync::Mutex;

use pgq_postgres::{BatchOptions, Client, SyncEvery};
use serde_json::Value;

use crate::common::program;
use crate::postgres::{Server, left_out};

pub const PREFIX: &str = "%m [%p] %q%u@%d %a %c %e ";

const SCHEMA: &str = "
    CREATE TABLE notes (id int PRIMARY KEY, note text);
    CREATE FUNCTION look_up(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN a; END $$;
    CREATE FUNCTION write_one(a int) RETURNS int LANGUAGE plpgsql AS
        $$ BEGIN INSERT INTO notes VALUES (a, 'by a function'); RETURN a; END $$;
    GRANT SELECT ON notes TO PUBLIC;
";

/// A log, and the server that wrote it.
pub struct Workload {
    pub server: Server,
    pub log: PathBuf,
    /// Number of statements that a replay can execute.
    pub statements: u64,
    _folder: tempfile::TempDir,
}

/// A workload that no other test uses at the same time.
pub struct Shared(&'static Workload);

/// The workloads that no running test uses. Their number is at most the number of tests that run at the same time.
static FREE: Mutex<Vec<&Workload>> = Mutex::new(Vec::new());

impl std::ops::Deref for Shared {
    type Target = Workload;

    fn deref(&self) -> &Workload {
        self.0
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        FREE.lock().unwrap().push(self.0);
    }
}

/// Returns a workload, after emptying the copy of its database. A later test may use the same workload. If there is no
/// server, prints a line and returns `None`.
pub fn shared() -> Option<Shared> {
    let free = FREE.lock().unwrap().pop();
    let workload = match free {
        Some(workload) => workload,
        None => {
            let server = Server::start(false).map_err(|why| left_out("replay", &why)).ok()?;
            Box::leak(Box::new(Workload::new(server, traffic)))
        }
    };
    workload.server.client("dbname=two").run("TRUNCATE notes").unwrap();
    Some(Shared(workload))
}

/// Returns a workload with more concurrent sessions than the server allows for the user `plain`.
pub fn with_limit() -> Option<Workload> {
    let server = Server::start(false).map_err(|why| left_out("replay", &why)).ok()?;
    let workload = Workload::new(server, many_sessions);
    workload.server.client("").run("ALTER ROLE plain CONNECTION LIMIT 12").unwrap();
    Some(workload)
}

impl Workload {
    fn new(server: Server, traffic: fn(&Server) -> u64) -> Self {
        let mut client = server.client("");
        client.run("CREATE DATABASE one").unwrap();
        client.run("CREATE DATABASE two").unwrap();
        for database in ["one", "two"] {
            server.client(&format!("dbname={database}")).run(SCHEMA).unwrap();
        }
        for setting in [&format!("log_line_prefix = '{PREFIX}'"), "log_min_duration_statement = 0"] {
            client.run(&format!("ALTER SYSTEM SET {setting}")).unwrap();
        }
        client.run("SELECT pg_reload_conf()").unwrap();
        // Wait until the server has read the settings, so that new sessions have them.
        while crate::postgres::texts(&mut server.client(""), "SHOW log_min_duration_statement") != ["0"] {}
        let statements = traffic(&server);
        client.run("ALTER SYSTEM SET log_min_duration_statement = -1").unwrap();
        client.run("SELECT pg_reload_conf()").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("server.log");
        std::fs::copy(server.folder.join("log"), &log).unwrap();
        Self { server, log, statements, _folder: folder }
    }
}

/// Runs three sessions: one with simple queries, one with prepared statements, and one with errors. Returns the number
/// of statements that a replay can execute.
fn traffic(server: &Server) -> u64 {
    let mut prepared = server.client("dbname=one application_name=prepared");
    let insert = prepared.prepare("INSERT INTO notes VALUES ($1, $2)", &[]).unwrap();
    let rows = [("1", Some("it's, $1 = 'quoted'")), ("2", None), ("3", Some("größe"))];
    execute(&mut prepared, &insert, &rows.map(|(id, note)| vec![Some(id), note]));
    // The client specifies the parameter's type. The log does not contain this type.
    let typed = prepared.prepare("SELECT $1 IS NULL", &[23]).unwrap();
    execute(&mut prepared, &typed, &[vec![Some("7")]]);
    let mut simple = server.client("dbname=one");
    for sql in [
        "BEGIN",
        "UPDATE notes SET note = 'changed' WHERE id = 2",
        "COMMIT",
        "SELECT look_up(1)",
        "SELECT count(*) FROM notes",
        "SELECT write_one(4)",
    ] {
        simple.run(sql).unwrap();
    }
    let mut failing = server.client("dbname=one");
    failing.run("SELECT 1 / 0").unwrap_err();
    failing.run("SELECT nothing FROM notes").unwrap_err();
    failing.run("COPY notes FROM STDIN").unwrap_err();
    failing.run("DELETE FROM notes WHERE id = 3").unwrap();
    3 + 1 + 6 + 4
}

/// Runs 40 sessions, of which at most 25 are connected at a time.
fn many_sessions(server: &Server) -> u64 {
    let mut open: Vec<Client> = Vec::new();
    for _ in 0..40 {
        if open.len() == 25 {
            open.remove(0);
        }
        open.push(server.client("dbname=one"));
        open.iter_mut().for_each(|client| client.run("SELECT look_up(2)").unwrap());
    }
    (1..=25).sum::<u64>() + 15 * 25
}

fn execute(client: &mut Client, statement: &pgq_postgres::Statement, rows: &[Vec<Option<&str>>]) {
    let mut rows = rows.iter();
    let options = BatchOptions { sync: SyncEvery::Rows(1), ..BatchOptions::default() };
    let push = |row: &mut pgq_postgres::Parameters<'_>| {
        let next = rows.next();
        next.into_iter().flatten().for_each(|value| row.push(value.map(str::as_bytes)));
        Ok(next.is_some())
    };
    assert_eq!(client.execute(statement, &options, push, |_| Continue(())).unwrap().failed, 0);
}

/// Returns the JSON report that a replay has printed.
pub fn report_of(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

/// Replays a log with the prefix [`PREFIX`] on a server, which may be the server that wrote the log.
pub fn replay_log(server: &Server, log: &str, more: &[&str]) -> Output {
    let to = format!("host={} port={}", server.folder.display(), server.port);
    let fixed = ["replay", "--same-server", "--trust-log", "--log-line-prefix", PREFIX, "--to", &to];
    program::run(&[&fixed[..], more].concat(), log.as_bytes())
}
