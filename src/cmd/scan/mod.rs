//! `pgq scan`: SQL in, the tokens of PostgreSQL's scanner out.

mod rows;

use std::io::Write;

use anyhow::{Result, bail};
use pgq::Error;

use self::rows::TokenRows;
use super::args::{FormatArgs, StatementArgs, TableFormat};
use crate::input::InputFormat;
use crate::report::{Diagnostics, quote};
use crate::statements::{self, RunOptions, Statement, StatementHandler};

pub const EXAMPLES: &str = "\
Examples:
  echo 'SELECT a -- comment' | pgq scan
  echo \"SELECT 'é'\" | pgq scan --format json";

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    statements: StatementArgs,
    #[command(flatten)]
    format: FormatArgs<TableFormat>,
}

#[derive(Clone)]
struct TokenLister;

impl StatementHandler for TokenLister {
    const KEY: &'static str = "tokens";
    const NEEDS_TREE: bool = false;
    const WITH_COMMENTS: bool = true;

    fn json(&mut self, statement: &Statement<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
        out.push(b'[');
        for (i, token) in pgq::scan(statement.text)?.iter().enumerate() {
            let comma = if i > 0 { "," } else { "" };
            let _ = write!(
                out,
                "{comma}{{\"start\":{},\"end\":{},\"token\":\"{}\",\"keyword\":\"{}\"}}",
                statement.original_offset(token.start),
                statement.original_offset(token.end),
                token.name(),
                token.keyword_name()
            );
        }
        out.push(b']');
        Ok(())
    }

    fn text(&mut self, statement: &Statement<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
        for token in pgq::scan(statement.text)? {
            let (name, keyword) = (token.name(), token.keyword_name());
            let (start, end) = (statement.original_offset(token.start), statement.original_offset(token.end));
            let _ = write!(out, "{start:>6} {end:>6}  {name:<16} {keyword:<22} ");
            quote(&statement.text[token.start..token.end], out);
            out.push(b'\n');
        }
        out.push(b'\n');
        Ok(())
    }
}

pub fn run(args: &Args, diagnostics: &Diagnostics) -> Result<()> {
    let mut input = args.statements.input_options(InputFormat::Auto)?;
    let options = RunOptions { output: args.format.text_or_records()?, ..args.statements.run_options() };
    if options.reports.stats {
        if !input.format.may_be_log() {
            bail!("--stats of scan is for logs: add --from stderr, csvlog, jsonlog or auto");
        }
        input.log.required_by.get_or_insert("--stats of scan");
    }
    if let Some((layout, writer)) = args.format.open_rows()? {
        return statements::run_rows(|| TokenRows::new(&layout), input, &options, writer, diagnostics);
    }
    statements::run(&TokenLister, input, &options, args.format.output.open()?, diagnostics)
}
