//! Limits of the daemon, which docs/serve.md lists.

use std::time::Duration;

use anyhow::{Result, ensure};

/// Maximum bytes of unsent answers. At this limit, the daemon stops reading from the client.
pub const WAITING_BYTES: usize = 1 << 20;

/// When an answer frame has this many bytes, the batch continues in the next frame.
pub const FRAME_BYTES: usize = 256 << 10;

/// Maximum bytes of the answer to a request, or to one item of a batch.
pub const ANSWER_BYTES: usize = 1 << 30;

/// Maximum number of handles of a connection.
pub const HANDLES: usize = 4096;

/// Maximum time for writing answers during shutdown.
pub const DRAIN_TIME: Duration = Duration::from_secs(10);

/// Maximum bytes of a frame in addition to a statement of maximum length.
const FRAME_OVERHEAD: usize = 64 << 10;

/// Maximum length of SQL for PostgreSQL's parser.
const LONGEST_TEXT: usize = 1 << 30;

/// Configurable limits.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    pub max_statement_bytes: usize,
    pub max_connections: usize,
    pub idle: Option<Duration>,
}

impl Limits {
    /// # Errors
    /// A limit is out of range.
    pub fn new(max_statement_bytes: usize, max_connections: usize, idle: Option<Duration>) -> Result<Self> {
        ensure!(max_statement_bytes <= LONGEST_TEXT, "--max-statement-bytes of serve is at most 1GB");
        ensure!(idle != Some(Duration::ZERO), "--idle-timeout is more than 0");
        Ok(Self { max_statement_bytes, max_connections, idle })
    }

    /// Returns the maximum length of a frame or a JSON line.
    pub fn frame_bytes(&self) -> usize {
        self.max_statement_bytes + FRAME_OVERHEAD
    }
}
