//! The patterns of envelopes that are text: literals, and fields in braces. Matches one line with one
//! pattern; table.rs has the patterns.

use super::times::{
    bsd_len, digits, fraction_len, full_len, go_len, has_form, iso_len, mono_len, page_len, plain_len, unix_len,
};
use crate::batch::BYTE_ORDER_MARK;
use crate::infer::address_len;
use crate::label::parse_label;

/// What a line of an envelope holds. Ranges of the line.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Parts<'a> {
    pub time: &'a [u8],
    pub pid: u32,
    /// Names by which the envelope tells sources apart.
    pub names: Vec<&'a [u8]>,
    /// The host, which matters where there are several.
    pub host: &'a [u8],
    /// The text goes on in the next line of the same source.
    pub partial: bool,
    pub piece: Option<(u64, u64)>,
    pub text: &'a [u8],
}

/// Matches a line; `None` if it does not have the form.
///
/// `{iso}`, `{bsd}`, `{full}`, `{unix}`, `{mono}`: times. `{n}`: a name that tells sources apart. `{w}`: a word. `{host}`: one that
/// tells sources apart where there are several.
/// `{tag}`: `name[pid]`. `{pid}`. `{std}`: stdout or stderr. `{flag}`: F or P. `{pri}`: `<13>`. `{d}`: digits.
/// `{clock}`, `{micros}`, `{svlogd}`: more times. `{ansi}`: a color. `{facility}`: `local0.info`. `{tai}`: a time of multilog. `{sd}`: structured data of RFC 5424. `{labels}`: `{a="b"}`. `{seq}`: `[7-2] `, which may lack. `{_}`: blanks. `{plain}`, `{go}`, `{page}`,
/// `{short}`, `{epoch}`: times of tools. `{kv}`: `a=b,c=d`. `{cell}`: up to a tab. `{file}`: the name of a log's file. `{gs}`:
/// what grep writes before a line, or before one beside it. `{piece}`: `[7-2] `, which may not lack. `{text}`: the
/// rest, up to what the pattern has behind it.
pub fn match_line<'a>(pattern: &str, line: &'a [u8]) -> Option<Parts<'a>> {
    let (mut parts, mut rest, mut pattern) = (Parts::default(), line, pattern);
    while !pattern.is_empty() {
        let Some(field) = pattern.strip_prefix('{') else {
            let literal = &pattern[..pattern.find('{').unwrap_or(pattern.len())];
            rest = rest.strip_prefix(literal.as_bytes())?;
            pattern = &pattern[literal.len()..];
            continue;
        };
        let (field, after) = field.split_once('}')?;
        let stop =
            if after.starts_with("{ansi}") { Some(0x1b) } else { after.bytes().next().filter(|byte| *byte != b'{') };
        if field == "text" && !after.is_empty() {
            parts.text = without_tail(pattern, rest)?;
            return Some(parts);
        }
        let len = field_len(field, rest, stop)?;
        let (value, remaining) = rest.split_at(len);
        match field {
            "iso" | "bsd" | "full" | "unix" | "mono" | "micros" | "plain" => parts.time = value,
            "epoch" => parts.time = &value[..17.min(value.len())],
            "go" => parts.time = &value[..memchr::memrchr(b' ', value).unwrap_or(value.len())],
            "n" => parts.names.push(value),
            "host" => parts.host = value,
            "tag" => parts.pid = pid_of_tag(value),
            "pid" => parts.pid = number(value).unwrap_or(0) as u32,
            "flag" => parts.partial = value.starts_with(b"P"),
            "seq" | "piece" => parts.piece = piece(value),
            "text" => parts.text = value,
            _ => {}
        }
        (rest, pattern) = (remaining, after);
    }
    rest.is_empty().then_some(parts)
}

/// How long a field at the start of `text` is. `stop`: the byte behind it in the pattern.
fn field_len(field: &str, text: &[u8], stop: Option<u8>) -> Option<usize> {
    let len = match field {
        "text" => return Some(text.len()),
        "seq" => return Some(seq_len(text)),
        "iso" => iso_len(text),
        "bsd" => bsd_len(text),
        "full" => full_len(text),
        "unix" => unix_len(text),
        "mono" => mono_len(text),
        "plain" => plain_len(text),
        "go" => go_len(text),
        "page" => page_len(text),
        "short" if has_form(text, b"00-00 00:00:00") => 14 + fraction_len(&text[14..]),
        "epoch" if digits(text) == 10 && text.get(10) == Some(&b'.') => 10 + fraction_len(&text[10..]),
        "short" | "epoch" => 0,
        "piece" => {
            let len = seq_len(text);
            if piece(&text[..len]).is_some() { len } else { 0 }
        }
        "kv" => pairs_len(text),
        "cell" => memchr::memchr(b'\t', &text[..text.len().min(256)]).unwrap_or(0),
        "file" => file_len(text),
        // No part of a date.
        "gs" => usize::from(matches!(text.first(), Some(b':' | b'-')) && text.get(3) != Some(&b'-')),
        "clock" if has_form(text, b"00:00:00") => 8 + fraction_len(&text[8..]),
        "micros" if has_form(text, b"0000-00-00 00:00:00.000000") => 19 + fraction_len(&text[19..]),
        "svlogd" if has_form(text, b"0000-00-00_00:00:00") => 19 + fraction_len(&text[19..]),
        "clock" | "micros" | "svlogd" => 0,
        "pri" => text
            .strip_prefix(b"<")
            .map_or(0, |rest| if rest.get(digits(rest)) == Some(&b'>') { digits(rest) + 2 } else { 0 }),
        "d" | "pid" => digits(text),
        "std" => {
            if text.starts_with(b"stdout") || text.starts_with(b"stderr") {
                6
            } else {
                0
            }
        }
        "flag" => {
            if matches!(text, [b'F' | b'P', b' ', ..] | [b'F' | b'P', b':', ..]) {
                1
            } else {
                0
            }
        }
        "ansi" => ansi_len(text),
        // `local0.info`, `local0:info`
        "facility" => {
            let is_part = |b: &&u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b".:".contains(b);
            let end = text.iter().take_while(is_part).count();
            let inner = text[..end].iter().position(|b| b".:".contains(b));
            if inner.is_some_and(|at| at > 0 && at + 1 < end) { end } else { 0 }
        }
        "tai" => {
            let hex = text.iter().skip(1).take_while(|b| b.is_ascii_hexdigit()).count();
            if text.starts_with(b"@4") && hex == 24 { 25 } else { 0 }
        }
        "_" => text.iter().take_while(|b| **b == b' ').count(),
        "labels" => {
            if text.starts_with(b"{") {
                memchr::memchr(b'}', text)? + 1
            } else {
                0
            }
        }
        "sd" => structured_len(text),
        _ => {
            let stop = stop.unwrap_or(b' ');
            let max = text.len().min(256);
            let end = text[..max].iter().position(|b| *b == stop || *b == b' ').unwrap_or(max);
            // A severity before its text looks like a tag.
            let is_label = || !text[..end].contains(&b'[') && parse_label(text).is_some();
            if field == "tag" && (!tag_fits(&text[..end]) || is_label()) { 0 } else { end }
        }
    };
    (len > 0).then_some(len)
}

/// A sequence of a terminal's colors.
fn ansi_len(text: &[u8]) -> usize {
    let Some(rest) = text.strip_prefix(b"\x1b[") else { return 0 };
    let codes = rest.iter().take_while(|b| b.is_ascii_digit() || **b == b';').count();
    if rest.get(codes) == Some(&b'm') { codes + 3 } else { 0 }
}

/// A text without what the pattern has behind `{text}`. The end of a message, which further lines may have before
/// it, may lack.
pub fn without_tail<'a>(pattern: &str, text: &'a [u8]) -> Option<&'a [u8]> {
    let (_, tail) = pattern.split_once("{text}")?;
    if tail != MILLIS {
        return text.strip_suffix(tail.as_bytes());
    }
    let at = text.len().saturating_sub(14);
    let is_end = text[at..].starts_with(b"\t") && digits(&text[at + 1..]) == 13;
    Some(if is_end { &text[..at] } else { text })
}

/// Behind a text: a tab and a time in milliseconds.
const MILLIS: &str = "\t{millis}";

/// `a=b,c=d`
fn pairs_len(text: &[u8]) -> usize {
    let end = text.iter().position(|b| *b == b' ').unwrap_or(text.len());
    let is_pair = |pair: &[u8]| memchr::memchr(b'=', pair).is_some_and(|at| at > 0) && !pair.starts_with(b"\t");
    if text[..end].split(|b| *b == b',').all(is_pair) { end } else { 0 }
}

/// A name that ends in `.log`, `.csv` or `.txt`, before what grep writes behind it.
fn file_len(text: &[u8]) -> usize {
    let run = text[..text.len().min(512)].iter().take_while(|b| **b != b' ' && **b != b'\t').count();
    let is_end = |at: &usize| {
        [&b".log"[..], b".csv", b".txt"].iter().any(|end| text[..*at].ends_with(end))
            && matches!(text.get(*at), Some(b':' | b'-'))
    };
    (5..=run).find(is_end).unwrap_or(0)
}

fn number(text: &[u8]) -> Option<u64> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// `name[pid]`, or a name.
fn tag_fits(tag: &[u8]) -> bool {
    match memchr::memchr(b'[', tag) {
        None => !tag.is_empty() && address_len(tag) == 0,
        Some(open) => open > 0 && tag.ends_with(b"]"),
    }
}

fn pid_of_tag(tag: &[u8]) -> u32 {
    let Some(open) = memchr::memrchr(b'[', tag).filter(|open| !is_relay(&tag[..*open])) else { return 0 };
    number(&tag[open + 1..tag.len() - 1]).and_then(|pid| pid.try_into().ok()).unwrap_or(0)
}

/// Whether a tag is of what passes the lines of a container on: its process is not the server's.
fn is_relay(name: &[u8]) -> bool {
    let is_container = name.len() == 12 && name.iter().all(u8::is_ascii_hexdigit);
    is_container || name.contains(&b'/') || matches!(name, b"docker" | b"dockerd" | b"podman" | b"conmon")
}

/// The length of `[7-2] `, and of the mark with which RFC 5424 says that a text is UTF-8.
fn seq_len(text: &[u8]) -> usize {
    let mark = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    let text = &text[mark..];
    match memchr::memchr(b']', &text[..text.len().min(24)]) {
        Some(end) if piece(&text[..=end]).is_some() => mark + end + 1 + usize::from(text.get(end + 1) == Some(&b' ')),
        _ => mark,
    }
}

/// `[7-2]`: the second piece of message 7.
fn piece(text: &[u8]) -> Option<(u64, u64)> {
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let inner = text.trim_ascii_end().strip_prefix(b"[")?.strip_suffix(b"]")?;
    let dash = memchr::memchr(b'-', inner)?;
    Some((number(&inner[..dash])?, number(&inner[dash + 1..])?))
}

/// `-`, or `[id a="b"]` once or more.
fn structured_len(text: &[u8]) -> usize {
    if text.starts_with(b"- ") {
        return 1;
    }
    let mut at = 0;
    while text.get(at) == Some(&b'[') {
        let (mut end, mut quoted) = (at + 1, false);
        loop {
            match text.get(end) {
                None => return 0,
                Some(b'\\') => end += 1,
                Some(b'"') => quoted = !quoted,
                Some(b']') if !quoted => break,
                Some(_) => {}
            }
            end += 1;
        }
        at = end + 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::match_line;

    #[test]
    fn patterns_take_lines_apart() {
        let parts = match_line("{iso} {std} {flag} {text}", b"2026-01-31T12:00:00.1Z stdout P LOG:  x").unwrap();
        assert_eq!((parts.time, parts.partial, parts.text), (&b"2026-01-31T12:00:00.1Z"[..], true, &b"LOG:  x"[..]));
        let line = b"<134>1 2026-01-31T12:00:00Z db postgres 42 - [a b=\"]\"][c] [7-2] \tx";
        let parts = match_line("{pri}1 {iso} {w} {w} {pid} {w} {sd} {seq}{text}", line).unwrap();
        assert_eq!((parts.pid, parts.piece, parts.text), (42, Some((7, 2)), &b"\tx"[..]));
        let parts = match_line("{bsd} {w} {tag}: {seq}{text}", b"Jan  1 12:00:00 db postgres[42]: LOG:  x").unwrap();
        assert_eq!((parts.pid, parts.piece, parts.text), (42, None, &b"LOG:  x"[..]));
        for line in ["Jan  1 12:00:00 a b c[1]: x", "2026-01-31 12:00:00 UTC [42]: LOG:  x", ""] {
            assert_eq!(match_line("{bsd} {w} {tag}: {seq}{text}", line.as_bytes()), None, "{line}");
        }
    }
}
