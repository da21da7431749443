//! `pgq scan`: prints the tokens of PostgreSQL's scanner.

mod rows;

use anyhow::{Result, bail};
use pgq::Error;

use self::rows::TokenRows;
use super::args::{FormatArgs, StatementArgs};
use crate::run::input::ScriptComments;
use crate::run::report::{Diagnostics, quote};
use crate::run::statements::{self, RunOptions, Statement, StatementHandler};

pub const EXAMPLES: &str = "\
Examples:
  echo 'SELECT a -- comment' | pgq scan
  echo \"SELECT 'é'\" | pgq scan --format json";

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    statements: StatementArgs,
    #[command(flatten)]
    format: FormatArgs,
}

#[derive(Clone)]
struct TokenLister;

impl StatementHandler for TokenLister {
    type Output = Vec<u8>;

    const KEY: &'static str = "tokens";
    const NEEDS_TREE: bool = false;
    const WITH_COMMENTS: bool = true;

    fn statement(&mut self, statement: &Statement<'_>, json: bool, out: &mut Vec<u8>) -> Result<(), Error> {
        if json { Self::write_json(statement, out) } else { Self::write_text(statement, out) }
    }

    fn take(&mut self, text: Vec<u8>) -> Vec<u8> {
        text
    }
}

impl TokenLister {
    fn write_json(statement: &Statement<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
        out.push(b'[');
        for (i, token) in pgq::scan(statement.text)?.iter().enumerate() {
            if i > 0 {
                out.push(b',');
            }
            let mut number = itoa::Buffer::new();
            out.extend_from_slice(b"{\"start\":");
            out.extend_from_slice(number.format(statement.original_offset(token.start)).as_bytes());
            out.extend_from_slice(b",\"end\":");
            out.extend_from_slice(number.format(statement.original_offset(token.end)).as_bytes());
            for (key, name) in [(",\"token\":\"", token.name()), ("\",\"keyword\":\"", token.keyword_name())] {
                out.extend_from_slice(key.as_bytes());
                out.extend_from_slice(name.as_bytes());
            }
            out.extend_from_slice(b"\"}");
        }
        out.push(b']');
        Ok(())
    }

    fn write_text(statement: &Statement<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
        for token in pgq::scan(statement.text)? {
            push_right(statement.original_offset(token.start), out);
            out.push(b' ');
            push_right(statement.original_offset(token.end), out);
            out.extend_from_slice(b"  ");
            push_left::<16>(token.name(), out);
            push_left::<22>(token.keyword_name(), out);
            quote(&statement.text[token.start..token.end], out);
            out.push(b'\n');
        }
        out.push(b'\n');
        Ok(())
    }
}

/// Appends a number, right-aligned in six columns. Avoids `write!`, which would take most of the time of a scan.
fn push_right(number: usize, out: &mut Vec<u8>) {
    let mut buffer = itoa::Buffer::new();
    let digits = buffer.format(number);
    out.extend_from_slice(&b"      "[digits.len().min(6)..]);
    out.extend_from_slice(digits.as_bytes());
}

/// Appends a name, left-aligned in `WIDTH` columns, and a space.
fn push_left<const WIDTH: usize>(name: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(&[b' '; WIDTH][name.len().min(WIDTH)..]);
    out.push(b' ');
}

pub fn run(args: &Args, diagnostics: &Diagnostics) -> Result<()> {
    let mut input = args.statements.input_options(&args.format.output)?;
    input.comments = ScriptComments::All;
    let output = args.format.text_or_records()?;
    let options = RunOptions { output, reads_tokens: true, ..args.statements.run_options() };
    if options.reports.stats {
        if !input.format.may_be_log() {
            bail!("--stats of scan is for logs: add --from stderr, csvlog, jsonlog or auto");
        }
        input.log.required_by.get_or_insert("--stats of scan");
    }
    if let Some((layout, writer)) = args.format.open_rows()? {
        return statements::run_rows(|| TokenRows::new(&layout), input, &options, writer, diagnostics);
    }
    statements::run(&TokenLister, input, &options, args.format.open()?, diagnostics)
}
