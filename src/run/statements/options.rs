//! Settings of a run, as plain values.

use std::sync::Arc;

use pgq::cache::AnswerCacheOptions;
use pgq::{FingerprintOptions, ParseOptions, PlaceholderStyle};
use pgq_log::RecordFilter;

use crate::run::input::StatementBatch;

/// Memory for results by text and by shape, of all jobs together, in bytes.
const TEXT_CACHE_BYTES: usize = 4 << 20;
const SHAPE_CACHE_BYTES: usize = 8 << 20;

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
    pub reports: LogReports,
}

/// What to report at the end of an input.
#[derive(Debug, Clone, Copy, Default)]
pub struct LogReports {
    /// Print counts of logs and caches.
    pub stats: bool,
    /// Lines that were not understood do not make the run fail.
    pub lenient: bool,
    /// A script that has more than statements makes the run fail: the output is a copy of it, and lacks the rest.
    pub must_be_whole: bool,
}

/// How results are written.
#[derive(Debug, Clone, Copy, Default)]
pub struct OutputOptions {
    /// JSON records instead of text.
    pub json: bool,
    /// Indent JSON.
    pub indented: bool,
    /// A row of a table for each result, instead of text.
    pub answers: Option<AnswerFormat>,
    /// Results follow the columns of the table that they are from, instead of the place of the statement.
    pub keep_columns: bool,
}

/// The format of a table of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerFormat {
    Csv,
    Tsv,
    Arrow,
    Parquet,
}

impl AnswerFormat {
    pub fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Tsv => "tsv",
            Self::Arrow => "Arrow",
            Self::Parquet => "Parquet",
        }
    }

    /// Whether it is not text.
    pub fn is_binary(self) -> bool {
        matches!(self, Self::Arrow | Self::Parquet)
    }
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
    /// The style of the placeholders to replace in a batch.
    pub fn placeholders_of(&self, batch: &StatementBatch<'_>) -> Option<PlaceholderStyle> {
        self.placeholders.or(batch.is_extension.then_some(PlaceholderStyle::Extension))
    }

    /// How the statements of a batch are parsed.
    pub fn parse_of(&self, batch: &StatementBatch<'_>) -> ParseOptions {
        let mut parse = self.parse;
        parse.backslash_escapes = batch.backslash_escapes.unwrap_or(parse.backslash_escapes);
        parse
    }

    /// Options of one job's cache. `by_text`: results depend on a statement's text alone.
    /// `by_shape`: results can be derived from its shape, with fingerprints of these options.
    pub fn cache_options(&self, by_text: bool, by_shape: Option<FingerprintOptions>) -> AnswerCacheOptions {
        let jobs = self.jobs.max(1);
        let mut cache = AnswerCacheOptions::default();
        if by_text && self.caches.by_text {
            cache.text_bytes = TEXT_CACHE_BYTES / jobs;
        }
        // The shape of text with placeholders differs from that of the parsed SQL, and shapes are known for the
        // parser's default options only.
        let shapes = self.caches.by_shape && self.placeholders.is_none() && self.parse.reads_by_default();
        if let Some(fingerprint) = by_shape.filter(|fingerprint| shapes && fingerprint.parse.reads_by_default()) {
            (cache.shape_bytes, cache.fingerprint) = (SHAPE_CACHE_BYTES / jobs, fingerprint);
        }
        cache
    }
}
