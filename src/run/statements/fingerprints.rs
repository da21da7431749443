//! A cache of fingerprints that counts its hits, for jobs without a [`super::StatementHandler`].

use pgq::cache::{CacheKeys, FingerprintCache};
use pgq::{Error, FingerprintOptions, Tree};

use super::event::CacheStats;
use super::options::RunOptions;

/// A job's cache of fingerprints.
pub struct CountedFingerprints {
    cache: FingerprintCache,
    stats: CacheStats,
}

impl CountedFingerprints {
    /// Creates an empty cache. The options of the run determine its size.
    pub fn new(options: &RunOptions, fingerprints: FingerprintOptions) -> Self {
        let mut options = options.cache_options(true, Some(fingerprints));
        options.fingerprint = fingerprints;
        Self { cache: FingerprintCache::new(&options), stats: CacheStats::default() }
    }

    /// Returns the cached fingerprint, or the keys for storing a new fingerprint. A fingerprint is found only if `text`
    /// is valid UTF-8.
    pub fn look_up(&mut self, text: &[u8]) -> Result<u64, CacheKeys> {
        self.stats.statements += 1;
        let known = self.cache.look_up(text)?;
        *(if known.by_shape { &mut self.stats.by_shape } else { &mut self.stats.by_text }) += 1;
        Ok(known.fingerprint.0)
    }

    /// Parses unknown SQL and caches its fingerprint.
    ///
    /// # Errors
    /// PostgreSQL's parser fails.
    pub fn parse(&mut self, sql: &str, keys: CacheKeys) -> Result<(u64, Tree), Error> {
        self.cache.parse(sql, keys).map(|(fingerprint, tree)| (fingerprint.0, tree))
    }

    /// Sets the counts.
    pub fn set_stats(&mut self, stats: CacheStats) {
        self.stats = stats;
    }

    /// Returns the counts since the last call.
    pub fn take_stats(&mut self) -> CacheStats {
        std::mem::take(&mut self.stats)
    }
}
