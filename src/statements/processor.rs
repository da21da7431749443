//! Processes statements for one job: results that the caches have are written at once, and the
//! statements between them are parsed together.

use std::ops::ControlFlow;

use pgq::ParseOptions;
use pgq_log::Verdict;

use super::batch_parser::{BatchContext, BatchParser};
use super::caches::{CacheKeys, Caches, Lookup, shape_cache};
use super::event::{CacheStats, ChunkReport};
use super::handler::StatementHandler;
use super::options::RunOptions;
use super::result_cache::ResultCache;
use super::worker::ChunkWorker;
use crate::input::{Data, Granularity, StatementBatch};

/// Processes statements for one job.
pub struct StatementProcessor<H> {
    parser: BatchParser<H>,
    /// The result that was found.
    result: Vec<u8>,
    /// Keys of the statements that were not found and are to be parsed together.
    misses: Vec<CacheKeys>,
}

impl<H: StatementHandler> StatementProcessor<H> {
    pub fn new(handler: H, options: RunOptions) -> Self {
        let by_text = H::NEEDS_TREE && handler.depends_on_text_only() && options.caches.by_text;
        let shape_options = handler.shape_options().filter(|fingerprints| {
            // Shapes are only known for the parser's default options.
            let default = ParseOptions::default();
            options.caches_shapes() && fingerprints.parse == default && options.parse == default
        });
        let caches = Caches {
            by_text: by_text.then(|| ResultCache::new(options.jobs)),
            by_shape: shape_options.map(|fingerprints| shape_cache(options.jobs, fingerprints)),
            max_shape_bytes: options.max_statement_bytes,
        };
        Self { parser: BatchParser::new(handler, options, caches), result: Vec::new(), misses: Vec::new() }
    }

    fn process(&mut self, batch: &StatementBatch<'_>, report: &mut ChunkReport) -> ControlFlow<()> {
        match batch.log {
            Some(_) => self.process_log_record(batch, report),
            None => self.process_batch(batch, report),
        }
    }

    /// Processes a record of a log, unless it is filtered out.
    fn process_log_record(&mut self, batch: &StatementBatch<'_>, report: &mut ChunkReport) -> ControlFlow<()> {
        let Some(entry) = batch.log else { return ControlFlow::Continue(()) };
        match self.parser.options.filter.verdict(entry) {
            Verdict::Selected => {}
            Verdict::Rejected => {
                report.log.filtered += 1;
                return ControlFlow::Continue(());
            }
            Verdict::MissingField => {
                report.log.unknown += 1;
                return ControlFlow::Continue(());
            }
        }
        report.log.count(entry);
        if entry.is_truncated() {
            // The statement is incomplete: its result would be that of another statement.
            self.parser.writer.no_result(batch);
            return ControlFlow::Continue(());
        }
        self.process_batch(batch, report)
    }

    fn process_batch(&mut self, batch: &StatementBatch<'_>, report: &mut ChunkReport) -> ControlFlow<()> {
        if self.parser.caches.is_empty() {
            return self.parser.process(&mut BatchContext { batch, report, keys: &[] });
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

    /// Looks up the result of a statement. `None` if it was found; otherwise how to keep it.
    fn look_up(&mut self, text: &[u8], granularity: Granularity, stats: &mut CacheStats) -> Option<CacheKeys> {
        stats.statements += 1;
        self.result.clear();
        let BatchParser { handler, caches, options, .. } = &mut self.parser;
        let keys = match caches.look_up(text, granularity) {
            Lookup::Result(result) => {
                self.result.extend_from_slice(result);
                stats.by_text += 1;
                return None;
            }
            Lookup::Shape(shape, keys) => {
                handler.known_shape(&shape, options.output.json, &mut self.result);
                keys
            }
            Lookup::Miss(keys) => return Some(keys),
        };
        if self.result.is_empty() {
            return Some(keys);
        }
        stats.by_shape += 1;
        caches.keep_result(keys, text, &self.result);
        None
    }

    /// Parses the statements before `end` that were not found, one for each of `misses`.
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

impl<H: StatementHandler> ChunkWorker for StatementProcessor<H> {
    type Output = Vec<u8>;

    fn work(&mut self, file: &str, data: &Data, report: &mut ChunkReport) -> Vec<u8> {
        let _ = data.try_for_each_batch(file, |batch| self.process(batch, report));
        self.parser.writer.take()
    }

    fn weight(output: &Vec<u8>) -> usize {
        output.capacity()
    }
}
