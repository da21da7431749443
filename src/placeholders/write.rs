//! Writes the new SQL. Numbers the placeholders and records the replaced byte ranges.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use super::forms::{Form, FoundPlaceholder};
use super::{Placeholder, PlaceholderStyle};
use pgq_lexer::is_word_byte;

/// A replacement: its byte range in the new SQL (at least one byte) and in the original SQL.
#[derive(Debug, Clone)]
pub(crate) struct Edit {
    pub(crate) new: Range<usize>,
    pub(crate) old: Range<usize>,
}

pub(super) struct Written<'a> {
    pub(super) sql: String,
    pub(super) edits: Vec<Edit>,
    pub(super) placeholders: Vec<Placeholder<'a>>,
}

/// Writes `text` with the replacements `found`. `text` starts at byte `base` of the original SQL. The numbers of new
/// parameters start after `highest`.
pub(super) fn write<'a>(
    text: &str,
    base: usize,
    found: &[FoundPlaceholder<'a>],
    highest: u32,
    style: PlaceholderStyle,
) -> Written<'a> {
    let mut numbers = Numbers { highest, next: highest, of_names: HashMap::new(), style };
    let mut written = Written {
        sql: String::with_capacity(text.len() + 2 * found.len()),
        edits: Vec::with_capacity(found.len()),
        placeholders: Vec::with_capacity(found.len()),
    };
    let mut at = 0;
    for FoundPlaceholder { range, form } in found {
        written.sql.push_str(&text[at..range.start - base]);
        at = range.end - base;
        let start = written.sql.len();
        let number = numbers.number(*form);
        written.put(*form, number, text.as_bytes().get(at).copied());
        written.edits.push(Edit { new: start..written.sql.len(), old: range.clone() });
        if !matches!(form, Form::Escaped(_)) {
            written.placeholders.push(Placeholder { range: range.clone(), number, name: form.name() });
        }
    }
    written.sql.push_str(&text[at..]);
    written
}

impl Written<'_> {
    /// Writes one replacement. Adds a space if the replacement would merge with an adjacent word. `next` is the byte
    /// after the replacement.
    fn put(&mut self, form: Form<'_>, number: Option<u32>, next: Option<u8>) {
        let (text, keeps_apart): (Cow<'_, str>, bool) = match (form, number) {
            (_, Some(number)) => (format!("${number}").into(), true),
            (Form::Escaped(character), _) => (character.to_string().into(), false),
            (Form::Identifier(name), _) => (quoted(name, '"').into(), false),
            (Form::Glued(name), _) => (name.into(), false),
            (Form::Literal(name), _) => (quoted(name.unwrap_or("?"), '\'').into(), true),
            (Form::Prefix(_), _) => (" ".into(), false),
            _ => ("TRUE".into(), true),
        };
        if keeps_apart && self.sql.bytes().last().is_some_and(is_word_byte) {
            self.sql.push(' ');
        }
        self.sql.push_str(&text);
        if keeps_apart && next.is_some_and(is_word_byte) {
            self.sql.push(' ');
        }
    }
}

fn quoted(name: &str, quote: char) -> String {
    let doubled = [quote, quote].iter().collect::<String>();
    format!("{quote}{}{quote}", name.replace(quote, &doubled))
}

impl<'a> Form<'a> {
    fn name(self) -> Option<&'a str> {
        match self {
            Self::Named(name, _)
            | Self::Numbered(_, name)
            | Self::Identifier(name)
            | Self::Glued(name)
            | Self::True(name)
            | Self::Prefix(name) => Some(name),
            Self::Literal(name) => name,
            Self::Next(_) | Self::Escaped(_) => None,
        }
    }
}

struct Numbers<'a> {
    /// The maximum n of `$n` in the original SQL.
    highest: u32,
    /// The maximum number so far.
    next: u32,
    of_names: HashMap<Cow<'a, str>, u32>,
    style: PlaceholderStyle,
}

impl<'a> Numbers<'a> {
    fn number(&mut self, form: Form<'a>) -> Option<u32> {
        match form {
            Form::Named(name, _) => {
                let name = match self.style {
                    PlaceholderStyle::At => name.to_lowercase().into(),
                    _ => name.into(),
                };
                let next = &mut self.next;
                Some(*self.of_names.entry(name).or_insert_with(|| {
                    *next = next.saturating_add(1);
                    *next
                }))
            }
            Form::Next(_) => {
                self.next = self.next.saturating_add(1);
                Some(self.next)
            }
            Form::Numbered(number, _) => {
                let number = self.highest.saturating_add(number);
                self.next = self.next.max(number);
                Some(number)
            }
            _ => None,
        }
    }
}
