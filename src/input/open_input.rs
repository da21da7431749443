//! An opened input, and how much of it is read at once. Keeps nothing of what was read.

use std::io::{self, Read};

/// Bytes that one read asks for: little enough that a small file is work for several threads.
const READ_SIZE: usize = 256 * 1024;

/// The same of an input of which [`LARGE_FILE`] bytes have been read.
pub const LARGE_READ_SIZE: usize = 2 * READ_SIZE;
const LARGE_FILE: u64 = 16 << 20;

/// An input, and the target of its reads. Only the bytes that were read are copied from there, so no memory is
/// zeroed for reads that give little.
pub struct OpenInput {
    input: Box<dyn Read + Send>,
    target: Vec<u8>,
    /// Bytes that have been read.
    read: u64,
}

impl OpenInput {
    pub fn new(input: Box<dyn Read + Send>) -> Self {
        Self { input, target: Vec::new(), read: 0 }
    }

    /// Reads, and is interrupted by no signal: how many bytes, which are then those of [`Self::bytes`].
    ///
    /// # Errors
    /// A failed read.
    pub fn read(&mut self) -> io::Result<usize> {
        self.target.resize(if self.read < LARGE_FILE { READ_SIZE } else { LARGE_READ_SIZE }, 0);
        loop {
            match self.input.read(&mut self.target) {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
                Ok(count) => {
                    self.read += count as u64;
                    return Ok(count);
                }
            }
        }
    }

    /// The first bytes of the last read.
    pub fn bytes(&self, count: usize) -> &[u8] {
        &self.target[..count]
    }
}
