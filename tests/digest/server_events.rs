//! Compares the temporary files, lock waits, cancellations and plans in a digest with the figures of the server and its
//! clients.

use std::time::{Duration, Instant};

use pgq_postgres::Client;
use serde_json::Value;

use crate::common::program::stdout_of;
use crate::postgres::{Server, own, texts};

const SETTINGS: &str = "
    LOAD 'auto_explain';
    ALTER SYSTEM SET logging_collector = on;
    ALTER SYSTEM SET log_destination = 'stderr,csvlog,jsonlog';
    ALTER SYSTEM SET log_filename = 'server.log';
    ALTER SYSTEM SET log_file_mode = 420;
    ALTER SYSTEM SET log_line_prefix = '%m [%p] %q%u@%d/%a %h ';
    ALTER SYSTEM SET log_min_duration_statement = 0;
    ALTER SYSTEM SET log_temp_files = 0;
    ALTER SYSTEM SET log_lock_waits = on;
    ALTER SYSTEM SET deadlock_timeout = '20ms';
    ALTER SYSTEM SET work_mem = '64kB';
    ALTER SYSTEM SET session_preload_libraries = 'auto_explain';
    ALTER SYSTEM SET auto_explain.log_min_duration = 0;
    ALTER SYSTEM SET max_parallel_workers_per_gather = 0;
";

const SORT: &str = "SELECT count(*) FROM (SELECT g FROM generate_series(1, 20000) AS g ORDER BY md5(g::text)) AS s";
const UPDATE: &str = "UPDATE counters SET value = value + 1 WHERE id = 1";

/// The correct figures, as counted by the clients and the server.
struct Truth {
    temporary_files: u64,
    temporary_bytes: u64,
    sorts: u64,
    lock_waits: u64,
    /// Number of lock waits that ended in an error. `lock_waits` includes them.
    failed_lock_waits: u64,
    /// Upper bound of the time spent waiting, in milliseconds: the total duration of the waiting statements.
    longest_waits: f64,
}

fn work(server: &Server) -> Truth {
    let mut client = server.client("");
    client.run("CREATE DATABASE shop").unwrap();
    let mut one = server.client("dbname=shop application_name=one");
    one.run("CREATE TABLE counters (id int PRIMARY KEY, value int)").unwrap();
    one.run("INSERT INTO counters VALUES (1, 0)").unwrap();
    let sorts = 3;
    (0..sorts).for_each(|_| one.run(SORT).map(drop).unwrap());
    one.run("SET statement_timeout = 50").unwrap();
    assert!(one.run("SELECT pg_sleep(60)").is_err());
    one.run("RESET statement_timeout").unwrap();
    let mut longest_waits: f64 = (0..2).map(|_| wait_for_a_lock(server, &mut one, &mut client)).sum();
    longest_waits += fail_to_lock(server, &mut one);
    drop(one);
    // The client `one` is dropped first, because a server process may report its statistics only when the process ends.
    let figures = |client: &mut Client, column: &str| -> u64 {
        texts(client, &format!("SELECT {column} FROM pg_stat_database WHERE datname = 'shop'"))[0].parse().unwrap()
    };
    let until = Instant::now() + Duration::from_secs(60);
    while figures(&mut client, "temp_files") == 0
        || !texts(&mut client, "SELECT 1 FROM pg_stat_activity WHERE datname = 'shop'").is_empty()
    {
        assert!(Instant::now() < until, "the server says nothing of its temporary files");
        std::thread::sleep(Duration::from_millis(50));
        client.run("SELECT pg_stat_clear_snapshot()").unwrap();
    }
    let temporary_files = figures(&mut client, "temp_files");
    let temporary_bytes = figures(&mut client, "temp_bytes");
    Truth { temporary_files, temporary_bytes, sorts, lock_waits: 3, failed_lock_waits: 1, longest_waits }
}

/// Makes two clients update the same row. Returns the duration of the second update in milliseconds.
fn wait_for_a_lock(server: &Server, one: &mut Client, observer: &mut Client) -> f64 {
    one.run("BEGIN").unwrap();
    one.run(UPDATE).unwrap();
    let mut two = server.client("dbname=shop application_name=two");
    let waiting = std::thread::spawn(move || {
        let start = Instant::now();
        two.run(UPDATE).unwrap();
        start.elapsed().as_secs_f64() * 1000.0
    });
    let says_so = || std::fs::read_to_string(server.folder.join("data/log/server.log")).unwrap_or_default();
    let before = says_so().matches("still waiting for").count();
    let until = Instant::now() + Duration::from_secs(60);
    while says_so().matches("still waiting for").count() == before {
        assert!(Instant::now() < until, "nobody waits: {:?}", texts(observer, "SELECT query FROM pg_stat_activity"));
        std::thread::sleep(Duration::from_millis(20));
    }
    one.run("COMMIT").unwrap();
    waiting.join().unwrap()
}

/// Makes a client wait for a lock until its lock_timeout. Returns the duration of its update in milliseconds.
fn fail_to_lock(server: &Server, one: &mut Client) -> f64 {
    one.run("BEGIN").unwrap();
    one.run(UPDATE).unwrap();
    let mut two = server.client("dbname=shop application_name=two");
    two.run("SET lock_timeout = '100ms'").unwrap();
    let start = Instant::now();
    assert!(two.run(UPDATE).is_err());
    let waited = start.elapsed().as_secs_f64() * 1000.0;
    one.run("COMMIT").unwrap();
    waited
}

fn digest(server: &Server, extension: &str) -> Value {
    let log = server.folder.join("data/log").join(format!("server.{extension}"));
    let text = stdout_of(&["digest", "--format", "json", "--database", "shop", &log.to_string_lossy()]);
    serde_json::from_str(&text).unwrap()
}

/// Returns the group of the query with this prefix.
fn group<'a>(digest: &'a Value, start: &str) -> &'a Value {
    let groups = digest["groups"].as_array().unwrap();
    groups
        .iter()
        .find(|group| group["normalized"].as_str().unwrap().starts_with(start))
        .unwrap_or_else(|| panic!("no {start}: {groups:#?}"))
}

#[test]
fn events_are_those_of_the_server() {
    let check = "temporary files, waits for locks and plans of a real server";
    let Some(server) = own(check, false) else { return };
    let mut client = server.client("");
    SETTINGS.trim().lines().for_each(|setting| client.run(setting).map(drop).unwrap());
    drop(client);
    server.restart();
    let truth = work(&server);
    assert!(truth.temporary_files >= truth.sorts);
    let plans = std::fs::read_to_string(server.folder.join("data/log/server.log")).unwrap();
    for extension in ["log", "csv", "json"] {
        let digest = digest(&server, extension);
        let sort = group(&digest, "SELECT count(*)");
        let update = group(&digest, "UPDATE counters");
        let sleep = group(&digest, "SELECT pg_sleep");
        let figure = |group: &Value, name: &str| group["events"][name].as_u64().unwrap_or(0);
        assert_eq!(figure(sort, "temporary_files"), truth.temporary_files, "{extension}: {sort}");
        assert_eq!(figure(sort, "temporary_bytes"), truth.temporary_bytes, "{extension}");
        assert_eq!(figure(&digest, "temporary_files"), truth.temporary_files, "{extension}");
        assert_eq!(figure(update, "lock_waits"), truth.lock_waits, "{extension}: {update}");
        assert_eq!(figure(update, "failed_lock_waits"), truth.failed_lock_waits, "{extension}: {update}");
        let waited = update["events"]["lock_wait_ms"].as_f64().unwrap();
        assert!(waited >= 20.0 * truth.lock_waits as f64 && waited <= truth.longest_waits, "{extension}: {waited}");
        assert_eq!(figure(sleep, "canceled"), 1, "{extension}: {sleep}");
        assert_eq!(sort["calls"], truth.sorts, "{extension}");
        assert_eq!(update["calls"], 2 * truth.lock_waits - truth.failed_lock_waits, "{extension}");
        // All executions have the same plan, so there is one distinct plan. The slowest plan is in the log verbatim.
        assert_eq!(sort["plans"]["logged"], truth.sorts, "{extension}: {sort}");
        assert_eq!(sort["plans"]["different"], 1, "{extension}");
        let slowest = sort["plans"]["slowest"].as_str().unwrap();
        let text = slowest.replace('\n', "\n\t");
        assert!(slowest.contains("Sort Key: (md5(") && plans.contains(&text), "{extension}: {slowest}");
        let ms = sort["plans"]["slowest_ms"].as_f64().unwrap();
        assert!(plans.contains(&format!("duration: {ms:.3} ms  plan:\n\t{text}")), "{extension}: {ms}");
        assert_eq!(sort["hosts"]["[local]"]["calls"], truth.sorts, "{extension}");
        assert_eq!(digest["stray_events"]["temporary_files"], 0, "{extension}");
    }
}
