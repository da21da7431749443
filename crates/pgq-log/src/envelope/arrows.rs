//! What Fluent Bit prints on its output: `[0] tag: [[time, {}], {"log"=>"text", "stream"=>"stderr"}]`. It writes texts as
//! they are, line breaks among them; programs between may have escaped them.

use serde_json::{Map, Value};

use super::escaped::{Escapes, unescaped};
use super::fields::jsonlog_line;
use super::layer::{Emit, Layer, line_of};
use super::logfmt::TEXTS;
use super::times::digits;
use crate::format::frame::Frame;
use crate::message::parts::MAX_MESSAGE_BYTES;

/// The start of an event: its time, and what its text begins with.
pub fn event_start(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = line.strip_prefix(b"[")?;
    let rest = rest[digits(rest)..].strip_prefix(b"] ")?;
    let rest = &rest[memchr::memmem::find(rest, b": [")? + 3..];
    let time = rest.strip_prefix(b"[").unwrap_or(rest);
    let len = time.iter().take_while(|b| b.is_ascii_digit() || **b == b'.').count();
    let text = TEXTS.iter().find_map(|key| {
        let key = format!("\"{key}\"=>\"");
        Some(&rest[memchr::memmem::find(rest, key.as_bytes())? + key.len()..])
    })?;
    (len >= 10).then(|| (&time[..len.min(17)], text))
}

/// The fields of an event, up to the first that has no end.
fn fields(event: &[u8], is_escaped: bool) -> Map<String, Value> {
    let event = String::from_utf8_lossy(event);
    let first = event.find("\"=>").and_then(|at| event[..at].rfind('"')).map(|at| &event[at + 1..]);
    let (mut fields, mut rest) = (Map::new(), first);
    while let Some((name, value)) = rest.and_then(|rest| rest.split_once("\"=>")) {
        let Some(text) = value.strip_prefix('"') else {
            // A number, or nothing.
            let end = value.find(", \"").or_else(|| value.find("}]")).unwrap_or(value.len());
            if !matches!(&value[..end], "nil" | "null") {
                fields.insert(name.to_string(), value[..end].into());
            }
            rest = value[end..].strip_prefix(", \"");
            continue;
        };
        let Some(end) = text_end(text.as_bytes()) else { break };
        let decoded = if is_escaped { unescaped(&text.as_bytes()[..end], Escapes::All) } else { text[..end].into() };
        fields.insert(name.to_string(), String::from_utf8_lossy(&decoded).into());
        rest = text[end..].strip_prefix("\", \"");
    }
    fields
}

/// Where the text of an event ends in a line: before the next name, or before what ends the event.
fn text_end(line: &[u8]) -> Option<usize> {
    let is_name = |at: &usize| {
        let rest = &line[at + 4..];
        let len = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || b"_-.@/".contains(b)).count();
        len > 0 && rest[len..].starts_with(b"\"=>")
    };
    let next = memchr::memmem::find_iter(line, b"\", \"").find(is_name);
    next.or_else(|| line.ends_with(b"\"}]").then(|| line.len() - 3))
}

/// Whether the quotes of texts are escaped.
pub fn has_escapes(lines: &[&[u8]]) -> bool {
    let texts = lines.iter().filter_map(|line| {
        let (_, text) = event_start(line)?;
        Some(&text[..text_end(text)?])
    });
    let mut quotes =
        texts.flat_map(|text| memchr::memchr_iter(b'"', text).map(move |at| at > 0 && text[at - 1] == b'\\'));
    quotes.next().is_some_and(|first| first && quotes.all(|is_escaped| is_escaped))
}

impl Layer {
    pub(super) fn arrow_line(&mut self, outer: &Frame<'_>, line: &[u8], is_escaped: bool, emit: Emit<'_>) {
        let frame = Frame { position: line_of(outer), altered: true, ..*outer };
        let start = event_start(line);
        // The fields of a csvlog, over one line or several.
        let has_fields = start.is_some() && memchr::memmem::find(line, b"\"error_severity\"=>\"").is_some();
        if has_fields || (start.is_none() && !self.block.text.is_empty()) {
            if start.is_some() {
                self.finish_block(outer, emit); // one without an end is not understood
            } else {
                self.block.text.push(b'\n');
            }
            self.block.text.extend_from_slice(line);
            if line.ends_with(b"\"}]") || self.block.text.len() > MAX_MESSAGE_BYTES {
                let event = std::mem::take(&mut self.block.text);
                emit(&frame, &jsonlog_line(&fields(&event, is_escaped)));
            }
            return;
        }
        let (continued, text) = match start {
            Some((time, text)) => {
                self.block.time = time.to_vec();
                (false, text)
            }
            None if self.is_quoted => (true, line),
            None => return emit(outer, line), // not understood
        };
        let end = text_end(text);
        self.is_quoted = end.is_none();
        let text = &text[..end.unwrap_or(text.len())];
        let time = std::mem::take(&mut self.block.time);
        let frame = Frame { time: &time, continued, ..frame };
        if is_escaped {
            self.lines(&frame, &unescaped(text, Escapes::All), false, emit);
        } else {
            emit(&frame, text);
        }
        self.block.time = time;
    }
}
