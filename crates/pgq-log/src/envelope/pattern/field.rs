//! Fields of patterns. Measures a field at the start of a string.

use crate::envelope::times::{
    bsd_len, digits, fraction_len, full_len, go_len, has_form, iso_len, mono_len, page_len, plain_len, unix_len,
};
use crate::format::batch::BYTE_ORDER_MARK;
use crate::message::label::parse_label;
use crate::prefix::infer::address_len;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    Iso,
    Bsd,
    Full,
    Unix,
    Mono,
    Plain,
    Go,
    Page,
    Short,
    Epoch,
    Clock,
    /// A severity of Google Cloud.
    Level,
    /// Milliseconds since 1970.
    Millis,
    Micros,
    Svlogd,
    Tai,
    Name,
    Word,
    Host,
    Tag,
    Pid,
    Std,
    Flag,
    Pri,
    Digits,
    Ansi,
    Facility,
    Structured,
    Labels,
    Seq,
    Piece,
    Blanks,
    Pairs,
    Cell,
    File,
    Sign,
}

impl Field {
    pub fn parse(name: &str) -> Self {
        match name {
            "iso" => Self::Iso,
            "bsd" => Self::Bsd,
            "full" => Self::Full,
            "unix" => Self::Unix,
            "mono" => Self::Mono,
            "plain" => Self::Plain,
            "go" => Self::Go,
            "page" => Self::Page,
            "short" => Self::Short,
            "epoch" => Self::Epoch,
            "clock" => Self::Clock,
            "micros" => Self::Micros,
            "level" => Self::Level,
            "ms" => Self::Millis,
            "svlogd" => Self::Svlogd,
            "tai" => Self::Tai,
            "n" => Self::Name,
            "w" => Self::Word,
            "host" => Self::Host,
            "tag" => Self::Tag,
            "pid" => Self::Pid,
            "std" => Self::Std,
            "flag" => Self::Flag,
            "pri" => Self::Pri,
            "d" => Self::Digits,
            "ansi" => Self::Ansi,
            "facility" => Self::Facility,
            "sd" => Self::Structured,
            "labels" => Self::Labels,
            "seq" => Self::Seq,
            "piece" => Self::Piece,
            "_" => Self::Blanks,
            "kv" => Self::Pairs,
            "cell" => Self::Cell,
            "file" => Self::File,
            "gs" => Self::Sign,
            other => unreachable!("no field {{{other}}}"),
        }
    }

    /// Whether a field has a distinctive form. Few other lines start with such a field.
    pub fn is_particular(self) -> bool {
        !matches!(self, Self::Name | Self::Word | Self::Host | Self::Tag | Self::Seq | Self::Blanks | Self::Cell)
    }

    /// Returns the length of the field at the start of `text`. `stop`: the byte after the field in the pattern.
    pub fn len(self, text: &[u8], stop: Option<u8>) -> Option<usize> {
        let is_form =
            |form: &[u8]| if has_form(text, form) { form.len() + fraction_len(&text[form.len()..]) } else { 0 };
        let len = match self {
            Self::Seq => return Some(seq_len(text)),
            Self::Iso => iso_len(text),
            Self::Bsd => bsd_len(text),
            Self::Full => full_len(text),
            Self::Unix => unix_len(text),
            Self::Mono => mono_len(text),
            Self::Plain => plain_len(text),
            Self::Go => go_len(text),
            Self::Page => page_len(text),
            Self::Short => is_form(b"00-00 00:00:00"),
            Self::Epoch if digits(text) == 10 && text.get(10) == Some(&b'.') => 10 + fraction_len(&text[10..]),
            Self::Epoch => 0,
            Self::Piece => {
                let len = seq_len(text);
                if piece(&text[..len]).is_some() { len } else { 0 }
            }
            Self::Pairs => pairs_len(text),
            Self::Cell => memchr::memchr(b'\t', &text[..text.len().min(256)]).unwrap_or(0),
            Self::File => file_len(text),
            // The `-` must not be part of a date.
            Self::Sign => usize::from(matches!(text.first(), Some(b':' | b'-')) && !has_form(&text[1..], b"00-")),
            Self::Clock => is_form(b"00:00:00"),
            Self::Micros if has_form(text, b"0000-00-00 00:00:00.000000") => 19 + fraction_len(&text[19..]),
            Self::Micros => 0,
            Self::Level => level_len(text),
            Self::Millis if digits(text) == 13 => 13,
            Self::Millis => 0,
            Self::Svlogd => is_form(b"0000-00-00_00:00:00"),
            Self::Pri => text
                .strip_prefix(b"<")
                .map_or(0, |rest| if rest.get(digits(rest)) == Some(&b'>') { digits(rest) + 2 } else { 0 }),
            Self::Digits | Self::Pid => digits(text),
            Self::Std if text.starts_with(b"stdout") || text.starts_with(b"stderr") => 6,
            Self::Std => 0,
            Self::Flag => usize::from(matches!(text, [b'F' | b'P', b' ' | b':', ..])),
            Self::Ansi => ansi_len(text),
            // `local0.info`, `local0:info`
            Self::Facility => {
                let is_part = |b: &&u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b".:".contains(b);
                let end = text.iter().take_while(is_part).count();
                let inner = text[..end].iter().position(|b| b".:".contains(b));
                if inner.is_some_and(|at| at > 0 && at + 1 < end) { end } else { 0 }
            }
            Self::Tai => {
                let hex = text.iter().skip(1).take_while(|b| b.is_ascii_hexdigit()).count();
                if text.starts_with(b"@4") && hex == 24 { 25 } else { 0 }
            }
            Self::Blanks => text.iter().take_while(|b| **b == b' ').count(),
            Self::Labels if text.starts_with(b"{") => memchr::memchr(b'}', text)? + 1,
            Self::Labels => 0,
            Self::Structured => structured_len(text),
            Self::Name | Self::Word | Self::Host | Self::Tag => {
                let stop = stop.unwrap_or(b' ');
                let max = text.len().min(256);
                let end = memchr::memchr2(stop, b' ', &text[..max]).unwrap_or(max);
                // A severity before a message looks like a tag.
                let is_label = || !text[..end].contains(&b'[') && parse_label(text).is_some();
                if self == Self::Tag && (!tag_fits(&text[..end]) || is_label()) { 0 } else { end }
            }
        };
        (len > 0).then_some(len)
    }
}

/// Returns the length of a terminal color sequence.
fn ansi_len(text: &[u8]) -> usize {
    let Some(rest) = text.strip_prefix(b"\x1b[") else { return 0 };
    let codes = rest.iter().take_while(|b| b.is_ascii_digit() || **b == b';').count();
    if rest.get(codes) == Some(&b'm') { codes + 3 } else { 0 }
}

/// `INFO`
fn level_len(text: &[u8]) -> usize {
    const LEVELS: [&[u8]; 9] =
        [b"DEFAULT", b"DEBUG", b"INFO", b"NOTICE", b"WARNING", b"ERROR", b"CRITICAL", b"ALERT", b"EMERGENCY"];
    LEVELS.iter().find(|level| text.starts_with(level)).map_or(0, |level| level.len())
}

/// `a=b,c=d`
fn pairs_len(text: &[u8]) -> usize {
    let end = text.iter().position(|b| *b == b' ').unwrap_or(text.len());
    let is_pair = |pair: &[u8]| memchr::memchr(b'=', pair).is_some_and(|at| at > 0) && !pair.starts_with(b"\t");
    if text[..end].split(|b| *b == b',').all(is_pair) { end } else { 0 }
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

/// Returns the length of `[7-2] `, including the byte order mark with which RFC 5424 declares UTF-8.
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
