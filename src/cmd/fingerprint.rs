//! `pgq fingerprint`: SQL in, 16 hex digits a statement out.

use std::io::Write;

use anyhow::Result;
use pgq::shape::Known;
use pgq::{Error, FingerprintOptions, Fingerprinted};

use super::statements::{self, Answer, Manner, Statement};
use crate::cli::{FormatArgs, InputArgs, ParserArgs};
use crate::input::Unit;
use crate::output::{Messages, quote};

pub const EXAMPLES: &str = "\
Examples:
  echo 'SELECT a FROM t WHERE b = 1; SELECT a FROM t WHERE b = 2' | pgq fingerprint
  echo 'SELECT a FROM t WHERE b = ?' | pgq fingerprint --placeholders qmark
  echo 'LOG:  duration: 3.5 ms  statement: SELECT 1' | pgq fingerprint --from stderr --format json";

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    parser: ParserArgs,

    /// Fingerprints as libpg_query gave them for PostgreSQL 17 and earlier
    #[arg(long)]
    postgres_17: bool,

    /// Count digits in relation names, which are ignored in runs of two or more
    #[arg(long)]
    full_relation_names: bool,

    /// Look at all of the tree: libpg_query's fingerprints stop 100 levels down
    #[arg(long)]
    full_depth: bool,
}

#[derive(Clone)]
struct Fingerprints(FingerprintOptions);

impl Fingerprints {
    fn of(&self, statement: &Statement<'_>) -> Result<Fingerprinted, Error> {
        let (tree, index) = statement.tree();
        match statement.unit {
            Unit::Record => tree.fingerprinted(&self.0),
            Unit::Statement => tree.statement_fingerprinted(index, &self.0),
        }
    }
}

impl Answer for Fingerprints {
    const KEY: &'static str = "fingerprint";
    const PARSED: bool = true;

    fn shapes(&self) -> Option<FingerprintOptions> {
        Some(self.0)
    }

    fn by_shape(&mut self, known: &Known<'_>, json: bool, out: &mut Vec<u8>) {
        let fingerprint = known.fingerprint();
        // Writing to memory does not fail.
        let _ = if json { write!(out, "\"{fingerprint}\"") } else { writeln!(out, "{fingerprint}") };
    }

    fn json(&mut self, statement: &Statement<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
        let Fingerprinted { fingerprint, truncated } = self.of(statement)?;
        quote(&fingerprint.to_string(), out);
        if truncated {
            out.extend_from_slice(b",\"truncated\":true");
        }
        Ok(())
    }

    fn text(&mut self, statement: &Statement<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
        out.extend_from_slice(self.of(statement)?.fingerprint.to_string().as_bytes());
        out.push(b'\n');
        Ok(())
    }
}

pub fn run(args: &Args, messages: &Messages) -> Result<()> {
    let mut options = FingerprintOptions::default();
    options.postgres_17 = args.postgres_17;
    options.full_relation_names = args.full_relation_names;
    options.full_depth = args.full_depth;
    options.parse = args.parser.options();
    let manner = Manner::new(&args.input, args.format, args.parser);
    statements::run(&Fingerprints(options), &args.input, &manner, messages)
}
