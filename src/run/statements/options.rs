//! Options of a run as plain values.

use std::sync::Arc;

use pgq::cache::AnswerCacheOptions;
use pgq::{FingerprintOptions, ParseOptions, PlaceholderStyle};
use pgq_log::RecordFilter;

use crate::run::input::{KeptColumns, StatementBatch};

/// Cache sizes in bytes, over all jobs: results by text, and results by shape.
const TEXT_CACHE_BYTES: usize = 4 << 20;
const SHAPE_CACHE_BYTES: usize = 8 << 20;

/// Options of a run, equal for all jobs.
#[derive(Clone)]
pub struct RunOptions {
    /// Number of threads.
    pub jobs: usize,
    pub output: OutputOptions,
    /// Stop at the first invalid statement.
    pub fail_fast: bool,
    pub parse: ParseOptions,
    /// Style of the placeholders to replace by `$n`.
    pub placeholders: Option<PlaceholderStyle>,
    /// Maximum bytes of a statement.
    pub max_statement_bytes: usize,
    pub caches: CacheOptions,
    /// Filter for the records of logs.
    pub filter: Arc<RecordFilter>,
    pub reports: LogReports,
}

/// Reports at the end of an input.
#[derive(Debug, Clone, Copy, Default)]
pub struct LogReports {
    /// Print counts of logs and caches.
    pub stats: bool,
    /// Do not fail if lines of a log were not understood.
    pub lenient: bool,
    /// Fail if a script has parts other than statements, because the output replaces the script and would lack them.
    pub must_be_whole: bool,
}

/// Format of the results.
#[derive(Debug, Clone, Copy, Default)]
pub struct OutputOptions {
    /// JSON records instead of text.
    pub json: bool,
    /// Indent JSON.
    pub indented: bool,
    /// Write table rows instead of text.
    pub answers: Option<AnswerFormat>,
    /// Add results to the columns of the input table, instead of writing the statement's position.
    pub keep_columns: bool,
    /// Mask what the messages of errors quote.
    pub anonymize: bool,
}

impl OutputOptions {
    /// Returns the columns to keep of input tables.
    pub fn kept(&self) -> KeptColumns {
        match self.answers {
            _ if !self.keep_columns => KeptColumns::None,
            Some(format) if format.is_binary() => KeptColumns::Columnar,
            Some(_) => KeptColumns::Fixed,
            None => KeptColumns::Growing,
        }
    }
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

    pub fn is_binary(self) -> bool {
        matches!(self, Self::Arrow | Self::Parquet)
    }
}

/// Enabled caches.
#[derive(Debug, Clone, Copy, Default)]
pub struct CacheOptions {
    /// Cache results by the text of a statement.
    pub by_text: bool,
    /// Cache results by the shape of a statement: its tokens without the values of literals.
    pub by_shape: bool,
}

impl RunOptions {
    /// Returns the style of the placeholders to replace in a batch.
    pub fn placeholders_of(&self, batch: &StatementBatch<'_>) -> Option<PlaceholderStyle> {
        self.placeholders.or(batch.is_extension.then_some(PlaceholderStyle::Extension))
    }

    /// Returns the parse options for a batch.
    pub fn parse_of(&self, batch: &StatementBatch<'_>) -> ParseOptions {
        let mut parse = self.parse;
        parse.backslash_escapes = batch.backslash_escapes.unwrap_or(parse.backslash_escapes);
        parse
    }

    /// Returns the options of one job's cache. `by_text` means that results depend only on a statement's text.
    /// `by_shape` has the fingerprint options if results can be derived from shapes.
    pub fn cache_options(&self, by_text: bool, by_shape: Option<FingerprintOptions>) -> AnswerCacheOptions {
        let jobs = self.jobs.max(1);
        let mut cache = AnswerCacheOptions::default();
        if by_text && self.caches.by_text {
            cache.text_bytes = TEXT_CACHE_BYTES / jobs;
        }
        // Text with placeholders has a different shape than the parsed SQL. Shapes are valid only for the parser's
        // default options.
        let shapes = self.caches.by_shape && self.placeholders.is_none() && self.parse.reads_by_default();
        if let Some(fingerprint) = by_shape.filter(|fingerprint| shapes && fingerprint.parse.reads_by_default()) {
            (cache.shape_bytes, cache.fingerprint) = (SHAPE_CACHE_BYTES / jobs, fingerprint);
        }
        cache
    }
}
