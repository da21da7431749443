//! Parses log_line_prefix, and matches the start of a line against the prefix. straight.rs matches
//! in one pass, and search.rs backtracks. A part of the prefix that is constant within a session is
//! cached and compared as a whole. infer/ infers common prefixes from a log.

pub(crate) mod address;
pub(crate) mod infer;
pub(crate) mod readings;
mod search;
mod straight;

use std::ops::Range;

use crate::message::label::{Label, parse_label};
use crate::scan::known_runs::KnownRuns;
use search::{search, start_len};
use straight::StraightMatcher;

/// Cache of prefix tails. A tail is the part of a prefix after the last field that varies within a session. Many lines
/// have the same tail. A tail is stored only if its end does not depend on the bytes after the prefix.
pub type KnownTails = KnownRuns<PrefixField, ()>;

/// A field that an escape such as `%u` writes to a log line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrefixField {
    Time,
    User,
    Database,
    Application,
    Session,
    Pid,
    /// `%h`, or `%r`, which includes the port.
    RemoteHost,
    SessionLine,
    SessionStart,
    CommandTag,
    SqlState,
    VirtualXid,
    Txid,
    QueryId,
    BackendType,
}

impl PrefixField {
    const COUNT: usize = Self::ALL.len();

    const ALL: [Self; 15] = [
        Self::Time,
        Self::User,
        Self::Database,
        Self::Application,
        Self::Session,
        Self::Pid,
        Self::RemoteHost,
        Self::SessionLine,
        Self::SessionStart,
        Self::CommandTag,
        Self::SqlState,
        Self::VirtualXid,
        Self::Txid,
        Self::QueryId,
        Self::BackendType,
    ];

    /// Whether the field varies between the messages of a session.
    fn varies(self) -> bool {
        matches!(self, Self::Time | Self::SessionLine | Self::VirtualXid | Self::Txid | Self::QueryId)
    }

    /// Whether the value rarely contains a blank.
    fn is_name(self) -> bool {
        matches!(self, Self::User | Self::Database)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EscapeForm {
    /// `2026-01-31 12:00:00.000 UTC`
    Timestamp,
    /// Digits, with an optional sign.
    Number,
    /// Digits and a decimal point.
    Decimal,
    /// `65b0c3a1.2a`
    Session,
    /// `3/7`
    VirtualXid,
    /// Digits and letters.
    Alphanumeric,
    /// Arbitrary bytes, which end where the rest of the prefix matches.
    Text,
    /// The client's host: an address, a host name or `[local]`. The escape `%r` also writes the port after the host.
    Host,
    /// A known backend type, or arbitrary bytes.
    Backend,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum PrefixItem {
    Literal(Vec<u8>),
    Escape {
        /// `None` if the value is matched but not extracted.
        field: Option<PrefixField>,
        form: EscapeForm,
        /// Whether the value is never empty.
        required: bool,
        /// Minimum width. 0 for no padding, negative for padding on the right.
        padding: i32,
    },
    /// `%q`: processes without a session, such as the checkpointer, write nothing after it.
    Quit,
}

/// A parsed log_line_prefix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prefix {
    items: Vec<PrefixItem>,
    /// The one-pass matcher. Most prefixes have such a matcher.
    straight: Option<StraightMatcher>,
    /// The fields that can have any value, and for each of them the literal that follows in the prefix (empty if none).
    texts: Vec<(PrefixField, Vec<u8>)>,
}

/// Byte ranges of the fields in a line, indexed by [`PrefixField`]. The range of a missing field is empty.
#[derive(Debug, Clone, Default)]
pub struct PrefixRanges([(u32, u32); PrefixField::COUNT]);

impl PrefixRanges {
    pub fn get(&self, field: PrefixField) -> Range<usize> {
        let (start, end) = self.0[field as usize];
        start as usize..end as usize
    }

    /// Sets the range of a field. `u32` suffices, because messages are cut at
    /// [`MAX_MESSAGE_BYTES`](crate::message::parts::MAX_MESSAGE_BYTES).
    pub fn set(&mut self, field: PrefixField, range: Range<usize>) {
        self.0[field as usize] = (range.start as u32, range.end as u32);
    }
}

/// Maximum length of an [`EscapeForm::Text`], in bytes.
const MAX_TEXT_LEN: usize = 1024;

/// Returns the maximum length of an arbitrary value, in bytes. Names have at most 63 bytes (NAMEDATALEN). The server
/// may write each byte of an application's name as `\xNN`, which is four bytes.
fn max_len(field: Option<PrefixField>) -> usize {
    match field {
        Some(PrefixField::User | PrefixField::Database) => 63,
        Some(PrefixField::Application) => 4 * 63,
        _ => MAX_TEXT_LEN,
    }
}

/// Returns the last possible end of an arbitrary value that starts at offset `at` of a line. Unlike [`max_len`], allows
/// for names that were changed after the server wrote them: a conversion to UTF-8 can turn one byte into several, and
/// syslog can write `#001` for a byte.
fn last_end(line: &[u8], at: usize, field: Option<PrefixField>) -> usize {
    let most = max_len(field);
    if !matches!(field, Some(PrefixField::User | PrefixField::Database)) {
        return line.len().min(at + most);
    }
    let is_further = |byte: &&u8| (0x80..0xC0).contains(*byte);
    let mut end = at;
    for _ in 0..most {
        end += match &line[end..] {
            [] => break,
            [b'#', b'0'..=b'3', b'0'..=b'7', b'0'..=b'7', ..] => 4,
            [_, further @ ..] => 1 + further.iter().take_while(is_further).count(),
        };
    }
    end
}

impl Prefix {
    /// Parses the value of log_line_prefix (elog.c: log_status_format).
    pub fn parse(prefix: &str) -> Self {
        let mut items: Vec<PrefixItem> = Vec::new();
        let push_literal = |items: &mut Vec<PrefixItem>, byte| match items.last_mut() {
            Some(PrefixItem::Literal(text)) => text.push(byte),
            _ => items.push(PrefixItem::Literal(vec![byte])),
        };
        let has_time = prefix.contains("%m") || prefix.contains("%t");
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
                // If the prefix also has `%m` or `%t`, uses that time instead of `%n`, because that time has a zone.
                Some(b'n') if has_time => (None, EscapeForm::Decimal),
                Some(b'n') => (Some(PrefixField::Time), EscapeForm::Decimal),
                Some(b's') => (Some(PrefixField::SessionStart), EscapeForm::Timestamp),
                Some(b'u') => (Some(PrefixField::User), EscapeForm::Text),
                Some(b'd') => (Some(PrefixField::Database), EscapeForm::Text),
                Some(b'a') => (Some(PrefixField::Application), EscapeForm::Text),
                Some(b'r' | b'h') => (Some(PrefixField::RemoteHost), EscapeForm::Host),
                Some(b'i') => (Some(PrefixField::CommandTag), EscapeForm::Text),
                Some(b'L') => (None, EscapeForm::Host),
                Some(b'b') => (Some(PrefixField::BackendType), EscapeForm::Backend),
                Some(b'p') => (Some(PrefixField::Pid), EscapeForm::Number),
                Some(b'l') => (Some(PrefixField::SessionLine), EscapeForm::Number),
                Some(b'x') => (Some(PrefixField::Txid), EscapeForm::Number),
                Some(b'Q') => (Some(PrefixField::QueryId), EscapeForm::Number),
                Some(b'P') => (None, EscapeForm::Number),
                Some(b'c') => (Some(PrefixField::Session), EscapeForm::Session),
                Some(b'e') => (Some(PrefixField::SqlState), EscapeForm::Alphanumeric),
                Some(b'v') => (Some(PrefixField::VirtualXid), EscapeForm::VirtualXid),
                // Like PostgreSQL, ignores unknown escapes.
                _ => continue,
            };
            items.push(PrefixItem::Escape { field, form, required, padding });
        }
        let straight = StraightMatcher::new(&items);
        let texts = readings::texts(&items);
        Self { items, straight, texts }
    }

    /// Returns the literal before the first field. Another program may have added this literal to every line. In this
    /// case, continuation lines also start with it.
    pub fn leading_literal(&self) -> &[u8] {
        match self.items.first() {
            Some(PrefixItem::Literal(text)) => text,
            _ => b"",
        }
    }

    /// Whether a line begins like this prefix. This is the case if it begins with the prefix's leading literal, or if
    /// it matches the whole part of the prefix before the first arbitrary value (such as a name).
    pub fn begins(&self, line: &[u8]) -> bool {
        let literal = self.leading_literal();
        !literal.is_empty() && line.starts_with(literal) || start_len(&self.items, line).is_some_and(|len| len > 0)
    }

    /// Whether two fields follow each other without a delimiter, so that the end of the first may be unknown.
    pub fn joins_fields(&self) -> bool {
        let items: Vec<&PrefixItem> = self.items.iter().filter(|item| **item != PrefixItem::Quit).collect();
        items.windows(2).any(|two| two.iter().all(|item| matches!(item, PrefixItem::Escape { .. })))
    }

    /// Whether the prefix begins with a field with arbitrary values, such as a user's name.
    pub fn begins_with_text(&self) -> bool {
        let first = self.items.iter().find(|item| **item != PrefixItem::Quit);
        matches!(first, Some(PrefixItem::Escape { form: EscapeForm::Text, .. }))
    }

    /// Whether a literal of the prefix contains a tab.
    pub fn has_tabs(&self) -> bool {
        self.items.iter().any(|item| matches!(item, PrefixItem::Literal(text) if text.contains(&b'\t')))
    }

    /// Whether the first field after the leading literal has arbitrary values, such as a user's name.
    pub fn has_text_after_literal(&self) -> bool {
        let second = self.items.iter().filter(|item| **item != PrefixItem::Quit).nth(1);
        matches!(second, Some(PrefixItem::Escape { form: EscapeForm::Text, .. }))
    }

    /// Matches a line that starts with this prefix and a label. Fills `ranges`, and returns the label and the offset
    /// after it. If the line does not match, returns `None`, and leaves `ranges` unspecified.
    pub fn match_line(&self, line: &[u8], ranges: &mut PrefixRanges) -> Option<(Label, usize)> {
        self.match_line_by(&mut KnownTails::default(), line, ranges)
    }

    /// Like [`Prefix::match_line`]. `known` caches the tails of prefixes. A tail is constant within a session.
    #[inline]
    pub fn match_line_by(
        &self,
        known: &mut KnownTails,
        line: &[u8],
        ranges: &mut PrefixRanges,
    ) -> Option<(Label, usize)> {
        *ranges = PrefixRanges::default();
        if let Some(found) = self.straight.as_ref().and_then(|straight| straight.match_line(known, line, ranges)) {
            return Some(found);
        }
        *ranges = PrefixRanges::default();
        search(&self.items, line, ranges)
    }
}

/// Parses the label at offset `at`. Returns the label and the offset after it.
#[inline]
fn label_at(line: &[u8], at: usize) -> Option<(Label, usize)> {
    parse_label(&line[at..]).map(|(label, len)| (label, at + len))
}
