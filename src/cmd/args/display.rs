//! How everything that is printed looks.

use clap::{Args, ValueEnum};

use crate::run::report;

#[derive(Args)]
pub struct DisplayArgs {
    /// When to use colour
    #[arg(help_heading = "Display", long, value_enum, value_name = "WHEN", default_value_t = When::Auto, global = true)]
    color: When,

    /// When to show the line of an error, with a caret
    #[arg(help_heading = "Display", long, value_enum, value_name = "WHEN", default_value_t = When::Auto, global = true)]
    snippets: When,

    /// Print no errors of statements, warnings and notices, only what ends the run or a file
    #[arg(help_heading = "Display", short, long, global = true)]
    quiet: bool,

    /// Print every error; by default the same one is printed 20 times, and then counted
    #[arg(help_heading = "Display", long, global = true, conflicts_with = "quiet")]
    all_errors: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum When {
    /// On a terminal (colour: unless NO_COLOR is set)
    Auto,
    Always,
    Never,
}

impl DisplayArgs {
    /// Applies the choices to the whole program.
    pub fn apply(&self) {
        match self.color {
            When::Auto => anstream::ColorChoice::Auto,
            When::Always => anstream::ColorChoice::Always,
            When::Never => anstream::ColorChoice::Never,
        }
        .write_global();
        if self.quiet {
            report::be_quiet();
            report::progress::hide();
        }
        if self.all_errors {
            report::print_all();
        }
        report::show_snippets(match self.snippets {
            When::Auto => None,
            When::Always => Some(true),
            When::Never => Some(false),
        });
    }
}
