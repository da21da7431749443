//! The formats of rows, and the buffer into which a job writes them.

use clap::ValueEnum;
use jiff::tz::TimeZone;
pub use pgq_columns::Compression;
use pgq_columns::{Column, Delimiter, Row, write_json, write_line};
#[cfg(feature = "columnar")]
use pgq_columns::{RowBuilder, RowGroup, schema};

/// A format of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RowFormat {
    /// A JSON object a line
    Json,
    /// CSV with a header; NULL is an empty field, lists are JSON
    Csv,
    /// The same with tabs
    Tsv,
    /// An Arrow IPC stream
    Arrow,
    /// A Parquet file
    Parquet,
}

impl RowFormat {
    /// The format that a file's extension stands for.
    pub fn from_extension(extension: &str) -> Option<Self> {
        Some(match extension.to_ascii_lowercase().as_str() {
            "json" | "jsonl" | "ndjson" => Self::Json,
            "csv" => Self::Csv,
            "tsv" => Self::Tsv,
            "arrow" | "arrows" => Self::Arrow,
            "parquet" => Self::Parquet,
            _ => return None,
        })
    }

    /// Whether this program can write it.
    pub fn is_built_in(self) -> bool {
        cfg!(feature = "columnar") || !self.is_binary()
    }

    pub fn is_binary(self) -> bool {
        matches!(self, Self::Arrow | Self::Parquet)
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Csv => "csv",
            Self::Tsv => "tsv",
            Self::Arrow => "arrow",
            Self::Parquet => "parquet",
        }
    }

    /// The layout of rows of `columns` in this format.
    pub fn layout(self, columns: &[Column], compression: Compression, timezone: Option<TimeZone>) -> RowLayout {
        RowLayout { format: self, columns: columns.to_vec(), compression, timezone }
    }
}

/// What rows hold, and how they are written.
pub struct RowLayout {
    pub format: RowFormat,
    pub columns: Vec<Column>,
    #[cfg_attr(not(feature = "columnar"), expect(dead_code, reason = "text is not compressed"))]
    pub compression: Compression,
    /// Zone of the times whose zone the log does not tell.
    pub timezone: Option<TimeZone>,
}

impl RowLayout {
    /// The Arrow schema, with the versions of pgq and PostgreSQL.
    #[cfg(feature = "columnar")]
    pub fn schema(&self) -> arrow_schema::SchemaRef {
        let versions = [("version", env!("CARGO_PKG_VERSION")), ("postgresql", env!("PGQ_POSTGRES_VERSION"))];
        schema(&self.columns, &versions)
    }

    /// Whether any of these columns is written.
    pub fn has_any(&self, columns: &[Column]) -> bool {
        columns.iter().any(|column| self.columns.contains(column))
    }
}

/// Rows of a chunk, as a job wrote them.
pub enum Rows {
    Text(Vec<u8>),
    #[cfg(feature = "columnar")]
    Columns(Option<RowGroup>),
}

/// Writes the rows of a job.
pub enum RowBuffer {
    Json(Vec<u8>),
    Delimited(Delimiter, Vec<u8>),
    #[cfg(feature = "columnar")]
    Columns(Box<RowBuilder>),
}

impl RowBuffer {
    pub fn new(layout: &RowLayout) -> Self {
        match layout.format {
            RowFormat::Json => Self::Json(Vec::new()),
            RowFormat::Csv => Self::Delimited(Delimiter::Comma, Vec::new()),
            RowFormat::Tsv => Self::Delimited(Delimiter::Tab, Vec::new()),
            #[cfg(not(feature = "columnar"))]
            RowFormat::Arrow | RowFormat::Parquet => unreachable!("not built in"),
            #[cfg(feature = "columnar")]
            RowFormat::Arrow | RowFormat::Parquet => {
                Self::Columns(Box::new(RowBuilder::new(&layout.columns, layout.schema())))
            }
        }
    }

    pub fn append(&mut self, layout: &RowLayout, row: &Row<'_>) {
        match self {
            Self::Json(out) => write_json(&layout.columns, row, out),
            Self::Delimited(delimiter, out) => write_line(&layout.columns, *delimiter, row, out),
            #[cfg(feature = "columnar")]
            Self::Columns(builder) => builder.append(row),
        }
    }

    /// The rows so far; the buffer is empty afterwards.
    pub fn take(&mut self) -> Rows {
        match self {
            Self::Json(out) | Self::Delimited(_, out) => Rows::Text(std::mem::take(out)),
            #[cfg(feature = "columnar")]
            Self::Columns(builder) => Rows::Columns(builder.finish()),
        }
    }
}

impl Rows {
    /// Size in memory, in bytes.
    pub fn memory_size(&self) -> usize {
        match self {
            Self::Text(text) => text.capacity(),
            #[cfg(feature = "columnar")]
            Self::Columns(rows) => rows.as_ref().map_or(0, RowGroup::memory_size),
        }
    }
}
