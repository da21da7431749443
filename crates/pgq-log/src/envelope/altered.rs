//! Undoes changes by other programs: HTML entities instead of characters, a different separator in a csvlog, and the
//! escapes of escaped.rs. Undoes a change only if the sample is unambiguous.

use super::escaped::{inner, unescaped};
use super::layer::{Emit, Layer, line_of};
use super::table::Escapes;
use crate::format::frame::Frame;
use crate::format::syslog_escape::decode_escapes;
use crate::time::timestamp::timestamp_len;

const ENTITIES: [(&[u8], &[u8]); 13] = [
    (b"&amp;", b"&"),
    (b"&lt;", b"<"),
    (b"&gt;", b">"),
    (b"&quot;", b"\""),
    (b"&#39;", b"'"),
    (b"&#x27;", b"'"),
    (b"&#34;", b"\""),
    (b"&apos;", b"'"),
    (b"&nbsp;", b" "),
    (b"&#9;", b"\t"),
    (b"&#x9;", b"\t"),
    (b"&#13;", b""),
    (b"&#xD;", b""),
];

pub fn entity(text: &[u8]) -> Option<(usize, &'static [u8])> {
    ENTITIES.iter().find(|(entity, _)| text.starts_with(entity)).map(|(entity, character)| (entity.len(), *character))
}

/// Whether lines are HTML. In HTML, every reserved character is an entity. At least one entity must be outside string
/// literals, in place of an SQL operator or a quote.
pub fn is_html(lines: &[&[u8]]) -> bool {
    let is_whole = |line: &&[u8]| {
        memchr::memchr2(b'<', b'>', line).is_none()
            && memchr::memchr_iter(b'&', line).all(|at| entity(&line[at..]).is_some())
    };
    let is_outside = |line: &&[u8]| {
        memchr::memchr_iter(b'&', line).any(|at| memchr::memchr_iter(b'\'', &line[..at]).count().is_multiple_of(2))
    };
    lines.iter().any(is_outside) && lines.iter().all(is_whole)
}

/// Whether lines are rows of a csvlog with `separator`. Ignores continuation lines.
pub fn is_separated(lines: &[&[u8]], separator: u8) -> bool {
    /// Number of separators in a row of PostgreSQL 8.4. Later versions have more.
    const LEAST: usize = 22;
    let is_row = |line: &&&[u8]| {
        let time = timestamp_len(line);
        time > 0
            && line.get(time) == Some(&separator)
            && matches!(line.get(time + 1), Some(next) if *next == separator || *next == b'"')
    };
    let rows: Vec<&&[u8]> = lines.iter().filter(is_row).collect();
    rows.len() * 4 >= lines.len() && rows.iter().any(|line| memchr::memchr_iter(separator, line).count() >= LEAST)
}

impl Layer {
    pub(super) fn escaped_line(&mut self, outer: &Frame<'_>, line: &[u8], escapes: Escapes, emit: Emit<'_>) {
        let text = if escapes == Escapes::Quoted { inner(line) } else { Some(line) };
        let Some(text) = text else { return emit(outer, line) }; // not recognized
        let outer = &Frame { position: line_of(outer), altered: true, ..*outer };
        if escapes != Escapes::Octal {
            return self.lines(outer, &unescaped(text, escapes), false, emit);
        }
        let mut decoded = std::mem::take(&mut self.decoded);
        decode_escapes(text, &mut decoded);
        self.lines(outer, &decoded, false, emit);
        self.decoded = decoded;
    }

    pub(super) fn html_line(&mut self, outer: &Frame<'_>, line: &[u8], emit: Emit<'_>) {
        let (mut text, mut rest) = (Vec::with_capacity(line.len()), line);
        while let Some(at) = memchr::memchr(b'&', rest) {
            let (len, character) = entity(&rest[at..]).unwrap_or((1, b"&"));
            text.extend_from_slice(&rest[..at]);
            text.extend_from_slice(character);
            rest = &rest[at + len..];
        }
        text.extend_from_slice(rest);
        emit(&Frame { position: line_of(outer), altered: true, ..*outer }, &text);
    }

    /// Replaces separators outside quotes with commas.
    pub(super) fn separated_line(&mut self, outer: &Frame<'_>, line: &[u8], separator: u8, emit: Emit<'_>) {
        let mut text = line.to_vec();
        for byte in &mut text {
            match *byte {
                b'"' => self.is_quoted ^= true,
                other if other == separator && !self.is_quoted => *byte = b',',
                _ => {}
            }
        }
        emit(outer, &text);
    }
}
