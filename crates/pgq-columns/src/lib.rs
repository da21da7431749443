//! Represents statements, tokens, nodes and query groups as rows. Tables declare the columns. Macros generate the
//! writers of JSON, CSV, TSV, Arrow and Parquet from the tables, with static dispatch for each column.
//!
//! This crate reads no SQL and no logs, opens no files and reads no command line.
//!
//! ```
//! use pgq_columns::{Column, Row, write_json};
//!
//! let row = Row { kind: Some("SELECT"), duration_us: Some(1500), ..Row::default() };
//! let mut out = Vec::new();
//! write_json(&[Column::Kind, Column::DurationUs], &row, &mut out);
//! assert_eq!(out, b"{\"kind\":\"SELECT\",\"duration_us\":1500}\n");
//! ```
#![forbid(unsafe_code)]

mod arrow;
mod delimited;
mod json;
mod kinds;
mod parquet;
mod rechunk;
mod row_group;
mod table;
mod tables;
mod text_list;

pub use arrow::{ArrowWriter, schema};
pub use delimited::{Delimiter, is_formula, write_header, write_line};
pub use json::write_json;
pub use kinds::ColumnKind;
pub use parquet::ParquetWriter;
pub use row_group::{RowBuilder, RowGroup};
pub use table::TableColumn;
pub use tables::{Column, DEFAULT, GroupColumn, GroupRow, NodeColumn, NodeRow, Row, TokenColumn, TokenRow};
pub use text_list::{TextList, TextListBuilder};

/// Compression of Arrow and Parquet files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// No compression.
    None,
    /// Zstandard with level 1.
    Zstd,
}

/// Version of the columns. It increases when a column is removed, or when its type or meaning changes.
pub const SCHEMA_VERSION: u32 = 1;
