//! `pgq normalize`: SQL in, the same with `$n` in place of its constants out.

use anyhow::Result;
use pgq::Error;

use super::statements::{self, Answer, Manner, Statement};
use crate::cli::{FormatArgs, InputArgs, ParserArgs};
use crate::input::Unit;
use crate::output::{Messages, one_line, quote};

pub const EXAMPLES: &str = "\
Examples:
  echo \"SELECT a FROM t WHERE b = 1 AND c = 'x'\" | pgq normalize
  printf 'SELECT 1\\nSELECT 2\\n' | pgq normalize --from lines | sort | uniq -c
  echo \"CREATE USER u PASSWORD 'secret'\" | pgq normalize --utility";

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    format: FormatArgs,

    /// Keep the statement's own layout and comments instead of one line each
    #[arg(long)]
    verbatim: bool,

    /// Normalize only utility statements (passwords, connection strings), leave others alone
    #[arg(long)]
    utility: bool,
}

#[derive(Clone)]
struct Normalized {
    verbatim: bool,
    utility: bool,
}

impl Normalized {
    fn of(&self, statement: &Statement<'_>) -> Result<String, Error> {
        let (tree, index) = statement.tree();
        match statement.unit {
            Unit::Record => tree.normalize(statement.text, self.utility),
            Unit::Statement => tree.statement_normalize(index, statement.text, self.utility),
        }
    }
}

impl Answer for Normalized {
    const KEY: &'static str = "normalized";
    const PARSED: bool = true;

    /// In a record the text keeps its layout: nothing has to fit a line.
    fn json(&mut self, statement: &Statement<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
        quote(&self.of(statement)?, out);
        Ok(())
    }

    fn text(&mut self, statement: &Statement<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
        let normalized = self.of(statement)?;
        let shown = if self.verbatim { normalized } else { one_line(&normalized) };
        out.extend_from_slice(shown.as_bytes());
        out.push(b'\n');
        Ok(())
    }
}

pub fn run(args: &Args, messages: &Messages) -> Result<()> {
    let answer = Normalized { verbatim: args.verbatim, utility: args.utility };
    let manner = Manner::new(&args.input, args.format, ParserArgs::default());
    statements::run(&answer, &args.input, &manner, messages)
}
