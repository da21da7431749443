//! Tests the daemon's answers to malformed requests. Each answer describes the error. The daemon closes the connection
//! only after a broken frame.

use std::io::{Read, Write};
use std::net::Shutdown;

use pgq_frames::{ErrorCode, MAGIC, Operation, Request, flag, request};
use serde_json::{Value, json};

use crate::client::{Frames, Lines};
use crate::daemon::Daemon;

/// Returns all bytes until the connection closes.
fn rest(mut stream: impl Read) -> Vec<u8> {
    let mut rest = Vec::new();
    // Ignore errors. If the daemon closes the connection before it has read all bytes, the connection is reset, and
    // reading fails.
    let _ = stream.read_to_end(&mut rest);
    rest
}

#[test]
fn wrong_requests_are_answered_and_the_connection_goes_on() {
    let daemon = Daemon::start(&[]);
    let mut frames = Frames::begin(daemon.connect());
    let mut wrong = |operation: u8, flags, handle, body: &[u8]| {
        let mut bytes = Vec::new();
        request::write(&mut bytes, &Request { id: 9, operation, flags, handle, body });
        frames.stream.write_all(&bytes).unwrap();
        let whole = frames.receive().expect("the connection goes on");
        assert_eq!(whole.id, 9);
        whole.items.into_iter().next().unwrap().unwrap_err().code
    };
    let fingerprint = Operation::Fingerprint as u8;
    assert_eq!(wrong(3, 0, 0, b""), ErrorCode::UnknownOperation);
    assert_eq!(wrong(255, 0, 0, b"x"), ErrorCode::UnknownOperation);
    assert_eq!(wrong(fingerprint, flag::MORE, 0, b"SELECT 1"), ErrorCode::BadFlags);
    assert_eq!(wrong(Operation::Hello as u8, flag::BATCH, 0, &[0; 4]), ErrorCode::BadFlags);
    assert_eq!(wrong(fingerprint, 0, 12, b"SELECT 1"), ErrorCode::BadHandle);
    assert_eq!(wrong(Operation::Hello as u8, 0, 1, b""), ErrorCode::BadHandle);
    assert_eq!(wrong(Operation::Options as u8, 0, 0, b"{\"a\":1}"), ErrorCode::BadOptions);
    assert_eq!(wrong(Operation::Drop as u8, 0, 0, b""), ErrorCode::BadHandle);
    for body in [&b""[..], &[1], &[1, 0, 0, 0], &[1, 0, 0, 0, 9, 0, 0, 0, 1], &[0, 0, 0, 0, 1], &[255; 8]] {
        assert_eq!(wrong(fingerprint, flag::BATCH, 0, body), ErrorCode::Malformed, "{body:?}");
    }
    assert_eq!(wrong(fingerprint, 0, 0, b"SELECT \xff"), ErrorCode::Encoding);
    assert_eq!(wrong(fingerprint, 0, 0, b"SELECT '\0'"), ErrorCode::Nul);
    frames.send_batch::<&str>(4, Operation::Fingerprint, 0, &[]);
    let empty = frames.receive().unwrap();
    assert_eq!((empty.id, empty.items.len()), (4, 0));
    assert!(frames.ask(Operation::Fingerprint, 0, b"SELECT 1").is_ok());
}

#[test]
fn wrong_lines_are_answered_and_the_connection_goes_on() {
    let daemon = Daemon::start(&[]);
    let mut lines = Lines::begin(daemon.connect());
    let code = |answer: Value| (answer["error"]["code"].as_str().unwrap_or("none").to_string(), answer["id"].clone());
    for (line, expected, id) in [
        ("{", "malformed", Value::Null),
        ("{\"id\":5,\"op\":7}", "malformed", 5.into()),
        ("nonsense", "malformed", Value::Null),
        ("[1]", "malformed", Value::Null),
        ("{\"id\":6,\"op\":\"fingerprint\"}", "malformed", 6.into()),
        ("{\"id\":6,\"op\":\"fingerprint\",\"sql\":5}", "malformed", 6.into()),
        ("{\"id\":6,\"op\":\"fingerprint\",\"sqll\":\"x\"}", "malformed", 6.into()),
        ("{\"id\":7,\"op\":\"fingerprints\",\"sql\":\"x\"}", "unknown_operation", 7.into()),
        ("{\"id\":8,\"op\":\"fingerprint\",\"sql\":\"x\",\"handle\":3}", "bad_handle", 8.into()),
        ("{\"id\":8,\"op\":\"fingerprint\",\"sql\":\"x\",\"options\":[]}", "bad_options", 8.into()),
        ("{\"id\":9,\"op\":\"deparse\",\"tree\":{\"stmts\":[{\"x\":1}]}}", "json", 9.into()),
        ("{\"id\":9,\"op\":\"deparse_protobuf\",\"protobuf\":\"%\"}", "malformed", 9.into()),
        ("\n  \r\n{\"id\":10,\"op\":\"fingerprint\",\"sql\":\"SELECT 1\"}", "none", 10.into()),
    ] {
        assert_eq!(code(lines.ask(line)), (expected.to_string(), id), "{line}");
    }
}

#[test]
fn a_last_line_without_its_end_is_answered() {
    let daemon = Daemon::start(&[]);
    let mut stream = daemon.connect();
    stream.write_all(b"{\"id\":1,\"op\":\"fingerprint\",\"sql\":\"SELECT 1\"}").unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    assert_eq!(rest(stream), b"{\"id\":1,\"fingerprint\":\"50fde20626009aba\"}\n");
}

#[test]
fn other_first_bytes_get_an_error_and_the_end() {
    let daemon = Daemon::start(&[]);
    for first in [&b"GET / HTTP/1.1\r\n\r\n"[..], b"PGX\x01", b"\x16\x03\x01", b"\n", b" {", &[0; 200]] {
        let mut stream = daemon.connect();
        stream.write_all(first).unwrap();
        let answer: Value = serde_json::from_slice(&rest(stream)).unwrap_or_else(|e| panic!("{first:?}: {e}"));
        assert_eq!(answer["error"]["code"], "malformed");
    }
    // An unknown version is reported in frames.
    let mut stream = daemon.connect();
    stream.write_all(b"PGQ\x02").unwrap();
    let bytes = rest(stream);
    let (answer, _) = pgq_frames::Answer::read(&bytes, 1 << 20).unwrap().unwrap();
    assert_eq!((answer.id, answer.code), (0, ErrorCode::UnknownVersion as u16));
}

#[test]
fn a_broken_length_ends_the_connection_behind_all_answers() {
    let daemon = Daemon::start(&[]);
    let mut frames = Frames::begin(daemon.connect());
    for id in 1..=50 {
        frames.send(id, Operation::Fingerprint, 0, b"SELECT 1");
    }
    frames.stream.write_all(&[7, 0, 0, 0, 1, 2, 3]).unwrap();
    for id in 1..=50 {
        assert_eq!(frames.receive().unwrap().id, id);
    }
    let end = frames.receive().unwrap();
    assert_eq!((end.id, end.items[0].as_ref().unwrap_err().code), (0, ErrorCode::BrokenFrame));
    assert_eq!(frames.receive(), None);
}

#[test]
fn a_frame_above_the_limit_is_refused_by_its_header() {
    let daemon = Daemon::start(&["--max-statement-bytes", "1kB"]);
    let mut lines = Lines::begin(daemon.connect());
    let long = lines.ask(&json!({"op": "prepare", "handle": 1, "sql": " ".repeat(1025)}).to_string());
    assert_eq!(long["error"]["code"], "too_long", "{long}");
    let mut frames = Frames::begin(daemon.connect());
    // A text longer than the limit is an error, but its frame is valid, so the connection stays open.
    let fault = frames.ask(Operation::Fingerprint, 0, &[b' '; 1025]).unwrap_err();
    assert_eq!(fault.code, ErrorCode::TooLong);
    frames.send_batch(2, Operation::Fingerprint, 0, &[&[b' '; 1025][..], b"SELECT 1"]);
    let batch = frames.receive().unwrap();
    assert!(batch.items[0].is_err() && batch.items[1].is_ok());
    // The client sends only the header of a frame of 4 GB. The daemon must answer without waiting for the body.
    frames.stream.write_all(&[255, 255, 255, 255, 3, 0, 0, 0, Operation::Tree as u8, 0, 0, 0]).unwrap();
    let refused = frames.receive().unwrap();
    assert_eq!((refused.id, refused.items[0].as_ref().unwrap_err().code), (3, ErrorCode::FrameTooLong));
    assert_eq!(frames.receive(), None);
    // A line that does not end is refused when it reaches the maximum length.
    let mut stream = daemon.connect();
    stream.write_all(b"{").unwrap();
    let _ = stream.write_all(&[b' '; 100_000]);
    let answer: Value = serde_json::from_slice(&rest(stream)).unwrap();
    assert_eq!(answer["error"]["code"], "frame_too_long");
}

#[test]
fn half_frames_wait_and_harm_no_one() {
    let mut daemon = Daemon::start(&[]);
    let mut whole = MAGIC.to_vec();
    request::write_batch(&mut whole, 1, Operation::Both as u8, 0, &["SELECT 1", "SELECT 2"]);
    for end in 0..whole.len() {
        let mut stream = daemon.connect();
        stream.write_all(&whole[..end]).unwrap();
        stream.shutdown(Shutdown::Write).unwrap();
        assert_eq!(rest(stream), b"", "{end} bytes");
    }
    // A request that arrives byte by byte is answered.
    let mut frames = Frames::begin(daemon.connect());
    for byte in &whole[MAGIC.len()..] {
        frames.stream.write_all(&[*byte]).unwrap();
    }
    assert_eq!(frames.receive().unwrap().items.len(), 2);
    assert!(daemon.is_running());
}
