//! Arguments of `pgq digest`.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, bail};
use clap::ValueEnum;
use pgq_digest::Limit;
use pgq_digest::report::Sort;

use super::redact::Disclosure;

use crate::cmd::args::{CacheArgs, InputArgs, OutputArgs, ReadArgs, units};
use crate::run::report::RowFormat;

/// Options that apply only to reading logs, not to `--merge`.
const READING_OPTIONS: [&str; 29] = [
    "exclude_user",
    "exclude_database",
    "exclude_application",
    "every",
    "files",
    "lenient",
    "from",
    "null",
    "placeholders",
    "column",
    "encoding",
    "jobs",
    "max_statement_bytes",
    "log_line_prefix",
    "user",
    "database",
    "application",
    "since",
    "until",
    "min_duration",
    "kind",
    "errors",
    "parse_bind",
    "add_parse_bind",
    "follow",
    "stats",
    "no_cache",
    "no_shape_cache",
    "timezone",
];

/// Options that apply only to reports, not to `--state`, which writes a state instead of a report.
const REPORT_OPTIONS: [&str; 9] =
    ["title", "wide", "format", "output", "sort", "top", "baseline", "every", "spreadsheet"];

#[derive(clap::Args, Clone)]
pub struct Args {
    /// Format of the output [default: by the extension of --output, otherwise text]
    #[arg(long, value_enum)]
    format: Option<ReportFormat>,

    #[command(flatten)]
    pub output: OutputArgs,

    /// Order of the queries: total, calls, mean, max, p95, …
    #[arg(long, value_enum, default_value_t = SortBy::Total)]
    pub sort: SortBy,

    /// Maximum number of queries and of kinds of errors to show [default: 20, or 200 with html]
    #[arg(long, value_name = "N")]
    pub top: Option<usize>,

    /// Compare with an earlier digest (its JSON or state), or with a log
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,

    /// Write a state, to be merged later, instead of a report; `-` writes it to standard output as a line of text
    #[arg(long = "state", alias = "partial", value_name = "FILE", conflicts_with_all = REPORT_OPTIONS)]
    pub partial: Option<PathBuf>,

    /// Read states instead of logs; `-` reads them from standard input, as lines of text
    #[arg(long, value_name = "STATE", num_args = 1.., conflicts_with_all = READING_OPTIONS)]
    pub merge: Vec<PathBuf>,

    /// Title of a page, such as the server's name
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,

    /// Show fingerprints and whole queries in text
    #[arg(long)]
    pub wide: bool,

    /// Print a report at this interval: 10s, 1min
    #[arg(long, value_name = "TIME", value_parser = interval)]
    pub every: Option<Duration>,

    /// Maximum memory for queries, errors and names (64MB), or maximum number of queries (20000); beyond the limit, the
    /// rarest entries are counted together
    #[arg(long = "max-memory", alias = "limit", value_name = "SIZE", default_value = "64MB", value_parser = limit)]
    pub limit: Limit,

    /// Show passwords and other secrets, which are masked by default
    #[arg(long)]
    show_secrets: bool,

    /// Leave out literals, parameters and messages, and replace names by pseudonyms
    #[arg(long, conflicts_with = "show_secrets")]
    pub anonymize: bool,

    /// Put an apostrophe before csv fields that a spreadsheet would interpret as a formula (=, +, -, @, tab, line
    /// break)
    #[arg(long)]
    pub spreadsheet: bool,

    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub read: ReadArgs,
    #[command(flatten)]
    pub caches: CacheArgs,
}

impl Args {
    /// Returns the format of the report.
    pub fn format(&self) -> ReportFormat {
        self.chosen_format().unwrap_or(ReportFormat::Text)
    }

    fn chosen_format(&self) -> Result<ReportFormat> {
        self.output.chosen_format(self.format, ReportFormat::Text, ReportFormat::of_name)
    }

    /// # Errors
    /// Returns an error if an option does not fit another option or the format of the report (for example, `--title`
    /// without `--format html`), or if no format has the extension of the output file.
    pub fn check(&self) -> Result<()> {
        let format = self.chosen_format()?;
        if self.title.is_some() && format != ReportFormat::Html {
            bail!("--title is for a page: add --format html");
        }
        if self.spreadsheet && format != ReportFormat::Csv {
            bail!("--spreadsheet is for rows of text: add --format csv");
        }
        if self.sort == SortBy::Change && self.baseline.is_none() {
            bail!("--sort change compares with an earlier digest: name it with --baseline");
        }
        if format == ReportFormat::Html && self.output.path().is_none() && std::io::stdout().is_terminal() {
            bail!("html is a page for a browser: name a file with --output, or redirect standard output");
        }
        Ok(())
    }

    /// Returns the arguments for reading a log as the baseline. The baseline does not grow, so `--follow` and `--every`
    /// are removed.
    pub fn of_baseline(&self) -> Self {
        Self { every: None, read: self.read.without_follow(), ..self.clone() }
    }

    /// Returns the files that the run replaces.
    pub fn replaced(&self) -> impl Iterator<Item = &Path> {
        self.output.path().into_iter().chain(self.partial.as_deref())
    }

    /// Returns how much of the log's text the report may show.
    pub fn disclosure(&self) -> Disclosure {
        Disclosure::new(self.show_secrets, self.anonymize)
    }
}

fn interval(text: &str) -> Result<Duration, String> {
    let seconds = units::milliseconds(text)? / 1000.0;
    let interval = Duration::try_from_secs_f64(seconds).map_err(|_| "out of range")?;
    if interval < Duration::from_millis(100) { Err("100ms or more".into()) } else { Ok(interval) }
}

fn limit(text: &str) -> Result<Limit, String> {
    match text.parse() {
        Ok(0) => Err("keep one query or more".into()),
        Ok(groups) => Ok(Limit::Groups(groups)),
        Err(_) => units::bytes(text).map(Limit::Bytes),
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// A table that fits the terminal
    Text,
    /// One JSON document
    Json,
    /// A row for each query and for each kind of message; errors are first
    Csv,
    Markdown,
    /// A self-contained page with charts
    Html,
    /// The rows of csv as an Arrow IPC stream, with typed columns
    Arrow,
    /// The rows of csv as a Parquet file, with typed columns
    Parquet,
}

impl ReportFormat {
    /// Returns the format for a file extension.
    fn of_name(extension: &str) -> Option<Self> {
        Some(match extension {
            "json" => Self::Json,
            "csv" => Self::Csv,
            "md" | "markdown" => Self::Markdown,
            "html" | "htm" => Self::Html,
            "arrow" => Self::Arrow,
            "parquet" => Self::Parquet,
            _ => return None,
        })
    }

    /// Returns the format of rows. Returns `None` for text formats.
    pub fn rows(self) -> Option<RowFormat> {
        match self {
            Self::Arrow => Some(RowFormat::Arrow),
            Self::Parquet => Some(RowFormat::Parquet),
            _ => None,
        }
    }

    /// Returns the default of `--top`, or `None` for all queries.
    pub fn default_top(self) -> Option<usize> {
        match self {
            Self::Text | Self::Markdown => Some(20),
            Self::Html => Some(200),
            Self::Json | Self::Csv | Self::Arrow | Self::Parquet => None,
        }
    }
}

/// Sort order of the queries. The largest value is first.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SortBy {
    /// Total time
    Total,
    /// Calls
    #[value(alias = "count")]
    Calls,
    /// Mean time of a call
    Mean,
    /// Time of the slowest call
    Max,
    /// 95th percentile of the times
    P95,
    /// Errors
    Errors,
    /// Size of temporary files
    Temp,
    /// Time of waiting for locks
    Locks,
    /// Mean time divided by the mean time in the baseline; new queries first
    Change,
}

impl From<SortBy> for Sort {
    fn from(by: SortBy) -> Self {
        match by {
            SortBy::Total => Self::Total,
            SortBy::Calls => Self::Count,
            SortBy::Mean => Self::Mean,
            SortBy::Max => Self::Max,
            SortBy::P95 => Self::P95,
            SortBy::Errors => Self::Errors,
            SortBy::Temp => Self::TemporaryFiles,
            SortBy::Locks => Self::LockTime,
            SortBy::Change => Self::Change,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Args as _;

    use super::{Args, READING_OPTIONS, REPORT_OPTIONS};

    #[test]
    fn every_argument_applies_to_logs_or_reports_or_both() {
        let command = Args::augment_args(clap::Command::new("digest"));
        let lists =
            [&READING_OPTIONS[..], &REPORT_OPTIONS, &["partial", "merge", "limit", "show_secrets", "anonymize"]]
                .concat();
        for argument in command.get_arguments() {
            assert!(lists.contains(&argument.get_id().as_str()), "{}: in no list", argument.get_id());
        }
        command.debug_assert();
    }
}
