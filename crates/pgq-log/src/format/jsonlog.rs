//! The jsonlog format of PostgreSQL 15 and later (jsonlog.c): one object per line. Converts lines to messages.
//!
//! Objects in PostgreSQL's layout, which has no white space and no nesting, are decoded in the batch's buffer. Unneeded
//! values are skipped. serde_json reads any other JSON.

#[allow(missing_docs)] // not public: `internals` exports it for tests
pub mod keys;
mod values;

use std::borrow::Cow;
use std::ops::Range;

use serde::Deserialize;

use crate::format::batch::{Batch, LineParser};
use crate::format::json_escape::decode_escapes;
use crate::format::line::{Line, SourcePosition};
use crate::message::field::Field;
use crate::message::parts::Message;
use crate::message::severity::Severity;
use crate::message::text::effective_severity;
use crate::scan::number::parse_pid;
use keys::{COMMAND_TAG, KEYS, MESSAGE, PID, SESSION_KEYS, SEVERITY};
use values::{JsonValues, KnownValues};

#[derive(Default)]
pub struct JsonlogParser {
    /// Values of the last line.
    values: JsonValues,
    known: KnownValues,
    /// Copy of the last line that has escapes, made before the escapes are decoded. If an escape is invalid, the line
    /// is restored from this copy.
    original: Vec<u8>,
}

/// A string, borrowed from the line if it has no escapes. `None` is null. The server writes no null, but a program that
/// rewrites the log may write null.
#[derive(Deserialize, Default)]
#[serde(transparent)]
struct JsonString<'a>(#[serde(borrow)] Option<Cow<'a, str>>);

impl JsonString<'_> {
    fn bytes(&self) -> &[u8] {
        self.0.as_ref().map_or(&[], |text| text.as_bytes())
    }
}

/// Values of [`KEYS`] that serde_json reads.
#[derive(Deserialize, Default)]
#[serde(default)]
struct JsonMessage<'a> {
    #[serde(borrow)]
    timestamp: JsonString<'a>,
    #[serde(borrow)]
    user: JsonString<'a>,
    #[serde(borrow)]
    dbname: JsonString<'a>,
    #[serde(borrow)]
    application_name: JsonString<'a>,
    #[serde(borrow)]
    session_id: JsonString<'a>,
    #[serde(borrow)]
    error_severity: JsonString<'a>,
    #[serde(borrow)]
    message: JsonString<'a>,
    #[serde(borrow)]
    detail: JsonString<'a>,
    #[serde(borrow)]
    context: JsonString<'a>,
    #[serde(borrow)]
    statement: JsonString<'a>,
    #[serde(borrow)]
    remote_host: JsonString<'a>,
    #[serde(borrow)]
    session_start: JsonString<'a>,
    #[serde(borrow)]
    ps: JsonString<'a>,
    #[serde(borrow)]
    state_code: JsonString<'a>,
    #[serde(borrow)]
    vxid: JsonString<'a>,
    #[serde(borrow)]
    hint: JsonString<'a>,
    #[serde(borrow)]
    backend_type: JsonString<'a>,
    pid: Option<u32>,
    line_num: Option<u64>,
    txid: Option<u64>,
    query_id: Option<i64>,
}

impl JsonlogParser {
    /// Reads a line that has PostgreSQL's layout, and changes it in place in the batch's buffer. If serde_json must
    /// read the line, leaves the line unchanged and returns `None`.
    fn read_in_place(&mut self, line: Line, batch: &mut Batch) -> Option<()> {
        let text = batch.line_text(line);
        let Self { values, known, original } = self;
        values.find(text, known)?;
        let message = values.range(MESSAGE);
        if message.is_empty() || text[message.start - 1] != b'"' {
            return None; // missing, empty or not a string
        }
        let severity = Severity::of_known_name(&text[values.range(SEVERITY)])?;
        let severity = effective_severity(severity, &text[message]);
        let keys = if batch.selection.session_fields_of(severity) { KEYS.len() } else { SESSION_KEYS };
        let pid = &text[values.range(PID)];
        let pid = if pid.is_empty() { 0 } else { parse_pid(pid)? };
        if !batch.is_selected(severity) {
            batch.count_message(severity);
            return Some(());
        }
        // Decode escapes only in the values that are read.
        let escaped = values.escaped & ((1 << keys) - 1);
        if escaped != 0 {
            original.clear();
            original.extend_from_slice(text);
        }
        let position = SourcePosition::line_start(line);
        let mut message = Message::new(pid, severity, position);
        message.decoded = true;
        for (index, (_, field)) in KEYS[..keys].iter().enumerate() {
            let Range { start, mut end } = values.range(index);
            if escaped >> index & 1 == 1 {
                let value = &mut batch.bytes[line.start + start..line.start + end];
                match decode_escapes(value) {
                    Some(len) => end = start + len,
                    None => {
                        batch.bytes[line.start..line.end].copy_from_slice(original);
                        return None;
                    }
                }
            }
            if let (Some(field), true) = (field, start < end) {
                message.set(*field, line.start + start..line.start + end);
            }
        }
        if keys == SESSION_KEYS && batch.selection.needs_tag(message.get(Field::Message, &batch.bytes)) {
            let Range { start, end } = values.range(COMMAND_TAG);
            message.set(Field::CommandTag, line.start + start..line.start + end);
        }
        batch.count_message(severity);
        batch.apply_frame(line, &mut message);
        batch.push(message, position);
        Some(())
    }

    /// Reads a line with any JSON.
    fn read_with_serde(line: Line, batch: &mut Batch) {
        let bytes = batch.line_text(line).to_vec();
        // If a database's encoding is not UTF-8, the log may have invalid UTF-8. Replaces the invalid bytes and keeps
        // the message.
        let text = std::str::from_utf8(&bytes).map_or_else(|_| String::from_utf8_lossy(&bytes), Cow::Borrowed);
        // The server writes a message, which may be empty.
        let json = serde_json::from_str::<JsonMessage<'_>>(&text).ok().filter(|json| json.message.0.is_some());
        let severity = json.as_ref().and_then(|json| Severity::of_known_name(json.error_severity.bytes()));
        let Some((json, severity)) = json.zip(severity) else {
            let is_empty = bytes.trim_ascii().is_empty();
            *(if is_empty { &mut batch.stats.empty } else { &mut batch.stats.unreadable }) += 1;
            return;
        };
        let severity = effective_severity(severity, json.message.bytes());
        if !batch.count_message(severity) {
            return;
        }
        let position = SourcePosition::line_start(line);
        let mut message = Message::new(json.pid.unwrap_or(0), severity, position);
        message.decoded = true;
        for (field, text) in [
            (Field::Time, &json.timestamp),
            (Field::User, &json.user),
            (Field::Database, &json.dbname),
            (Field::Application, &json.application_name),
            (Field::Session, &json.session_id),
            (Field::Message, &json.message),
            (Field::Detail, &json.detail),
            (Field::Context, &json.context),
            (Field::Statement, &json.statement),
            (Field::RemoteHost, &json.remote_host),
            (Field::VirtualXid, &json.vxid),
        ] {
            batch.add_field(&mut message, field, text.bytes());
        }
        if batch.selection.session_fields_of(severity) {
            for (field, text) in [
                (Field::SessionStart, &json.session_start),
                (Field::CommandTag, &json.ps),
                (Field::SqlState, &json.state_code),
                (Field::Hint, &json.hint),
                (Field::BackendType, &json.backend_type),
            ] {
                batch.add_field(&mut message, field, text.bytes());
            }
            for (field, number) in [
                (Field::SessionLine, json.line_num.map(|number| number.to_string())),
                (Field::Txid, json.txid.map(|number| number.to_string())),
                (Field::QueryId, json.query_id.map(|number| number.to_string())),
            ] {
                batch.add_field(&mut message, field, number.unwrap_or_default().as_bytes());
            }
        } else if batch.selection.needs_tag(json.message.bytes()) {
            batch.add_field(&mut message, Field::CommandTag, json.ps.bytes());
        }
        batch.apply_frame(line, &mut message);
        batch.push(message, position);
    }
}

impl LineParser for JsonlogParser {
    fn parse_line(&mut self, line: Line, batch: &mut Batch) {
        if self.read_in_place(line, batch).is_some() {
            return;
        }
        // A line that begins with a tab is not JSON, but part of a statement in a stderr log.
        match batch.line_text(line).first() {
            Some(b'\t') => batch.stats.unreadable += 1,
            _ => Self::read_with_serde(line, batch),
        }
    }

    fn end_batch(&mut self, _batch: &mut Batch, _in_message: bool) {} // a message has one line

    fn has_contexts(&self) -> bool {
        true
    }

    fn starts_message(&mut self, _line: &[u8]) -> bool {
        true
    }
}
