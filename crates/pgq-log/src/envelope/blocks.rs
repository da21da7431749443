//! Envelopes whose events are blocks of lines: `journalctl -o export` and `-o verbose`, and rows of CSV.

use serde_json::Value;

use super::block::Block;
use super::layer::{Emit, Layer, line_of};
use super::times::full_len;
use crate::format::frame::Frame;

impl Layer {
    /// Reads a `KEY=value` line. An empty line ends a block.
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

    pub(super) fn finish_block(&mut self, outer: &Frame<'_>, emit: Emit<'_>) {
        self.finish_scalar();
        let Block { time, pid, text, .. } = std::mem::take(&mut self.block);
        if !text.is_empty() {
            // Journald replaces an empty line of a statement with a tab.
            let end = text.iter().rposition(|b| !matches!(b, b'\n' | b'\r')).map_or(0, |at| at + 1);
            self.lines(
                &Frame { position: line_of(outer), altered: true, time: &time, pid, ..*outer },
                &text[..end],
                false,
                emit,
            );
        }
    }

    /// Reads a line with the time of an event, a field, or the continuation of a field. A field is indented by four
    /// blanks. A continuation line is indented further.
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
            // Omits the day of the week.
            self.block.time = line[4..time].to_vec();
        } else if let Some(text) = line.strip_prefix(MESSAGE) {
            self.block.text = text.to_vec();
            self.block.indent = Some(MESSAGE.len());
        } else if let Some(pid) = line.strip_prefix(b"    _PID=") {
            self.block.pid = number(pid);
        } else if !line.starts_with(b"    ") && !line.starts_with(b"-- ") {
            emit(&Frame { position: line_of(outer), altered: true, ..*outer }, line); // not recognized
        }
    }

    /// Reads a line of CSV, which may be part of a row.
    pub(super) fn csv_line(&mut self, outer: &Frame<'_>, line: &[u8], emit: Emit<'_>) {
        let outer = &Frame { position: line_of(outer), altered: true, ..*outer };
        match self.csv.line(line) {
            Some(row) => self.value(outer, Value::Object(row), emit),
            None => {
                let broken = self.csv.take_broken();
                if !broken.is_empty() {
                    emit(outer, &broken); // not recognized
                }
            }
        }
    }
}

/// Start of the line with the message in `journalctl -o verbose`.
pub const MESSAGE: &[u8] = b"    MESSAGE=";

fn number(digits: &[u8]) -> u32 {
    std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok()).unwrap_or(0)
}
