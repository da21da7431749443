//! An opened input, and how much of it is read at once. Keeps nothing of what was read.

use std::io::{self, Read};

/// Bytes that one read asks for: little enough that a small file is work for several threads.
pub const READ_SIZE: usize = 256 * 1024;

/// The same of a file of which [`LARGE_FILE`] bytes have been read.
pub const LARGE_READ_SIZE: usize = 2 * READ_SIZE;
pub const LARGE_FILE: u64 = 16 << 20;

/// An input, and the target of its reads where they may give little: then only the bytes that were read are
/// copied to the buffer, and no memory is zeroed for them.
pub struct OpenInput {
    input: Box<dyn Read + Send>,
    /// Empty until it is needed.
    scratch: Vec<u8>,
    /// Bytes that were read in place.
    read: u64,
}

impl OpenInput {
    pub fn new(input: Box<dyn Read + Send>) -> Self {
        Self { input, scratch: Vec::new(), read: 0 }
    }

    /// Bytes that the next read in place asks for.
    pub fn read_size(&self) -> usize {
        if self.read < LARGE_FILE { READ_SIZE } else { LARGE_READ_SIZE }
    }

    /// Reads to the end of `buffer`: how many bytes.
    ///
    /// # Errors
    /// A failed read.
    pub fn read_in_place(&mut self, buffer: &mut Vec<u8>) -> io::Result<usize> {
        let held = buffer.len();
        buffer.resize(held + self.read_size(), 0);
        let read = read_some(&mut self.input, &mut buffer[held..]);
        buffer.truncate(held + read.as_ref().copied().unwrap_or(0));
        self.read += read.as_ref().copied().unwrap_or(0) as u64;
        read
    }

    /// Reads apart: how many bytes, which are then those of [`Self::bytes`].
    ///
    /// # Errors
    /// A failed read.
    pub fn read_apart(&mut self) -> io::Result<usize> {
        self.scratch.resize(READ_SIZE, 0);
        read_some(&mut self.input, &mut self.scratch)
    }

    /// The first bytes of the last read apart.
    pub fn bytes(&self, count: usize) -> &[u8] {
        &self.scratch[..count]
    }
}

/// A read that no signal interrupts.
fn read_some(input: &mut impl Read, target: &mut [u8]) -> io::Result<usize> {
    loop {
        match input.read(target) {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}
