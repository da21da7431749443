//! A job of `pgq digest`: adds statements to a digest by their fingerprints.

use std::ops::ControlFlow;

use pgq::shape::{Extent, Found, ShapeCache};
use pgq::{Error, ErrorKind, FingerprintOptions, ParseOptions, Tree};
use pgq_digest::{Call, Digest, Kind};
use pgq_log::{Entry, Part, Verdict};

use super::clock::{Clock, duration_micros};
use crate::input::{Data, StatementBatch};
use crate::report::exit_out_of_memory;
use crate::statements::{
    CacheStats, ChunkReport, ChunkWorker, ResultCache, RunOptions, check_statement_length, original_error, shape_cache,
};

/// Adds statements to a digest.
pub struct DigestWorker {
    digest: Digest,
    options: RunOptions,
    /// Fingerprints by text, as eight bytes each.
    by_text: Option<ResultCache>,
    by_shape: Option<ShapeCache>,
    cache_stats: CacheStats,
    clock: Clock,
}

impl DigestWorker {
    /// `limit` is the most queries to keep.
    pub fn new(options: &RunOptions, limit: usize) -> Self {
        let (jobs, fingerprints) = (options.jobs, FingerprintOptions::default());
        Self {
            digest: Digest::new(limit),
            options: options.clone(),
            by_text: options.caches.by_text.then(|| ResultCache::new(jobs)),
            by_shape: options.caches_shapes().then(|| shape_cache(jobs, fingerprints)),
            cache_stats: CacheStats::default(),
            clock: Clock::default(),
        }
    }

    pub fn into_digest(self) -> Digest {
        self.digest
    }

    fn add(&mut self, batch: &StatementBatch<'_>, report: &mut ChunkReport) {
        match batch.log {
            Some(entry) => self.add_log_entry(entry, report),
            None => {
                for index in 0..batch.len() {
                    self.add_statement(&batch.bytes[batch.range(index)], Call::default());
                }
            }
        }
    }

    /// Adds the statement of a log's entry, unless it is filtered out.
    fn add_log_entry(&mut self, entry: Entry<'_>, report: &mut ChunkReport) {
        match self.options.filter.verdict(entry) {
            Verdict::Selected => {}
            Verdict::Rejected => return report.log.filtered += 1,
            Verdict::MissingField => return report.log.unknown += 1,
        }
        report.log.count(entry);
        let time = std::str::from_utf8(entry.get(Part::Time)).ok().filter(|text| !text.is_empty());
        let call = Call {
            sql: "",
            params: entry.get(Part::Params),
            duration: duration_micros(entry.get(Part::Duration)),
            when: time.and_then(|text| Some((self.clock.micros(text)?, text))),
            user: entry.get(Part::User),
            database: entry.get(Part::Database),
            application: entry.get(Part::Application),
            error: entry.severity().is_error().then(|| without_position(entry.get(Part::Message))),
        };
        if entry.is_truncated() {
            let sql = String::from_utf8_lossy(entry.sql());
            return self.digest.add(&Kind::Truncated, &Call { sql: &sql, ..call });
        }
        self.add_statement(entry.sql(), call);
    }

    fn add_statement(&mut self, original: &[u8], call: Call<'_>) {
        let style = self.options.placeholders;
        let style_and_text = style.and_then(|style| Some((std::str::from_utf8(original).ok()?, style)));
        let replaced = style_and_text.map(|(text, style)| pgq::placeholders(text, style));
        let text = replaced.as_ref().map_or(original, |replaced| replaced.sql.as_bytes());
        let checked = check_statement_length(text.len(), self.options.max_statement_bytes);
        match checked.and_then(|()| self.fingerprint(text)) {
            Ok((fingerprint, sql)) => self.digest.add(&Kind::Query(fingerprint), &Call { sql, ..call }),
            Err(error) if error.kind == ErrorKind::OutOfMemory => exit_out_of_memory(),
            Err(error) => {
                let error = original_error(error, replaced.as_ref());
                let sql = String::from_utf8_lossy(text);
                self.digest.add(&Kind::Unparsed(&error.message), &Call { sql: &sql, ..call });
            }
        }
    }

    /// The fingerprint of a text, and the text as a string.
    fn fingerprint<'t>(&mut self, text: &'t [u8]) -> Result<(u64, &'t str), Error> {
        let sql = pgq::check_utf8(text)?;
        self.cache_stats.statements += 1;
        let key = self.by_text.as_mut().and_then(|cache| cache.key(text));
        if let (Some(cache), Some(key)) = (&mut self.by_text, key)
            && let Some(cached) = cache.get(key, text)
            && let Ok(bytes) = cached.try_into()
        {
            self.cache_stats.by_text += 1;
            return Ok((u64::from_le_bytes(bytes), sql));
        }
        let found = self.by_shape.as_mut().map_or(Found::Nothing, |shapes| shapes.find(sql, Extent::Text));
        let is_new = matches!(found, Found::New);
        let fingerprint = if let Found::Known(shape) = found {
            self.cache_stats.by_shape += 1;
            shape.fingerprint()
        } else {
            let tree = Tree::parse(sql, &ParseOptions::default())?;
            if let (Some(shapes), true) = (&mut self.by_shape, is_new) {
                shapes.keep(sql, &tree, None)?;
            }
            tree.fingerprint(&FingerprintOptions::default())?
        };
        if let (Some(cache), Some(key)) = (&mut self.by_text, key) {
            cache.insert(key, text, &fingerprint.0.to_le_bytes());
        }
        Ok((fingerprint.0, sql))
    }
}

/// An error message without ` at character 8`, which PostgreSQL adds in its stderr format only.
fn without_position(message: &[u8]) -> &[u8] {
    const AT: &[u8] = b" at character ";
    match memchr::memmem::rfind(message, AT) {
        Some(at) if message[at + AT.len()..].iter().all(u8::is_ascii_digit) => &message[..at],
        _ => message,
    }
}

impl ChunkWorker for DigestWorker {
    type Output = ();

    fn work(&mut self, file: &str, data: &Data, report: &mut ChunkReport) {
        let _ = data.try_for_each_batch(file, |batch| {
            self.add(batch, report);
            ControlFlow::Continue(())
        });
        report.caches = std::mem::take(&mut self.cache_stats);
    }

    fn weight((): &()) -> usize {
        0
    }
}
