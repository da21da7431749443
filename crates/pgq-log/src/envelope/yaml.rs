//! YAML events of `gcloud logging read` and `aws`: documents or list items. Reads the text and the time, as scalars of
//! any style.

use super::block::Scalar;
use super::layer::{Emit, Layer, line_of};
use crate::format::frame::Frame;

impl Layer {
    /// Reads `textPayload: text` or `message: text`, in any style.
    pub(super) fn yaml_line(&mut self, outer: &Frame<'_>, line: &[u8], emit: Emit<'_>) {
        let mut indent = line.iter().take_while(|b| **b == b' ').count();
        if let Some(scalar) = &mut self.block.scalar
            && (line.len() == indent || indent > scalar.indent)
        {
            return scalar.lines.push(line.to_vec());
        }
        self.finish_scalar();
        let mut rest = &line[indent..];
        if rest == b"---" {
            return self.finish_block(outer, emit);
        }
        if let Some(item) = rest.strip_prefix(b"- ") {
            if indent == 0 {
                self.finish_block(&Frame { position: line_of(outer), ..*outer }, emit);
            }
            (indent, rest) = (indent + 2, item);
        }
        let text = rest.strip_prefix(b"textPayload: ").or_else(|| rest.strip_prefix(b"message: "));
        if let Some(text) = text {
            self.block.scalar = Some(Scalar { indent, lines: vec![text.to_vec()] });
        } else if let Some(time) = rest.strip_prefix(b"timestamp: ") {
            let time = time.trim_ascii().iter().copied().filter(|b| !b"'\"".contains(b)).collect::<Vec<u8>>();
            // The time is in milliseconds since 1970.
            let is_number = time.len() == 13 && time.iter().all(u8::is_ascii_digit);
            self.block.time = if is_number { [&time[..10], b".", &time[10..]].concat() } else { time };
        }
    }

    pub(super) fn finish_scalar(&mut self) {
        if let Some(scalar) = self.block.scalar.take() {
            self.block.text = text(&scalar.lines);
        }
    }
}

/// Returns the text of a scalar. The first of `lines` is the rest of the key's line.
fn text(lines: &[Vec<u8>]) -> Vec<u8> {
    let (first, further) = lines.split_first().expect("the line of the key");
    match first.first() {
        Some(b'|' | b'>') => {
            let blanks = |line: &[u8]| line.iter().take_while(|b| **b == b' ').count();
            let indent = further.iter().find(|line| line.len() > blanks(line)).map_or(0, |line| blanks(line));
            let lines: Vec<&[u8]> = further.iter().map(|line| line.get(indent..).unwrap_or_default()).collect();
            if first[0] == b'|' { lines.join(&b'\n') } else { folded(lines.into_iter(), false) }
        }
        Some(b'"') => unescaped(&folded(lines.iter().map(Vec::as_slice), true)),
        Some(b'\'') => {
            let text = folded(lines.iter().map(Vec::as_slice), false);
            let inner = text.strip_prefix(b"'").unwrap_or(&text);
            String::from_utf8_lossy(inner.strip_suffix(b"'").unwrap_or(inner)).replace("''", "'").into_bytes()
        }
        _ => folded(lines.iter().map(Vec::as_slice), false),
    }
}

/// Joins lines with blanks. An empty line is a line break. With `escapes`, a backslash at the end of a line suppresses
/// the blank.
fn folded<'a>(lines: impl Iterator<Item = &'a [u8]>, escapes: bool) -> Vec<u8> {
    let (mut text, mut breaks, mut is_joined) = (Vec::new(), 0, true);
    for (index, line) in lines.enumerate() {
        let line = if index == 0 { line } else { line.trim_ascii_start() };
        if line.is_empty() {
            breaks += 1;
            continue;
        }
        match breaks {
            0 if is_joined => {}
            0 => text.push(b' '),
            breaks => text.extend(std::iter::repeat_n(b'\n', breaks)),
        }
        breaks = 0;
        let backslashes = line.iter().rev().take_while(|b| **b == b'\\').count();
        is_joined = escapes && backslashes % 2 == 1;
        text.extend_from_slice(if is_joined { &line[..line.len() - 1] } else { line });
    }
    text
}

/// Decodes a double-quoted scalar.
fn unescaped(quoted: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(quoted);
    let (mut out, mut characters) = (String::new(), text.strip_prefix('"').unwrap_or(&text).chars());
    while let Some(character) = characters.next() {
        match character {
            '"' => break,
            '\\' => {
                let escape = characters.next().unwrap_or('\\');
                let digits = match escape {
                    'x' => 2,
                    'u' => 4,
                    'U' => 8,
                    _ => 0,
                };
                let hex: String = characters.by_ref().take(digits).collect();
                out.push(match escape {
                    'n' => '\n',
                    't' => '\t',
                    'r' => '\r',
                    'e' => '\x1b',
                    '0' => '\0',
                    'N' => '\u{85}',
                    '_' => '\u{a0}',
                    'x' | 'u' | 'U' => {
                        u32::from_str_radix(&hex, 16).ok().and_then(char::from_u32).unwrap_or('\u{fffd}')
                    }
                    other => other,
                });
            }
            other => out.push(other),
        }
    }
    out.into_bytes()
}
