//! Writes rows as JSON Lines, one object per row.

use crate::TableColumn;

/// Appends a row as a line of JSON. The object has a key for each column. Unknown values are `null`.
pub fn write_json<C: TableColumn>(columns: &[C], row: &C::Row<'_>, out: &mut Vec<u8>) {
    out.push(b'{');
    for (index, column) in columns.iter().enumerate() {
        out.extend_from_slice(if index > 0 { b",\"" } else { b"\"" });
        out.extend_from_slice(column.name().as_bytes());
        out.extend_from_slice(b"\":");
        column.write_json_value(row, out);
    }
    out.extend_from_slice(b"}\n");
}
