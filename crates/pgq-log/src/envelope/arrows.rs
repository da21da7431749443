//! What Fluent Bit prints on its output: `[0] tag: [[time, {}], {"log"=>"text", "stream"=>"stderr"}]`. It writes texts as
//! they are, line breaks among them; programs between may have escaped them.

use super::layer::{Emit, Layer, line_of};
use super::logfmt::TEXTS;
use super::times::digits;
use crate::frame::Frame;

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
    let texts = lines.iter().filter_map(|line| Some(&event_start(line)?.1[..text_end(event_start(line)?.1)?]));
    let mut quotes =
        texts.flat_map(|text| memchr::memchr_iter(b'"', text).map(move |at| at > 0 && text[at - 1] == b'\\'));
    quotes.next().is_some_and(|first| first && quotes.all(|is_escaped| is_escaped))
}

impl Layer {
    pub(super) fn arrow_line(&mut self, outer: &Frame<'_>, line: &[u8], is_escaped: bool, emit: Emit<'_>) {
        let frame = Frame { position: line_of(outer), altered: true, ..*outer };
        let start = event_start(line);
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
            self.lines(&frame, &super::escaped::unescaped(text, super::escaped::Escapes::All), false, emit);
        } else {
            emit(&frame, text);
        }
        self.block.time = time;
    }
}
