//! Files and standard input, opened and read in growing gulps.

use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

/// One input, not yet opened.
pub struct Source {
    path: Option<PathBuf>,
    name: String,
}

/// The inputs that the arguments name; standard input where they name none.
///
/// # Errors
/// No file is named and standard input is a terminal: nobody is going to type a script.
pub fn sources(files: &[PathBuf]) -> Result<Vec<Source>> {
    if files.is_empty() && io::stdin().is_terminal() {
        bail!("no input: name a file, or pipe SQL to standard input (`-` reads the terminal)");
    }
    if files.is_empty() {
        return Ok(vec![Source::stdin()]);
    }
    Ok(files.iter().map(|path| if path == Path::new("-") { Source::stdin() } else { Source::file(path) }).collect())
}

impl Source {
    fn stdin() -> Self {
        Self { path: None, name: "<stdin>".into() }
    }

    /// A file by its path.
    pub fn file(path: &Path) -> Self {
        Self { path: Some(path.to_path_buf()), name: path.to_string_lossy().into_owned() }
    }

    /// What messages and records call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// # Errors
    /// What keeps it from being read.
    pub fn open(&self) -> io::Result<Reader> {
        let inner: Box<dyn Read> = match &self.path {
            None => Box::new(io::stdin()),
            Some(path) => {
                let file = File::open(path)?;
                if file.metadata()?.is_dir() {
                    return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory, where a file is meant"));
                }
                Box::new(file)
            }
        };
        Ok(Reader { inner, buffer: Vec::new(), done: false, gulp: FIRST_GULP, started: false })
    }
}

/// Bytes of the first read; later ones grow with what has to be held.
const FIRST_GULP: usize = 64 * 1024;

/// An open input and what of it has been read and not yet used.
pub struct Reader {
    inner: Box<dyn Read>,
    buffer: Vec<u8>,
    done: bool,
    gulp: usize,
    /// The first bytes were read and are not known to be anything but text.
    started: bool,
}

impl Reader {
    /// Whether reading got as far as the first bytes.
    pub fn has_started(&self) -> bool {
        self.started
    }

    /// Bytes read and not yet used.
    pub fn bytes(&self) -> &[u8] {
        &self.buffer
    }

    /// Whether `bytes` is all that is left.
    pub fn is_complete(&self) -> bool {
        self.done
    }

    /// Forgets the first `count` bytes.
    pub fn consume(&mut self, count: usize) {
        self.buffer.drain(..count);
        self.gulp = FIRST_GULP;
    }

    /// Reads more. Each call without a [`consume`](Self::consume) between reads twice as
    /// much, so that a statement of any length is looked at a few times only.
    ///
    /// # Errors
    /// A failed read, or text in UTF-16.
    pub fn fill(&mut self) -> io::Result<()> {
        let held = self.buffer.len();
        self.buffer.resize(held + self.gulp, 0);
        let read = loop {
            match self.inner.read(&mut self.buffer[held..]) {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                result => break result,
            }
        };
        self.buffer.truncate(held + *read.as_ref().unwrap_or(&0));
        self.done = read? == 0;
        self.gulp = self.gulp.max(self.buffer.len());
        self.check_start()
    }

    /// The first bytes may say that this is not UTF-8 at all.
    fn check_start(&mut self) -> io::Result<()> {
        if self.started || (self.buffer.len() < 3 && !self.done) {
            return Ok(());
        }
        match self.buffer.as_slice() {
            [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => {
                let message = "is UTF-16 by its byte order mark; convert it to UTF-8 first (iconv -f UTF-16 -t UTF-8)";
                Err(io::Error::new(io::ErrorKind::InvalidData, message))
            }
            _ => {
                self.started = true;
                Ok(())
            }
        }
    }
}
