//! `pgq normalize`: SQL in, the same with `$n` in place of its constants out.

use std::io::Write;

use anyhow::Result;
use pgq::shape::Known;
use pgq::{Error, FingerprintOptions};

use super::statements::{self, Answer, Manner, Statement};
use crate::cli::{FormatArgs, InputArgs, ParserArgs};
use crate::input::Unit;
use crate::output::{Messages, one_line, quote};

pub const EXAMPLES: &str = "\
Examples:
  echo \"SELECT a FROM t WHERE b = 1 AND c = 'x'\" | pgq normalize
  printf 'SELECT 1\\nSELECT 2\\n' | pgq normalize --from lines | sort | uniq -c
  echo \"CREATE USER u PASSWORD 'secret'\" | pgq normalize --utility";

/// Where PostgreSQL takes no parameter, a string becomes '$1' in quotes and a number stays what
/// it is; JSON records count them as "quoted" and "kept".
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
    /// For texts on their way out.
    room: String,
}

impl Normalized {
    fn of(&self, statement: &Statement<'_>) -> Result<pgq::Normalized, Error> {
        let (tree, index) = statement.tree();
        match statement.unit {
            Unit::Record => tree.normalize(statement.text, self.utility),
            Unit::Statement => tree.statement_normalize(index, statement.text, self.utility),
        }
    }

    fn line(&self, normalized: &str, out: &mut Vec<u8>) {
        if self.verbatim {
            out.extend_from_slice(normalized.as_bytes());
        } else {
            out.extend_from_slice(one_line(normalized).as_bytes());
        }
        out.push(b'\n');
    }
}

impl Answer for Normalized {
    const KEY: &'static str = "normalized";
    const PARSED: bool = true;

    fn shapes(&self) -> Option<FingerprintOptions> {
        // Of utility statements, few come again.
        (!self.utility).then(FingerprintOptions::default)
    }

    fn by_shape(&mut self, known: &Known<'_>, json: bool, out: &mut Vec<u8>) {
        let mut normalized = std::mem::take(&mut self.room);
        normalized.clear();
        match known.normalize(&mut normalized) {
            true if json => quote(&normalized, out),
            true => self.line(&normalized, out),
            false => {} // it will be parsed
        }
        self.room = normalized;
    }

    /// In a record the text keeps its layout: nothing has to fit a line.
    fn json(&mut self, statement: &Statement<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
        let normalized = self.of(statement)?;
        quote(&normalized.text, out);
        for (key, count) in [("kept", normalized.kept), ("quoted", normalized.quoted)] {
            if count > 0 {
                let _ = write!(out, ",\"{key}\":{count}");
            }
        }
        Ok(())
    }

    fn text(&mut self, statement: &Statement<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
        self.line(&self.of(statement)?.text, out);
        Ok(())
    }
}

pub fn run(args: &Args, messages: &Messages) -> Result<()> {
    let answer = Normalized { verbatim: args.verbatim, utility: args.utility, room: String::new() };
    let manner = Manner::new(&args.input, args.format, ParserArgs::default());
    statements::run(&answer, &args.input, &manner, messages)
}
