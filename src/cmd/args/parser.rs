//! PostgreSQL's settings that change how SQL is read.

use clap::Args;
use pgq::ParseOptions;

#[derive(Args, Clone, Copy, Default)]
pub struct ParserArgs {
    /// Parse as with standard_conforming_strings = off: backslashes escape in plain literals
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
