//! A cache of fingerprints that counts its hits, for jobs without a [`super::StatementHandler`].

use pgq::cache::FingerprintCache;
use pgq::{Error, FingerprintOptions};
use xxhash_rust::xxh3::xxh3_64;

use super::event::CacheStats;
use super::options::RunOptions;
use super::sql::StatementSql;

/// A job's cache of fingerprints. The fingerprints include the bodies of functions and DO blocks.
pub struct CountedFingerprints {
    cache: FingerprintCache,
    stats: CacheStats,
    max_statement_bytes: usize,
}

impl CountedFingerprints {
    /// Creates an empty cache. The options of the run determine its size.
    pub fn new(options: &RunOptions) -> Self {
        let mut fingerprints = FingerprintOptions::default();
        fingerprints.function_bodies = true;
        let mut cache = options.cache_options(true, Some(fingerprints));
        cache.fingerprint = fingerprints;
        let cache = FingerprintCache::new(&cache);
        Self { cache, stats: CacheStats::default(), max_statement_bytes: options.max_statement_bytes }
    }

    /// Returns the fingerprint of SQL, from the cache if possible.
    ///
    /// # Errors
    /// The SQL is not UTF-8, or PostgreSQL's parser fails.
    pub fn of_sql(&mut self, sql: &[u8]) -> Result<u64, Error> {
        self.stats.statements += 1;
        match self.cache.look_up(sql) {
            Ok(known) => {
                *(if known.by_shape { &mut self.stats.by_shape } else { &mut self.stats.by_text }) += 1;
                Ok(known.fingerprint.0)
            }
            Err(keys) => Ok(self.cache.parse(pgq::check_utf8(sql)?, keys)?.0.0),
        }
    }

    /// Returns the fingerprint of a statement. `masked` is the result of [`pgq::secrets::mask_for_fingerprint`]. If it
    /// is `Some`, returns the fingerprint of the masked SQL, which does not depend on secrets.
    ///
    /// # Errors
    /// The statement is too long, not UTF-8, or PostgreSQL's parser fails.
    pub fn of_statement(
        &mut self,
        original: &StatementSql<'_>,
        masked: Option<&StatementSql<'_>>,
    ) -> Result<u64, Error> {
        let max = self.max_statement_bytes;
        // The original is parsed even if there is a mask, because it may have a syntax error that the mask hides.
        let fingerprint = original.parse(max, |sql| self.of_sql(sql))?;
        let Some(masked) = masked else { return Ok(fingerprint) };
        let stats = self.take_stats();
        let fingerprint = masked.parse(max, |sql| self.of_sql(sql));
        self.stats = stats; // the statement is already counted
        // If the masked SQL is not valid, its hash is the fingerprint.
        Ok(fingerprint.unwrap_or_else(|_| xxh3_64(masked.bytes())))
    }

    /// Returns the counts since the last call.
    pub fn take_stats(&mut self) -> CacheStats {
        std::mem::take(&mut self.stats)
    }
}
