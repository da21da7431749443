//! Entries by hash, for any number of threads: in shards, each behind a lock that readers share. A hit sets a mark; when
//! a limit is reached, entries without a mark are removed, and marks are cleared. Knows no trees.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use hashbrown::HashTable;

use super::limits::{CacheLimits, CacheStatistics};

/// Shards: more than threads wait for each other.
const SHARDS: usize = 64;

/// The share of a limit that is free after entries were removed, so that this is rare.
const FREED: usize = 16;

/// An entry that knows its memory.
pub(super) trait Weighed {
    /// About how many bytes it takes.
    fn bytes(&self) -> usize;
}

pub(super) struct Store<E> {
    shards: Box<[Shard<E>]>,
    bytes: AtomicUsize,
    entries: AtomicUsize,
    most_bytes: AtomicUsize,
    most_entries: AtomicUsize,
    /// The shard that loses entries next.
    next: AtomicUsize,
    /// Random, so that nobody can construct texts whose hashes are equal.
    pub seed: u64,
}

/// In separate cache lines, since threads write to the counts of different shards at once.
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
    /// Whether it was found since entries were removed last.
    used: AtomicBool,
}

impl<E> Shard<E> {
    // A panic of a caller's closure leaves the table whole.
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

    /// Returns the first entry with this hash that `is_it`.
    #[inline]
    pub fn find(&self, hash: u64, mut is_it: impl FnMut(&E) -> bool) -> Option<Arc<E>> {
        let table = self.shard(hash).read();
        let slot = table.find(hash, |slot| slot.hash == hash && is_it(&slot.entry))?;
        // A write by every reader would send the cache line from core to core.
        if !slot.used.load(Relaxed) {
            slot.used.store(true, Relaxed);
        }
        Some(slot.entry.clone())
    }

    /// Counts a look-up.
    #[inline]
    pub fn count(&self, hash: u64, found: bool) {
        let shard = self.shard(hash);
        let counter = if found { &shard.hits } else { &shard.misses };
        counter.fetch_add(1, Relaxed);
    }

    /// Keeps an entry, unless it is too large, or `most` entries have its hash. Returns the entry that is kept instead:
    /// the one that another thread kept first.
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

    /// Removes entries until there is room for `bytes` and `entries` more: those that were not used first.
    fn make_room(&self, bytes: usize, entries: usize) {
        let most_bytes = self.most_bytes.load(Relaxed).saturating_sub(bytes);
        let most_entries = self.most_entries.load(Relaxed).saturating_sub(entries);
        let is_within =
            |bytes: usize, entries: usize| self.bytes.load(Relaxed) <= bytes && self.entries.load(Relaxed) <= entries;
        if is_within(most_bytes, most_entries) {
            return;
        }
        let (target_bytes, target_entries) = (most_bytes - most_bytes / FREED, most_entries - most_entries / FREED);
        // The first time around marks are cleared, the second time none is left.
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

    /// Removes every entry.
    pub fn clear(&self) {
        for shard in &self.shards {
            shard.write().retain(|slot| {
                self.forget(slot);
                false
            });
        }
    }

    /// Sets other limits, and keeps to them.
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

    /// Every entry at present, in no order.
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
