//! Arguments of `pgq replay`.

use std::path::PathBuf;

use anyhow::{Result, bail};

use super::report::{Condition, ReportFormat};
use super::run::{OnError, Speed};
use crate::cmd::args::{CacheArgs, InputArgs, ReadArgs, milliseconds};

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub read: ReadArgs,
    #[command(flatten)]
    pub caches: CacheArgs,

    /// Run the statements on this server: a connection string of libpq, completed from PGHOST and its like
    ///
    /// The user and the database are those of the log, unless this or --user-map and --database-map name others.
    #[arg(long, value_name = "SERVER", required_unless_present_any = ["plan", "dry_run", "role_sql"])]
    pub to: Option<String>,

    /// Write the plan to FILE, to be replayed later, and run nothing
    #[arg(long, value_name = "FILE", conflicts_with = "to")]
    pub plan: Option<PathBuf>,

    /// Say what would be run, and run nothing
    #[arg(long)]
    pub dry_run: bool,

    /// Also run statements that write, and run them as any role
    #[arg(long)]
    pub writes: bool,

    /// Run also on a server that wrote the log, or may have
    #[arg(long)]
    pub same_server: bool,

    /// Take a log in stderr format, in which clients can forge records
    #[arg(long)]
    pub trust_log: bool,

    /// Print the SQL that makes a role for replays without --writes, and run nothing
    #[arg(long)]
    pub role_sql: bool,

    /// How fast: 1 as in the log, 2.5 and 0.5 times as fast, or max
    #[arg(long, value_name = "FACTOR", default_value = "1", value_parser = Speed::parse)]
    pub speed: Speed,

    /// Maximum number of connections; further sessions wait until one ends [default: one for each session]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub connections: Option<u32>,

    /// Use the database NEW for sessions in OLD; may be repeated
    #[arg(long, value_name = "OLD=NEW", value_parser = mapping)]
    pub database_map: Vec<(String, String)>,

    /// Use the user NEW for sessions of OLD; may be repeated
    #[arg(long, value_name = "OLD=NEW", value_parser = mapping)]
    pub user_map: Vec<(String, String)>,

    /// What a session does after a statement that fails
    #[arg(long, value_enum, default_value_t = OnError::Continue)]
    pub on_error: OnError,

    /// Cancel a statement after this time: milliseconds, or 1s, 250ms, 2min
    #[arg(long, value_name = "TIME", value_parser = milliseconds)]
    pub statement_timeout: Option<f64>,

    /// Format of the report
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub format: ReportFormat,

    /// Maximum number of queries to show as text
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub top: usize,

    /// Write the run as a state of digest, for pgq digest --merge and --baseline
    #[arg(long, value_name = "FILE")]
    pub state: Option<PathBuf>,

    /// Exit with 3 if any query fulfils this, such as 'p95 > 1.5x' or 'errors > 0'; may be repeated
    #[arg(long, value_name = "CONDITION")]
    pub fail_if: Vec<Condition>,
}

impl Args {
    /// # Errors
    /// Options that contradict each other.
    pub fn check(&self) -> Result<()> {
        if self.statement_timeout.is_some_and(|timeout| !(1.0..=f64::from(i32::MAX)).contains(&timeout)) {
            bail!("--statement-timeout must be from 1 ms to 24 days");
        }
        Ok(())
    }
}

fn mapping(text: &str) -> Result<(String, String), String> {
    let (old, new) = text.split_once('=').ok_or("write it as OLD=NEW")?;
    if old.is_empty() || new.is_empty() {
        return Err("write it as OLD=NEW".into());
    }
    Ok((old.to_string(), new.to_string()))
}
