//! YAML documents of `gcloud logging read`, one per event. Reads the text and the time.

use super::sources::add_name;

/// The current event.
#[derive(Default)]
pub struct YamlEvent {
    pub time: Vec<u8>,
    /// Names of the event's source.
    pub names: String,
    /// Lines of the scalar after `textPayload:`.
    text: Vec<Vec<u8>>,
    /// Whether the last line was part of the value of `textPayload`.
    is_in_text: bool,
}

impl YamlEvent {
    /// Reads a line of a document. The scalar after `textPayload:` may have any YAML style. Returns whether the line
    /// ends the event.
    pub fn line(&mut self, line: &[u8]) -> bool {
        if self.is_in_text && (line.is_empty() || line.starts_with(b" ")) {
            self.text.push(line.to_vec());
            return false;
        }
        self.is_in_text = false;
        if let Some(text) = line.strip_prefix(b"textPayload: ") {
            (self.text, self.is_in_text) = (vec![text.to_vec()], true);
        } else if let Some(time) = line.strip_prefix(b"timestamp: ") {
            self.time = time.trim_ascii().iter().copied().filter(|b| !b"'\"".contains(b)).collect();
        } else if let Some((key, value)) = String::from_utf8_lossy(line).trim().split_once(": ") {
            add_name("", key, value, &mut self.names);
        }
        line == b"---"
    }

    /// Returns the decoded text of the event, or `None` if the event has no text.
    pub fn text(&self) -> Option<Vec<u8>> {
        (!self.text.is_empty()).then(|| {
            let mut text = text(&self.text);
            while text.last() == Some(&b'\n') {
                text.pop();
            }
            text
        })
    }
}

/// Returns the text of a scalar. The first of `lines` is the rest of the line that contains the
/// key.
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
        _ => folded(lines.iter().map(Vec::as_slice), false).trim_ascii_end().to_vec(),
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

/// Decodes a double-quoted scalar (YAML 1.2, section 5.7).
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
                    '0' => '\0',
                    'a' => '\x07',
                    'b' => '\x08',
                    't' => '\t',
                    'n' => '\n',
                    'v' => '\x0b',
                    'f' => '\x0c',
                    'r' => '\r',
                    'e' => '\x1b',
                    'N' => '\u{85}',
                    '_' => '\u{a0}',
                    'L' => '\u{2028}',
                    'P' => '\u{2029}',
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
