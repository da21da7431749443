//! Settings of a run: plain options, however they were given.

use std::sync::Arc;

use pgq::{Error, ParseOptions, PlaceholderStyle};
use pgq_log::RecordFilter;

/// Settings of a run, the same for all jobs.
#[derive(Clone)]
pub struct RunOptions {
    /// Number of threads.
    pub jobs: usize,
    pub output: OutputOptions,
    /// Stop at the first invalid statement.
    pub fail_fast: bool,
    pub parse: ParseOptions,
    /// Style of the placeholders to replace by parameters.
    pub placeholders: Option<PlaceholderStyle>,
    /// Most bytes that a statement may have.
    pub max_statement_bytes: usize,
    pub caches: CacheOptions,
    /// Which records of logs are processed.
    pub filter: Arc<RecordFilter>,
    /// Print counts of logs and caches at the end.
    pub stats: bool,
}

/// How results are written.
#[derive(Debug, Clone, Copy, Default)]
pub struct OutputOptions {
    /// JSON records instead of text.
    pub json: bool,
    /// Indent JSON.
    pub indented: bool,
}

/// Which caches may be used.
#[derive(Debug, Clone, Copy, Default)]
pub struct CacheOptions {
    /// Results by the text of a statement.
    pub by_text: bool,
    /// Results by the shape of a statement: its tokens, without the values of its literals.
    pub by_shape: bool,
}

impl RunOptions {
    /// Whether results may be kept by shape.
    pub fn caches_shapes(&self) -> bool {
        // The shape of a text with placeholders is not that of the SQL that is parsed.
        self.caches.by_shape && self.placeholders.is_none()
    }
}

/// Checks the length of a statement.
///
/// # Errors
/// It has more than `max` bytes. The message names the option that sets the limit.
pub fn check_statement_length(bytes: usize, max: usize) -> Result<(), Error> {
    if bytes <= max {
        return Ok(());
    }
    let message = format!("the statement is {bytes} bytes long; --max-statement-bytes allows {max}");
    Err(Error { message, ..Error::too_long(bytes, max) })
}
