//! The CSV report of `pgq digest`: the rows of rows.rs, with times in milliseconds and lists as JSON. Kinds of messages
//! count the errors of the other rows once more.

use csv::Writer;
use pgq_columns::{GroupColumn, GroupRow, TableColumn};
use pgq_digest::report::Report;

use super::rows::with_row;
use super::table_rows;

/// Writes the rows. With `guarded`, no field begins as a formula of a spreadsheet.
pub fn write(report: &Report, guarded: bool, out: &mut Vec<u8>) {
    let mut writer = Writer::from_writer(out);
    let mut record = |fields: Vec<String>| writer.write_record(fields).expect("writing to a Vec cannot fail");
    record(GroupColumn::ALL.iter().map(|column| column.name().replace("_us", "_ms")).collect());
    for row in table_rows(report) {
        with_row(&row, |row| {
            let fields = GroupColumn::ALL.iter().map(|column| field(*column, row));
            record(fields.map(|field| if guarded { guard(field) } else { field }).collect());
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

/// A field with an apostrophe before what a spreadsheet would evaluate.
fn guard(field: String) -> String {
    let is_formula = field.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '|', '%']);
    if is_formula && field.parse::<f64>().is_err() { format!("'{field}") } else { field }
}

#[cfg(test)]
mod tests {
    #[test]
    fn formulas_are_guarded_and_numbers_are_not() {
        for (field, guarded) in [("=1+1", "'=1+1"), ("@a", "'@a"), ("\tx", "'\tx"), ("-1.5", "-1.5"), ("a=b", "a=b")] {
            assert_eq!(super::guard(field.into()), guarded);
        }
    }
}
