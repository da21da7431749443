//! Runs a command whose result for each statement is a string. Writes the results as text, JSON
//! records or table rows, or counts equal results.

use anyhow::{Result, bail};

use super::args::{FormatArgs, StatementArgs};
use crate::run::report::Diagnostics;
use crate::run::statements::{self, RunOptions, StatementHandler};

/// The source of statements and the format of their results.
pub struct ResultArgs<'a> {
    pub count: bool,
    pub format: &'a FormatArgs,
    pub statements: &'a StatementArgs,
}

/// # Errors
/// Options contradict each other, there is no input, or the output cannot be opened or written.
pub fn run<H: StatementHandler<Output = Vec<u8>> + Clone>(
    handler: &H,
    args: &ResultArgs<'_>,
    options: &RunOptions,
    diagnostics: &Diagnostics,
) -> Result<()> {
    let mut input = args.statements.input_options(&args.format.output)?;
    if args.count && options.output.answers.is_some() {
        bail!("--count is for text: leave out --keep-columns and --format");
    }
    input.backslash_escapes = options.parse.backslash_escapes;
    let output = args.format.open()?;
    if args.count {
        return statements::run_counted(handler, input, options, output, diagnostics);
    }
    statements::run_answers(handler, input, options, output, diagnostics)
}
