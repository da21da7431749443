//! JSON documents, one after the other: compact lines or indented ones. Only their ends are
//! found here, not their sense.

use std::ops::Range;

use anyhow::Result;

use super::{Cursor, Flow, Reader};
use crate::output::Messages;

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

/// Hands on each document of an input, with its place; `idle` runs before a read that may wait.
///
/// # Errors
/// What `each` or `idle` returns. A read that fails is reported and ends the file.
pub fn documents(
    file: &str,
    reader: &mut Reader,
    messages: &Messages,
    each: &mut dyn FnMut(&[u8], Cursor) -> Result<Flow>,
    idle: &mut dyn FnMut() -> Result<()>,
) -> Result<Flow> {
    let mut at = Cursor::default();
    loop {
        let mut used = 0;
        while let Some(range) = next_document(reader.bytes(), used, reader.is_complete()) {
            let place = at.after(&reader.bytes()[used..range.start]);
            let flow = each(&reader.bytes()[range.clone()], place)?;
            at = place.after(&reader.bytes()[range.clone()]);
            used = range.end;
            if flow == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
        reader.consume(used);
        if reader.is_complete() {
            return Ok(Flow::Continue);
        }
        idle()?;
        if let Err(problem) = reader.fill() {
            messages.unreadable(file, &problem);
            return Ok(Flow::Continue);
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
