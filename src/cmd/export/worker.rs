//! A job of `pgq export`: makes rows of statements.

use std::ops::ControlFlow;

use jiff::tz::TimeZone;
use pgq::cache::{AnswerCache, AnswerLookup, ByteCache, CacheKeys, InputScope};
use pgq::{Error, ErrorKind, FingerprintOptions, ParseOptions, Tree};
use pgq_columns::{Column, Row};
use pgq_lexer::statement_keyword;
use pgq_log::Entry;

use super::answer::{self, Answer};
use super::record::{RecordReader, RecordValues, lossy};
use super::zone::{ZoneCounts, Zones};
use crate::run::input::{Data, Granularity, StatementBatch};
use crate::run::report::{RowBuffer, RowLayout, Rows, exit_out_of_memory};
use crate::run::statements::{CacheStats, ChunkReport, Job, RunOptions, StatementSql};

/// Memory for what equal normalized texts have in common, of all jobs together, in bytes.
const COMMON_CACHE_BYTES: usize = 8 << 20;

/// Columns that the parser gives.
const PARSED: [Column; 8] = [
    Column::Fingerprint,
    Column::Normalized,
    Column::Tables,
    Column::Functions,
    Column::FilterColumns,
    Column::Ctes,
    Column::Sqlstate,
    Column::Error,
];

/// Makes rows of statements.
pub struct ExportWorker {
    zones: Zones,
    options: RunOptions,
    rows: RowBuffer<Column>,
    records: RecordReader,
    cache: AnswerCache,
    cache_stats: CacheStats,
    /// By normalized text, what [`answer::write_common`] writes.
    common: ByteCache,
    /// The answer for the statement.
    answer: Vec<u8>,
    /// A normalized text, to look up what is common to it.
    normalized: String,
    /// Whether any column needs the parser.
    parses: bool,
}

impl ExportWorker {
    /// `timezone` is the zone of the times whose zone the log does not tell.
    pub fn new(layout: &RowLayout<Column>, timezone: Option<TimeZone>, options: &RunOptions) -> Self {
        Self {
            zones: Zones::new(timezone),
            options: options.clone(),
            rows: RowBuffer::new(layout),
            records: RecordReader::default(),
            cache: AnswerCache::new(&options.cache_options(true, Some(FingerprintOptions::default()))),
            cache_stats: CacheStats::default(),
            common: ByteCache::new(COMMON_CACHE_BYTES / options.jobs.max(1)),
            answer: Vec::new(),
            normalized: String::new(),
            parses: layout.has_any(&PARSED),
        }
    }

    pub fn zone_counts(&self) -> ZoneCounts {
        self.zones.counts
    }

    fn export(&mut self, batch: &StatementBatch<'_>, report: &mut ChunkReport) -> ControlFlow<()> {
        let Some(entry) = batch.log else {
            return (0..batch.len()).try_for_each(|index| self.export_statement(batch, index, None, report));
        };
        if !self.options.filter.selects(entry, &mut report.log) {
            return ControlFlow::Continue(());
        }
        self.export_statement(batch, 0, Some(entry), report)
    }

    fn export_statement(
        &mut self,
        batch: &StatementBatch<'_>,
        index: usize,
        entry: Option<Entry<'_>>,
        report: &mut ChunkReport,
    ) -> ControlFlow<()> {
        let range = batch.range(index);
        let bytes = &batch.bytes[range.clone()];
        let values = match entry {
            Some(entry) => self.records.read(entry, &mut self.zones),
            None => RecordValues::default(),
        };
        let truncated = entry.is_some_and(|entry| entry.is_truncated());
        let parsed = (self.parses && !truncated).then(|| {
            let statement = StatementSql::new(bytes, self.options.placeholders_of(batch));
            let parse = self.options.parse_of(batch);
            statement.parse(self.options.max_statement_bytes, |sql| {
                if parse == self.options.parse {
                    self.look_up_or_parse(sql, batch.granularity)
                } else {
                    self.answer.clear();
                    self.parse_anew(sql, &parse, batch.granularity, CacheKeys::default())
                }
            })
        });
        let failure = parsed.as_ref().and_then(|parsed| parsed.as_ref().err());
        if let Some(error) = failure.filter(|_| values.error.is_none()) {
            // An error that the log has is no news.
            if error.kind == ErrorKind::OutOfMemory {
                exit_out_of_memory();
            }
            report.add_error(batch, range.start, error);
        }
        let answer = if matches!(parsed, Some(Ok(()))) { Answer::read(&self.answer) } else { None };
        let answer = answer.as_ref();
        let position = batch.position(range.start);
        let sql = lossy(bytes);
        let params = entry.and_then(|entry| self.records.params(entry));
        let kind = statement_keyword(bytes);
        self.rows.append(&Row {
            file: Some(batch.file),
            line: i64::try_from(position.line).ok(),
            offset: i64::try_from(position.offset).ok(),
            time: values.time,
            start_time: values.start_time,
            duration_us: values.duration_us,
            pid: values.pid,
            session: values.session.as_deref(),
            session_line: values.session_line,
            user: values.user.as_deref(),
            database: values.database.as_deref(),
            application: values.application.as_deref(),
            remote_host: values.remote_host.as_deref(),
            command_tag: values.command_tag.as_deref(),
            severity: entry.map(|entry| entry.severity().name()),
            sqlstate: values
                .sqlstate
                .as_deref()
                .or_else(|| failure.and_then(|error| error.sqlstate.as_ref()).map(pgq::SqlState::as_str)),
            query_id: values.query_id,
            vxid: values.vxid.as_deref(),
            txid: values.txid,
            kind: Some(&kind),
            fingerprint: answer.map(|answer| answer.fingerprint),
            normalized: answer.map(|answer| answer.normalized),
            sql: Some(&sql),
            params: params.map(|params| params.list()),
            tables: answer.map(|answer| answer.tables),
            functions: answer.map(|answer| answer.functions),
            filter_columns: answer.map(|answer| answer.filter_columns),
            ctes: answer.map(|answer| answer.ctes),
            error: values.error.as_deref().or_else(|| failure.map(|error| error.message.as_str())),
            truncated: Some(truncated),
        });
        report.stop |= self.options.fail_fast && failure.is_some();
        report.flow()
    }

    /// Leaves the answer for a statement in `self.answer`.
    fn look_up_or_parse(&mut self, text: &[u8], granularity: Granularity) -> Result<(), Error> {
        self.cache_stats.statements += 1;
        self.answer.clear();
        let scope = match granularity {
            Granularity::Record => InputScope::Text,
            Granularity::Statement => InputScope::Statement,
        };
        let keys = match self.cache.look_up(text, scope) {
            AnswerLookup::Text(kept) => {
                self.cache_stats.by_text += 1;
                self.answer.extend_from_slice(kept);
                return Ok(());
            }
            AnswerLookup::Shape(shape, keys) => {
                self.normalized.clear();
                if shape.normalize(&mut self.normalized) {
                    let normalized = self.normalized.as_bytes();
                    let hash = self.common.hash(normalized);
                    if let Some(common) = self.common.get(hash, normalized) {
                        answer::write(shape.fingerprint(), common, &mut self.answer);
                        self.cache_stats.by_shape += 1;
                        self.cache.keep_text(&keys, text, &self.answer);
                        return Ok(());
                    }
                }
                keys
            }
            AnswerLookup::Miss(keys) => keys,
        };
        let parse = self.options.parse;
        self.parse_anew(text, &parse, granularity, keys)
    }

    fn parse_anew(
        &mut self,
        text: &[u8],
        parse: &ParseOptions,
        granularity: Granularity,
        keys: CacheKeys,
    ) -> Result<(), Error> {
        let sql = pgq::check_utf8(text)?;
        let tree = Tree::parse(sql, parse)?;
        let whole = (granularity == Granularity::Statement && tree.len() == 1).then(|| tree.statement(0));
        let mut options = FingerprintOptions::default();
        options.parse = *parse;
        let fingerprint = whole.map_or_else(|| tree.fingerprint(&options), |only| only.fingerprint(&options))?;
        let normalized = whole.map_or_else(|| tree.normalize(false), |only| only.normalize(false))?.text;
        let mut common = Vec::new();
        let granularity = if whole.is_some() { granularity } else { Granularity::Record };
        answer::write_common(&normalized, &tree, granularity, &mut common)?;
        answer::write(fingerprint.fingerprint, &common, &mut self.answer);
        if parse.reads_by_default() {
            let hash = self.common.hash(normalized.as_bytes());
            if self.common.get(hash, normalized.as_bytes()).is_none() {
                self.common.insert(hash, normalized.as_bytes(), &common);
            }
        }
        self.cache.keep(keys, text, &self.answer, &tree, whole, Some(fingerprint));
        Ok(())
    }
}

impl Job for ExportWorker {
    type Output = Rows;

    fn work(&mut self, file: &str, data: &Data, report: &mut ChunkReport) -> Rows {
        let _ = data.try_for_each_batch(file, |batch| self.export(batch, report));
        report.caches = std::mem::take(&mut self.cache_stats);
        self.rows.take()
    }
}
