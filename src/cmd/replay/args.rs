//! Arguments of `pgq replay`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, ensure};
use clap::ValueEnum;

use super::report::fail_if::Condition;
use crate::cmd::args::{CacheArgs, InputArgs, OutputArgs, ReadArgs, milliseconds};

/// Format of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// A summary, and a table of queries, sorted by the additional time that they took
    Text,
    /// One JSON document
    Json,
}

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub read: ReadArgs,
    #[command(flatten)]
    pub caches: CacheArgs,

    /// Run the statements on this server: a connection string as for psql; PGHOST and other variables apply
    ///
    /// The user and the database are those of the log, unless the connection string, --user-map or --database-map name
    /// others.
    #[arg(long, value_name = "SERVER", required_unless_present_any = ["plan", "dry_run", "role_sql"])]
    pub to: Option<String>,

    /// Write the plan to FILE, to be replayed later, and run nothing
    #[arg(long, value_name = "FILE", conflicts_with_all = ["dry_run", "to", "run", "output", "state", "fail_if"])]
    pub plan: Option<PathBuf>,

    /// Report what would run, and run nothing
    #[arg(long)]
    pub dry_run: bool,

    #[command(flatten)]
    pub run: RunArgs,

    /// Accept a log in stderr format, in which clients can forge records
    #[arg(long)]
    pub trust_log: bool,

    /// Print the SQL that creates a role for replays without --writes, and run nothing
    #[arg(long)]
    pub role_sql: bool,

    /// Format of the report [default: by the extension of --output, otherwise text]
    #[arg(long, value_enum)]
    format: Option<ReportFormat>,

    #[command(flatten)]
    pub output: OutputArgs,

    /// Maximum number of queries to show as text
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub top: usize,

    /// Write the run as a state of digest, for pgq digest --merge and --baseline
    #[arg(long, value_name = "FILE")]
    pub state: Option<PathBuf>,

    /// Exit with 3 if the condition holds for a query, such as 'p95 > 1.5x' or 'errors > 0'; may be repeated
    #[arg(long, value_name = "CONDITION")]
    pub fail_if: Vec<Condition>,
}

impl Args {
    /// Returns the format of the report.
    ///
    /// # Errors
    /// No format has the extension of the output file, or a format other than text is chosen with `--dry-run`.
    pub fn format(&self) -> Result<ReportFormat> {
        let of_extension = |extension: &str| (extension == "json").then_some(ReportFormat::Json);
        let format = self.output.chosen_format(self.format, ReportFormat::Text, of_extension)?;
        ensure!(!self.dry_run || format == ReportFormat::Text, "--dry-run writes text, and not --format json");
        Ok(format)
    }

    /// Returns the files that the run replaces.
    pub fn replaced(&self) -> impl Iterator<Item = &Path> {
        [self.output.path(), self.plan.as_deref(), self.state.as_deref()].into_iter().flatten()
    }
}

// Arguments of the run itself. This is not a doc comment, because clap would use it as the description of the command.
#[derive(Debug, Clone, clap::Args)]
#[group(id = "run")]
pub struct RunArgs {
    /// Run all statements, as any role, on a disposable copy of the database
    #[arg(long)]
    pub writes: bool,

    /// Run even if the log may come from the server of --to
    #[arg(long)]
    pub same_server: bool,

    /// Speed as a multiple of the log's speed, such as 1, 2.5 or 0.5; or max
    #[arg(long, value_name = "FACTOR", default_value = "1", value_parser = speed)]
    pub speed: f64,

    /// Maximum number of connections; further sessions wait for a free one [default: no limit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub connections: Option<u32>,

    /// Use the database NEW for sessions in OLD; may be repeated
    #[arg(long, value_name = "OLD=NEW", value_parser = mapping)]
    pub database_map: Vec<(String, String)>,

    /// Use the user NEW for sessions of OLD; may be repeated
    #[arg(long, value_name = "OLD=NEW", value_parser = mapping)]
    pub user_map: Vec<(String, String)>,

    /// Cancel a statement after this time: milliseconds, or 1s, 250ms, 2min
    #[arg(long, value_name = "TIME", value_parser = timeout)]
    pub statement_timeout: Option<Duration>,
}

/// Parses `max` or a factor. Returns infinity for `max`. With `max`, a statement is due as soon as the previous
/// statement of its session has ended.
fn speed(text: &str) -> Result<f64, String> {
    if text == "max" {
        return Ok(f64::INFINITY);
    }
    let factor: f64 = text.parse().map_err(|_| "a number or max")?;
    if factor.is_finite() && factor > 0.0 { Ok(factor) } else { Err("more than 0".into()) }
}

fn timeout(text: &str) -> Result<Duration, String> {
    let range = 1.0..=f64::from(i32::MAX);
    let millis = milliseconds(text)?;
    if range.contains(&millis) { Ok(Duration::from_secs_f64(millis / 1e3)) } else { Err("from 1 ms to 24 days".into()) }
}

fn mapping(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((old, new)) if !old.is_empty() && !new.is_empty() => Ok((old.to_string(), new.to_string())),
        _ => Err("write it as OLD=NEW".into()),
    }
}
