//! Inputs of the command line, before they are opened: files and standard input.

use std::fs::{File, Metadata};
use std::io::{self, IsTerminal, Read};
#[cfg(unix)]
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::compressed::Decompressed;
use super::decoded::{ByMark, Decoded};
use super::folder::{FolderFiles, inputs_below};
use super::follow::Follower;
use super::name::path_name;
use super::options::{InputOptions, STDIN_NAME};
use super::outputs::{FileId, note_read};
use super::reader::Reader;
use super::regular_file::{WholeFile, open_at_once};
#[cfg(unix)]
use super::stop::{Pipe, StoppableInput};

/// Wraps an opened input, for example to count its bytes.
pub type WrapReader = Box<dyn Fn(Box<dyn Read + Send>) -> Box<dyn Read + Send> + Send>;

/// An input that is not opened yet.
pub struct InputFile {
    /// `None` for standard input.
    path: Option<PathBuf>,
    name: String,
    /// Identity of the file when the inputs were listed.
    listed: Option<FileId>,
    /// Size in bytes when the inputs were listed. `None` if the input is not a regular file.
    len: Option<u64>,
}

impl InputFile {
    /// Returns an input for each path. The path `-` is standard input. If there are no paths, standard input is the
    /// only input.
    ///
    /// # Errors
    /// Returns an error if there are no paths and standard input is a terminal, because users do not type scripts
    /// there.
    pub fn from_paths(paths: &[PathBuf]) -> Result<Vec<Self>> {
        if paths.is_empty() && io::stdin().is_terminal() {
            bail!("no input: name a file, or pipe SQL to standard input (`-` reads the terminal)");
        }
        if paths.is_empty() {
            return Ok(vec![Self::stdin()]);
        }
        Ok(paths.iter().map(|path| if path == Path::new("-") { Self::stdin() } else { Self::at(path) }).collect())
    }

    /// Returns the inputs in a folder, or `None` for a file.
    ///
    /// # Errors
    /// Same as [`inputs_below`].
    pub fn below(&self, column: Option<&str>) -> io::Result<Option<FolderFiles>> {
        self.path.as_deref().filter(|path| path.is_dir()).map(|path| inputs_below(path, column)).transpose()
    }

    fn stdin() -> Self {
        Self { path: None, name: STDIN_NAME.into(), listed: None, len: None }
    }

    /// Creates the input for a path.
    pub fn at(path: &Path) -> Self {
        let len = std::fs::metadata(path).ok().filter(Metadata::is_file).map(|file| file.len());
        Self { path: Some(path.to_path_buf()), name: path_name(path), listed: FileId::of_path(path), len }
    }

    /// Returns the path, or `None` for standard input.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    pub fn is_stdin(&self) -> bool {
        self.path.is_none()
    }

    /// Returns the name for messages and records.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns a regular file's size in bytes at the time of listing.
    pub fn len(&self) -> Option<u64> {
        self.len
    }

    /// Opens the file. `wrap` wraps the reader of the file's raw bytes, which are decompressed and decoded afterwards.
    ///
    /// # Errors
    /// The file cannot be opened or followed, is a directory, or was replaced after it was listed, for example by a log
    /// rotation.
    pub fn open(&self, wrap: &WrapReader, options: &InputOptions) -> io::Result<Reader> {
        if options.log.follow {
            return self.follow(options);
        }
        let (stored, is_file) = match &self.path {
            None => match stdin_file() {
                Some(file) => (Decompressed::new(wrap(Box::new(WholeFile::new(file, 0)))), true),
                None => (Decompressed::new(wrap(pipe(io::stdin(), options))), false),
            },
            Some(path) => {
                // A pipe may have replaced a regular file, and then has perhaps no writer.
                let was_file = self.len.is_some();
                let file = if was_file { open_at_once(path)? } else { open_other(path, options)? };
                let metadata = file.metadata()?;
                if metadata.is_dir() {
                    return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory, not a file"));
                }
                if FileId::of_path(path) != self.listed || metadata.is_file() != was_file {
                    let problem = "was replaced before pgq opened it, perhaps by a log rotation: run pgq again";
                    return Err(io::Error::other(problem));
                }
                note_read(path);
                let is_file = metadata.is_file();
                let bytes =
                    if is_file { Box::new(WholeFile::new(file, self.len.unwrap_or(0))) } else { pipe(file, options) };
                (Decompressed::of_file(wrap(bytes), path), is_file)
            }
        };
        let input = prepared(Box::new(stored), options);
        Ok(if is_file { Reader::of_file(input) } else { Reader::new(input).live(options.log.live) })
    }

    /// Opens a growing file.
    fn follow(&self, options: &InputOptions) -> io::Result<Reader> {
        let Some(path) = &self.path else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "standard input cannot be followed"));
        };
        let (follower, events) = Follower::open(path, &options.outputs, options.stop_test())?;
        Ok(Reader::of_growing_file(prepared(Box::new(follower), options), events))
    }
}

/// Opens a pipe or a device. If the command can be stopped, opens a named pipe without waiting for its writer, because
/// stopping the command does not end a waiting open. Instead, the first read waits for the writer. Stopping the command
/// ends this read.
#[cfg(unix)]
fn open_other(path: &Path, options: &InputOptions) -> io::Result<File> {
    use std::os::unix::fs::FileTypeExt;
    let is_pipe = std::fs::metadata(path)?.file_type().is_fifo();
    if is_pipe && options.stop.is_some() { open_at_once(path) } else { File::open(path) }
}

#[cfg(not(unix))]
fn open_other(path: &Path, _: &InputOptions) -> io::Result<File> {
    File::open(path)
}

/// Returns standard input if it is a regular file. Returns `None` if it is open only for writing: [`io::Stdin`] then
/// reads an empty input.
#[cfg(unix)]
fn stdin_file() -> Option<File> {
    use rustix::fs::{OFlags, fcntl_getfl};
    let file = File::from(io::stdin().as_fd().try_clone_to_owned().ok()?);
    let is_readable = fcntl_getfl(&file).is_ok_and(|flags| flags & OFlags::ACCMODE != OFlags::WRONLY);
    (is_readable && file.metadata().is_ok_and(|metadata| metadata.is_file())).then_some(file)
}

#[cfg(not(unix))]
fn stdin_file() -> Option<File> {
    None
}

/// Wraps standard input or a named pipe. A read of the wrapped input ends when the command must stop.
#[cfg(unix)]
fn pipe<P: Read + AsFd + Send + 'static>(pipe: P, options: &InputOptions) -> Box<dyn Read + Send> {
    Box::new(Pipe { pipe, stop: options.stop.clone() })
}

#[cfg(not(unix))]
fn pipe<P: Read + Send + 'static>(pipe: P, _: &InputOptions) -> Box<dyn Read + Send> {
    Box::new(pipe)
}

/// Decodes an input. The returned input ends when the command must stop.
fn prepared(inner: Box<dyn Read + Send>, options: &InputOptions) -> Box<dyn Read + Send> {
    let inner: Box<dyn Read + Send> = match options.encoding {
        Some(encoding) => Box::new(Decoded::new(inner, encoding)),
        // `ByMark` is not used for a growing file, because the file may still lack the four bytes that `ByMark` needs.
        None if options.log.follow => inner,
        None => Box::new(ByMark::new(inner)),
    };
    #[cfg(unix)]
    if let Some(stop) = &options.stop {
        return Box::new(StoppableInput { inner, stop: stop.clone(), ends_itself: options.log.follow });
    }
    inner
}
