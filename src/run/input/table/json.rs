//! Tables as JSON lines: one object per line, with columns as keys.

use std::io;
use std::sync::Arc;

use pgq_log::{BeforeWait, ByteSource};
use serde_json::value::RawValue;

use super::{ColumnChoice, TableRow, TableRows, Value, invalid};
use crate::run::input::limit::MaxStatementBytes;
use crate::run::input::reader::Reader;
use crate::run::input::records::{DelimitedRecords, RecordSplitter};

/// Splits JSON lines into rows. The columns are the keys of the first object.
pub struct JsonRows {
    lines: RecordSplitter,
    names: Arc<[String]>,
    sql: String,
    keep: bool,
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
        let lines = RecordSplitter::new(b'\n', MaxStatementBytes(max_len));
        let mut first = reader.bytes().trim_ascii_start();
        while !first.contains(&b'\n') && !reader.is_complete() && reader.bytes().len() <= max_len {
            reader.fill(before_wait)?;
            first = reader.bytes().trim_ascii_start();
        }
        let line = first.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let names: Vec<String> = match line.is_empty() {
            true => Vec::new(),
            false => keys(line, 1)?.into_iter().map(|(name, _)| name).collect(),
        };
        let (sql, notice) = if names.is_empty() { (0, None) } else { choice.find(&names)? };
        let sql = names.get(sql).cloned().unwrap_or_default();
        let names = if choice.keep { names.into() } else { Arc::default() };
        Ok((Self { lines, names, sql, keep: choice.keep }, notice))
    }

    /// Returns the next rows, or `None` at the end.
    ///
    /// # Errors
    /// Reading fails, a line is not an object, SQL is not a string, or the first line lacks a key of this line.
    pub fn next(&mut self, reader: &mut Reader, before_wait: BeforeWait<'_>) -> io::Result<Option<TableRows>> {
        let Some(lines) = self.lines.next(reader, before_wait)? else { return Ok(None) };
        let rows = self.rows(&lines)?;
        Ok(Some(TableRows::of_text(Arc::clone(&self.names), rows)))
    }

    fn rows(&self, lines: &DelimitedRecords) -> io::Result<Vec<TableRow>> {
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
            if self.keep {
                values = vec![Value::Null; self.names.len()];
                for (name, raw) in &keys {
                    let Some(index) = self.names.iter().position(|known| known == name) else {
                        let line = start.line;
                        let problem = format!("line {line} has a column {name:?} that the first line does not have");
                        return Err(invalid(problem));
                    };
                    values[index] = value(raw);
                }
            }
            rows.push(TableRow { start, sql, values });
        }
        Ok(rows)
    }
}

/// Returns the members of an object in order.
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

    serde_json::from_slice::<Members<'_>>(line)
        .map(|members| members.0)
        .map_err(|problem| invalid(format!("line {number}: {problem}")))
}

fn value(raw: &RawValue) -> Value {
    match raw.get().as_bytes().first() {
        Some(b'n') => Value::Null,
        Some(b'"') => serde_json::from_str(raw.get()).map_or(Value::Null, |text: String| Value::Text(text.into())),
        _ => Value::Json(raw.get().to_string()),
    }
}
