//! Limits of a cache of trees, and what it counts.

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
    /// Maximum memory of texts, trees and tables, in bytes, as far as it is known: a payload counts with its own size,
    /// without what it owns.
    pub bytes: usize,
    /// Maximum number of entries.
    pub entries: usize,
}

impl CacheLimits {
    /// Returns a limit in bytes alone.
    #[must_use]
    pub fn of_bytes(bytes: usize) -> Self {
        Self { bytes, entries: usize::MAX }
    }
}

/// Counts of a cache since it was made. They are taken one after the other, while other threads may change them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CacheStatistics {
    /// Look-ups that found an entry.
    pub hits: u64,
    /// Look-ups that found none.
    pub misses: u64,
    /// Entries that were removed to keep to the limits.
    pub evicted: u64,
    /// Entries at present.
    pub entries: usize,
    /// Bytes at present.
    pub bytes: usize,
}
