//! `pgq deparse`: parse trees as JSON in, SQL out; or SQL in, and the same SQL written anew out.

mod sql;
mod trees;

use std::path::PathBuf;

use anyhow::{Result, bail};

use self::sql::Reformatter;
use self::trees::TreeDeparser;
use super::args::{DeparseArgs, OutputArgs, OutputFormat, ReadArgs, TextCacheArgs, input_or_tree_format};
use crate::run::input::InputFormat;
use crate::run::report::Diagnostics;
use crate::run::statements::{self, OutputOptions, RunOptions};

pub const EXAMPLES: &str = "\
Examples:
  echo 'select  a,b from t where c in (1,2)' | pgq deparse --from sql
  echo 'select a, b from t join u using (id)' | pgq deparse --from sql --pretty
  echo 'SELECT 1' | pgq parse | pgq deparse";

#[derive(clap::Args)]
pub struct Args {
    /// Files to read, in this order; standard input for `-`, or if no file is named
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Format of the input
    #[arg(long, value_parser = input_or_tree_format(), default_value = "json")]
    from: InputFormat,

    /// SQL statements that end in NUL bytes: the same as --from null
    #[arg(short = '0', conflicts_with = "from")]
    null: bool,

    /// Stop at the first invalid tree or statement
    #[arg(long)]
    fail_fast: bool,

    #[command(flatten)]
    read: ReadArgs,

    /// Text, or one JSON record per statement
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,

    #[command(flatten)]
    output: OutputArgs,

    /// Do not parse the output to compare it with the tree
    #[arg(long)]
    no_verify: bool,

    #[command(flatten)]
    style: DeparseArgs,

    /// Keep the comments of SQL; implies --pretty
    ///
    /// Each stays by its statement. Those inside of a statement that has an error are printed with
    /// the error.
    #[arg(long)]
    keep_comments: bool,

    #[command(flatten)]
    caches: TextCacheArgs,
}

pub fn run(args: &Args, diagnostics: &Diagnostics) -> Result<()> {
    let format = if args.null { InputFormat::Null } else { args.from };
    let mut input = args.read.input_options(&args.files, format)?;
    input.keep_comments = args.keep_comments;
    let mut style = args.style.options();
    style.verify = !args.no_verify;
    style.pretty |= args.keep_comments;
    let options = RunOptions {
        output: OutputOptions { json: args.format == OutputFormat::Json, indented: false },
        fail_fast: args.fail_fast,
        caches: args.caches.options(),
        ..args.read.run_options(&args.files)
    };
    if format != InputFormat::JsonTrees {
        let handler = Reformatter::new(style, args.keep_comments);
        return statements::run(&handler, input, &options, args.output.open()?, diagnostics);
    }
    if let Some(option) = first_for_sql(args) {
        bail!("{option} is for SQL and not for trees: add --from sql, lines, null, stderr, csvlog, jsonlog or auto");
    }
    let workers = (0..options.jobs).map(|_| TreeDeparser::new(style.clone(), &options));
    let mut output = args.output.open()?;
    statements::run_jobs(input, workers, &mut output, statements::LogReports::default(), diagnostics)?;
    output.complete()
}

/// The first given option that has no effect on trees.
fn first_for_sql(args: &Args) -> Option<&'static str> {
    [("--no-cache", args.caches.no_cache), ("--keep-comments", args.keep_comments)]
        .into_iter()
        .find_map(|(option, given)| given.then_some(option))
        .or_else(|| args.read.first_for_sql())
}
