//! Reads docker's JSON lines without creating a JSON value, if the keys are in docker's order. object.rs reads the
//! other lines.

use super::layer::Layer;
use crate::format::frame::{Emit, Frame};
use crate::format::json_escape::decode_escapes;

impl Layer {
    /// Reads a line of docker: `{"log":"…\n","stream":"stderr","time":"…"}`. Returns `None` if the line has another
    /// form.
    pub(super) fn docker_line(&mut self, outer: &Frame<'_>, line: &[u8], emit: Emit<'_>) -> Option<()> {
        let text = line.strip_prefix(b"{\"log\":\"")?;
        let (mut end, mut first_escape) = (0, None);
        loop {
            end += memchr::memchr2(b'"', b'\\', text.get(end..)?)?;
            if text[end] == b'"' {
                break;
            }
            first_escape.get_or_insert(end);
            end += 2;
        }
        let rest = text[end..].strip_prefix(b"\",\"stream\":\"std")?;
        let is_stdout = rest.starts_with(b"out");
        let rest = rest.strip_prefix(b"err").or_else(|| rest.strip_prefix(b"out"))?;
        let rest = rest.strip_prefix(b"\",\"time\":\"")?;
        let (time, rest) = rest.split_at(memchr::memchr(b'"', rest).filter(|_| rest.ends_with(b"\"}"))?);
        if rest.len() != 2 {
            return None;
        }
        let frame = Frame { time, is_stdout, ..*outer };
        // Usually the line break is the only escape.
        if let Some(line) = text[..end].strip_suffix(b"\\n").filter(|line| first_escape == Some(line.len())) {
            self.splits.join(&frame, line, false, emit);
            return Some(());
        }
        let mut decoded = std::mem::take(&mut self.decoded);
        decoded.clear();
        decoded.extend_from_slice(&text[..end]);
        let len = decode_escapes(&mut decoded);
        if let Some(len) = len {
            // The text of a line ends in a line break. Text without a line break is a part of a line that docker has
            // split.
            match decoded[..len].strip_suffix(b"\n") {
                Some(line) => self.splits.join(&frame, line, false, emit),
                None => self.splits.join(&frame, &decoded[..len], true, emit),
            }
        }
        self.decoded = decoded;
        len.map(|_| ())
    }
}
