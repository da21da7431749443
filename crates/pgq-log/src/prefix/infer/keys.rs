//! Tables of keys that name a prefix's fields (`user=`, `pid:`), and of values that identify a field without a key.

/// Returns the escape of a key such as `user`. Ignores case.
pub fn escape_of_key(key: &[u8]) -> Option<u8> {
    let key = String::from_utf8_lossy(key).to_ascii_lowercase().replace('-', "_");
    KEYS.iter().find(|(_, names)| names.contains(&key.as_str())).map(|(escape, _)| *escape)
}

/// Keys of each escape. `t` means any time, `h` any host.
#[rustfmt::skip] // one field per line
const KEYS: [(u8, &[&str]); 16] = [
    (b'u', &["user", "usr", "username", "user_name", "usename", "dbuser", "db_user", "role", "u"]),
    (b'd', &["db", "database", "dbname", "db_name", "database_name", "datname", "d"]),
    (b'a', &["app", "appname", "app_name", "application", "application_name", "applicationname", "program", "a"]),
    (
        b'h',
        &[
            "client", "host", "remote", "client_addr", "client_address", "client_ip", "clientip", "remote_host",
            "remotehost", "rhost", "addr", "address", "ip", "hostname", "from", "source", "src", "connection_source",
            "connection_from", "peer", "h", "r",
        ],
    ),
    (b'p', &["pid", "process", "process_id", "processid", "proc", "backend_pid", "procpid", "p"]),
    (b'l', &["line", "log_line", "line_num", "line_number", "lineno", "session_line", "session_line_num", "l"]),
    (b'c', &["session", "sess", "sid", "session_id", "sessionid", "c"]),
    (b't', &["time", "ts", "timestamp", "log_time", "logtime", "time_ms", "date", "datetime", "at", "t", "m", "n"]),
    (b'x', &["tx", "txid", "xid", "tid", "trx", "trx_id", "xact", "transaction", "transaction_id", "x"]),
    (b'v', &["vxid", "vtid", "vtx", "vtxid", "virtual_transaction_id", "virtualxid", "v"]),
    (
        b'e',
        &[
            "state", "sqlstate", "sql_state", "code", "err", "errcode", "error_code", "sql_error_code",
            "sql_state_code", "error", "e",
        ],
    ),
    (b'i', &["tag", "cmd", "command", "command_tag", "ps", "i"]),
    (b's', &["start", "started", "session_start", "session_start_time", "proc_start_time", "backend_start", "s"]),
    (b'Q', &["query_id", "queryid", "qid", "query"]),
    (b'b', &["backend", "backend_type", "btype", "type", "b"]),
    (b'P', &["leader", "leader_pid", "parallel_leader", "parallel_leader_pid"]),
];

/// Types of backends (miscinit.c: GetBackendTypeDesc).
pub const BACKENDS: [&str; 22] = [
    "archiver",
    "autovacuum launcher",
    "autovacuum worker",
    "background worker",
    "background writer",
    "checkpointer",
    "client backend",
    "dead-end client backend",
    "io worker",
    "logger",
    "logical replication launcher",
    "logical replication worker",
    "logical replication apply worker",
    "logical replication tablesync worker",
    "parallel worker",
    "postmaster",
    "slotsync worker",
    "startup",
    "walreceiver",
    "walsender",
    "walsummarizer",
    "walwriter",
];

/// First words of command tags (`%i`).
#[rustfmt::skip]
pub const TAGS: [&str; 51] = [
    "SELECT", "INSERT", "UPDATE", "DELETE", "MERGE", "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "SET", "SHOW",
    "CREATE", "ALTER", "DROP", "TRUNCATE", "COPY", "VACUUM", "ANALYZE", "EXPLAIN", "PREPARE", "EXECUTE", "DEALLOCATE",
    "DECLARE", "FETCH", "CLOSE", "BIND", "PARSE", "DO", "CALL", "START", "RELEASE", "RESET", "DISCARD", "LOCK",
    "LISTEN", "NOTIFY", "UNLISTEN", "REINDEX", "CLUSTER", "CHECKPOINT", "GRANT", "REVOKE", "REFRESH", "COMMENT",
    "MOVE", "IMPORT", "LOAD", "REASSIGN", "idle", "authentication", "startup",
];

/// Whether `text` is the first word of a command tag.
pub fn is_tag(text: &[u8]) -> bool {
    TAGS.iter().any(|tag| tag.as_bytes() == text)
}

/// Whether `text` is a later word of a command tag: `idle in transaction`, `CREATE TABLE`.
pub fn is_rest_of_tag(text: &[u8]) -> bool {
    matches!(text, b"in" | b"transaction" | b"waiting") || text.len() > 1 && text.iter().all(u8::is_ascii_uppercase)
}

/// Whether `text` is a command tag and not a backend type.
pub fn is_command(text: &[u8]) -> bool {
    is_tag(text) || text.first().is_some_and(u8::is_ascii_uppercase)
}

/// Common application names that are not names of users or databases.
pub const APPLICATIONS: [&str; 9] =
    ["psql", "pgbench", "pg_dump", "pg_basebackup", "walreceiver", "pgAdmin", "DBeaver", "psycopg2", "pgjdbc"];

/// Words that are literals before a number or a dash.
pub const LITERALS: [&str; 6] = ["pg", "pgsql", "postgresql", "log", "server", "trx"];
