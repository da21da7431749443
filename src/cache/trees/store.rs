//! A concurrent store of entries by hash. It consists of shards with a readers-writer lock each. A hit marks an entry.
//! If a limit is reached, unmarked entries are evicted and marks are cleared. The store does not depend on trees.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use hashbrown::HashTable;

use super::limits::{CacheLimits, CacheStatistics};

/// Number of shards. With this number, threads rarely wait for each other.
const SHARDS: usize = 64;

/// An eviction frees 1/16 of a limit, so that evictions are rare.
const FREED: usize = 16;

/// An entry with a known size.
pub(super) trait Weighed {
    /// Returns the approximate size of the entry in bytes.
    fn bytes(&self) -> usize;
}

pub(super) struct Store<E> {
    shards: Box<[Shard<E>]>,
    bytes: AtomicUsize,
    entries: AtomicUsize,
    most_bytes: AtomicUsize,
    most_entries: AtomicUsize,
    /// The next shard to evict entries from.
    next: AtomicUsize,
    /// Random seed of the hashes. It prevents attackers from constructing texts that collide.
    pub seed: u64,
}

/// A shard, that is, a part of the store with its own lock. It is aligned to cache lines, because threads update the
/// counters of different shards at the same time.
#[repr(align(128))]
struct Shard<E> {
    table: RwLock<HashTable<Slot<E>>>,
    hits: AtomicU64,
    misses: AtomicU64,
    evicted: AtomicU64,
}

struct Slot<E> {
    hash: u64,
    entry: Arc<E>,
    bytes: usize,
    /// Whether the entry was found since the last eviction.
    used: AtomicBool,
}

impl<E> Shard<E> {
    // Poisoning is ignored, because a panic in a caller's closure leaves the table consistent.
    fn read(&self) -> RwLockReadGuard<'_, HashTable<Slot<E>>> {
        self.table.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, HashTable<Slot<E>>> {
        self.table.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<E: Weighed> Store<E> {
    pub fn new(limits: CacheLimits) -> Self {
        let shard = |_| Shard {
            table: RwLock::default(),
            hits: AtomicU64::new(0),
            misses: AtomicU64::new(0),
            evicted: AtomicU64::new(0),
        };
        Self {
            shards: (0..SHARDS).map(shard).collect(),
            bytes: AtomicUsize::new(0),
            entries: AtomicUsize::new(0),
            most_bytes: AtomicUsize::new(limits.bytes),
            most_entries: AtomicUsize::new(limits.entries),
            next: AtomicUsize::new(0),
            seed: RandomState::new().hash_one(0),
        }
    }

    #[inline]
    fn shard(&self, hash: u64) -> &Shard<E> {
        &self.shards[(hash >> 58) as usize % SHARDS]
    }

    /// Returns the first entry with this hash for which `is_it` returns true.
    #[inline]
    pub fn find(&self, hash: u64, mut is_it: impl FnMut(&E) -> bool) -> Option<Arc<E>> {
        let table = self.shard(hash).read();
        let slot = table.find(hash, |slot| slot.hash == hash && is_it(&slot.entry))?;
        // Write the flag only if it is not set. If every reader wrote it, the cache line would move from core to core.
        if !slot.used.load(Relaxed) {
            slot.used.store(true, Relaxed);
        }
        Some(slot.entry.clone())
    }

    /// Counts a lookup as a hit or a miss.
    #[inline]
    pub fn count(&self, hash: u64, found: bool) {
        let shard = self.shard(hash);
        let counter = if found { &shard.hits } else { &shard.misses };
        counter.fetch_add(1, Relaxed);
    }

    /// Stores and returns an entry. If another thread has already stored an equal entry, returns that entry instead. If
    /// the entry is too large, or if `most` other entries already have its hash, only returns the entry and does not
    /// store it.
    pub fn insert(&self, most: usize, hash: u64, entry: Arc<E>, mut is_it: impl FnMut(&E) -> bool) -> Arc<E> {
        let bytes = entry.bytes() + 2 * size_of::<Slot<E>>();
        if bytes > self.most_bytes.load(Relaxed) || self.most_entries.load(Relaxed) == 0 {
            return entry;
        }
        self.make_room(bytes, 1);
        let mut table = self.shard(hash).write();
        let mut same = 0;
        for slot in table.iter_hash(hash).filter(|slot| slot.hash == hash) {
            if is_it(&slot.entry) {
                return slot.entry.clone();
            }
            same += 1;
        }
        if same >= most {
            return entry;
        }
        let slot = Slot { hash, entry: entry.clone(), bytes, used: AtomicBool::new(false) };
        table.insert_unique(hash, slot, |slot| slot.hash);
        self.bytes.fetch_add(bytes, Relaxed);
        self.entries.fetch_add(1, Relaxed);
        entry
    }

    /// Evicts entries, unmarked ones first, until `bytes` more bytes and `entries` more entries fit.
    fn make_room(&self, bytes: usize, entries: usize) {
        let most_bytes = self.most_bytes.load(Relaxed).saturating_sub(bytes);
        let most_entries = self.most_entries.load(Relaxed).saturating_sub(entries);
        let is_within =
            |bytes: usize, entries: usize| self.bytes.load(Relaxed) <= bytes && self.entries.load(Relaxed) <= entries;
        if is_within(most_bytes, most_entries) {
            return;
        }
        let (target_bytes, target_entries) = (most_bytes - most_bytes / FREED, most_entries - most_entries / FREED);
        // Two passes over the shards suffice: the first pass clears all marks, so the second pass can evict any entry.
        for _ in 0..2 * SHARDS {
            let shard = &self.shards[self.next.fetch_add(1, Relaxed) % SHARDS];
            let mut evicted = 0;
            shard.write().retain(|slot| {
                if is_within(target_bytes, target_entries) || slot.used.swap(false, Relaxed) {
                    return true;
                }
                self.forget(slot);
                evicted += 1;
                false
            });
            shard.evicted.fetch_add(evicted, Relaxed);
            if is_within(target_bytes, target_entries) {
                return;
            }
        }
    }

    fn forget(&self, slot: &Slot<E>) {
        self.bytes.fetch_sub(slot.bytes, Relaxed);
        self.entries.fetch_sub(1, Relaxed);
    }

    /// Removes all entries.
    pub fn clear(&self) {
        for shard in &self.shards {
            shard.write().retain(|slot| {
                self.forget(slot);
                false
            });
        }
    }

    /// Changes the limits and evicts the entries that exceed them.
    pub fn resize(&self, limits: CacheLimits) {
        self.most_bytes.store(limits.bytes, Relaxed);
        self.most_entries.store(limits.entries, Relaxed);
        self.make_room(0, 0);
    }

    pub fn limits(&self) -> CacheLimits {
        CacheLimits { bytes: self.most_bytes.load(Relaxed), entries: self.most_entries.load(Relaxed) }
    }

    pub fn len(&self) -> usize {
        self.entries.load(Relaxed)
    }

    /// Returns all current entries, in no particular order.
    pub fn entries(&self) -> Vec<Arc<E>> {
        self.shards
            .iter()
            .flat_map(|shard| shard.read().iter().map(|slot| slot.entry.clone()).collect::<Vec<_>>())
            .collect()
    }

    pub fn statistics(&self) -> CacheStatistics {
        let sum = |of: fn(&Shard<E>) -> &AtomicU64| self.shards.iter().map(|shard| of(shard).load(Relaxed)).sum();
        CacheStatistics {
            hits: sum(|shard| &shard.hits),
            misses: sum(|shard| &shard.misses),
            evicted: sum(|shard| &shard.evicted),
            entries: self.len(),
            bytes: self.bytes.load(Relaxed),
        }
    }
}

/// Generates the public methods that a cache forwards to its store.
macro_rules! forward_to_store {
    ($cache:ident, $len:literal) => {
        impl<P> $cache<P> {
            /// Removes all entries. Trees that are in use stay valid.
            pub fn clear(&self) {
                self.store.clear();
            }

            /// Sets new limits, and evicts the entries that exceed them.
            pub fn resize(&self, limits: $crate::cache::CacheLimits) {
                self.store.resize(limits);
            }

            /// Returns the limits.
            #[must_use]
            pub fn limits(&self) -> $crate::cache::CacheLimits {
                self.store.limits()
            }

            #[doc = $len]
            #[must_use]
            pub fn len(&self) -> usize {
                self.store.len()
            }

            /// Returns whether the cache has no entry.
            #[must_use]
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// Returns the numbers of hits, misses, evictions and entries, and the memory in bytes.
            #[must_use]
            pub fn statistics(&self) -> $crate::cache::CacheStatistics {
                self.store.statistics()
            }
        }
    };
}
pub(super) use forward_to_store;
