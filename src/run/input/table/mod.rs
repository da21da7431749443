//! Tables with a column of SQL: CSV, TSV, JSON lines, Parquet and Arrow. A splitter extracts the SQL of each row and,
//! if requested, the values of all columns. This module does not parse SQL and writes nothing.

mod columnar;
mod detect;
mod json;
mod text;

use std::io;
use std::sync::Arc;

use pgq_log::{BeforeWait, FilePosition};

pub use self::detect::{detect, holds_trees, starts_as_object};
use self::json::JsonRows;
use self::text::TextRows;
pub use self::text::{encode_csv, encode_tsv};
use super::options::InputOptions;
pub use super::options::TableFormat;
use super::reader::Reader;

/// Recognized names of the SQL column, in order of preference.
const RECOGNIZED: [&str; 3] = ["query", "sql", "statement"];

/// A value in a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    Null,
    Text(Vec<u8>),
    /// A number, boolean or nested value as JSON.
    Json(String),
}

impl Value {
    /// Appends the value as JSON.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        match self {
            Self::Null => out.extend_from_slice(b"null"),
            Self::Text(text) => {
                serde_json::to_writer(out, &String::from_utf8_lossy(text))
                    .expect("a string is JSON and a Vec takes it");
            }
            Self::Json(json) => out.extend_from_slice(json.as_bytes()),
        }
    }
}

#[derive(Debug)]
pub struct TableRow {
    /// Position in the file. In binary formats, the row number.
    pub start: FilePosition,
    /// `None` for NULL.
    pub sql: Option<Vec<u8>>,
    /// Values of all columns, if kept.
    pub values: Vec<Value>,
}

/// Consecutive rows of a table.
pub struct TableRows {
    /// Names of all columns, if kept.
    pub names: Arc<[String]>,
    pub rows: Vec<TableRow>,
    /// The rows as an Arrow batch, if columns are kept and the input is Arrow or Parquet.
    pub batch: Option<arrow_array::RecordBatch>,
}

impl TableRows {
    fn of_text(names: Arc<[String]>, rows: Vec<TableRow>) -> Self {
        Self { names, rows, batch: None }
    }
}

/// Splits a table into rows.
pub enum TableSplitter {
    Text(TextRows),
    Json(JsonRows),
    Columnar(columnar::ColumnarRows),
}

impl TableSplitter {
    /// Creates a splitter. Also returns a notice about a recognized column.
    ///
    /// # Errors
    /// Reading fails, or the SQL column is missing.
    pub fn new(
        name: &str,
        format: TableFormat,
        reader: &mut Reader,
        options: &InputOptions,
        before_wait: BeforeWait<'_>,
    ) -> io::Result<(Self, Option<String>)> {
        let choice = ColumnChoice {
            column: options.column.as_deref(),
            keep: options.keep_columns,
            results: &options.result_names,
        };
        let max = options.max_statement_bytes;
        Ok(match format {
            TableFormat::Csv | TableFormat::Tsv => {
                let (rows, notice) = TextRows::new(format, reader, choice, max, before_wait)?;
                (Self::Text(rows), notice)
            }
            TableFormat::Jsonl => {
                let (rows, notice) = JsonRows::new(reader, choice, max, before_wait)?;
                (Self::Json(rows), notice)
            }
            TableFormat::Parquet | TableFormat::Arrow => {
                let (rows, notice) = columnar::ColumnarRows::new(name, format, reader, choice, before_wait)?;
                (Self::Columnar(rows), notice)
            }
        })
    }

    /// Returns the next rows, or `None` at the end.
    ///
    /// # Errors
    /// Reading fails, or a row does not fit the table.
    pub fn next(&mut self, reader: &mut Reader, before_wait: BeforeWait<'_>) -> io::Result<Option<TableRows>> {
        match self {
            Self::Text(rows) => rows.next(reader, before_wait),
            Self::Json(rows) => rows.next(reader, before_wait),
            Self::Columnar(rows) => rows.next(),
        }
    }
}

/// The choice of the SQL column, and whether other columns are kept.
#[derive(Clone, Copy)]
pub(super) struct ColumnChoice<'a> {
    /// Name of the SQL column, if specified.
    column: Option<&'a str>,
    keep: bool,
    /// Names of the result columns next to kept columns.
    results: &'a [&'static str],
}

impl ColumnChoice<'_> {
    /// Returns the index of the SQL column among `names`, and a notice if the column was recognized.
    fn find(self, names: &[String]) -> io::Result<(usize, Option<String>)> {
        if let Some(taken) = self.results.iter().find(|result| self.keep && names.iter().any(|name| name == *result)) {
            return Err(invalid(format!("has a column {taken}, as the results: rename it to keep it")));
        }
        let position = |wanted: &str| names.iter().position(|name| name == wanted);
        if let Some(wanted) = self.column {
            let Some(index) = position(wanted) else {
                return Err(invalid(format!("there is no column {wanted:?}; there are {}", names.join(", "))));
            };
            return Ok((index, None));
        }
        let recognized = RECOGNIZED.iter().find_map(|name| position(name));
        let any_case = || names.iter().position(|name| RECOGNIZED.iter().any(|known| name.eq_ignore_ascii_case(known)));
        let Some(index) = recognized.or_else(any_case) else {
            return Err(invalid(format!(
                "has no column query, sql or statement: name the one with SQL (--column); there are {}",
                names.join(", ")
            )));
        };
        Ok((index, Some(format!("SQL is read from the column {} (--column names another)", names[index]))))
    }
}

fn invalid(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}
