//! Fields of patterns. Determines the length of a field at the start of a string.

use crate::format::batch::BYTE_ORDER_MARK;
use crate::message::label::parse_label;
use crate::prefix::address::address_len;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    Iso,
    Bsd,
    Name,
    Word,
    Host,
    Tag,
    Pid,
    Std,
    Flag,
    Pri,
    Digits,
    Facility,
    Structured,
    Labels,
    Seq,
    Piece,
    Blanks,
    File,
    Line,
    Sign,
}

impl Field {
    pub fn parse(name: &str) -> Self {
        match name {
            "iso" => Self::Iso,
            "bsd" => Self::Bsd,
            "n" => Self::Name,
            "w" => Self::Word,
            "host" => Self::Host,
            "tag" => Self::Tag,
            "pid" => Self::Pid,
            "std" => Self::Std,
            "flag" => Self::Flag,
            "pri" => Self::Pri,
            "d" => Self::Digits,
            "facility" => Self::Facility,
            "sd" => Self::Structured,
            "labels" => Self::Labels,
            "seq" => Self::Seq,
            "piece" => Self::Piece,
            "_" => Self::Blanks,
            "file" => Self::File,
            "line" => Self::Line,
            "gs" => Self::Sign,
            other => unreachable!("no field {{{other}}}"),
        }
    }

    /// Whether a field has a distinctive form. Few lines of other envelopes start with such a
    /// field.
    pub fn is_particular(self) -> bool {
        !matches!(self, Self::Name | Self::Word | Self::Host | Self::Tag | Self::Seq | Self::Blanks)
    }

    /// Returns the length of the field at the start of `text`. `stop`: the byte after the field in the pattern.
    pub fn len(self, text: &[u8], stop: Option<u8>) -> Option<usize> {
        let len = match self {
            Self::Seq => return Some(seq_len(text)),
            Self::Iso => iso_len(text),
            Self::Bsd => bsd_len(text),
            Self::Piece => {
                let len = seq_len(text);
                if piece(&text[..len]).is_some() { len } else { 0 }
            }
            Self::File => file_len(text),
            Self::Sign => usize::from(matches!(text.first(), Some(b':' | b'-'))),
            // The number must not be the year of a date.
            Self::Line => Some(digits(text)).filter(|len| !has_form(&text[*len..], b"-00-")).unwrap_or(0),
            Self::Pri => text
                .strip_prefix(b"<")
                .map_or(0, |rest| if rest.get(digits(rest)) == Some(&b'>') { digits(rest) + 2 } else { 0 }),
            Self::Digits | Self::Pid => digits(text),
            Self::Std if text.starts_with(b"stdout") || text.starts_with(b"stderr") => 6,
            Self::Std => 0,
            Self::Flag => usize::from(matches!(text, [b'F' | b'P', b' ' | b':', ..])),
            // `local0.info`, `local0:info`
            Self::Facility => {
                let is_part = |b: &&u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b".:".contains(b);
                let end = text.iter().take_while(is_part).count();
                let inner = text[..end].iter().position(|b| b".:".contains(b));
                if inner.is_some_and(|at| at > 0 && at + 1 < end) { end } else { 0 }
            }
            Self::Blanks => text.iter().take_while(|b| **b == b' ').count(),
            Self::Labels if text.starts_with(b"{") => memchr::memchr(b'}', text)? + 1,
            Self::Labels => 0,
            Self::Structured => structured_len(text),
            Self::Name | Self::Word | Self::Host | Self::Tag => {
                let stop = stop.unwrap_or(b' ');
                let max = text.len().min(256);
                let end = memchr::memchr2(stop, b' ', &text[..max]).unwrap_or(max);
                // A severity before a message (`LOG:`) looks like a tag.
                let is_label = || !text[..end].contains(&b'[') && parse_label(text).is_some();
                if self == Self::Tag && (!tag_fits(&text[..end]) || is_label()) { 0 } else { end }
            }
        };
        (len > 0).then_some(len)
    }
}

/// Returns the number of digits at the start of `text`.
fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|b| b.is_ascii_digit()).count()
}

/// Whether `text` starts with `form`. In `form`, a `0` matches any digit. Any other byte matches only itself.
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

/// Returns the length of a time such as `2026-01-31T12:00:00.123456Z`, or 0. The zone may also be
/// `+01:00`, `+0100` or missing.
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

/// Returns the length of a time such as `Jan 31 12:00:00`, or 0.
fn bsd_len(text: &[u8]) -> usize {
    const MONTHS: &[u8] = b"JanFebMarAprMayJunJulAugSepOctNovDec";
    let month = text.len() > 15 && MONTHS.chunks(3).any(|month| text.starts_with(month)) && text[3] == b' ';
    let day = month && text[5].is_ascii_digit() && (text[4] == b' ' || text[4].is_ascii_digit());
    if day && has_form(&text[6..], b" 00:00:00") { 15 + fraction_len(&text[15..]) } else { 0 }
}

/// Returns the length of a file name (`.log`, `.csv`, `.txt`) before grep's separator.
fn file_len(text: &[u8]) -> usize {
    let run = text[..text.len().min(512)].iter().take_while(|b| **b != b' ' && **b != b'\t').count();
    let is_end = |at: &usize| {
        [&b".log"[..], b".csv", b".txt"].iter().any(|end| text[..*at].ends_with(end))
            && matches!(text.get(*at), Some(b':' | b'-'))
    };
    (5..=run).find(is_end).unwrap_or(0)
}

pub fn number(text: &[u8]) -> Option<u64> {
    let digit = |number: u64, byte: &u8| {
        let digit = byte.wrapping_sub(b'0');
        (digit < 10).then(|| number.checked_mul(10)?.checked_add(digit.into())).flatten()
    };
    if text.is_empty() { None } else { text.iter().try_fold(0, digit) }
}

/// Whether a tag has the form `name[pid]` or `name`.
fn tag_fits(tag: &[u8]) -> bool {
    match memchr::memchr(b'[', tag) {
        None => !tag.is_empty() && address_len(tag) == 0,
        Some(open) => open > 0 && tag.ends_with(b"]"),
    }
}

pub fn pid_of_tag(tag: &[u8]) -> u32 {
    let Some(open) = memchr::memrchr(b'[', tag).filter(|open| !is_relay(&tag[..*open])) else { return 0 };
    number(&tag[open + 1..tag.len() - 1]).and_then(|pid| pid.try_into().ok()).unwrap_or(0)
}

/// Whether a tag names a program that forwards a container's output. The process ID in such a tag is not the server's.
fn is_relay(name: &[u8]) -> bool {
    let is_container = name.len() == 12 && name.iter().all(u8::is_ascii_hexdigit);
    is_container || name.contains(&b'/') || matches!(name, b"docker" | b"dockerd" | b"podman" | b"conmon")
}

/// Returns the total length of a byte order mark and a piece number such as `[7-2] ` after it. Both are optional. In
/// RFC 5424, the byte order mark declares UTF-8.
fn seq_len(text: &[u8]) -> usize {
    let mark = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    let text = &text[mark..];
    match memchr::memchr(b']', &text[..text.len().min(24)]) {
        Some(end) if piece(&text[..=end]).is_some() => mark + end + 1 + usize::from(text.get(end + 1) == Some(&b' ')),
        _ => mark,
    }
}

/// Parses `[7-2]`, which marks the second piece of message 7.
pub fn piece(text: &[u8]) -> Option<(u64, u64)> {
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let inner = text.trim_ascii_end().strip_prefix(b"[")?.strip_suffix(b"]")?;
    let dash = memchr::memchr(b'-', inner)?;
    Some((number(&inner[..dash])?, number(&inner[dash + 1..])?))
}

/// Returns the length of structured data: `-`, or one or more `[id a="b"]`.
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
