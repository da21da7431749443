//! JSON records, and indenting of JSON text that is already there.

use std::io::Write;

use super::Place;
use pgq_lexer::statement_keyword;
use pgq_log::{Entry, Part, parameter_values};

/// Appends `text` as a JSON string.
pub fn quote(text: &str, out: &mut Vec<u8>) {
    serde_json::to_writer(out, text).expect("a string is JSON and a Vec takes it");
}

/// A record being written: `{"file":…,"line":…,"offset":…,<the result>}` and a newline.
pub struct Record<'a> {
    out: &'a mut Vec<u8>,
}

impl<'a> Record<'a> {
    /// Opens a record with the place of its statement.
    pub fn open(out: &'a mut Vec<u8>, place: &Place<'_>) -> Self {
        out.extend_from_slice(b"{\"file\":");
        quote(place.file, out);
        let _ = write!(out, ",\"line\":{},\"offset\":{}", place.line, place.offset);
        Self { out }
    }

    /// Adds what a log knows of the statement.
    pub fn log(self, entry: Option<Entry<'_>>) -> Self {
        let Some(entry) = entry else { return self };
        let quoted = |out: &mut Vec<u8>, text: &[u8]| quote(&String::from_utf8_lossy(text), out);
        let mut record = self;
        if !entry.get(Part::Time).is_empty() {
            record = record.field("time", |out| quoted(out, entry.get(Part::Time)));
        }
        if entry.pid() != 0 {
            let _ = write!(record.out, ",\"pid\":{}", entry.pid());
        }
        for (key, part) in [
            ("user", Part::User),
            ("database", Part::Database),
            ("application", Part::Application),
            ("session", Part::Session),
        ] {
            let text = entry.get(part);
            if !text.is_empty() {
                record = record.field(key, |out| quoted(out, text));
            }
        }
        if let Some(duration) = entry.duration() {
            let _ = write!(record.out, ",\"duration_ms\":{duration}");
        }
        let params = entry.get(Part::Params);
        if !params.is_empty() {
            record = record.field("params", |out| parameters(params, out));
        }
        record = record.field("severity", |out| quote(entry.severity().name(), out));
        record = record.field("kind", |out| quote(&statement_keyword(entry.sql()), out));
        if entry.is_truncated() {
            record = record.field("truncated", |out| out.extend_from_slice(b"true"));
        }
        record
    }

    /// Adds a key; what `f` appends is its value.
    pub fn field(self, key: &str, f: impl FnOnce(&mut Vec<u8>)) -> Self {
        let _ = write!(self.out, ",\"{key}\":");
        f(self.out);
        self
    }

    /// Adds PostgreSQL's remarks, if there are any, each at its place in the file.
    pub fn warnings<'p>(self, warnings: &[pgq::Warning], place: impl Fn(&pgq::Warning) -> Place<'p>) -> Self {
        if warnings.is_empty() {
            return self;
        }
        self.field("warnings", |out| {
            out.push(b'[');
            for (i, warning) in warnings.iter().enumerate() {
                out.extend_from_slice(if i > 0 { b",{\"severity\":" } else { b"{\"severity\":" });
                quote(warning.severity, out);
                out.extend_from_slice(b",\"message\":");
                quote(&warning.message, out);
                told(&place(warning), &[("hint", warning.hint.as_deref())], warning.sqlstate.as_ref(), out);
                out.push(b'}');
            }
            out.push(b']');
        })
    }

    /// Adds what is wrong with the statement, at its place in the file.
    pub fn error(self, error: &pgq::Error, place: &Place<'_>) -> Self {
        self.field("error", |out| {
            out.extend_from_slice(b"{\"message\":");
            quote(&error.message, out);
            let notes = [("detail", error.detail.as_deref()), ("hint", error.hint.as_deref())];
            told(place, &notes, error.sqlstate.as_ref(), out);
            out.push(b'}');
        })
    }

    /// Closes the record.
    pub fn close(self) {
        self.out.extend_from_slice(b"}\n");
    }
}

/// Appends what follows a message: its place, PostgreSQL's notes and code for it.
fn told(place: &Place<'_>, notes: &[(&str, Option<&str>)], code: Option<&pgq::SqlState>, out: &mut Vec<u8>) {
    let Place { line, column, offset, .. } = place;
    let _ = write!(out, ",\"line\":{line},\"column\":{column},\"offset\":{offset}");
    for (key, value) in notes.iter().copied().chain([("sqlstate", code.map(pgq::SqlState::as_str))]) {
        if let Some(value) = value {
            let _ = write!(out, ",\"{key}\":");
            quote(value, out);
        }
    }
}

/// Appends the parameters of a statement: an array, or the text where that is not to be had.
fn parameters(params: &[u8], out: &mut Vec<u8>) {
    let Some(values) = parameter_values(params) else {
        return quote(&String::from_utf8_lossy(params), out);
    };
    out.push(b'[');
    for (index, value) in values.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        match value {
            Some(text) => quote(&String::from_utf8_lossy(text), out),
            None => out.extend_from_slice(b"null"),
        }
    }
    out.push(b']');
}

/// Appends JSON text `compact`, indented by two spaces a level. Trees are deep: this walks
/// the text and not the document, and so takes any depth.
pub fn indent(compact: &[u8], out: &mut Vec<u8>) {
    // A tree of 100,000 levels would be gigabytes of spaces: what is deeper stays on its line.
    const DEEPEST: usize = 200;
    fn line(depth: usize, out: &mut Vec<u8>) {
        if depth <= DEEPEST {
            out.push(b'\n');
            out.resize(out.len() + 2 * depth, b' ');
        }
    }
    let (mut depth, mut at) = (0usize, 0);
    while let Some(&byte) = compact.get(at) {
        at += 1;
        match byte {
            b'"' => {
                let start = at - 1;
                while let Some(&byte) = compact.get(at) {
                    at += if byte == b'\\' { 2 } else { 1 };
                    if byte == b'"' {
                        break;
                    }
                }
                out.extend_from_slice(&compact[start..at.min(compact.len())]);
            }
            b'{' | b'[' => {
                out.push(byte);
                if let Some(&close @ (b'}' | b']')) = compact.get(at) {
                    out.push(close);
                    at += 1;
                } else {
                    depth += 1;
                    line(depth, out);
                }
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                line(depth, out);
                out.push(byte);
            }
            b',' => {
                out.push(byte);
                line(depth, out);
            }
            b':' => out.extend_from_slice(b": "),
            _ => out.push(byte),
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn indenting_leaves_strings_and_empty_brackets_alone() {
        let mut out = Vec::new();
        super::indent(br#"{"a":[{},[]],"b":"{\"x\",:\\","c":-1}"#, &mut out);
        let expected = "{\n  \"a\": [\n    {},\n    []\n  ],\n  \"b\": \"{\\\"x\\\",:\\\\\",\n  \"c\": -1\n}";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn what_is_very_deep_stays_on_its_line() {
        let mut out = Vec::new();
        super::indent(format!("{}1,2{}", "[".repeat(1000), "]".repeat(1000)).as_bytes(), &mut out);
        assert_eq!(out.iter().filter(|byte| **byte == b'\n').count(), 401);
        assert!(out.len() < 100_000);
    }
}
