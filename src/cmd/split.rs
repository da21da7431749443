//! `pgq split`: splits any input into statements. Each statement ends in a NUL byte or is a JSON record.

use anyhow::Result;
use pgq::Error;

use super::args::{FormatArgs, KeepArgs, StatementArgs};
use super::results::{self, ResultArgs};
use crate::run::report::{Diagnostics, quote};
use crate::run::statements::{RunOptions, Statement, StatementHandler};

pub const EXAMPLES: &str = "\
Examples:
  echo 'SELECT 1; SELECT 2' | pgq split | xargs -0 -n 1 echo
  echo \"SELECT ';'; SELECT 2\" | pgq split --format json
  echo 'SELECT 1; SELECT 2' | pgq split | pgq fingerprint -0";

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    statements: StatementArgs,
    #[command(flatten)]
    keep: KeepArgs,
}

/// Writes statements unchanged, even if they do not parse. A statement with a NUL byte can be written only as JSON.
#[derive(Clone)]
struct Splitter;

impl StatementHandler for Splitter {
    type Output = Vec<u8>;

    const KEY: &'static str = "sql";
    const NEEDS_TREE: bool = false;

    fn statement(&mut self, statement: &Statement<'_>, json: bool, out: &mut Vec<u8>) -> Result<(), Error> {
        if json {
            quote(statement.text, out);
            return Ok(());
        }
        if memchr::memchr(0, statement.text.as_bytes()).is_some() {
            pgq::scan(statement.text)?; // the error has the position of the NUL byte
        }
        out.extend_from_slice(statement.text.as_bytes());
        out.push(0);
        Ok(())
    }

    fn take(&mut self, text: Vec<u8>) -> Vec<u8> {
        text
    }
}

pub fn run(args: &Args, diagnostics: &Diagnostics) -> Result<()> {
    let output = args.format.answers(args.keep.keep_columns)?;
    let options = RunOptions { output, ..args.statements.run_options() };
    let Args { format, statements, .. } = args;
    let results = ResultArgs { count: false, format, statements };
    results::run(&Splitter, &results, &options, diagnostics)
}
