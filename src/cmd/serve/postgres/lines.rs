//! PostgreSQL operations in JSON lines, with parameters and values as text.

use pgq_frames::postgres::Results;
use pgq_frames::{ErrorCode, Fault, batch};
use pgq_postgres::{BatchAnswer, Statement};
use serde_json::{Map, Value, json};

use super::super::json_answer::fault_json;
use super::super::limits::ANSWER_BYTES;
use super::fault::server_fault;
use super::items::affected;

/// Key of the flag `warnings`.
const WARNINGS: &str = "has_warnings";

/// Results of an execute request as JSON objects, one for each row of parameters.
pub struct JsonRows {
    results: Results,
    items: Vec<Value>,
    /// Result rows of the next item.
    rows: Vec<Value>,
    warnings: bool,
    bytes: usize,
    /// The error that is written instead of `rows` in the next item. It is set if JSON cannot represent one of these
    /// rows.
    unreadable: Option<Fault>,
}

impl JsonRows {
    pub fn new(results: Results) -> Self {
        Self { results, items: Vec::new(), rows: Vec::new(), warnings: false, bytes: 0, unreadable: None }
    }

    /// Returns the items.
    ///
    /// # Errors
    /// The items are too long for a line. The statement may have been executed nevertheless.
    pub fn finish(self) -> Result<Value, Fault> {
        if self.bytes > ANSWER_BYTES {
            let message =
                "the rows are too long for a line, which has at most 1 GiB: the statement may have been executed";
            return Err(Fault::new(ErrorCode::AnswerTooLong, message));
        }
        Ok(Value::Array(self.items))
    }

    pub fn rows(&self) -> u64 {
        self.items.len() as u64
    }

    pub fn answer(&mut self, answer: &BatchAnswer<'_>) {
        match answer {
            BatchAnswer::Row { data, .. } if self.results == Results::Rows => match data.values() {
                Ok(values) => {
                    self.bytes += values.iter().flatten().map(|value| json_len(value)).sum::<usize>();
                    if self.bytes <= ANSWER_BYTES {
                        match row_json(&values) {
                            Ok(row) => self.rows.push(row),
                            Err(fault) => _ = self.unreadable.get_or_insert(fault),
                        }
                    }
                }
                Err(error) => {
                    self.unreadable.get_or_insert(Fault::new(ErrorCode::Server, error.to_string()));
                }
            },
            BatchAnswer::Ran { tag, .. } => {
                let (rows, unreadable) = (std::mem::take(&mut self.rows), self.unreadable.take());
                self.push(match self.results {
                    Results::Count => json!({"count": affected(tag)}),
                    Results::Tag => json!({"tag": tag}),
                    Results::Rows => match unreadable {
                        None => json!({"rows": rows, "tag": tag}),
                        Some(fault) => json!({"error": fault_json(&fault), "tag": tag}),
                    },
                });
            }
            BatchAnswer::Failed { error, .. } => self.failed(&server_fault(error, None)),
            BatchAnswer::Skipped { rows } => self.not_run(rows.end - rows.start),
            BatchAnswer::RolledBack { error: Some(error), .. } => {
                self.commit_failed(&server_fault(error, None));
            }
            BatchAnswer::Synced { .. } => {
                if let Some(Value::Object(item)) = self.items.last_mut() {
                    item.insert("sync".into(), true.into());
                }
            }
            BatchAnswer::Notice { row, .. } => match self.items.get_mut(*row as usize) {
                Some(Value::Object(item)) => drop(item.insert(WARNINGS.into(), true.into())),
                _ => self.warnings = true,
            },
            _ => {}
        }
    }

    pub fn failed(&mut self, fault: &Fault) {
        self.rows.clear();
        self.unreadable = None;
        self.push(json!({"error": fault_json(fault)}));
    }

    pub fn commit_failed(&mut self, fault: &Fault) {
        let ran = self.items.pop();
        self.warnings |= ran.is_some_and(|item| item.get(WARNINGS).is_some());
        self.failed(fault);
    }

    pub fn not_run(&mut self, count: u64) {
        (0..count).for_each(|_| self.push(json!({"not_run": true})));
    }

    fn push(&mut self, mut item: Value) {
        if let (true, Value::Object(keys)) = (std::mem::take(&mut self.warnings), &mut item) {
            keys.insert(WARNINGS.into(), true.into());
        }
        self.items.push(item);
    }
}

/// Converts a result row to an array of texts.
///
/// # Errors
/// A value is not UTF-8.
fn row_json(values: &[Option<&[u8]>]) -> Result<Value, Fault> {
    let text = |value: &Option<&[u8]>| value.map(str::from_utf8).transpose().map(|text| json!(text));
    let texts: Result<Vec<Value>, _> = values.iter().map(text).collect();
    let not_utf8 = |_| Fault::new(ErrorCode::Encoding, "a value is not UTF-8, as frames allow");
    texts.map(Value::Array).map_err(not_utf8)
}

/// Returns the maximum length of a value as a JSON string, with its quotes and a comma.
fn json_len(value: &[u8]) -> usize {
    let len = |byte: &u8| match byte {
        b'"' | b'\\' => 2,
        0..0x20 => 6,
        _ => 1,
    };
    3 + value.iter().map(len).sum::<usize>()
}

/// Builds the body of an execute request from a JSON line.
///
/// # Errors
/// `results` is not `count`, `tag` or `rows`.
pub fn json_execute(rows: &[Vec<Option<String>>], results: Option<&str>) -> Result<Vec<u8>, Fault> {
    let results = match results {
        Some("count") => 0,
        Some("tag") => 1,
        Some("rows") | None => 2,
        Some(other) => return Err(Fault::new(ErrorCode::Malformed, format!("there are no results {other:?}"))),
    };
    let encode = |row: &Vec<Option<String>>| {
        let mut bytes = Vec::new();
        for value in row {
            match value {
                None => bytes.extend_from_slice(&(-1_i32).to_be_bytes()),
                Some(text) => {
                    bytes.extend_from_slice(&(text.len() as u32).to_be_bytes());
                    bytes.extend_from_slice(text.as_bytes());
                }
            }
        }
        bytes
    };
    let mut body = vec![0; 20];
    body[0] = results;
    batch::write(&mut body, &rows.iter().map(encode).collect::<Vec<_>>());
    Ok(body)
}

/// Returns the keys of the answer to a prepare request.
pub fn prepared_json(handle: u16, statement: &Statement) -> Map<String, Value> {
    let columns = statement.columns().unwrap_or_default().iter();
    let columns: Vec<Value> = columns.map(|column| json!({"name": column.name, "type": column.type_oid})).collect();
    let mut keys = Map::new();
    keys.insert("handle".into(), handle.into());
    keys.insert("types".into(), statement.parameter_types().into());
    keys.insert("columns".into(), columns.into());
    keys
}
