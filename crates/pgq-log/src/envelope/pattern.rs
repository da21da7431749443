//! Patterns of textual envelopes, with literals and fields in braces. Matches a line with a pattern of table.rs.

mod field;

pub use field::Field;
use field::{number, pid_of_tag, piece};

/// Parts of a line with an envelope.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Parts<'a> {
    pub time: &'a [u8],
    pub pid: u32,
    /// Names that distinguish sources.
    pub names: Vec<&'a [u8]>,
    /// The host, which distinguishes sources.
    pub host: &'a [u8],
    /// Whether the text continues on the next line of the same source.
    pub partial: bool,
    /// Whether a container wrote the line to its standard output.
    pub is_stdout: bool,
    pub piece: Option<(u64, u64)>,
    pub text: &'a [u8],
}

/// A compiled pattern. It consists of literals and of these fields:
///
/// - Times: `{iso}` and `{bsd}`.
/// - Sources: `{n}` is a name, `{host}` a host.
/// - Syslog: `{tag}` is `name[pid]`. `{pid}` is a process ID. `{pri}` is `<13>`. `{facility}` is
///   `local0.info`. `{sd}` is structured data of RFC 5424. `{seq}` is an optional piece number such
///   as `[7-2] `. `{piece}` is a required one.
/// - Containers: `{std}` is stdout or stderr. `{flag}` is F or P.
/// - Tools: `{labels}` is `{a="b"}`, which also distinguishes sources. `{file}` is the name of a log
///   file, `{line}` a line's number. `{gs}` is grep's separator: `:` in a matching line, `-` in a
///   context line.
/// - General: `{w}` is a word. `{d}` is a number. `{_}` is blanks. `{text}` is the rest.
pub struct Pattern {
    items: Vec<Item>,
}

#[derive(Clone, Copy)]
enum Item {
    Literal(&'static [u8]),
    /// A field, and the byte after it in the pattern.
    Field(Field, Option<u8>),
    /// The text, which ends the pattern.
    Text,
}

impl Pattern {
    pub fn parse(pattern: &'static str) -> Self {
        let (mut items, mut rest) = (Vec::new(), pattern);
        while !rest.is_empty() {
            let Some(field) = rest.strip_prefix('{') else {
                let (literal, after) = rest.split_at(rest.find('{').unwrap_or(rest.len()));
                items.push(Item::Literal(literal.as_bytes()));
                rest = after;
                continue;
            };
            let (name, after) = field.split_once('}').expect("a field ends");
            items.push(match name {
                "text" => Item::Text,
                name => Item::Field(Field::parse(name), after.bytes().next().filter(|byte| *byte != b'{')),
            });
            rest = after;
        }
        Self { items }
    }

    /// Returns the field at the start of the pattern if the field has a distinctive form. Only lines that start with
    /// this field can match the pattern.
    pub fn lead(&self) -> Option<Field> {
        match self.items.first()? {
            Item::Field(field, _) if field.is_particular() => Some(*field),
            _ => None,
        }
    }

    /// Matches a line. Returns `None` if the line has a different form.
    pub fn match_line<'a>(&self, line: &'a [u8]) -> Option<Parts<'a>> {
        let (mut parts, mut rest) = (Parts::default(), line);
        for item in &self.items {
            let (field, stop) = match *item {
                Item::Literal(text) if text.len() == 1 => {
                    rest = rest.split_first().filter(|(first, _)| **first == text[0])?.1;
                    continue;
                }
                Item::Literal(text) => {
                    rest = rest.strip_prefix(text)?;
                    continue;
                }
                Item::Text => return Some(Parts { text: rest, ..parts }),
                Item::Field(field, stop) => (field, stop),
            };
            let len = field.len(rest, stop)?;
            let (value, remaining) = rest.split_at(len);
            match field {
                Field::Iso | Field::Bsd => parts.time = value,
                Field::Name => parts.names.push(value),
                Field::Host => parts.host = value,
                Field::Tag => parts.pid = pid_of_tag(value),
                Field::Pid => parts.pid = number(value).unwrap_or(0) as u32,
                Field::Std => parts.is_stdout = value == b"stdout",
                Field::Labels => parts.names.push(value),
                Field::Flag => parts.partial = value.starts_with(b"P"),
                Field::Seq | Field::Piece => parts.piece = piece(value),
                _ => {}
            }
            rest = remaining;
        }
        None // a pattern ends with the text
    }
}
