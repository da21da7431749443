//! The output: standard output or a file. A file is written under a temporary name, and gets its final name when it is
//! complete.

use std::fs::{File, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use tempfile::TempPath;

#[cfg(unix)]
use super::access::keep_owner;
use super::access::{is_same, keep_access};
use super::device::Device;
use super::stdout::StdoutWriter;
use super::unfinished;
use crate::run::input::{folder_of, is_output, note_written, path_name, was_read, without_links};

/// An output. Dropping it before [`Output::complete`] removes the incomplete file.
pub struct Output {
    target: Target,
    /// File name. Empty for standard output.
    path: PathBuf,
}

enum Target {
    Stdout(StdoutWriter),
    /// A device or a pipe, which is written directly.
    Device(BufWriter<Device>),
    /// A new file, and the metadata of the file that it replaces.
    File(BufWriter<File>, TempPath, Option<Metadata>),
}

impl Output {
    /// Opens a file, or standard output if `path` is `None`. A pipe is opened by the first write.
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
        let target = Self::open_file(&mut replaced).with_context(|| path_name(path))?;
        Ok(Self { target, path: replaced })
    }

    fn open_file(path: &mut PathBuf) -> Result<Target> {
        let existing = match std::fs::metadata(&path) {
            Ok(existing) => Some(existing),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            // If the system refuses to follow a link, such as another user's link in /tmp, pgq must not bypass the
            // refusal by resolving the link and writing to the target.
            Err(error) => return Err(error.into()),
        };
        match &existing {
            Some(existing) if existing.is_dir() => bail!("is a folder"),
            Some(existing) if !existing.is_file() => {
                return Ok(Target::Device(BufWriter::new(Device::at(path, existing)?)));
            }
            _ => {}
        }
        // If the path is a link, the target of the link is replaced or created. The link stays.
        *path = without_links(std::mem::take(path))?;
        let folder = folder_of(path);
        std::fs::metadata(folder)?; // otherwise the error would name the temporary file
        let (file, temporary) = unfinished::create(folder, existing.is_some())?;
        #[cfg(unix)]
        if let Some(existing) = &existing {
            keep_owner(&file, existing)?;
        }
        note_written(&temporary);
        Ok(Target::File(BufWriter::new(file), temporary, existing))
    }

    /// Refuses `other` as a further output if it is the same file as this output, even under another name.
    ///
    /// # Errors
    /// Both outputs are the same file, or the chain of links at `other` is circular or too long.
    pub fn refuse_same(&self, other: Option<&Path>) -> Result<()> {
        let Some(other) = other else { return Ok(()) };
        let real = |path: &Path| (folder_of(path).canonicalize().ok(), path.file_name().map(ToOwned::to_owned));
        let is_same = match self.target {
            Target::File(..) => {
                let other = without_links(other.to_path_buf()).with_context(|| path_name(other))?;
                real(&self.path) == real(&other)
            }
            Target::Stdout(_) => is_output(other, &[]),
            Target::Device(_) => false,
        };
        ensure!(!is_same, "--output and --state name the same file");
        Ok(())
    }

    pub fn is_stdout(&self) -> bool {
        matches!(self.target, Target::Stdout(_))
    }

    /// Writes whole records. On standard output, a signal never interrupts a record.
    ///
    /// # Errors
    /// Writing fails.
    pub fn write_records(&mut self, records: &[u8]) -> Result<()> {
        match &mut self.target {
            Target::Stdout(stdout) => Ok(stdout.records(records)?),
            Target::Device(_) | Target::File(..) => Ok(self.write_all(records)?),
        }
    }

    /// Writes a report that contains styles (escape sequences). Unlike other output, the report is written to a
    /// terminal unchanged, so the caller must have escaped the control characters in it.
    ///
    /// # Errors
    /// Writing fails.
    pub fn write_styled(&mut self, report: &[u8]) -> Result<()> {
        match &mut self.target {
            Target::Stdout(stdout) => Ok(stdout.styled_records(report)?),
            Target::Device(_) | Target::File(..) => Ok(self.write_all(report)?),
        }
    }

    /// Streams a document while it is produced. On standard output, a signal has no effect until the document is
    /// complete.
    ///
    /// # Errors
    /// Writing fails.
    pub fn stream(&mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
        match &mut self.target {
            Target::Stdout(stdout) => Ok(stdout.stream(write)?),
            Target::Device(_) | Target::File(..) => Ok(write(self)?),
        }
    }

    /// Completes the output, and gives a file its final name.
    ///
    /// # Errors
    /// Writing fails.
    pub fn complete(self) -> Result<()> {
        self.complete_if(|| Ok(()))
    }

    /// Like [`Self::complete`], but first calls `check`. If it fails, the file does not get its name.
    fn complete_if(mut self, check: impl FnOnce() -> Result<()>) -> Result<()> {
        self.flush()?;
        if let Target::File(file, temporary, existing) = self.target {
            // Another program may have renamed an input of this run, for example to rotate a log.
            ensure!(!was_read(&self.path), "{}: has become an input, and is left unchanged", path_name(&self.path));
            if let Some(existing) = std::fs::metadata(&self.path).ok().or(existing) {
                keep_access(file.get_ref(), &existing, &self.path).with_context(|| path_name(&self.path))?;
            }
            // Some file systems, such as NFS, report a full disk only now.
            file.get_ref().sync_all().with_context(|| path_name(&self.path))?;
            // Only now, because a file with such a name may be an input, which pgq refuses.
            unfinished::remove_left_behind(folder_of(&self.path));
            check()?;
            unfinished::persist(temporary, &self.path).with_context(|| path_name(&self.path))?;
        }
        Ok(())
    }

    fn named(&self, result: io::Result<usize>) -> io::Result<usize> {
        result.map_err(|problem| match self.target {
            Target::Stdout(_) => problem,
            _ => io::Error::new(problem.kind(), format!("{}: {problem}", path_name(&self.path))),
        })
    }
}

/// Writes the whole output of a run.
///
/// # Errors
/// Writing fails.
pub fn print_to(mut output: Output, write: impl FnOnce(&mut Vec<u8>)) -> Result<()> {
    let mut all = Vec::new();
    write(&mut all);
    output.write_records(&all)?;
    output.complete()
}

/// Writes a file atomically.
///
/// # Errors
/// The file cannot be written.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut output = Output::file(path)?;
    output.write_all(bytes)?;
    output.complete()
}

/// Replaces a file atomically. `read` is the file's metadata, which the caller obtained before it read the content.
///
/// # Errors
/// Returns an error if the file cannot be written, or has changed since it was read.
pub fn replace_file(path: &Path, read: &Metadata, bytes: &[u8]) -> Result<()> {
    let mut output = Output::file(path)?;
    let has_changed = || anyhow!("{}: has changed since it was read, and is left unchanged", path_name(path));
    if !matches!(output.target, Target::File(..)) {
        return Err(has_changed());
    }
    output.write_all(bytes)?;
    output.complete_if(|| {
        let now = std::fs::metadata(path).with_context(|| path_name(path))?;
        if is_same(&now, read) { Ok(()) } else { Err(has_changed()) }
    })
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match &mut self.target {
            Target::Stdout(stdout) => stdout.records(bytes).map(|()| bytes.len()),
            Target::Device(device) => device.write(bytes),
            Target::File(file, ..) => file.write(bytes),
        };
        self.named(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = match &mut self.target {
            Target::Stdout(stdout) => stdout.flush(),
            Target::Device(device) => device.flush(),
            Target::File(file, ..) => file.flush(),
        };
        self.named(flushed.map(|()| 0)).map(drop)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_change_that_sets_the_time_back_is_noticed() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "old").unwrap();
        let read = std::fs::metadata(file.path()).unwrap();
        std::fs::write(file.path(), "new").unwrap();
        file.as_file().set_modified(read.modified().unwrap()).unwrap();
        let problem = super::replace_file(file.path(), &read, b"formatted").unwrap_err();
        assert!(problem.to_string().ends_with("has changed since it was read, and is left unchanged"), "{problem}");
        assert_eq!(std::fs::read(file.path()).unwrap(), b"new");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_has_become_a_pipe_is_not_opened() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.sql");
        std::fs::write(&path, "old").unwrap();
        let read = std::fs::metadata(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let problem = super::replace_file(&path, &read, b"formatted").unwrap_err();
        assert!(problem.to_string().contains("has changed since it was read"), "{problem}");
        let problem = crate::run::input::open_regular(&path).unwrap_err();
        assert_eq!(problem.to_string(), "is not a regular file");
    }
}
