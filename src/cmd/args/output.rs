//! Where results go, and as which kind of rows.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};

use crate::run::report::{Output, RowFormat};

#[derive(Args, Clone)]
pub struct OutputArgs {
    /// Write to FILE, which appears when it is complete, instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl OutputArgs {
    /// The file's name; `None` for standard output.
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
    /// A format that this program cannot write, or binary rows to a terminal.
    pub fn open_for_rows(&self, format: RowFormat) -> Result<Output> {
        if format.is_binary() && self.output.is_none() && std::io::stdout().is_terminal() {
            bail!("{} is binary: name a file with --output, or redirect standard output", format.name());
        }
        self.open()
    }
}

/// The formats of tables, for commands whose other formats are text and records.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum TableFormat {
    #[default]
    Text,
    Json,
    /// An Arrow IPC stream
    Arrow,
    /// A Parquet file
    Parquet,
}

impl TableFormat {
    /// The format of rows; `None` for text and records.
    pub fn rows(self) -> Option<RowFormat> {
        match self {
            Self::Text | Self::Json => None,
            Self::Arrow => Some(RowFormat::Arrow),
            Self::Parquet => Some(RowFormat::Parquet),
        }
    }
}
