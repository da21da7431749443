//! Fingerprints for workers that need little else: by text, by shape, or by parsing.

use pgq::cache::{AnswerCache, AnswerLookup, CacheKeys, InputScope};
use pgq::{Error, FingerprintOptions, ParseOptions, Tree};

use super::event::CacheStats;
use super::options::RunOptions;

/// Fingerprints, kept as eight bytes each.
pub struct FingerprintCache {
    cache: AnswerCache,
    fingerprints: FingerprintOptions,
    stats: CacheStats,
}

impl FingerprintCache {
    /// One job's cache of such fingerprints.
    pub fn new(options: &RunOptions, fingerprints: FingerprintOptions) -> Self {
        let options = options.cache_options(true, Some(fingerprints));
        Self { cache: AnswerCache::new(&options), fingerprints, stats: CacheStats::default() }
    }

    /// Returns the fingerprint of a known text, which is then UTF-8; otherwise the keys to keep it with.
    pub fn look_up(&mut self, text: &[u8]) -> Result<u64, CacheKeys> {
        self.stats.statements += 1;
        match self.cache.look_up(text, InputScope::Text) {
            AnswerLookup::Text(kept) => {
                self.stats.by_text += 1;
                Ok(u64::from_le_bytes(kept.try_into().expect("eight bytes were kept")))
            }
            AnswerLookup::Shape(shape, keys) => {
                self.stats.by_shape += 1;
                let fingerprint = shape.fingerprint().0;
                self.cache.keep_text(&keys, text, &fingerprint.to_le_bytes());
                Ok(fingerprint)
            }
            AnswerLookup::Miss(keys) => Err(keys),
        }
    }

    /// Parses `sql`, and keeps the fingerprint if there are keys.
    ///
    /// # Errors
    /// SQL that PostgreSQL's parser refuses.
    pub fn parse(&mut self, sql: &str, keys: Option<CacheKeys>) -> Result<(u64, Tree), Error> {
        let tree = Tree::parse(sql, &ParseOptions::normalized())?;
        let found = tree.fingerprint(&self.fingerprints)?;
        let fingerprint = found.fingerprint.0;
        if let Some(keys) = keys {
            self.cache.keep(keys, sql.as_bytes(), &fingerprint.to_le_bytes(), &tree, None, Some(found));
        }
        Ok((fingerprint, tree))
    }

    /// The counts since the last call.
    pub fn take_stats(&mut self) -> CacheStats {
        std::mem::take(&mut self.stats)
    }
}
