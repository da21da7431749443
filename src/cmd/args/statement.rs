//! Options shared by the commands that write a result for each statement. `pgq fingerprint` is such a command.

use anyhow::Result;
use clap::Args;

use super::input::InputArgs;
use super::output::OutputArgs;
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
    /// Returns the input options. The format is detected unless an option names it. The run will
    /// replace the file that `output` names, so this file must not be an input.
    ///
    /// # Errors
    /// Returns an error if a given option would have no effect on this input.
    pub fn input_options(&self, output: &OutputArgs) -> Result<InputOptions> {
        let mut options = self.read.input_options(&self.input.files, self.input.format(), output.path())?;
        options.log.envelopes = self.input.envelopes();
        Ok(options)
    }

    /// Returns the first given option that applies only to SQL, not to trees.
    pub fn first_for_sql(&self) -> Option<&'static str> {
        self.read.first_for_sql()
    }

    /// Returns the run options. Options that only some commands have are set to their defaults.
    pub fn run_options(&self) -> RunOptions {
        RunOptions { fail_fast: self.fail_fast, ..self.read.run_options() }
    }
}
