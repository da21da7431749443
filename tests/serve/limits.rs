//! Tests the daemon's limits on connections, handles, idle time and unread answers, and its answer when a limit is
//! reached.

use std::io::{ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use pgq_frames::{ErrorCode, MAGIC, Operation, Request, request};
use serde_json::Value;

use crate::client::{Frames, Lines};
use crate::common::left_out::left_out;
use crate::common::program::PGQ;
use crate::daemon::{Daemon, PATIENCE};

#[test]
fn connections_above_the_limit_are_refused_until_one_ends() {
    let daemon = Daemon::start(&["--max-connections", "2"]);
    let (mut first, mut second) = (accepted(&daemon), accepted(&daemon));
    assert!(first.is_served() && second.is_served());
    let refused = Frames::begin(daemon.connect()).receive().expect("an answer");
    assert_eq!((refused.id, refused.items[0].as_ref().unwrap_err().code), (0, ErrorCode::TooManyConnections));
    let mut lines = Lines::begin(daemon.connect());
    lines.send("{\"id\":1,\"op\":\"hello\"}");
    assert_eq!(lines.receive().unwrap()["error"]["code"], "too_many_connections");
    drop(first);
    assert!(accepted(&daemon).is_served() && second.is_served());
}

/// Tests a client that disconnects while the daemon waits for a server that never answers.
#[test]
fn a_client_that_is_gone_does_not_count_while_a_server_is_silent() {
    let daemon = Daemon::start(&["--max-connections", "1"]);
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = silent.local_addr().unwrap().port();
    drop(accepted(&daemon));
    daemon.await_quiet();
    let mut lines = Lines::begin(daemon.connect());
    lines.send(&format!(
        "{{\"id\":1,\"op\":\"connect\",\"settings\":\"host=127.0.0.1,127.0.0.1,127.0.0.1 port={port} user=x\"}}"
    ));
    let attempt = silent.accept().unwrap();
    drop(lines);
    assert!(accepted(&daemon).is_served());
    drop(attempt);
}

/// Tests a PostgreSQL server that hangs and accepts no connection, so that the queue of its socket is full.
#[test]
fn a_socket_with_a_full_queue_is_an_error() {
    use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, bind, connect, listen, socket_with};

    let folder = tempfile::tempdir().unwrap();
    let address = SocketAddrUnix::new(folder.path().join(".s.PGSQL.5432")).unwrap();
    let socket = || socket_with(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::NONBLOCK, None).unwrap();
    let server = socket();
    bind(&server, &address).unwrap();
    listen(&server, 0).unwrap();
    let wait_in_queue = |_| {
        let client = socket();
        connect(&client, &address).is_ok().then_some(client)
    };
    let waiting: Vec<_> = (0..16).map_while(wait_in_queue).collect();
    assert!(waiting.len() < 16, "the queue does not become full");
    let daemon = Daemon::start(&[]);
    let host = folder.path().display();
    let request = format!("{{\"id\":1,\"op\":\"connect\",\"settings\":\"host={host} user=x\"}}");
    let answer = Lines::begin(daemon.connect()).ask(&request);
    assert_eq!(answer["error"]["code"], "cannot_connect", "{answer}");
}

/// Connects until the daemon serves the connection, and returns this connection. The daemon may first have to notice
/// that another connection has ended.
fn accepted(daemon: &Daemon) -> Frames<UnixStream> {
    let since = Instant::now();
    loop {
        let mut frames = Frames::begin(daemon.connect());
        if frames.is_served() {
            return frames;
        }
        assert!(since.elapsed() < PATIENCE, "no place becomes free");
    }
}

impl Frames<UnixStream> {
    /// Whether the daemon answers Hello, and does not refuse the connection.
    fn is_served(&mut self) -> bool {
        let mut bytes = Vec::new();
        request::write(&mut bytes, &Request { id: 1, operation: 0, flags: 0, handle: 0, body: b"" });
        let _ = self.stream.write_all(&bytes);
        self.receive().is_some_and(|whole| whole.items[0].is_ok())
    }
}

#[test]
fn handles_have_a_limit() {
    let daemon = Daemon::start(&[]);
    let mut frames = Frames::begin(daemon.connect());
    for _ in 0..4096 {
        frames.ask(Operation::Options, 0, b"{}").unwrap();
    }
    assert_eq!(frames.ask(Operation::Options, 0, b"{}").unwrap_err().code, ErrorCode::TooManyHandles);
    frames.ask(Operation::Drop, 4096, b"").unwrap();
    assert_eq!(frames.ask(Operation::Options, 0, b"{}").unwrap().1, 4097_u16.to_le_bytes());
}

#[test]
fn who_sends_nothing_is_told_so() {
    let daemon = Daemon::start(&["--idle-timeout", "200ms"]);
    let mut frames = Frames::begin(daemon.connect());
    frames.ask(Operation::Hello, 0, b"").unwrap();
    let end = frames.receive().expect("an answer");
    assert_eq!((end.id, end.items[0].as_ref().unwrap_err().code), (0, ErrorCode::Idle));
    assert_eq!(frames.receive(), None);
    let mut lines = Lines::begin(daemon.connect());
    let answer: Value = lines.receive().expect("an answer");
    assert_eq!(answer["error"]["code"], "idle");
}

#[test]
fn parts_of_a_request_do_not_prolong_the_idle_time() {
    let daemon = Daemon::start(&["--idle-timeout", "500ms"]);
    for (begin, rest) in [
        (&[&MAGIC[..], &100_u32.to_le_bytes()].concat()[..], b" "),
        (&b"{"[..], b" "),
        (&b"{\"op\":\"hello\"}\n"[..], b"\n"),
    ] {
        let mut stream = daemon.connect();
        stream.write_all(begin).unwrap();
        let since = Instant::now();
        while stream.write_all(rest).is_ok() {
            assert!(since.elapsed() < Duration::from_secs(4), "the daemon waits for the rest");
            std::thread::sleep(Duration::from_millis(50));
        }
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        assert!(String::from_utf8_lossy(&answer).contains("no complete request came"), "{answer:?}");
    }
}

#[test]
fn a_client_that_reads_nothing_is_idle() {
    let daemon = Daemon::start(&["--idle-timeout", "500ms"]);
    let mut stream = daemon.connect();
    stream.set_write_timeout(Some(Duration::from_secs(4))).unwrap();
    let request = format!("{{\"op\":\"normalize\",\"sql\":\"{}\"}}\n", "select 1;".repeat(5000));
    let since = Instant::now();
    let error = loop {
        if let Err(error) = stream.write_all(request.as_bytes()) {
            break error;
        }
        assert!(since.elapsed() < Duration::from_secs(20), "the daemon waits for the reader");
    };
    assert!(!matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut), "{error}");
}

/// Tests a client that sends many requests before it reads the first answer. The client must receive all answers. Until
/// then, the daemon must keep at most the documented number of bytes.
#[test]
fn a_slow_reader_holds_up_the_daemon_and_not_its_memory() {
    let daemon = Daemon::start(&["--jobs", "1"]);
    let mut reader = Frames::begin(daemon.connect());
    reader.ask(Operation::Tree, 0, b"SELECT 1").unwrap();
    let before = daemon.resident();
    let sql = format!("SELECT {}", vec!["a.b"; 500].join(", "));
    let answer = reader.ask(Operation::Tree, 0, sql.as_bytes()).unwrap().1.len();
    const REQUESTS: u32 = 1000;
    let mut bytes = Vec::new();
    for id in 1..=REQUESTS {
        request::write(
            &mut bytes,
            &Request { id, operation: Operation::Tree as u8, flags: 0, handle: 0, body: sql.as_bytes() },
        );
    }
    let mut stream = reader.stream.try_clone().unwrap();
    let writer = std::thread::spawn(move || stream.write_all(&bytes).map_err(|error| error.kind()));
    std::thread::sleep(Duration::from_millis(500));
    // Meanwhile the only worker serves other clients.
    assert!(Frames::begin(daemon.connect()).ask(Operation::Fingerprint, 0, b"SELECT 1").is_ok());
    match (before, daemon.resident()) {
        (Some(before), Some(now)) => {
            let grown = now.saturating_sub(before);
            println!("{} MB of answers: the daemon grew by {grown} kB", (answer * REQUESTS as usize) >> 20);
            assert!(grown < 20_000 && answer * REQUESTS as usize > 40 << 20, "{grown} kB");
        }
        _ => left_out("memory of serve with a slow reader", "there is no /proc"),
    }
    for id in 1..=REQUESTS {
        let whole = reader.receive().expect("an answer");
        assert_eq!((whole.id, whole.items[0].as_ref().unwrap().1.len()), (id, answer));
    }
    assert_eq!(writer.join().unwrap(), Ok(()));
}

/// If the answer to a batch is large, it is sent in several frames. Each frame is sent as soon as it is complete.
#[test]
fn a_large_answer_comes_in_pieces() {
    let daemon = Daemon::start(&[]);
    let mut frames = Frames::begin(daemon.connect());
    let texts: Vec<String> =
        (0..4000).map(|n| format!("SELECT {}, {n}", "x, ".repeat(20).trim_end_matches(", "))).collect();
    frames.send_batch(1, Operation::Tree, 0, &texts);
    frames.send(2, Operation::Fingerprint, 0, b"SELECT 1");
    let whole = frames.receive().unwrap();
    assert!(whole.frames > 10, "{}", whole.frames);
    assert_eq!(whole.items.len(), texts.len());
    for (text, item) in texts.iter().zip(&whole.items) {
        assert_eq!(item.as_ref().unwrap().1, pgq::parse_to_json(text).unwrap().into_bytes());
    }
    assert_eq!(frames.receive().unwrap().id, 2);
}

#[test]
fn a_connection_that_is_refused_and_silent_holds_up_nobody() {
    let daemon = Daemon::start(&["--max-connections", "1"]);
    let mut first = accepted(&daemon);
    assert!(first.is_served());
    // A new connection must be refused at once, while silent connections still wait for their timeout. On a busy
    // machine, the silent connections may already have timed out. In this case the test tries again.
    let since = Instant::now();
    loop {
        let silent: Vec<_> = (0..3).map(|_| daemon.connect()).collect();
        let refused = Frames::begin(daemon.connect()).receive().expect("an answer");
        assert_eq!(refused.items[0].as_ref().unwrap_err().code, ErrorCode::TooManyConnections);
        silent.iter().for_each(|stream| stream.set_nonblocking(true).unwrap());
        let still_open = |mut stream: &UnixStream| {
            std::io::Read::read(&mut stream, &mut [0])
                .is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock)
        };
        if silent.iter().all(still_open) {
            break;
        }
        assert!(since.elapsed() < PATIENCE, "refusals wait for each other");
    }
    assert!(first.is_served());
}

/// Returns the answers of a daemon whose address space is limited to `kilobytes`. Asserts that it answers all requests.
fn answers_with_little_memory(kilobytes: u32, requests: &[Value]) -> Vec<Value> {
    let text: String = requests.iter().map(|request| format!("{request}\n")).collect();
    let mut shell = Command::new("sh");
    let script = format!("ulimit -v {kilobytes}; exec \"$0\" serve --stdio --jobs 1");
    shell.args(["-c", &script, PGQ]).stdin(Stdio::piped());
    let mut child = shell.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().unwrap();
    let _ = writer.join();
    let answers: Vec<Value> =
        output.stdout.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect();
    let expected = (requests.len(), Some(0));
    assert_eq!((answers.len(), output.status.code()), expected, "{}", String::from_utf8_lossy(&output.stderr));
    answers
}

#[test]
fn a_request_without_memory_is_an_error_of_that_request() {
    if !cfg!(target_os = "linux") {
        return left_out("a daemon out of memory", "only Linux limits the address space of a process");
    }
    let last = serde_json::json!({ "id": 2, "op": "fingerprint", "sql": "SELECT 1" });
    let deep = format!("SELECT 1{}", " + 1".repeat(100_000));
    let requests = [
        serde_json::json!({ "id": 1, "op": "fingerprint", "sql": deep, "options": { "full_depth": true } }),
        serde_json::json!({ "id": 1, "op": "tree_protobuf", "sql": deep }),
        last.clone(),
    ];
    let answers = answers_with_little_memory(1_500_000, &requests);
    assert_eq!(answers[0]["error"]["code"], "too_deep", "{}", answers[0]);
    assert!(answers[2]["fingerprint"].is_string(), "{}", answers[2]);
    let literal = format!("'{}", "UNION ".repeat(60_000));
    let of_literal = |operation| serde_json::json!({ "id": 1, "op": operation, "sql": literal });
    let mut requests: Vec<_> = ["scan", "split", "fingerprint", "normalize"].map(of_literal).into();
    requests.push(last);
    let answers = answers_with_little_memory(300_000, &requests);
    assert_eq!(answers[0]["error"]["code"], "out_of_memory", "{}", answers[0]);
    assert!(answers[4]["fingerprint"].is_string(), "{}", answers[4]);
}
