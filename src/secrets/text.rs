//! Finds secrets in strings other than SQL: connection strings, JSON, addresses, messages and parameter values.

use std::ops::Range;

use super::MASK;
use super::found::Found;
use super::names::is_secret;

/// Finds the secrets after a name or in an address.
pub fn find(text: &str) -> Found {
    let mut found = Found::default();
    let mut rest = 0;
    while let Some(word) = next_word(text, rest) {
        rest = word.end;
        if text[word.end..].starts_with("://") {
            if let Some(password) = password_of_address(text, word.end + 3) {
                rest = password.end;
                found.push(password, MASK);
            }
        } else if is_secret(&text[word.clone()])
            && let Some(value) = value_after(text, &word)
        {
            rest = value.end;
            found.push(value, MASK);
        }
    }
    found
}

/// Returns the next run of name characters.
fn next_word(text: &str, from: usize) -> Option<Range<usize>> {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let start = from + text[from..].find(is_name)?;
    let end = text[start..].find(|c| !is_name(c)).map_or(text.len(), |len| start + len);
    Some(start..end)
}

/// Returns the password in `user:password@host`, which begins at `start`.
fn password_of_address(text: &str, start: usize) -> Option<Range<usize>> {
    let end = text[start..].find(|c: char| c.is_whitespace() || matches!(c, '\'' | '"' | '`' | '<' | '>'));
    let address = &text[start..end.map_or(text.len(), |len| start + len)];
    // A password may contain any character, including the delimiters of an address.
    let path = address.find(['/', '?', '#']).unwrap_or(address.len());
    let at = address[..path].rfind('@').or_else(|| address.find('@'))?;
    let colon = address[..at].find(':')?;
    (colon + 1 < at).then(|| start + colon + 1..start + at)
}

/// Returns the value of a name, after `=`, `:`, `=>` or a quote.
fn value_after(text: &str, name: &Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let skip = |mut at: usize, skipped: &[u8]| {
        while bytes.get(at).is_some_and(|byte| skipped.contains(byte)) {
            at += 1;
        }
        at
    };
    // Skip the closing quotes and brackets of the name, including escaped ones.
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
    // If a key has several columns, all values are masked.
    let end = match bytes[start - 1] {
        _ if !is_quoted => unquoted_end(text, start),
        b'(' => text[start..].find(')').map_or(text.len(), |len| start + len),
        quote => quoted_end(text, start, quote),
    };
    // `Authorization: Bearer x` contains two names before the value.
    let is_scheme = ["bearer", "basic"].iter().any(|scheme| text[start..end].eq_ignore_ascii_case(scheme));
    let end = if is_scheme { unquoted_end(text, skip(end, b" ")) } else { end };
    let is_parameter = text[start..end].strip_prefix('$').is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()));
    (end > start && !is_parameter && &text[start..end] != MASK).then_some(start..end)
}

fn unquoted_end(text: &str, start: usize) -> usize {
    let ends = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '&' | '\'' | '"' | ')' | '}' | '\\');
    text[start..].find(ends).map_or(text.len(), |len| start + len)
}

/// Returns the end of a quoted value, which is a quote that no word follows.
fn quoted_end(text: &str, start: usize, quote: u8) -> usize {
    let bytes = text.as_bytes();
    let mut at = start;
    while let Some(len) = memchr::memchr(quote, &bytes[at..]) {
        at += len + 1;
        // Inside a literal, a doubled quote may also end the value. Then no word follows it.
        let next = bytes.get(at);
        if next == Some(&quote) && bytes.get(at + 1).is_some_and(|byte| byte.is_ascii_alphanumeric()) {
            at += 1;
        } else if !next.is_some_and(|byte| byte.is_ascii_alphanumeric()) {
            // The closing quotes and their backslashes are not part of the value.
            return text[start..at - 1].trim_end_matches(['\\', char::from(quote)]).len() + start;
        }
    }
    text.len()
}

/// Masks the parameters with the numbers `secret`, and secrets in the other parameters. `parameters` has the form that
/// a server logs: `$1 = 'x', $2 = NULL`.
pub fn mask_numbered(parameters: &str, secret: &[u32]) -> String {
    let mut out = String::with_capacity(parameters.len());
    let mut rest = parameters;
    while let Some(open) = rest.find('\'') {
        let (before, after) = (&rest[..open + 1], &rest[open + 1..]);
        let number = before.trim_end_matches(['\'', ' ', '=']).rsplit('$').next();
        let number = number.and_then(|digits| digits.parse().ok());
        let mut end = 0;
        loop {
            end += after[end..].find('\'').unwrap_or(after.len() - end);
            if !after[end..].starts_with("''") {
                break;
            }
            end += 2;
        }
        out.push_str(before);
        match number {
            Some(number) if secret.contains(&number) => out.push_str(MASK),
            _ => out.push_str(&super::mask_text(&after[..end])),
        }
        let close = usize::from(end < after.len());
        out.push_str(&after[end..end + close]);
        rest = &after[end + close..];
    }
    out + rest
}
