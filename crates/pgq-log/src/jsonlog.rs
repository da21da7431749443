//! `--from jsonlog`: an object a line, as PostgreSQL writes it since version 15.
//!
//! Objects as PostgreSQL writes them are read in place, without a look at what is of no use.
//! Whatever is not of that form, white space between tokens for one, is left to serde_json.

use std::borrow::Cow;
use std::ops::Range;

use serde::Deserialize;

use crate::batch::{Batch, Line, LineParser};
use crate::entry::{Message, Part, Severity, Start};

/// A jsonlog: it has no state.
pub struct JsonLog;

/// The keys that are of use, by their place in [`Found`]. PostgreSQL leaves out what it does
/// not know.
const KEYS: [(&[u8], Option<Part>); 11] = [
    (b"timestamp", Some(Part::Time)),
    (b"user", Some(Part::User)),
    (b"dbname", Some(Part::Database)),
    (b"session_id", Some(Part::Session)),
    (b"message", Some(Part::Message)),
    (b"detail", Some(Part::Detail)),
    (b"context", Some(Part::Context)),
    (b"statement", Some(Part::Statement)),
    (b"application_name", Some(Part::Application)),
    (b"error_severity", None),
    (b"pid", None),
];
const SEVERITY: usize = 9;
const PID: usize = 10;

/// Where the values of keys are, strings without their quotes.
#[derive(Default)]
struct Found {
    ranges: [Range<usize>; KEYS.len()],
    /// A bit for each string that has escapes.
    escaped: u32,
}

/// Looks for the keys in an object without white space or nesting; `None` where the line is
/// not surely one.
fn find(line: &[u8]) -> Option<Found> {
    let mut found = Found::default();
    let mut at = 1;
    if line.first() != Some(&b'{') {
        return None;
    }
    loop {
        let (key, key_escaped) = string(line, at)?;
        at = key.end + 2;
        if key_escaped || line.get(key.end + 1) != Some(&b':') {
            return None;
        }
        let (value, escaped) = match line.get(at)? {
            b'"' => {
                let (value, escaped) = string(line, at)?;
                at = value.end + 1;
                (value, escaped)
            }
            b'-' | b'0'..=b'9' | b't' | b'f' | b'n' => {
                let len = line[at..].iter().take_while(|b| b.is_ascii_alphanumeric() || b"+-.".contains(b)).count();
                at += len;
                (at - len..at, false)
            }
            _ => return None,
        };
        if let Some(index) = KEYS.iter().position(|(name, _)| *name == &line[key.clone()]) {
            found.ranges[index] = value;
            found.escaped |= u32::from(escaped) << index;
        }
        match line.get(at)? {
            b',' => at += 1,
            b'}' if at + 1 == line.len() => return Some(found),
            _ => return None,
        }
    }
}

/// What is between the quotes of the string that starts at `at`, and whether it has escapes.
fn string(line: &[u8], at: usize) -> Option<(Range<usize>, bool)> {
    if line.get(at) != Some(&b'"') {
        return None;
    }
    let (mut end, mut escaped) = (at + 1, false);
    loop {
        end += memchr::memchr2(b'"', b'\\', line.get(end..)?)?;
        if line[end] == b'"' {
            return Some((at + 1..end, escaped));
        }
        escaped = true;
        end += 2;
    }
}

/// Makes a string with escapes plain, in place; its new length. `None` if an escape is wrong.
fn unescape(text: &mut [u8]) -> Option<usize> {
    let (mut from, mut to) = (0, 0);
    while let Some(len) = memchr::memchr(b'\\', &text[from..]) {
        text.copy_within(from..from + len, to);
        (from, to) = (from + len + 2, to + len);
        let plain = match text.get(from - 1)? {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'b' => 8,
            b'f' => 12,
            byte @ (b'"' | b'\\' | b'/') => *byte,
            b'u' => {
                let (c, len) = unicode(&text[from..])?;
                to += c.encode_utf8(&mut text[to..]).len();
                from += len;
                continue;
            }
            _ => return None,
        };
        text[to] = plain;
        to += 1;
    }
    text.copy_within(from.., to);
    Some(to + text.len() - from)
}

/// The character of `XXXX` or `XXXX\uXXXX` and the length of that, which is never less than
/// the character's own.
fn unicode(text: &[u8]) -> Option<(char, usize)> {
    let unit = |at: usize| -> Option<u32> {
        let digits = text.get(at..at + 4)?;
        digits.iter().try_fold(0, |value, digit| Some(value * 16 + char::from(*digit).to_digit(16)?))
    };
    let first = unit(0)?;
    if !(0xD800..0xDC00).contains(&first) {
        return Some((char::from_u32(first)?, 4));
    }
    let second = text[4..].starts_with(b"\\u").then(|| unit(6)).flatten().filter(|u| (0xDC00..0xE000).contains(u))?;
    Some((char::from_u32(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))?, 10))
}

/// A string, borrowed from the line where nothing in it is escaped.
#[derive(Deserialize, Default)]
#[serde(transparent)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// The keys that are of use. PostgreSQL leaves out what it does not know.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Object<'a> {
    #[serde(borrow)]
    timestamp: Text<'a>,
    #[serde(borrow)]
    user: Text<'a>,
    #[serde(borrow)]
    dbname: Text<'a>,
    #[serde(borrow)]
    application_name: Text<'a>,
    #[serde(borrow)]
    session_id: Text<'a>,
    #[serde(borrow)]
    error_severity: Text<'a>,
    #[serde(borrow)]
    message: Text<'a>,
    #[serde(borrow)]
    detail: Text<'a>,
    #[serde(borrow)]
    context: Text<'a>,
    #[serde(borrow)]
    statement: Text<'a>,
    pid: u32,
}

impl JsonLog {
    /// Reads a line in place. `None`, and the line is as it was, if it is not of the usual form.
    fn usual(line: Line, batch: &mut Batch) -> Option<()> {
        let text = batch.text(line);
        let mut found = find(text).filter(|found| !found.ranges[SEVERITY].is_empty())?;
        let severity = Severity::of(&text[found.ranges[SEVERITY].clone()]);
        let pid = &text[found.ranges[PID].clone()];
        let pid = if pid.is_empty() { 0 } else { std::str::from_utf8(pid).ok()?.parse().ok()? };
        if severity == Severity::Other {
            batch.count(severity);
            return Some(());
        }
        let before = (found.escaped != 0).then(|| text.to_vec());
        let at = Start::of(line);
        let mut message = Message::new(pid, severity, at);
        message.rewritten = true;
        for (index, (_, part)) in KEYS.iter().enumerate() {
            let range = &mut found.ranges[index];
            if found.escaped >> index & 1 == 1 {
                let value = &mut batch.bytes[line.start + range.start..line.start + range.end];
                match unescape(value) {
                    Some(len) => range.end = range.start + len,
                    None => {
                        batch.bytes[line.start..line.end].copy_from_slice(&before?);
                        return None;
                    }
                }
            }
            if let (Some(part), true) = (part, range.start < range.end) {
                message.set(*part, line.start + range.start..line.start + range.end);
            }
        }
        batch.count(severity);
        batch.push(message, at);
        Some(())
    }

    /// Reads a line of any form.
    fn any(line: Line, batch: &mut Batch) {
        let own = batch.text(line).to_vec();
        // A database whose encoding is not UTF-8 has broken strings in its log: shown, not lost.
        let text = String::from_utf8_lossy(&own);
        let read = match serde_json::from_str::<Object<'_>>(&text) {
            Ok(read) if !read.error_severity.0.is_empty() => read,
            _ => {
                batch.stats.unreadable += u64::from(!own.trim_ascii().is_empty());
                return;
            }
        };
        let severity = Severity::of(read.error_severity.0.as_bytes());
        if !batch.count(severity) {
            return;
        }
        let at = Start::of(line);
        let mut message = Message::new(read.pid, severity, at);
        message.rewritten = true;
        for (part, text) in [
            (Part::Time, &read.timestamp),
            (Part::User, &read.user),
            (Part::Database, &read.dbname),
            (Part::Application, &read.application_name),
            (Part::Session, &read.session_id),
            (Part::Message, &read.message),
            (Part::Detail, &read.detail),
            (Part::Context, &read.context),
            (Part::Statement, &read.statement),
        ] {
            batch.add(&mut message, part, text.0.as_bytes());
        }
        batch.push(message, at);
    }
}

impl LineParser for JsonLog {
    fn line(&mut self, line: Line, batch: &mut Batch) {
        if Self::usual(line, batch).is_none() {
            Self::any(line, batch);
        }
    }

    fn end(&mut self, _batch: &mut Batch, _cut: bool) {}

    fn begins(&mut self, _line: &[u8]) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::JsonLog;
    use crate::testing::{any_cut_is_survived, records};

    const LOG: &str = concat!(
        r#"{"timestamp":"2026-01-31 12:00:00.123 UTC","user":"ann","dbname":"shop","pid":7,"session_id":"65b.7","#,
        r#""error_severity":"LOG","message":"duration: 1.5 ms  execute s: SELECT\n\t\"a\"","detail":"Parameters: $1 = 'x'"}"#,
        "\n",
        r#"{"timestamp":"2026-01-31 12:00:00.123 UTC","pid":1,"error_severity":"LOG","message":"checkpoint","new":[{}]}"#,
        "\n",
        r#"{"user":"ann","pid":7,"error_severity":"ERROR","message":"no","statement":"SELECT 1 \ud83d\ude00"}"#,
        "\n",
    );

    #[test]
    fn objects() {
        let (seen, stats) = records(&|| Box::new(JsonLog), LOG.as_bytes());
        assert_eq!(seen, ["7 LOG | ann | 1.5 | SELECT\n\t\"a\" | $1 = 'x'", "7 ERROR | ann | SELECT 1 😀"]);
        assert_eq!((stats.messages, stats.other, stats.unreadable), (3, 1, 0));
    }

    #[test]
    fn both_ways_of_reading_agree() {
        for message in [
            r"plain",
            r#"\"quoted\" \\ \/ \b\f\n\r\t"#,
            r"\u00e9\u20ac\ud83d\ude00 é",
            r"\ud83d",
            r"\ude00\ud83d",
            r"\u12",
            r"\x",
            r"\",
            r"",
        ] {
            let usual = format!(r#"{{"pid":7,"message":"statement: {message}","x":-1.5e+3,"error_severity":"LOG"}}"#);
            let spaced = usual.replacen(':', " : ", 1);
            let (a, b) =
                (records(&|| Box::new(JsonLog), usual.as_bytes()), records(&|| Box::new(JsonLog), spaced.as_bytes()));
            assert_eq!((&a.0, a.1.unreadable), (&b.0, b.1.unreadable), "{message}");
        }
    }

    #[test]
    fn what_is_no_object_of_a_log_is_counted() {
        let (seen, stats) = records(&|| Box::new(JsonLog), b"{\"pid\":1}\nnull\n{\n\n\"\xff\"\n");
        assert_eq!((seen.len(), stats.unreadable), (0, 4));
        any_cut_is_survived(&|| Box::new(JsonLog), LOG.as_bytes());
    }
}
