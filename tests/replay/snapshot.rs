//! Reads, as text, the part of a server's state that a replay could change: tables, sequences, large objects, roles,
//! slots, prepared transactions, files, settings, foreign servers, notifications.

use std::path::Path;

use pgq_postgres::{Client, QueryAnswer};

/// Queries with which a superuser reads the server's state. Each query returns one column.
const QUERIES: [&str; 14] = [
    "SELECT format('%s %s %s %s %s', oid, relname, relowner, relacl, reltuples) FROM pg_class ORDER BY 1",
    "SELECT format('%s %s %s', oid, proname, proacl) FROM pg_proc WHERE oid >= 16384 ORDER BY 1",
    "SELECT format('%s %s', oid, nspname) FROM pg_namespace WHERE nspname !~ '^pg_(toast_)?temp' ORDER BY 1",
    "SELECT a::text FROM pg_authid AS a ORDER BY 1",
    "SELECT m::text FROM pg_auth_members AS m ORDER BY 1",
    "SELECT s::text FROM pg_db_role_setting AS s ORDER BY 1",
    "SELECT format('%s %s', datname, datacl) FROM pg_database ORDER BY 1",
    "SELECT format('%s %s %s', sequencename, last_value, increment_by) FROM pg_sequences ORDER BY 1",
    "SELECT format('%s %s', loid, md5(data)) FROM pg_largeobject ORDER BY 1",
    "SELECT m::text FROM pg_largeobject_metadata AS m ORDER BY 1",
    "SELECT format('%s %s', slot_name, confirmed_flush_lsn) FROM pg_replication_slots ORDER BY 1",
    "SELECT format('%s %s', gid, owner) FROM pg_prepared_xacts ORDER BY 1",
    "SELECT format('%s %s %s', subname, subowner, subenabled) FROM pg_subscription ORDER BY 1",
    "SELECT pg_read_file('postgresql.auto.conf')",
];

/// Messages and rows that reached logical replication.
const DECODED: &str =
    "SELECT data FROM pg_logical_slot_peek_changes('slot', NULL, NULL) WHERE data !~ '^(BEGIN|COMMIT) '";

/// Returns the state of a database and of the files in `folder`.
pub fn snapshot(client: &mut Client, folder: &Path) -> Vec<String> {
    let mut state: Vec<String> = QUERIES.iter().flat_map(|sql| texts(client, sql)).collect();
    let tables = "SELECT oid::regclass::text FROM pg_class
                  WHERE relkind IN ('r', 'm') AND relnamespace = 'public'::regnamespace ORDER BY 1";
    for table in texts(client, tables) {
        state.extend(texts(client, &format!("SELECT '{table} ' || t::text FROM {table} AS t ORDER BY 1")));
    }
    state.extend(texts(client, DECODED));
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    state.extend(files.iter().map(|file| file.display().to_string()));
    state
}

/// Returns the first value of each row of a query, or the query's error.
fn texts(client: &mut Client, sql: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let take = |answer: QueryAnswer<'_>| {
        if let QueryAnswer::Row(row) = answer {
            let value = row.values().unwrap()[0].unwrap_or(b"NULL");
            texts.push(String::from_utf8_lossy(value).into_owned());
        }
    };
    if let Err(error) = client.query(sql, take) {
        texts.push(error.to_string());
    }
    texts
}
