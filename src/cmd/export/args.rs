//! Arguments of `pgq export`.

use anyhow::{Result, bail};
use clap::ValueEnum;

use super::columns::ColumnArgs;
use crate::cmd::args::{CacheArgs, InputArgs, KeepArgs, OutputArgs, ParserArgs, ReadArgs};
use crate::cmd::digest::Disclosure;
use crate::run::report::{Compression, RowFormat};

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub input: InputArgs,

    #[command(flatten)]
    pub columns: ColumnArgs,

    /// Format of the output [default: by the extension of --output, otherwise json]
    #[arg(long, value_enum)]
    format: Option<RowFormatArg>,

    #[command(flatten)]
    pub output: OutputArgs,

    /// Compression of arrow and parquet [default: parquet zstd, arrow none]
    #[arg(long, value_enum, value_name = "CODEC")]
    compression: Option<CompressionArg>,

    /// Show passwords and other secrets, which are masked by default
    #[arg(long)]
    show_secrets: bool,

    /// Leave out literals, parameters and messages, and replace names by pseudonyms
    #[arg(long, conflicts_with_all = ["show_secrets", "keep_columns"])]
    pub anonymize: bool,

    /// Put an apostrophe before fields that spreadsheets would evaluate (= + - @, tab); csv only
    #[arg(long, conflicts_with = "keep_columns")]
    spreadsheet: bool,

    /// Stop at the first invalid statement
    #[arg(long)]
    pub fail_fast: bool,

    #[command(flatten)]
    pub keep: KeepArgs,

    #[command(flatten)]
    pub parser: ParserArgs,

    #[command(flatten)]
    pub caches: CacheArgs,

    #[command(flatten)]
    pub read: ReadArgs,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum RowFormatArg {
    /// A JSON object a line
    Json,
    /// CSV with a header; NULL is an empty field, lists are JSON
    Csv,
    /// COPY's text format with a header: tabs, escapes, \N
    Tsv,
    /// An Arrow IPC stream
    Arrow,
    /// A Parquet file
    Parquet,
}

impl From<RowFormatArg> for RowFormat {
    fn from(format: RowFormatArg) -> Self {
        match format {
            RowFormatArg::Json => Self::Json,
            RowFormatArg::Csv => Self::Csv,
            RowFormatArg::Tsv => Self::Tsv,
            RowFormatArg::Arrow => Self::Arrow,
            RowFormatArg::Parquet => Self::Parquet,
        }
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum CompressionArg {
    None,
    Zstd,
}

impl Args {
    /// Returns how much of the log's text the rows may show.
    pub fn disclosure(&self) -> Disclosure {
        Disclosure::new(self.show_secrets, self.anonymize)
    }

    /// Returns the chosen format. By default, the extension of the output file determines the
    /// format. For standard output, the default is JSON, or CSV with `--keep-columns`.
    ///
    /// # Errors
    /// No format has the extension of the file.
    pub fn row_format(&self) -> Result<RowFormat> {
        if let Some(format) = self.format {
            return Ok(format.into());
        }
        let Some(path) = self.output.path() else {
            return Ok(if self.keep.keep_columns { RowFormat::Csv } else { RowFormat::Json });
        };
        match self.output.format_by_extension(None, |extension| RowFormat::from_extension(extension).map(Some))? {
            Some(format) => Ok(format),
            None => bail!("{}: name the format with --format", path.display()),
        }
    }

    /// Whether to guard fields, so that spreadsheets do not evaluate them as formulas.
    ///
    /// # Errors
    /// `--spreadsheet` is given, but the format is not CSV.
    pub fn guarded(&self) -> Result<bool> {
        if self.spreadsheet && self.row_format()? != RowFormat::Csv {
            bail!("--spreadsheet is for csv: add --format csv");
        }
        Ok(self.spreadsheet)
    }

    /// Returns the chosen compression, or the format's default.
    ///
    /// # Errors
    /// `--compression` is given, but the format has no compression.
    pub fn compression(&self) -> Result<Compression> {
        let format = self.row_format()?;
        match self.compression {
            Some(_) if !format.is_binary() => bail!("--compression is for arrow and parquet"),
            Some(CompressionArg::None) => Ok(Compression::None),
            Some(CompressionArg::Zstd) => Ok(Compression::Zstd),
            None => Ok(format.default_compression()),
        }
    }
}
