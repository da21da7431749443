//! `log_line_prefix`: what PostgreSQL writes before each message, and how to read it back.
//! It only matches; which prefix a log has is guessed elsewhere.

use std::ops::Range;

use crate::severity::{Label, label};

/// What an escape stands for, as far as records carry it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    Time,
    User,
    Database,
    Application,
    Session,
    Pid,
    None,
}

/// How the text of an escape looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// `2026-01-31 12:00:00.000 UTC`
    Timestamp,
    /// Digits, perhaps with a sign or a point.
    Number,
    /// Digits, letters, points and slashes.
    Alphanumeric,
    /// Anything, up to where the rest matches.
    Text,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Item {
    Literal(Vec<u8>),
    Escape {
        field: Field,
        shape: Shape,
        padding: i32,
    },
    /// `%q`: background processes write nothing from here on.
    Quit,
}

/// A prefix, taken has_separate_durations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prefix {
    items: Vec<Item>,
}

/// Fields found in a line, at most one of a kind.
pub type Found = [Range<usize>; Field::None as usize];

/// Longest text taken for one escape, in bytes: names have at most 63, a command line more.
const LONGEST_TEXT: usize = 1024;

impl Prefix {
    /// Takes a prefix has_separate_durations as PostgreSQL does.
    pub fn new(prefix: &str) -> Self {
        let mut items: Vec<Item> = Vec::new();
        let literal = |items: &mut Vec<Item>, byte| match items.last_mut() {
            Some(Item::Literal(text)) => text.push(byte),
            _ => items.push(Item::Literal(vec![byte])),
        };
        let mut bytes = prefix.bytes().peekable();
        while let Some(byte) = bytes.next() {
            if byte != b'%' {
                literal(&mut items, byte);
                continue;
            }
            let left = bytes.next_if_eq(&b'-').is_some();
            let mut padding = 0i32;
            while let Some(digit) = bytes.next_if(u8::is_ascii_digit) {
                padding = padding.saturating_mul(10).saturating_add(i32::from(digit - b'0'));
            }
            let padding = if left { -padding } else { padding };
            let (field, shape) = match bytes.next() {
                Some(b'%') => {
                    literal(&mut items, b'%');
                    continue;
                }
                Some(b'q') => {
                    items.push(Item::Quit);
                    continue;
                }
                Some(b't' | b'm') => (Field::Time, Shape::Timestamp),
                Some(b'n') => (Field::Time, Shape::Number),
                Some(b's') => (Field::None, Shape::Timestamp),
                Some(b'u') => (Field::User, Shape::Text),
                Some(b'd') => (Field::Database, Shape::Text),
                Some(b'a') => (Field::Application, Shape::Text),
                Some(b'r' | b'h' | b'b' | b'i' | b'L') => (Field::None, Shape::Text),
                Some(b'p') => (Field::Pid, Shape::Number),
                Some(b'P' | b'l' | b'x' | b'Q') => (Field::None, Shape::Number),
                Some(b'c') => (Field::Session, Shape::Alphanumeric),
                Some(b'e' | b'v') => (Field::None, Shape::Alphanumeric),
                // PostgreSQL leaves out what it does not know, too.
                _ => continue,
            };
            items.push(Item::Escape { field, shape, padding });
        }
        Self { items }
    }

    /// Reads a line that begins with this prefix and goes on with a severity: what is found,
    /// the severity, and where the text behind it starts.
    pub fn read(&self, line: &[u8], found: &mut Found) -> Option<(Label, usize)> {
        for range in found.iter_mut() {
            *range = 0..0;
        }
        Self::items(&self.items, line, 0, found)
    }

    fn items(items: &[Item], line: &[u8], mut at: usize, found: &mut Found) -> Option<(Label, usize)> {
        for (index, item) in items.iter().enumerate() {
            match item {
                // One byte is the most common: no call for it.
                Item::Literal(text) if text.len() == 1 => at += (line.get(at) == text.first()).then_some(1)?,
                Item::Literal(text) => at += line[at..].starts_with(text).then_some(text.len())?,
                Item::Quit => {
                    // Sessions first: what they add may look like nothing was added.
                    let session = Self::items(&items[index + 1..], line, at, found);
                    return session.or_else(|| severity_at(line, at));
                }
                Item::Escape { field, shape: Shape::Text, padding } => {
                    return Self::text(&items[index + 1..], line, at, *field, *padding, found);
                }
                Item::Escape { field, shape, padding } => {
                    let start = at + if *padding > 0 { blanks(&line[at..]) } else { 0 };
                    let end = start + shape.len(&line[start..]);
                    if *field != Field::None {
                        found[*field as usize] = start..end;
                    }
                    let width = padding.unsigned_abs() as usize;
                    at = end;
                    while *padding < 0 && at - start < width && line.get(at) == Some(&b' ') {
                        at += 1;
                    }
                }
            }
        }
        severity_at(line, at)
    }

    /// A text ends where the rest of the prefix matches.
    fn text(
        rest: &[Item],
        line: &[u8],
        start: usize,
        field: Field,
        padding: i32,
        found: &mut Found,
    ) -> Option<(Label, usize)> {
        let longest = line.len().min(start + LONGEST_TEXT);
        let mut end = start + (padding.unsigned_abs() as usize).min(longest - start);
        loop {
            if let Some(Item::Literal(text)) = rest.first() {
                end += memchr::memchr(text[0], &line[end..longest])?;
            }
            if let Some(result) = Self::items(rest, line, end, found) {
                if field != Field::None {
                    let text = line[start..end].trim_ascii();
                    let start = start + if padding > 0 { blanks(&line[start..end]) } else { 0 };
                    found[field as usize] = start..start + text.len();
                }
                return Some(result);
            }
            end += 1;
            if end > longest {
                return None;
            }
        }
    }
}

fn blanks(text: &[u8]) -> usize {
    text.iter().take_while(|b| **b == b' ').count()
}

/// The severity that must stand at `at`.
fn severity_at(line: &[u8], at: usize) -> Option<(Label, usize)> {
    label(&line[at..]).map(|(label, len)| (label, at + len))
}

impl Shape {
    /// How many bytes of this shape `text` begins with; none are as good as some.
    fn len(self, text: &[u8]) -> usize {
        let run = |accept: fn(&u8) -> bool| text.iter().take_while(|b| accept(b)).count();
        match self {
            Self::Timestamp => crate::timestamp::timestamp_len(text),
            Self::Number => {
                let sign = usize::from(text.first() == Some(&b'-'));
                sign + text[sign..].iter().take_while(|b| b.is_ascii_digit() || **b == b'.').count()
            }
            Self::Alphanumeric => run(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'/')),
            Self::Text => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Field, Found, Label, Prefix};

    fn read(prefix: &str, line: &str) -> Option<Vec<String>> {
        let mut found = Found::default();
        let (word, at) = Prefix::new(prefix).read(line.as_bytes(), &mut found)?;
        assert_eq!(word, Label::Primary(crate::entry::Severity::Log), "{line}");
        let mut all: Vec<String> = found.iter().map(|range| line[range.clone()].to_string()).collect();
        all.push(line[at..].to_string());
        Some(all)
    }

    fn strings(all: [&str; 7]) -> Option<Vec<String>> {
        Some(all.map(String::from).to_vec())
    }

    #[test]
    fn common_prefixes() {
        let time = "2026-01-31 12:00:00.123 UTC";
        let line = format!("{time} [42] ann@shop LOG:  x");
        let expected = strings([time, "ann", "shop", "", "", "42", "x"]);
        assert_eq!(read("%m [%p] %q%u@%d ", &line), expected);
        let line = format!("{time} [42] LOG:  x");
        assert_eq!(read("%m [%p] %q%u@%d ", &line), strings([time, "", "", "", "", "42", "x"]));
        assert_eq!(read("%m [%p] ", &line), strings([time, "", "", "", "", "42", "x"]));
        let line = "2026-01-31 12:00:00 UTC:10.0.0.1(5432):ann@shop:[42]:LOG:  x";
        let expected = strings(["2026-01-31 12:00:00 UTC", "ann", "shop", "", "", "42", "x"]);
        assert_eq!(read("%t:%r:%u@%d:[%p]:", line), expected);
    }

    #[test]
    fn every_escape_is_stepped_over() {
        let prefix = "%a|%u|%d|%r|%h|%b|%p|%P|%t|%m|%n|%Q|%i|%e|%c|%l|%s|%v|%x|%%|";
        let line = "my app|ann|shop|[local]|[local]|client backend|42||2026-01-31 12:00:00 CET|\
                    2026-01-31 12:00:00.123 +02|1769857200.123|-7|SELECT|00000|65b.2a|3|2026-01-31 11:00:00 CET|\
                    3/0|0|%|LOG:  x";
        let found = read(prefix, line).unwrap();
        assert_eq!(found[1..], ["ann", "shop", "my app", "65b.2a", "42", "x"].map(String::from));
    }

    #[test]
    fn padding_is_no_part_of_a_name() {
        let expected = strings(["", "ann", "shop", "", "", "42", "x"]);
        assert_eq!(read("[%6p] %-10u|%10d ", "[    42] ann       |      shop LOG:  x"), expected);
        assert_eq!(read("%-6p%u@%d ", "42    ann@shop LOG:  x"), expected);
    }

    #[test]
    fn names_may_hold_what_ends_them() {
        let found = read("%a [%p] ", "app [x] y [42] LOG:  x").unwrap();
        assert_eq!((&*found[Field::Application as usize], &*found[Field::Pid as usize]), ("app [x] y", "42"));
        assert_eq!(read("%u@%d ", "no severity here"), None);
        assert_eq!(read("%m [%p] ", ""), None);
    }
}
