//! A server that accepts queries and executes none of them. It implements the part of PostgreSQL's protocol (version 3)
//! that psql needs to run a script to its end, and records the queries.

use std::io::{self, BufReader, BufWriter, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use pgq::script::{ScriptPart, script_parts};

const SSL_REQUEST: i32 = 80_877_103;
const GSS_REQUEST: i32 = 80_877_104;
const PROTOCOL: i32 = 196_608;

/// Maximum number of consecutive repetitions of a query. Beyond this number, the server reports an error, because
/// `\watch` repeats a query until it fails.
const MOST_REPEATS: usize = 3;

/// A server on a free port. Its threads end with the process.
pub struct Server {
    pub port: u16,
    queries: Arc<Mutex<Vec<String>>>,
}

impl Server {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let queries = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&queries);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let log = Arc::clone(&log);
                thread::spawn(move || drop(Session::serve(stream, log)));
            }
        });
        Self { port, queries }
    }

    /// Returns the queries since the last call, in order.
    pub fn take_queries(&self) -> Vec<String> {
        std::mem::take(&mut self.queries.lock().unwrap())
    }
}

/// If the query sets `standard_conforming_strings`, returns the new value. The server must report this value to psql,
/// as PostgreSQL does.
fn strings_setting(query: &[u8]) -> Option<&'static str> {
    let query = String::from_utf8_lossy(query).to_lowercase();
    let words: Vec<&str> =
        query.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|w| !w.is_empty()).collect();
    match words[..] {
        ["set", "standard_conforming_strings", "off"] | ["set", "standard_conforming_strings", "to", "off"] => {
            Some("off")
        }
        ["set", "standard_conforming_strings", ..] | ["reset", "standard_conforming_strings"] => Some("on"),
        _ => None,
    }
}

/// One connection.
struct Session {
    input: BufReader<TcpStream>,
    output: BufWriter<TcpStream>,
    queries: Arc<Mutex<Vec<String>>>,
}

impl Session {
    fn serve(stream: TcpStream, queries: Arc<Mutex<Vec<String>>>) -> io::Result<()> {
        stream.set_nodelay(true)?;
        let mut session = Self { input: BufReader::new(stream.try_clone()?), output: BufWriter::new(stream), queries };
        session.start()?;
        loop {
            let (kind, body) = session.message()?;
            match kind {
                b'Q' => session.query(&body)?,
                b'P' => {
                    let text = body.split(|byte| *byte == 0).nth(1).unwrap_or_default();
                    session.record(text);
                    session.send(b'1', &[])?;
                }
                b'B' => session.send(b'2', &[])?,
                b'C' => session.send(b'3', &[])?,
                b'D' => {
                    if body.first() == Some(&b'S') {
                        session.send(b't', &[0, 0])?;
                    }
                    session.send(b'n', &[])?;
                }
                b'E' => session.send(b'C', b"SELECT 0\0")?,
                b'S' => session.ready()?,
                b'H' => session.output.flush()?,
                b'F' => {
                    session.error("no functions here")?;
                    session.ready()?;
                }
                b'X' => return Ok(()),
                _ => {}
            }
        }
    }

    fn start(&mut self) -> io::Result<()> {
        loop {
            let len = self.number()?;
            let code = self.number()?;
            let mut rest = vec![0; usize::try_from(len).unwrap_or(8).saturating_sub(8)];
            self.input.read_exact(&mut rest)?;
            match code {
                SSL_REQUEST | GSS_REQUEST => {
                    self.output.write_all(b"N")?;
                    self.output.flush()?;
                }
                PROTOCOL => break,
                _ => return Err(io::ErrorKind::InvalidData.into()),
            }
        }
        self.send(b'R', &0i32.to_be_bytes())?;
        for (name, value) in [
            ("server_version", "15.0"),
            ("server_encoding", "UTF8"),
            ("client_encoding", "UTF8"),
            ("standard_conforming_strings", "on"),
        ] {
            self.send(b'S', format!("{name}\0{value}\0").as_bytes())?;
        }
        self.ready()
    }

    /// Answers a simple query: each COPY consumes its data, and no query returns rows.
    fn query(&mut self, body: &[u8]) -> io::Result<()> {
        let text = body.strip_suffix(b"\0").unwrap_or(body);
        if self.record(text) > MOST_REPEATS {
            self.error("too often")?;
            return self.ready();
        }
        if let Some(value) = strings_setting(text) {
            self.send(b'S', format!("standard_conforming_strings\0{value}\0").as_bytes())?;
        }
        let parts = script_parts(text);
        let statements = parts.iter().filter_map(|part| match part {
            ScriptPart::Statement { copy_from_stdin, .. } => Some(*copy_from_stdin),
            _ => None,
        });
        let mut empty = true;
        for takes_data in statements {
            empty = false;
            if takes_data {
                self.send(b'G', &[0, 0, 0])?;
                self.output.flush()?;
                while !matches!(self.message()?.0, b'c' | b'f') {}
                self.send(b'C', b"COPY 0\0")?;
            } else {
                self.send(b'C', b"SELECT 0\0")?;
            }
        }
        if empty {
            self.send(b'I', &[])?;
        }
        self.ready()
    }

    /// Records a query. Returns the number of its consecutive repetitions.
    fn record(&self, text: &[u8]) -> usize {
        let text = String::from_utf8_lossy(text).into_owned();
        let mut queries = self.queries.lock().unwrap();
        queries.push(text);
        queries.iter().rev().take_while(|query| Some(*query) == queries.last()).count()
    }

    fn error(&mut self, message: &str) -> io::Result<()> {
        self.send(b'E', format!("SERROR\0VERROR\0C42000\0M{message}\0\0").as_bytes())
    }

    fn ready(&mut self) -> io::Result<()> {
        self.send(b'Z', b"I")?;
        self.output.flush()
    }

    fn send(&mut self, kind: u8, body: &[u8]) -> io::Result<()> {
        let len = i32::try_from(body.len() + 4).expect("messages are short");
        let message = [&[kind], &len.to_be_bytes()[..], body].concat();
        self.output.write_all(&message)
    }

    fn message(&mut self) -> io::Result<(u8, Vec<u8>)> {
        let mut kind = [0];
        self.input.read_exact(&mut kind)?;
        let len = self.number()?;
        let mut body = vec![0; usize::try_from(len).unwrap_or(4).saturating_sub(4)];
        self.input.read_exact(&mut body)?;
        Ok((kind[0], body))
    }

    fn number(&mut self) -> io::Result<i32> {
        let mut bytes = [0; 4];
        self.input.read_exact(&mut bytes)?;
        Ok(i32::from_be_bytes(bytes))
    }
}
