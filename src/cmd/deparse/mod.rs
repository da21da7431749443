//! `pgq deparse`: converts parse trees in JSON to SQL, or reformats SQL.

mod sql;
mod trees;

use anyhow::{Result, bail};

use self::sql::Reformatter;
use self::trees::TreeDeparser;
use super::args::{DeparseArgs, OutputArgs, OutputFormat, ParserArgs, StatementArgs, TextCacheArgs};
use crate::run::input::{Data, InputFormat, ScriptComments};
use crate::run::report::Diagnostics;
use crate::run::statements::{ChunkReport, Job, OutputOptions, RunOptions, StatementProcessor, run_jobs};

pub const EXAMPLES: &str = "\
Examples:
  echo 'select  a,b from t where c in (1,2)' | pgq deparse
  echo 'select a, b from t join u using (id)' | pgq deparse --pretty
  echo 'SELECT 1' | pgq parse | pgq deparse";

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    statements: StatementArgs,

    #[command(flatten)]
    parser: ParserArgs,

    /// Format of the output [default: by the extension of --output, otherwise text]
    #[arg(long, value_enum)]
    format: Option<OutputFormat>,

    #[command(flatten)]
    output: OutputArgs,

    /// Do not verify the output by parsing it again and comparing it with the tree
    #[arg(long)]
    no_verify: bool,

    #[command(flatten)]
    style: DeparseArgs,

    /// Keep the comments of SQL; implies --pretty
    ///
    /// A comment stays next to its statement. If a statement has an error, the comments inside of it are printed with
    /// the error.
    #[arg(long)]
    keep_comments: bool,

    #[command(flatten)]
    caches: TextCacheArgs,
}

pub fn run(args: &Args, diagnostics: &Diagnostics) -> Result<()> {
    let format = OutputFormat::chosen(args.format, &args.output)?;
    let mut input = args.statements.input_options(&args.output)?;
    if args.keep_comments {
        input.comments = ScriptComments::AllWithLines;
    }
    input.accepts_trees = true;
    // `--from json` is the old name of `--from trees`. In other commands, `json` means that each line of the server's
    // log is in a JSON object.
    if input.log.envelopes == ["json"] {
        input.log.envelopes.clear();
        input.format = InputFormat::JsonTrees;
    }
    let mut style = args.style.options();
    style.verify = !args.no_verify;
    style.pretty |= args.keep_comments;
    let mut options = RunOptions {
        output: OutputOptions { json: format == OutputFormat::Json, ..OutputOptions::default() },
        parse: args.parser.options(),
        reads_tokens: true,
        caches: args.caches.options(),
        ..args.statements.run_options()
    };
    input.backslash_escapes = options.parse.backslash_escapes;
    // With --pretty, the output is meant to replace the script, so an omitted statement is an error.
    options.reports.must_be_whole = style.pretty;
    if input.format == InputFormat::JsonTrees
        && let Some(option) = first_for_sql(args)
    {
        bail!("{option} is for SQL and not for trees: leave out --from trees");
    }
    let sql = Reformatter::new(style.clone(), args.keep_comments);
    let jobs = (0..options.jobs).map(|_| Deparser {
        sql: StatementProcessor::new(sql.clone(), options.clone()),
        trees: TreeDeparser::new(style.clone(), &options),
    });
    let mut output = args.output.open()?;
    run_jobs(input, jobs, &mut output, options.reports, diagnostics)?;
    output.complete()
}

/// Deparses trees or reformats SQL, depending on the content of a file.
struct Deparser {
    sql: StatementProcessor<Reformatter>,
    trees: TreeDeparser,
}

impl Job for Deparser {
    type Output = Vec<u8>;

    fn work(&mut self, file: &str, data: &Data, report: &mut ChunkReport) -> Vec<u8> {
        match data {
            Data::Documents(documents) => self.trees.deparse_all(file, documents, report),
            _ => self.sql.work(file, data, report),
        }
    }
}

/// Returns the first given option that has no effect on trees.
fn first_for_sql(args: &Args) -> Option<&'static str> {
    [("--no-cache", args.caches.no_cache), ("--keep-comments", args.keep_comments)]
        .into_iter()
        .find_map(|(option, given)| given.then_some(option))
        .or_else(|| args.statements.first_for_sql())
}
