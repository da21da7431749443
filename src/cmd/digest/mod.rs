//! `pgq digest`: what ran on the server, from its logs: as a table, a document, a page, or a
//! state that merges with others.

mod csv;
mod figures;
mod gather;
mod json;
mod markdown;
mod page;
mod text;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;

use self::gather::Gather;
use super::printer::Quiet;
use crate::cli::{From, InputArgs};
use crate::input::{Input, Wish};
use crate::output::{Messages, Output, one_line};
use crate::pipeline;
use pgq_digest::baseline::Baseline;
use pgq_digest::report::{Report, ReportOptions, Sort};
use pgq_digest::state::{decode_each, encode, encode_line};
use pgq_digest::{DescribeQuery, Digest};
use pgq_lexer::statement_keyword;

pub const EXAMPLES: &str = "\
Examples:
  echo 'LOG:  duration: 3.5 ms  statement: SELECT 1' | pgq digest
  echo 'LOG:  duration: 3.5 ms  statement: SELECT 1' | pgq digest --format json
  echo 'LOG:  duration: 3.5 ms  statement: SELECT 1' | pgq digest --partial one.state
  pgq digest --merge one.state --top 10 --sort count";

/// Statements are grouped by fingerprint; what differs in constants only is one query.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,

    /// What is written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// What queries are sorted by, the most first
    #[arg(long, value_enum, default_value_t = SortBy::Total)]
    sort: SortBy,

    /// Show so many queries [default: 20 in text and Markdown, 200 in a page, all elsewhere]
    #[arg(long, value_name = "N")]
    top: Option<usize>,

    /// Mark what is new, gone, slower or faster than in an earlier digest: its JSON or state
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,

    /// Write a state, to be merged later, instead of a report; `-` writes it as a line of text
    #[arg(long, value_name = "OUT")]
    partial: Option<PathBuf>,

    /// Take states, and no logs; `-` reads lines of them
    #[arg(long, value_name = "STATE", num_args = 1.., conflicts_with = "files")]
    merge: Vec<PathBuf>,

    /// Most queries that are kept: beyond them the rarest are counted together
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = at_least_one)]
    limit: usize,
}

fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|limit| *limit > 0).ok_or_else(|| "a number from 1 up".to_string())
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table that fits the terminal
    Text,
    /// One JSON document
    Json,
    /// A row for each query
    Csv,
    Markdown,
    /// One page with charts that needs nothing else
    Html,
}

/// What queries are sorted by, the most first.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SortBy {
    /// Time in all
    Total,
    /// Calls
    Count,
    /// Time a call
    Mean,
    /// The slowest call
    Max,
    /// The time that 95 % of the calls do not exceed
    P95,
    /// Errors
    Errors,
}

impl std::convert::From<SortBy> for Sort {
    fn from(by: SortBy) -> Self {
        match by {
            SortBy::Total => Self::Total,
            SortBy::Count => Self::Count,
            SortBy::Mean => Self::Mean,
            SortBy::Max => Self::Max,
            SortBy::P95 => Self::P95,
            SortBy::Errors => Self::Errors,
        }
    }
}

/// Describes queries by PostgreSQL's parser.
struct Describe;

impl DescribeQuery for Describe {
    fn normalized(&self, sql: &str) -> String {
        one_line(pgq::normalize(sql).as_deref().unwrap_or(sql))
    }

    fn tables(&self, sql: &str) -> Vec<String> {
        pgq::tables(sql).unwrap_or_default()
    }

    fn kind(&self, sql: &str) -> String {
        statement_keyword(sql.as_bytes())
    }
}

impl Format {
    fn top(self) -> Option<usize> {
        match self {
            Self::Text | Self::Markdown => Some(20),
            Self::Html => Some(200),
            Self::Json | Self::Csv => None,
        }
    }
}

pub fn run(args: &Args, messages: &Messages) -> Result<()> {
    let baseline = args.baseline.as_deref().map(read_baseline).transpose()?;
    let mut digest = if args.merge.is_empty() { gathered(args, messages)? } else { merged(args)? };
    digest.finish();
    if let Some(path) = &args.partial {
        return write_state(&digest, path);
    }
    let top = args.top.or_else(|| args.format.top());
    let report =
        Report::new(digest, &ReportOptions { sort: args.sort.into(), top, baseline: baseline.as_ref() }, &Describe);
    if report.statements + report.errors == 0 {
        messages.remark("no statement was found; see --stats, --from and --log-line-prefix");
    }
    let mut output = Output::new();
    output.record(|out| match args.format {
        Format::Text => text::write(&report, out),
        Format::Json => json::write(&report, out),
        Format::Csv => csv::write(&report, out),
        Format::Markdown => markdown::write(&report, out),
        Format::Html => page::write(&report, out),
    })?;
    Ok(output.flush()?)
}

/// The digest of logs.
fn gathered(args: &Args, messages: &Messages) -> Result<Digest> {
    let mut input = args.input.clone();
    input.from.get_or_insert(From::Auto);
    let jobs = input.jobs();
    let workers = (0..jobs).map(|_| Gather::new(&input, args.limit, jobs)).collect();
    let mut quiet = Quiet::new(input.log.stats, messages);
    let mut wish = Wish::sql(&input)?;
    wish.wanted.errors = true;
    let workers = pipeline::run(Input::new(&wish)?, workers, &mut quiet)?;
    let digests = workers.into_iter().map(Gather::into_digest);
    Ok(digests
        .reduce(|mut all, digest| {
            all.merge(digest);
            all
        })
        .unwrap_or_else(|| Digest::new(args.limit)))
}

/// The digest of states.
fn merged(args: &Args) -> Result<Digest> {
    let mut all = Digest::new(args.limit);
    for path in &args.merge {
        let bytes = read(path)?;
        if let Err(problem) = decode_each(&bytes, args.limit, |digest| all.merge(digest)) {
            bail!("{} {problem}", shown(path));
        }
    }
    Ok(all)
}

fn read(path: &Path) -> Result<Vec<u8>> {
    if path == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut std::io::stdin(), &mut bytes).context("could not read standard input")?;
        return Ok(bytes);
    }
    std::fs::read(path).with_context(|| format!("could not read {}", path.display()))
}

/// What messages call a file.
fn shown(path: &Path) -> String {
    if path == Path::new("-") { "<stdin>".into() } else { path.display().to_string() }
}

fn read_baseline(path: &Path) -> Result<Baseline> {
    Baseline::read(&read(path)?, &Describe).map_err(|problem| anyhow::anyhow!("{} {problem}", shown(path)))
}

fn write_state(digest: &Digest, path: &Path) -> Result<()> {
    if path == Path::new("-") {
        let line = encode_line(digest)?;
        let mut output = Output::new();
        output.record(|out| {
            out.extend_from_slice(line.as_bytes());
            out.push(b'\n');
        })?;
        return Ok(output.flush()?);
    }
    std::fs::write(path, encode(digest)?).with_context(|| format!("could not write {}", path.display()))
}
