//! The command line: clap definitions shared by all commands. It must not act.

use std::path::PathBuf;

use clap::builder::styling::{AnsiColor, Styles};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, ValueEnum};
use pgq::PlaceholderStyle;

use crate::cmd::Command;
use pgq_log::{RecordFilter, Timestamp, parse_timestamp};

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// Parse, deparse, fingerprint, normalize and scan SQL with PostgreSQL's own parser.
#[derive(Parser)]
#[command(name = "pgq", version = long_version(), styles = STYLES, max_term_width = 100)]
#[command(after_help = "\
Examples:
  echo 'SELECT a FROM t WHERE b = 1' | pgq parse
  printf 'SELECT 1\\nSELECT 2\\n' | pgq normalize --from lines | sort | uniq -c
  echo 'LOG:  duration: 3.5 ms  statement: SELECT 1' | pgq fingerprint --from auto --format json

Exit codes: 0 all good, 1 some statement was invalid, 2 usage, input/output or internal error.")]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,

    /// When to use colour
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto, global = true)]
    pub color: When,

    /// When to show the line of an error, with a caret
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto, global = true)]
    pub snippets: When,
}

fn long_version() -> &'static str {
    concat!(env!("CARGO_PKG_VERSION"), " (libpg_query for PostgreSQL ", env!("PGQ_POSTGRES_VERSION"), ")")
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// On a terminal (colour: unless NO_COLOR is set)
    Auto,
    Always,
    Never,
}

impl Cli {
    /// Makes the choices of how things look those of everything that is printed.
    pub fn set_looks(&self) {
        match self.color {
            When::Auto => anstream::ColorChoice::Auto,
            When::Always => anstream::ColorChoice::Always,
            When::Never => anstream::ColorChoice::Never,
        }
        .write_global();
        crate::output::show_snippets(match self.snippets {
            When::Auto => None,
            When::Always => Some(true),
            When::Never => Some(false),
        });
    }
}

/// Where SQL comes from; the same for every command that reads it.
#[derive(Args, Clone)]
pub struct InputArgs {
    /// Files to read, in order; `-` or none is standard input
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// What the input is [default: sql, or for digest auto]
    #[arg(long, value_enum)]
    pub from: Option<From>,

    /// Records end in NUL: the same as --from null
    #[arg(short = '0', conflicts_with = "from")]
    pub null: bool,

    /// Take placeholders of this style for parameters, $1, $2, …
    #[arg(long, value_name = "STYLE", value_parser = placeholder_style())]
    pub placeholders: Option<PlaceholderStyle>,

    /// Stop at the first invalid statement
    #[arg(long)]
    pub fail_fast: bool,

    #[command(flatten)]
    pub jobs: JobArgs,

    /// Parse every statement, also where its text was seen before
    #[arg(long)]
    pub no_cache: bool,

    /// Parse statements that differ from one seen before in literals and layout alone, too
    #[arg(long)]
    pub no_shape_cache: bool,

    #[command(flatten)]
    pub log: LogArgs,
}

/// What a run may use.
#[derive(Args, Clone, Copy, Default)]
pub struct JobArgs {
    /// Threads that work at once; the output is the same with any number [default: the cores there are]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,

    /// A longer statement is an error: bytes, or 100kB, 1GB [default: 64MB]
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    max_statement_bytes: Option<usize>,
}

/// Bytes of the longest statement where nothing else is said.
const LONGEST_STATEMENT: usize = 64 << 20;

impl JobArgs {
    /// Bytes that a statement may have.
    pub fn longest_statement(self) -> usize {
        self.max_statement_bytes.unwrap_or(LONGEST_STATEMENT)
    }

    pub fn count(self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.jobs.map_or_else(cores, usize::from)
    }
}

impl InputArgs {
    pub fn jobs(&self) -> usize {
        // A log that is followed comes line by line: there is nothing to share out.
        if self.log.follow { 1 } else { self.jobs.count() }
    }

    /// Whether answers are kept by shape.
    pub fn shapes(&self) -> bool {
        // Placeholders are no SQL: the text that is parsed is another.
        !self.no_cache && !self.no_shape_cache && self.placeholders.is_none()
    }

    pub fn form(&self) -> From {
        if self.null { From::Null } else { self.from.unwrap_or(From::Sql) }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum From {
    /// A script: statements end in semicolons; psql meta-commands and COPY data are stepped over
    Sql,
    /// One statement a line
    Lines,
    /// Records that end in NUL
    Null,
    /// A PostgreSQL log as written to stderr, or through syslog
    Stderr,
    /// A PostgreSQL log in CSV
    Csvlog,
    /// A PostgreSQL log in JSON
    Jsonlog,
    /// Any of them, by the name and the first lines
    Auto,
}

/// How PostgreSQL's logs are read, and which of their statements.
#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Logs")]
pub struct LogArgs {
    /// The server's log_line_prefix; without it the common ones are recognised
    #[arg(long, value_name = "PREFIX", allow_hyphen_values = true)]
    pub log_line_prefix: Option<String>,

    /// Only statements of this user; may be repeated
    #[arg(long, value_name = "NAME")]
    pub user: Vec<String>,

    /// Only statements in this database; may be repeated
    #[arg(long, value_name = "NAME")]
    pub database: Vec<String>,

    /// Only statements of this application_name; may be repeated
    #[arg(long, value_name = "NAME")]
    pub application: Vec<String>,

    /// Only what was logged at this time or later: RFC 3339, or as in the log
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub since: Option<Timestamp>,

    /// Only what was logged at this time or earlier
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub until: Option<Timestamp>,

    /// Only statements that took as long: milliseconds, or 1s, 250ms, 2min
    #[arg(long, value_name = "TIME", value_parser = milliseconds)]
    pub min_duration: Option<f64>,

    /// Only statements of these kinds: select, insert, create, …
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    pub kind: Vec<String>,

    /// Statements of errors too
    #[arg(long)]
    pub errors: bool,

    /// Statements that were parsed or bound too, each time they were
    #[arg(long)]
    pub parse_bind: bool,

    /// Go on reading as the log grows and is rotated
    #[arg(long)]
    pub follow: bool,

    /// Say on stderr what was read, made of it and skipped, and what came from the caches
    #[arg(long)]
    pub stats: bool,
}

impl LogArgs {
    /// The filter that these arguments ask for.
    pub fn filter(&self) -> RecordFilter {
        RecordFilter {
            users: self.user.clone(),
            databases: self.database.clone(),
            applications: self.application.clone(),
            kinds: self.kind.iter().map(|kind| kind.trim().to_ascii_lowercase()).collect(),
            since: self.since,
            until: self.until,
            min_duration: self.min_duration,
        }
    }

    /// An option that only a log can honour, if one is given.
    pub fn given(&self) -> Option<&'static str> {
        [
            ("--log-line-prefix", self.log_line_prefix.is_some()),
            ("--user", !self.user.is_empty()),
            ("--database", !self.database.is_empty()),
            ("--application", !self.application.is_empty()),
            ("--since", self.since.is_some()),
            ("--until", self.until.is_some()),
            ("--min-duration", self.min_duration.is_some()),
            ("--kind", !self.kind.is_empty()),
            ("--errors", self.errors),
            ("--parse-bind", self.parse_bind),
            ("--follow", self.follow),
        ]
        .into_iter()
        .find_map(|(option, given)| given.then_some(option))
    }
}

/// The library's names of styles, each with what it stands for.
pub fn placeholder_style() -> impl TypedValueParser<Value = PlaceholderStyle> {
    let values = PlaceholderStyle::ALL.map(|style| {
        let help = match style {
            PlaceholderStyle::Psql => ":name, :'name', :\"name\" and :{?name}, as in psql",
            PlaceholderStyle::Qmark => "?, as in JDBC; ?? is a question mark",
            PlaceholderStyle::Format => "%s, as in psycopg; %% is a percent sign",
            PlaceholderStyle::Pyformat => "%(name)s, as in psycopg; %% is a percent sign",
            PlaceholderStyle::Named => ":name, as in SQLAlchemy, Spring and Hibernate",
            PlaceholderStyle::Numeric => ":1, as in Oracle",
            _ => "@name, as in Npgsql",
        };
        PossibleValue::new(style.name()).help(help)
    });
    PossibleValuesParser::new(values).map(|name| PlaceholderStyle::from_name(&name).expect("one of its names"))
}

fn moment(text: &str) -> Result<Timestamp, String> {
    parse_timestamp(text).ok_or_else(|| "write it as 'YYYY-MM-DD HH:MM:SS', with a zone or without".into())
}

/// Bytes, from a number with PostgreSQL's units of memory.
fn bytes(text: &str) -> Result<usize, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "" | "B" => 1,
        "kB" => 1 << 10,
        "MB" => 1 << 20,
        "GB" => 1 << 30,
        _ => return Err("the units are B, kB, MB and GB".into()),
    };
    let number: usize = digits.trim().parse().map_err(|_| "that is no number of bytes".to_string())?;
    number.checked_mul(unit).filter(|bytes| *bytes > 0).ok_or_else(|| "that is out of range".into())
}

/// Milliseconds, from a number with PostgreSQL's units of time.
fn milliseconds(text: &str) -> Result<f64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "" | "ms" => 1.0,
        "us" => 0.001,
        "s" => 1000.0,
        "min" => 60_000.0,
        "h" => 3_600_000.0,
        _ => return Err("the units are us, ms, s, min and h".into()),
    };
    let number: f64 = digits.trim().parse().map_err(|_| "that is no number".to_string())?;
    if number.is_finite() && number >= 0.0 { Ok(number * unit) } else { Err("that is no duration".into()) }
}

/// How results are written.
#[derive(Args, Clone, Copy)]
pub struct FormatArgs {
    /// Text, or one JSON record per statement
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,

    /// Indent JSON (the default on a terminal)
    #[arg(long, conflicts_with = "compact")]
    pub pretty: bool,

    /// Write JSON on one line (the default elsewhere)
    #[arg(long)]
    pub compact: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Text,
    Json,
}

impl FormatArgs {
    pub fn json(self) -> bool {
        self.format == Format::Json
    }

    /// Whether JSON is indented.
    pub fn indented(self) -> bool {
        use std::io::IsTerminal;
        self.pretty || (!self.compact && std::io::stdout().is_terminal())
    }
}

/// PostgreSQL settings that change how text is read.
#[derive(Args, Clone, Copy, Default)]
pub struct ParserArgs {
    /// Parse as with standard_conforming_strings = off: backslashes escape in plain literals
    #[arg(long)]
    pub backslash_escapes: bool,
}

impl ParserArgs {
    pub fn options(self) -> pgq::ParseOptions {
        let mut options = pgq::ParseOptions::default();
        options.backslash_escapes = self.backslash_escapes;
        options
    }
}
