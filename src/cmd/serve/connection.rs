//! One client connection. It reads requests, answers them, and writes the answers. It also reads requests while answers
//! are unsent, until the unsent answers reach a limit.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pgq_frames::{ErrorCode, Fault, MAGIC};

use super::binary::Binary;
use super::buffers::{Input, Output, Progress};
use super::json_lines::JsonLines;
use super::limits::{DRAIN_TIME, WAITING_BYTES};
use super::session::ClientSession;
use super::shared::Shared;
use super::transport::{Interest, Reading, Transport, Wakeup};

/// Number of unsent bytes that triggers a write.
const WRITE_BYTES: usize = 64 << 10;

/// Encoding of requests and answers.
pub enum Form {
    /// The client has not yet sent the first bytes, which show whether it uses binary frames or JSON lines.
    Unknown,
    Binary(Binary),
    JsonLines(JsonLines),
}

/// Serves a connection until it ends.
///
/// # Errors
/// The connection is broken, so the error cannot be sent to the client.
pub fn serve(transport: &Transport, shared: &Arc<Shared>) -> rustix::io::Result<()> {
    Connection::new(transport, shared).run()
}

/// Waits up to `time` for the client's first byte, which shows whether the client uses binary frames or JSON lines.
/// Then sends `fault` in this form.
pub fn refuse(transport: &Transport, fault: &Fault, time: Duration) {
    let (mut input, mut output) = (Input::new(), Output::default());
    let interest = Interest { read: true, write: false, stop: true };
    if transport.wait(interest, Some(time)).is_ok_and(|wakeup| wakeup == Wakeup::Ready) {
        let _ = transport.read(&mut input);
        let mut form = Form::Unknown;
        form.choose(&mut input);
        form.write_fault(fault, &mut output.bytes);
        let _ = transport.write(&mut output);
    }
}

struct Connection<'a> {
    transport: &'a Transport,
    shared: &'a Arc<Shared>,
    form: Form,
    input: Input,
    output: Output,
    session: ClientSession<'a>,
    /// Time of the last completed answer, or of the last write to the client. Received bytes do not
    /// change this time, so the connection counts as idle while the client sends only blank lines
    /// or parts of a request. It also counts as idle while the client reads no answers.
    idle_since: Instant,
}

impl<'a> Connection<'a> {
    fn new(transport: &'a Transport, shared: &'a Arc<Shared>) -> Self {
        let session = ClientSession::new(shared, transport);
        let (form, input, output) = (Form::Unknown, Input::new(), Output::default());
        Self { transport, shared, form, input, output, session, idle_since: Instant::now() }
    }

    fn run(&mut self) -> rustix::io::Result<()> {
        let mut reading = true;
        let mut stop_at = None;
        loop {
            self.write()?;
            if self.output.waiting().len() >= WAITING_BYTES {
                // The unsent answers have reached their limit, so the client must read first.
                let wakeup = self.wait(Interest { read: false, write: true, stop: false }, stop_at)?;
                if wakeup == Wakeup::Timeout {
                    return Ok(());
                }
                continue;
            }
            match self.answer()? {
                Progress::Answered => continue,
                Progress::Incomplete => {}
                Progress::Close => return self.finish(),
            }
            self.write()?;
            let waiting = self.output.waiting().len();
            if !reading {
                return self.finish();
            }
            if stop_at.is_none() {
                let interest = Interest { read: true, write: waiting > 0, stop: true };
                match self.wait(interest, None)? {
                    Wakeup::Ready => {}
                    Wakeup::Stop => stop_at = Some(Instant::now() + DRAIN_TIME),
                    Wakeup::Timeout if waiting > 0 => return Ok(()),
                    Wakeup::Timeout => {
                        return self.end_with(ErrorCode::Idle, "no complete request came for --idle-timeout");
                    }
                }
            }
            match self.transport.read(&mut self.input)? {
                Reading::Some => {}
                Reading::End => {
                    reading = false;
                    self.form.end_line(&mut self.input);
                }
                Reading::None if stop_at.is_some() => {
                    return self.end_with(ErrorCode::ShuttingDown, "the daemon shuts down");
                }
                Reading::None => {}
            }
        }
    }

    /// Answers the requests that have arrived completely. Stops when [`WAITING_BYTES`] of output wait to be sent.
    fn answer(&mut self) -> rustix::io::Result<Progress> {
        loop {
            let progress = match &mut self.form {
                Form::Unknown => match self.form.choose(&mut self.input) {
                    Progress::Answered => continue,
                    Progress::Incomplete => return Ok(Progress::Incomplete),
                    Progress::Close => {
                        let fault = first_bytes_fault(self.input.unread());
                        self.form.write_fault(&fault, &mut self.output.bytes);
                        return Ok(Progress::Close);
                    }
                },
                Form::Binary(binary) => binary.answer(&mut self.input, &mut self.output, &mut self.session),
                Form::JsonLines(lines) => lines.answer(&mut self.input, &mut self.output, &mut self.session),
            };
            if progress != Progress::Answered {
                self.session.rest();
                return Ok(progress);
            }
            self.idle_since = Instant::now();
            if self.output.waiting().len() >= WRITE_BYTES {
                // Returns the worker to the pool before writing, so other connections can use the worker.
                self.session.rest();
                self.write()?;
                if self.output.waiting().len() >= WAITING_BYTES {
                    return Ok(Progress::Answered);
                }
            }
        }
    }

    fn write(&mut self) -> rustix::io::Result<()> {
        let waiting = self.output.waiting().len();
        self.transport.write(&mut self.output)?;
        if self.output.waiting().len() < waiting {
            self.idle_since = Instant::now();
        }
        Ok(())
    }

    fn wait(&self, interest: Interest, until: Option<Instant>) -> rustix::io::Result<Wakeup> {
        let timeout = match until {
            Some(until) => Some(until.saturating_duration_since(Instant::now())),
            None => self.shared.limits.idle.map(|idle| idle.saturating_sub(self.idle_since.elapsed())),
        };
        self.transport.wait(interest, timeout)
    }

    fn end_with(&mut self, code: ErrorCode, message: &str) -> rustix::io::Result<()> {
        self.form.write_fault(&Fault::new(code, message), &mut self.output.bytes);
        self.finish()
    }

    /// Writes the remaining answers, for at most [`DRAIN_TIME`].
    fn finish(&mut self) -> rustix::io::Result<()> {
        let until = Instant::now() + DRAIN_TIME;
        self.transport.write(&mut self.output)?;
        while !self.output.waiting().is_empty() && Instant::now() < until {
            self.wait(Interest { read: false, write: true, stop: false }, Some(until))?;
            self.transport.write(&mut self.output)?;
        }
        Ok(())
    }
}

impl Form {
    /// Chooses between binary frames and JSON lines by the first bytes. Returns `Close` if they match neither.
    fn choose(&mut self, input: &mut Input) -> Progress {
        let unread = input.unread();
        match unread.first() {
            None => return Progress::Incomplete,
            Some(b'{') => *self = Self::JsonLines(JsonLines::default()),
            Some(_) if unread.starts_with(&MAGIC) => {
                input.consume(MAGIC.len());
                *self = Self::Binary(Binary::default());
            }
            Some(_) if MAGIC.starts_with(unread) => return Progress::Incomplete,
            Some(_) => {
                // A client of another protocol version gets the error as a frame. Any other client
                // gets the error as a JSON line.
                if unread.starts_with(&MAGIC[..3]) {
                    *self = Self::Binary(Binary::default());
                }
                return Progress::Close;
            }
        }
        Progress::Answered
    }

    /// Adds a line break if the client closed its end of the connection after an unfinished line.
    fn end_line(&self, input: &mut Input) {
        if matches!(self, Self::JsonLines(_)) && !input.unread().is_empty() {
            input.room()[0] = b'\n';
            input.filled(1);
        }
    }

    /// Appends an error that does not belong to a request.
    fn write_fault(&self, fault: &Fault, out: &mut Vec<u8>) {
        match self {
            Self::Binary(_) => Binary::write_fault(0, fault, out),
            Self::JsonLines(_) | Self::Unknown => JsonLines::write_fault(fault, out),
        }
    }
}

fn first_bytes_fault(unread: &[u8]) -> Fault {
    if unread.starts_with(&MAGIC[..3]) {
        return Fault::new(ErrorCode::UnknownVersion, "the protocol has version 1 here");
    }
    Fault::new(ErrorCode::Malformed, "a connection begins with { for JSON lines, or with PGQ and the byte 1")
}
