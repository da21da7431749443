//! The rows that a job writes.

use pgq_columns::{Delimiter, TableColumn, write_json, write_line};
#[cfg(feature = "columnar")]
use pgq_columns::{PackedRowBuilder, PackedRows, RowBuilder, RowGroup};

use super::{RowFormat, RowLayout};

/// Rows of a chunk, as a job wrote them.
pub enum Rows {
    Text(Vec<u8>),
    #[cfg(feature = "columnar")]
    Columns(Option<RowGroup>),
    #[cfg(feature = "columnar")]
    Packed(Option<PackedRows>),
}

/// Writes the rows of a job.
pub enum RowBuffer<C: TableColumn> {
    Json(Vec<C>, Vec<u8>),
    Delimited(Vec<C>, Delimiter, Vec<u8>),
    #[cfg(feature = "columnar")]
    Columns(Box<RowBuilder<C>>),
    #[cfg(feature = "columnar")]
    Packed(Box<PackedRowBuilder<C>>),
}

impl<C: TableColumn> RowBuffer<C> {
    pub fn new(layout: &RowLayout<C>) -> Self {
        let columns = layout.columns.clone();
        match layout.format {
            RowFormat::Json => Self::Json(columns, Vec::new()),
            RowFormat::Csv => Self::Delimited(columns, Delimiter::Comma, Vec::new()),
            RowFormat::Tsv => Self::Delimited(columns, Delimiter::Tab, Vec::new()),
            #[cfg(not(feature = "columnar"))]
            RowFormat::Arrow | RowFormat::Parquet => unreachable!("not built in"),
            #[cfg(feature = "columnar")]
            RowFormat::Arrow => Self::Columns(Box::new(RowBuilder::new(&layout.columns, layout.schema()))),
            #[cfg(feature = "columnar")]
            RowFormat::Parquet => Self::Packed(Box::new(PackedRowBuilder::new(&layout.columns))),
        }
    }

    pub fn append(&mut self, row: &C::Row<'_>) {
        match self {
            Self::Json(columns, out) => write_json(columns, row, out),
            Self::Delimited(columns, delimiter, out) => write_line(columns, *delimiter, row, out),
            #[cfg(feature = "columnar")]
            Self::Columns(builder) => builder.append(row),
            #[cfg(feature = "columnar")]
            Self::Packed(builder) => builder.append(row),
        }
    }

    /// The rows so far; the buffer is empty afterwards.
    pub fn take(&mut self) -> Rows {
        match self {
            Self::Json(_, out) | Self::Delimited(_, _, out) => Rows::Text(std::mem::take(out)),
            #[cfg(feature = "columnar")]
            Self::Columns(builder) => Rows::Columns(builder.finish()),
            #[cfg(feature = "columnar")]
            Self::Packed(builder) => Rows::Packed(builder.finish()),
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
            #[cfg(feature = "columnar")]
            Self::Packed(rows) => rows.as_ref().map_or(0, PackedRows::memory_size),
        }
    }
}
