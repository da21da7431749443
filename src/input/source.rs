//! Files and standard input, opened and read in growing gulps.

use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Result, bail};
use pgq_log::{BeforeWait, ByteSource};

use super::Cursor;
use super::compressed::Decompressed;
use super::follow::Follower;
use crate::output::progress::Counted;

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

    /// Bytes that there are to read, if that is known.
    pub fn len(&self) -> Option<u64> {
        let metadata = std::fs::metadata(self.path.as_ref()?).ok()?;
        metadata.is_file().then_some(metadata.len())
    }

    /// # Errors
    /// What keeps it from being read.
    pub fn open(&self) -> io::Result<Reader> {
        let inner: Box<dyn Read + Send> = match &self.path {
            None => Box::new(Counted::new(io::stdin())),
            Some(path) => {
                let file = File::open(path)?;
                if file.metadata()?.is_dir() {
                    return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory, where a file is meant"));
                }
                Box::new(Counted::new(file))
            }
        };
        Ok(Reader::new(Box::new(Decompressed::new(inner))))
    }

    /// Opens a file that goes on growing.
    ///
    /// # Errors
    /// What keeps it from being read.
    pub fn follow(&self) -> io::Result<Reader> {
        let Some(path) = &self.path else { return self.open() };
        let (follower, rotated) = Follower::open(path)?;
        Ok(Reader { rotated: Some(rotated), ..Reader::new(Box::new(follower)) })
    }
}

/// Bytes held from which a read must add as much again.
const MUCH: usize = 1 << 20;

/// Bytes that are asked for at once.
const GULP: usize = 256 * 1024;

/// An open input and what of it has been read and not yet used.
pub struct Reader {
    inner: Box<dyn Read + Send>,
    buffer: Vec<u8>,
    /// Bytes at the start of the buffer that are done with.
    used: usize,
    /// Where a read goes first: only what it gave is ever written to the buffer.
    gulp: Box<[u8]>,
    done: bool,
    /// The first bytes were read and are not known to be anything but text.
    started: bool,
    /// Set when a file that is followed begins anew.
    rotated: Option<Arc<AtomicBool>>,
}

impl Reader {
    /// Whether reading got as far as the first bytes.
    pub fn has_started(&self) -> bool {
        self.started
    }

    fn new(inner: Box<dyn Read + Send>) -> Self {
        let gulp = vec![0; GULP].into_boxed_slice();
        Self { inner, buffer: Vec::new(), used: 0, gulp, done: false, started: false, rotated: None }
    }

    /// Whether what the last read gave is the start of a new file.
    pub fn take_rotated(&mut self) -> bool {
        self.rotated.as_ref().is_some_and(|rotated| rotated.swap(false, Ordering::Relaxed))
    }

    /// Bytes read and not yet used.
    pub fn bytes(&self) -> &[u8] {
        &self.buffer[self.used..]
    }

    /// Whether `bytes` is all that is left.
    pub fn is_complete(&self) -> bool {
        self.done
    }

    /// Forgets the first `count` bytes.
    pub fn consume(&mut self, count: usize) {
        self.used += count;
        debug_assert!(self.used <= self.buffer.len());
    }

    fn forget(&mut self) {
        self.buffer.drain(..self.used);
        self.used = 0;
    }

    /// Hands over the first `count` bytes.
    pub fn take(&mut self, count: usize) -> Vec<u8> {
        self.forget();
        let mut rest = Vec::with_capacity(self.buffer.len() - count + GULP);
        rest.extend_from_slice(&self.buffer[count..]);
        let mut taken = std::mem::replace(&mut self.buffer, rest);
        taken.truncate(count);
        taken
    }

    /// Reading has failed: what was read before is all there is.
    pub fn give_up(&mut self) {
        self.done = true;
    }

    /// Reads more. While much is held (a long statement, not yet complete) it reads as much
    /// again before it returns, however little a read gives: what is held is looked at
    /// anew after each call. A file that is followed and rests gives nothing, and is not
    /// complete.
    ///
    /// # Errors
    /// A failed read, or text in UTF-16.
    pub fn fill(&mut self, before_wait: BeforeWait<'_>) -> io::Result<()> {
        self.forget();
        let held = self.buffer.len();
        let enough = if held < MUCH { held + 1 } else { 2 * held };
        while self.buffer.len() < enough && !self.done {
            before_wait();
            let read = loop {
                match self.inner.read(&mut self.gulp) {
                    Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                    result => break result,
                }
            };
            match read {
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => return Ok(()), // a file that is followed rests
                Err(e) => return Err(e),
                Ok(read) => {
                    self.buffer.extend_from_slice(&self.gulp[..read]);
                    self.done = read == 0;
                }
            }
        }
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

impl ByteSource for Reader {
    fn bytes(&self) -> &[u8] {
        self.bytes()
    }

    fn is_complete(&self) -> bool {
        self.is_complete()
    }

    fn fill(&mut self, before_wait: BeforeWait<'_>) -> io::Result<()> {
        self.fill(before_wait)
    }

    fn consume(&mut self, count: usize) {
        self.consume(count);
    }

    fn take(&mut self, count: usize) -> Vec<u8> {
        self.take(count)
    }

    fn take_rotated(&mut self) -> bool {
        self.take_rotated()
    }

    fn give_up(&mut self) {
        self.give_up();
    }
}

/// Reads on; false at the end of the file. A byte order mark is stepped over.
pub fn more(reader: &mut Reader, at: &mut Cursor, before_wait: BeforeWait<'_>) -> io::Result<bool> {
    if reader.is_complete() {
        return Ok(false);
    }
    reader.fill(before_wait)?;
    if *at == Cursor::default() && reader.bytes().starts_with(b"\xEF\xBB\xBF") {
        reader.consume(3); // it is no part of the first line
        at.offset = 3;
    }
    Ok(true)
}
