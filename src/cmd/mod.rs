//! The subcommands: one file each, all of one shape: `Args` and `run`.

mod bench;
mod deparse;
mod fingerprint;
mod normalize;
mod parse;
mod printer;
mod scan;
mod seen;
mod statements;

use anyhow::Result;
use clap::Subcommand;

use crate::output::Messages;

#[derive(Subcommand)]
pub enum Command {
    /// SQL to parse trees, as libpg_query's JSON
    Parse(parse::Args),
    /// Parse trees, or SQL, to SQL
    Deparse(deparse::Args),
    /// Equal numbers for statements that differ only in their constants
    Fingerprint(fingerprint::Args),
    /// Statements with $1, $2, … in place of their constants
    Normalize(normalize::Args),
    /// The tokens of PostgreSQL's scanner
    Scan(scan::Args),
    /// Queries per second of the Protobuf path and the raw path
    Bench(bench::Args),
}

/// Runs a subcommand. Soft errors go to `messages`.
///
/// # Errors
/// What ends the run: output that cannot be written, usage, a failure of our own.
pub fn run(command: Command, messages: &Messages) -> Result<()> {
    match command {
        Command::Parse(args) => parse::run(&args, messages),
        Command::Deparse(args) => deparse::run(&args, messages),
        Command::Fingerprint(args) => fingerprint::run(&args, messages),
        Command::Normalize(args) => normalize::run(&args, messages),
        Command::Scan(args) => scan::run(&args, messages),
        Command::Bench(args) => bench::run(&args, messages),
    }
}
