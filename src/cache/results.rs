//! Caches answers by the exact text of a statement. If few texts repeat, only a sample of the texts is looked up, so
//! that a stream of distinct statements has almost no overhead.

use super::bytes::ByteCache;

/// Number of lookups after which the hit rate is checked again.
const WINDOW: u32 = 2048;
/// Minimum number of hits in [`WINDOW`] lookups. With fewer hits, lookups cost more than they save.
const FEW: u32 = WINDOW / 50;
/// Sampling interval while hits are few. One text in 32 is looked up, to detect when texts repeat again.
const RARELY: u64 = 32;

/// Number of slots for hashes of texts that were seen once.
const ONCE: usize = 1 << 14;

/// A cache of answers by text.
pub struct ResultCache {
    cache: ByteCache,
    once: Vec<u32>,
    lookups: u32,
    hits: u32,
    rarely: bool,
}

impl ResultCache {
    /// Creates a cache of at most about `bytes` bytes.
    pub fn new(bytes: usize) -> Self {
        let cache = ByteCache::new(bytes);
        Self { cache, once: vec![0; ONCE], lookups: 0, hits: 0, rarely: false }
    }

    /// Returns the lookup key of a text; `None` if sampling skips the text.
    pub fn key(&mut self, text: &[u8]) -> Option<u64> {
        let hash = self.cache.hash(text);
        if self.rarely && !hash.is_multiple_of(RARELY) {
            return None;
        }
        self.lookups += 1;
        if self.lookups == WINDOW {
            self.rarely = self.hits < FEW;
            (self.lookups, self.hits) = (0, 0);
        }
        Some(hash)
    }

    /// Returns the answer stored for a text.
    pub fn answer(&mut self, key: u64, text: &[u8]) -> Option<&[u8]> {
        let answer = self.cache.get(key, text)?;
        self.hits += 1;
        Some(answer)
    }

    /// Stores an answer if its text was seen before. Most texts occur only once, and copying all of them would cost
    /// more than the cache saves.
    pub fn keep_repeated(&mut self, key: u64, text: &[u8], answer: &[u8]) {
        let mark = (key >> 32) as u32;
        if std::mem::replace(&mut self.once[key as usize % ONCE], mark) == mark {
            self.keep(key, text, answer);
        }
    }

    /// Stores an answer.
    pub fn keep(&mut self, key: u64, text: &[u8], answer: &[u8]) {
        self.cache.insert(key, text, answer);
    }
}
