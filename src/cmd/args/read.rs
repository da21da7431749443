//! Options of all commands that read SQL.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use anyhow::{Result, bail};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use encoding_rs::Encoding;
use jiff::tz::TimeZone;
use pgq::{ParseOptions, PlaceholderStyle};
use pgq_log::RecordFilter;

use super::log::LogArgs;
use super::units;
use crate::run::input::{self, InputFormat, InputOptions, KeptColumns, ScriptComments};
use crate::run::statements::{CacheOptions, LogReports, OutputOptions, RunOptions};

/// Default of `--max-statement-bytes`.
pub const MAX_STATEMENT_BYTES: usize = 64 << 20;

#[derive(Args, Clone)]
pub struct ReadArgs {
    /// Placeholders to read as $1, $2 and so on: qmark (?), format (%s), named (:id), psql, …
    #[arg(help_heading = "Input", long, value_name = "STYLE", value_parser = placeholder_style())]
    placeholders: Option<PlaceholderStyle>,

    /// Name of the table column that contains SQL [default: query, sql or statement]
    #[arg(help_heading = "Input", long, value_name = "NAME")]
    column: Option<String>,

    /// Encoding of the input, such as latin1 or sjis [default: UTF-8]
    #[arg(help_heading = "Input", long, value_name = "NAME", value_parser = encoding)]
    encoding: Option<&'static Encoding>,

    /// Number of threads; it does not change the output, except for a digest that exceeds --max-memory [default: one
    /// for each core]
    #[arg(help_heading = "Input", short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,

    /// Maximum length of a statement: 100kB, 1GB, or bytes [default: 64MB]
    #[arg(help_heading = "Input", long, value_name = "BYTES", value_parser = units::bytes)]
    max_statement_bytes: Option<usize>,

    #[command(flatten)]
    log: LogArgs,
}

impl ReadArgs {
    /// Returns the input options for `files`. The run will replace the files in `outputs`, so they
    /// must not be inputs.
    ///
    /// # Errors
    /// Returns an error if a given option would have no effect on this input.
    pub fn input_options<'a>(
        &self,
        files: &[PathBuf],
        format: InputFormat,
        outputs: impl IntoIterator<Item = &'a Path>,
    ) -> Result<InputOptions> {
        if let (Some(_), false) = (&self.column, matches!(format, InputFormat::Table(_) | InputFormat::Auto)) {
            bail!("--column is for tables: --from csv, tsv, jsonl, parquet, arrow or auto");
        }
        let log = self.log.options(files, format)?;
        if self.log.follow && self.jobs.is_some_and(|jobs| jobs > 1) {
            bail!("--follow works with one job: leave out --jobs");
        }
        Ok(InputOptions {
            files: files.to_vec(),
            outputs: outputs.into_iter().map(Path::to_path_buf).collect(),
            format,
            log,
            max_statement_bytes: self.max_statement_bytes(),
            comments: ScriptComments::OfStatements,
            hint_variables: self.placeholders.is_none(),
            backslash_escapes: false,
            column: self.column.clone(),
            kept: KeptColumns::None,
            result_names: Vec::new(),
            accepts_trees: false,
            encoding: self.encoding,
            #[cfg(unix)]
            stop: None,
        })
    }

    /// Returns the given filters in words, such as `user alice or bob`.
    pub fn filters(&self) -> Vec<String> {
        self.log.descriptions()
    }

    /// Returns the filter of a log's records.
    pub fn filter(&self) -> RecordFilter {
        self.log.filter()
    }

    /// Returns a filter that selects sessions by user and database. See [`LogArgs::session_filter`].
    pub fn session_filter(&self) -> Option<RecordFilter> {
        self.log.session_filter()
    }

    /// Returns the time zone for log times without a zone.
    pub fn timezone(&self) -> Option<TimeZone> {
        self.log.timezone.clone()
    }

    /// Whether `--follow` is given, so that the run keeps reading while the log grows.
    pub fn follows(&self) -> bool {
        self.log.follow
    }

    /// Returns the arguments without `--follow`.
    pub fn without_follow(&self) -> Self {
        let mut args = self.clone();
        args.log.follow = false;
        args
    }

    /// Returns the run options. Options that only some commands have are set to their defaults.
    pub fn run_options(&self) -> RunOptions {
        RunOptions {
            jobs: self.jobs(),
            output: OutputOptions::default(),
            fail_fast: false,
            parse: ParseOptions::normalized(),
            reads_tokens: false,
            placeholders: self.placeholders,
            max_statement_bytes: self.max_statement_bytes(),
            caches: CacheOptions::default(),
            filter: Arc::new(self.filter()),
            reports: LogReports { stats: self.log.stats, lenient: self.log.lenient, must_be_whole: false },
        }
    }

    /// Returns the number of threads.
    fn jobs(&self) -> usize {
        match self.jobs {
            _ if self.log.follow => 1, // a growing log arrives line by line, so one thread suffices
            Some(jobs) => jobs.into(),
            None => thread::available_parallelism().map_or(1, usize::from),
        }
    }

    /// Returns the first given option that applies only to SQL, not to trees.
    pub fn first_for_sql(&self) -> Option<&'static str> {
        [
            ("--placeholders", self.placeholders.is_some()),
            ("--column", self.column.is_some()),
            ("--max-statement-bytes", self.max_statement_bytes.is_some()),
            ("--stats", self.log.stats),
        ]
        .into_iter()
        .find_map(|(option, given)| given.then_some(option))
    }

    fn max_statement_bytes(&self) -> usize {
        self.max_statement_bytes.unwrap_or(MAX_STATEMENT_BYTES)
    }
}

/// Returns an encoding by name.
fn encoding(name: &str) -> Result<&'static Encoding, String> {
    input::encoding(name).ok_or_else(|| "not one of the encodings of PostgreSQL and the web that pgq reads".into())
}

/// Returns a parser for the names of placeholder styles.
fn placeholder_style() -> impl TypedValueParser<Value = PlaceholderStyle> {
    let values = PlaceholderStyle::ALL.map(|style| {
        let help = match style {
            PlaceholderStyle::Psql => ":name, :'name', :\"name\" and :{?name}, as in psql",
            PlaceholderStyle::Qmark => "?, as in JDBC; ?? is a question mark",
            PlaceholderStyle::Format => "%s, as in psycopg; %% is a percent sign",
            PlaceholderStyle::Pyformat => "%(name)s, as in psycopg; %% is a percent sign",
            PlaceholderStyle::Named => ":name, as in SQLAlchemy, Spring and Hibernate",
            PlaceholderStyle::Numeric => ":1, as in Oracle",
            PlaceholderStyle::Extension => "@extschema@ and @extschema:name@, as in the scripts of extensions",
            _ => "@name, as in Npgsql",
        };
        PossibleValue::new(style.name()).help(help)
    });
    PossibleValuesParser::new(values).map(|name| PlaceholderStyle::from_name(&name).expect("one of the names"))
}
