//! Options of a run as plain values.

use std::sync::Arc;

use pgq::cache::AnswerCacheOptions;
use pgq::{FingerprintOptions, ParseOptions, PlaceholderStyle};
use pgq_log::RecordFilter;

use crate::run::input::{EscapeStrings, KeptColumns, StatementBatch};

/// Memory for results that are cached by the statement's text, in bytes, for all jobs (threads) together (see
/// [`CacheOptions`]).
const TEXT_CACHE_BYTES: usize = 4 << 20;
/// Memory for results that are cached by the statement's shape, in bytes, for all jobs (threads) together.
const SHAPE_CACHE_BYTES: usize = 8 << 20;

/// Options of a run. They are the same for all jobs.
#[derive(Clone)]
pub struct RunOptions {
    /// Number of threads.
    pub jobs: usize,
    pub output: OutputOptions,
    /// Stop at the first invalid statement.
    pub fail_fast: bool,
    pub parse: ParseOptions,
    /// If a backslash is an escape in a plain literal, rewrite the literal to `E'…'`. Commands that read tokens need
    /// this, because `E'…'` is the same token with every setting of standard_conforming_strings.
    pub reads_tokens: bool,
    /// Style of the placeholders that are replaced by `$n`.
    pub placeholders: Option<PlaceholderStyle>,
    /// Maximum bytes of a statement.
    pub max_statement_bytes: usize,
    pub caches: CacheOptions,
    /// Filter for the records of logs.
    pub filter: Arc<RecordFilter>,
    pub reports: LogReports,
}

/// Options for the end of an input: the counts to print, and the conditions under which the run fails.
#[derive(Debug, Clone, Copy, Default)]
pub struct LogReports {
    /// Print counts of logs and caches.
    pub stats: bool,
    /// Do not fail if lines of a log were not understood.
    pub lenient: bool,
    /// Fail if a script has parts that are not statements, because the output replaces the script and would lack these
    /// parts.
    pub must_be_whole: bool,
}

/// Format of the results.
#[derive(Debug, Clone, Copy, Default)]
pub struct OutputOptions {
    /// Write JSON records instead of text.
    pub json: bool,
    /// Indent JSON.
    pub indented: bool,
    /// Write table rows instead of text.
    pub answers: Option<AnswerFormat>,
    /// Add results to the columns of the input table. The position of the statement is omitted.
    pub keep_columns: bool,
    /// In error messages, mask the quoted parts.
    pub anonymize: bool,
    /// Whether to mask secrets in the fields of a log.
    pub masks_secrets: bool,
}

impl OutputOptions {
    /// Returns whether and how the columns of input tables are copied to the output.
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
    /// Cache results by the shape of a statement. The shape consists of the tokens without the values of literals.
    pub by_shape: bool,
}

impl RunOptions {
    /// Returns the style of the placeholders that are replaced in a batch.
    pub fn placeholders_of(&self, batch: &StatementBatch<'_>) -> Option<PlaceholderStyle> {
        self.placeholders.or(batch.is_extension.then_some(PlaceholderStyle::Extension))
    }

    /// Returns which literals are rewritten.
    pub fn escape_strings(&self) -> EscapeStrings {
        match self.reads_tokens || self.placeholders.is_some() {
            true => EscapeStrings::Rewritten { initial: self.parse.backslash_escapes },
            false => EscapeStrings::AsWritten,
        }
    }

    /// Returns the parse options for a batch.
    pub fn parse_of(&self, batch: &StatementBatch<'_>) -> ParseOptions {
        let mut parse = self.parse;
        parse.backslash_escapes = batch.backslash_escapes.unwrap_or(parse.backslash_escapes);
        parse
    }

    /// Returns the options for the cache of one job (a thread). `by_text` must be true if a result depends only on the
    /// text of the statement. `by_shape` has the fingerprint options if a result can be derived from the shape of the
    /// statement (its tokens without the values of literals).
    pub fn cache_options(&self, by_text: bool, by_shape: Option<FingerprintOptions>) -> AnswerCacheOptions {
        let jobs = self.jobs.max(1);
        let mut cache = AnswerCacheOptions::default();
        if by_text && self.caches.by_text {
            cache.text_bytes = TEXT_CACHE_BYTES / jobs;
        }
        // The cache by shape (the tokens without the values of literals) is used only if the text is parsed unchanged
        // and with the default options. If placeholders are replaced, the text and the parsed SQL have different
        // shapes. With other parser options, cached shapes are not valid.
        let shapes = self.caches.by_shape && self.placeholders.is_none() && self.parse.reads_by_default();
        if let Some(fingerprint) = by_shape.filter(|fingerprint| shapes && fingerprint.parse.reads_by_default()) {
            (cache.shape_bytes, cache.fingerprint) = (SHAPE_CACHE_BYTES / jobs, fingerprint);
        }
        cache
    }
}
