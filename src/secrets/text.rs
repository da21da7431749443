//! Finds secrets in text other than SQL: connection strings, JSON, addresses, messages, parameter values.

use std::ops::Range;

use super::MASK;
use super::found::Found;
use super::names::{is_secret, names_secret, words};
use super::percent::decoded;

/// Finds values that follow the name of a secret, and passwords in addresses. If the text names a secret, also finds
/// all values in quotes, and all numbers.
pub fn find(text: &str) -> Found {
    if names_secret(text) { find_values(text) } else { find_named(text) }
}

/// Finds all values in quotes, all numbers, values that follow the name of a secret, and passwords in addresses.
pub fn find_values(text: &str) -> Found {
    let mut found = find_named(text);
    quoted(text).chain(numbers(text)).for_each(|value| found.push(value, MASK));
    // The end of a value in dollar quotes is uncertain, because the value may contain its delimiter.
    found.edits.extend(dollar_quoted(text).next().map(|value| (value.start..text.len(), MASK)));
    // Mask the rest of the text from the first value whose end is uncertain. The end is uncertain if a backslash in the
    // value may escape the quote after it, if the opening quote follows a letter and may be an apostrophe (`n'existe`),
    // or if a letter follows the closing quote, which may be an apostrophe in the value (`'it's'`).
    let is_escaped =
        |value: &Range<usize>| text[value.start..].get(..=value.len()).is_some_and(|value| value.contains("\\'"));
    let is_apostrophe = |value: &Range<usize>| prefix_before(text, value.start - 1).is_some_and(|c| c != 'E');
    let goes_on = |value: &Range<usize>| {
        text[value.end..].strip_prefix('\'').is_some_and(|rest| rest.starts_with(char::is_alphanumeric))
    };
    let uncertain = quoted(text).find(|value| is_escaped(value) || is_apostrophe(value) || goes_on(value));
    found.edits.extend(uncertain.map(|value| (value.start..text.len(), MASK)));
    found
}

/// Finds values that follow the name of a secret, and passwords in addresses. The text may be percent-encoded.
pub fn find_named(text: &str) -> Found {
    find_named_by(text, |c| c.is_whitespace() || matches!(c, '\'' | '"' | '`' | '<' | '>'))
}

/// Like [`find_named`]. `ends_address`: whether a character ends an address.
fn find_named_by(text: &str, ends_address: fn(char) -> bool) -> Found {
    let mut found = find_unencoded(text, ends_address);
    if let Some(decoded) = decoded(text) {
        let mut unquoted = 0;
        for (range, mask) in find_unencoded(&decoded.text, ends_address).edits {
            // Search for the end of the value in the original text, because a decoded quote may be a part of the value.
            // If another value starts before this end, it has the same end, and needs no search.
            let Range { start, end } = decoded.original(&range);
            if start >= unquoted {
                unquoted = unquoted_end(text, start);
            }
            found.push(start..end.max(unquoted), mask);
        }
    }
    found
}

/// Like [`find_named`], but extends each value without quotes to the next white space, as in libpq's connection
/// strings, and each password of an address to the last `@` before the next white space. A quoted value that may have
/// an escaped quote is extended to the end of the name.
pub fn find_in_name(name: &str) -> Found {
    let mut found = find_named_by(name, |c| c.is_ascii_whitespace());
    found.edits.sort_by_key(|(range, _)| range.start);
    let mut masked = 0; // end of the last extended value; values before it are not searched again
    for (Range { start, end }, _) in &mut found.edits {
        if *start < masked || name[..*start].ends_with(['\'', '"', '(']) {
            if name[*end..].starts_with('\\') {
                *end = name.len();
            }
            continue;
        }
        let rest = name[*end..].split(|c: char| c.is_ascii_whitespace()).next().unwrap_or_default();
        *end += if rest.starts_with('@') { rest.rfind('@').unwrap_or_default() } else { rest.len() };
        masked = *end;
    }
    found
}

fn find_unencoded(text: &str, ends_address: fn(char) -> bool) -> Found {
    let (mut found, mut end) = (Found::default(), 0);
    for word in words(text) {
        let value = if word.start < end {
            None
        } else if text[word.end..].starts_with("://") {
            password_of_address(text, word.end + 3, ends_address)
        } else if is_secret(&text[word.clone()]) {
            value_after(text, &word)
        } else {
            None
        };
        if let Some(value) = value {
            end = value.end;
            found.push(value, MASK);
        }
    }
    found
}

/// Returns the byte ranges of values in dollar quotes, without the delimiters. The last value may lack its closing
/// delimiter.
fn dollar_quoted(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut rest = 0;
    std::iter::from_fn(move || {
        loop {
            let start = rest + text[rest..].find('$')?;
            let tag = text[start + 1..].find(|c: char| !c.is_alphanumeric() && c != '_');
            let open = start + 1 + tag.unwrap_or_default();
            rest = open.max(start + 1);
            if text[open..].starts_with('$') {
                let end = text[open + 1..].find(&text[start..=open]).map_or(text.len(), |len| open + 1 + len);
                rest = (end + open + 1 - start).min(text.len());
                return Some(open + 1..end);
            }
        }
    })
}

/// Returns the words that start with a digit.
fn numbers(text: &str) -> impl Iterator<Item = Range<usize>> {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let mut rest = 0;
    std::iter::from_fn(move || {
        loop {
            let start = rest + text[rest..].find(is_word)?;
            rest = text[start..].find(|c| !is_word(c)).map_or(text.len(), |len| start + len);
            // Exclude a period at the end, because it ends the sentence.
            let end = start + text[start..rest].trim_end_matches('.').len();
            if text[start..].starts_with(|c: char| c.is_ascii_digit()) && !text[..start].ends_with('$') {
                return Some(start..end);
            }
        }
    })
}

/// Returns the letter before the quote at `quote` if it is a prefix, as in `E'…'`, `B'…'`, `X'…'`
/// or `N'…'`.
fn prefix_before(text: &str, quote: usize) -> Option<char> {
    let mut before = text[..quote].chars().rev();
    let letter = before.next().filter(|c| matches!(c, 'e' | 'E' | 'b' | 'B' | 'x' | 'X' | 'n' | 'N'))?;
    before.next().is_none_or(|c| !c.is_alphanumeric() && c != '_').then_some(letter)
}

/// Returns the byte ranges of values in single quotes, without the quotes. A quote directly after a word is an
/// apostrophe and does not start a value. A doubled quote belongs to the value.
fn quoted(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut rest = 0;
    std::iter::from_fn(move || {
        let is_opening =
            |at: &usize| !text[..*at].ends_with(char::is_alphanumeric) || prefix_before(text, *at).is_some();
        let start = loop {
            let at = rest + text[rest..].find('\'')?;
            rest = at + 1;
            if is_opening(&at) {
                break rest;
            }
        };
        let mut end = start;
        loop {
            end += text[end..].find('\'').unwrap_or(text.len() - end);
            if !text[end..].starts_with("''") {
                break;
            }
            end += 2;
        }
        rest = (end + 1).min(text.len());
        Some(start..end)
    })
}

/// Returns the range of the password in an address `user:password@host`. `start` is the start of the address.
fn password_of_address(text: &str, start: usize, ends_address: fn(char) -> bool) -> Option<Range<usize>> {
    /// Maximum length of an address in bytes. The limit keeps the time linear for a text of many addresses.
    const LONGEST: usize = 1000;
    let rest = &text[start..text.floor_char_boundary(start + LONGEST)];
    let address = &rest[..rest.find(ends_address).unwrap_or(rest.len())];
    // The password ends at the last `@` before the path, which starts with the first `/`, `?` or `#`. For example, it
    // is `a@b` in `user:a@b@host/path`. If no `@` precedes the first `/`, `?` or `#`, this character is part of the
    // password, which ends at the first `@`: it is `a/b` in `user:a/b@host`.
    let path = address.find(['/', '?', '#']).unwrap_or(address.len());
    let at = address[..path].rfind('@').or_else(|| address.find('@'));
    let end = at.unwrap_or(path);
    let colon = address[..end].find(':')?;
    // Without an `@`, the text after the colon may be a port. It may also be a password: with `%u@%d` in
    // log_line_prefix, `text` may be the part of a URL before its `@`.
    let value = &address[colon + 1..end];
    let is_port = |value: &str| value.split(',').next().is_some_and(|port| port.bytes().all(|b| b.is_ascii_digit()));
    let is_address = at.is_none() && (address.starts_with('[') || is_port(value));
    (!value.is_empty() && !is_address).then(|| start + colon + 1..start + end)
}

/// Returns the range of the value that follows `name` and a sign (`=`, `:` or `=>`) or quote.
fn value_after(text: &str, name: &Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let skip = |mut at: usize, skipped: &[u8]| {
        while bytes.get(at).is_some_and(|byte| skipped.contains(byte)) {
            at += 1;
        }
        at
    };
    // Skip closing quotes and brackets after the name, including escaped ones.
    let after_name = skip(name.end, b"\"')]\\");
    let sign = skip(after_name, b" \t\r\n");
    let after_sign = skip(sign, b"=:>");
    let is_bearer = text[name.clone()].eq_ignore_ascii_case("bearer");
    let is_announced = after_sign > sign || is_bearer;
    let open = skip(after_sign, b" \t\r\n");
    let start = skip(open, b"'\"(\\");
    let is_quoted = start > open;
    if !(is_announced || is_quoted && bytes[start - 1] == b'\'') || start >= text.len() {
        return None;
    }
    // In `Key (id, password)=(1, x)`, mask all values.
    let end = match bytes[start - 1] {
        _ if !is_quoted => unquoted_end(text, start),
        b'(' => text[start..].find(')').map_or(text.len(), |len| start + len),
        quote => quoted_end(text, start, quote),
    };
    // In `Authorization: Bearer x`, the secret is not `Bearer` but the word after it.
    let is_scheme = ["bearer", "basic"].iter().any(|scheme| text[start..end].eq_ignore_ascii_case(scheme));
    let end = if is_scheme { unquoted_end(text, skip(end, b" ")) } else { end };
    let is_parameter = text[start..end].strip_prefix('$').is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()));
    (end > start && !is_parameter && &text[start..end] != MASK).then_some(start..end)
}

/// Returns the end of a value without quotes. Its first character does not end it (`password=;x`).
fn unquoted_end(text: &str, start: usize) -> usize {
    let is_first = |c: &char| !c.is_ascii_whitespace() && !matches!(c, '\'' | '"' | '\\');
    let first = text[start..].chars().next().filter(is_first).map_or(0, char::len_utf8);
    let ends = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '&' | '\'' | '"' | ')' | '}' | '\\');
    text[start + first..].find(ends).map_or(text.len(), |len| start + first + len)
}

/// Returns the end of a quoted value: the first quote without a letter or digit after it, or the end of the text.
fn quoted_end(text: &str, start: usize, quote: u8) -> usize {
    let bytes = text.as_bytes();
    let mut at = start;
    while let Some(len) = memchr::memchr(quote, &bytes[at..]) {
        at += len + 1;
        // A doubled quote before a letter or digit is part of the value. Before any other character, a doubled quote
        // ends a value inside a literal, as in `'SET password = ''x'''`.
        let next = bytes.get(at);
        if next == Some(&quote) && bytes.get(at + 1).is_some_and(|byte| byte.is_ascii_alphanumeric()) {
            at += 1;
        } else if !next.is_some_and(|byte| byte.is_ascii_alphanumeric()) {
            // Excludes the closing quotes, and the backslashes before them, from the value.
            return text[start..at - 1].trim_end_matches(['\\', char::from(quote)]).len() + start;
        }
    }
    text.len()
}

/// Masks all values of parameters. `parameters` has the format of PostgreSQL's log: `$1 = 'x', $2 = NULL`.
pub fn mask_quoted_values(parameters: &str) -> String {
    let mut found = Found::default();
    quoted(parameters).for_each(|value| found.push(value, MASK));
    super::found::masked(parameters, &found).into_owned()
}
