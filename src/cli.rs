//! The command line: clap definitions shared by all commands. It must not act.

use std::path::PathBuf;

use clap::builder::styling::{AnsiColor, Styles};
use clap::{Args, Parser, ValueEnum};

use crate::cmd::Command;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// Parse, deparse, fingerprint, normalize and scan SQL with PostgreSQL's own parser.
#[derive(Parser)]
#[command(name = "pgq", version = long_version(), styles = STYLES, max_term_width = 100)]
#[command(
    after_help = "Exit codes: 0 all good, 1 some statement was invalid, 2 usage, input/output or internal error."
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,

    /// When to use colour
    #[arg(long, value_enum, default_value_t = Color::Auto, global = true)]
    pub color: Color,
}

fn long_version() -> &'static str {
    concat!(env!("CARGO_PKG_VERSION"), " (libpg_query for PostgreSQL ", env!("PGQ_POSTGRES_VERSION"), ")")
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}

impl Color {
    /// Makes this the choice for everything that is printed.
    pub fn write_global(self) {
        match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

/// Where SQL comes from; the same for every command that reads it.
#[derive(Args, Clone)]
pub struct InputArgs {
    /// Files to read, in order; `-` or none is standard input
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// What the input is
    #[arg(long, value_enum, default_value_t = From::Sql)]
    pub from: From,

    /// Records end in NUL: the same as --from null
    #[arg(short = '0', conflicts_with = "from")]
    pub null: bool,

    /// Stop at the first invalid statement
    #[arg(long)]
    pub fail_fast: bool,
}

impl InputArgs {
    pub fn form(&self) -> From {
        if self.null { From::Null } else { self.from }
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
