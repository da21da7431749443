//! `pgq format`: formats SQL in files, or from standard input to standard output.

mod config;
mod files;
mod ignored;
mod report;

use std::collections::HashSet;
use std::io::Read;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;
use pgq::{FormatOptions, KeywordCase};

use self::config::Configs;
use self::report::{Outcome, Report};
use crate::run::input::{open_regular, path_name, refuse_replaced_inputs};
use crate::run::report::{Diagnostics, Output, replace_file};

pub const EXAMPLES: &str = "\
Examples:
  echo 'select a,b from t where c in (1,2)' | pgq format
  pgq format migrations                 # all scripts below a folder, in place
  pgq format --check migrations         # in CI: lists what would change
  pgq format --diff schema.sql";

#[derive(clap::Args)]
pub struct Args {
    /// Files, and folders with scripts, to change in place [default: standard input]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// List the files that would change, and exit with 1 if there are any
    #[arg(long)]
    check: bool,

    /// Print what would change, and exit with 1 if anything would
    #[arg(long)]
    diff: bool,

    /// Format only the statements on these lines: FIRST:LAST, counted from 1
    #[arg(long, value_name = "LINES", value_parser = line_range)]
    range: Option<std::ops::Range<usize>>,

    /// File name of standard input, for pgq.toml and messages
    #[arg(long, value_name = "FILE")]
    stdin_filename: Option<PathBuf>,

    #[command(flatten)]
    style: StyleArgs,

    /// Use these settings instead of the nearest pgq.toml
    #[arg(help_heading = "Settings", long, value_name = "FILE", conflicts_with = "no_config")]
    config: Option<PathBuf>,

    /// Read no pgq.toml
    #[arg(help_heading = "Settings", long)]
    no_config: bool,

    /// Also format files that .gitignore excludes
    #[arg(long)]
    no_ignore: bool,

    /// Number of threads [default: one for each core]
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZero<usize>>,
}

/// Layout options, from the command line or from pgq.toml. The command line takes precedence.
#[derive(clap::Args, serde::Deserialize, Clone, Default)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct StyleArgs {
    /// Break lines that are longer than N characters [default: 88]
    #[arg(help_heading = "Style", long, value_name = "N", value_parser = clap::value_parser!(u16).range(20..=1000))]
    width: Option<u16>,

    /// Number of spaces for each level [default: 4]
    #[arg(help_heading = "Style", long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=16))]
    indent: Option<u16>,

    /// Case of keywords [default: keep]
    #[arg(help_heading = "Style", long, value_enum, value_name = "CASE")]
    keyword_case: Option<Case>,

    /// Position of commas in lists with one item per line [default: last]
    #[arg(help_heading = "Style", long, value_enum, value_name = "PLACE")]
    comma: Option<Comma>,

    /// Align the types of a table's columns
    #[arg(help_heading = "Style", long)]
    align_types: bool,

    /// Also format the bodies of functions
    #[arg(help_heading = "Style", long)]
    bodies: bool,

    // Patterns as in .gitignore, relative to the folder of pgq.toml.
    #[arg(skip)]
    exclude: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Case {
    /// As written
    Keep,
    Upper,
    Lower,
}

impl From<Case> for KeywordCase {
    fn from(case: Case) -> Self {
        match case {
            Case::Keep => Self::Keep,
            Case::Upper => Self::Upper,
            Case::Lower => Self::Lower,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Comma {
    /// At the ends of lines
    Last,
    /// At the beginnings of lines
    First,
}

impl StyleArgs {
    /// Returns `base`, changed by the options that are given.
    fn over(&self, mut base: FormatOptions) -> FormatOptions {
        base.width = self.width.map_or(base.width, usize::from);
        base.indent = self.indent.map_or(base.indent, usize::from);
        base.align_types |= self.align_types;
        base.bodies |= self.bodies;
        base.comma_first = self.comma.map_or(base.comma_first, |comma| comma == Comma::First);
        base.keyword_case = self.keyword_case.map_or(base.keyword_case, KeywordCase::from);
        base
    }
}

fn line_range(text: &str) -> Result<std::ops::Range<usize>, String> {
    let parsed = || {
        let (first, last) = text.split_once(':').unwrap_or((text, text));
        Some((first.parse::<usize>().ok()?, last.parse::<usize>().ok()?))
    };
    match parsed() {
        Some((first, last)) if 0 < first && first <= last && last < usize::MAX => Ok(first..last + 1),
        _ => Err("a range of lines is FIRST:LAST, as in 10:20".into()),
    }
}

/// What to do with a formatted file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Action {
    Write,
    Check,
    Diff,
}

pub fn run(args: &Args, diagnostics: &Diagnostics) -> Result<()> {
    let action = match (args.check, args.diff) {
        (_, true) => Action::Diff,
        (true, false) => Action::Check,
        (false, false) => Action::Write,
    };
    let mut configs = Configs::new(args.config.as_deref(), args.no_config, &args.style)?;
    if args.paths.iter().all(|path| path == Path::new("-")) {
        return format_stdin(args, action, &mut configs, diagnostics);
    }
    if args.paths.iter().any(|path| path == Path::new("-")) {
        bail!("standard input (-) cannot be formatted together with files");
    }
    let mut files = Vec::new();
    for path in &args.paths {
        let unreadable = |problem: &dyn std::fmt::Display| {
            diagnostics.unreadable(&path_name(path), &format!("{problem:#}"));
        };
        match files::scripts(path, args.no_ignore, |problem| unreadable(&problem)) {
            Ok(found) => files.extend(found),
            Err(problem) => unreadable(&problem),
        }
    }
    // Removes duplicates: a file may be named several times, or be in a folder that is also named.
    let mut known = HashSet::new();
    files.retain(|file| known.insert(std::fs::canonicalize(file).unwrap_or_else(|_| file.clone())));
    refuse_replaced_inputs(files.iter().map(|file| Some(file.as_path())), [])?;
    let mut tasks = Vec::new();
    for file in files {
        let config = configs.of(&file)?;
        if !config.excludes(&file) {
            tasks.push((file, with_lines(&config.options, args)));
        }
    }
    if args.range.is_some() && tasks.len() > 1 {
        bail!("--range is for one file: {} are named", tasks.len());
    }
    let outcomes = format_all(&tasks, action, args.jobs);
    let mut report = Report::new(action, Output::open(None)?, diagnostics);
    for ((file, _), outcome) in tasks.iter().zip(outcomes) {
        report.file(file, outcome)?;
    }
    report.finish()
}

fn with_lines(options: &FormatOptions, args: &Args) -> FormatOptions {
    let mut options = options.clone();
    options.lines.clone_from(&args.range);
    options
}

/// Formats files with `jobs` threads, by default one per core. Returns outcomes in the order of the files.
fn format_all(
    tasks: &[(PathBuf, FormatOptions)],
    action: Action,
    jobs: Option<NonZero<usize>>,
) -> Vec<Result<Outcome>> {
    let taken = AtomicUsize::new(0);
    let next = || {
        let index = taken.fetch_add(1, Ordering::Relaxed);
        (index, tasks.get(index))
    };
    let outcomes: Vec<Mutex<Option<Result<Outcome>>>> = tasks.iter().map(|_| Mutex::new(None)).collect();
    let cpus = || std::thread::available_parallelism().map_or(1, NonZero::get);
    let jobs = jobs.map_or_else(cpus, NonZero::get).min(tasks.len());
    let work = || {
        while let (index, Some((file, options))) = next() {
            let outcome = format_file(file, options, action);
            *outcomes[index].lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(outcome);
        }
    };
    std::thread::scope(|scope| {
        // If the system allows no more threads, fewer jobs do the work.
        (1..jobs).for_each(|_| _ = std::thread::Builder::new().spawn_scoped(scope, work));
        work();
    });
    let done = |outcome: Mutex<Option<Result<Outcome>>>| outcome.into_inner().ok().flatten();
    let outcomes = outcomes.into_iter().map(done).zip(tasks);
    outcomes.map(|(done, (file, _))| done.unwrap_or_else(|| bail!("{}: was not formatted", path_name(file)))).collect()
}

fn format_file(file: &Path, options: &FormatOptions, action: Action) -> Result<Outcome> {
    let name = || path_name(file);
    let metadata = std::fs::metadata(file).with_context(name)?;
    ensure!(metadata.is_file(), "{}: is not a regular file: use - for standard input", name());
    let mut bytes = Vec::new();
    open_regular(file).and_then(|mut file| file.read_to_end(&mut bytes)).with_context(name)?;
    let outcome = Outcome::of(&bytes, options).with_context(name)?;
    if action == Action::Write && outcome.has_changed() {
        replace_file(file, &metadata, outcome.bytes())?;
    }
    Ok(outcome)
}

fn format_stdin(args: &Args, action: Action, configs: &mut Configs, diagnostics: &Diagnostics) -> Result<()> {
    refuse_replaced_inputs([None], [])?;
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes).context("standard input")?;
    let name = args.stdin_filename.clone().unwrap_or_else(|| "-".into());
    let config = configs.of(&name)?;
    let options = with_lines(&config.options, args);
    let mut output = Output::open(None)?;
    if config.excludes(&name) {
        output.write_records(&bytes)?;
        return output.complete();
    }
    let outcome = Outcome::of(&bytes, &options).with_context(|| path_name(&name))?;
    if action == Action::Write {
        output.write_records(outcome.bytes())?;
    }
    let mut report = Report::new(action, output, diagnostics);
    report.file(&name, Ok(outcome))?;
    report.finish_quietly()
}
