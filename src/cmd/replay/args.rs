//! Arguments of `pgq replay`.

use std::path::PathBuf;

use anyhow::Result;

use super::report::{Condition, ReportFormat};
use super::run::RunArgs;
use crate::cmd::args::{CacheArgs, InputArgs, OutputArgs, ReadArgs};

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

    #[command(flatten)]
    pub run: RunArgs,

    /// Format of the report [default: by the extension of --output; text]
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

    /// Exit with 3 if any query fulfils this, such as 'p95 > 1.5x' or 'errors > 0'; may be repeated
    #[arg(long, value_name = "CONDITION")]
    pub fail_if: Vec<Condition>,
}

impl Args {
    /// Returns the format of the report.
    ///
    /// # Errors
    /// The output file's extension is not a format.
    pub fn format(&self) -> Result<ReportFormat> {
        let of_extension = |extension: &str| match extension {
            "json" => Some(ReportFormat::Json),
            "html" | "htm" => Some(ReportFormat::Html),
            _ => None,
        };
        self.output.chosen_format(self.format, ReportFormat::Text, of_extension)
    }
}
