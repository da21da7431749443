//! The command line. Each subcommand is a file or folder with `Args` and `run`.

mod args;
mod bench;
mod check;
mod completions;
mod deparse;
mod digest;
mod export;
mod fingerprint;
mod format;
mod hints;
mod man;
mod normalize;
mod parse;
#[cfg(unix)]
mod replay;
mod results;
mod scan;
#[cfg(unix)]
mod serve;
mod split;
mod stop;
mod tables;
mod zone;

use anyhow::Result;
use clap::builder::styling::{AnsiColor, Styles};
use clap::{CommandFactory, Parser, Subcommand};

use crate::run::report::{DiagnosticStyle, Diagnostics};
use args::{Deferred, DisplayArgs};
pub use hints::{arguments, set_color_of_errors, with_escapes, with_hint};

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

const VERSION: &str =
    concat!(env!("CARGO_PKG_VERSION"), " (libpg_query for PostgreSQL ", env!("PGQ_POSTGRES_VERSION"), ")");

/// SQL tools with PostgreSQL's own parser: digests and queries of server logs, parse trees, fingerprints.
#[derive(Parser)]
#[command(name = "pgq", version = VERSION, styles = STYLES, max_term_width = 100)]
#[command(after_help = "\
Examples:
  echo 'SELECT a FROM t WHERE b = 1' | pgq parse
  printf 'SELECT 1\\nSELECT 2\\n' | pgq normalize --from lines | sort | uniq -c
  echo 'LOG:  duration: 3.5 ms  statement: SELECT 1' | pgq fingerprint --from auto --format json

Exit codes: 0 all good, 1 some statement was invalid, 2 usage, input/output or internal error,\n\
            3 a condition of replay --fail-if was met.")]
pub struct Cli {
    #[command(subcommand)]
    command: Command,

    #[command(flatten)]
    display: DisplayArgs,
}

#[derive(Subcommand)]
enum Command {
    /// Parse SQL and print its trees, as libpg_query's JSON
    ///
    /// The valid statements of a script become one document. In other inputs, each text of SQL becomes a document on
    /// its own line. With --format json, each statement is a record, and locations in its tree count from the record's
    /// offset. csv, tsv, arrow and parquet have a row for each node.
    #[command(after_help = parse::EXAMPLES)]
    Parse(Deferred<parse::Args>),
    /// Turn parse trees back into SQL, or rewrite SQL in one style
    ///
    /// Reads libpg_query's JSON, the records of `pgq parse --format json`, or SQL. The written SQL is parsed again and
    /// compared with the tree. A difference is an error.
    #[command(after_help = deparse::EXAMPLES)]
    Deparse(Deferred<deparse::Args>),
    /// Print a hash for each statement, regardless of its constants
    ///
    /// A fingerprint has 16 hex digits. It does not depend on the length of lists of constants either.
    #[command(after_help = fingerprint::EXAMPLES)]
    Fingerprint(Deferred<fingerprint::Args>),
    /// Replace the constants of statements by $1, $2, …
    ///
    /// In places where PostgreSQL accepts no parameter, a string becomes '$1' in quotes and a number stays. JSON
    /// records count these as "quoted" and "kept".
    #[command(after_help = normalize::EXAMPLES)]
    Normalize(Deferred<normalize::Args>),
    /// Check that statements are valid
    ///
    /// Checks the syntax and the bodies of functions, but not whether tables and columns exist. The exit code is 1 if a
    /// statement is invalid.
    #[command(after_help = check::EXAMPLES)]
    Check(Deferred<check::Args>),
    /// Format SQL in files and folders, or from standard input
    ///
    /// Changes only white space, line breaks and, with --keyword-case, the case of keywords. psql's meta-commands, COPY
    /// data, statements that do not parse, and lines between `-- pgq: off` and `-- pgq: on` stay as written. Files that
    /// are formatted already are not written. docs/format.md has the settings of pgq.toml.
    #[command(after_help = format::EXAMPLES)]
    Format(Deferred<format::Args>),
    /// Print the tokens of PostgreSQL's scanner
    ///
    /// Offsets are bytes from the start of the statement (in JSON, from the record's `offset`). Comments
    /// are tokens, too.
    #[command(after_help = scan::EXAMPLES)]
    Scan(Deferred<scan::Args>),
    /// List the tables, functions and filter columns that statements refer to
    ///
    /// A line has the object's kind, the operation (read, write, create, alter, drop, name, call, filter), and the
    /// object's name. JSON records have all names of a statement; csv, tsv, arrow and parquet have only the names of
    /// its tables.
    #[command(after_help = tables::EXAMPLES)]
    Tables(Deferred<tables::Args>),
    /// Split scripts, logs and tables into their statements
    ///
    /// Each statement ends in a NUL byte, as `xargs -0` and `pgq COMMAND -0` read it. Statements are not parsed. The
    /// output is UTF-8. A command with `-0` does not apply a script's SET standard_conforming_strings. If the script
    /// turns this setting off, pass --backslash-escapes to the command.
    #[command(after_help = split::EXAMPLES)]
    Split(Deferred<split::Args>),
    /// Summarize a server's logs: queries by time, calls and errors
    ///
    /// Statements with the same fingerprint, which differ only in constants, are one query.
    #[command(after_help = digest::EXAMPLES)]
    Digest(Deferred<digest::Args>),
    /// Write a row for each statement or execution, as JSON, CSV, Arrow or Parquet
    ///
    /// A script has a row for each statement, and a log has a row for each execution, including failed ones. A
    /// statement that does not parse is a row with an error. The order of rows does not depend on the number of jobs.
    /// --columns help lists the columns.
    #[command(after_help = export::EXAMPLES)]
    Export(Deferred<export::Args>),
    /// Answer requests of other programs over a Unix socket
    ///
    /// Computes fingerprints, normalized texts, trees and more, for programs that do not link PostgreSQL's parser
    /// themselves. A request is a JSON line or a binary frame (docs/protocol.md), and may contain many texts. Only
    /// processes of the same user can connect. After SIGTERM, pgq answers the requests in progress and then exits.
    #[cfg(unix)]
    #[command(after_help = serve::EXAMPLES)]
    Serve(Deferred<serve::Args>),
    /// Run a log's workload again, on another server
    ///
    /// Each session of the log becomes a session on the server. The delay between the first statement and each later
    /// statement is the same as in the log, but a statement never starts before the previous statement of its session
    /// has ended. Without --writes, only statements that read are sent, in read-only transactions.
    #[cfg(unix)]
    #[command(after_help = replay::EXAMPLES)]
    Replay(Deferred<replay::Args>),
    /// Compare the speed of pgq with that of libpg_query's Protobuf interface
    ///
    /// The raw path reads the parser's C tree directly. The floor is the C code alone. Before it measures, bench
    /// compares the results of all paths. If they differ, the exit code is 1.
    #[command(after_help = bench::EXAMPLES)]
    Bench(Deferred<bench::Args>),
    /// Print completions for a shell
    #[command(after_help = completions::EXAMPLES)]
    Completions(Deferred<completions::Args>),
    /// Print the manual pages
    #[command(after_help = man::EXAMPLES)]
    Man(Deferred<man::Args>),
}

impl Cli {
    /// Creates the diagnostics from the options. Also turns colour on or off for the whole program.
    pub fn diagnostics(&self) -> Diagnostics {
        let mut options = self.display.options();
        options.style = match &self.command {
            Command::Check(args) => args.0.diagnostic_style().unwrap_or(options.style),
            Command::Normalize(args) if args.0.anonymize => DiagnosticStyle::Anonymous,
            Command::Export(args) if args.0.anonymize => DiagnosticStyle::Anonymous,
            Command::Digest(args) if args.0.anonymize => DiagnosticStyle::Anonymous,
            _ => options.style,
        };
        Diagnostics::new(options)
    }
}

/// Runs a subcommand. Errors of statements and files go to `diagnostics`.
///
/// # Errors
/// Wrong usage, output that cannot be written, or an internal error ends the run.
pub fn run(cli: Cli, diagnostics: &Diagnostics) -> Result<()> {
    match cli.command {
        Command::Parse(args) => parse::run(&args.0, diagnostics),
        Command::Deparse(args) => deparse::run(&args.0, diagnostics),
        Command::Fingerprint(args) => fingerprint::run(&args.0, diagnostics),
        Command::Normalize(args) => normalize::run(&args.0, diagnostics),
        Command::Check(args) => check::run(&args.0, diagnostics),
        Command::Format(args) => format::run(&args.0, diagnostics),
        Command::Scan(args) => scan::run(&args.0, diagnostics),
        Command::Tables(args) => tables::run(&args.0, diagnostics),
        Command::Split(args) => split::run(&args.0, diagnostics),
        Command::Digest(args) => digest::run(&args.0, diagnostics),
        Command::Export(args) => export::run(&args.0, diagnostics),
        #[cfg(unix)]
        Command::Serve(args) => serve::run(&args.0, diagnostics),
        #[cfg(unix)]
        Command::Replay(args) => replay::run(&args.0, diagnostics),
        Command::Bench(args) => bench::run(&args.0, diagnostics),
        Command::Completions(args) => completions::run(&args.0, Cli::command()),
        Command::Man(args) => man::run(&args.0, Cli::command()),
    }
}
