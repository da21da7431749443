//! Failures during execution. They must be reported, and no call may hang.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener};
use std::ops::ControlFlow::Continue;
use std::time::Duration;

use crate::common::{Server, environment, own, shared, texts};
use pgq_postgres::{
    BatchAnswer, BatchError, BatchOptions, BatchSummary, Client, Error, Parameters, Settings, SyncEvery,
};

/// Executes a one-parameter statement such as `SELECT pg_sleep($1)`.
fn run(client: &mut Client, sql: &str, sync: SyncEvery, values: &[&str]) -> Result<BatchSummary, BatchError> {
    let statement = client.prepare(sql, &[]).unwrap();
    let mut values = values.iter();
    let options = BatchOptions { sync, ..BatchOptions::default() };
    let push = |row: &mut Parameters<'_>| Ok(values.next().inspect(|value| row.push(Some(value.as_bytes()))).is_some());
    client.execute(&statement, &options, push, |_| Continue(()))
}

#[test]
fn a_killed_backend_leaves_rows_that_ran_and_rows_that_nobody_knows_of() {
    let Some(server) = shared("failures") else { return };
    for settings in [server.settings(""), server.tcp("user=trusted")] {
        let mut client = Client::connect(&settings).unwrap();
        let sql = "SELECT CASE WHEN $1 = 1 THEN pg_terminate_backend(pg_backend_pid()) END";
        let error = run(&mut client, sql, SyncEvery::Rows(2), &["0", "0", "0", "1", "0", "0"]).unwrap_err();
        assert_eq!(error.error.code(), Some("57P01"), "{error}");
        assert!(error.error.ends_connection());
        assert_eq!((error.summary.ran, error.summary.unknown.clone()), (2, 2..6));
        assert!(client.is_broken());
        assert!(matches!(client.run("SELECT 1"), Err(Error::Closed)));
    }
}

#[test]
fn a_server_that_is_stopped_in_the_middle_is_an_error_with_what_is_known() {
    for mode in ["immediate", "fast"] {
        let Some(server) = own("failures", false) else { return };
        let mut client = Client::connect(&server.tcp("user=trusted")).unwrap();
        let statement = client.prepare("SELECT pg_sleep(0.001), $1::int", &[]).unwrap();
        let mut synced = 0;
        let push = |row: &mut Parameters<'_>| {
            row.push(Some(b"1"));
            Ok(true)
        };
        let error = std::thread::scope(|scope| {
            let take = |answer: BatchAnswer<'_>| {
                if let BatchAnswer::Synced { next_row } = answer {
                    synced = next_row;
                    if synced == 50 {
                        scope.spawn(|| Server::pg_ctl(&server, &format!("-m {mode} -w stop")));
                    }
                }
                Continue(())
            };
            let options = BatchOptions { sync: SyncEvery::Rows(10), ..BatchOptions::default() };
            client.execute(&statement, &options, push, take).unwrap_err()
        });
        assert!(error.error.ends_connection(), "{error}");
        let summary = &error.summary;
        assert_eq!((summary.ran, summary.unknown.start), (synced, synced));
        assert_eq!((summary.unknown.end, summary.unsent.end), (summary.unsent.start, summary.rows));
        assert!(summary.unknown.end > summary.unknown.start && synced >= 50);
        let error = Client::connect(&server.tcp("user=trusted")).unwrap_err();
        assert!(matches!(error, Error::NoServer(_)), "{error}");
    }
}

#[test]
fn a_lock_that_is_never_given_ends_with_a_cancel_from_another_thread() {
    let Some(server) = shared("failures") else { return };
    for settings in [server.settings(""), server.tcp("user=trusted")] {
        let (mut holder, mut waiter) = (server.client(""), Client::connect(&settings).unwrap());
        holder.run("BEGIN; SELECT pg_advisory_lock(1)").unwrap();
        let canceller = waiter.canceller();
        let summary = std::thread::scope(|scope| {
            scope.spawn(|| {
                let waits = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
                while texts(&mut holder, waits) != ["1"] {}
                canceller.cancel(Duration::from_secs(10)).unwrap();
            });
            run(&mut waiter, "SELECT pg_advisory_lock($1)", SyncEvery::Rows(1), &["1", "2"]).unwrap()
        });
        assert_eq!(summary.first_error.unwrap().code, "57014");
        assert_eq!((summary.failed, summary.ran), (1, 1));
        // A cancel request without a running statement has no effect.
        canceller.cancel(Duration::from_secs(10)).unwrap();
        assert_eq!(texts(&mut holder, "SELECT 1"), ["1"]);
    }
}

#[test]
fn a_silence_that_is_too_long_is_cancelled_and_the_client_goes_on() {
    let Some(server) = shared("failures") else { return };
    let mut client = server.client("");
    client.set_answer_timeout(Some(Duration::from_millis(200)));
    let summary = run(&mut client, "SELECT pg_sleep($1)", SyncEvery::Rows(1), &["0", "3600", "0"]).unwrap();
    assert_eq!((summary.ran, summary.failed), (2, 1));
    assert_eq!(summary.first_error.unwrap().code, "57014");
    assert_eq!(client.run("SELECT pg_sleep(3600)").unwrap_err().code(), Some("57014"));
    client.set_answer_timeout(None);
    client.run("SET statement_timeout = 100").unwrap();
    let error = client.run("SELECT pg_sleep(3600)").unwrap_err();
    assert!(error.to_string().contains("statement timeout"), "{error}");
}

/// Returns settings for a fake server. It accepts any user, then calls `behave`.
fn fake(behave: impl FnOnce(TcpListener, std::net::TcpStream) + Send + 'static) -> Settings {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut length = [0; 4];
        stream.read_exact(&mut length).unwrap();
        stream.read_exact(&mut vec![0; u32::from_be_bytes(length) as usize - 4]).unwrap();
        stream.write_all(b"R\0\0\0\x08\0\0\0\0K\0\0\0\x0c\0\0\0\x01\0\0\0\x02Z\0\0\0\x05I").unwrap();
        behave(listener, stream);
    });
    let text = format!("host=127.0.0.1 port={port} user=a sslmode=disable");
    Settings::from_text(&text, &environment()).unwrap()
}

#[test]
fn a_server_that_never_answers_is_given_up() {
    let settings = fake(|listener, stream| {
        // Accepts the cancel request but ignores it.
        let (mut cancel, _) = listener.accept().unwrap();
        let mut request = [0; 16];
        cancel.read_exact(&mut request).unwrap();
        assert_eq!(request, *b"\0\0\0\x10\x04\xd2\x16\x2e\0\0\0\x01\0\0\0\x02");
        cancel.shutdown(Shutdown::Both).unwrap();
        std::thread::sleep(Duration::from_secs(60));
        drop(stream);
    });
    let mut client = Client::connect(&settings).unwrap();
    client.set_answer_timeout(Some(Duration::from_millis(100)));
    let error = client.run("SELECT 1").unwrap_err();
    assert!(matches!(error, Error::Timeout(_)), "{error}");
    assert!(client.is_broken());
}

#[test]
fn a_connection_that_is_cut_without_a_word_is_closed() {
    for half in [&b""[..], b"D\0\0\0\x40\0"] {
        let settings = fake(move |_, mut stream| {
            let mut query = [0; 14];
            stream.read_exact(&mut query).unwrap();
            stream.write_all(half).unwrap();
        });
        let mut client = Client::connect(&settings).unwrap();
        assert!(matches!(client.run("SELECT 1"), Err(Error::Closed)));
    }
}

#[test]
fn garbage_ends_the_connection() {
    let settings = fake(|_, mut stream| {
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").unwrap();
        let _ = stream.read(&mut [0]);
    });
    let mut client = Client::connect(&settings).unwrap();
    assert!(matches!(client.run("SELECT 1"), Err(Error::Protocol(_))));
}

#[test]
fn a_login_without_an_end_is_an_error() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let value = "x".repeat(5000);
        let length = u32::try_from(4 + 2 + value.len() + 1).unwrap();
        let parameter = [&b"S"[..], &length.to_be_bytes(), b"a\0", value.as_bytes(), b"\0"].concat();
        while stream.write_all(&parameter).is_ok() {}
    });
    let text = format!("host=127.0.0.1 port={port} user=a sslmode=disable connect_timeout=60");
    let error = Client::connect(&Settings::from_text(&text, &environment()).unwrap()).unwrap_err();
    assert!(error.to_string().contains("bytes before the session was ready"), "{error}");
    server.join().unwrap();
}

#[test]
fn an_answer_without_an_end_is_an_error() {
    // The fake server sends notices, so that it is never silent.
    let settings = fake(|_, mut stream| {
        while stream.write_all(b"N\0\0\0\x05\0").is_ok() {
            std::thread::sleep(Duration::from_millis(20));
        }
    });
    let mut client = Client::connect(&settings).unwrap();
    client.set_answer_timeout(Some(Duration::from_secs(60)));
    client.set_answer_limit(1 << 20, Duration::from_millis(200));
    let error = client.run("SELECT 1").unwrap_err();
    assert!(matches!(error, Error::Timeout(_)), "{error}");
    assert!(client.is_broken());
    assert!(client.run("SELECT 1").is_err());
}
