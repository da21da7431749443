//! `pgq replay`: runs the workload of a server's log again, on another server.

mod args;
mod builder;
mod command;
mod plan;
mod report;
mod run;
mod sorter;
mod step;
mod target;
mod worker;

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, bail, ensure};
use pgq_log::counted;
use pgq_postgres::Settings;

pub use self::args::Args;
use self::args::ReportFormat;
use self::builder::PlanBuilder;
use self::plan::{Plan, PlanSummary};
use self::report::{Comparison, unexecuted};
use self::target::TargetCheck;
use self::worker::PlanWorker;
use crate::cmd::digest::Disclosure;
use crate::cmd::serve::raise_open_files;
use crate::run::input::refuse_replaced_inputs;
use crate::run::report::progress::Ticker;
use crate::run::report::{Diagnostics, Output, print_to, write_file};
use crate::run::statements::{RunOptions, run_jobs};

pub const EXAMPLES: &str = "\
Examples:
  pgq replay --dry-run postgresql.csv
  pgq replay --plan monday.plan postgresql.csv
  pgq replay --role-sql | psql -h new-server shop
  pgq replay --to 'host=new-server dbname=shop' --user-map '*=pgq_replay' monday.plan";

pub fn run(args: &Args, diagnostics: &Diagnostics) -> Result<()> {
    if args.role_sql {
        return print_to(args.output.open()?, |out| out.extend_from_slice(target::role_sql().as_bytes()));
    }
    // Report wrong settings before reading the log, because the log may be long.
    let format = args.format()?;
    let mut files = [&args.plan, &args.state].into_iter().flatten();
    ensure!(files.all(|path| path.as_os_str() != "-"), "--plan and --state need the name of a file");
    let output = args.output.open()?;
    output.refuse_same(args.state.as_deref())?;
    let server = args.to.as_deref().map(Settings::from_environment).transpose()?;
    let plan = open_plan(args, diagnostics)?;
    if let Some(path) = &args.plan {
        return plan.write(path);
    }
    if let Some(server) = server.filter(|_| !args.dry_run) {
        return run_on(server, plan, args, (format, output), diagnostics);
    }
    let summary = PlanSummary::new(plan, args.run.writes)?;
    print_to(output, |out| summary.write(out))?;
    ensure!(summary.steps > 0, NOTHING);
    Ok(())
}

const NOTHING: &str = "no statement was found; see --stats, --from and --log-line-prefix";

/// Runs a plan on a server and writes the report. If the run was incomplete, returns an error after the report is
/// written.
fn run_on(
    mut server: Settings,
    plan: Plan,
    args: &Args,
    (format, output): (ReportFormat, Output),
    diagnostics: &Diagnostics,
) -> Result<()> {
    // Each connection needs a file. Without a free file, no statement can be cancelled.
    raise_open_files();
    server.connect_timeout.get_or_insert(Duration::from_secs(10));
    if !server.parameters.iter().any(|(name, _)| name == "application_name") {
        server.parameters.push(("application_name".into(), "pgq replay".into()));
    }
    // The log's statements are sent as UTF-8.
    server.use_utf8();
    let log_end = (!args.run.same_server).then(|| plan.head.end.unwrap_or(i64::MAX));
    let check = TargetCheck { log_end, writes: args.run.writes, ..TargetCheck::default() };
    let mut results = run::run(plan, server, check, args.run.clone(), Ticker::start())?;
    // A run without any statement compares nothing, so it must fail.
    ensure!(results.sessions > 0 || !results.skipped.is_empty() || results.stopped_by_signal.is_some(), NOTHING);
    for digest in [&mut results.times.before, &mut results.times.after] {
        digest.finish();
        digest.rewrite(&Disclosure::NoSecrets);
    }
    let comparison = Comparison::new(&results, &args.fail_if);
    let shows_text = format == ReportFormat::Text && args.output.path().is_none();
    if let Some(path) = &args.state {
        write_file(path, &pgq_digest::state::encode(&results.times.after)?)?;
    }
    // If the reader of the report is gone, the exit code is nevertheless that of the run.
    let printed = print_to(output, |out| comparison.write(format, args.top, out));
    if !shows_text {
        unexecuted(&results).iter().for_each(|line| diagnostics.notice(line));
    }
    if let Some(signal) = results.stopped_by_signal {
        diagnostics.notice("stopped by a signal");
        // Exits with the same status as other commands do after a signal.
        std::process::exit(128 + signal);
    }
    if results.lost + results.given_up > 0 || results.ended_early {
        bail!("{} statements were lost, and {} not executed", results.lost, results.given_up);
    }
    comparison.unjudged.iter().for_each(|line| diagnostics.failed(&format!("--fail-if {line}")));
    comparison.failed.iter().for_each(|line| diagnostics.condition_met(line));
    printed
}

/// Opens a plan file, or builds a plan from logs.
fn open_plan(args: &Args, diagnostics: &Diagnostics) -> Result<Plan> {
    for path in args.input.files.iter().filter(|path| path.as_os_str() != "-") {
        let Some(plan) = Plan::open(path)? else { continue };
        let is_alone = args.input.files.len() == 1;
        ensure!(is_alone, "{} is a plan, which cannot be combined with other inputs", path.display());
        if let Some(filter) = args.read.filters().first() {
            bail!("{} is a plan: filters choose statements when a plan is made ({filter})", path.display());
        }
        refuse_replaced_inputs([Some(path.as_path())], args.replaced())?;
        return Ok(plan);
    }
    let format = args.input.format();
    ensure!(format.may_be_log(), "replay reads only logs, because only logs contain sessions and times");
    let mut input = args.read.input_options(&args.input.files, format, args.replaced())?;
    input.log.envelopes = args.input.envelopes();
    ensure!(!input.log.follow, "--follow cannot be used here: a replay begins when its plan is complete");
    input.log.refuses_forgeable = !args.trust_log;
    input.log.selection.errors = true;
    // Parse and bind messages do not become steps, because executing a statement includes parsing and binding it. Their
    // durations are added to those of the executions, because the times in the replay also include parsing and binding.
    (input.log.selection.parse_bind, input.log.selection.add_parse_bind) = (false, true);
    input.log.selection.session_fields = true;
    input.log.refuses_repeats = true;
    input.log.required_by.get_or_insert("replay");
    let options = RunOptions { caches: args.caches.options(), ..args.read.run_options() };
    let mut builder = PlanBuilder::default();
    let sessions = args.read.session_filter().map(Arc::new);
    let jobs = (0..options.jobs).map(|_| PlanWorker::new(&options, sessions.clone()));
    let log = run_jobs(input, jobs, &mut builder, options.reports, diagnostics)?.log;
    ensure!(!diagnostics.has_unreadable(), "a part of the log could not be read, so nothing is replayed");
    let doubtful = log.ambiguous + log.unreadable + log.interrupted + log.unknown_texts;
    if doubtful > 0 && !args.trust_log {
        let lines = counted(doubtful, "lines");
        bail!("the log may be forged: {lines} damaged, not understood or with two readings; see --trust-log");
    }
    builder.into_plan(diagnostics)
}
