//! Requests and answers in binary frames. The answer to a batch may consist of several frames. The connection may write
//! to the client after each frame.

use std::sync::Arc;
use std::time::Duration;

use pgq_frames::answer::{self, Outcome};
use pgq_frames::postgres::{Execute, Prepare};
use pgq_frames::{
    BodyError, ErrorCode, Fault, FrameError, HEADER_BYTES, HandleKind, Operation, Request, batch, flag, request,
};

use super::buffers::{Input, Output, Progress};
use super::limits::{ANSWER_BYTES, FRAME_BYTES};
use super::options::TextOptions;
use super::postgres::{self, ItemWriter, Sink};
use super::session::{ClientSession, unknown_operation};
use super::text::{self, Form};
use super::transport::Transport;

/// State of a binary connection.
#[derive(Default)]
pub struct Binary {
    batch: Option<OpenBatch>,
}

/// A batch request that is only partly answered. Its frame stays at the start of the input until the answer is
/// complete.
struct OpenBatch {
    id: u32,
    operation: Operation,
    options: Arc<TextOptions>,
    /// Length of the frame in bytes. `next` is the offset of the next unanswered SQL string in the frame. `left` is
    /// the number of unanswered strings.
    frame: usize,
    next: usize,
    left: usize,
}

impl Binary {
    /// Answers the request at the start of the input, or the next part of a batch.
    pub fn answer(&mut self, input: &mut Input, output: &mut Output, session: &mut ClientSession<'_>) -> Progress {
        if let Some(mut batch) = self.batch.take() {
            batch.answer(input.unread(), &mut output.bytes, session);
            match batch.left {
                0 => input.consume(batch.frame),
                _ => self.batch = Some(batch),
            }
            return Progress::Answered;
        }
        match request::read(input.unread(), session.limits().frame_bytes()) {
            Ok(None) => Progress::Incomplete,
            Ok(Some((request, used))) => {
                match self.request(&request, output, session) {
                    Ok(()) => {}
                    Err(fault) => Self::write_fault(request.id, &fault, &mut output.bytes),
                }
                if self.batch.is_none() {
                    input.consume(used);
                }
                Progress::Answered
            }
            Err(error) => {
                let (id, code) = match error {
                    FrameError::Broken(_) => (0, ErrorCode::BrokenFrame),
                    FrameError::TooLong { id, .. } => (id, ErrorCode::FrameTooLong),
                };
                Self::write_fault(id, &Fault::new(code, error.to_string()), &mut output.bytes);
                Progress::Close
            }
        }
    }

    /// Answers a request, or opens its batch.
    fn request(
        &mut self,
        request: &Request<'_>,
        output: &mut Output,
        session: &mut ClientSession<'_>,
    ) -> Result<(), Fault> {
        let operation =
            Operation::from_number(request.operation).ok_or_else(|| unknown_operation(request.operation))?;
        let allowed = if operation.is_about_text() { flag::BATCH } else { flag::NONE };
        if request.flags & !allowed != 0 {
            let message = format!("{} takes no flags {:#x}", operation.name(), request.flags & !allowed);
            return Err(Fault::new(ErrorCode::BadFlags, message));
        }
        if operation.handle_kind() == HandleKind::None && request.handle != 0 {
            return Err(Fault::new(ErrorCode::BadHandle, format!("{} takes no handle", operation.name())));
        }
        session.send_before(Some(operation), output);
        if operation == Operation::Execute {
            return Self::execute(request, output, session);
        }
        let out = &mut output.bytes;
        if !operation.is_about_text() {
            return Self::other(operation, request, out, session);
        }
        let options = session.options(request.handle)?;
        if request.flags & flag::BATCH != 0 {
            let left = batch::read(request.body).map_err(malformed)?.len();
            let frame = HEADER_BYTES + request.body.len();
            let next = HEADER_BYTES + 4;
            if left == 0 {
                answer::begin_items(out, request.id).finish(out, false);
                return Ok(());
            }
            self.batch = Some(OpenBatch { id: request.id, operation, options, frame, next, left });
            return Ok(());
        }
        let open = answer::begin(out, request.id);
        let body = open.body();
        let max = session.limits().max_statement_bytes;
        match text::answer(operation, Form::Binary, request.body, &options, max, session.worker(), out) {
            Ok(flags) if out.len() - body <= ANSWER_BYTES => open.finish(out, Outcome::done(flags)),
            Ok(_) => {
                open.abandon(out);
                return Err(text::too_long_answer());
            }
            Err(fault) => {
                open.abandon(out);
                return Err(fault);
            }
        }
        Ok(())
    }

    /// Answers a request that does not operate on SQL or trees, such as hello or connect.
    fn other(
        operation: Operation,
        request: &Request<'_>,
        out: &mut Vec<u8>,
        session: &mut ClientSession<'_>,
    ) -> Result<(), Fault> {
        let body = match operation {
            Operation::Hello => session.hello().into_bytes(),
            Operation::Options => session.add_options(request.body)?.to_le_bytes().to_vec(),
            Operation::Drop => {
                session.drop_handle(request.handle)?;
                Vec::new()
            }
            Operation::Connect => {
                let (handle, connected) = session.connect(request.body)?;
                postgres::session_body(handle, &mut connected.borrow_mut())
            }
            Operation::Prepare => {
                let Prepare { types, sql } = Prepare::read(request.body).map_err(malformed)?;
                let (handle, prepared) = session.prepare(request.handle, sql, &types)?;
                postgres::prepared_body(handle, &prepared.statement)
            }
            _ => {
                let key =
                    <[u8; 8]>::try_from(request.body).map_err(|_| malformed(BodyError::Ends("the cancel key")))?;
                session.cancel(u64::from_le_bytes(key))?;
                Vec::new()
            }
        };
        let open = answer::begin(out, request.id);
        out.extend_from_slice(&body);
        open.finish(out, Outcome::done(flag::NONE));
        Ok(())
    }

    /// Executes a statement once for each row of parameters. Writes each frame of the answer when the frame is
    /// complete.
    fn execute(request: &Request<'_>, output: &mut Output, session: &mut ClientSession<'_>) -> Result<(), Fault> {
        let execute = Execute::read(request.body).map_err(malformed)?;
        let before = output.bytes.len();
        let sink = ClientSink { output, transport: session.transport, idle: session.limits().idle };
        let mut writer = ItemWriter::new(sink, request.id, execute.results);
        let executed = session.execute(request.handle, &execute, &mut writer);
        let sink = writer.finish();
        if executed.is_err() {
            // No row was executed, so the answer is only an error.
            sink.output.bytes.truncate(before);
        }
        executed
    }

    /// Appends an error as an answer.
    pub fn write_fault(id: u32, fault: &Fault, out: &mut Vec<u8>) {
        let open = answer::begin(out, id);
        fault.write(out);
        open.finish(out, Outcome::error(fault.code));
    }
}

impl OpenBatch {
    /// Answers the next strings of the batch until a frame of the answer is full. `unread` is the unread input, which
    /// starts with the frame of the batch.
    fn answer(&mut self, unread: &[u8], out: &mut Vec<u8>, session: &mut ClientSession<'_>) {
        let start = out.len();
        let max = session.limits().max_statement_bytes;
        let worker = session.worker();
        let mut items = answer::begin_items(out, self.id);
        while self.left > 0 && (items.count() == 0 || out.len() - start < FRAME_BYTES) {
            let text = self.next_text(unread).expect("the lengths were checked when the batch was opened");
            let item = items.begin_item(out);
            let body = out.len();
            let answered = text::answer(self.operation, Form::Binary, text, &self.options, max, worker, out);
            let answered = match answered {
                Ok(flags) if out.len() - body <= ANSWER_BYTES => Ok(flags),
                Ok(_) => Err(text::too_long_answer()),
                Err(fault) => Err(fault),
            };
            let outcome = match answered {
                Ok(flags) => Outcome::done(flags),
                Err(fault) => {
                    out.truncate(body);
                    fault.write(out);
                    Outcome::error(fault.code)
                }
            };
            items.finish_item(out, item, outcome);
        }
        items.finish(out, self.left > 0);
    }

    fn next_text<'i>(&mut self, unread: &'i [u8]) -> Option<&'i [u8]> {
        let (length, rest) = unread.get(self.next..self.frame)?.split_first_chunk::<4>()?;
        let length = u32::from_le_bytes(*length) as usize;
        self.next += 4 + length;
        self.left -= 1;
        rest.get(..length)
    }
}

/// Sends frames to the client while the server sends more rows.
struct ClientSink<'a> {
    output: &'a mut Output,
    transport: &'a Transport,
    /// If the client reads nothing for this time, the connection is closed.
    idle: Option<Duration>,
}

impl Sink for ClientSink<'_> {
    fn out(&mut self) -> &mut Vec<u8> {
        &mut self.output.bytes
    }

    fn make_room(&mut self) -> bool {
        self.transport.make_room(self.output, self.idle).is_ok()
    }
}

/// Returns the error of a malformed body.
fn malformed(error: BodyError) -> Fault {
    Fault::new(ErrorCode::Malformed, error.to_string())
}
