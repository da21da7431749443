//! Envelopes in which an event is a block of lines that a collector prints for people: of OpenTelemetry, and of
//! Logstash.

use super::layer::{Emit, Layer};
use super::times::go_len;
use crate::format::frame::Frame;

/// What a block of OpenTelemetry starts with, and its text.
pub const RECORD: &[u8] = b"LogRecord #";
pub const BODY: &[u8] = b"Body: Str(";

impl Layer {
    /// `Body: Str(text)`, whose further lines follow as they are, between lines with other names.
    pub(super) fn debug_line(&mut self, outer: &Frame<'_>, line: &[u8], emit: Emit<'_>) {
        if line.starts_with(RECORD) {
            return self.finish_block(outer, emit);
        }
        let block = &mut self.block;
        let time = line.strip_prefix(b"ObservedTimestamp: ").or_else(|| line.strip_prefix(b"Timestamp: "));
        if let Some(text) = line.strip_prefix(BODY) {
            // An empty line is one, too.
            block.text = if text == b")" { b"\n".to_vec() } else { text.to_vec() };
            block.indent = Some(0);
        } else if block.indent.is_some() && !line.starts_with(b"Attributes:") && !line.starts_with(b"Trace ID:") {
            block.text.push(b'\n');
            block.text.extend_from_slice(line);
        } else if block.indent.take().is_some() {
            block.text.truncate(block.text.len() - usize::from(block.text.ends_with(b")")));
        } else if let Some(time) = time.filter(|time| go_len(time) > 0 && !time.starts_with(b"1970")) {
            block.time = time[..memchr::memrchr(b' ', time).unwrap_or(time.len())].to_vec();
        }
    }

    /// `"name" => value,` lines between braces.
    pub(super) fn ruby_line(&mut self, outer: &Frame<'_>, line: &[u8], emit: Emit<'_>) {
        if line == b"}" {
            self.finish_block(outer, emit);
        } else if let Some(text) = ruby_value(line, b"message") {
            self.block.text = ruby_text(text);
        } else if let Some(time) = ruby_value(line, b"@timestamp") {
            self.block.time = time.iter().copied().filter(|b| *b != b'"').collect();
        }
    }
}

/// Whether a text starts with a block of Ruby, which begins like an object of JSON.
pub fn is_printed_by_ruby(text: &[u8]) -> bool {
    let mut lines = text.split(|b| *b == b'\n').filter(|line| !line.trim_ascii().is_empty()).take(2);
    lines.next() == Some(b"{") && lines.next().is_some_and(|line| memchr::memmem::find(line, b"\" => ").is_some())
}

/// The value of a name, without the comma behind it.
pub fn ruby_value<'a>(line: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let rest = line.trim_ascii_start().strip_prefix(b"\"")?.strip_prefix(name)?.strip_prefix(b"\" => ")?;
    Some(rest.strip_suffix(b",").unwrap_or(rest))
}

/// The text of a literal of Ruby, whose escapes are mostly those of JSON.
fn ruby_text(literal: &[u8]) -> Vec<u8> {
    let json = String::from_utf8_lossy(literal).replace("\\#", "#").replace("\\e", "\\u001b");
    serde_json::from_str::<String>(&json).map_or_else(|_| literal.to_vec(), String::into_bytes)
}
