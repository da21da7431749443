//! JSON documents, one after the other: compact lines or indented ones. Only their ends are
//! found here, not their sense.

use std::io;
use std::ops::Range;

use pgq_log::BeforeWait;

use super::source::more;
use super::{Cursor, Reader};

/// The next document in `bytes` from `at`: `None` when there is none or, with more to come,
/// when its end is not certain.
///
/// A line that starts with `{` begins a new document whatever came before, so that a
/// broken one does not swallow the rest. What is no object ends with its line.
fn next_document(bytes: &[u8], at: usize, complete: bool) -> Option<Range<usize>> {
    let start = at + bytes[at..].iter().position(|b| !b.is_ascii_whitespace())?;
    let certain = |end: usize| (complete || end < bytes.len()).then_some(start..end);
    if bytes[start] != b'{' {
        return certain(memchr::memchr(b'\n', &bytes[start..]).map_or(bytes.len(), |len| start + len));
    }
    let (mut depth, mut in_string, mut escaped) = (0usize, false, false);
    for (i, &byte) in bytes.iter().enumerate().skip(start) {
        match byte {
            b'{' if i > start && bytes[i - 1] == b'\n' => return Some(start..i),
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => depth += 1,
            b'}' | b']' if !in_string => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(start..i + 1);
                }
            }
            _ => {}
        }
    }
    complete.then_some(start..bytes.len())
}

/// Bytes after which a chunk is handed on.
const ENOUGH: usize = 64 * 1024;

/// Whole documents.
#[derive(Debug)]
pub struct Documents {
    pub bytes: Vec<u8>,
    /// The place of the first byte.
    pub start: Cursor,
    pub ranges: Vec<Range<usize>>,
}

impl Documents {
    /// Each document and its place.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], Cursor)> {
        let (mut at, mut used) = (self.start, 0);
        self.ranges.iter().map(move |range| {
            let place = at.after(&self.bytes[used..range.start]);
            at = place.after(&self.bytes[range.clone()]);
            used = range.end;
            (&self.bytes[range.clone()], place)
        })
    }
}

/// Cuts an input into chunks of documents.
#[derive(Default)]
pub struct DocumentReader {
    at: Cursor,
}

impl DocumentReader {
    /// The next documents; `None` at the end.
    ///
    /// # Errors
    /// A failed read.
    pub fn next(&mut self, reader: &mut Reader, before_wait: BeforeWait<'_>) -> io::Result<Option<Documents>> {
        loop {
            let (mut ranges, mut used) = (Vec::new(), 0);
            while used < ENOUGH
                && let Some(range) = next_document(reader.bytes(), used, reader.is_complete())
            {
                used = range.end;
                ranges.push(range);
            }
            if !ranges.is_empty() {
                let start = self.at;
                let bytes = reader.bytes()[..used].to_vec();
                reader.consume(used);
                self.at = start.after(&bytes);
                return Ok(Some(Documents { bytes, start, ranges }));
            }
            if !more(reader, &mut self.at, before_wait)? {
                return Ok(None);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::next_document;

    #[test]
    fn documents_end_at_their_bracket_or_where_the_next_begins() {
        let text = b" {\"a\":\"}\\\"\"}\n{\n  \"b\": [{}]\n}\n{\"broken\": [\n{\"c\":1}\nnoise\n";
        let (mut at, mut found) = (0, Vec::new());
        while let Some(range) = next_document(text, at, true) {
            at = range.end;
            found.push(String::from_utf8_lossy(&text[range]).trim().to_string());
        }
        assert_eq!(found, ["{\"a\":\"}\\\"\"}", "{\n  \"b\": [{}]\n}", "{\"broken\": [", "{\"c\":1}", "noise"]);
        assert_eq!(next_document(b"{\"a\":", 0, false), None);
    }
}
