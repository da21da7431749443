//! PostgreSQL's settings that change how SQL is read.

use clap::Args;
use pgq::ParseOptions;

#[derive(Args, Clone, Copy, Default)]
pub struct ParserArgs {
    /// Backslashes escape in plain literals (standard_conforming_strings = off)
    #[arg(help_heading = "Input", long)]
    backslash_escapes: bool,
}

impl ParserArgs {
    pub fn options(self) -> ParseOptions {
        let mut options = ParseOptions::default();
        options.backslash_escapes = self.backslash_escapes;
        options
    }
}
