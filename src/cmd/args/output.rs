//! Options for the output file.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;

use crate::run::report::{Output, RowFormat};

#[derive(Args, Clone)]
pub struct OutputArgs {
    /// Write to FILE, which appears when it is complete
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl OutputArgs {
    /// Returns the file name, or `None` for standard output.
    pub fn path(&self) -> Option<&Path> {
        self.output.as_deref()
    }

    /// Opens the output.
    ///
    /// # Errors
    /// The file cannot be created.
    pub fn open(&self) -> Result<Output> {
        Output::open(self.path())
    }

    /// Opens the output for rows.
    ///
    /// # Errors
    /// The program cannot write the format, or binary rows would go to a terminal.
    pub fn open_for_rows(&self, format: RowFormat) -> Result<Output> {
        if format.is_binary() && self.output.is_none() && std::io::stdout().is_terminal() {
            bail!("{} is binary: name a file with --output, or redirect standard output", format.name());
        }
        self.open()
    }
}
