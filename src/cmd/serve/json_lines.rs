//! Requests and answers as lines of JSON.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use pgq_frames::postgres::Execute;
use pgq_frames::{ErrorCode, Fault, Operation};
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::buffers::{Input, Output, Progress};
use super::json_answer::JsonAnswer;
use super::options::TextOptions;
use super::postgres::{self, JsonRows};
use super::session::{ClientSession, unknown_operation};
use super::text::{self, Form};

/// State of a JSON-lines connection.
#[derive(Default)]
pub struct JsonLines {
    /// Number of bytes already searched for the line break.
    searched: usize,
}

/// A request. Unknown keys are errors.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct Line<'a> {
    #[serde(borrow, default)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    op: Cow<'a, str>,
    #[serde(borrow, default)]
    sql: Option<Texts<'a>>,
    #[serde(borrow, default)]
    tree: Option<&'a RawValue>,
    #[serde(borrow, default)]
    protobuf: Option<Texts<'a>>,
    #[serde(borrow, default)]
    options: Option<&'a RawValue>,
    #[serde(default)]
    handle: u16,
    settings: Option<String>,
    types: Option<Vec<u32>>,
    rows: Option<Vec<Vec<Option<String>>>>,
    results: Option<String>,
    cancel: Option<String>,
}

/// The id in a line that is not a valid request. The error answer contains this id.
#[derive(Deserialize)]
struct OnlyId<'a> {
    #[serde(borrow, default)]
    id: Option<&'a RawValue>,
}

/// A string of a request (such as its SQL), or the strings of a batch.
enum Texts<'a> {
    One(Cow<'a, str>),
    Batch(Vec<Cow<'a, str>>),
}

/// The input of an operation, as bytes.
enum Subjects<'a> {
    One(Cow<'a, [u8]>),
    Batch(Vec<Cow<'a, [u8]>>),
}

impl JsonLines {
    /// Answers the line at the start of the input.
    pub fn answer(&mut self, input: &mut Input, output: &mut Output, session: &mut ClientSession<'_>) -> Progress {
        loop {
            let unread = input.unread();
            let limit = session.limits().frame_bytes();
            let end = memchr::memchr(b'\n', &unread[self.searched..]).map(|at| self.searched + at);
            if end.unwrap_or(unread.len()) > limit {
                let message = format!("a line of more than {limit} bytes");
                Self::write_fault(&Fault::new(ErrorCode::FrameTooLong, message), &mut output.bytes);
                return Progress::Close;
            }
            let Some(end) = end else {
                self.searched = unread.len();
                return Progress::Incomplete;
            };
            self.searched = 0;
            let line = unread[..end].trim_ascii();
            if line.is_empty() {
                input.consume(end + 1);
                continue;
            }
            answer_line(line, output, session);
            input.consume(end + 1);
            return Progress::Answered;
        }
    }

    /// Appends an error that does not belong to a request.
    pub fn write_fault(fault: &Fault, out: &mut Vec<u8>) {
        let mut answer = JsonAnswer::begin(None, out);
        answer.fault(fault);
        answer.end();
    }
}

fn answer_line(line: &[u8], output: &mut Output, session: &mut ClientSession<'_>) {
    let out = &mut output.bytes;
    if line[0] != b'{' {
        // Refuses an array. Otherwise, serde would accept it and use its items as the values of the keys.
        return JsonLines::write_fault(&Fault::new(ErrorCode::Malformed, "a request is a JSON object"), out);
    }
    let request: Line<'_> = match serde_json::from_slice(line) {
        Ok(request) => request,
        Err(error) => {
            let id = serde_json::from_slice::<OnlyId<'_>>(line).ok().and_then(|only| only.id);
            let mut answer = JsonAnswer::begin(id, out);
            answer.fault(&Fault::new(ErrorCode::Malformed, error.to_string()));
            return answer.end();
        }
    };
    session.send_before(Operation::from_name(&request.op), output);
    let mut answer = JsonAnswer::begin(request.id, &mut output.bytes);
    if let Err(fault) = answer_request(&request, &mut answer, session) {
        answer.fault(&fault);
    }
    answer.end();
}

fn answer_request(
    request: &Line<'_>,
    answer: &mut JsonAnswer<'_>,
    session: &mut ClientSession<'_>,
) -> Result<(), Fault> {
    let operation = Operation::from_name(&request.op).ok_or_else(|| unknown_operation(&request.op))?;
    match operation {
        Operation::Hello => answer.raw("hello", session.hello().as_bytes()),
        Operation::Options => {
            let options = request.options.ok_or_else(|| missing("options", operation))?;
            let handle = session.add_options(options.get().as_bytes())?;
            answer.raw("handle", handle.to_string().as_bytes());
        }
        Operation::Drop => session.drop_handle(request.handle)?,
        _ if operation.is_about_text() => answer_texts(operation, request, answer, session)?,
        _ => answer_postgres(operation, request, answer, session)?,
    }
    Ok(())
}

fn answer_postgres(
    operation: Operation,
    request: &Line<'_>,
    answer: &mut JsonAnswer<'_>,
    session: &mut ClientSession<'_>,
) -> Result<(), Fault> {
    match operation {
        Operation::Connect => {
            let settings = request.settings.as_deref().unwrap_or_default();
            let (handle, connected) = session.connect(settings.as_bytes())?;
            let mut connected = connected.borrow_mut();
            answer.raw("handle", handle.to_string().as_bytes());
            answer.raw("cancel", format!("\"{:016x}\"", connected.cancel_key).as_bytes());
            answer.raw("parameters", connected.parameters().to_string().as_bytes());
        }
        Operation::Prepare => {
            let Some(Texts::One(sql)) = &request.sql else { return Err(missing("sql", operation)) };
            let types = request.types.as_deref().unwrap_or_default();
            let (handle, prepared) = session.prepare(request.handle, sql, types)?;
            for (key, value) in postgres::prepared_json(handle, &prepared.statement) {
                answer.raw(&key, value.to_string().as_bytes());
            }
        }
        Operation::Execute => {
            let rows = request.rows.as_deref().ok_or_else(|| missing("rows", operation))?;
            let body = postgres::json_execute(rows, request.results.as_deref())?;
            let execute = Execute::read(&body).map_err(bad_line)?;
            let mut results = JsonRows::new(execute.results);
            session.execute(request.handle, &execute, &mut results)?;
            answer.raw("results", results.finish()?.to_string().as_bytes());
        }
        _ => {
            let key = request.cancel.as_deref().ok_or_else(|| missing("cancel", operation))?;
            session.cancel(u64::from_str_radix(key, 16).map_err(bad_line)?)?;
        }
    }
    Ok(())
}

fn answer_texts(
    operation: Operation,
    request: &Line<'_>,
    answer: &mut JsonAnswer<'_>,
    session: &mut ClientSession<'_>,
) -> Result<(), Fault> {
    let options = match request.options {
        Some(options) => Arc::new(TextOptions::read(options.get().as_bytes())?),
        None => session.options(request.handle)?,
    };
    let subjects = request.subjects(operation)?;
    let max = session.limits().max_statement_bytes;
    let worker = session.worker();
    let mut one = |subject: &[u8], answer: &mut JsonAnswer<'_>| {
        answer.result(|out| text::answer(operation, Form::Json, subject, &options, max, worker, out));
    };
    match subjects {
        Subjects::One(subject) => one(&subject, answer),
        Subjects::Batch(subjects) => answer.results(subjects.len(), |index, answer| one(&subjects[index], answer)),
    }
    Ok(())
}

impl Line<'_> {
    /// Returns the input of an operation. The operation determines the request's key that contains the input: `sql`,
    /// `tree` or `protobuf`.
    fn subjects(&self, operation: Operation) -> Result<Subjects<'_>, Fault> {
        match operation {
            Operation::Deparse => {
                let tree = self.tree.ok_or_else(|| missing("tree", operation))?;
                if tree.get().starts_with('[') {
                    let trees: Vec<&RawValue> = serde_json::from_str(tree.get()).map_err(bad_line)?;
                    return Ok(Subjects::Batch(trees.into_iter().map(|tree| tree.get().as_bytes().into()).collect()));
                }
                Ok(Subjects::One(tree.get().as_bytes().into()))
            }
            Operation::DeparseProtobuf => {
                let decode = |text: &str| STANDARD.decode(text).map(Cow::Owned).map_err(bad_line);
                match self.protobuf.as_ref().ok_or_else(|| missing("protobuf", operation))? {
                    Texts::One(text) => decode(text).map(Subjects::One),
                    Texts::Batch(texts) => {
                        texts.iter().map(|text| decode(text)).collect::<Result<_, _>>().map(Subjects::Batch)
                    }
                }
            }
            _ => Ok(match self.sql.as_ref().ok_or_else(|| missing("sql", operation))? {
                Texts::One(text) => Subjects::One(text.as_bytes().into()),
                Texts::Batch(texts) => Subjects::Batch(texts.iter().map(|text| text.as_bytes().into()).collect()),
            }),
        }
    }
}

fn missing(key: &str, operation: Operation) -> Fault {
    Fault::new(ErrorCode::Malformed, format!("{} needs the key {key:?}", operation.name()))
}

fn bad_line(error: impl fmt::Display) -> Fault {
    Fault::new(ErrorCode::Malformed, error.to_string())
}

impl<'de: 'a, 'a> Deserialize<'de> for Texts<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextsVisitor)
    }
}

struct TextsVisitor;

/// A string of an array, borrowed if it has no escapes.
#[derive(Deserialize)]
struct Element<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de> Visitor<'de> for TextsVisitor {
    type Value = Texts<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string or an array of strings")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Texts<'de>, E> {
        Ok(Texts::One(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Texts<'de>, E> {
        Ok(Texts::One(Cow::Owned(text.to_string())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Texts<'de>, A::Error> {
        let mut texts = Vec::new();
        while let Some(Element(text)) = sequence.next_element()? {
            texts.push(text);
        }
        Ok(Texts::Batch(texts))
    }
}
