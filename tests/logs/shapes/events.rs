//! The events of the test log: sessions with statements, durations, parameters and errors, and processes without a
//! session. The same events are written with every prefix and in the format of every platform.

#[derive(Clone, Copy)]
pub struct Session {
    pub pid: u32,
    pub user: &'static str,
    pub database: &'static str,
    pub application: &'static str,
    pub host: &'static str,
    pub port: u16,
    pub backend: &'static str,
    pub started: u32,
}

pub struct Event {
    /// Milliseconds after the start of the log.
    pub millis: u32,
    pub session: Session,
    /// Number of the message within its session.
    pub line: u32,
    pub tag: &'static str,
    pub severity: &'static str,
    pub state: &'static str,
    pub message: String,
    pub detail: String,
    pub statement: String,
}

const SESSIONS: [Session; 6] = [
    session(1001, "ann", "shop", "psql", "[local]", 0, "client backend"),
    session(1002, "bob", "shop", "web-1", "10.0.0.7", 50111, "client backend"),
    session(1003, "app_user", "other_db", "my app", "10.0.0.8", 50112, "client backend"),
    session(1004, "john@corp.com", "shop", "[unknown]", "2001:db8::1", 50113, "client backend"),
    session(1005, "postgres", "postgres", "pg_dump", "[local]", 0, "client backend"),
    session(1006, "ann", "shop", "PostgreSQL JDBC Driver", "10.0.0.7", 50114, "client backend"),
];
const CHECKPOINTER: Session = session(990, "", "", "", "", 0, "checkpointer");

const fn session(
    pid: u32,
    user: &'static str,
    database: &'static str,
    application: &'static str,
    host: &'static str,
    port: u16,
    backend: &'static str,
) -> Session {
    Session { pid, user, database, application, host, port, backend, started: pid - 990 }
}

/// Returns the events of a log, in order. The sessions take turns in a fixed pattern.
pub fn events() -> Vec<Event> {
    let mut events: Vec<Event> = Vec::new();
    let mut lines = std::collections::HashMap::new();
    let mut log = |session: Session, tag, severity, state, message: &str, detail: &str, statement: &str| {
        let line = lines.entry(session.pid).or_insert(0);
        *line += 1;
        let millis = events.len() as u32 * 37 + 1;
        let [message, detail, statement] = [message, detail, statement].map(str::to_string);
        events.push(Event { millis, session, line: *line, tag, severity, state, message, detail, statement });
    };
    log(CHECKPOINTER, "", "LOG", "00000", "checkpoint starting: time", "", "");
    for session in SESSIONS {
        let authorized = format!(
            "connection authorized: user={} database={} application_name={}",
            session.user, session.database, session.application
        );
        log(session, "authentication", "LOG", "00000", &authorized, "", "");
    }
    for round in 0..12u32 {
        for (index, session) in SESSIONS.into_iter().enumerate() {
            let number = round * 10 + index as u32;
            match (round + index as u32) % 6 {
                0 => {
                    let sql = format!(
                        "duration: {number}.125 ms  statement: SELECT {number}\n\tFROM \"t\"\n WHERE a = 'LOG:  x'"
                    );
                    log(session, "SELECT", "LOG", "00000", &sql, "", "");
                }
                1 => {
                    let sql = format!("duration: 0.{number:03} ms  execute s1: UPDATE t SET a = $1 WHERE b = $2");
                    log(
                        session,
                        "UPDATE",
                        "LOG",
                        "00000",
                        &sql,
                        &format!("parameters: $1 = '{number}', $2 = NULL"),
                        "",
                    );
                }
                2 => {
                    let text = "relation \"nowhere\" does not exist";
                    log(session, "SELECT", "ERROR", "42P01", text, "", "SELECT *\n  FROM nowhere");
                }
                3 => {
                    log(
                        session,
                        "INSERT",
                        "LOG",
                        "00000",
                        &format!("statement: INSERT INTO t VALUES ({number})"),
                        "",
                        "",
                    );
                    log(session, "INSERT", "LOG", "00000", &format!("duration: {number}.001 ms"), "", "");
                }
                4 => {
                    log(session, "DELETE", "LOG", "00000", "duration: 3.000 ms  bind <unnamed>: DELETE FROM t", "", "")
                }
                _ => {
                    log(session, "idle in transaction", "LOG", "00000", "duration: 1.500 ms  statement: COMMIT", "", "")
                }
            }
        }
        log(CHECKPOINTER, "", "LOG", "00000", "checkpoint complete: wrote 3 buffers", "", "");
    }
    events
}
