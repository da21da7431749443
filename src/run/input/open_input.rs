//! An open input, and the choice of the number of bytes per read.

use std::io::{self, Read};

/// Bytes of the first read. Zeroing a larger buffer would cost page faults, which matter for a short script. Each later
/// read requests as many bytes as all earlier reads together, up to the maximum.
const FIRST_READ_SIZE: usize = 8 * 1024;

/// Maximum bytes per read in the first [`LARGE_FILE`] bytes of an input. It is small enough for several threads to
/// share the work of a small file.
const READ_SIZE: usize = 256 * 1024;

/// Bytes per read after the first [`LARGE_FILE`] bytes of an input.
const LARGE_READ_SIZE: usize = 2 * READ_SIZE;
const LARGE_FILE: u64 = 16 << 20;

/// Spare capacity of the buffer after a read. It is used by the parser, which appends data to the buffer, for example
/// the SQL that it extracts from logged plans.
const SPARE: usize = 16 * 1024;

/// An input with a reusable read buffer, which is zeroed only once. The bytes of each read are copied from this buffer.
pub struct OpenInput {
    input: Box<dyn Read + Send>,
    target: Vec<u8>,
    /// Total bytes read.
    read: u64,
    /// Whether the most recent read filled its buffer. This is usual for large files.
    is_plentiful: bool,
}

impl OpenInput {
    pub fn new(input: Box<dyn Read + Send>) -> Self {
        Self { input, target: Vec::new(), read: 0, is_plentiful: false }
    }

    /// Reserves memory for a read. Must be called by the thread that parses the bytes, because the allocator then
    /// reuses memory that this thread has just freed. Such memory is still in the CPU cache.
    pub fn make_room(&self, buffer: &mut Vec<u8>) {
        buffer.reserve(self.size() + SPARE);
    }

    /// Whether [`Self::read_behind`] is faster than [`Self::read`]. After `read`, the caller must copy the bytes.
    /// `read_behind` needs no copy, but zeroes all bytes that it requests. Therefore `read_behind` is faster only if a
    /// read returns all requested bytes.
    pub fn is_plentiful(&self) -> bool {
        self.is_plentiful
    }

    /// Reads once, and returns the number of bytes. [`Self::bytes`] returns the bytes. If a signal interrupts the read,
    /// reads again.
    ///
    /// # Errors
    /// Reading fails.
    pub fn read(&mut self) -> io::Result<usize> {
        let mut target = std::mem::take(&mut self.target);
        target.resize(self.size(), 0);
        let read = self.read_into(&mut target);
        self.target = target;
        read
    }

    /// Like [`Self::read`], but appends the bytes to a buffer.
    ///
    /// # Errors
    /// Reading fails.
    pub fn read_behind(&mut self, buffer: &mut Vec<u8>) -> io::Result<usize> {
        let held = buffer.len();
        buffer.resize(held + self.size(), 0);
        let read = self.read_into(&mut buffer[held..]);
        buffer.truncate(held + read.as_ref().map_or(0, |count| *count));
        read
    }

    /// Returns the number of bytes that the next read requests.
    fn size(&self) -> usize {
        match self.read {
            read @ 0..LARGE_FILE => (read as usize).clamp(FIRST_READ_SIZE, READ_SIZE),
            _ => LARGE_READ_SIZE,
        }
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

    /// Returns the first `count` bytes of the most recent [`Self::read`].
    pub fn bytes(&self, count: usize) -> &[u8] {
        &self.target[..count]
    }
}
