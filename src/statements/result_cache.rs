//! Results by the exact text of a statement: a statement that comes again is not parsed again. If
//! hardly any statement comes again, the cache is looked up rarely.

use pgq::cache::ByteCache;

/// Memory of the caches of all jobs together, in bytes.
const TOTAL_BYTES: usize = 4 << 20;

/// Lookups after which it is decided anew how often to look up.
const WINDOW: u32 = 2048;
/// Fewer hits than this in a window are not worth their lookups.
const MIN_HITS: u32 = WINDOW / 50;
/// Then only one text in this many is looked up, which notices when texts begin to come again.
const SAMPLING: u64 = 32;

/// Results by text.
pub struct ResultCache {
    cache: ByteCache,
    lookups: u32,
    hits: u32,
    /// Only a sample of the texts is looked up.
    sampling: bool,
}

impl ResultCache {
    /// The cache of one of `jobs` jobs, which share the memory.
    pub fn new(jobs: usize) -> Self {
        let cache = ByteCache::new(TOTAL_BYTES / jobs.max(1));
        Self { cache, lookups: 0, hits: 0, sampling: false }
    }

    /// The hash by which a text is looked up; `None` if it is not to be looked up.
    pub fn key(&mut self, text: &[u8]) -> Option<u64> {
        let hash = self.cache.hash(text);
        if self.sampling && !hash.is_multiple_of(SAMPLING) {
            return None;
        }
        self.lookups += 1;
        if self.lookups == WINDOW {
            self.sampling = self.hits < MIN_HITS;
            (self.lookups, self.hits) = (0, 0);
        }
        Some(hash)
    }

    /// The result for a text.
    pub fn get(&mut self, key: u64, text: &[u8]) -> Option<&[u8]> {
        let result = self.cache.get(key, text)?;
        self.hits += 1;
        Some(result)
    }

    pub fn insert(&mut self, key: u64, text: &[u8], result: &[u8]) {
        self.cache.insert(key, text, result);
    }
}

#[cfg(test)]
mod tests {
    use super::{ResultCache, WINDOW};

    /// Looks up a text as a command does; whether it was found.
    fn look_up(cache: &mut ResultCache, text: &str) -> bool {
        let Some(key) = cache.key(text.as_bytes()) else { return false };
        if cache.get(key, text.as_bytes()).is_some() {
            return true;
        }
        cache.insert(key, text.as_bytes(), b"result");
        false
    }

    #[test]
    fn it_samples_until_texts_come_again() {
        let mut cache = ResultCache::new(1);
        let hits = (0..WINDOW * 10).filter(|i| look_up(&mut cache, &format!("SELECT {i}"))).count();
        assert_eq!(hits, 0);
        assert!(cache.sampling);
        let hits = (0..WINDOW * 200).filter(|i| look_up(&mut cache, &format!("SELECT a{}", i % 100))).count();
        assert!(!cache.sampling && hits > 100_000, "{hits}");
    }
}
