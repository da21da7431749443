//! Limits the length of a statement while the statement is read. Without the limit, a statement without an end (for
//! example because of an unclosed quote) would consist of the whole rest of the file, and fill the memory.

use std::io;

use pgq_log::FilePosition;

/// Maximum bytes of a statement.
#[derive(Debug, Clone, Copy)]
pub struct MaxStatementBytes(pub usize);

impl MaxStatementBytes {
    /// A statement that exceeds the limit is still read up to this multiple of the limit. If the statement's end is
    /// found, only this statement is an error. Otherwise the rest of the file is not read.
    const TOLERANCE: usize = 4;

    /// Checks the length of a statement whose end is not read yet. `buffered` is the part that was read, which starts
    /// at `start`.
    ///
    /// # Errors
    /// `buffered` is longer than the limit times `TOLERANCE`.
    pub fn check(self, buffered: &[u8], start: FilePosition) -> io::Result<()> {
        let most = self.0.saturating_mul(Self::TOLERANCE);
        if buffered.len() <= most {
            return Ok(());
        }
        let line = start.line;
        let message = format!(
            "the statement that begins on line {line} does not end within {most} bytes; the rest is not read (see \
             --max-statement-bytes)"
        );
        Err(io::Error::new(io::ErrorKind::InvalidData, message))
    }
}
