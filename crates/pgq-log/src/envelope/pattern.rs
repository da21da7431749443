//! The patterns of envelopes that are text: literals, and fields in braces. Matches one line with one
//! pattern; text.rs has the patterns.

use crate::batch::BYTE_ORDER_MARK;
use crate::infer::address_len;

/// What a line of an envelope holds. Ranges of the line.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Parts<'a> {
    pub time: &'a [u8],
    pub pid: u32,
    /// Names by which the envelope tells sources apart.
    pub names: Vec<&'a [u8]>,
    /// The text goes on in the next line of the same source.
    pub partial: bool,
    pub piece: Option<(u64, u64)>,
    pub text: &'a [u8],
}

/// Matches a line; `None` if it does not have the form.
///
/// `{iso}`, `{bsd}`, `{full}`, `{unix}`, `{mono}`: times. `{n}`: a name that tells sources apart. `{w}`: a word.
/// `{tag}`: `name[pid]`. `{pid}`. `{std}`: stdout or stderr. `{flag}`: F or P. `{pri}`: `<13>`. `{d}`: digits.
/// `{clock}`, `{micros}`, `{svlogd}`: more times. `{ansi}`: a color. `{facility}`: `local0.info`. `{tai}`: a time of multilog. `{sd}`: structured data of RFC 5424. `{labels}`: `{a="b"}`. `{seq}`: `[7-2] `, which may lack. `{_}`: blanks.
/// `{text}`: the rest.
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
        let len = field_len(field, rest, stop)?;
        let (value, remaining) = rest.split_at(len);
        match field {
            "iso" | "bsd" | "full" | "unix" | "mono" | "micros" => parts.time = value,
            "n" => parts.names.push(value),
            "tag" => parts.pid = pid_of_tag(value),
            "pid" => parts.pid = number(value).unwrap_or(0) as u32,
            "flag" => parts.partial = value.starts_with(b"P"),
            "seq" => parts.piece = piece(value),
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
        // `local0.info`
        "facility" => {
            let end = text.iter().take_while(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || **b == b'.').count();
            if text[..end].contains(&b'.') { end } else { 0 }
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
            if field == "tag" && !tag_fits(&text[..end]) { 0 } else { end }
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

fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|b| b.is_ascii_digit()).count()
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
    let Some(open) = memchr::memrchr(b'[', tag) else { return 0 };
    number(&tag[open + 1..tag.len() - 1]).and_then(|pid| pid.try_into().ok()).unwrap_or(0)
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

/// Whether a text has the form: `0` stands for a digit, all else for itself.
fn has_form(text: &[u8], form: &[u8]) -> bool {
    text.len() >= form.len()
        && form.iter().zip(text).all(|(form, byte)| if *form == b'0' { byte.is_ascii_digit() } else { form == byte })
}

fn fraction_len(text: &[u8]) -> usize {
    match text.first() {
        Some(b'.' | b',') => 1 + digits(&text[1..]),
        _ => 0,
    }
}

/// `2026-01-31T12:00:00.123456Z`, or with `+01:00` or `+0100`, or without a zone.
fn iso_len(text: &[u8]) -> usize {
    if !has_form(text, b"0000-00-00T00:00:00") {
        return 0;
    }
    let len = 19 + fraction_len(&text[19..]);
    match text.get(len) {
        Some(b'Z') => len + 1,
        Some(b'+' | b'-') => {
            let zone = text[len + 1..].iter().take_while(|b| b.is_ascii_digit() || **b == b':').count();
            len + 1 + zone
        }
        _ => len,
    }
}

/// `Jan 31 12:00:00`
fn bsd_len(text: &[u8]) -> usize {
    const MONTHS: &[u8] = b"JanFebMarAprMayJunJulAugSepOctNovDec";
    let month = text.len() > 15 && MONTHS.chunks(3).any(|month| text.starts_with(month)) && text[3] == b' ';
    let day = month && text[5].is_ascii_digit() && (text[4] == b' ' || text[4].is_ascii_digit());
    if day && has_form(&text[6..], b" 00:00:00") { 15 + fraction_len(&text[15..]) } else { 0 }
}

/// `Sat 2026-01-31 12:00:00 UTC`
pub fn full_len(text: &[u8]) -> usize {
    let weekday = text.len() > 23 && text[..3].iter().all(u8::is_ascii_alphabetic);
    if !weekday || !has_form(&text[3..], b" 0000-00-00 00:00:00") {
        return 0;
    }
    let len = 23 + fraction_len(&text[23..]);
    let zone = text[len..].strip_prefix(b" ").map_or(0, |zone| zone.iter().take_while(|b| **b != b' ').count());
    if zone > 0 { len + 1 + zone } else { 0 }
}

/// `1769857200.123456`
fn unix_len(text: &[u8]) -> usize {
    if digits(text) == 10 && fraction_len(&text[10..]) == 7 { 17 } else { 0 }
}

/// `[   12.345678]`
fn mono_len(text: &[u8]) -> usize {
    let Some(end) = memchr::memchr(b']', &text[..text.len().min(24)]) else { return 0 };
    let inner = text[1..end].trim_ascii_start();
    let fits = text[0] == b'[' && digits(inner) > 0 && fraction_len(&inner[digits(inner)..]) == 7;
    if fits { end + 1 } else { 0 }
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
