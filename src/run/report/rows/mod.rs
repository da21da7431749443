//! Output as table rows: the formats, a row buffer for each job (a worker thread), and the writer.

mod buffer;
mod writer;

pub use buffer::{RowBuffer, Rows};
pub use pgq_columns::Compression;
use pgq_columns::TableColumn;
pub use writer::RowWriter;

/// Format of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowFormat {
    Json,
    Csv,
    Tsv,
    Arrow,
    Parquet,
}

impl RowFormat {
    /// Returns the format for a file extension.
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

    /// Whether a file with this extension contains JSON.
    pub fn is_json(extension: &str) -> bool {
        Self::from_extension(extension) == Some(Self::Json)
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

    /// Returns the format's default compression.
    pub fn default_compression(self) -> Compression {
        if self == Self::Parquet { Compression::Zstd } else { Compression::None }
    }
}

/// Columns and format of rows.
pub struct RowLayout<C> {
    pub format: RowFormat,
    pub columns: Vec<C>,
    pub compression: Compression,
    /// In CSV, write an apostrophe before each field that a spreadsheet would interpret as a
    /// formula.
    pub guarded: bool,
}

impl<C: TableColumn> RowLayout<C> {
    /// Creates a layout with all columns of a table.
    pub fn all(format: RowFormat) -> Self {
        Self { format, columns: C::ALL.to_vec(), compression: format.default_compression(), guarded: false }
    }

    /// Returns the Arrow schema, which includes the versions of pgq and PostgreSQL.
    pub fn schema(&self) -> arrow_schema::SchemaRef {
        let versions = [("version", env!("CARGO_PKG_VERSION")), ("postgresql", env!("PGQ_POSTGRES_VERSION"))];
        pgq_columns::schema(&self.columns, &versions)
    }

    /// Whether any of these columns is in the layout.
    pub fn has_any(&self, columns: &[C]) -> bool {
        columns.iter().any(|column| self.columns.contains(column))
    }
}
