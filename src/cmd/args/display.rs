//! Options for the appearance of all output.

use std::io::{self, IsTerminal};

use clap::{Args, ValueEnum};

use crate::run::report::{DiagnosticOptions, DiagnosticStyle};

#[derive(Args)]
pub struct DisplayArgs {
    /// When to use colour
    #[arg(help_heading = "Display", long, value_enum, value_name = "WHEN", default_value_t = When::Auto, global = true, hide_short_help = true)]
    color: When,

    /// When to show the line of an error, with a caret
    #[arg(help_heading = "Display", long, value_enum, value_name = "WHEN", default_value_t = When::Auto, global = true, hide_short_help = true)]
    snippets: When,

    /// Do not print notices or statement errors
    #[arg(help_heading = "Display", short, long, global = true)]
    quiet: bool,

    /// Print all errors; by default, equal errors after the first 20 are only counted
    #[arg(help_heading = "Display", long, global = true, conflicts_with = "quiet", hide_short_help = true)]
    all_errors: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum When {
    /// Only if the output is a terminal; --color also requires that NO_COLOR is not set
    Auto,
    Always,
    Never,
}

impl DisplayArgs {
    /// Returns the options of diagnostics. Also turns colour on or off for the whole program.
    pub fn options(&self) -> DiagnosticOptions {
        match self.color {
            When::Auto => anstream::ColorChoice::Auto,
            When::Always => anstream::ColorChoice::Always,
            When::Never => anstream::ColorChoice::Never,
        }
        .write_global();
        let snippets = match self.snippets {
            When::Auto => io::stderr().is_terminal(),
            When::Always => true,
            When::Never => false,
        };
        let style = if snippets { DiagnosticStyle::Snippets } else { DiagnosticStyle::Lines };
        DiagnosticOptions { quiet: self.quiet, all: self.all_errors, style }
    }
}
