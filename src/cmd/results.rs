//! Runs a command that has a line of text for each statement: as records or text, counted, or in a column of a
//! table.

use anyhow::Result;

use super::args::{FormatArgs, StatementArgs, TableArgs};
use crate::run::input::InputFormat;
use crate::run::report::Diagnostics;
use crate::run::statements::{self, RunOptions, StatementHandler};

/// Where statements come from and how their results are written.
pub struct ResultArgs<'a> {
    pub count: bool,
    pub format: &'a FormatArgs,
    pub statements: &'a StatementArgs,
    pub table: &'a TableArgs,
}

/// # Errors
/// What ends the run.
pub fn run<H: StatementHandler<Output = Vec<u8>> + Clone>(
    handler: &H,
    args: &ResultArgs<'_>,
    options: &RunOptions,
    diagnostics: &Diagnostics,
) -> Result<()> {
    let other = if args.count { Some("--count") } else { options.output.json.then_some("--format json") };
    if let Some(column) = args.table.column(args.statements, other)? {
        let (input, output) = (args.statements.table_options()?, args.format.output.open()?);
        return statements::run_table(handler, &column, &input, options, output, diagnostics);
    }
    let mut input = args.statements.input_options(InputFormat::Auto)?;
    input.backslash_escapes = options.parse.backslash_escapes;
    let output = args.format.output.open()?;
    let run = if args.count { statements::run_counted } else { statements::run };
    run(handler, input, options, output, diagnostics)
}
