//! How results are written.

use std::io::IsTerminal;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};

use crate::statements::OutputOptions;

#[derive(Args, Clone, Copy)]
pub struct FormatArgs {
    /// Text, or one JSON record per statement
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,

    /// Indent JSON [default on a terminal]
    #[arg(long, conflicts_with = "compact")]
    pretty: bool,

    /// Write JSON on one line [default unless on a terminal]
    #[arg(long)]
    compact: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    Text,
    Json,
}

impl FormatArgs {
    /// For a command whose text is JSON, too.
    pub fn json_or_records(self) -> OutputOptions {
        let indented = self.pretty || (!self.compact && std::io::stdout().is_terminal());
        OutputOptions { json: self.format == OutputFormat::Json, indented }
    }

    /// For a command whose text is not JSON.
    ///
    /// # Errors
    /// The layout of JSON is chosen, but the output is text.
    pub fn text_or_records(self) -> Result<OutputOptions> {
        if self.format == OutputFormat::Text && (self.pretty || self.compact) {
            let option = if self.pretty { "--pretty" } else { "--compact" };
            bail!("{option} is for JSON: add --format json");
        }
        Ok(self.json_or_records())
    }
}
