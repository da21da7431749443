//! `--columns`: chooses the columns to write, or lists all columns.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use comfy_table::Table;
use pgq_columns::{Column, DEFAULT, TableColumn};

#[derive(Args, Clone)]
pub struct ColumnArgs {
    /// Columns to write, in this order; `help` lists them
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', hide_possible_values = true, value_parser = column())]
    columns: Vec<Choice>,
}

/// Default columns with `--keep-columns`, which adds columns to the input table.
const ADDED: [Column; 7] = [
    Column::Kind,
    Column::Fingerprint,
    Column::Normalized,
    Column::Tables,
    Column::Functions,
    Column::FilterColumns,
    Column::Error,
];

#[derive(Debug, Clone, Copy)]
enum Choice {
    Help,
    Column(Column),
}

fn column() -> impl TypedValueParser<Value = Choice> {
    let names = Column::ALL.iter().map(|column| PossibleValue::new(column.name()));
    PossibleValuesParser::new(names.chain([PossibleValue::new("help")]))
        .map(|name| Column::from_name(&name).map_or(Choice::Help, Choice::Column))
}

impl ColumnArgs {
    /// Returns the chosen columns, or `None` if the user asks for the list of columns. With `keep`, the rows also
    /// have the columns of the input table, such as the SQL. Therefore fewer columns are added by default.
    pub fn chosen(&self, keep: bool) -> Option<Vec<Column>> {
        if self.columns.is_empty() {
            return Some(if keep { ADDED.to_vec() } else { DEFAULT.to_vec() });
        }
        let mut columns = Vec::new();
        for choice in &self.columns {
            match choice {
                Choice::Help => return None,
                Choice::Column(column) if columns.contains(column) => {}
                Choice::Column(column) => columns.push(*column),
            }
        }
        Some(columns)
    }
}

/// Appends the list of all columns. Marks the default columns with a star.
pub fn describe(out: &mut Vec<u8>) {
    let mut table = Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    for column in Column::ALL {
        let name = format!("{}{}", column.name(), if DEFAULT.contains(column) { " *" } else { "" });
        table.add_row([name, column.kind().name().to_string(), column.source().to_string(), describe_one(*column)]);
    }
    for line in table.lines() {
        out.extend_from_slice(line.trim().as_bytes());
        out.push(b'\n');
    }
    out.extend_from_slice(b"\n* written unless --columns names others\n");
}

fn describe_one(column: Column) -> String {
    match column.unit() {
        "" => column.description().to_string(),
        unit => format!("{} ({unit})", column.description()),
    }
}
