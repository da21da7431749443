//! Splits the text before the severity into tokens: times, numbers, addresses, words and separators. Detects the forms
//! of fields, but does not assign fields.

use std::net::{Ipv4Addr, Ipv6Addr};

use super::keys::{BACKENDS, escape_of_key};
use crate::time::timestamp::timestamp_len;

/// Form of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Look {
    /// With or without milliseconds.
    Time,
    /// Seconds since 1970 with three decimals.
    Epoch,
    /// `65b0c3a1.2a`
    Session,
    /// `host(port)`
    HostPort,
    /// `[local]` or an address.
    Host,
    /// `3/7`
    VirtualXid,
    /// An integer, or a SQLSTATE, which may consist of digits.
    Number,
    /// A backend type, which may contain blanks.
    Backend,
    /// A name or a value; also `[unknown]`.
    Word,
    Blank,
    Punctuation(u8),
}

#[derive(Debug, Clone, Copy)]
pub struct Token<'a> {
    pub look: Look,
    pub text: &'a [u8],
}

/// Options of [`tokens`].
#[derive(Debug, Clone, Copy, Default)]
pub struct Splitting<'n> {
    /// Whether words may contain dashes.
    pub dashes: bool,
    /// Whether a letter may directly precede a value: `P42`.
    pub glued: bool,
    /// Names in the log's messages, longest first. Each name is one token, whatever bytes it contains.
    pub names: &'n [&'n [u8]],
}

pub fn tokens<'t>(text: &'t [u8], splitting: Splitting<'_>) -> Vec<Token<'t>> {
    let mut tokens: Vec<Token<'_>> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let before = at.checked_sub(1).map_or(b' ', |at| text[at]);
        let is_start = !before.is_ascii_alphanumeric() && before != b'_';
        let is_behind_name = !splitting.names.is_empty()
            && tokens.last().is_some_and(|token| {
                token.look == Look::Word && (token.text == b"[unknown]" || splitting.names.contains(&token.text))
            });
        let is_behind_letter = splitting.glued && tokens.last().is_some_and(|token| token.text.len() == 1);
        let (look, len) = match name_len(&text[at..], splitting.names) {
            len if len > 0 && (is_start || is_behind_letter) => (Look::Word, len),
            _ if is_behind_name && matches!(text[at], b'.' | b'-' | b'$') => (Look::Punctuation(text[at]), 1),
            _ if splitting.glued && is_start && is_letter_before_value(&text[at..], splitting.names) => (Look::Word, 1),
            _ => token(&text[at..], splitting.dashes, before),
        };
        tokens.push(Token { look, text: &text[at..at + len] });
        at += len;
    }
    tokens
}

/// Returns the length of the name at the start of `text`, or 0.
fn name_len(text: &[u8], names: &[&[u8]]) -> usize {
    let is_end = |len: usize| text.get(len).is_none_or(|next| !next.is_ascii_alphanumeric() && *next != b'_');
    let is_it = |name: &&&[u8]| text.starts_with(name) && is_end(name.len());
    names.iter().find(is_it).map_or(0, |name| name.len())
}

/// Whether `text` starts with a letter that directly precedes a number, a name or `[unknown]`.
fn is_letter_before_value(text: &[u8], names: &[&[u8]]) -> bool {
    let Some((first, rest)) = text.split_first().filter(|(first, _)| first.is_ascii_alphabetic()) else { return false };
    let number = digits(rest);
    let is_value = number > 1 && ends(rest, number) || rest.starts_with(b"[unknown]") || name_len(rest, names) > 0;
    is_value && *first != b'v'
}

/// Function that returns the length of a form at the start of a string, in bytes.
type LookLen = fn(&[u8]) -> usize;

fn token(text: &[u8], dashes: bool, before: u8) -> (Look, usize) {
    let strong: [(Look, LookLen); 7] = [
        (Look::Time, timestamp_len),
        (Look::Host, local_len),
        (Look::HostPort, host_port_len),
        (Look::Host, address_len),
        (Look::Epoch, epoch_len),
        (Look::Session, session_len),
        (Look::VirtualXid, virtual_xid_len),
    ];
    for (look, len) in strong {
        let len = len(text);
        if len > 0 && ends(text, len) {
            return (look, len);
        }
    }
    // `v3/7`, `DB2026-01-31 12:00:00`: letters before a virtual transaction or a time.
    let letters = text.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    let behind = &text[letters..];
    let value = if letters > 0 { virtual_xid_len(behind).max(timestamp_len(behind)) } else { 0 };
    if value > 0 && ends(behind, value) {
        return (Look::Word, letters);
    }
    // `xid799`: a key directly before a number.
    let number = digits(behind);
    let is_name = || letters > 2 && matches!(escape_of_key(&text[..letters]), Some(b'p' | b'x' | b'l' | b'Q'));
    if number > 0 && ends(behind, number) && !before.is_ascii_alphanumeric() && before != b'_' && is_name() {
        return (Look::Word, letters);
    }
    let backend = backend_len(text);
    if backend > 8 && ends(text, backend) {
        return (Look::Backend, backend);
    }
    if text.starts_with(b"[unknown]") {
        return (Look::Word, 9);
    }
    let is_sign = text[0] == b'-' && b" [(|,;:=".contains(&before) && text.get(1).is_some_and(u8::is_ascii_digit);
    let sign = usize::from(is_sign);
    let digits = digits(&text[sign..]);
    // `7.0`: a number, a period, a number.
    let is_pair =
        |text: &[u8]| text[0] == b'.' && self::digits(&text[1..]) > 0 && ends(text, 1 + self::digits(&text[1..]));
    if digits > 0 && (ends(text, sign + digits) || (digits < 10 && is_pair(&text[sign + digits..]))) {
        return (Look::Number, sign + digits);
    }
    if before.is_ascii_digit() && is_pair(text) {
        return (Look::Punctuation(b'.'), 1);
    }
    if text[0] == b' ' {
        return (Look::Blank, text.iter().take_while(|b| **b == b' ').count());
    }
    let mark = mark_len(text);
    if mark > 0 {
        return (Look::Punctuation(text[0]), mark);
    }
    let is_part = |at: &usize| is_word(text[*at], dashes && text[0] != b'-') && mark_len(&text[*at..]) == 0;
    let word = (0..text.len()).take_while(is_part).count();
    // A dash is part of a name only in its interior.
    let word = text[..word].iter().rposition(|b| *b != b'-').map_or(word, |last| last + 1);
    match word {
        0 => (Look::Punctuation(text[0]), 1),
        5 if text[..5].iter().all(|b| b.is_ascii_digit() || b.is_ascii_uppercase()) && digits > 0 => (Look::Number, 5),
        _ => (Look::Word, word),
    }
}

/// Returns the length of a non-ASCII character that is not part of a word: `–`, `•`, `│`.
fn mark_len(text: &[u8]) -> usize {
    if text[0] < 0xC0 {
        return 0;
    }
    let characters = String::from_utf8_lossy(&text[..text.len().min(4)]);
    let first = characters.chars().next().filter(|c| *c != char::REPLACEMENT_CHARACTER && !c.is_alphanumeric());
    first.map_or(0, char::len_utf8)
}

fn is_word(byte: u8, dashes: bool) -> bool {
    match byte {
        b'-' => dashes,
        b'_' | b'.' | b'$' | b'\\' => true,
        _ => byte.is_ascii_alphanumeric() || byte >= 0x80,
    }
}

/// Whether a token may end at `len`.
fn ends(text: &[u8], len: usize) -> bool {
    text.get(len).is_none_or(|next| !next.is_ascii_alphanumeric() && *next != b'_' && *next != b'.')
}

fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|b| b.is_ascii_digit()).count()
}

fn local_len(text: &[u8]) -> usize {
    if text.starts_with(b"[local]") { 7 } else { 0 }
}

/// Returns the length of the backend type at the start of `text`.
pub fn backend_len(text: &[u8]) -> usize {
    BACKENDS.iter().filter(|name| text.starts_with(name.as_bytes())).map(|name| name.len()).max().unwrap_or(0)
}

/// Returns the length of `host(port)`. A host with colons must be an IPv6 address.
pub fn host_port_len(text: &[u8]) -> usize {
    let is_host = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_' | b':' | b'%');
    let host = text.iter().take_while(|b| is_host(b)).count();
    let Some(port) = text[host..].strip_prefix(b"(") else { return 0 };
    let port = digits(port);
    let closed = text.get(host + 1 + port) == Some(&b')');
    let valid = !text[..host].contains(&b':') || is_ipv6(&text[..host]);
    if host > 0 && (1..=5).contains(&port) && closed && valid { host + port + 2 } else { 0 }
}

/// Whether `text` is an IPv6 address, with or without a scope.
pub fn is_ipv6(text: &[u8]) -> bool {
    let address = text.split(|b| *b == b'%').next().unwrap_or_default(); // without a scope
    std::str::from_utf8(address).is_ok_and(|text| text.parse::<Ipv6Addr>().is_ok())
}

/// Returns the length of the shortest IPv4 or IPv6 address that ends at a token boundary.
pub fn address_len(text: &[u8]) -> usize {
    let dotted = text.iter().take_while(|b| b.is_ascii_digit() || **b == b'.').count();
    if std::str::from_utf8(&text[..dotted]).is_ok_and(|text| text.parse::<Ipv4Addr>().is_ok()) {
        return dotted;
    }
    let run = text.iter().take_while(|b| b.is_ascii_hexdigit() || matches!(b, b'.' | b':')).count();
    let run = &text[..run.min(45)];
    let is_end = |len: &usize| text.get(*len).is_none_or(|next| !next.is_ascii_alphanumeric());
    (3..=run.len()).filter(is_end).find(|len| run[..*len].contains(&b':') && is_ipv6(&run[..*len])).unwrap_or(0)
}

fn epoch_len(text: &[u8]) -> usize {
    let fits = digits(text) == 10 && text.get(10) == Some(&b'.') && digits(&text[11..]) == 3;
    if fits { 14 } else { 0 }
}

fn session_len(text: &[u8]) -> usize {
    let is_hex = |b: &u8| matches!(b, b'0'..=b'9' | b'a'..=b'f');
    let start = text.iter().take_while(|b| is_hex(b)).count();
    let Some(pid) = text[start..].strip_prefix(b".") else { return 0 };
    let pid = pid.iter().take_while(|b| is_hex(b)).count();
    // The start time, in seconds since 1970, has at least 8 hexadecimal digits.
    if (8..=16).contains(&start) && (1..=8).contains(&pid) { start + 1 + pid } else { 0 }
}

fn virtual_xid_len(text: &[u8]) -> usize {
    let backend = digits(text);
    let Some(local) = text[backend..].strip_prefix(b"/") else { return 0 };
    let local = digits(local);
    if backend > 0 && local > 0 { backend + 1 + local } else { 0 }
}
