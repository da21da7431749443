//! What the pipeline's workers produce: the output of a chunk with a report, or an event of
//! reading the input.

use std::ops::ControlFlow;
use std::sync::Arc;

use pgq::Error;
use pgq_log::LogStats;

use crate::run::input::StatementBatch;
use crate::run::report::{DiagnosticBuffer, DiagnosticStyle, Location, SourceText};

/// What a sink receives, in the order of the input.
#[expect(clippy::large_enum_variant, reason = "there is one for a chunk")]
pub enum Event<T> {
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
    Unreadable {
        file: Arc<str>,
        problem: String,
    },
    /// A file has ended, and at least its first bytes could be read.
    EndOfFile,
}

/// What is reported about a chunk, besides its output.
pub struct ChunkReport {
    pub diagnostics: DiagnosticBuffer,
    pub log: LogStats,
    pub caches: CacheStats,
    /// The run ends after this chunk.
    pub stop: bool,
}

impl ChunkReport {
    /// An empty report, whose diagnostics are rendered in `style`.
    pub fn new(style: DiagnosticStyle) -> Self {
        let diagnostics = DiagnosticBuffer::new(style);
        Self { diagnostics, log: LogStats::default(), caches: CacheStats::default(), stop: false }
    }

    /// Size in memory, in bytes.
    pub fn weight(&self) -> usize {
        self.diagnostics.weight()
    }

    /// Adds the error of the statement that begins at byte `start` of a batch.
    pub fn add_error(&mut self, batch: &StatementBatch<'_>, start: usize, error: &Error) {
        let offset = start + error.position.map_or(0, |position| position.offset);
        let location = Location::new(batch.file, batch.position(offset));
        self.diagnostics.error(&location, error, &[], SourceText { text: batch.bytes, offset });
    }

    /// `Break` if the run ends after this chunk.
    pub fn flow(&self) -> ControlFlow<()> {
        if self.stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Counts of cache lookups.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CacheStats {
    /// Statements that were looked up.
    pub statements: u64,
    /// Results found by text.
    pub by_text: u64,
    /// Results derived from the shape.
    pub by_shape: u64,
}

impl CacheStats {
    pub fn add(&mut self, more: Self) {
        self.statements += more.statements;
        self.by_text += more.by_text;
        self.by_shape += more.by_shape;
    }
}
