//! log_line_prefix: parses the setting, and matches the start of a line with it. Does not infer which
//! prefix a log has; infer/ does.

use std::ops::Range;

use crate::infer::{address_len, backend_len, host_port_len};
use crate::label::{Label, parse_label};
use crate::timestamp::timestamp_len;

/// A field of the line that the prefix extracts, by an escape such as `%u`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrefixField {
    Time,
    User,
    Database,
    Application,
    Session,
    Pid,
    /// `%h`, or `%r` with the port.
    RemoteHost,
    SessionLine,
    SessionStart,
    CommandTag,
    SqlState,
    VirtualXid,
    Txid,
    QueryId,
}

impl PrefixField {
    const COUNT: usize = Self::QueryId as usize + 1;
}

/// What the server writes for an escape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EscapeForm {
    /// `2026-01-31 12:00:00.000 UTC`
    Timestamp,
    /// Digits, with an optional sign and decimal point.
    Number,
    /// Digits, letters, dots and slashes.
    Alphanumeric,
    /// Any text, up to where the rest of the prefix matches.
    Text,
    /// `[local]`, an address or a name; in `%r` with its port.
    Host,
    /// The type of a backend: a known one, or any text.
    Backend,
}

/// A part of a prefix.
#[derive(Debug, Clone, PartialEq, Eq)]
enum PrefixItem {
    Literal(Vec<u8>),
    Escape {
        /// `None` if the text is matched and not kept.
        field: Option<PrefixField>,
        form: EscapeForm,
        /// The server never leaves it empty.
        required: bool,
        /// Minimum width, 0 for none; negative for padding on the right.
        padding: i32,
    },
    /// `%q`: processes without a session, such as the checkpointer, write nothing after it.
    Quit,
}

/// A parsed log_line_prefix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prefix {
    items: Vec<PrefixItem>,
}

/// Byte ranges of the fields in a line, by [`PrefixField`]; empty for fields that the line lacks.
pub type PrefixRanges = [Range<usize>; PrefixField::COUNT];

/// Maximum length of an [`EscapeForm::Text`], in bytes. Names have at most 63 (NAMEDATALEN); a command
/// tag may be longer.
const MAX_TEXT_LEN: usize = 1024;

impl Prefix {
    /// Parses the value of log_line_prefix (elog.c: log_status_format).
    pub fn parse(prefix: &str) -> Self {
        let mut items: Vec<PrefixItem> = Vec::new();
        let push_literal = |items: &mut Vec<PrefixItem>, byte| match items.last_mut() {
            Some(PrefixItem::Literal(text)) => text.push(byte),
            _ => items.push(PrefixItem::Literal(vec![byte])),
        };
        let mut bytes = prefix.bytes().peekable();
        while let Some(byte) = bytes.next() {
            if byte != b'%' {
                push_literal(&mut items, byte);
                continue;
            }
            let pad_right = bytes.next_if_eq(&b'-').is_some();
            let mut padding = 0i32;
            while let Some(digit) = bytes.next_if(u8::is_ascii_digit) {
                padding = padding.saturating_mul(10).saturating_add(i32::from(digit - b'0'));
            }
            let padding = if pad_right { -padding } else { padding };
            let escape = bytes.next();
            let required = escape.is_some_and(|escape| b"tmnsplxQce".contains(&escape));
            let (field, form) = match escape {
                Some(b'%') => {
                    push_literal(&mut items, b'%');
                    continue;
                }
                Some(b'q') => {
                    items.push(PrefixItem::Quit);
                    continue;
                }
                Some(b't' | b'm') => (Some(PrefixField::Time), EscapeForm::Timestamp),
                Some(b'n') => (Some(PrefixField::Time), EscapeForm::Number),
                Some(b's') => (Some(PrefixField::SessionStart), EscapeForm::Timestamp),
                Some(b'u') => (Some(PrefixField::User), EscapeForm::Text),
                Some(b'd') => (Some(PrefixField::Database), EscapeForm::Text),
                Some(b'a') => (Some(PrefixField::Application), EscapeForm::Text),
                Some(b'r' | b'h') => (Some(PrefixField::RemoteHost), EscapeForm::Host),
                Some(b'i') => (Some(PrefixField::CommandTag), EscapeForm::Text),
                Some(b'L') => (None, EscapeForm::Host),
                Some(b'b') => (None, EscapeForm::Backend),
                Some(b'p') => (Some(PrefixField::Pid), EscapeForm::Number),
                Some(b'l') => (Some(PrefixField::SessionLine), EscapeForm::Number),
                Some(b'x') => (Some(PrefixField::Txid), EscapeForm::Number),
                Some(b'Q') => (Some(PrefixField::QueryId), EscapeForm::Number),
                Some(b'P') => (None, EscapeForm::Number),
                Some(b'c') => (Some(PrefixField::Session), EscapeForm::Alphanumeric),
                Some(b'e') => (Some(PrefixField::SqlState), EscapeForm::Alphanumeric),
                Some(b'v') => (Some(PrefixField::VirtualXid), EscapeForm::Alphanumeric),
                // PostgreSQL ignores unknown escapes, too.
                _ => continue,
            };
            items.push(PrefixItem::Escape { field, form, required, padding });
        }
        Self { items }
    }

    /// Matches a line that starts with this prefix and a label. Fills `ranges`, and returns the
    /// label and the offset of the text after it. `None`: the line does not match, and `ranges` are
    /// meaningless.
    pub fn match_line(&self, line: &[u8], ranges: &mut PrefixRanges) -> Option<(Label, usize)> {
        for range in ranges.iter_mut() {
            *range = 0..0;
        }
        match_items(&self.items, line, 0, ranges)
    }
}

fn match_items(items: &[PrefixItem], line: &[u8], mut at: usize, ranges: &mut PrefixRanges) -> Option<(Label, usize)> {
    for (index, item) in items.iter().enumerate() {
        match item {
            // Most literals are one byte: compare it without a call.
            PrefixItem::Literal(text) if text.len() == 1 => at += (line.get(at) == text.first()).then_some(1)?,
            PrefixItem::Literal(text) => at += line[at..].starts_with(text).then_some(text.len())?,
            PrefixItem::Quit => {
                // First the whole prefix: what stands before `%q` may match a line of a session, too.
                let before = ranges.clone();
                if let Some(session) = match_items(&items[index + 1..], line, at, ranges) {
                    return Some(session);
                }
                *ranges = before;
                return label_at(line, at);
            }
            PrefixItem::Escape { field, form: EscapeForm::Host, padding: 0, .. } => {
                return match_host(&items[index + 1..], line, at, *field, ranges);
            }
            PrefixItem::Escape { form: EscapeForm::Backend, padding: 0, .. } if backend_len(&line[at..]) > 0 => {
                at += backend_len(&line[at..]);
            }
            PrefixItem::Escape {
                field,
                form: EscapeForm::Text | EscapeForm::Host | EscapeForm::Backend,
                padding,
                ..
            } => {
                return match_text(&items[index + 1..], line, at, *field, *padding, ranges);
            }
            PrefixItem::Escape { field, form, required, padding } => {
                let start = at + if *padding > 0 { count_blanks(&line[at..]) } else { 0 };
                let end = start + form.len(&line[start..]);
                if end == start && *required {
                    return None;
                }
                if let Some(field) = field {
                    ranges[*field as usize] = start..end;
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

/// Matches an escape of any text, which ends where the `rest` of the prefix matches.
fn match_text(
    rest: &[PrefixItem],
    line: &[u8],
    start: usize,
    field: Option<PrefixField>,
    padding: i32,
    ranges: &mut PrefixRanges,
) -> Option<(Label, usize)> {
    let max_end = line.len().min(start + MAX_TEXT_LEN);
    let mut end = start + (padding.unsigned_abs() as usize).min(max_end - start);
    loop {
        if let Some(PrefixItem::Literal(text)) = rest.first() {
            end += memchr::memchr(text[0], &line[end..max_end])?;
        }
        if let Some(result) = match_items(rest, line, end, ranges) {
            if field == Some(PrefixField::User) && rest.first().is_some_and(PrefixItem::is_at_sign) {
                end = last_at_sign(rest, line, end, result, ranges);
            }
            if let Some(field) = field {
                // Only padding is not part of the text.
                let text = &line[start..end];
                let leading = if padding > 0 { count_blanks(text) } else { 0 };
                let trailing = if padding < 0 { count_blanks_at_end(&text[leading..]) } else { 0 };
                ranges[field as usize] = start + leading..end - trailing;
            }
            return Some(result);
        }
        end += 1;
        if end > max_end {
            return None;
        }
    }
}

/// Of the places where a user name before `@` may end so that the text stays `result`, the last one: names
/// of users (`ann@example.com`) have that sign, those of databases hardly ever.
fn last_at_sign(
    rest: &[PrefixItem],
    line: &[u8],
    first: usize,
    result: (Label, usize),
    ranges: &mut PrefixRanges,
) -> usize {
    let mut end = first;
    if !line[first + 1..result.1].contains(&b'@') {
        return end;
    }
    for at in memchr::memchr_iter(b'@', &line[first + 1..result.1]).map(|at| first + 1 + at) {
        let mut longer = ranges.clone();
        if match_items(rest, line, at, &mut longer) == Some(result) {
            *ranges = longer;
            end = at;
        }
    }
    end
}

/// Matches the host of a client, which may be empty. An address is matched as a whole, whatever literal
/// follows: its colons are none of the prefix.
fn match_host(
    rest: &[PrefixItem],
    line: &[u8],
    start: usize,
    field: Option<PrefixField>,
    ranges: &mut PrefixRanges,
) -> Option<(Label, usize)> {
    let text = &line[start..];
    let local = if text.starts_with(b"[local]") { 7 } else { 0 };
    let is_host = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_' | b'%');
    let name = text.iter().take_while(|b| is_host(b)).count();
    let whole = [local, host_port_len(text), address_len(text)].into_iter().filter(|len| *len > 0);
    let result = |len: usize, ranges: &mut PrefixRanges| {
        let result = match_items(rest, line, start + len, ranges)?;
        if let Some(field) = field {
            ranges[field as usize] = start..start + len;
        }
        Some(result)
    };
    whole.chain(0..=name).find_map(|len| result(len, ranges))
}

fn count_blanks(text: &[u8]) -> usize {
    text.iter().take_while(|b| **b == b' ').count()
}

fn count_blanks_at_end(text: &[u8]) -> usize {
    text.iter().rev().take_while(|b| **b == b' ').count()
}

/// The label at offset `at`, and the offset after it.
fn label_at(line: &[u8], at: usize) -> Option<(Label, usize)> {
    parse_label(&line[at..]).map(|(label, len)| (label, at + len))
}

impl PrefixItem {
    fn is_at_sign(&self) -> bool {
        matches!(self, Self::Literal(text) if text.first() == Some(&b'@') && text.len() == 1)
    }
}

impl EscapeForm {
    /// How many bytes at the start of `text` have this form; 0 is a match, since an escape may be
    /// empty.
    fn len(self, text: &[u8]) -> usize {
        let count = |accept: fn(&u8) -> bool| text.iter().take_while(|b| accept(b)).count();
        match self {
            Self::Timestamp => timestamp_len(text),
            Self::Number => {
                let sign = usize::from(text.first() == Some(&b'-'));
                sign + text[sign..].iter().take_while(|b| b.is_ascii_digit() || **b == b'.').count()
            }
            Self::Alphanumeric => count(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'/')),
            Self::Text | Self::Host | Self::Backend => 0, // not called: match_text and match_host find the end
        }
    }
}

#[cfg(test)]
mod tests;
