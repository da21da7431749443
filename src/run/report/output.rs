//! Where rows go: standard output, or a file that appears under its name when it is complete.

use std::fs::{File, Metadata};
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
    /// A device or a pipe, which is written in place.
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
        Self::file(path)
    }

    fn file(path: &Path) -> Result<Self> {
        let mut replaced = path.to_path_buf();
        let target = Self::open_file(&mut replaced).with_context(|| path.display().to_string())?;
        Ok(Self { target, path: replaced })
    }

    fn open_file(path: &mut PathBuf) -> Result<Target> {
        let existing = std::fs::metadata(&path).ok();
        match &existing {
            Some(existing) if existing.is_dir() => bail!("is a folder"),
            Some(existing) if !existing.is_file() => {
                return Ok(Target::Device(BufWriter::new(File::options().write(true).open(&path)?)));
            }
            _ => {}
        }
        // The target of a link is replaced, not the link.
        if std::fs::symlink_metadata(&path).is_ok_and(|link| link.is_symlink()) {
            *path = path.canonicalize()?;
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        remove_left_behind(folder)?;
        let (file, temporary) = temporary_file(folder)?;
        if let Some(existing) = existing {
            keep_access(&file, &existing)?;
        }
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

    /// Writes a report that contains styles, without escaping on a terminal.
    ///
    /// # Errors
    /// A failed write.
    pub fn write_styled(&mut self, report: &[u8]) -> Result<()> {
        match &mut self.target {
            Target::Stdout(stdout) => Ok(stdout.styled_records(report)?),
            Target::Device(_) | Target::File(..) => Ok(self.write_all(report)?),
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
            unfinished::forget(&temporary);
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

/// Writes a file as a whole, or leaves what there is unchanged.
///
/// # Errors
/// The file cannot be written.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut output = Output::file(path)?;
    output.write_all(bytes)?;
    output.complete()
}

/// The names of files that are not complete.
const NAME: (&str, &str) = (".pgq-", ".part");

/// Creates a file, locked while it is written: the system releases the locks of a killed run.
fn temporary_file(folder: &Path) -> Result<(File, TempPath)> {
    loop {
        let mut builder = tempfile::Builder::new();
        builder.prefix(NAME.0).suffix(NAME.1);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666)); // less the process's mask
        let (file, temporary) = builder.tempfile_in(folder)?.into_parts();
        file.lock()?;
        // Another run may have found it unlocked.
        if temporary.exists() {
            unfinished::add(&temporary);
            return Ok((file, temporary));
        }
    }
}

/// Removes the files that runs did not complete because they were killed.
fn remove_left_behind(folder: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)?.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let is_ours = name.starts_with(NAME.0) && name.ends_with(NAME.1);
        if is_ours && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            // Files of other users are left alone.
            let Ok(file) = File::open(entry.path()) else { continue };
            if file.try_lock().is_ok() {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
    Ok(())
}

/// Copies owner, group and mode of the replaced file.
#[cfg(unix)]
fn keep_access(file: &File, existing: &Metadata) -> Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let own = file.metadata()?;
    if (own.uid(), own.gid()) != (existing.uid(), existing.gid()) {
        fchown(file, Some(existing.uid()), Some(existing.gid())).context("its owner and group cannot be kept")?;
    }
    Ok(file.set_permissions(existing.permissions())?)
}

#[cfg(not(unix))]
fn keep_access(file: &File, existing: &Metadata) -> Result<()> {
    Ok(file.set_permissions(existing.permissions())?)
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
