//! How results are written.

use std::io::IsTerminal;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use pgq_columns::TableColumn;

use super::output::{OutputArgs, TableFormat};
use crate::run::report::{RowLayout, RowWriter};
use crate::run::statements::OutputOptions;

#[derive(Args, Clone)]
pub struct FormatArgs<F: FormatChoice = OutputFormat> {
    /// Text, or one JSON record per statement
    #[arg(long, value_enum, default_value_t)]
    pub format: F,

    /// Indent JSON [default on a terminal]
    #[arg(long, conflicts_with = "compact")]
    pretty: bool,

    /// Write JSON on one line [default unless on a terminal]
    #[arg(long)]
    compact: bool,

    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    #[default]
    Text,
    Json,
}

/// The formats of a command, of which two are text and JSON records.
pub trait FormatChoice: ValueEnum + Default + Copy + PartialEq + Send + Sync + 'static {
    const TEXT: Self;
    const JSON: Self;
}

impl FormatChoice for OutputFormat {
    const TEXT: Self = Self::Text;
    const JSON: Self = Self::Json;
}

impl FormatChoice for TableFormat {
    const TEXT: Self = Self::Text;
    const JSON: Self = Self::Json;
}

impl<F: FormatChoice> FormatArgs<F> {
    /// For a command whose text is JSON, too.
    pub fn json_or_records(&self) -> OutputOptions {
        let to_terminal = self.output.path().is_none() && std::io::stdout().is_terminal();
        let indented = self.pretty || (!self.compact && to_terminal);
        OutputOptions { json: self.format == F::JSON, indented }
    }

    /// For a command whose text is not JSON.
    ///
    /// # Errors
    /// The layout of JSON is chosen, but the output is text.
    pub fn text_or_records(&self) -> Result<OutputOptions> {
        if self.format == F::TEXT {
            self.refuse_layout()?;
        }
        Ok(self.json_or_records())
    }

    /// For output that is not JSON.
    fn refuse_layout(&self) -> Result<()> {
        if self.pretty || self.compact {
            let option = if self.pretty { "--pretty" } else { "--compact" };
            bail!("{option} is for JSON: add --format json");
        }
        Ok(())
    }
}

impl FormatArgs<TableFormat> {
    /// Opens the output for rows of all columns of a table; `None` for text and records.
    ///
    /// # Errors
    /// The layout of JSON is chosen, or the output cannot be opened.
    pub fn open_rows<C: TableColumn>(&self) -> Result<Option<(RowLayout<C>, RowWriter)>> {
        let Some(format) = self.format.rows() else { return Ok(None) };
        self.refuse_layout()?;
        let layout = RowLayout::all(format);
        let writer = RowWriter::new(&layout, self.output.open_for_rows(format)?)?;
        Ok(Some((layout, writer)))
    }
}
