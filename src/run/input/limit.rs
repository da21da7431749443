//! Limits the length of a statement while its end is unread.

use std::io;

use pgq_log::FilePosition;

/// Maximum bytes of a statement.
#[derive(Debug, Clone, Copy)]
pub struct MaxStatementBytes(pub usize);

impl MaxStatementBytes {
    /// Statements above the limit are read up to this multiple of it. The error then affects only that statement, and
    /// reading continues after it.
    const TOLERANCE: usize = 4;

    /// Checks `buffered`, the part that is read of a statement at `start`.
    ///
    /// # Errors
    /// The part is longer than the tolerance.
    pub fn check(self, buffered: &[u8], start: FilePosition) -> io::Result<()> {
        let most = self.0.saturating_mul(Self::TOLERANCE);
        if buffered.len() <= most {
            return Ok(());
        }
        let line = start.line;
        let message = format!(
            "what begins on line {line} does not end within {most} bytes; the rest is not read (see --max-statement-bytes)"
        );
        Err(io::Error::new(io::ErrorKind::InvalidData, message))
    }
}
