//! Minimal clients for tests of the daemon. They write requests and read answers without any interpretation.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;

use pgq_frames::answer::Status;
use pgq_frames::{Answer, Fault, MAGIC, Operation, Request, flag, request};
use serde_json::Value;

/// Maximum bytes of an answer's frame.
const LIMIT: usize = 1 << 30;

/// A client of binary frames.
pub struct Frames<S> {
    pub stream: S,
    buffer: Vec<u8>,
    start: usize,
}

/// An answer, joined from its frames.
#[derive(Debug, PartialEq)]
pub struct Whole {
    pub id: u32,
    pub frames: usize,
    /// The status of each item.
    pub statuses: Vec<Status>,
    /// Results of the items. An answer to a single text has one item.
    pub items: Vec<Result<(u8, Vec<u8>), Fault>>,
}

impl Frames<UnixStream> {
    /// Creates a client for a new connection, and sends the protocol's first bytes.
    pub fn begin(mut stream: UnixStream) -> Self {
        // Ignore an error: a daemon that refuses the connection may already have closed it, but its answer can still be
        // read.
        let _ = stream.write_all(&MAGIC);
        Self { stream, buffer: Vec::new(), start: 0 }
    }
}

impl<S: Read + Write> Frames<S> {
    pub fn send(&mut self, id: u32, operation: Operation, handle: u16, body: &[u8]) {
        let mut bytes = Vec::new();
        request::write(&mut bytes, &Request { id, operation: operation as u8, flags: 0, handle, body });
        self.stream.write_all(&bytes).unwrap();
    }

    pub fn send_batch<T: AsRef<[u8]>>(&mut self, id: u32, operation: Operation, handle: u16, texts: &[T]) {
        let mut bytes = Vec::new();
        request::write_batch(&mut bytes, id, operation as u8, handle, texts);
        self.stream.write_all(&bytes).unwrap();
    }

    /// Reads all frames of an answer. Returns `None` at the end of the connection.
    pub fn receive(&mut self) -> Option<Whole> {
        let mut whole = Whole { id: 0, frames: 0, statuses: Vec::new(), items: Vec::new() };
        loop {
            let (used, more) = match Answer::read(&self.buffer[self.start..], LIMIT).unwrap() {
                None => {
                    self.fill()?;
                    continue;
                }
                Some((answer, used)) => {
                    whole.id = answer.id;
                    let outcome = answer.outcome().unwrap();
                    let result = |flags, code, body: &[u8]| match code {
                        0 => Ok((flags, body.to_vec())),
                        _ => Err(Fault::read(code, body).unwrap()),
                    };
                    if answer.flags & flag::BATCH == 0 {
                        whole.items.push(result(answer.flags, outcome.code, answer.body));
                        whole.statuses.push(outcome.status);
                    } else {
                        let items = answer.items().unwrap();
                        whole.statuses.extend(items.iter().map(|item| item.outcome.status));
                        whole.items.extend(items.iter().map(|i| result(i.outcome.flags, i.outcome.code, i.body)));
                    }
                    (used, answer.flags & flag::MORE != 0)
                }
            };
            self.start += used;
            whole.frames += 1;
            if !more {
                return Some(whole);
            }
        }
    }

    /// Sends a request and reads its answer, which has one item.
    pub fn ask(&mut self, operation: Operation, handle: u16, body: &[u8]) -> Result<(u8, Vec<u8>), Fault> {
        self.send(77, operation, handle, body);
        let mut whole = self.receive().expect("an answer");
        assert_eq!((whole.id, whole.items.len()), (77, 1));
        whole.items.remove(0)
    }

    /// Waits until some bytes of the next answer have arrived.
    pub fn await_bytes(&mut self) {
        self.fill().expect("an answer");
    }

    fn fill(&mut self) -> Option<()> {
        self.buffer.drain(..self.start);
        self.start = 0;
        let before = self.buffer.len();
        self.buffer.resize(before + (64 << 10), 0);
        let read = loop {
            match self.stream.read(&mut self.buffer[before..]) {
                Ok(read) => break read,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => break 0,
                Err(error) => panic!("no answer: {error}"),
            }
        };
        self.buffer.truncate(before + read);
        if read > 0 { Some(()) } else { None }
    }
}

/// A client of JSON lines.
pub struct Lines {
    stream: UnixStream,
    reader: BufReader<UnixStream>,
}

impl Lines {
    pub fn begin(stream: UnixStream) -> Self {
        Self { reader: BufReader::new(stream.try_clone().unwrap()), stream }
    }

    pub fn send(&mut self, line: &str) {
        self.stream.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    /// Returns the next answer, or `None` at the end of the connection.
    pub fn receive(&mut self) -> Option<Value> {
        let mut line = String::new();
        self.reader.read_line(&mut line).unwrap();
        if line.is_empty() { None } else { Some(serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line}"))) }
    }

    pub fn ask(&mut self, line: &str) -> Value {
        self.send(line);
        self.receive().expect("an answer")
    }
}
