//! Splits an input into records at a delimiter. A record is a line, or a statement that ends with a NUL byte.

use std::io;

use pgq_log::{BeforeWait, ByteSource, FilePosition};

use super::limit::MaxStatementBytes;
use super::reader::Reader;

/// Maximum bytes of a chunk. A chunk may be larger if it has only one record.
const CHUNK_BYTES: usize = 64 * 1024;

/// Whole records with their delimiters. The last record of a file may have no delimiter.
#[derive(Debug)]
pub struct DelimitedRecords {
    pub bytes: Vec<u8>,
    /// Position of the first byte.
    pub start: FilePosition,
    pub delimiter: u8,
}

impl DelimitedRecords {
    /// Iterates over records without their delimiters, with their positions. Skips blank records.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], FilePosition)> {
        let mut position = self.start;
        let parts = self.bytes.split_inclusive(|byte| *byte == self.delimiter);
        let records = parts.map(move |part| {
            let start = position;
            position = position.after(part);
            let record = part.strip_suffix(&[self.delimiter]).unwrap_or(part);
            (record.strip_suffix(b"\r").unwrap_or(record), start)
        });
        records.filter(|(record, _)| !record.iter().all(u8::is_ascii_whitespace))
    }
}

/// Splits an input into chunks of records.
pub struct RecordSplitter {
    delimiter: u8,
    max_statement_bytes: MaxStatementBytes,
    /// Position of the next record.
    pub position: FilePosition,
    /// Number of bytes at the start of the buffer that were already searched. They contain no delimiter.
    searched: usize,
}

impl RecordSplitter {
    pub fn new(delimiter: u8, max_statement_bytes: MaxStatementBytes) -> Self {
        Self { delimiter, max_statement_bytes, position: FilePosition::default(), searched: 0 }
    }

    /// Returns the next records, or `None` at the end.
    ///
    /// # Errors
    /// Reading fails, or a record is much longer than the limit.
    pub fn next(&mut self, reader: &mut Reader, before_wait: BeforeWait<'_>) -> io::Result<Option<DelimitedRecords>> {
        loop {
            if let Some(end) = self.chunk_end(reader) {
                let start = self.position;
                let bytes = reader.bytes()[..end].to_vec();
                reader.consume(end);
                self.position = start.after(&bytes);
                self.searched = 0;
                return Ok(Some(DelimitedRecords { bytes, start, delimiter: self.delimiter }));
            }
            self.max_statement_bytes.check(reader.bytes(), self.position)?;
            self.searched = reader.bytes().len();
            if !reader.read_more(&mut self.position, before_wait)? {
                return Ok(None);
            }
            self.searched = self.searched.min(reader.bytes().len()); // skipping a byte order mark makes the buffer shorter
        }
    }

    /// Returns the end of the last record that fits in a chunk. If no record fits, returns the end of the first record.
    fn chunk_end(&self, reader: &Reader) -> Option<usize> {
        let bytes = reader.bytes();
        let window = &bytes[self.searched..bytes.len().min(self.searched + CHUNK_BYTES)];
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
