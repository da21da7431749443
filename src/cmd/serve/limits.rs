//! Limits of the daemon, which docs/serve.md lists.

use std::time::Duration;

use anyhow::{Result, ensure};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

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

/// Maximum bytes of a frame or a JSON line without its SQL.
const FRAME_OVERHEAD: usize = 64 << 10;

/// Maximum length of SQL for PostgreSQL's parser.
const LONGEST_TEXT: usize = 1 << 30;

/// Maximum number of connections to which the daemon is sending a refusal at the same time.
pub const MAX_REFUSALS: usize = 16;

/// Maximum number of file descriptors of the daemon itself, of each connection, and of each session to PostgreSQL.
/// `SESSION_FILES` includes the descriptors of the thread that watches the session's client.
const OWN_FILES: usize = 64;
const CONNECTION_FILES: usize = 2;
const SESSION_FILES: usize = 4;

/// Configurable limits.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    pub max_statement_bytes: usize,
    pub max_connections: usize,
    /// Maximum number of sessions to PostgreSQL, of all connections together. Without this limit, the sessions of one
    /// client could use all file descriptors.
    pub max_sessions: usize,
    pub idle: Option<Duration>,
}

impl Limits {
    /// Checks the limits. Also raises the process's limit of open files as far as the system permits.
    ///
    /// # Errors
    /// A limit is out of range, or the limit of open files is too low.
    pub fn new(max_statement_bytes: usize, max_connections: usize, idle: Option<Duration>) -> Result<Self> {
        ensure!(max_statement_bytes <= LONGEST_TEXT, "--max-statement-bytes of serve must be at most 1GB");
        ensure!(idle != Some(Duration::ZERO), "--idle-timeout must be more than 0");
        let files = raise_open_files();
        let needed = OWN_FILES + CONNECTION_FILES * (max_connections + MAX_REFUSALS);
        ensure!(
            files >= needed,
            "{max_connections} connections need {needed} open files, and the system allows {files}: lower --max-connections, or \
             raise the limit (ulimit -n)"
        );
        Ok(Self { max_statement_bytes, max_connections, max_sessions: (files - needed) / SESSION_FILES, idle })
    }

    /// Returns the maximum length of a frame or a JSON line.
    pub fn frame_bytes(&self) -> usize {
        self.max_statement_bytes + FRAME_OVERHEAD
    }
}

/// Raises this process's limit of open files to the maximum, and returns the limit.
pub fn raise_open_files() -> usize {
    let maximum = getrlimit(Resource::Nofile).maximum;
    let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    getrlimit(Resource::Nofile).current.map_or(usize::MAX, |files| files as usize)
}
