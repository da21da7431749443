//! Buffers the rows of a job.

use pgq_columns::{Delimiter, TableColumn, write_json, write_line};
use pgq_columns::{RowBuilder, RowGroup};

use super::{RowFormat, RowLayout};

/// Rows of a chunk.
pub enum Rows {
    Text(Vec<u8>),
    Columns(Option<RowGroup>),
}

/// Buffers rows in the format of the output.
pub enum RowBuffer<C: TableColumn> {
    Json(Vec<C>, Vec<u8>),
    /// The `bool` is true if an apostrophe is written before each field that a spreadsheet would
    /// interpret as a formula.
    Delimited(Vec<C>, Delimiter, bool, Vec<u8>),
    Columns(Box<RowBuilder<C>>),
}

impl<C: TableColumn> RowBuffer<C> {
    pub fn new(layout: &RowLayout<C>) -> Self {
        let columns = layout.columns.clone();
        match layout.format {
            RowFormat::Json => Self::Json(columns, Vec::new()),
            RowFormat::Csv => Self::Delimited(columns, Delimiter::Comma, layout.guarded, Vec::new()),
            RowFormat::Tsv => Self::Delimited(columns, Delimiter::Tab, layout.guarded, Vec::new()),
            RowFormat::Arrow | RowFormat::Parquet => {
                Self::Columns(Box::new(RowBuilder::new(&layout.columns, layout.schema())))
            }
        }
    }

    pub fn append(&mut self, row: &C::Row<'_>) {
        match self {
            Self::Json(columns, out) => write_json(columns, row, out),
            Self::Delimited(columns, delimiter, guarded, out) => write_line(columns, *delimiter, *guarded, row, out),
            Self::Columns(builder) => builder.append(row),
        }
    }

    /// Returns the buffered rows and clears the buffer.
    pub fn take(&mut self) -> Rows {
        match self {
            Self::Json(_, out) | Self::Delimited(.., out) => Rows::Text(std::mem::take(out)),
            Self::Columns(builder) => Rows::Columns(builder.finish()),
        }
    }
}

impl Rows {
    /// Returns the size in memory.
    pub fn memory_size(&self) -> usize {
        match self {
            Self::Text(text) => text.capacity(),
            Self::Columns(rows) => rows.as_ref().map_or(0, RowGroup::memory_size),
        }
    }
}
