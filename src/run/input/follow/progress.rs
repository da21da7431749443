//! Records how much of a file was read, and recognizes copies of the file.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek};
use std::path::Path;

/// Maximum number of bytes at the start of two files that are compared to recognize a copy of the same log.
const COMPARED: usize = 4096;

/// The part of a file that was already read, or that must be skipped.
#[derive(Default, PartialEq)]
pub struct Progress {
    /// Length of this part in bytes.
    pub position: u64,
    /// The first bytes, at most [`COMPARED`].
    head: Vec<u8>,
}

impl Progress {
    /// Returns the progress at the end of a file that was written before this run. The current content of the file is
    /// skipped. Returns `None` for a pipe, because opening a pipe may block.
    pub fn of_old_file(path: &Path) -> Option<Self> {
        let position = std::fs::metadata(path).ok().filter(Metadata::is_file)?.len();
        let mut head = Vec::new();
        File::open(path).ok()?.take(COMPARED as u64).read_to_end(&mut head).ok()?;
        Some(Self { position, head })
    }

    pub fn advance(&mut self, read: &[u8]) {
        self.position += read.len() as u64;
        let missing = COMPARED.saturating_sub(self.head.len());
        self.head.extend(&read[..missing.min(read.len())]);
    }

    /// Whether enough bytes were read to recognize a copy by them alone.
    pub fn has_whole_head(&self) -> bool {
        self.head.len() == COMPARED
    }

    /// Returns whether `file` may have the same content as the file that `self` describes. This is the case if it
    /// begins with the bytes `self.head`, or if it is shorter and consists of a prefix of these bytes.
    pub fn fits(&self, file: &mut File) -> io::Result<bool> {
        let mut start = Vec::with_capacity(self.head.len());
        file.rewind()?;
        file.take(self.head.len() as u64).read_to_end(&mut start)?;
        Ok(self.head.starts_with(&start))
    }
}
