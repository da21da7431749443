//! Tables with a column of SQL: CSV, TSV, JSON lines, Parquet and Arrow. A splitter extracts the SQL of each row. If
//! requested, it also extracts the values of all columns. This module does not parse SQL and writes nothing.

mod columnar;
mod detect;
mod fields;
mod json;
mod leaf;
mod text;
mod values;

use std::collections::HashSet;
use std::io;
use std::sync::Arc;

use pgq_log::{BeforeWait, FilePosition};

use self::columnar::ColumnarRows;
pub use self::detect::{detect, holds_trees, is_table, missing_column, refusal, starts_as_object};
pub use self::fields::{encode_csv, encode_tsv};
use self::json::JsonRows;
use self::text::TextRows;
pub use super::options::TableFormat;
use super::options::{InputOptions, KeptColumns};
use super::reader::Reader;

/// Recognized names of the SQL column, in order of preference.
const RECOGNIZED: [&str; 3] = ["query", "sql", "statement"];

/// The reason for refusing a table without a [`RECOGNIZED`] column. The names of the table's columns are appended.
const NO_COLUMN: &str =
    "has no column query, sql or statement: specify the one that contains SQL (--column); there are";

/// The reason for refusing CSV with semicolons.
const SEMICOLONS: &str = "has semicolons between its columns, but pgq reads only commas (csv) and tabs (tsv): convert \
                              it, for example with duckdb -csv -c \"FROM 'FILE'\" | pgq ...";

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
            Self::Text(text) => quote(&String::from_utf8_lossy(text), out),
            Self::Json(json) => out.extend_from_slice(json.as_bytes()),
        }
    }
}

fn quote(text: &str, out: &mut Vec<u8>) {
    serde_json::to_writer(out, text).expect("a string is JSON and a Vec takes it");
}

#[derive(Debug)]
pub struct TableRow {
    /// Position in the file. In binary formats, this is the row number.
    pub start: FilePosition,
    /// `None` for NULL.
    pub sql: Option<Vec<u8>>,
    /// Values of the columns, if the columns are copied to the output. In JSON lines, later rows may have more columns.
    pub values: Vec<Value>,
}

/// Consecutive rows of a table.
pub struct TableRows {
    /// Names of all columns, if kept.
    pub names: Arc<[String]>,
    pub rows: Vec<TableRow>,
    /// The rows as an Arrow batch. Present only if the columns are copied to the output and the input is Arrow or
    /// Parquet.
    pub batch: Option<arrow_array::RecordBatch>,
}

impl TableRows {
    fn of_text(names: Arc<[String]>, rows: Vec<TableRow>) -> Self {
        Self { names, rows, batch: None }
    }
}

/// Splits a table into rows.
pub struct TableSplitter {
    rows: RowSplitter,
    /// Whether the columns are copied to the output and no row was returned yet.
    is_empty: bool,
}

enum RowSplitter {
    Text(TextRows),
    Json(JsonRows),
    Columnar(ColumnarRows),
}

impl TableSplitter {
    /// Creates a splitter. Also returns a notice about the columns.
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
        let choice =
            ColumnChoice { column: options.column.as_deref(), kept: options.kept, results: &options.result_names };
        let max = options.max_statement_bytes;
        let (rows, notice) = match format {
            TableFormat::Csv | TableFormat::Tsv => {
                let (rows, notice) = TextRows::new(format, reader, choice, max, before_wait)?;
                (RowSplitter::Text(rows), notice)
            }
            TableFormat::Jsonl => {
                let (rows, notice) = JsonRows::new(reader, choice, max, before_wait)?;
                (RowSplitter::Json(rows), notice)
            }
            TableFormat::Parquet | TableFormat::Arrow => {
                let (rows, notice) = ColumnarRows::new(name, format, reader, choice, before_wait)?;
                (RowSplitter::Columnar(rows), notice)
            }
        };
        Ok((Self { rows, is_empty: options.kept != KeptColumns::None }, notice))
    }

    /// Returns the next rows, or `None` at the end. If the columns are copied to the output and the table has no rows,
    /// first returns a result that has only the column names.
    ///
    /// # Errors
    /// Reading fails, or a row does not fit the table.
    pub fn next(&mut self, reader: &mut Reader, before_wait: BeforeWait<'_>) -> io::Result<Option<TableRows>> {
        let next = match &mut self.rows {
            RowSplitter::Text(rows) => rows.next(reader, before_wait),
            RowSplitter::Json(rows) => rows.next(reader, before_wait),
            RowSplitter::Columnar(rows) => rows.next(),
        }?;
        if !std::mem::replace(&mut self.is_empty, false) || next.is_some() {
            return Ok(next);
        }
        let empty = match &self.rows {
            RowSplitter::Text(rows) => rows.no_rows(),
            RowSplitter::Json(_) => return Ok(None),
            RowSplitter::Columnar(rows) => rows.no_rows(),
        };
        Ok((!empty.names.is_empty()).then_some(empty))
    }
}

/// The choice of the SQL column, and whether all columns are copied to the output.
#[derive(Clone, Copy)]
struct ColumnChoice<'a> {
    /// Name of the SQL column, if specified.
    column: Option<&'a str>,
    kept: KeptColumns,
    /// Names of the columns that pgq adds to the output for its results.
    results: &'a [&'static str],
}

/// Maximum number of columns that are copied to the output: PostgreSQL's limit for a table.
const MOST_COLUMNS: usize = 1600;

/// The columns of a table.
struct ChosenColumns {
    /// Index of the SQL column.
    sql: usize,
    /// Names of the kept columns in the output.
    kept: Vec<String>,
    notice: Option<String>,
}

impl ColumnChoice<'_> {
    fn keeps(self) -> bool {
        self.kept != KeptColumns::None
    }

    /// Chooses the SQL column among `names`. Renames a copied column whose name is also the name of a result column.
    fn choose(self, names: &[String]) -> io::Result<ChosenColumns> {
        let (sql, notice) = self.find(names)?;
        let mut notices: Vec<String> = notice.into_iter().collect();
        if self.keeps() {
            check_column_count(names.len())?;
        }
        let mut kept = Vec::new();
        for name in names.iter().filter(|_| self.keeps()) {
            let unused = self.unused(name, &kept, names);
            if unused != *name {
                notices.push(format!("its column {name} is written as {unused}, because another column has that name"));
            }
            kept.push(unused);
        }
        Ok(ChosenColumns { sql, kept, notice: (!notices.is_empty()).then(|| notices.join("; ")) })
    }

    /// Returns the name that the input column `name` gets in the output. Appends a number if a result column or a
    /// column in `before` already has this name.
    fn unused(self, name: &str, before: &[String], all: &[String]) -> String {
        let is_used = |name: &str| self.results.contains(&name) || before.iter().any(|used| used == name);
        if !is_used(name) {
            return name.to_string();
        }
        let used: HashSet<&str> =
            before.iter().chain(all).map(String::as_str).chain(self.results.iter().copied()).collect();
        let mut numbered = (1..).map(|number| format!("{name}_{number}"));
        numbered.find(|name| !used.contains(name.as_str())).expect("there are more numbers than columns")
    }

    /// Returns the index of the SQL column among `names`. If the column was recognized by its name, also returns a
    /// notice.
    fn find(self, names: &[String]) -> io::Result<(usize, Option<String>)> {
        let position = |wanted: &str| {
            let exact = names.iter().position(|name| name == wanted);
            exact.or_else(|| names.iter().position(|name| name.eq_ignore_ascii_case(wanted)))
        };
        if let Some(wanted) = self.column {
            let Some(index) = position(wanted) else {
                return Err(invalid(format!("there is no column {wanted:?}; there are {}", names.join(", "))));
            };
            return Ok((index, None));
        }
        let Some(index) = RECOGNIZED.iter().find_map(|name| position(name)) else {
            return Err(invalid(format!("{NO_COLUMN} {}", names.join(", "))));
        };
        Ok((index, Some(format!("SQL is read from the column {} (--column names another)", names[index]))))
    }
}

/// Refuses a table with more columns than can be copied to the output.
fn check_column_count(count: usize) -> io::Result<()> {
    match count <= MOST_COLUMNS {
        true => Ok(()),
        false => Err(invalid(format!("has {count} columns; --keep-columns copies at most {MOST_COLUMNS}"))),
    }
}

fn invalid(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}
