//! Options for the format of results.

use std::io::IsTerminal;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use pgq_columns::TableColumn;

use super::output::OutputArgs;
use crate::run::report::{Output, RowFormat, RowLayout, RowWriter};
use crate::run::statements::{AnswerFormat, OutputOptions};

#[derive(Args, Clone)]
pub struct FormatArgs {
    /// Format of the output [default: by the extension of --output, otherwise text]
    #[arg(long, value_enum)]
    format: Option<ResultFormat>,

    /// Indent JSON [default on a terminal]
    #[arg(long, alias = "pretty", conflicts_with = "compact")]
    indented: bool,

    /// Write JSON on one line [default unless on a terminal]
    #[arg(long)]
    compact: bool,

    #[command(flatten)]
    pub output: OutputArgs,
}

/// Text, or one JSON record for each result.
#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    #[default]
    Text,
    Json,
}

impl OutputFormat {
    /// Returns the chosen format. By default, the extension of the output file determines the
    /// format.
    ///
    /// # Errors
    /// No format has the extension of the file.
    pub fn chosen(format: Option<Self>, output: &OutputArgs) -> Result<Self> {
        output.chosen_format(format, Self::Text, |extension| RowFormat::is_json(extension).then_some(Self::Json))
    }
}

/// The formats of commands with a result for each statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ResultFormat {
    Text,
    /// A JSON record for each statement, on its own line
    Json,
    /// A table with a header; NULL is an empty field
    Csv,
    /// COPY's text format with a header: tabs, escapes, \N
    Tsv,
    /// An Arrow IPC stream
    Arrow,
    /// A Parquet file
    Parquet,
}

impl ResultFormat {
    /// Returns the row format, or `None` for text and JSON records.
    pub fn rows(self) -> Option<RowFormat> {
        match self {
            Self::Text | Self::Json => None,
            Self::Csv => Some(RowFormat::Csv),
            Self::Tsv => Some(RowFormat::Tsv),
            Self::Arrow => Some(RowFormat::Arrow),
            Self::Parquet => Some(RowFormat::Parquet),
        }
    }

    fn from_row_format(format: RowFormat) -> Self {
        match format {
            RowFormat::Json => Self::Json,
            RowFormat::Csv => Self::Csv,
            RowFormat::Tsv => Self::Tsv,
            RowFormat::Arrow => Self::Arrow,
            RowFormat::Parquet => Self::Parquet,
        }
    }
}

impl FormatArgs {
    /// Returns the chosen format. By default, the extension of the output file determines the
    /// format; without an extension it is text.
    ///
    /// # Errors
    /// No format has the extension of the file.
    pub fn format(&self) -> Result<ResultFormat> {
        let of_rows = |extension: &str| RowFormat::from_extension(extension).map(ResultFormat::from_row_format);
        self.output.chosen_format(self.format, ResultFormat::Text, of_rows)
    }

    /// Returns the output options of a command that writes JSON even with `--format text`, such as `pgq parse`.
    /// Therefore `--indented` and `--compact` are valid with `--format text`, too.
    ///
    /// # Errors
    /// Same as [`Self::format`].
    pub fn json_or_records(&self) -> Result<OutputOptions> {
        Ok(self.options(self.format()?))
    }

    fn options(&self, format: ResultFormat) -> OutputOptions {
        let to_terminal = self.output.path().is_none() && std::io::stdout().is_terminal();
        let indented = self.indented || (!self.compact && to_terminal);
        OutputOptions { json: format == ResultFormat::Json, indented, ..OutputOptions::default() }
    }

    /// Returns the output options of a command that writes no JSON with `--format text`.
    ///
    /// # Errors
    /// `--indented` or `--compact` is given, but the format is text.
    pub fn text_or_records(&self) -> Result<OutputOptions> {
        let format = self.format()?;
        if format == ResultFormat::Text {
            self.refuse_layout()?;
        }
        Ok(self.options(format))
    }

    /// Returns the output options of a command that can write results as a table. With `keep_columns`, the output has
    /// the input table's columns and the result columns, and the default format is CSV.
    ///
    /// # Errors
    /// `--indented` or `--compact` is given, but the format is not JSON.
    pub fn answers(&self, keep_columns: bool) -> Result<OutputOptions> {
        let format = self.format()?;
        let answers = match format {
            ResultFormat::Text if keep_columns => Some(AnswerFormat::Csv),
            ResultFormat::Text | ResultFormat::Json => None,
            ResultFormat::Csv => Some(AnswerFormat::Csv),
            ResultFormat::Tsv => Some(AnswerFormat::Tsv),
            ResultFormat::Arrow => Some(AnswerFormat::Arrow),
            ResultFormat::Parquet => Some(AnswerFormat::Parquet),
        };
        if answers.is_some() || format == ResultFormat::Text {
            self.refuse_layout()?;
        }
        Ok(OutputOptions { answers, keep_columns, ..self.options(format) })
    }

    /// Fails if `--indented` or `--compact` is given. Called if the format is not JSON.
    fn refuse_layout(&self) -> Result<()> {
        if self.indented || self.compact {
            let option = if self.indented { "--indented" } else { "--compact" };
            bail!("{option} is for JSON: add --format json");
        }
        Ok(())
    }

    /// Opens the output.
    ///
    /// # Errors
    /// The file cannot be created, or binary output would go to a terminal.
    pub fn open(&self) -> Result<Output> {
        match self.format()?.rows() {
            None => self.output.open(),
            Some(format) => self.output.open_for_rows(format),
        }
    }

    /// Opens the output for rows with all columns. Returns `None` if the format is text or JSON records.
    ///
    /// # Errors
    /// `--indented` or `--compact` is given although the format is a row format, or the output
    /// cannot be opened.
    pub fn open_rows<C: TableColumn>(&self) -> Result<Option<(RowLayout<C>, RowWriter)>> {
        let Some(format) = self.format()?.rows() else { return Ok(None) };
        self.refuse_layout()?;
        let layout = RowLayout::all(format);
        let writer = RowWriter::new(&layout, self.open()?)?;
        Ok(Some((layout, writer)))
    }
}
