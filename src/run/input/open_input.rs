//! An opened input, and how much of it to read at once. Buffers nothing.

use std::io::{self, Read};

/// Bytes that one read asks for: little enough that a small file is work for several threads.
const READ_SIZE: usize = 256 * 1024;

/// The same of an input of which [`LARGE_FILE`] bytes have been read.
const LARGE_READ_SIZE: usize = 2 * READ_SIZE;
const LARGE_FILE: u64 = 16 << 20;

/// Spare capacity after the bytes of a read, for what parsing a chunk appends, such as the SQL of plans.
const SPARE: usize = 16 * 1024;

/// An input, and the target of its reads. Only the bytes read are copied from there, so that short reads zero no
/// memory.
pub struct OpenInput {
    input: Box<dyn Read + Send>,
    target: Vec<u8>,
    /// Bytes that have been read.
    read: u64,
    /// Whether the last read filled its buffer, as with a large file.
    is_plentiful: bool,
}

impl OpenInput {
    pub fn new(input: Box<dyn Read + Send>) -> Self {
        Self { input, target: Vec::new(), read: 0, is_plentiful: false }
    }

    /// Makes room for a read. The thread that parses the bytes calls this, so that it allocates memory that it freed
    /// last, which is still in its cache.
    pub fn make_room(&self, buffer: &mut Vec<u8>) {
        buffer.reserve(self.size() + SPARE);
    }

    /// Whether [`Self::read_behind`] takes less time than a copy: it zeroes memory for as much as it asks for.
    pub fn is_plentiful(&self) -> bool {
        self.is_plentiful
    }

    /// Reads, and is interrupted by no signal: how many bytes, which are then those of [`Self::bytes`].
    ///
    /// # Errors
    /// A failed read.
    pub fn read(&mut self) -> io::Result<usize> {
        let mut target = std::mem::take(&mut self.target);
        target.resize(self.size(), 0);
        let read = self.read_into(&mut target);
        self.target = target;
        read
    }

    /// As [`Self::read`], but appends the bytes to a buffer.
    ///
    /// # Errors
    /// A failed read.
    pub fn read_behind(&mut self, buffer: &mut Vec<u8>) -> io::Result<usize> {
        let held = buffer.len();
        buffer.resize(held + self.size(), 0);
        let read = self.read_into(&mut buffer[held..]);
        buffer.truncate(held + read.as_ref().map_or(0, |count| *count));
        read
    }

    /// How many bytes the next read asks for.
    fn size(&self) -> usize {
        if self.read < LARGE_FILE { READ_SIZE } else { LARGE_READ_SIZE }
    }

    fn read_into(&mut self, target: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.input.read(target) {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
                Ok(count) => {
                    self.read += count as u64;
                    self.is_plentiful = count == target.len();
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
