//! Results of the pipeline's workers. A result is the output and the report of a chunk, or an event that occurred while
//! the input was read.

use std::borrow::Cow;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use pgq::Error;
use pgq::secrets::{mask_in_place, mask_quoted, names_secret};
use pgq_log::LogStats;

use crate::run::input::StatementBatch;
use crate::run::report::{DiagnosticBuffer, DiagnosticStyle, Location, SourceText, placeholder_in_operator};

/// An event for the sink. The sink receives events in input order.
#[expect(clippy::large_enum_variant, reason = "there is only one value per chunk")]
pub enum JobEvent<T> {
    Output {
        file: Arc<str>,
        output: T,
        report: ChunkReport,
    },
    /// A notice about a file.
    Notice {
        file: Arc<str>,
        text: String,
    },
    /// A notice about skipped parts of a script.
    LeftOut {
        file: Arc<str>,
        text: String,
    },
    Unreadable {
        file: Arc<str>,
        problem: String,
    },
    /// The reason why the run must end at this file.
    Refused {
        file: Arc<str>,
        problem: String,
    },
    /// The end of a file. Omitted for a file whose first bytes could not be read.
    EndOfFile,
}

/// If an invalid statement contains secrets, a diagnostic shows at most this number of the statement's bytes. The
/// values in these bytes are masked.
const MAX_MASKED: usize = 16 << 10;

/// Diagnostics and counts of a chunk.
pub struct ChunkReport {
    pub diagnostics: DiagnosticBuffer,
    pub log: LogStats,
    pub caches: CacheStats,
    /// Whether the chunk is part of a script.
    pub is_script: bool,
    /// Whether the run ends after this chunk.
    pub stop: bool,
    /// Reason for failure of the run.
    pub fatal: Option<String>,
}

impl ChunkReport {
    /// Creates an empty report whose diagnostics will be printed in `style`.
    pub fn new(style: DiagnosticStyle) -> Self {
        let diagnostics = DiagnosticBuffer::new(style);
        Self {
            diagnostics,
            log: LogStats::default(),
            caches: CacheStats::default(),
            is_script: false,
            stop: false,
            fatal: None,
        }
    }

    /// Returns the approximate size in memory.
    pub fn weight(&self) -> usize {
        self.diagnostics.weight()
    }

    /// Adds the error of the statement at byte `start` of a batch.
    pub fn add_error(&mut self, batch: &StatementBatch<'_>, start: usize, error: &Error) {
        let offset = start + error.position.map_or(0, |position| position.offset);
        let location = Location::new(batch.file, batch.position(offset));
        let text = shown_text(&batch.bytes[start..]);
        let mut shown = error.clone();
        if let Cow::Owned(_) = text {
            shown.message = mask_quoted(&error.message);
        }
        let offset = (offset - start).min(text.len());
        self.diagnostics.error(&location, &shown, &[], SourceText { text: &text, offset });
    }

    /// Warns if an operator of a valid statement may be a placeholder. `range` is the statement's range in the batch.
    pub fn warn_of_placeholders(&mut self, batch: &StatementBatch<'_>, range: Range<usize>) {
        if self.diagnostics.hints_at_placeholders
            && !batch.is_extension
            && let Some((at, style)) = placeholder_in_operator(&batch.bytes[range.clone()])
        {
            let offset = range.start + at;
            let location = Location::new(batch.file, batch.position(offset));
            let text = shown_text(&batch.bytes[range]);
            let offset = at.min(text.len());
            self.diagnostics.placeholder_in_operator(&location, style, SourceText { text: &text, offset });
        }
    }

    /// Returns `Break` if the run ends after this chunk.
    pub fn flow(&self) -> ControlFlow<()> {
        if self.stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Returns the text of a statement that a diagnostic may show. If it may contain a secret, masks its values. Does not
/// return text before the statement, because another statement on the same line may contain a secret.
fn shown_text(statement: &[u8]) -> Cow<'_, [u8]> {
    let sql = String::from_utf8_lossy(statement);
    if !names_secret(&sql) {
        return statement.into();
    }
    mask_in_place(&sql[..sql.floor_char_boundary(MAX_MASKED)]).into_bytes().into()
}

/// Counts of cache lookups.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CacheStats {
    /// Number of statements looked up.
    pub statements: u64,
    /// Number of results that the cache found by the statement's text.
    pub by_text: u64,
    /// Number of results that the cache found by the statement's shape: its tokens without the values of literals.
    pub by_shape: u64,
}

impl CacheStats {
    pub fn add(&mut self, more: Self) {
        self.statements += more.statements;
        self.by_text += more.by_text;
        self.by_shape += more.by_shape;
    }
}
