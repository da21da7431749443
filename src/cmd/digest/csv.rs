//! The CSV report of `pgq digest`, with the rows of the module `rows`. Times are in milliseconds, and lists are JSON.
//! An error is counted twice: in the row of its statement, and in the row of its message.

use csv::{QuoteStyle, WriterBuilder};
use pgq_columns::{GroupColumn, GroupRow, TableColumn, is_formula};
use pgq_digest::report::Report;

use super::rows::with_row;
use super::table_rows;

/// Writes the rows. If `guarded`, puts an apostrophe before each field that a spreadsheet would interpret as a formula,
/// and quotes all fields, because some spreadsheets split unquoted fields at semicolons.
pub fn write(report: &Report, guarded: bool, out: &mut Vec<u8>) {
    let style = if guarded { QuoteStyle::Always } else { QuoteStyle::Necessary };
    let mut writer = WriterBuilder::new().quote_style(style).from_writer(out);
    let mut record = |fields: Vec<String>| writer.write_record(fields).expect("writing to a Vec cannot fail");
    record(GroupColumn::ALL.iter().map(|column| column.name().replace("_us", "_ms")).collect());
    for row in table_rows(report) {
        with_row(&row, |row| {
            let fields = GroupColumn::ALL.iter().map(|column| field(*column, row));
            record(
                fields
                    .map(|field| if guarded && is_formula(field.as_bytes()) { format!("'{field}") } else { field })
                    .collect(),
            );
        });
    }
    writer.flush().expect("writing to a Vec cannot fail");
}

fn field(column: GroupColumn, row: &GroupRow<'_>) -> String {
    let mut text = Vec::new();
    column.write_text_value(row, &mut text);
    let text = String::from_utf8_lossy(&text).into_owned();
    match (column, text.parse::<f64>()) {
        (GroupColumn::Share, Ok(share)) => format!("{share:.6}"),
        (_, Ok(micros)) if column.unit() == "microseconds" => {
            let ms = micros / 1000.0;
            if micros.fract() == 0.0 { ms.to_string() } else { format!("{ms:.3}") }
        }
        _ => text,
    }
}
