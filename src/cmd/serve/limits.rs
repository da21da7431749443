//! The limits of the daemon. docs/serve.md states them all.

use std::time::Duration;

use anyhow::{Result, ensure};

/// Maximum bytes of answers that wait for a client. Above it, nothing is read from the client.
pub const WAITING_BYTES: usize = 1 << 20;

/// Size of an answer's frame, in bytes, after which a batch continues in another frame.
pub const FRAME_BYTES: usize = 256 << 10;

/// Most bytes of the answer to one text.
pub const ANSWER_BYTES: usize = 1 << 30;

/// Handles of a connection.
pub const HANDLES: usize = 4096;

/// How long answers may take to be written once the daemon is to stop.
pub const DRAIN_TIME: Duration = Duration::from_secs(10);

/// Bytes of a frame in addition to a statement of maximum length.
const FRAME_OVERHEAD: usize = 64 << 10;

/// PostgreSQL's parser takes texts up to this length.
const LONGEST_TEXT: usize = 1 << 30;

/// Limits that options set.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    pub max_statement_bytes: usize,
    pub max_connections: usize,
    pub idle: Option<Duration>,
}

impl Limits {
    /// # Errors
    /// A number out of range.
    pub fn new(max_statement_bytes: usize, max_connections: usize, idle: Option<Duration>) -> Result<Self> {
        ensure!(max_statement_bytes <= LONGEST_TEXT, "--max-statement-bytes of serve is at most 1GB");
        ensure!(idle != Some(Duration::ZERO), "--idle-timeout is more than 0");
        Ok(Self { max_statement_bytes, max_connections, idle })
    }

    /// Most that a frame's length may be; also most bytes of a JSON line.
    pub fn frame_bytes(&self) -> usize {
        self.max_statement_bytes + FRAME_OVERHEAD
    }
}
