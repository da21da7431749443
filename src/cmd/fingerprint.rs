//! `pgq fingerprint`: prints 16 hex digits for each statement.

use anyhow::Result;
use pgq::cache::KnownShape;
use pgq::{Error, FingerprintOptions, Fingerprinted};

use super::args::{CacheArgs, FormatArgs, KeepArgs, ParserArgs, StatementArgs};
use super::results::{self, ResultArgs};
use crate::run::input::Granularity;
use crate::run::report::{Diagnostics, quote};
use crate::run::statements::{RunOptions, Statement, StatementHandler};

pub const EXAMPLES: &str = "\
Examples:
  echo 'SELECT a FROM t WHERE b = 1; SELECT a FROM t WHERE b = 2' | pgq fingerprint
  echo 'SELECT a FROM t WHERE b = ?' | pgq fingerprint --placeholders qmark
  echo 'LOG:  duration: 3.5 ms  statement: SELECT 1' | pgq fingerprint --from stderr --format json";

#[derive(clap::Args)]
pub struct Args {
    /// Print each distinct line once, preceded by its number of statements, most frequent first
    #[arg(long)]
    count: bool,

    /// Print the fingerprints of libpg_query for PostgreSQL 17 and earlier, for queries without RETURNING
    ///
    /// The trees of RETURNING, MERGE, constraints and some utility statements (such as GRANT and CREATE ROLE) are
    /// different since PostgreSQL 18, so their fingerprints are those of version 18.
    #[arg(long)]
    postgres_17: bool,

    /// Use whole relation names; by default, two or more consecutive digits in a name are ignored
    #[arg(long)]
    full_relation_names: bool,

    /// Use the whole tree; by default, as in libpg_query, only its first 100 levels
    #[arg(long)]
    full_depth: bool,

    /// Include the bodies of functions in SQL and PL/pgSQL
    #[arg(long)]
    function_bodies: bool,

    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    statements: StatementArgs,
    #[command(flatten)]
    keep: KeepArgs,
    #[command(flatten)]
    parser: ParserArgs,
    #[command(flatten)]
    caches: CacheArgs,
}

#[derive(Clone)]
struct Fingerprinter(FingerprintOptions);

impl Fingerprinter {
    fn fingerprint(&self, statement: &Statement<'_>) -> Result<Fingerprinted, Error> {
        let (tree, index) = statement.tree();
        match statement.granularity {
            Granularity::Record => tree.fingerprint(&self.0),
            Granularity::Statement => tree.statement(index).fingerprint(&self.0),
        }
    }
}

impl StatementHandler for Fingerprinter {
    type Output = Vec<u8>;

    const KEY: &'static str = "fingerprint";
    const FURTHER_KEYS: &'static [&'static str] = &["truncated"];
    const NEEDS_TREE: bool = true;

    fn shape_options(&self) -> Option<FingerprintOptions> {
        Some(self.0)
    }

    fn known_shape(&mut self, shape: &KnownShape<'_>, json: bool, out: &mut Vec<u8>) {
        let (before, after): (&[u8], u8) = if json { (b"\"", b'"') } else { (b"", b'\n') };
        out.extend_from_slice(before);
        out.extend_from_slice(&shape.fingerprint().digits());
        out.push(after);
    }

    fn statement(&mut self, statement: &Statement<'_>, json: bool, out: &mut Vec<u8>) -> Result<(), Error> {
        let Fingerprinted { fingerprint, truncated, .. } = self.fingerprint(statement)?;
        if !json {
            out.extend_from_slice(fingerprint.to_string().as_bytes());
            out.push(b'\n');
            return Ok(());
        }
        quote(&fingerprint.to_string(), out);
        if truncated {
            out.extend_from_slice(b",\"truncated\":true");
        }
        Ok(())
    }

    fn take(&mut self, text: Vec<u8>) -> Vec<u8> {
        text
    }
}

pub fn run(args: &Args, diagnostics: &Diagnostics) -> Result<()> {
    let parse = args.parser.options();
    let mut fingerprints = FingerprintOptions::default();
    fingerprints.postgres_17 = args.postgres_17;
    fingerprints.full_relation_names = args.full_relation_names;
    fingerprints.full_depth = args.full_depth;
    fingerprints.function_bodies = args.function_bodies;
    fingerprints.parse = parse;
    let (output, caches) = (args.format.answers(args.keep.keep_columns)?, args.caches.options());
    let options = RunOptions { output, parse, caches, ..args.statements.run_options() };
    let Args { count, format, statements, .. } = args;
    let results = ResultArgs { count: *count, format, statements };
    results::run(&Fingerprinter(fingerprints), &results, &options, diagnostics)
}
