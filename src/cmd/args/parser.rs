//! Options for PostgreSQL settings that change how SQL is parsed.

use clap::Args;
use pgq::ParseOptions;

#[derive(Args, Clone, Copy, Default)]
pub struct ParserArgs {
    /// Backslashes escape in plain literals (standard_conforming_strings = off)
    #[arg(help_heading = "Input", long)]
    backslash_escapes: bool,
}

/// Options for commands that report whether SQL is valid.
#[derive(Args, Clone, Copy, Default)]
pub struct NormalizedArgs {
    /// Accept $n wherever normalized SQL can contain $n, as in SET ROLE $1, even if PostgreSQL rejects it there
    #[arg(help_heading = "Input", long)]
    normalized: bool,

    #[command(flatten)]
    parser: ParserArgs,
}

impl NormalizedArgs {
    pub fn options(self) -> ParseOptions {
        let mut options = self.parser.options();
        options.normalized = self.normalized;
        options
    }
}

impl ParserArgs {
    /// Returns options that also accept normalized SQL, which has `$n` in place of constants.
    pub fn options(self) -> ParseOptions {
        let mut options = ParseOptions::normalized();
        options.backslash_escapes = self.backslash_escapes;
        options
    }
}
