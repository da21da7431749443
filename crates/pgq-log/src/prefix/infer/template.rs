//! A log_line_prefix under construction, with the role of each token. Assigns fields that have a key or a distinctive
//! form.

use super::evidence::Known;
use super::keys::{escape_of_key, is_command};
use super::token::{Look, Token};

/// A tokenized line.
pub struct Row<'a> {
    pub tokens: Vec<Token<'a>>,
    /// The text after the severity.
    pub message: &'a [u8],
    /// Index of the line among the lines with a label. `is_part`: whether the line continues the message of the
    /// previous line (DETAIL, STATEMENT).
    pub index: usize,
    pub is_part: bool,
}

/// Role of a token in the prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Unknown,
    Literal,
    /// The first token of a field.
    Field(u8),
    /// A later token of the previous field, or blanks that pad the next field on the left.
    Inside,
    /// A run of blanks after a padded field. One blank is a literal; the others are padding.
    LastBlank,
}

/// A prefix under construction.
pub struct Template<'r, 'a> {
    pub rows: &'r [Row<'a>],
    /// Names in the log's messages.
    pub known: &'r Known<'a>,
    pub roles: Vec<Role>,
    /// Fields that are empty in these lines. For each field, the index of the next token, and the escape.
    empty: Vec<(usize, u8)>,
    /// Padded fields. For each field, the index of its first token, and the width. A negative width pads on the right.
    pub padding: Vec<(usize, i32)>,
    /// Descriptions of ambiguities.
    pub doubts: Vec<&'static str>,
    /// Whether another prefix is also possible. If the other prefix is correct, this one would mix up sessions.
    pub is_uncertain: bool,
}

/// A value of log_line_prefix, with the offsets at which tokens start.
pub struct Setting {
    pub text: String,
    pub starts: Vec<usize>,
    pub doubts: Vec<&'static str>,
    pub is_uncertain: bool,
}

impl<'r, 'a> Template<'r, 'a> {
    /// Returns a template without fields. `rows` must not be empty.
    pub fn new(rows: &'r [Row<'a>], known: &'r Known<'a>) -> Self {
        Self {
            rows,
            known,
            roles: vec![Role::Unknown; rows[0].tokens.len()],
            empty: Vec::new(),
            padding: Vec::new(),
            doubts: Vec::new(),
            is_uncertain: false,
        }
    }

    pub fn look(&self, at: usize) -> Option<Look> {
        self.rows[0].tokens.get(at).map(|token| token.look)
    }

    /// Returns the values of a token in all lines.
    pub fn column(&self, at: usize) -> impl Iterator<Item = &'a [u8]> + Clone {
        self.rows.iter().map(move |row| row.tokens[at].text)
    }

    pub fn is_constant(&self, at: usize) -> bool {
        let first = self.rows[0].tokens[at].text;
        self.column(at).all(|text| text == first)
    }

    pub fn has(&self, escape: u8) -> bool {
        self.roles.contains(&Role::Field(escape)) || self.empty.iter().any(|(_, field)| *field == escape)
    }

    pub fn is_punctuation(&self, at: usize, bytes: &[u8]) -> bool {
        matches!(self.look(at), Some(Look::Punctuation(byte)) if bytes.contains(&byte))
    }

    pub fn is_separator(&self, at: usize) -> bool {
        matches!(self.look(at), Some(Look::Blank | Look::Punctuation(_)))
    }

    /// If token `at` is a key, returns the index of the value's first token, and the escape.
    fn key(&self, at: usize) -> Option<(usize, u8)> {
        if self.look(at)? != Look::Word
            || !self.is_constant(at)
            || at.checked_sub(1).is_some_and(|before| self.is_punctuation(before, b"@"))
        {
            return None;
        }
        let escape = escape_of_key(self.rows[0].tokens[at].text)?;
        // `[user %u]`: the bracket ends the value.
        let is_bracketed = at.checked_sub(1).is_some_and(|before| self.is_punctuation(before, b"[("));
        if is_bracketed && self.look(at + 1) == Some(Look::Blank) && self.look(at + 2) == Some(Look::Word) {
            // Excludes the first word of `(transaction ID %x)`.
            let is_phrase = self.is_constant(at + 2) && self.look(at + 3) == Some(Look::Blank);
            return (!is_phrase).then_some((at + 2, escape));
        }
        let mut next = at + 1 + usize::from(self.look(at + 1) == Some(Look::Blank));
        let colon = self.is_punctuation(next, b":");
        if !(self.is_punctuation(next, b"=") || colon && !self.is_punctuation(next + 1, b"[")) {
            return None;
        }
        next += 1;
        // `session=[id=%c line=%l]`: the inner keys have the values.
        let inner = self.is_punctuation(next, b"[(") && self.is_punctuation(next + 2, b"=");
        if inner && self.is_constant(next + 1) {
            return None;
        }
        // The blank in `app= ` follows an empty name.
        next += usize::from(self.look(next) == Some(Look::Blank) && (colon || self.look(at + 1) == Some(Look::Blank)));
        Some((next, escape))
    }

    /// Assigns fields that have a key.
    pub fn assign_keys(&mut self) {
        let count = self.roles.len();
        let keys: Vec<(usize, usize, u8)> =
            (0..count).filter_map(|at| self.key(at).map(|(value, escape)| (at, value, escape))).collect();
        for (index, (at, value, escape)) in keys.iter().copied().enumerate() {
            if self.roles[at] != Role::Unknown {
                continue; // part of the previous value
            }
            self.roles[at..value.min(count)].fill(Role::Literal);
            let close = match self.look(value) {
                Some(Look::Punctuation(quote @ (b'"' | b'\''))) => Some(quote),
                Some(Look::Punctuation(b'[')) => Some(b']'),
                Some(Look::Punctuation(b'<')) => Some(b'>'),
                Some(Look::Punctuation(b'(')) => Some(b')'),
                Some(Look::Punctuation(b'{')) => Some(b'}'),
                _ => None,
            };
            let quoted = close.is_some();
            let value = value + usize::from(quoted);
            let mut limit = keys.get(index + 1).map_or(count, |next| next.0);
            if let Some(close) = close {
                limit = (value..limit).find(|at| self.is_punctuation(*at, &[close])).unwrap_or(limit);
            } else {
                while limit > value && self.is_separator(limit - 1) {
                    limit -= 1;
                }
            }
            let end = self.value_end(value, limit, escape, quoted);
            let escape = self.escape_of_value(escape, value..end);
            if end == value {
                self.empty.push((value, escape));
            } else {
                self.roles[value] = Role::Field(escape);
                self.roles[value + 1..end].fill(Role::Inside);
            }
        }
    }

    /// Returns the end of the value that starts at token `value`, at most `limit`. Returns `value` if the value is
    /// empty.
    fn value_end(&self, value: usize, limit: usize, escape: u8, quoted: bool) -> usize {
        if value >= limit || quoted {
            return limit.max(value);
        }
        let looks = (value..limit).filter_map(|at| self.look(at));
        let strong = looks.clone().skip(1).any(|look| {
            matches!(look, Look::Time | Look::Session | Look::HostPort | Look::Host | Look::Epoch | Look::VirtualXid)
                || matches!(look, Look::Punctuation(b'[' | b'|' | b'<'))
        });
        let has_blank = looks.clone().any(|look| look == Look::Blank);
        let whole = !strong && (matches!(escape, b'a' | b'i' | b'b') || !has_blank);
        if whole {
            return limit;
        }
        if self.is_separator(value) {
            return value; // empty
        }
        (value..limit).find(|at| self.is_separator(*at)).unwrap_or(limit)
    }

    /// Returns the escape of a field. `escape` is the escape for the field's key. The form of the value may select a
    /// variant, such as `%m` instead of `%t`.
    fn escape_of_value(&self, escape: u8, value: std::ops::Range<usize>) -> u8 {
        match (escape, self.look(value.start).filter(|_| !value.is_empty())) {
            // A distinctive form takes precedence over the key.
            (_, Some(Look::Epoch)) => b'n',
            (_, Some(Look::Session)) => b'c',
            (_, Some(Look::VirtualXid)) => b'v',
            (_, Some(Look::HostPort)) => b'r',
            (b't', Some(Look::Time)) if self.has_milliseconds(value.start) => b'm',
            (b'h', Some(Look::Host)) if self.column(value.start).all(|text| text == b"[local]") => b'r',
            (b'c', Some(Look::Number)) => b'p',
            (b'v', Some(Look::Number)) => b'x',
            // In `type=`, an empty value or a value in capitals is the command tag. The backend type is never empty,
            // and is in lower case.
            (b'b', None) => b'i',
            (b'b', Some(Look::Word)) if self.column(value.start).any(is_command) => b'i',
            (escape, _) => escape,
        }
    }

    /// Whether a host is the server's address (`%L`). If so, a `connection received` message names another host.
    fn is_servers(&self, at: usize) -> bool {
        self.rows.iter().any(|row| {
            let host = row.message.strip_prefix(b"connection received: host=");
            host.is_some_and(|host| !host.starts_with(row.tokens[at].text))
        })
    }

    fn has_milliseconds(&self, at: usize) -> bool {
        self.column(at).all(|text| text.get(19) == Some(&b'.'))
    }

    /// Assigns fields that have a distinctive form.
    pub fn assign_looks(&mut self) {
        let unknown = |template: &Self, at: usize| template.roles[at] == Role::Unknown;
        for at in 0..self.roles.len() {
            let Some(look) = self.look(at).filter(|_| unknown(self, at)) else { continue };
            self.roles[at] = match look {
                Look::Epoch => Role::Field(b'n'),
                Look::Session => Role::Field(b'c'),
                Look::HostPort => Role::Field(b'r'),
                Look::Host if self.column(at).all(|text| text == b"[local]") => Role::Field(b'r'),
                Look::Host if self.is_servers(at) => Role::Field(b'L'),
                Look::Host => Role::Field(b'h'),
                Look::VirtualXid => Role::Field(b'v'),
                Look::Backend => Role::Field(b'b'),
                Look::Blank | Look::Punctuation(_) => Role::Literal,
                Look::Time | Look::Number | Look::Word => Role::Unknown,
            };
        }
        let times: Vec<usize> =
            (0..self.roles.len()).filter(|at| self.look(*at) == Some(Look::Time) && unknown(self, *at)).collect();
        // The message's time is never before the session's start. Only the message's time may have milliseconds.
        let latest = times.iter().copied().max_by_key(|at| {
            let seconds = |text: &[u8]| text[..19].to_vec();
            let before =
                |other: &usize| self.column(*at).zip(self.column(*other)).all(|(a, b)| seconds(a) >= seconds(b));
            (self.has_milliseconds(*at), times.iter().all(before), std::cmp::Reverse(*at))
        });
        for at in times {
            let log_time = if self.has_milliseconds(at) { b'm' } else { b't' };
            let has_other = self.has(b'm') || self.has(b't') || self.has(b'n') && log_time == b't';
            let is_log_time = Some(at) == latest && !has_other;
            self.roles[at] = Role::Field(if is_log_time { log_time } else { b's' });
        }
    }

    pub fn write(self) -> Setting {
        let mut text = String::new();
        let mut starts = Vec::new();
        for (at, role) in self.roles.iter().enumerate() {
            starts.push(text.len());
            for (_, escape) in self.empty.iter().filter(|(before, _)| *before == at) {
                text.extend(['%', char::from(*escape)]);
            }
            match role {
                Role::Inside => {}
                Role::LastBlank => text.push(' '),
                Role::Field(escape) => {
                    let width = self.padding.iter().find(|(field, _)| *field == at).map_or(0, |(_, width)| *width);
                    text.push('%');
                    text += &if width == 0 { String::new() } else { width.to_string() };
                    text.push(char::from(*escape));
                }
                Role::Literal | Role::Unknown => {
                    let literal = self.rows[0].tokens[at].text;
                    text += &String::from_utf8_lossy(literal).replace('%', "%%");
                }
            }
        }
        for (_, escape) in self.empty.iter().filter(|(before, _)| *before >= self.roles.len()) {
            text.extend(['%', char::from(*escape)]);
        }
        Setting { text, starts, doubts: self.doubts, is_uncertain: self.is_uncertain }
    }
}
