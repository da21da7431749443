//! Envelopes in which an event is a block of lines: what journald writes for export and in full, and the YAML of
//! gcloud.

use super::layer::{Emit, Layer, line_of};
use super::pattern::full_len;
use crate::frame::Frame;

/// The fields of a block that matter.
#[derive(Default)]
pub struct Block {
    time: Vec<u8>,
    pid: u32,
    text: Vec<u8>,
    /// Inside of the text, and how far it is indented.
    indent: Option<usize>,
}

impl Layer {
    /// `KEY=value` lines; an empty line ends a block.
    pub(super) fn export_line(&mut self, outer: &Frame<'_>, line: &[u8], emit: Emit<'_>) {
        let value = |key: &[u8]| line.strip_prefix(key).and_then(|rest| rest.strip_prefix(b"="));
        if let Some(text) = value(b"MESSAGE") {
            self.block.text = text.to_vec();
        } else if let Some(time) = value(b"__REALTIME_TIMESTAMP").filter(|time| time.len() > 10) {
            self.block.time = [&time[..10], b".", &time[10..]].concat();
        } else if let Some(pid) = value(b"_PID").or_else(|| value(b"SYSLOG_PID")) {
            self.block.pid = number(pid);
        } else if line.is_empty() {
            self.finish_block(outer, emit);
        }
    }

    /// `textPayload: text`, in quotes, or as an indented block behind `|-`.
    pub(super) fn yaml_line(&mut self, outer: &Frame<'_>, line: &[u8], emit: Emit<'_>) {
        if let Some(indent) = self.block.indent {
            let blanks = line.iter().take_while(|b| **b == b' ').count();
            let indent = if indent == 0 { blanks } else { indent };
            if line.is_empty() || (blanks >= indent && indent > 0) {
                self.block.indent = Some(indent);
                if !self.block.text.is_empty() {
                    self.block.text.push(b'\n');
                }
                self.block.text.extend_from_slice(line.get(indent..).unwrap_or_default());
                return;
            }
            self.block.indent = None;
        }
        if let Some(text) = line.strip_prefix(b"textPayload: ") {
            match text.first() {
                Some(b'|' | b'>') => self.block.indent = Some(0),
                Some(b'"') => {
                    self.block.text =
                        serde_json::from_slice::<String>(text).map_or_else(|_| text.to_vec(), String::into_bytes)
                }
                Some(b'\'') => {
                    self.block.text = String::from_utf8_lossy(text).trim_matches('\'').replace("''", "'").into_bytes()
                }
                _ => self.block.text = text.to_vec(),
            }
        } else if let Some(time) = line.strip_prefix(b"timestamp: ") {
            self.block.time = time.trim_ascii().iter().copied().filter(|b| !b"'\"".contains(b)).collect();
        } else if line == b"---" {
            self.finish_block(outer, emit);
        }
    }

    pub(super) fn finish_block(&mut self, outer: &Frame<'_>, emit: Emit<'_>) {
        let Block { time, pid, text, .. } = std::mem::take(&mut self.block);
        if !text.is_empty() {
            self.lines(
                &Frame { position: line_of(outer), altered: true, time: &time, pid, ..*outer },
                text.trim_ascii_end(),
                false,
                emit,
            );
        }
    }

    /// The time of an event, and its fields, indented by four blanks; further lines of a text by more.
    pub(super) fn verbose_line(&mut self, outer: &Frame<'_>, line: &[u8], emit: Emit<'_>) {
        if let Some(indent) = self.block.indent {
            if line.len() >= indent && line[..indent].iter().all(|b| *b == b' ') {
                self.block.text.push(b'\n');
                return self.block.text.extend_from_slice(&line[indent..]);
            }
            self.block.indent = None;
        }
        let time = full_len(line);
        if time > 0 {
            self.finish_block(outer, emit);
            self.block.time = line[..time].to_vec();
        } else if let Some(text) = line.strip_prefix(MESSAGE) {
            self.block.text = text.to_vec();
            self.block.indent = Some(MESSAGE.len());
        } else if let Some(pid) = line.strip_prefix(b"    _PID=") {
            self.block.pid = number(pid);
        } else if !line.starts_with(b"    ") && !line.starts_with(b"-- ") {
            emit(&Frame { position: line_of(outer), altered: true, ..*outer }, line); // not understood
        }
    }
}

/// Where `journalctl -o verbose` has the text of an event.
pub const MESSAGE: &[u8] = b"    MESSAGE=";

fn number(digits: &[u8]) -> u32 {
    std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok()).unwrap_or(0)
}
