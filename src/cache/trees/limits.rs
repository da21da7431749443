//! Limits and counters of a cache of trees.

/// Limits of a cache of trees.
///
/// ```
/// use pgq::cache::{CacheLimits, TreeCache};
///
/// let cache = TreeCache::new(64 << 20);
/// cache.resize(CacheLimits { bytes: 64 << 20, entries: 10_000 });
/// assert_eq!(cache.limits().entries, 10_000);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CacheLimits {
    /// Maximum memory of texts, trees and tables, in bytes. Includes the size of a payload itself, but not the size of
    /// its heap data, because that size is unknown.
    pub bytes: usize,
    /// Maximum number of entries.
    pub entries: usize,
}

impl CacheLimits {
    /// Returns limits with `bytes` and no limit on entries.
    #[must_use]
    pub fn of_bytes(bytes: usize) -> Self {
        Self { bytes, entries: usize::MAX }
    }
}

/// Counters of a cache since its creation. They are not a consistent snapshot, because other threads may change
/// counters while they are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CacheStatistics {
    /// Lookups that found an entry.
    pub hits: u64,
    /// Lookups that found no entry.
    pub misses: u64,
    /// Entries evicted because of the limits.
    pub evicted: u64,
    /// Current number of entries.
    pub entries: usize,
    /// Current memory in bytes.
    pub bytes: usize,
}
