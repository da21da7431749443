//! Tables as JSON lines: one object per line, with columns as keys.

use std::collections::HashSet;
use std::io;
use std::sync::Arc;

use pgq_log::{BeforeWait, ByteSource};
use serde_json::value::RawValue;

use super::detect::JSON_ARRAY;
use super::{ColumnChoice, KeptColumns, TableRow, TableRows, Value, check_column_count, invalid};
use crate::run::input::limit::MaxStatementBytes;
use crate::run::input::reader::Reader;
use crate::run::input::records::{DelimitedRecords, RecordSplitter};

/// Splits JSON lines into rows. The columns are the keys of the first object. If the output is JSON, later objects may
/// add columns.
pub struct JsonRows {
    lines: RecordSplitter,
    sql: String,
    kept: KeptColumns,
    /// Names of result columns.
    results: Vec<&'static str>,
    /// The keys of kept columns.
    keys: Vec<String>,
    /// Names of kept columns in the output.
    names: Vec<String>,
}

impl JsonRows {
    /// Reads the columns from the first line.
    ///
    /// # Errors
    /// Reading fails, or the first object lacks the SQL column.
    pub fn new(
        reader: &mut Reader,
        choice: ColumnChoice<'_>,
        max_len: usize,
        before_wait: BeforeWait<'_>,
    ) -> io::Result<(Self, Option<String>)> {
        let mut lines = RecordSplitter::new(b'\n', MaxStatementBytes(max_len));
        reader.skip_byte_order_mark(&mut lines.position);
        let mut first = reader.bytes().trim_ascii_start();
        while !first.contains(&b'\n') && !reader.is_complete() && reader.bytes().len() <= max_len {
            reader.read_more(&mut lines.position, before_wait)?;
            first = reader.bytes().trim_ascii_start();
        }
        if first.starts_with(b"[") {
            return Err(invalid(JSON_ARRAY.into()));
        }
        let line = first.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let names: Vec<String> = match line.is_empty() {
            true => Vec::new(),
            false => keys(line, 1)?.into_iter().map(|(name, _)| name).collect(),
        };
        let mut rows = Self {
            lines,
            sql: String::new(),
            kept: choice.kept,
            results: choice.results.to_vec(),
            keys: Vec::new(),
            names: Vec::new(),
        };
        if names.is_empty() {
            return Ok((rows, None));
        }
        let chosen = choice.choose(&names)?;
        (rows.sql, rows.names) = (names[chosen.sql].clone(), chosen.kept);
        rows.keys = names;
        Ok((rows, chosen.notice))
    }

    /// Returns the next rows, or `None` at the end.
    ///
    /// # Errors
    /// Returns an error if reading fails, if a line is not an object or contains a key twice, or if the SQL is not a
    /// string.
    ///
    /// If columns are copied to the output, a string with half a surrogate pair is also an error. A key that the first
    /// line lacks is then an error too, unless the output is JSON.
    pub fn next(&mut self, reader: &mut Reader, before_wait: BeforeWait<'_>) -> io::Result<Option<TableRows>> {
        let Some(lines) = self.lines.next(reader, before_wait)? else { return Ok(None) };
        let rows = self.rows(&lines)?;
        Ok(Some(TableRows::of_text(Arc::from(&self.names[..]), rows)))
    }

    fn rows(&mut self, lines: &DelimitedRecords) -> io::Result<Vec<TableRow>> {
        let mut rows = Vec::new();
        for (line, start) in lines.iter() {
            let keys = keys(line, start.line)?;
            let found = keys.iter().find(|(name, _)| *name == self.sql).map(|(_, raw)| value(raw));
            let sql = match found {
                None | Some(Value::Null) => None,
                Some(Value::Text(text)) => Some(text),
                Some(Value::Json(_)) => {
                    return Err(invalid(format!("line {}: {:?} is not a string", start.line, self.sql)));
                }
            };
            let mut values = Vec::new();
            if self.kept != KeptColumns::None {
                values = vec![Value::Null; self.names.len()];
                for (name, raw) in &keys {
                    let known = self.keys.iter().position(|known| known == name);
                    if known.is_none() {
                        self.add_column(name, start.line)?;
                        values.push(Value::Null);
                    }
                    let value = value(raw);
                    if matches!(&value, Value::Text(text) if std::str::from_utf8(text).is_err()) {
                        return Err(invalid(format!("line {}: {name:?} has half a surrogate pair", start.line)));
                    }
                    values[known.unwrap_or(self.keys.len() - 1)] = value;
                }
            }
            rows.push(TableRow { start, sql, values });
        }
        Ok(rows)
    }

    /// Adds a column that the rows before `line` do not have.
    fn add_column(&mut self, name: &str, line: u64) -> io::Result<()> {
        if self.kept != KeptColumns::Growing {
            return Err(invalid(format!(
                "line {line} has a column {name:?} that the first line does not have: write JSON (--format json), whose \
                 rows may have other columns"
            )));
        }
        check_column_count(self.names.len() + 1)?;
        let choice = ColumnChoice { column: None, kept: self.kept, results: &self.results };
        if choice.unused(name, &self.names, &self.keys) != name {
            return Err(invalid(format!(
                "line {line} has a column {name:?} that the first line does not have, and the output has another column \
                 of this name: rename it"
            )));
        }
        self.names.push(name.to_string());
        self.keys.push(name.to_string());
        Ok(())
    }
}

/// Returns the members of an object in order.
///
/// # Errors
/// The line is not an object, or has a key twice.
fn keys(line: &[u8], number: u64) -> io::Result<Vec<(String, &RawValue)>> {
    struct Members<'a>(Vec<(String, &'a RawValue)>);

    impl<'de> serde::Deserialize<'de> for Members<'de> {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct Visitor;
            impl<'de> serde::de::Visitor<'de> for Visitor {
                type Value = Members<'de>;

                fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    formatter.write_str("a JSON object")
                }

                fn visit_map<M: serde::de::MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
                    let mut members = Vec::new();
                    while let Some(member) = map.next_entry::<String, &RawValue>()? {
                        members.push(member);
                    }
                    Ok(Members(members))
                }
            }
            deserializer.deserialize_map(Visitor)
        }
    }

    let members = serde_json::from_slice::<Members<'_>>(line);
    let members = members.map_err(|problem| invalid(format!("line {number}: {problem}")))?.0;
    let mut names = HashSet::with_capacity(members.len());
    match members.iter().find(|(name, _)| !names.insert(name)) {
        Some((name, _)) => Err(invalid(format!("line {number}: the key {name:?} occurs twice"))),
        None => Ok(members),
    }
}

fn value(raw: &RawValue) -> Value {
    match raw.get().as_bytes().first() {
        Some(b'n') => Value::Null,
        Some(b'"') => serde_json::from_str(raw.get()).map_or(Value::Null, |Bytes(text)| Value::Text(text)),
        _ => Value::Json(raw.get().to_string()),
    }
}

/// The content of a JSON string. An unpaired surrogate, as in a truncated string, becomes bytes that are not UTF-8.
struct Bytes(Vec<u8>);

impl<'de> serde::Deserialize<'de> for Bytes {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Bytes;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("a JSON string")
            }

            fn visit_bytes<E>(self, text: &[u8]) -> Result<Bytes, E> {
                Ok(Bytes(text.to_vec()))
            }
        }
        deserializer.deserialize_bytes(Visitor)
    }
}
