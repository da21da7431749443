//! Tests which handles are valid after their session was dropped by the client or ended by the server. Needs
//! PostgreSQL's programs.

use std::process::Command;

use pgq_frames::{ErrorCode, Operation};

use crate::client::Frames;
use crate::common::program::PGQ;
use crate::daemon::Daemon;
use crate::postgres::{COUNT, ROWS, Setting, connect, execute_body, prepare, rows_and_tag, text};
use crate::postgres_server as server;

/// Returns the code of an error.
fn code<T: std::fmt::Debug>(answer: Result<T, pgq_frames::Fault>) -> ErrorCode {
    answer.unwrap_err().code
}

const PREPARE: &[u8] = b"\0\0SELECT 1";

#[test]
fn a_dropped_session_takes_the_handles_of_its_statements_along() {
    let Some(mut it) = Setting::new("handles of dropped sessions of serve") else { return };
    let (_, options) = it.frames.ask(Operation::Options, 0, b"{\"one_line\":true}").unwrap();
    let options = u16::from_le_bytes(options.try_into().unwrap());
    let statement = it.prepare("SELECT $1::int");
    let (other, _) = connect(&mut it.frames, it.server);
    let kept = prepare(&mut it.frames, other, "SELECT $1::int");
    it.frames.ask(Operation::Drop, it.session, b"").unwrap();
    let body = execute_body(COUNT, &[text("1")]);
    assert_eq!(code(it.frames.ask(Operation::Execute, statement, &body)), ErrorCode::BadHandle);
    assert_eq!(code(it.frames.ask(Operation::Prepare, it.session, PREPARE)), ErrorCode::BadHandle);
    assert_eq!(code(it.frames.ask(Operation::Drop, statement, b"")), ErrorCode::BadHandle);
    assert_eq!(code(it.frames.ask(Operation::Cancel, 0, &it.key.to_le_bytes())), ErrorCode::BadHandle);
    assert!(it.execute(kept, COUNT, &[text("1")]).items[0].is_ok());
    assert!(it.frames.ask(Operation::Normalize, options, b"SELECT 1").is_ok());
    // New sessions and statements do not reuse the numbers of handles that were dropped.
    let (session, _) = connect(&mut it.frames, it.server);
    let again = prepare(&mut it.frames, session, "SELECT $1::int");
    assert!(![it.session, statement].contains(&session) && ![it.session, statement].contains(&again));
}

#[test]
fn the_limit_counts_no_handle_of_an_ended_session() {
    let Some(mut it) = Setting::new("the limit of handles of serve") else { return };
    it.frames.ask(Operation::Drop, it.session, b"").unwrap();
    for _ in 0..4090 {
        it.frames.send(1, Operation::Options, 0, b"{}");
    }
    for _ in 0..4090 {
        assert!(it.frames.receive().unwrap().items[0].is_ok());
    }
    let mut killer = Frames::begin(it.daemon.connect());
    let (session, _) = connect(&mut killer, it.server);
    let kill = prepare(&mut killer, session, "SELECT pg_terminate_backend($1::int, 60000)");
    for round in 0..4 {
        let (session, _) = connect(&mut it.frames, it.server);
        let own = prepare(&mut it.frames, session, "SELECT pg_backend_pid()");
        for number in 0..4 {
            prepare(&mut it.frames, session, &format!("SELECT {number}"));
        }
        // The number of handles is now at its limit. The daemon must not prepare a statement on the server, because no
        // handle could refer to it.
        assert_eq!(code(it.frames.ask(Operation::Prepare, session, PREPARE)), ErrorCode::TooManyHandles);
        assert_eq!(code(it.frames.ask(Operation::Connect, 0, b"host=/nonexistent")), ErrorCode::TooManyHandles);
        let pid = it.execute(own, ROWS, &[Vec::new()]).items.remove(0).unwrap().1;
        if round % 2 == 0 {
            it.frames.ask(Operation::Drop, session, b"").unwrap();
            continue;
        }
        // The server ends the idle session. The next request in the session reports this.
        let pid = rows_and_tag(&pid).0[0][0].clone().unwrap();
        killer.send(9, Operation::Execute, kill, &execute_body(COUNT, &[crate::postgres::row(&[Some(&pid)])]));
        killer.receive().unwrap();
        if round == 1 {
            let whole = it.execute(own, COUNT, &[Vec::new()]);
            assert_eq!(whole.items[0].as_ref().unwrap_err().code, ErrorCode::ConnectionLost);
        } else {
            it.frames.ask(Operation::Drop, own, b"").unwrap();
            assert_eq!(code(it.frames.ask(Operation::Prepare, session, PREPARE)), ErrorCode::ConnectionLost);
        }
        assert_eq!(code(it.frames.ask(Operation::Prepare, session, PREPARE)), ErrorCode::BadHandle);
        assert_eq!(code(it.frames.ask(Operation::Execute, own, &execute_body(COUNT, &[]))), ErrorCode::BadHandle);
    }
}

#[test]
fn a_client_is_not_idle_during_its_request() {
    let Some(server) = crate::postgres_server::shared("a long request of serve") else { return };
    let daemon = Daemon::start(&["--idle-timeout", "300ms"]);
    let mut frames = Frames::begin(daemon.connect());
    let (session, _) = connect(&mut frames, server);
    let slow = "SELECT repeat('x', 1000) FROM (SELECT pg_sleep(0.6)) s, generate_series(1, 3000)";
    let slow = prepare(&mut frames, session, slow);
    for _ in 0..3 {
        frames.send(9, Operation::Execute, slow, &execute_body(ROWS, &[Vec::new()]));
        let whole = frames.receive().expect("the whole answer");
        let bytes: usize = whole.items.iter().map(|item| item.as_ref().unwrap().1.len()).sum();
        assert!(bytes > 3_000_000, "{bytes}");
    }
}

#[test]
fn sessions_of_one_client_leave_descriptors_for_other_clients() {
    let Some(server) = server::shared("the limit of sessions of serve") else { return };
    let limited = |files: u32| {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("ulimit -n {files}; exec \"$0\" \"$@\""), PGQ]);
        command
    };
    let daemon = Daemon::start_by(limited(130), &["--max-connections", "2"]);
    let mut frames = Frames::begin(daemon.connect());
    let sessions: Vec<u16> = (0..7).map(|_| connect(&mut frames, server).0).collect();
    let settings = format!("host={} port={} user=postgres", server.folder.display(), server.port);
    let refused = frames.ask(Operation::Connect, 0, settings.as_bytes());
    assert_eq!(code(refused), ErrorCode::CannotConnect);
    assert!(Frames::begin(daemon.connect()).ask(Operation::Fingerprint, 0, b"SELECT 1").is_ok());
    frames.ask(Operation::Drop, sessions[0], b"").unwrap();
    connect(&mut frames, server);
    let refused = limited(60).args(["serve", "--stdio"]).output().unwrap();
    assert!(String::from_utf8_lossy(&refused.stderr).contains("1 connections need 98 open files"), "{refused:?}");
}
