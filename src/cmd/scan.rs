//! `pgq scan`: SQL in, the tokens of PostgreSQL's scanner out.

use std::io::Write;

use anyhow::Result;
use pgq::Error;

use super::statements::{self, Answer, Manner, Statement};
use crate::cli::{FormatArgs, InputArgs, ParserArgs};
use crate::output::{Messages, quote};

pub const EXAMPLES: &str = "\
Examples:
  echo 'SELECT a -- comment' | pgq scan
  echo \"SELECT 'é'\" | pgq scan --format json";

/// Offsets are bytes, counted from the start of the statement (in JSON, from the record's
/// `offset`). Comments are tokens too.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    format: FormatArgs,
}

#[derive(Clone)]
struct Tokens;

impl Answer for Tokens {
    const KEY: &'static str = "tokens";
    const PARSED: bool = false;
    const WITH_COMMENTS: bool = true;

    fn json(&mut self, statement: &Statement<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
        out.push(b'[');
        for (i, token) in pgq::scan(statement.text)?.iter().enumerate() {
            let comma = if i > 0 { "," } else { "" };
            let _ = write!(
                out,
                "{comma}{{\"start\":{},\"end\":{},\"token\":\"{}\",\"keyword\":\"{}\"}}",
                statement.original(token.start),
                statement.original(token.end),
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
            let (start, end) = (statement.original(token.start), statement.original(token.end));
            let _ = write!(out, "{start:>6} {end:>6}  {name:<16} {keyword:<22} ");
            quote(&statement.text[token.start..token.end], out);
            out.push(b'\n');
        }
        out.push(b'\n');
        Ok(())
    }
}

pub fn run(args: &Args, messages: &Messages) -> Result<()> {
    let manner = Manner::new(&args.input, args.format, ParserArgs::default());
    statements::run(&Tokens, &args.input, &manner, messages)
}
