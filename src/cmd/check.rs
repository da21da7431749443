//! `pgq check`: reports invalid statements and prints a count.

use std::ops::ControlFlow;

use anyhow::Result;
use clap::ValueEnum;
use pgq::{Error, ErrorKind, Statement, Tree, Warning};

use super::args::{NormalizedArgs, OutputArgs, StatementArgs};
use crate::run::input::{Data, StatementBatch};
use crate::run::report::{
    DiagnosticStyle, Diagnostics, JsonRecord, Location, Output, RowFormat, SourceText, exit_out_of_memory,
};
use crate::run::statements::{
    ChunkOutput, ChunkReport, Job, OrderedOutput, RunOptions, StatementSql, run_jobs, warning_offset,
};

pub const EXAMPLES: &str = "\
Examples:
  echo 'SELECT 1' | pgq check
  pgq check fixtures/migrations
  pgq check --format github fixtures/migrations   # in a workflow: annotates the changes";

#[derive(clap::Args)]
pub struct Args {
    /// Do not check the bodies of functions in SQL and PL/pgSQL
    ///
    /// By default, bodies in PL/pgSQL are checked as a server checks them in CREATE FUNCTION and DO, and bodies in SQL
    /// are parsed, unless the script sets check_function_bodies to off.
    #[arg(long)]
    no_bodies: bool,

    /// Format of the output [default: by the extension of --output, otherwise text]
    #[arg(long, value_enum)]
    format: Option<CheckFormat>,

    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    statements: StatementArgs,
    #[command(flatten)]
    parser: NormalizedArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CheckFormat {
    /// Messages on standard error, as for every command
    Text,
    /// One JSON record for each invalid statement, and one with the counts
    Json,
    /// Annotations for GitHub's workflows, on standard error
    Github,
}

/// Counts of statements.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    statements: u64,
    invalid: u64,
    truncated: u64,
}

struct Checker {
    options: RunOptions,
    /// Whether to check function bodies.
    bodies: bool,
    json: bool,
    checked: Checked,
}

/// Result of checking one chunk of the input.
#[derive(Default)]
struct Checked {
    counts: Counts,
    records: Vec<u8>,
}

impl ChunkOutput for Checked {
    fn memory_size(&self) -> usize {
        self.records.memory_size()
    }
}

/// Writes the records and sums the counts of the chunks, up to the chunk where `--fail-fast` ends the run.
struct CheckOutput {
    output: Output,
    counts: Counts,
}

impl OrderedOutput<Checked> for CheckOutput {
    fn take(&mut self, Checked { counts, records }: Checked, report: &ChunkReport) -> Result<()> {
        self.counts.statements += counts.statements;
        self.counts.invalid += counts.invalid;
        self.counts.truncated += counts.truncated;
        self.output.take(records, report)
    }

    fn flush(&mut self) -> Result<()> {
        OrderedOutput::flush(&mut self.output)
    }

    fn finish(&mut self) -> Result<()> {
        self.output.finish()
    }

    fn prints_during_run(&self) -> bool {
        self.output.prints_during_run()
    }
}

impl Checker {
    fn check(&mut self, batch: &StatementBatch<'_>, report: &mut ChunkReport) -> ControlFlow<()> {
        if let Some(entry) = batch.log {
            if !self.options.filter.selects(entry, &mut report.log) {
                return ControlFlow::Continue(());
            }
            if entry.is_truncated() {
                self.checked.counts.truncated += 1;
                return ControlFlow::Continue(());
            }
        }
        let parse = self.options.parse_of(batch);
        (0..batch.len()).try_for_each(|index| {
            let range = batch.range(index);
            self.checked.counts.statements += 1;
            let statement = StatementSql::new(&batch.bytes[range.clone()], self.options.placeholders_of(batch));
            let parsed = statement.parse(self.options.max_statement_bytes, |sql| {
                let tree = Tree::parse(pgq::check_utf8(sql)?, &parse)?;
                if self.bodies {
                    let is_checked = |statement: &Statement<'_>| !batch.skips_bodies || statement.kind() == "DoStmt";
                    let mut checked = tree.statements().filter(is_checked);
                    checked.try_for_each(|statement| statement.body_sql().map(drop))?;
                }
                Ok(tree.warnings().to_vec())
            });
            match parsed {
                Ok(warnings) => {
                    for warning in &warnings {
                        let offset = range.start + warning_offset(warning, statement.replaced()).unwrap_or(0);
                        self.warn(batch, offset, warning, report);
                    }
                    report.warn_of_placeholders(batch, range);
                }
                Err(error) => {
                    self.checked.counts.invalid += 1;
                    self.report(batch, range.start, &error, report);
                    report.stop |= self.options.fail_fast;
                }
            }
            report.flow()
        })
    }

    fn report(&mut self, batch: &StatementBatch<'_>, start: usize, error: &Error, report: &mut ChunkReport) {
        if error.kind == ErrorKind::OutOfMemory {
            exit_out_of_memory();
        }
        if !self.json {
            return report.add_error(batch, start, error);
        }
        let begin = Location::new(batch.file, batch.position(start));
        let offset = start + error.position.map_or(0, |position| position.offset);
        let location = Location::new(batch.file, batch.position(offset));
        JsonRecord::begin(&mut self.checked.records, &begin).log(batch.log, false).error(error, &location).end();
        report.diagnostics.invalid();
    }

    fn warn(&self, batch: &StatementBatch<'_>, offset: usize, warning: &Warning, report: &mut ChunkReport) {
        if !self.json {
            let location = Location::new(batch.file, batch.position(offset));
            report.diagnostics.warning(&location, warning, SourceText { text: batch.bytes, offset });
        }
    }
}

impl Args {
    /// Returns the style of diagnostics for `--format github`, or `None` for other formats.
    pub fn diagnostic_style(&self) -> Option<DiagnosticStyle> {
        (self.format == Some(CheckFormat::Github)).then_some(DiagnosticStyle::Annotations)
    }
}

impl Job for Checker {
    type Output = Checked;

    fn work(&mut self, file: &str, data: &Data, report: &mut ChunkReport) -> Checked {
        report.diagnostics.hints_at_placeholders = self.options.placeholders.is_none();
        let _ = data.try_for_each_batch(file, self.options.escape_strings(), |batch| self.check(batch, report));
        std::mem::take(&mut self.checked)
    }
}

pub fn run(args: &Args, diagnostics: &Diagnostics) -> Result<()> {
    let options = RunOptions { parse: args.parser.options(), ..args.statements.run_options() };
    let of_json = |extension: &str| RowFormat::is_json(extension).then_some(CheckFormat::Json);
    let format = args.output.chosen_format(args.format, CheckFormat::Text, of_json)?;
    let json = format == CheckFormat::Json;
    let checker = || Checker { options: options.clone(), bodies: !args.no_bodies, json, checked: Checked::default() };
    let mut output = CheckOutput { output: args.output.open()?, counts: Counts::default() };
    let mut input = args.statements.input_options(&args.output)?;
    input.backslash_escapes = options.parse.backslash_escapes;
    let jobs = (0..options.jobs).map(|_| checker());
    run_jobs(input, jobs, &mut output, options.reports, diagnostics)?;
    let CheckOutput { mut output, counts } = output;
    let Counts { statements, invalid, truncated } = counts;
    if statements == 0 && !diagnostics.has_unreadable() {
        diagnostics.notice("there was no statement to check");
    }
    let summary = if json {
        format!("{{\"statements\":{statements},\"invalid\":{invalid},\"truncated\":{truncated}}}\n")
    } else {
        let noun = if statements == 1 { "statement" } else { "statements" };
        let cut = if truncated > 0 { format!(", {truncated} truncated by the log") } else { String::new() };
        format!("{statements} {noun}, {invalid} invalid{cut}\n")
    };
    if json || !diagnostics.is_quiet() {
        output.write_records(summary.as_bytes())?;
    }
    output.complete()
}
