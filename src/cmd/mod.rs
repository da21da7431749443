//! The subcommands: one file each, all of one shape: `Args` and `run`.

mod bench;
mod completions;
mod deparse;
mod digest;
mod fingerprint;
mod man;
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
    #[command(after_help = parse::EXAMPLES)]
    Parse(parse::Args),
    /// Parse trees, or SQL, to SQL
    #[command(after_help = deparse::EXAMPLES)]
    Deparse(deparse::Args),
    /// Equal numbers for statements that differ only in their constants
    #[command(after_help = fingerprint::EXAMPLES)]
    Fingerprint(fingerprint::Args),
    /// Statements with $1, $2, … in place of their constants
    #[command(after_help = normalize::EXAMPLES)]
    Normalize(normalize::Args),
    /// The tokens of PostgreSQL's scanner
    #[command(after_help = scan::EXAMPLES)]
    Scan(scan::Args),
    /// What ran on the server: queries by time, calls and errors, from its logs
    #[command(after_help = digest::EXAMPLES)]
    Digest(digest::Args),
    /// Queries per second of the Protobuf path and the raw path
    #[command(after_help = bench::EXAMPLES)]
    Bench(bench::Args),
    /// Completions for a shell
    #[command(after_help = completions::EXAMPLES)]
    Completions(completions::Args),
    /// The manual pages
    #[command(after_help = man::EXAMPLES)]
    Man(man::Args),
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
        Command::Digest(args) => digest::run(&args, messages),
        Command::Bench(args) => bench::run(&args, messages),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
    }
}
