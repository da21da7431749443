//! A job of `pgq export`: converts statements to rows.

use std::borrow::Cow;
use std::ops::ControlFlow;

use jiff::tz::TimeZone;
use pgq::cache::{AnswerCache, AnswerLookup, ByteCache, CacheKeys, InputScope};
use pgq::secrets::{mask_for_fingerprint, mask_values, names_secret};
use pgq::{Error, ErrorKind, FingerprintOptions, ParseOptions, Tree};
use pgq_columns::{Column, Row};
use pgq_digest::{Facet, Rewrite, TextKind};
use pgq_lexer::statement_keyword;
use pgq_log::Entry;

use super::answer::{self, Answer};
use super::record::{RecordReader, RecordValues, lossy};
use crate::cmd::digest::Disclosure;
use crate::cmd::zone::{ZoneCounts, Zones};
use crate::run::input::{Data, Granularity, StatementBatch};
use crate::run::report::{RowBuffer, RowLayout, Rows, exit_out_of_memory};
use crate::run::statements::{CacheStats, ChunkReport, Job, RunOptions, StatementSql};

/// Maximum bytes of the [`ExportWorker::common`] caches of all jobs together.
const COMMON_CACHE_BYTES: usize = 8 << 20;

/// Columns that need the parser.
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

/// Converts statements to rows.
pub struct ExportWorker {
    zones: Zones,
    options: RunOptions,
    rows: RowBuffer<Column>,
    records: RecordReader,
    cache: AnswerCache,
    cache_stats: CacheStats,
    /// Maps normalized SQL to the bytes of [`answer::write_common`].
    common: ByteCache,
    /// The current statement's answer.
    answer: Vec<u8>,
    /// Scratch buffer for normalized SQL.
    normalized: String,
    /// Whether any column needs the parser.
    parses: bool,
    disclosure: Disclosure,
}

impl ExportWorker {
    /// `timezone` applies to the log's times that have no zone.
    pub fn new(
        layout: &RowLayout<Column>,
        timezone: Option<TimeZone>,
        disclosure: Disclosure,
        options: &RunOptions,
    ) -> Self {
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
            disclosure,
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
        let is_null = batch.table.is_some_and(|record| record.row.sql.is_none());
        let parsed = (self.parses && !truncated && !is_null).then(|| {
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
        if matches!(parsed, Some(Ok(()))) {
            report.warn_of_placeholders(batch, range.clone());
        }
        let failure = parsed.as_ref().and_then(|parsed| parsed.as_ref().err());
        if let Some(error) = failure.filter(|_| values.error.is_none()) {
            // Reports the parser's error, unless the log already contains an error of this statement. If the parser has
            // no memory left, ends the program.
            if error.kind == ErrorKind::OutOfMemory {
                exit_out_of_memory();
            }
            report.add_error(batch, range.start, error);
        }
        let answer = if matches!(parsed, Some(Ok(()))) { Answer::read(&self.answer) } else { None };
        let answer = answer.as_ref();
        let masked = mask_for_fingerprint(bytes);
        let of_masked = answer.and(masked.as_deref()).map(|masked| {
            let statement = StatementSql::new(masked, self.options.placeholders_of(batch));
            answer::fingerprint_of_masked(statement.bytes(), &self.options.parse_of(batch)).to_string()
        });
        let position = batch.position(range.start);
        let sql = lossy(bytes);
        let kind = statement_keyword(bytes);
        let disclosure = self.disclosure;
        let rewriter = Rewriter { disclosure, is_cut: truncated };
        let name = |facet, name: &Option<Cow<'_, str>>| {
            name.as_ref().map(|name| rewriter.rewritten(TextKind::Name(facet), name).into_owned())
        };
        let params = match entry {
            Some(entry) if disclosure != Disclosure::Anonymous => {
                self.records.params(entry, |params| match rewriter.rewritten(TextKind::Parameters(&sql), params) {
                    Cow::Owned(masked) => Some(masked),
                    Cow::Borrowed(_) => None,
                })
            }
            _ => None,
        };
        let error = values.error.as_deref().or_else(|| failure.map(|error| error.message.as_str()));
        let error = error.map(|error| rewriter.rewritten(TextKind::Message(&sql), error).into_owned());
        let shown = rewriter.rewritten(TextKind::Statement, &sql);
        // If the statement contains a secret, masks all literals of the normalized SQL. Masking only the secret is not
        // possible: the word that indicates it, such as `password`, may be in a comment or a literal, which
        // the normalized SQL lacks.
        let normalized = answer.map(|answer| match (&shown, disclosure) {
            (Cow::Owned(_), Disclosure::NoSecrets) => mask_values(answer.normalized),
            _ => rewriter.rewritten(TextKind::Statement, answer.normalized),
        });
        let [user, database, application, remote_host] = [
            name(Facet::User, &values.user),
            name(Facet::Database, &values.database),
            name(Facet::Application, &values.application),
            name(Facet::Host, &values.remote_host),
        ];
        // An anonymous export has no lists (such as the tables), because lists contain names.
        let listed = answer.filter(|_| disclosure != Disclosure::Anonymous);
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
            user: user.as_deref(),
            database: database.as_deref(),
            application: application.as_deref(),
            remote_host: remote_host.as_deref(),
            command_tag: values.command_tag.as_deref(),
            severity: entry.map(|entry| entry.severity().name()),
            sqlstate: values
                .sqlstate
                .as_deref()
                .or_else(|| failure.and_then(|error| error.sqlstate.as_ref()).map(pgq::SqlState::as_str)),
            // Omits the query ID of a statement with a secret. Up to PostgreSQL 15, the query ID of a utility statement
            // is a hash of its text, including the secret. EXECUTE is a utility statement, although `sql` is the SQL of
            // its prepared statement.
            query_id: values.query_id.filter(|_| match disclosure {
                Disclosure::Everything => true,
                Disclosure::NoSecrets => !names_secret(&sql),
                Disclosure::Anonymous => false,
            }),
            vxid: values.vxid.as_deref(),
            txid: values.txid,
            kind: (!is_null).then_some(&*kind),
            fingerprint: of_masked.as_deref().or(answer.map(|answer| answer.fingerprint)),
            normalized: normalized.as_deref(),
            sql: (!is_null).then_some(&*shown),
            params: params.map(|params| params.list()),
            tables: listed.map(|answer| answer.tables),
            functions: listed.map(|answer| answer.functions),
            filter_columns: listed.map(|answer| answer.filter_columns),
            ctes: listed.map(|answer| answer.ctes),
            error: error.as_deref(),
            truncated: Some(truncated),
        });
        report.stop |= self.options.fail_fast && failure.is_some();
        report.flow()
    }

    /// Puts the statement's answer into `self.answer`, from the cache or by parsing.
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

/// Redacts the strings of a row.
struct Rewriter {
    disclosure: Disclosure,
    /// Whether the log lacks the end of the statement.
    is_cut: bool,
}

impl Rewriter {
    /// Returns text with secrets or names redacted.
    fn rewritten<'t>(&self, kind: TextKind<'_>, text: &'t str) -> Cow<'t, str> {
        self.disclosure.rewrite(kind, text, self.is_cut).map_or(Cow::Borrowed(text), Cow::Owned)
    }
}

impl Job for ExportWorker {
    type Output = Rows;

    fn work(&mut self, file: &str, data: &Data, report: &mut ChunkReport) -> Rows {
        report.diagnostics.hints_at_placeholders = self.options.placeholders.is_none();
        let _ = data.try_for_each_batch(file, self.options.escape_strings(), |batch| self.export(batch, report));
        report.caches = std::mem::take(&mut self.cache_stats);
        self.rows.take()
    }
}
