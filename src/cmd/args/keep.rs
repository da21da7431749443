//! Option to add results to the columns of the input table.

use clap::Args;

#[derive(Args, Clone, Copy)]
pub struct KeepArgs {
    /// Add the results to the columns of a table, as csv unless --format is given
    #[arg(help_heading = "Input", long)]
    pub keep_columns: bool,
}
