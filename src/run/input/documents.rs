//! Finds the boundaries of concatenated JSON documents without parsing them. A document may be compact or indented.

use std::io;
use std::ops::Range;

use pgq_log::{BeforeWait, ByteSource, FilePosition};

use super::reader::Reader;

/// Returns the next document at or after byte `from`. Returns `None` if there are no more documents, or if the document
/// may continue after `bytes`. If `complete` is true, `bytes` extends to the end of the input.
///
/// A line that starts with `{` always begins a new document. Therefore a document that lacks its last brace ends before
/// the next such line, and not at the end of the file. A value that is not an object ends at the end of its line.
fn next_document(bytes: &[u8], from: usize, complete: bool) -> Option<Range<usize>> {
    let start = from + bytes[from..].iter().position(|b| !b.is_ascii_whitespace())?;
    if bytes[start] != b'{' {
        let end = memchr::memchr(b'\n', &bytes[start..]).map_or(bytes.len(), |len| start + len);
        return (complete || end < bytes.len()).then_some(start..end);
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

/// Minimum bytes of a chunk.
const CHUNK_BYTES: usize = 64 * 1024;

/// Consecutive JSON documents of a file.
#[derive(Debug)]
pub struct JsonDocuments {
    bytes: Vec<u8>,
    /// Position of the first byte.
    start: FilePosition,
    ranges: Vec<Range<usize>>,
}

impl JsonDocuments {
    /// Iterates over the documents and their positions.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], FilePosition)> {
        let (mut position, mut end) = (self.start, 0);
        self.ranges.iter().map(move |range| {
            let start = position.after(&self.bytes[end..range.start]);
            position = start.after(&self.bytes[range.clone()]);
            end = range.end;
            (&self.bytes[range.clone()], start)
        })
    }
}

/// Splits an input into chunks of documents.
#[derive(Default)]
pub struct DocumentSplitter {
    position: FilePosition,
}

impl DocumentSplitter {
    /// Returns the next documents, or `None` at the end.
    ///
    /// # Errors
    /// Reading fails.
    pub fn next(&mut self, reader: &mut Reader, before_wait: BeforeWait<'_>) -> io::Result<Option<JsonDocuments>> {
        // Format detection may already have read the start of the file, including a byte order mark. In this case, skip
        // the mark here.
        reader.skip_byte_order_mark(&mut self.position);
        loop {
            let (mut ranges, mut end) = (Vec::new(), 0);
            while end < CHUNK_BYTES
                && let Some(range) = next_document(reader.bytes(), end, reader.is_complete())
            {
                end = range.end;
                ranges.push(range);
            }
            if !ranges.is_empty() {
                let start = self.position;
                let bytes = reader.bytes()[..end].to_vec();
                reader.consume(end);
                self.position = start.after(&bytes);
                return Ok(Some(JsonDocuments { bytes, start, ranges }));
            }
            if !reader.read_more(&mut self.position, before_wait)? {
                return Ok(None);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::next_document;

    #[test]
    fn documents_end_at_their_bracket_or_before_the_next_document() {
        let text = b" {\"a\":\"}\\\"\"}\n{\n  \"b\": [{}]\n}\n{\"broken\": [\n{\"c\":1}\nnoise\n";
        let (mut from, mut documents) = (0, Vec::new());
        while let Some(range) = next_document(text, from, true) {
            from = range.end;
            documents.push(String::from_utf8_lossy(&text[range]).trim().to_string());
        }
        assert_eq!(documents, ["{\"a\":\"}\\\"\"}", "{\n  \"b\": [{}]\n}", "{\"broken\": [", "{\"c\":1}", "noise"]);
        assert_eq!(next_document(b"{\"a\":", 0, false), None);
    }
}
