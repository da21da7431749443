//! Options of the commands that have a result for each statement of any input.

use anyhow::Result;
use clap::Args;

use super::input::InputArgs;
use super::read::ReadArgs;
use crate::run::input::{InputFormat, InputOptions};
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
    /// What to read: in the format `default` unless an argument says.
    ///
    /// # Errors
    /// An option has no effect with this input.
    pub fn input_options(&self, default: InputFormat) -> Result<InputOptions> {
        let mut options = self.read.input_options(&self.input.files, self.input.format(default))?;
        options.log.envelopes = self.input.envelopes();
        Ok(options)
    }

    /// What to read, if it is a table.
    ///
    /// # Errors
    /// As for [`StatementArgs::input_options`].
    pub fn table_options(&self) -> Result<InputOptions> {
        self.read.any_input_options(&self.input.files, self.input.format(InputFormat::Auto))
    }

    /// The format of the input.
    pub fn format(&self, default: InputFormat) -> InputFormat {
        self.input.format(default)
    }

    /// How to process it; options of the commands themselves have their defaults.
    pub fn run_options(&self) -> RunOptions {
        RunOptions { fail_fast: self.fail_fast, ..self.read.run_options(&self.input.files) }
    }
}
