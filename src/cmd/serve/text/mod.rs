//! Operations on SQL. Each operation appends the body of an answer, in binary or in JSON. Other modules write the
//! frame or the JSON line around the body.

mod cached;
mod parsed;
mod protobuf;
mod scanned;
mod summary;
mod trees;

use std::sync::Arc;

use pgq::{Error, ErrorKind};
use pgq_frames::{ErrorCode, Fault, Operation, Place};

pub use super::options::Form;
use super::options::TextOptions;
use super::workers::Worker;
use crate::run::report::quote;

/// Appends the answer of an operation on `text`, and returns the flags of the answer. If there is an error, the caller
/// must remove the appended bytes.
///
/// # Errors
/// The text is longer than `max` bytes, or the operation fails. The error's position is an offset in `text`.
pub fn answer(
    operation: Operation,
    form: Form,
    text: &[u8],
    options: &Arc<TextOptions>,
    max: usize,
    worker: &mut Worker,
    out: &mut Vec<u8>,
) -> Result<u8, Fault> {
    if text.len() > max {
        return Err(fault(&Error::too_long(text.len(), max)));
    }
    let answered = match operation {
        Operation::Fingerprint | Operation::Normalize | Operation::Both => {
            cached::answer(operation, form, text, options, worker, out)
        }
        Operation::Tree | Operation::TreeProtobuf | Operation::Reformat | Operation::Summary | Operation::Warnings => {
            parsed::answer(operation, form, text, options, out)
        }
        Operation::Scan => scanned::scan(form, text, options, out),
        Operation::Split => scanned::split(form, text, options, out),
        Operation::Deparse => trees::from_json(form, text, options, out),
        Operation::DeparseProtobuf => return protobuf::deparse(form, text, options, out),
        _ => unreachable!("{operation:?} is not about a text"),
    };
    answered.map_err(|error| fault(&error))
}

/// Returns the error of an answer that is too long.
pub fn too_long_answer() -> Fault {
    Fault::new(ErrorCode::AnswerTooLong, "the answer is longer than 1 GiB").at(Place::START)
}

/// Converts an error of the library `pgq` to an error of the daemon's protocol (docs/protocol.md).
pub fn fault(error: &Error) -> Fault {
    let code = match error.kind {
        ErrorKind::Syntax => ErrorCode::Syntax,
        ErrorKind::Encoding => ErrorCode::Encoding,
        ErrorKind::Nul => ErrorCode::Nul,
        ErrorKind::TooLong => ErrorCode::TooLong,
        ErrorKind::TooDeep => ErrorCode::TooDeep,
        ErrorKind::TooCostly => ErrorCode::TooCostly,
        ErrorKind::Json => ErrorCode::Json,
        ErrorKind::RoundTripMismatch => ErrorCode::RoundTrip,
        ErrorKind::Protobuf => ErrorCode::Protobuf,
        ErrorKind::OutOfMemory => ErrorCode::OutOfMemory,
        // Errors of trees, and error kinds that a later version of the library may add.
        _ => ErrorCode::Tree,
    };
    let place = error.position.map_or(Place::START, |position| Place {
        offset: position.offset as u32,
        line: position.line as u32,
        column: position.column as u32,
    });
    Fault::new(code, &*error.message)
        .at(place)
        .with(b'D', error.detail.as_deref())
        .with(b'H', error.hint.as_deref())
        .with(b'C', error.sqlstate.as_ref().map(pgq::SqlState::as_str))
}

/// Appends SQL as an answer.
fn write_sql(sql: &str, form: Form, out: &mut Vec<u8>) {
    key("sql", form, out);
    match form {
        Form::Binary => out.extend_from_slice(sql.as_bytes()),
        Form::Json => quote(sql, out),
    }
}

/// Appends a value's key in JSON. Binary answers have no keys.
fn key(name: &str, form: Form, out: &mut Vec<u8>) {
    if form == Form::Json {
        out.push(b'"');
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(b"\":");
    }
}
