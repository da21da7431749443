//! A server that accepts a session and then answers nothing, not even a cancel request.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{self, Sender};
use std::thread;

use pgq_frames::Operation;

use crate::client::Frames;
use crate::daemon::{Daemon, PATIENCE};

/// Code of a cancel request. The client sends it in place of the protocol version.
const CANCEL: [u8; 4] = 80_877_102_u32.to_be_bytes();

/// AuthenticationOk, the client_encoding, a cancel key, and ReadyForQuery.
const READY: &[u8] =
    b"R\0\0\0\x08\0\0\0\0S\0\0\0\x19client_encoding\0UTF8\0K\0\0\0\x0c\0\0\0\x01\0\0\0\x02Z\0\0\0\x05I";

/// An event on one of the server's connections.
#[derive(Debug, PartialEq, Eq)]
enum Event {
    Statement,
    Cancel,
    EndOfSession,
}

/// Serves one connection. A connection with a cancel request stays open.
fn serve(mut stream: TcpStream, events: &Sender<Event>) {
    let mut length = [0; 4];
    stream.read_exact(&mut length).unwrap();
    let mut startup = vec![0; u32::from_be_bytes(length) as usize - 4];
    stream.read_exact(&mut startup).unwrap();
    if startup.starts_with(&CANCEL) {
        events.send(Event::Cancel).unwrap();
        thread::sleep(PATIENCE);
        return;
    }
    stream.write_all(READY).unwrap();
    let mut bytes = [0; 1024];
    while let Ok(1..) = stream.read(&mut bytes) {
        events.send(Event::Statement).unwrap();
    }
    let _ = events.send(Event::EndOfSession);
}

#[test]
fn the_session_of_a_lost_client_ends_without_the_server() {
    let daemon = Daemon::start(&["--jobs", "1"]);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (sender, events) = mpsc::channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let events = sender.clone();
            thread::spawn(move || serve(stream.unwrap(), &events));
        }
    });
    let mut client = Frames::begin(daemon.connect());
    let settings = format!("host=127.0.0.1 port={port} user=ada dbname=harbor sslmode=disable");
    let (_, body) = client.ask(Operation::Connect, 0, settings.as_bytes()).unwrap();
    client.send(9, Operation::Prepare, u16::from_le_bytes([body[0], body[1]]), b"\0\0SELECT 1");
    assert_eq!(events.recv_timeout(PATIENCE), Ok(Event::Statement));
    drop(client);
    assert_eq!(events.recv_timeout(PATIENCE), Ok(Event::Cancel));
    assert_eq!(events.recv_timeout(PATIENCE), Ok(Event::EndOfSession));
    daemon.await_quiet();
}
