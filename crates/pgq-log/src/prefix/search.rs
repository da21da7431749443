//! Matches a line against a prefix by backtracking over the possible ends of the fields. This search is exact, and is
//! the fallback of straight.rs. It is slow if a name contains the literal that follows the name.

use std::ops::Range;

use super::{EscapeForm, PrefixField, PrefixItem, PrefixRanges, label_at, last_end};
use crate::message::label::Label;
use crate::prefix::address::{address_len, backend_len, host_port_len, is_ipv6};
use crate::time::timestamp::timestamp_len;

/// Placeholder of an unknown name (elog.c: log_status_format).
const UNKNOWN: &[u8] = b"[unknown]";

/// Matches `items` and then a label at the start of a line. First tries only names without blanks, because a blank
/// usually ends the name of a user or a database.
pub fn search(items: &[PrefixItem], line: &[u8], ranges: &mut PrefixRanges) -> Option<(Label, usize)> {
    match_items(items, line, 0, false, ranges).or_else(|| {
        let has_names = items.iter().any(PrefixItem::is_name);
        if has_names { match_items(items, line, 0, true, ranges) } else { None }
    })
}

/// Matches `items` and a label at offset `at` of a line. `blanks`: whether names may contain blanks.
fn match_items(
    items: &[PrefixItem],
    line: &[u8],
    mut at: usize,
    blanks: bool,
    ranges: &mut PrefixRanges,
) -> Option<(Label, usize)> {
    for (index, item) in items.iter().enumerate() {
        match item {
            // Most literals have one byte, which is compared without a call.
            PrefixItem::Literal(text) if text.len() == 1 => at += (line.get(at) == text.first()).then_some(1)?,
            PrefixItem::Literal(text) => at += line[at..].starts_with(text).then_some(text.len())?,
            PrefixItem::Quit => {
                // Tries the whole prefix first, because the part before `%q` alone may also match the line of a
                // session.
                let before = ranges.clone();
                if let Some(session) = match_items(&items[index + 1..], line, at, blanks, ranges) {
                    return Some(session);
                }
                *ranges = before;
                return label_at(line, at);
            }
            PrefixItem::Escape { field, form: EscapeForm::Host, padding: 0, .. } => {
                return match_host(&items[index + 1..], line, at, *field, blanks, ranges);
            }
            PrefixItem::Escape { field, form: EscapeForm::Backend, padding: 0, .. } if backend_len(&line[at..]) > 0 => {
                let start = at;
                at += backend_len(&line[at..]);
                if let Some(field) = field {
                    ranges.set(*field, start..at);
                }
            }
            PrefixItem::Escape {
                field,
                form: EscapeForm::Text | EscapeForm::Host | EscapeForm::Backend,
                padding,
                ..
            } => {
                return match_text(&items[index + 1..], line, at, (*field, *padding), blanks, ranges);
            }
            PrefixItem::Escape { field, form, required, padding } => {
                let start = at + if *padding > 0 { count_blanks(&line[at..]) } else { 0 };
                let mut end = start + form.len(&line[start..]);
                // If the prefix ends with this value, no delimiter separates the value from the label. The label's
                // first letters may look like a part of the value, so the value is shortened until a label follows.
                if form.has_letters() && matches!(items.get(index + 1), None | Some(PrefixItem::Quit)) {
                    end = (start..=end).rev().find(|end| label_at(line, *end).is_some()).unwrap_or(end);
                }
                if end == start && *required {
                    return None;
                }
                if let Some(field) = field {
                    ranges.set(*field, start..end);
                }
                let width = padding.unsigned_abs() as usize;
                at = end;
                while *padding < 0 && at - start < width && line.get(at) == Some(&b' ') {
                    at += 1;
                }
            }
        }
    }
    label_at(line, at)
}

/// Matches an escape with an arbitrary value. `rest` is the rest of the prefix. The value ends where `rest` matches.
fn match_text(
    rest: &[PrefixItem],
    line: &[u8],
    start: usize,
    (field, padding): (Option<PrefixField>, i32),
    blanks: bool,
    ranges: &mut PrefixRanges,
) -> Option<(Label, usize)> {
    let max_end = last_end(line, start, field).max(line.len().min(start + padding.unsigned_abs() as usize));
    let mut end = start + (padding.unsigned_abs() as usize).min(max_end - start);
    // Matches the placeholder of an unknown name as a whole.
    if padding == 0 && line[start..].starts_with(UNKNOWN) {
        let before = ranges.clone();
        if let Some(result) = match_items(rest, line, start + UNKNOWN.len(), blanks, ranges) {
            if let Some(field) = field {
                ranges.set(field, start..start + UNKNOWN.len());
            }
            return Some(result);
        }
        *ranges = before;
    }
    loop {
        if let Some(PrefixItem::Literal(text)) = rest.first() {
            end += memchr::memchr(text[0], &line[end..max_end])?;
        }
        if !blanks && padding == 0 && field.is_some_and(PrefixField::is_name) && line[start..end].contains(&b' ') {
            return None;
        }
        if let Some(result) = match_items(rest, line, end, blanks, ranges) {
            if field == Some(PrefixField::User) && rest.first().is_some_and(PrefixItem::is_at_sign) {
                end = last_at_sign(rest, line, end..max_end, result, blanks, ranges);
            }
            if let Some(field) = field {
                // Padding is not part of the value.
                let text = &line[start..end];
                let leading = if padding > 0 { count_blanks(text) } else { 0 };
                let trailing = if padding < 0 { count_blanks_at_end(&text[leading..]) } else { 0 };
                ranges.set(field, start + leading..end - trailing);
            }
            return Some(result);
        }
        end += 1;
        if end > max_end {
            return None;
        }
    }
}

/// Returns the offset of the `@` at which the user name ends. The name can end at any `@` from which the line matches
/// `rest` with the same `result`. The last such `@` is chosen, because a user name may contain `@` (`ann@example.com`),
/// but a database name rarely does.
///
/// `rest`: the rest of the prefix. `result`: the label, and the offset after the label. `ends`: the range from the
/// first `@` to the end of the longest possible name.
fn last_at_sign(
    rest: &[PrefixItem],
    line: &[u8],
    ends: Range<usize>,
    result: (Label, usize),
    blanks: bool,
    ranges: &mut PrefixRanges,
) -> usize {
    let mut end = ends.start;
    let others = ends.start + 1..result.1.min(ends.end + 1);
    for at in memchr::memchr_iter(b'@', &line[others.clone()]).map(|at| others.start + at) {
        let mut longer = ranges.clone();
        if match_items(rest, line, at, blanks, &mut longer) == Some(result) {
            *ranges = longer;
            end = at;
        }
    }
    end
}

/// Matches a client's host, which may be empty. Matches an address as a whole, because its colons are never literals of
/// the prefix.
fn match_host(
    rest: &[PrefixItem],
    line: &[u8],
    start: usize,
    field: Option<PrefixField>,
    blanks: bool,
    ranges: &mut PrefixRanges,
) -> Option<(Label, usize)> {
    let result = |len: usize, ranges: &mut PrefixRanges| {
        let result = match_items(rest, line, start + len, blanks, ranges)?;
        if let Some(field) = field {
            ranges.set(field, start..start + len);
        }
        Some(result)
    };
    host_lens(&line[start..]).find_map(|len| result(len, ranges))
}

/// Whether a byte may be part of a client's host: a name, an address with a port, or `[local]`.
pub fn is_host_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b'%' | b':' | b'(' | b')' | b'[' | b']')
}

/// Returns the possible lengths of a host at the start of `text`, in the order in which they are tried.
pub fn host_lens(text: &[u8]) -> impl Iterator<Item = usize> {
    let local = if text.starts_with(b"[local]") { 7 } else { 0 };
    let is_host = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_' | b'%');
    let name = text.iter().take_while(|b| is_host(b)).count();
    let whole = [local, host_port_len(text), address_len(text)].into_iter().filter(|len| *len > 0);
    // Without a delimiter after the host, the severity's first letters may look like hexadecimal
    // digits of an IPv6 address, so shorter addresses are also tried.
    let run = text.iter().take_while(|b| b.is_ascii_hexdigit() || **b == b':').count().min(45);
    let glued = (3..=run).rev().filter(|len| text[..*len].contains(&b':') && is_ipv6(&text[..*len]));
    whole.chain(0..=name).chain(glued)
}

/// Matches the start of `line` against the items before the first field that can have any value (such as a user's
/// name). Returns the length of the match, or `None` if an item does not match.
pub fn start_len(items: &[PrefixItem], line: &[u8]) -> Option<usize> {
    let mut at = 0;
    for (index, item) in items.iter().enumerate() {
        at += match item {
            PrefixItem::Literal(text) => line[at..].starts_with(text).then_some(text.len())?,
            PrefixItem::Quit => 0,
            PrefixItem::Escape { form: EscapeForm::Text, .. } => break,
            PrefixItem::Escape { form, padding, required, .. } => {
                let before = if *padding > 0 { count_blanks(&line[at..]) } else { 0 };
                let value = &line[at + before..];
                let is_end = |len: &usize| match items.get(index + 1) {
                    Some(PrefixItem::Literal(text)) => value[*len..].starts_with(text),
                    _ => true,
                };
                let len = match form {
                    EscapeForm::Host => host_lens(value).filter(is_end).max().unwrap_or(0),
                    EscapeForm::Backend => backend_len(value),
                    form => form.len(value),
                };
                if *required && len == 0 {
                    return None;
                }
                before + len + if *padding < 0 { count_blanks(&value[len..]) } else { 0 }
            }
        };
    }
    Some(at)
}

/// Returns the length of the alphanumeric run at the start of `text`. If the byte `between` follows, includes this byte
/// and the alphanumeric run after it.
#[inline(never)]
fn pair_len(text: &[u8], between: u8) -> usize {
    let count = |text: &[u8]| text.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
    let first = count(text);
    match text.get(first) {
        Some(byte) if *byte == between => first + 1 + count(&text[first + 1..]),
        _ => first,
    }
}

fn count_blanks(text: &[u8]) -> usize {
    text.iter().take_while(|b| **b == b' ').count()
}

fn count_blanks_at_end(text: &[u8]) -> usize {
    text.iter().rev().take_while(|b| **b == b' ').count()
}

impl PrefixItem {
    fn is_name(&self) -> bool {
        matches!(self, Self::Escape { field: Some(field), .. } if field.is_name())
    }

    pub fn is_at_sign(&self) -> bool {
        matches!(self, Self::Literal(text) if text.first() == Some(&b'@') && text.len() == 1)
    }
}

impl EscapeForm {
    pub fn has_letters(self) -> bool {
        matches!(self, Self::Timestamp | Self::Session | Self::VirtualXid | Self::Alphanumeric)
    }

    /// Returns the number of bytes at the start of `text` that have this form. A length of 0 is a match, because a
    /// value may be empty.
    #[inline]
    pub fn len(self, text: &[u8]) -> usize {
        let count = |accept: fn(&u8) -> bool| text.iter().take_while(|b| accept(b)).count();
        match self {
            Self::Timestamp => timestamp_len(text),
            Self::Number => {
                let sign = usize::from(text.first() == Some(&b'-'));
                sign + text[sign..].iter().take_while(|b| b.is_ascii_digit()).count()
            }
            Self::Decimal => count(|b| b.is_ascii_digit() || *b == b'.'),
            Self::Alphanumeric => count(u8::is_ascii_alphanumeric),
            Self::Session => pair_len(text, b'.'),
            Self::VirtualXid => pair_len(text, b'/'),
            Self::Text | Self::Host | Self::Backend => 0, // unused: match_text and match_host find the end
        }
    }
}
