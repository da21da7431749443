//! The tokens of what stands before the severity: time stamps, numbers, addresses, words, and what is
//! between them. Knows how fields look, not which one a token is.

use std::net::{Ipv4Addr, Ipv6Addr};

use super::keys::BACKENDS;
use crate::timestamp::timestamp_len;

/// How a token looks.
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
    /// An integer, or a SQLSTATE, which may look like one.
    Number,
    /// The type of a backend, which has blanks.
    Backend,
    /// A name or a value; also `[unknown]`.
    Word,
    Blank,
    Punctuation(u8),
}

/// A token of a line.
#[derive(Debug, Clone, Copy)]
pub struct Token<'a> {
    pub look: Look,
    pub text: &'a [u8],
}

/// Splits a text into tokens. `dashes`: words may contain them.
pub fn tokens(text: &[u8], dashes: bool) -> Vec<Token<'_>> {
    let mut tokens: Vec<Token<'_>> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let before = at.checked_sub(1).map_or(b' ', |at| text[at]);
        let (look, len) = token(&text[at..], dashes, before);
        tokens.push(Token { look, text: &text[at..at + len] });
        at += len;
    }
    tokens
}

/// How many bytes at the start of a text look so.
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
    // `v3/7`: a letter before a virtual transaction.
    let letters = text.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    let xid = if letters > 0 { virtual_xid_len(&text[letters..]) } else { 0 };
    if xid > 0 && ends(text, letters + xid) {
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
    // `7.0`: a number, a point, a number.
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
    let word = text.iter().take_while(|b| is_word(**b, dashes && text[0] != b'-')).count();
    match word {
        0 => (Look::Punctuation(text[0]), 1),
        5 if text[..5].iter().all(|b| b.is_ascii_digit() || b.is_ascii_uppercase()) && digits > 0 => (Look::Number, 5),
        _ => (Look::Word, word),
    }
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

/// The length of the type of a backend.
pub fn backend_len(text: &[u8]) -> usize {
    BACKENDS.iter().filter(|name| text.starts_with(name.as_bytes())).map(|name| name.len()).max().unwrap_or(0)
}

/// The length of `host(port)`. A host with colons is an IPv6 address.
pub fn host_port_len(text: &[u8]) -> usize {
    let is_host = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_' | b':' | b'%');
    let host = text.iter().take_while(|b| is_host(b)).count();
    let Some(port) = text[host..].strip_prefix(b"(") else { return 0 };
    let port = digits(port);
    let closed = text.get(host + 1 + port) == Some(&b')');
    let valid = !text[..host].contains(&b':') || is_ipv6(&text[..host]);
    if host > 0 && (1..=5).contains(&port) && closed && valid { host + port + 2 } else { 0 }
}

/// Whether a text is an IPv6 address, which may have a scope.
pub fn is_ipv6(text: &[u8]) -> bool {
    let address = text.split(|b| *b == b'%').next().unwrap_or_default(); // without a scope
    std::str::from_utf8(address).is_ok_and(|text| text.parse::<Ipv6Addr>().is_ok())
}

/// The length of an IPv4 or IPv6 address: of the shortest that ends where a token may.
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
    // The start is in seconds since 1970.
    if (8..=16).contains(&start) && (1..=8).contains(&pid) { start + 1 + pid } else { 0 }
}

fn virtual_xid_len(text: &[u8]) -> usize {
    let backend = digits(text);
    let Some(local) = text[backend..].strip_prefix(b"/") else { return 0 };
    let local = digits(local);
    if backend > 0 && local > 0 { backend + 1 + local } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::{Look, tokens};

    #[test]
    fn tokens_are_what_they_look_like() {
        let looks =
            |text: &str| -> Vec<Look> { tokens(text.as_bytes(), true).iter().map(|token| token.look).collect() };
        for (text, look) in [
            ("2026-01-31 12:00:00.123 UTC", Look::Time),
            ("1769857200.123", Look::Epoch),
            ("697dfa40.2a", Look::Session),
            ("10.0.0.1(5432)", Look::HostPort),
            ("2001:db8::1(5432)", Look::HostPort),
            ("db-1.example.com(5432)", Look::HostPort),
            ("[local]", Look::Host),
            ("::1", Look::Host),
            ("3/7", Look::VirtualXid),
            ("42P01", Look::Number),
            ("-7", Look::Number),
            ("autovacuum worker", Look::Backend),
            ("[unknown]", Look::Word),
            ("my-app_1.2", Look::Word),
        ] {
            assert_eq!(looks(text), [look], "{text}");
        }
        assert_eq!(looks("3-1"), [Look::Number, Look::Punctuation(b'-'), Look::Number]);
        assert_eq!(looks("v3/7"), [Look::Word, Look::VirtualXid]);
        assert_eq!(looks(":::1:ann"), [Look::Punctuation(b':'), Look::Host, Look::Punctuation(b':'), Look::Word]);
    }
}
