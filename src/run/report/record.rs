//! JSON records, one per line: `{"file":…,"line":…,"offset":…,<the result>}`.

use std::io::Write;

use pgq::secrets::{mask_name, mask_parameters};
use pgq_lexer::statement_keyword;
use pgq_log::{Entry, Field, parameter_values};

use super::json::quote;
use super::location::Location;
use crate::run::input::TableRecord;

/// A record under construction.
pub struct JsonRecord<'a> {
    out: &'a mut Vec<u8>,
}

impl<'a> JsonRecord<'a> {
    /// Begins a record with the statement's location.
    pub fn begin(out: &'a mut Vec<u8>, location: &Location<'_>) -> Self {
        out.extend_from_slice(b"{\"file\":");
        quote(location.file, out);
        let _ = write!(out, ",\"line\":{},\"offset\":{}", location.line, location.offset);
        Self { out }
    }

    /// Begins a record. If the columns of a table row are copied to the output, the record starts with these columns.
    /// Otherwise it starts with the location.
    pub fn begin_in(out: &'a mut Vec<u8>, location: &Location<'_>, record: Option<TableRecord<'_>>) -> Self {
        let Some(record) = record.filter(|record| !record.names.is_empty()) else { return Self::begin(out, location) };
        for (index, (name, value)) in record.names.iter().zip(&record.row.values).enumerate() {
            out.push(if index == 0 { b'{' } else { b',' });
            quote(name, out);
            out.push(b':');
            value.write_json(out);
        }
        Self { out }
    }

    /// Adds the fields of the log entry that contains the statement. `masks`: whether to mask secrets in names and
    /// parameters.
    pub fn log(self, entry: Option<Entry<'_>>, masks: bool) -> Self {
        let Some(entry) = entry else { return self };
        let quoted = |out: &mut Vec<u8>, text: &[u8]| {
            let text = String::from_utf8_lossy(text);
            quote(&if masks { mask_name(&text) } else { text.as_ref().into() }, out);
        };
        let mut record = self;
        if !entry.get(Field::Time).is_empty() {
            record = record.field("time", |out| quoted(out, entry.get(Field::Time)));
        }
        if entry.pid() != 0 {
            let _ = write!(record.out, ",\"pid\":{}", entry.pid());
        }
        for (key, part) in [
            ("user", Field::User),
            ("database", Field::Database),
            ("application", Field::Application),
            ("session", Field::Session),
        ] {
            let text = entry.get(part);
            if !text.is_empty() {
                record = record.field(key, |out| quoted(out, text));
            }
        }
        if let Some(duration) = entry.duration_ms() {
            let _ = write!(record.out, ",\"duration_ms\":{duration}");
        }
        let params = entry.get(Field::Params);
        if !params.is_empty() {
            let sql = String::from_utf8_lossy(entry.sql());
            let text = String::from_utf8_lossy(params);
            let masked = if masks { mask_parameters(&sql, &text) } else { text.as_ref().into() };
            record = record.field("params", |out| parameters(masked.as_bytes(), out));
        }
        record = record.field("severity", |out| quote(entry.severity().name(), out));
        record = record.field("kind", |out| quote(&statement_keyword(entry.sql()), out));
        if entry.is_truncated() {
            record = record.field("truncated", |out| out.extend_from_slice(b"true"));
        }
        record
    }

    /// Adds a key. `write` appends the value of the key.
    pub fn field(self, key: &str, write: impl FnOnce(&mut Vec<u8>)) -> Self {
        let _ = write!(self.out, ",\"{key}\":");
        write(self.out);
        self
    }

    /// Adds PostgreSQL's warnings and notices with their locations.
    pub fn warnings<'l>(self, warnings: &[pgq::Warning], location: impl Fn(&pgq::Warning) -> Location<'l>) -> Self {
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
                details(&location(warning), &[("hint", warning.hint.as_deref())], warning.sqlstate.as_ref(), out);
                out.push(b'}');
            }
            out.push(b']');
        })
    }

    /// Adds the statement's error.
    pub fn error(self, error: &pgq::Error, location: &Location<'_>) -> Self {
        self.field("error", |out| {
            out.extend_from_slice(b"{\"message\":");
            quote(&error.message, out);
            let notes = [("detail", error.detail.as_deref()), ("hint", error.hint.as_deref())];
            details(location, &notes, error.sqlstate.as_ref(), out);
            out.push(b'}');
        })
    }

    /// Adds the statement's comments.
    pub fn comments(self, comments: &[String]) -> Self {
        if comments.is_empty() {
            return self;
        }
        self.field("comments", |out| {
            for (index, comment) in comments.iter().enumerate() {
                out.push(if index > 0 { b',' } else { b'[' });
                quote(comment, out);
            }
            out.push(b']');
        })
    }

    /// Ends the record and its line.
    pub fn end(self) {
        self.out.extend_from_slice(b"}\n");
    }
}

/// Appends the details of a message: location, notes and SQLSTATE.
fn details(
    location: &Location<'_>,
    notes: &[(&str, Option<&str>)],
    sqlstate: Option<&pgq::SqlState>,
    out: &mut Vec<u8>,
) {
    let Location { line, column, offset, .. } = location;
    let _ = write!(out, ",\"line\":{line},\"column\":{column},\"offset\":{offset}");
    for (key, value) in notes.iter().copied().chain([("sqlstate", sqlstate.map(pgq::SqlState::as_str))]) {
        if let Some(value) = value {
            let _ = write!(out, ",\"{key}\":");
            quote(value, out);
        }
    }
}

/// Appends parameters as an array. If `params` cannot be parsed, appends it as a string.
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
