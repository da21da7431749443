//! Processes statements for one job (a thread). Writes a cached result immediately. Consecutive statements without a
//! cached result are parsed together.

use std::ops::ControlFlow;

use pgq::cache::{AnswerCache, AnswerLookup, CacheKeys, InputScope};

use super::batch_parser::{BatchContext, BatchParser};
use super::event::{CacheStats, ChunkReport};
use super::handler::StatementHandler;
use super::job::Job;
use super::options::RunOptions;
use crate::run::input::{Data, Granularity, StatementBatch};
use crate::run::report::{may_have_placeholder, placeholder_in_operator};

/// Processes statements for one job.
pub struct StatementProcessor<H> {
    parser: BatchParser<H>,
    /// The last result from the cache.
    result: Vec<u8>,
    /// Cache keys of consecutive statements that are not in the cache. These statements are parsed together.
    misses: Vec<CacheKeys>,
}

impl<H: StatementHandler> StatementProcessor<H> {
    pub fn new(handler: H, options: RunOptions) -> Self {
        let granularities = [Granularity::Record, Granularity::Statement];
        let by_text = H::NEEDS_TREE && granularities.into_iter().any(|of| handler.depends_on_text_only(of));
        let cache = AnswerCache::new(&options.cache_options(by_text, handler.shape_options()));
        Self { parser: BatchParser::new(handler, options, cache), result: Vec::new(), misses: Vec::new() }
    }

    fn process(&mut self, batch: &StatementBatch<'_>, report: &mut ChunkReport) -> ControlFlow<()> {
        if batch.table.is_some_and(|record| record.row.sql.is_none()) {
            self.parser.writer.no_result(batch);
            return ControlFlow::Continue(());
        }
        match batch.log {
            Some(_) => self.process_log_record(batch, report),
            None => self.process_batch(batch, report),
        }
    }

    /// Processes a log record, unless a filter rejects it.
    fn process_log_record(&mut self, batch: &StatementBatch<'_>, report: &mut ChunkReport) -> ControlFlow<()> {
        let Some(entry) = batch.log else { return ControlFlow::Continue(()) };
        if !self.parser.options.filter.selects(entry, &mut report.log) {
            return ControlFlow::Continue(());
        }
        if entry.is_truncated() {
            // A truncated statement may parse as a different statement, so it gets no result.
            self.parser.writer.no_result(batch);
            return ControlFlow::Continue(());
        }
        self.process_batch(batch, report)
    }

    fn process_batch(&mut self, batch: &StatementBatch<'_>, report: &mut ChunkReport) -> ControlFlow<()> {
        // The cache is used only if the result depends on nothing but the text of the statement. This is not the case
        // in scripts of extensions, in scripts that change parser settings, and for statements with a replaced
        // meta-command. A statement with an operator that may be a placeholder is not cached either, because each such
        // statement needs a warning.
        let options = &self.parser.options;
        let has_other_text = batch.is_extension
            || batch.interrupted
            || options.parse_of(batch) != options.parse
            || (options.placeholders.is_none() && has_placeholder(batch));
        let cached = self.parser.handler.depends_on_text_only(batch.granularity);
        if !cached || !self.parser.cache.is_enabled() || has_other_text {
            return self.parser.process(&mut BatchContext { batch, report, keys: &mut [] });
        }
        let mut misses = std::mem::take(&mut self.misses);
        misses.clear();
        let flow = self.look_up_all(batch, &mut misses, report);
        self.misses = misses;
        flow
    }

    fn look_up_all(
        &mut self,
        batch: &StatementBatch<'_>,
        misses: &mut Vec<CacheKeys>,
        report: &mut ChunkReport,
    ) -> ControlFlow<()> {
        for index in 0..batch.len() {
            let range = batch.range(index);
            match self.look_up(&batch.bytes[range.clone()], batch.granularity, &mut report.caches) {
                None => {
                    self.parse_misses(batch, index, misses, report)?;
                    self.parser.writer.result(H::KEY, &self.result, batch, range.start, None);
                }
                Some(keys) => misses.push(keys),
            }
        }
        self.parse_misses(batch, batch.len(), misses, report)
    }

    /// Puts the cached result of a statement into `self.result`. If the cache has no result, returns the keys for
    /// storing one.
    fn look_up(&mut self, text: &[u8], granularity: Granularity, stats: &mut CacheStats) -> Option<CacheKeys> {
        stats.statements += 1;
        self.result.clear();
        let BatchParser { handler, cache, options, .. } = &mut self.parser;
        if text.len() > options.max_statement_bytes {
            return Some(CacheKeys::default()); // a text that is too long is an error even if its shape is known
        }
        let scope = match granularity {
            Granularity::Record => InputScope::Text,
            Granularity::Statement => InputScope::Statement,
        };
        let keys = match cache.look_up(text, scope) {
            AnswerLookup::Text(result) => {
                self.result.extend_from_slice(result);
                stats.by_text += 1;
                return None;
            }
            AnswerLookup::Shape(shape, keys) => {
                handler.known_shape(&shape, options.output.json, &mut self.result);
                keys
            }
            AnswerLookup::Miss(keys) => return Some(keys),
        };
        if self.result.is_empty() {
            return Some(keys);
        }
        stats.by_shape += 1;
        cache.keep_text(&keys, text, &self.result);
        None
    }

    /// Parses the `misses.len()` statements before index `end`, which are not in the cache. `misses` has the cache keys
    /// of these statements.
    fn parse_misses(
        &mut self,
        batch: &StatementBatch<'_>,
        end: usize,
        misses: &mut Vec<CacheKeys>,
        report: &mut ChunkReport,
    ) -> ControlFlow<()> {
        if misses.is_empty() {
            return ControlFlow::Continue(());
        }
        let slice = (misses.len() < batch.len()).then(|| batch.slice(end - misses.len()..end));
        let batch = slice.as_ref().unwrap_or(batch);
        let flow = self.parser.process(&mut BatchContext { batch, report, keys: misses });
        misses.clear();
        flow
    }
}

impl<H: StatementHandler> Job for StatementProcessor<H> {
    type Output = H::Output;

    fn work(&mut self, file: &str, data: &Data, report: &mut ChunkReport) -> H::Output {
        if self.parser.options.output.keep_columns && !matches!(data, Data::Table(_)) {
            report.fatal = Some("--keep-columns is for tables: --from csv, tsv, jsonl, parquet or arrow".into());
            report.stop = true;
        }
        report.diagnostics.hints_at_placeholders = self.parser.options.placeholders.is_none();
        self.parser.writer.begin(data);
        let escapes = self.parser.options.escape_strings();
        let _ = data.try_for_each_batch(file, escapes, |batch| self.process(batch, report));
        self.parser.handler.take(self.parser.writer.take(data))
    }
}

/// Whether an operator in a statement of the batch may be a placeholder.
fn has_placeholder(batch: &StatementBatch<'_>) -> bool {
    let mut statements = (0..batch.len()).map(|index| &batch.bytes[batch.range(index)]);
    may_have_placeholder(batch.bytes) && statements.any(|sql| placeholder_in_operator(sql).is_some())
}
