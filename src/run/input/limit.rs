//! The limit on the length of a statement, while its end is still to be found.

use std::io;

use pgq_log::FilePosition;

/// Most bytes that a statement may have.
#[derive(Debug, Clone, Copy)]
pub struct MaxStatementBytes(pub usize);

impl MaxStatementBytes {
    /// A statement above the limit is still read up to this multiple of the limit, so that it is reported alone and
    /// reading continues after it.
    const TOLERANCE: usize = 4;

    /// Checks `buffered`, the beginning of a statement at `start` whose end has not been read.
    ///
    /// # Errors
    /// The buffer is larger than the tolerance.
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
