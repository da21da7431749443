//! Where rows go: standard output, or a file that appears under its name when it is complete.

use std::fs::{File, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use tempfile::TempPath;

use super::stdout::StdoutWriter;
use super::unfinished;

/// An output. A file that is not completed is removed when this is dropped.
pub struct Output {
    target: Target,
    /// The file's name; empty for standard output.
    path: PathBuf,
}

enum Target {
    Stdout(StdoutWriter),
    /// A device or a pipe, which is written to and not replaced.
    Device(BufWriter<File>),
    File(BufWriter<File>, TempPath),
}

impl Output {
    /// Opens a file, or standard output if `path` is `None`.
    ///
    /// # Errors
    /// The file cannot be created.
    pub fn open(path: Option<&Path>) -> Result<Self> {
        let Some(path) = path else {
            return Ok(Self { target: Target::Stdout(StdoutWriter::new()), path: PathBuf::new() });
        };
        let target = Self::open_file(path).with_context(|| path.display().to_string())?;
        Ok(Self { target, path: path.to_path_buf() })
    }

    fn open_file(path: &Path) -> Result<Target> {
        match std::fs::metadata(path) {
            Ok(existing) if existing.is_dir() => bail!("is a folder"),
            Ok(existing) if !existing.is_file() => {
                return Ok(Target::Device(BufWriter::new(File::options().write(true).open(path)?)));
            }
            _ => {}
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // Its error names no temporary file.
        std::fs::metadata(folder)?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(".pgq-");
        let permissions = permissions();
        if let Some(permissions) = permissions {
            builder.permissions(permissions);
        }
        let (file, temporary) = builder.tempfile_in(folder)?.into_parts();
        unfinished::set(Some(temporary.to_path_buf()));
        Ok(Target::File(BufWriter::new(file), temporary))
    }

    /// Whether this is standard output.
    pub fn is_stdout(&self) -> bool {
        matches!(self.target, Target::Stdout(_))
    }

    /// Writes whole records: on standard output, a signal never leaves half of them.
    ///
    /// # Errors
    /// A failed write.
    pub fn write_records(&mut self, records: &[u8]) -> Result<()> {
        match &mut self.target {
            Target::Stdout(stdout) => Ok(stdout.records(records)?),
            Target::Device(_) | Target::File(..) => Ok(self.write_all(records)?),
        }
    }

    /// Writes a document while it is made; on standard output, a signal waits for its end.
    ///
    /// # Errors
    /// A failed write.
    pub fn stream(&mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
        match &mut self.target {
            Target::Stdout(stdout) => Ok(stdout.stream(write)?),
            Target::Device(_) | Target::File(..) => Ok(write(self)?),
        }
    }

    /// Makes the file appear under its name.
    ///
    /// # Errors
    /// A failed write.
    pub fn complete(mut self) -> Result<()> {
        self.flush()?;
        if let Target::File(_, temporary) = self.target {
            unfinished::set(None);
            temporary.persist(&self.path).with_context(|| self.path.display().to_string())?;
        }
        Ok(())
    }

    fn named(&self, result: io::Result<usize>) -> io::Result<usize> {
        result.map_err(|problem| match self.target {
            Target::Stdout(_) => problem,
            _ => io::Error::new(problem.kind(), format!("{}: {problem}", self.path.display())),
        })
    }
}

/// Writes all output of a run at once.
///
/// # Errors
/// A failed write.
pub fn print_to(mut output: Output, write: impl FnOnce(&mut Vec<u8>)) -> Result<()> {
    let mut all = Vec::new();
    write(&mut all);
    output.write_records(&all)?;
    output.complete()
}

/// Those of a new file, which the process's mask restricts.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems have none")]
fn permissions() -> Option<Permissions> {
    Some(std::os::unix::fs::PermissionsExt::from_mode(0o666))
}

#[cfg(not(unix))]
fn permissions() -> Option<Permissions> {
    None
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match &mut self.target {
            Target::Stdout(stdout) => stdout.records(bytes).map(|()| bytes.len()),
            Target::Device(file) | Target::File(file, _) => file.write(bytes),
        };
        self.named(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = match &mut self.target {
            Target::Stdout(stdout) => stdout.flush(),
            Target::Device(file) | Target::File(file, _) => file.flush(),
        };
        self.named(flushed.map(|()| 0)).map(drop)
    }
}
