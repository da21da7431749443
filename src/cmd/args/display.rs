//! How everything that is printed looks.

use clap::{Args, ValueEnum};

use crate::report;

#[derive(Args)]
pub struct DisplayArgs {
    /// When to use colour
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto, global = true)]
    color: When,

    /// When to show the line of an error, with a caret
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto, global = true)]
    snippets: When,
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
        report::show_snippets(match self.snippets {
            When::Auto => None,
            When::Always => Some(true),
            When::Never => Some(false),
        });
    }
}
