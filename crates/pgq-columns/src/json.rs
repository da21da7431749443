//! Rows as JSON: an object a line.

use crate::table::{Column, Row, write_json_value};

/// Appends a row as a line of JSON with a key for each column; unknown values are `null`.
pub fn write_json(columns: &[Column], row: &Row<'_>, out: &mut Vec<u8>) {
    out.push(b'{');
    for (index, column) in columns.iter().enumerate() {
        out.extend_from_slice(if index > 0 { b",\"" } else { b"\"" });
        out.extend_from_slice(column.name().as_bytes());
        out.extend_from_slice(b"\":");
        write_json_value(*column, row, out);
    }
    out.extend_from_slice(b"}\n");
}
