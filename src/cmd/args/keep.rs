//! Option to add results to the columns of the input table.

use clap::Args;

#[derive(Args, Clone, Copy)]
pub struct KeepArgs {
    /// Add the results to the columns of a table; the output is csv unless --format is given
    ///
    /// The table's columns, including the SQL, are copied as is. Secrets in them are not masked.
    #[arg(help_heading = "Input", long)]
    pub keep_columns: bool,
}
