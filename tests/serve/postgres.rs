//! Tests statements that the daemon executes on a PostgreSQL server: rows of parameters, results, errors in the middle
//! of a batch, lost sessions and lost clients. Needs PostgreSQL's programs.

use std::io::{ErrorKind, Read};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use pgq_frames::answer::Status;
use pgq_frames::{ErrorCode, Operation, batch, flag};
use serde_json::json;

use crate::client::{Frames, Lines, Whole};
use crate::daemon::{Daemon, PATIENCE};
use crate::postgres_server::{self as server, Server};

/// A daemon, and a client with a session.
pub struct Setting {
    pub daemon: Daemon,
    pub frames: Frames<UnixStream>,
    pub server: &'static Server,
    pub session: u16,
    pub key: u64,
}

/// Options of an execution: the kind of results, the number of rows between two Syncs, and the timeout.
#[derive(Clone, Copy)]
pub struct How {
    pub results: u8,
    pub sync_rows: u32,
    pub timeout: u32,
}

pub const COUNT: How = How { results: 0, sync_rows: 0, timeout: 0 };
pub const ROWS: How = How { results: 2, sync_rows: 0, timeout: 0 };

/// Encodes a row of parameters.
pub fn row(values: &[Option<&[u8]>]) -> Vec<u8> {
    let value = |value: &Option<&[u8]>| match value {
        None => (-1_i32).to_be_bytes().to_vec(),
        Some(bytes) => [&(bytes.len() as i32).to_be_bytes()[..], bytes].concat(),
    };
    values.iter().flat_map(value).collect()
}

pub fn text(value: &str) -> Vec<u8> {
    row(&[Some(value.as_bytes())])
}

pub fn execute_body(how: How, rows: &[Vec<u8>]) -> Vec<u8> {
    let mut body = vec![how.results, 0, 0, 0];
    for number in [0, how.sync_rows, how.timeout] {
        body.extend_from_slice(&number.to_le_bytes());
    }
    body.extend_from_slice(&[0; 4]); // all formats are text
    batch::write(&mut body, rows);
    body
}

/// Returns the values of the DataRow messages in an item's body, and the command tag after them.
pub fn rows_and_tag(mut body: &[u8]) -> (Vec<Vec<Option<Vec<u8>>>>, String) {
    let (mut rows, mut tag) = (Vec::new(), String::new());
    while let [kind, l0, l1, l2, l3, rest @ ..] = body {
        let length = u32::from_be_bytes([*l0, *l1, *l2, *l3]) as usize - 4;
        let (message, behind) = rest.split_at(length);
        body = behind;
        match kind {
            b'D' => {
                let count = u16::from_be_bytes([message[0], message[1]]);
                let values = pgq_frames::postgres::parameters(&message[2..]);
                let values: Vec<_> = values.map(|value| value.unwrap().map(<[u8]>::to_vec)).collect();
                assert_eq!(values.len(), usize::from(count));
                rows.push(values);
            }
            b'C' => tag = String::from_utf8(message[..message.len() - 1].to_vec()).unwrap(),
            b'N' | b'I' => {}
            other => panic!("message {other}"),
        }
    }
    (rows, tag)
}

impl Setting {
    /// Starts a daemon and a session. Without a server, prints a line and returns `None`.
    pub fn new(check: &str) -> Option<Self> {
        let server = server::shared(check)?;
        let daemon = Daemon::start(&[]);
        let mut frames = Frames::begin(daemon.connect());
        let (session, key) = connect(&mut frames, server);
        Some(Self { daemon, frames, server, session, key })
    }

    pub fn prepare(&mut self, sql: &str) -> u16 {
        prepare(&mut self.frames, self.session, sql)
    }

    pub fn execute(&mut self, statement: u16, how: How, rows: &[Vec<u8>]) -> Whole {
        self.frames.send(9, Operation::Execute, statement, &execute_body(how, rows));
        let whole = self.frames.receive().expect("an answer");
        assert_eq!(whole.id, 9);
        whole
    }

    /// Executes SQL without parameters, once.
    pub fn run(&mut self, sql: &str) -> Whole {
        let statement = self.prepare(sql);
        let whole = self.execute(statement, ROWS, &[Vec::new()]);
        self.frames.ask(Operation::Drop, statement, b"").unwrap();
        whole
    }
}

pub fn connect(frames: &mut Frames<UnixStream>, server: &Server) -> (u16, u64) {
    let settings = format!("host={} port={} user=postgres dbname=postgres", server.folder.display(), server.port);
    let (_, body) = frames.ask(Operation::Connect, 0, settings.as_bytes()).unwrap();
    assert!(String::from_utf8_lossy(&body[12..]).contains("server_version"));
    (u16::from_le_bytes([body[0], body[1]]), u64::from_le_bytes(body[4..12].try_into().unwrap()))
}

pub fn prepare(frames: &mut Frames<UnixStream>, session: u16, sql: &str) -> u16 {
    let (_, body) = frames.ask(Operation::Prepare, session, &[&[0, 0], sql.as_bytes()].concat()).unwrap();
    u16::from_le_bytes([body[0], body[1]])
}

#[test]
fn rows_counts_and_nulls_come_back() {
    let Some(mut it) = Setting::new("rows through serve") else { return };
    let body = [&[0, 0], &b"SELECT $1::int AS a, $2::text AS \"b c\""[..]].concat();
    let (_, described) = it.frames.ask(Operation::Prepare, it.session, &body).unwrap();
    let numbers: Vec<u16> = described.chunks(2).take(4).map(|two| u16::from_le_bytes([two[0], two[1]])).collect();
    assert_eq!(numbers[1..], [2, 2, 0]);
    assert_eq!(
        (described[8..16].to_vec(), described.ends_with(b"b c")),
        ([23_u32, 25].map(u32::to_le_bytes).concat(), true)
    );
    let parameters = [row(&[Some(b"1"), Some("é".as_bytes())]), row(&[None, None]), row(&[Some(b"3"), Some(b"")])];
    let whole = it.execute(numbers[0], ROWS, &parameters);
    let answers: Vec<_> = whole.items.iter().map(|item| rows_and_tag(&item.as_ref().unwrap().1)).collect();
    let value = |text: &str| Some(text.as_bytes().to_vec());
    assert_eq!(answers[0], (vec![vec![value("1"), value("é")]], "SELECT 1".into()));
    assert_eq!(answers[1].0, [vec![None, None]]);
    assert_eq!(answers[2].0, [vec![value("3"), value("")]]);
    let flags: Vec<u8> = whole.items.iter().map(|item| item.as_ref().unwrap().0).collect();
    assert_eq!(flags, [0, 0, flag::SYNC]);

    it.run("CREATE TEMP TABLE t (a int)");
    let insert = it.prepare("INSERT INTO t SELECT generate_series(1, $1::int)");
    let whole = it.execute(insert, COUNT, &[text("3"), text("4")]);
    let counts: Vec<Vec<u8>> = whole.items.into_iter().map(|item| item.unwrap().1).collect();
    assert_eq!(counts, [3_u64.to_le_bytes(), 4_u64.to_le_bytes()]);
    let whole = it.execute(insert, How { results: 1, ..COUNT }, &[text("2")]);
    assert_eq!(whole.items[0].as_ref().unwrap().1, b"INSERT 0 2");
    // A notice sets a flag of the item. The notice itself is in the item's body, among the rows.
    let noticed = it.run("DO $$ BEGIN RAISE WARNING 'careful'; END $$");
    let (flags, body) = noticed.items[0].as_ref().unwrap();
    assert!(flags & flag::WARNINGS != 0 && String::from_utf8_lossy(body).contains("careful"));
}

#[test]
fn an_error_in_the_middle_costs_its_transaction_and_no_other() {
    let Some(mut it) = Setting::new("errors in a batch through serve") else { return };
    it.run("CREATE TEMP TABLE t (a int)");
    let insert = it.prepare("INSERT INTO t VALUES (10 / $1::int)");
    let rows: Vec<Vec<u8>> = [1, 2, 0, 4, 5, 6, 7, 0, 9, 10].map(|n| text(&n.to_string())).to_vec();
    let whole = it.execute(insert, How { sync_rows: 4, ..COUNT }, &rows);
    let (ran, failed, skipped) = (Status::Done, Status::Error, Status::NotRun);
    assert_eq!(whole.statuses, [ran, ran, failed, skipped, ran, ran, ran, failed, ran, ran]);
    let fault = whole.items[2].as_ref().unwrap_err();
    assert_eq!(
        (fault.code, fault.field(b'C'), fault.message()),
        (ErrorCode::Server, Some("22012"), "division by zero")
    );
    let marked = |item: &Result<(u8, Vec<u8>), _>| item.as_ref().is_ok_and(|(flags, _)| flags & flag::SYNC != 0);
    assert!(marked(&whole.items[3]) && marked(&whole.items[9]) && !marked(&whole.items[1]));
    // The table has only the two rows of the last transaction. The *sync* flags mark the ends of the transactions.
    let (rows, _) = rows_and_tag(&it.run("SELECT count(*) FROM t").items[0].as_ref().unwrap().1);
    assert_eq!(rows, [[Some(b"2".to_vec())]]);

    // If a commit fails, the last row of its transaction gets the error.
    it.run("CREATE TEMP TABLE p (a int PRIMARY KEY)");
    it.run("CREATE TEMP TABLE c (a int REFERENCES p DEFERRABLE INITIALLY DEFERRED)");
    let insert = it.prepare("INSERT INTO c VALUES ($1::int)");
    let whole = it.execute(insert, COUNT, &[text("1"), text("2")]);
    assert_eq!(whole.statuses, [ran, failed]);
    assert_eq!(whole.items[1].as_ref().unwrap_err().field(b'C'), Some("23503"));
}

#[test]
fn wrong_requests_do_not_reach_the_server() {
    let Some(mut it) = Setting::new("wrong requests to PostgreSQL through serve") else { return };
    let ask = |it: &mut Setting, operation, handle, body: &[u8]| it.frames.ask(operation, handle, body).unwrap_err();
    let fault = ask(&mut it, Operation::Connect, 0, b"host=/nonexistent user=x");
    assert_eq!(fault.code, ErrorCode::CannotConnect, "{fault:?}");
    assert_eq!(ask(&mut it, Operation::Connect, 0, b"nonsense=1").code, ErrorCode::CannotConnect);
    let nine = format!("user=a host=/no{}", ",/no".repeat(8));
    assert!(ask(&mut it, Operation::Connect, 0, nine.as_bytes()).message().contains("more than 8 hosts"));
    let session = it.session;
    let fault = ask(&mut it, Operation::Prepare, session, b"\0\0SELECT 'x',\n nocolumn");
    assert_eq!((fault.code, fault.place.line, fault.place.column), (ErrorCode::Server, 2, 2));
    assert_eq!(ask(&mut it, Operation::Prepare, 99, b"\0\0SELECT 1").code, ErrorCode::BadHandle);
    assert_eq!(ask(&mut it, Operation::Prepare, session, b"\x05\0").code, ErrorCode::Malformed);
    assert_eq!(ask(&mut it, Operation::Prepare, session, b"\0\0COPY pg_class TO STDOUT").field(b'C'), Some("0A000"));
    let statement = it.prepare("SELECT $1::int");
    for (rows, code) in [
        (vec![text("1"), row(&[])], ErrorCode::BadParameters),
        (vec![row(&[None, None])], ErrorCode::BadParameters),
        (vec![vec![0, 0]], ErrorCode::BadParameters),
    ] {
        assert_eq!(ask(&mut it, Operation::Execute, statement, &execute_body(COUNT, &rows)).code, code);
    }
    assert_eq!(ask(&mut it, Operation::Execute, statement, b"").code, ErrorCode::Malformed);
    assert_eq!(ask(&mut it, Operation::Execute, session, &execute_body(COUNT, &[])).code, ErrorCode::BadHandle);
    assert_eq!(ask(&mut it, Operation::Fingerprint, statement, b"SELECT 1").code, ErrorCode::BadHandle);
    assert_eq!(ask(&mut it, Operation::Cancel, 0, &[1; 8]).code, ErrorCode::BadHandle);
    assert_eq!(it.execute(statement, COUNT, &[text("1")]).statuses, [Status::Done]);
    assert_eq!(it.execute(statement, COUNT, &[]).items.len(), 0);
}

#[test]
fn large_rows_and_many_columns_arrive_whole() {
    let Some(mut it) = Setting::new("large rows through serve") else { return };
    let statement = it.prepare("SELECT repeat('x', $1::int) FROM generate_series(1, 3)");
    let whole = it.execute(statement, ROWS, &[text("10000000"), text("5")]);
    // Joins the parts of an item that continues in the next item.
    let body: Vec<u8> = whole.items.iter().flat_map(|item| item.as_ref().unwrap().1.clone()).collect();
    let (rows, tag) = rows_and_tag(&body);
    let lengths: Vec<usize> = rows.iter().map(|row| row[0].as_ref().unwrap().len()).collect();
    assert_eq!((lengths, tag.as_str()), (vec![10_000_000, 10_000_000, 10_000_000, 5, 5, 5], "SELECT 3"));
    let ended = whole.items.iter().filter(|item| item.as_ref().unwrap().0 & flag::MORE == 0).count();
    assert_eq!(ended, 2);

    let columns: Vec<String> = (1..=1000).map(|n| format!("{n} AS c{n}")).collect();
    let body = [&[0, 0], format!("SELECT {}", columns.join(", ")).as_bytes()].concat();
    let (_, described) = it.frames.ask(Operation::Prepare, it.session, &body).unwrap();
    assert_eq!(u16::from_le_bytes([described[4], described[5]]), 1000);
    let whole = it.execute(u16::from_le_bytes([described[0], described[1]]), ROWS, &[Vec::new()]);
    let (rows, _) = rows_and_tag(&whole.items[0].as_ref().unwrap().1);
    assert_eq!((rows[0].len(), rows[0][999].as_deref()), (1000, Some(&b"1000"[..])));
}

#[test]
fn thousands_of_rows_have_an_answer_each() {
    let Some(mut it) = Setting::new("batches through serve") else { return };
    let statement = it.prepare("SELECT $1::int, repeat('y', 100)");
    let rows: Vec<Vec<u8>> = (0..20_000).map(|n: u32| text(&n.to_string())).collect();
    let whole = it.execute(statement, ROWS, &rows);
    assert!(whole.frames > 5 && whole.items.len() == rows.len());
    for (number, item) in whole.items.iter().enumerate() {
        let (rows, _) = rows_and_tag(&item.as_ref().unwrap().1);
        assert_eq!(rows[0][0].as_deref(), Some(number.to_string().as_bytes()));
    }
}

#[test]
fn a_slow_reader_holds_up_the_server_and_not_the_daemons_memory() {
    let Some(mut it) = Setting::new("a slow reader of rows through serve") else { return };
    let statement = it.prepare("SELECT repeat('z', 1000000) FROM generate_series(1, $1::int)");
    let before = it.daemon.resident();
    it.frames.send(9, Operation::Execute, statement, &execute_body(ROWS, &[text("100")]));
    std::thread::sleep(Duration::from_millis(500));
    if let (Some(before), Some(now)) = (before, it.daemon.resident()) {
        assert!(now < before + 25_000, "{before} kB became {now} kB with 100 MB of rows that nobody reads");
    }
    let whole = it.frames.receive().unwrap();
    let bytes: usize = whole.items.iter().map(|item| item.as_ref().unwrap().1.len()).sum();
    assert!(bytes > 100_000_000);
}

#[test]
fn statements_are_cancelled_by_key_by_timeout_and_by_the_end_of_their_client() {
    let Some(mut it) = Setting::new("cancels through serve") else { return };
    let sleep = it.prepare("SELECT pg_sleep($1::float)");
    let began = Instant::now();
    it.frames.send(9, Operation::Execute, sleep, &execute_body(COUNT, &[text("0"), text("600"), text("0")]));
    let mut other = Frames::begin(it.daemon.connect());
    std::thread::sleep(Duration::from_millis(300));
    other.ask(Operation::Cancel, 0, &it.key.to_le_bytes()).unwrap();
    let whole = it.frames.receive().unwrap();
    assert_eq!(whole.statuses, [Status::Done, Status::Error, Status::NotRun]);
    assert_eq!(whole.items[1].as_ref().unwrap_err().field(b'C'), Some("57014"));

    let whole = it.execute(sleep, How { timeout: 200, ..COUNT }, &[text("600")]);
    assert_eq!(whole.items[0].as_ref().unwrap_err().field(b'C'), Some("57014"));

    // The timeout of an `execute` does not apply to a later `prepare`, which waits for a lock here.
    it.run("CREATE TABLE IF NOT EXISTS locked (a int)");
    it.execute(sleep, How { timeout: 200, ..COUNT }, &[text("0")]);
    let mut holder = Frames::begin(it.daemon.connect());
    let (session, _) = connect(&mut holder, it.server);
    let lock = prepare(&mut holder, session, "DO 'BEGIN LOCK TABLE locked; PERFORM pg_sleep(1); END'");
    holder.send(1, Operation::Execute, lock, &execute_body(COUNT, &[Vec::new()]));
    std::thread::sleep(Duration::from_millis(300));
    it.prepare("SELECT * FROM locked");

    // When a client is killed, its statement and its session end.
    let mut killed = Frames::begin(it.daemon.connect());
    let (session, _) = connect(&mut killed, it.server);
    let statement = prepare(&mut killed, session, "SELECT 'of the killed', pg_sleep(600)");
    killed.send(1, Operation::Execute, statement, &execute_body(COUNT, &[Vec::new()]));
    let count = it.prepare("SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%of the killed%' AND pid <> pg_backend_pid()");
    let mut running = || it.execute(count, COUNT, &[Vec::new()]).items[0].as_ref().unwrap().1[0];
    while running() == 0 {
        assert!(began.elapsed() < PATIENCE, "it does not begin");
    }
    drop(killed);
    while running() > 0 {
        assert!(began.elapsed() < PATIENCE, "it does not end");
    }
    assert!(it.daemon.is_running());
}

#[test]
fn a_client_that_reads_no_rows_is_idle() {
    let Some(it) = Setting::new("clients that read no rows through serve") else { return };
    let daemon = Daemon::start(&["--idle-timeout", "500ms", "--jobs", "1"]);
    let mut client = Frames::begin(daemon.connect());
    let (session, _) = connect(&mut client, it.server);
    let statement = prepare(&mut client, session, "SELECT repeat('x', 1000), generate_series(1, 1000000000)");
    client.send(9, Operation::Execute, statement, &execute_body(ROWS, &[Vec::new()]));
    std::thread::sleep(Duration::from_secs(2));
    client.stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let (mut bytes, mut buffer) = (0, vec![0; 1 << 20]);
    let end = loop {
        match client.stream.read(&mut buffer) {
            Ok(read @ 1..) => bytes += read,
            end => break end,
        }
        assert!(bytes < 100 << 20, "the daemon waits for the reader");
    };
    let is_closed = end.as_ref().map_or_else(|error| error.kind() == ErrorKind::ConnectionReset, |read| *read == 0);
    assert!(is_closed, "{end:?}");
}

#[test]
fn a_server_that_goes_away_ends_sessions_and_not_the_daemon() {
    let Some(mut it) = Setting::new("a server that goes away from serve") else { return };
    let mut other = Frames::begin(it.daemon.connect());
    let (session, _) = connect(&mut other, it.server);
    let kill = prepare(&mut other, session, "SELECT pg_terminate_backend($1::int)");
    let (rows, _) = rows_and_tag(&it.run("SELECT pg_backend_pid()").items[0].as_ref().unwrap().1);
    let pid = String::from_utf8(rows[0][0].clone().unwrap()).unwrap();
    let statement = it.prepare("SELECT pg_sleep($1::float)");
    it.frames.send(
        9,
        Operation::Execute,
        statement,
        &execute_body(COUNT, &[text("0"), text("600"), text("1"), text("2")]),
    );
    std::thread::sleep(Duration::from_millis(300));
    other.send(5, Operation::Execute, kill, &execute_body(COUNT, &[text(&pid)]));
    other.receive().unwrap();
    let whole = it.frames.receive().expect("an answer");
    assert_eq!((whole.items.len(), whole.statuses[0]), (4, Status::Done));
    // The daemon had already sent the other rows to the server when the session ended, so their results are unknown.
    assert!(whole.items[1..].iter().all(Result::is_err), "{:?}", whole.statuses);
    assert_eq!(whole.items[1].as_ref().unwrap_err().code, ErrorCode::ConnectionLost);
    let body = execute_body(COUNT, &[text("0")]);
    assert_eq!(it.frames.ask(Operation::Execute, statement, &body).unwrap_err().code, ErrorCode::BadHandle);
    // The connection stays open and can start another session.
    assert!(it.frames.ask(Operation::Fingerprint, 0, b"SELECT 1").is_ok());
    let (session, _) = connect(&mut it.frames, it.server);
    let again = prepare(&mut it.frames, session, "SELECT $1::int");
    assert_eq!(it.execute(again, COUNT, &[text("1")]).statuses, [Status::Done]);
}

#[test]
fn a_session_that_ends_during_its_commit_is_an_error() {
    let Some(mut it) = Setting::new("a session that ends during its commit") else { return };
    it.run("CREATE TABLE ended (a int)");
    it.run(
        "CREATE FUNCTION end_session() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(600); RETURN NULL; END $$",
    );
    it.run(
        "CREATE CONSTRAINT TRIGGER ended AFTER INSERT ON ended DEFERRABLE INITIALLY DEFERRED
         FOR EACH ROW EXECUTE FUNCTION end_session()",
    );
    let insert = it.prepare("INSERT INTO ended VALUES ($1::int)");
    let whole = it.execute(insert, COUNT, &[text("1"), text("2")]);
    assert_eq!(whole.statuses, [Status::Done, Status::Error]);
    let fault = whole.items[1].as_ref().unwrap_err();
    assert_eq!(fault.code, ErrorCode::ConnectionLost);
    assert!(fault.message().contains("terminating connection"), "{}", fault.message());
}

#[test]
fn lines_execute_too() {
    let Some(it) = Setting::new("JSON lines to PostgreSQL through serve") else { return };
    let mut lines = Lines::begin(it.daemon.connect());
    let settings = format!("host={} port={} user=postgres dbname=postgres", it.server.folder.display(), it.server.port);
    let connected = lines.ask(&json!({"id": 1, "op": "connect", "settings": settings}).to_string());
    assert!(connected["parameters"]["server_version"].is_string() && connected["cancel"].as_str().unwrap().len() == 16);
    let prepared = lines.ask(
        &json!({"op": "prepare", "handle": connected["handle"], "sql": "SELECT 10 / $1 AS n, $2", "types": [23, 25]})
            .to_string(),
    );
    assert_eq!((&prepared["types"], &prepared["columns"][0]), (&json!([23, 25]), &json!({"name": "n", "type": 23})));
    let rows = json!([["5", "é"], ["2", null], ["0", "x"], ["1", "y"]]);
    let execute = json!({"op": "execute", "handle": prepared["handle"], "rows": rows});
    let results = lines.ask(&execute.to_string())["results"].clone();
    assert_eq!(results[0], json!({"rows": [["2", "é"]], "tag": "SELECT 1"}));
    assert_eq!(results[1]["rows"], json!([["5", null]]));
    assert_eq!(results[2]["error"]["sqlstate"], "22012");
    assert_eq!(results[3], json!({"not_run": true, "sync": true}));
    let cancel = json!({"op": "cancel", "cancel": connected["cancel"]});
    assert!(lines.ask(&cancel.to_string())["error"].is_null());
}

#[test]
fn answers_do_not_wait_for_a_later_statement_of_the_pipeline() {
    let Some(it) = Setting::new("a pipeline to PostgreSQL through serve") else { return };
    let mut lines = Lines::begin(it.daemon.connect());
    let settings = format!("host={} port={} user=postgres dbname=postgres", it.server.folder.display(), it.server.port);
    let pipeline = [
        json!({"op": "fingerprint", "sql": "SELECT 1"}),
        json!({"op": "connect", "settings": settings}),
        json!({"op": "prepare", "handle": 1, "sql": "SELECT pg_sleep(600)"}),
        json!({"op": "execute", "handle": 2, "rows": [[]]}),
    ];
    lines.send(&pipeline.map(|request| request.to_string()).join("\n"));
    let [_, connected, prepared] = [(); 3].map(|()| lines.receive().unwrap());
    assert_eq!(prepared["handle"], 2, "{prepared}");
    let cancel = json!({"op": "cancel", "cancel": connected["cancel"]}).to_string();
    let mut other = Lines::begin(it.daemon.connect());
    let results = std::thread::scope(|scope| {
        let results = scope.spawn(|| lines.receive().unwrap());
        while !results.is_finished() {
            other.ask(&cancel); // it has no effect before the statement has begun
            std::thread::sleep(Duration::from_millis(20));
        }
        results.join().unwrap()
    });
    assert_eq!(results["results"][0]["error"]["sqlstate"], "57014", "{results}");
}

#[test]
fn sessions_are_in_utf8() {
    let Some(it) = Setting::new("encodings through serve") else { return };
    let host = format!("host={} port={} user=postgres dbname=postgres", it.server.folder.display(), it.server.port);
    let changes = ["SET client_encoding = 'LATIN1'", "SELECT set_config('client_encoding', 'SJIS', false)"];
    for settings in ["client_encoding=LATIN1", "options='-c client_encoding=LATIN9'"] {
        let mut lines = Lines::begin(it.daemon.connect());
        let connected = lines.ask(&json!({"op": "connect", "settings": format!("{host} {settings}")}).to_string());
        assert_eq!(connected["parameters"]["client_encoding"], "UTF8");
        let mut execute = |sql: &str, row: serde_json::Value| {
            let prepare = json!({"op": "prepare", "handle": connected["handle"], "sql": sql});
            let handle = lines.ask(&prepare.to_string())["handle"].clone();
            lines.ask(&json!({"op": "execute", "handle": handle, "rows": [row], "results": "rows"}).to_string())
        };
        let answer = execute("SELECT 'é€' = $1::text, octet_length($1)", json!(["é€"]));
        assert_eq!(answer["results"][0]["rows"], json!([["t", "5"]]), "{answer}");
        // The server does not report a change of client_encoding that is local to a transaction. Therefore the session
        // continues, and the only error is about the value that is not UTF-8.
        let local = execute("SELECT set_config('client_encoding', 'LATIN1', true), 'é'", json!([]));
        assert_eq!(local["results"][0]["error"]["code"], "encoding", "{local}");
        assert_eq!((&local["results"][0]["tag"], &local["results"][0]["sync"]), (&json!("SELECT 1"), &json!(true)));
        let changed = execute(changes[usize::from(settings.starts_with("options"))], json!([]));
        let message = changed["results"][0]["error"]["message"].as_str().unwrap_or_default();
        assert!(message.contains("client_encoding is "), "{changed}");
        assert_eq!(changed["results"][0]["error"]["code"], "connection_lost", "{changed}");
        assert!(execute("SELECT 1", json!([]))["error"].is_object());
    }
    // In the protocol with frames, the error is also an item of the answer.
    let mut it = it;
    let statement = it.prepare(changes[0]);
    let whole = it.execute(statement, ROWS, &[Vec::new()]);
    let fault = whole.items[0].as_ref().unwrap_err();
    assert_eq!((fault.code, whole.items.len()), (ErrorCode::ConnectionLost, 1), "{fault:?}");
}
