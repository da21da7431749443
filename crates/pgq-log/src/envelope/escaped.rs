//! Messages in which a program has replaced line breaks and tabs by `\n` and `\t`. Examples are the text format of
//! `COPY`, tab-separated output, and printed lists of strings. Decodes the escapes only if the sample is unambiguous.

use super::table::Escapes;
use crate::format::csvlog::looks_like_row;
use crate::message::label::{Label, find_label};
use crate::time::timestamp::timestamp_len;

/// Whether lines contain escapes of this set.
pub fn is_escaped(lines: &[&[u8]], escapes: Escapes) -> bool {
    if lines.iter().any(|line| line.starts_with(b"\t")) {
        return false;
    }
    // Excludes labels in a JSON object that is a string of another JSON object.
    let is_label = |line: &[u8], start: usize| start < 512 && memchr::memmem::find(&line[..start], b"\":").is_none();
    let is_message = |line: &[u8]| {
        is_row(line) || matches!(find_label(line), Some((start, Label::Primary(_), _)) if is_label(line, start))
    };
    if escapes == Escapes::Quoted {
        let texts: Vec<&[u8]> = lines.iter().filter_map(|line| inner(line)).collect();
        return texts.len() * 4 > lines.len() * 3 && texts.iter().filter(|text| is_message(text)).count() > 1;
    }
    if escapes == Escapes::Octal {
        return lines.iter().any(|line| memchr::memmem::find(line, b"#012#011").is_some() && is_message(line));
    }
    if !lines.iter().any(|line| memchr::memmem::find(line, b"\\n\\t").is_some()) {
        return false;
    }
    // Most lines must start with a message, because a label in the middle may belong to another program.
    lines.iter().filter(|line| is_message(line)).count() * 2 > lines.len()
        && lines.iter().any(|line| is_message(line) && has_break(line))
        && lines.iter().all(|line| has_whole_escapes(line)) == (escapes == Escapes::All)
}

/// Whether a line is a row of a csvlog.
fn is_row(line: &[u8]) -> bool {
    /// Number of commas in a row of PostgreSQL 8.4. Later versions have more.
    const LEAST_COMMAS: usize = 22;
    // Excludes rows with JSON in the second column.
    let has_text = line.get(timestamp_len(line) + 2).is_some_and(|second| *second != b'{');
    looks_like_row(line) && has_text && memchr::memchr_iter(b',', line).nth(LEAST_COMMAS - 1).is_some()
}

/// Whether a line has an escaped continuation line (`\n\t`) outside quotes, where SQL has no backslash.
fn has_break(line: &[u8]) -> bool {
    let is_outside = |at: usize| {
        let is_even = |quote: u8| memchr::memchr_iter(quote, &line[..at]).count().is_multiple_of(2);
        // In csvlog rows, `"` encloses fields.
        is_even(b'\'') && (is_even(b'"') || is_row(line))
    };
    memchr::memmem::find_iter(line, b"\\n\\t").any(is_outside)
}

/// Whether every backslash of a line starts an escape.
fn has_whole_escapes(line: &[u8]) -> bool {
    let mut rest = line;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        match rest.get(at + 1) {
            Some(b'n' | b't' | b'r' | b'b' | b'f' | b'\\' | b'"' | b'\'' | b'/' | b'u' | b'x' | b'N') => {
                rest = &rest[at + 2..]
            }
            _ => return false,
        }
    }
    true
}

/// Returns the contents of a line's quoted string, which may be an item of a list.
pub fn inner(line: &[u8]) -> Option<&[u8]> {
    let text = line.trim_ascii();
    let text = text.strip_prefix(b"- ").unwrap_or(text);
    let text = text.strip_prefix(b"b").filter(|rest| rest.starts_with(b"'") || rest.starts_with(b"\"")).unwrap_or(text);
    let text = text.strip_suffix(b",").unwrap_or(text);
    let (quote, rest) = text.split_first().filter(|(quote, _)| matches!(quote, b'\'' | b'"'))?;
    let inner = rest.strip_suffix(&[*quote])?;
    // Every quote inside the string must be escaped.
    let is_escaped = |at: usize| inner[..at].iter().rev().take_while(|b| **b == b'\\').count() % 2 == 1;
    memchr::memchr_iter(*quote, inner).all(is_escaped).then_some(inner)
}

pub fn unescaped(text: &[u8], escapes: Escapes) -> Vec<u8> {
    let (mut out, mut rest) = (Vec::with_capacity(text.len()), text);
    while let Some(at) = memchr::memchr(b'\\', rest) {
        out.extend_from_slice(&rest[..at]);
        let escape = rest.get(at + 1).copied().unwrap_or(b'\\');
        let after = rest.get(at + 2..).unwrap_or_default();
        let hex = |digits: usize| {
            let text = std::str::from_utf8(after.get(..digits)?).ok()?;
            u32::from_str_radix(text, 16).ok()
        };
        rest = after;
        match escape {
            b'n' => out.push(b'\n'),
            b't' => out.push(b'\t'),
            b'r' => out.push(b'\r'),
            b'\\' | b'"' | b'\'' | b'/' if escapes != Escapes::Breaks => out.push(escape),
            b'x' if escapes == Escapes::Quoted && hex(2).is_some() => {
                out.push(hex(2).unwrap_or_default() as u8);
                rest = &after[2..];
            }
            b'u' if escapes != Escapes::Breaks && hex(4).and_then(char::from_u32).is_some() => {
                let character = hex(4).and_then(char::from_u32).unwrap_or_default();
                out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                rest = &after[4..];
            }
            other => out.extend_from_slice(&[b'\\', other]),
        }
    }
    out.extend_from_slice(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::{Escapes, is_escaped, unescaped};

    #[test]
    fn escapes_are_taken_back() {
        let text = br#"a\n\tb \\ \"c\" \u00eb \%"#;
        assert_eq!(unescaped(text, Escapes::All), "a\n\tb \\ \"c\" \u{eb} \\%".as_bytes());
        assert_eq!(unescaped(text, Escapes::Breaks), b"a\n\tb \\\\ \\\"c\\\" \\u00eb \\%");
        assert_eq!(unescaped(br"\xc3\xab", Escapes::Quoted), "\u{eb}".as_bytes());
    }

    #[test]
    fn escapes_of_statements_are_their_own() {
        let is = |line: &str, escapes| is_escaped(&[line.as_bytes()], escapes);
        assert!(is(r"LOG:  statement: SELECT 1,\n\t2", Escapes::All));
        assert!(is(r"LOG:  statement: SELECT 1,\n\t'\%'", Escapes::Breaks));
        for line in [r"LOG:  statement: SELECT E'\n\t'", r#"LOG:  statement: SELECT $$ print("\n\t") $$"#, "LOG:  x"] {
            assert!(!is(line, Escapes::All) && !is(line, Escapes::Breaks), "{line}");
        }
    }
}
