//! Options of the commands that have a result for each statement of any input.

use anyhow::Result;
use clap::Args;

use super::input::InputArgs;
use super::read::ReadArgs;
use crate::run::input::InputOptions;
use crate::run::statements::RunOptions;

#[derive(Args, Clone)]
pub struct StatementArgs {
    #[command(flatten)]
    input: InputArgs,

    /// Stop at the first invalid statement
    #[arg(help_heading = "Input", long)]
    fail_fast: bool,

    #[command(flatten)]
    read: ReadArgs,
}

impl StatementArgs {
    /// What to read: any format, unless an argument names one.
    ///
    /// # Errors
    /// An option has no effect with this input.
    pub fn input_options(&self) -> Result<InputOptions> {
        let mut options = self.read.input_options(&self.input.files, self.input.format())?;
        options.log.envelopes = self.input.envelopes();
        Ok(options)
    }

    /// Returns the first given option that applies to SQL only, and not to trees.
    pub fn first_for_sql(&self) -> Option<&'static str> {
        self.read.first_for_sql()
    }

    /// How to process it; options of the commands themselves have their defaults.
    pub fn run_options(&self) -> RunOptions {
        RunOptions { fail_fast: self.fail_fast, ..self.read.run_options(&self.input.files) }
    }
}
