//! `pgq digest`: summarizes a server's logs by query. The output is a report, or a state that can be merged with other
//! states.

mod args;
mod csv;
mod describe;
mod figures;
mod json;
mod live;
mod markdown;
mod page;
mod reading;
mod redact;
mod rows;
mod shared;
mod state_files;
mod tags;
mod text;
mod text_changes;
mod text_table;
mod worker;

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use pgq::secrets::mask_name;
use pgq_digest::baseline::Baseline;
use pgq_digest::report::{GroupTotals, MessageRow, Report, ReportOptions, Row};
use pgq_digest::{Digest, Events, Group};
use pgq_log::LogStats;

pub use self::args::Args;
use self::args::ReportFormat;
pub use self::describe::QueryDescriber;
use self::page::PageSource;
use self::reading::Reading;
pub use self::redact::{Disclosure, masked_secret_message};
use crate::cmd::stop::Stop;
use crate::run::input::{path_name, refuse_replaced_inputs};
use crate::run::report::{Diagnostics, NothingRead, Output, RowFormat, exit_after_signal};

pub const EXAMPLES: &str = "\
Examples:
  pgq digest --top 3 fixtures/log/log.csv
  pgq digest --state one.state fixtures/log/log.csv
  pgq digest --merge one.state --sort calls";

/// Minimum number of queries that the HTML page contains for each sort order, unless `--top` is smaller.
const ROWS_OF_EACH_ORDER: usize = 20;

const NO_DURATIONS: &str = "the log has no durations, so times are 0: the server logs durations with \
                            log_min_duration_statement = 0, or log_duration = on";

const NO_STATEMENTS: &str = "the log has durations without their statements, so times are 0: the server writes both \
                             with log_min_duration_statement = 0, or log_statement = all and log_duration = on";

const NO_SESSIONS: &str = "the log has durations but not their sessions, so that times are 0: add %p or %c to \
                           log_line_prefix";

pub fn run(args: &Args, diagnostics: &Diagnostics) -> Result<()> {
    live::check(args)?;
    args.check()?;
    let output = match args.format().rows() {
        _ if args.partial.is_some() => None,
        None => Some(args.output.open()?),
        Some(format) => Some(args.output.open_for_rows(format)?),
    };
    // Standard output must not be redirected to the file of the baseline, because the report might overwrite only a
    // part of this file. However, `--output` may name the baseline, because the finished report replaces the file as a
    // whole.
    refuse_replaced_inputs(args.baseline.as_deref().map(Some), [])?;
    let baseline = args.baseline.as_deref().map(|path| read_baseline(args, path, diagnostics)).transpose()?;
    let Reading { mut digest, signal, log } = match args.merge.as_slice() {
        [] => reading::read(args, &args.input.files, baseline.as_ref(), &Stop::on_signals(), diagnostics)?,
        states => {
            let inputs = states.iter().map(|path| Some(path.as_path()).filter(|path| *path != Path::new("-")));
            refuse_replaced_inputs(inputs, args.output.path())?;
            let digest = state_files::merge(states, args.limit)?;
            Reading { digest, signal: None, log: LogStats::default() }
        }
    };
    // With `--follow`, a signal is the normal end of the run, not an interruption.
    let interrupted = signal.filter(|_| !args.read.follows());
    let file = args.partial.as_deref().or_else(|| args.output.path());
    if let (Some(signal), Some(file)) = (interrupted, file) {
        drop(output);
        diagnostics.notice(&format!("interrupted: {} stays as it was", file.display()));
        exit_after_signal(signal);
    }
    digest.finish();
    if let Err(problem) = check_contents(args, &digest, &log, diagnostics) {
        // An empty digest is not an error after a signal, because the unread part of the log may contain statements.
        let signal = interrupted.ok_or(problem)?;
        drop(output);
        diagnostics.notice("interrupted: there is nothing to report yet");
        exit_after_signal(signal);
    }
    if let Some(path) = &args.partial {
        digest.rewrite(&args.disclosure());
        state_files::write(&digest, path)?;
    } else if let Some(output) = output {
        write(args, &report_of(args, digest, baseline.as_ref(), Some(&log)), output)?;
    }
    // Table formats have no notes. Therefore a note about shown secrets is printed to stderr.
    let is_table = matches!(args.format(), ReportFormat::Csv | ReportFormat::Arrow | ReportFormat::Parquet);
    if args.disclosure() == Disclosure::Everything && is_table {
        args.disclosure().note().iter().for_each(|note| diagnostics.notice(note));
    }
    let Some(signal) = interrupted else { return Ok(()) };
    diagnostics.notice("interrupted: the digest contains only what was read before the interruption");
    exit_after_signal(signal)
}

/// Reads the baseline, which is a log or a digest. A digest is a JSON document, or a state (a file that `--merge` can
/// read).
fn read_baseline(args: &Args, path: &Path, diagnostics: &Diagnostics) -> Result<Baseline> {
    let (baseline, log) = if state_files::is_digest(path)? {
        let bytes = state_files::read(path)?;
        let has_note =
            |of: Disclosure| memchr::memmem::find(&bytes, of.note().unwrap_or_default().as_bytes()).is_some();
        if args.anonymize && !has_note(Disclosure::Anonymous) {
            bail!("{} has names and literals: write it as JSON with --anonymize, too", path.display());
        }
        if !matches!(args.disclosure(), Disclosure::Everything) && has_note(Disclosure::Everything) {
            bail!("{} shows secrets: add --show-secrets, or write it without this option", path.display());
        }
        (state_files::baseline(path, &bytes, &QueryDescriber, &args.disclosure())?, LogStats::default())
    } else {
        // With the default `Stop`, a signal ends the program. If a signal ended only the reading of the baseline, the
        // queries in the rest of the baseline would count as new.
        match reading::read(&args.of_baseline(), &[path.to_path_buf()], None, &Stop::default(), diagnostics) {
            Ok(Reading { mut digest, log, .. }) => {
                digest.finish();
                digest.rewrite(&args.disclosure());
                (Baseline::new(&digest, &QueryDescriber), log)
            }
            Err(error) if error.is::<NothingRead>() => Default::default(),
            Err(error) => return Err(error),
        }
    };
    let name = path.display();
    if !baseline.has_durations() && log.rejected + log.missing_field > 0 {
        let filters = args.read.filters().join("; ");
        bail!(
            "the filters ({filters}) leave no query with a duration of {name}: digest it without them \
             (pgq digest -o old.json {name}), and name old.json"
        );
    }
    if !baseline.has_durations() {
        bail!(
            "{name} has no query with a duration to compare with: --baseline takes a digest as JSON (pgq digest -o \
             old.json OLD.log), a state, or a log with durations"
        );
    }
    Ok(baseline)
}

/// Prints notices about missing statements and missing times.
///
/// # Errors
/// The digest has nothing to report.
fn check_contents(args: &Args, digest: &Digest, log: &LogStats, diagnostics: &Diagnostics) -> Result<()> {
    let statements = digest.all_groups().map(Group::statements).fold(0, u64::saturating_add);
    let is_unparsed = digest.groups.is_empty() && digest.dropped.is_empty();
    if log.messages == 0 && digest.is_empty() && args.merge.is_empty() {
        bail!(
            "no statement and no message was found, so there is no report; see --stats, --from and --log-line-prefix"
        );
    }
    if log.messages == 0 && statements > 0 && is_unparsed && args.merge.is_empty() {
        bail!("no statement could be parsed, so there is no report: is this neither a log nor a script? see --from");
    }
    if statements == 0 && log.messages == 0 {
        diagnostics.notice("no statement was found; see --stats, --from and --log-line-prefix");
    } else if statements > 0 && is_unparsed {
        diagnostics.notice("no statement could be parsed");
    }
    missing_times(digest, log).iter().for_each(|notice| diagnostics.notice(notice));
    Ok(())
}

/// Returns notices about durations that the log lacks or that the report leaves out.
fn missing_times(digest: &Digest, log: &LogStats) -> Vec<String> {
    let mut notices = Vec::new();
    let has_calls = digest.all_groups().any(|group| group.calls > 0);
    let is_whole = log.rejected + log.missing_field == 0;
    let has_durations = digest.all_groups().any(|group| group.durations.count() > 0);
    if log.messages > 0 && (has_calls || is_whole) && !has_durations && log.given_up == 0 {
        let reason = match (log.unassigned_durations, log.orphan_durations) {
            (1.., _) => NO_SESSIONS,
            (0, 1..) => NO_STATEMENTS,
            (0, 0) => NO_DURATIONS,
        };
        notices.push(reason.into());
    }
    let (calls, untimed) = untimed_calls(digest);
    if has_durations && u128::from(untimed) * 20 >= u128::from(calls) {
        let (calls, untimed) = (figures::calls(calls), figures::count(untimed));
        let reason = match log.given_up {
            0 => "a threshold or a sample",
            _ => "a threshold or a sample, or durations that came too late",
        };
        notices.push(format!(
            "no duration is known of {untimed} of {calls}, because of {reason}: the means and percentiles of their \
             queries are those of the other calls"
        ));
    }
    if log.slow_preparation_micros > 0 {
        let time = figures::time(log.slow_preparation_micros as f64);
        notices.push(format!("parse and bind took {time}, which no query's time includes; see --add-parse-bind"));
    }
    notices
}

/// Returns the number of all calls, and the number of calls without a duration.
fn untimed_calls(digest: &Digest) -> (u64, u64) {
    digest.all_groups().fold((0, 0), |(calls, untimed), group| {
        let lacking = group.calls.saturating_sub(group.durations.count());
        (calls.saturating_add(group.calls), untimed.saturating_add(lacking))
    })
}

/// Returns the report of a finished digest ([`Digest::finish`]). `log` is `None` for a report of `--every`, because the
/// log is still being read.
fn report_of(args: &Args, mut digest: Digest, baseline: Option<&Baseline>, log: Option<&LogStats>) -> Report {
    digest.rewrite(&args.disclosure());
    let top = args.top.or_else(|| args.format().default_top());
    // The user can sort the page in other orders. Therefore the page needs the top queries of every order.
    let of_each =
        if args.format() == ReportFormat::Html { top.unwrap_or(usize::MAX).min(ROWS_OF_EACH_ORDER) } else { 0 };
    let short_rest = args.format() == ReportFormat::Html && args.top.is_none();
    let options = ReportOptions { sort: args.sort.into(), top, of_each, short_rest, baseline };
    let mut notes: Vec<String> = args.disclosure().note().map(String::from).into_iter().collect();
    notes.extend(log.map(|log| missing_times(&digest, log)).unwrap_or_default());
    if let Some(names) = log.map(|log| log.ambiguous_names).filter(|names| *names > 0) {
        let lines = figures::counted(names, "line", "lines");
        notes.push(format!("the names of {lines} of the log can be divided in two ways"));
    }
    let mut report = Report::new(digest, &options, &QueryDescriber);
    if report.ambiguous > 0 {
        let lines = figures::counted(report.ambiguous, "line", "lines");
        notes.push(format!(
            "{lines} of the log can be read in two ways: a name or a cut line may hide or imitate a message"
        ));
    }
    if report.is_inexact() {
        notes.push(
            "the log has more queries, messages or names than --max-memory keeps: the rarest ones are counted \
             together, and some figures are lower bounds"
                .into(),
        );
    }
    if let Some(dropped) = baseline.map(Baseline::dropped).filter(|dropped| *dropped > 0) {
        let queries = figures::counted(dropped, "query", "queries");
        notes.push(format!("the baseline lacks {queries} beyond its --max-memory: such a query counts as new"));
    }
    if baseline.is_some() && report.dropped > 0 {
        let queries = figures::counted(report.dropped, "query", "queries");
        notes.push(format!(
            "{queries} of the log are beyond --max-memory: if the baseline has them, they count as gone"
        ));
    }
    if report.is_saturated() {
        notes.push("a sum is greater than 2^64 - 1, and is shown as that number".into());
    }
    report.notes = notes;
    report
}

fn write(args: &Args, report: &Report, mut output: Output) -> Result<()> {
    let mut out = Vec::new();
    match args.format() {
        ReportFormat::Text => {
            text::write(report, text::layout(args.output.path().is_some(), args.wide), &mut out);
            output.write_styled(&out)?;
            return output.complete();
        }
        ReportFormat::Json => {
            output.stream(|out| json::write(report, out))?;
            return output.complete();
        }
        ReportFormat::Csv => csv::write(report, args.spreadsheet, &mut out),
        ReportFormat::Markdown => markdown::write(report, &mut out),
        ReportFormat::Html => page::write(report, &page_source(args), &mut out),
        ReportFormat::Arrow => return rows::write(report, RowFormat::Arrow, output),
        ReportFormat::Parquet => return rows::write(report, RowFormat::Parquet, output),
    }
    output.write_records(&out)?;
    output.complete()
}

/// Returns the description of the input for the page.
fn page_source(args: &Args) -> PageSource {
    if args.disclosure() == Disclosure::Anonymous {
        return PageSource { title: args.title.clone(), ..PageSource::default() };
    }
    let files = if args.merge.is_empty() { &args.input.files } else { &args.merge };
    let name = |path: &PathBuf| match path.to_str() {
        Some("-") => "standard input".to_string(),
        _ => path_name(path),
    };
    let files = if files.is_empty() { vec!["standard input".into()] } else { files.iter().map(name).collect() };
    // A name in a filter may contain a secret, like a name of the log.
    let filters = args.read.filters().iter().map(|filter| mask_name(filter).into_owned()).collect();
    PageSource { title: args.title.clone(), files, filters }
}

/// A row of the CSV, Arrow and Parquet reports.
enum TableRow<'a> {
    /// The kind of the group, and its row.
    Group(&'static str, &'a Row),
    /// The totals of the queries that `--top` leaves out, their share of the total time, and their events.
    NotShown(GroupTotals, f64, &'a Events),
    /// The errors and events whose statement is not in the log.
    Stray(u64, &'a Events),
    Message(&'a MessageRow),
}

/// Returns all rows of a table: alarming messages, queries, other groups, other messages.
fn table_rows(report: &Report) -> impl Iterator<Item = TableRow<'_>> {
    let (alarms, messages): (Vec<_>, Vec<_>) = report.messages.iter().partition(|row| row.key.severity.is_alarming());
    let queries = report.rows.iter().map(|row| TableRow::Group("query", row));
    let share = report.not_shown.total as f64 / report.total.max(1) as f64;
    let rest = TableRow::NotShown(report.not_shown, share, &report.not_shown_events);
    let rest = (report.not_shown.groups > 0).then_some(rest);
    let unparsed = report.unparsed.iter().map(|row| TableRow::Group("unparsed", row));
    let others = [("truncated", &report.truncated), ("other", &report.other)];
    let others = others.into_iter().filter(|(_, row)| row.group.largest_count() > 0);
    let others = others.map(|(name, row)| TableRow::Group(name, row));
    let is_stray = report.stray_errors > 0 || report.stray_events != Events::default();
    let stray = is_stray.then_some(TableRow::Stray(report.stray_errors, &report.stray_events));
    let messages = messages.into_iter().map(TableRow::Message);
    let groups = queries.chain(rest).chain(unparsed).chain(others).chain(stray);
    alarms.into_iter().map(TableRow::Message).chain(groups).chain(messages)
}
