//! Records that end in a byte: one statement a line, or NUL between them.

use std::io;

use super::script::Longest;
use pgq_log::BeforeWait;

use super::source::more;
use super::{Cursor, Reader};

/// Bytes after which a chunk is handed on.
const ENOUGH: usize = 64 * 1024;

/// Whole records, each with its delimiter but perhaps the last.
#[derive(Debug)]
pub struct Delimited {
    pub bytes: Vec<u8>,
    /// The place of the first byte.
    pub start: Cursor,
    pub delimiter: u8,
}

impl Delimited {
    /// Each record without its delimiter, and its place. Blank ones are nothing.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], Cursor)> {
        let mut at = self.start;
        let parts = self.bytes.split_inclusive(|byte| *byte == self.delimiter);
        let placed = parts.map(move |part| {
            let start = at;
            at = at.after(part);
            let record = part.strip_suffix(&[self.delimiter]).unwrap_or(part);
            (record.strip_suffix(b"\r").unwrap_or(record), start)
        });
        placed.filter(|(record, _)| !record.iter().all(u8::is_ascii_whitespace))
    }
}

/// Cuts an input into chunks of records.
pub struct Records {
    delimiter: u8,
    longest: Longest,
    at: Cursor,
    /// Bytes of the buffer that hold no delimiter.
    searched: usize,
}

impl Records {
    pub fn new(delimiter: u8, longest: Longest) -> Self {
        Self { delimiter, longest, at: Cursor::default(), searched: 0 }
    }

    /// The next records; `None` at the end.
    ///
    /// # Errors
    /// A failed read.
    pub fn next(&mut self, reader: &mut Reader, before_wait: BeforeWait<'_>) -> io::Result<Option<Delimited>> {
        loop {
            if let Some(end) = self.end(reader) {
                let start = self.at;
                let bytes = reader.bytes()[..end].to_vec();
                reader.consume(end);
                self.at = start.after(&bytes);
                self.searched = 0;
                return Ok(Some(Delimited { bytes, start, delimiter: self.delimiter }));
            }
            self.longest.check(reader.bytes(), self.at)?;
            self.searched = reader.bytes().len();
            if !more(reader, &mut self.at, before_wait)? {
                return Ok(None);
            }
            self.searched = self.searched.min(reader.bytes().len()); // a byte order mark went
        }
    }

    /// Where the records that are complete end, or the first of them that fill a chunk.
    fn end(&self, reader: &Reader) -> Option<usize> {
        let bytes = reader.bytes();
        let window = &bytes[self.searched..bytes.len().min(self.searched + ENOUGH)];
        if let Some(at) = memchr::memrchr(self.delimiter, window) {
            return Some(self.searched + at + 1);
        }
        let rest = self.searched + window.len();
        if let Some(at) = memchr::memchr(self.delimiter, &bytes[rest..]) {
            return Some(rest + at + 1);
        }
        (reader.is_complete() && !bytes.is_empty()).then_some(bytes.len())
    }
}
