//! Options for the output file.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;

use crate::run::report::{Output, RowFormat};

/// File name extensions of compressed files.
const COMPRESSIONS: [&str; 10] = ["gz", "zst", "bz2", "xz", "lz4", "zip", "7z", "tgz", "br", "lzma"];

/// File name extensions for which the output is text.
const TEXTS: [&str; 7] = ["txt", "text", "log", "out", "sql", "psql", "pgsql"];

#[derive(Args, Clone)]
pub struct OutputArgs {
    /// Write to FILE, which appears when all input is read; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl OutputArgs {
    /// Returns the file name, or `None` for standard output.
    pub fn path(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| *path != Path::new("-"))
    }

    /// Returns the lowercase extension of the file.
    fn extension(&self) -> Option<String> {
        Some(self.path()?.extension()?.to_string_lossy().to_ascii_lowercase())
    }

    /// Returns `format` if it is set. Otherwise, returns the format for the file's extension.
    ///
    /// # Errors
    /// Same as [`Self::format_by_extension`].
    pub fn chosen_format<F>(&self, format: Option<F>, text: F, format_of: impl Fn(&str) -> Option<F>) -> Result<F> {
        format.map_or_else(|| self.format_by_extension(text, format_of), Ok)
    }

    /// Returns the format that `format_of` returns for the file's lowercase extension. Returns `text` for standard
    /// output, for a file without an extension, and for the extension of a text file, such as `txt`.
    ///
    /// # Errors
    /// `format_of` returns `None` for the file's extension, or the file has the extension of a compressed file.
    pub fn format_by_extension<F>(&self, text: F, format_of: impl Fn(&str) -> Option<F>) -> Result<F> {
        self.refuse_compression()?;
        let Some(extension) = self.extension().filter(|it| !TEXTS.contains(&it.as_str())) else { return Ok(text) };
        match format_of(&extension) {
            Some(format) => Ok(format),
            None => bail!("no format has the extension .{extension}: name one with --format"),
        }
    }

    /// Opens the output.
    ///
    /// # Errors
    /// The file cannot be created, or has the extension of a compressed file.
    pub fn open(&self) -> Result<Output> {
        self.refuse_compression()?;
        Output::open(self.path())
    }

    fn refuse_compression(&self) -> Result<()> {
        match self.extension().filter(|extension| COMPRESSIONS.contains(&extension.as_str())) {
            Some(extension) => bail!("the output is not compressed: leave out .{extension}, or use a pipe"),
            None => Ok(()),
        }
    }

    /// Opens the output for rows.
    ///
    /// # Errors
    /// Same as [`Self::open`]. Also fails if binary rows would go to a terminal.
    pub fn open_for_rows(&self, format: RowFormat) -> Result<Output> {
        if format.is_binary() && self.path().is_none() && std::io::stdout().is_terminal() {
            bail!("{} is binary: name a file with --output, or redirect standard output", format.name());
        }
        self.open()
    }
}
