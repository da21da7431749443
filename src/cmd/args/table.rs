//! Statements in a column of a table.

use anyhow::{Result, bail};
use clap::Args;

use super::StatementArgs;
use crate::run::input::{InputFormat, TableFormat};
use crate::run::statements::TableColumn;

#[derive(Args, Clone)]
pub struct TableArgs {
    /// The column of --from csv or tsv with the SQL; the result takes its place, the other columns stay
    #[arg(help_heading = "Input", long, value_name = "NAME")]
    column: Option<String>,
}

impl TableArgs {
    /// The column, if the input is a table. `other` is the first given option that makes no sense with one.
    ///
    /// # Errors
    /// A table without a column, or a column without a table.
    pub fn column(&self, statements: &StatementArgs, other: Option<&str>) -> Result<Option<TableColumn<'_>>> {
        let format = match statements.format(InputFormat::Auto) {
            InputFormat::Table(format) => format,
            _ if self.column.is_some() => bail!("--column is for --from csv and --from tsv"),
            _ => return Ok(None),
        };
        let name = if format == TableFormat::Csv { "csv" } else { "tsv" };
        match (&self.column, other) {
            (_, Some(option)) => bail!("--from {name} writes a table: leave out {option}"),
            (None, None) => bail!("--from {name} needs --column NAME: the column with the SQL"),
            (Some(name), None) => Ok(Some(TableColumn { format, name })),
        }
    }
}
