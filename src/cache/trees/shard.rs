//! One shard: entries by key behind a lock, bounded in bytes. A hit only sets a mark; when memory runs
//! out, entries without a mark go, and marks are cleared.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{PoisonError, RwLock};

use hashbrown::HashTable;

use super::cached::TreeEntry;

pub(super) struct Shard {
    entries: RwLock<Entries>,
    /// Most bytes.
    limit: usize,
}

#[derive(Default)]
struct Entries {
    table: HashTable<Slot>,
    bytes: usize,
}

struct Slot {
    hash: u64,
    key: Box<[u8]>,
    entry: Arc<TreeEntry>,
    used: AtomicBool,
    bytes: usize,
}

impl Shard {
    pub(super) fn new(limit: usize) -> Self {
        Self { entries: RwLock::default(), limit }
    }

    /// The entry of `key`, whose hash is `hash`.
    #[inline]
    pub(super) fn get(&self, hash: u64, key: &[u8]) -> Option<Arc<TreeEntry>> {
        self.find(hash, |other, _| other == key)
    }

    /// The first entry with this hash that `is_it`, which gets its key, too.
    #[inline]
    pub(super) fn find(&self, hash: u64, mut is_it: impl FnMut(&[u8], &TreeEntry) -> bool) -> Option<Arc<TreeEntry>> {
        // Nothing panics while the lock is held, and a table that it did would still be whole.
        let entries = self.entries.read().unwrap_or_else(PoisonError::into_inner);
        let slot = entries.table.find(hash, |slot| slot.hash == hash && is_it(&slot.key, &slot.entry))?;
        // A write by every reader would send the cache line from core to core.
        if !slot.used.load(Ordering::Relaxed) {
            slot.used.store(true, Ordering::Relaxed);
        }
        Some(slot.entry.clone())
    }

    /// Keeps an entry, unless it is larger than the shard.
    pub(super) fn insert(&self, hash: u64, key: &[u8], entry: Arc<TreeEntry>) {
        self.insert_among(usize::MAX, hash, key, entry);
    }

    /// Keeps an entry, unless it is larger than the shard, or there are `most` with its hash.
    pub(super) fn insert_among(&self, most: usize, hash: u64, key: &[u8], entry: Arc<TreeEntry>) {
        let bytes = key.len() + entry.bytes() + 2 * size_of::<Slot>();
        if bytes > self.limit {
            return;
        }
        let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
        let mut same = entries.table.iter_hash(hash).filter(|slot| slot.hash == hash);
        if same.clone().any(|slot| *slot.key == *key) || same.nth(most - 1).is_some() {
            return; // another thread was first, or there are enough
        }
        entries.make_room(self.limit - bytes);
        entries.bytes += bytes;
        let slot = Slot { hash, key: key.into(), entry, used: AtomicBool::new(false), bytes };
        entries.table.insert_unique(hash, slot, |slot| slot.hash);
    }

    pub(super) fn bytes(&self) -> usize {
        self.entries.read().unwrap_or_else(PoisonError::into_inner).bytes
    }

    pub(super) fn len(&self) -> usize {
        self.entries.read().unwrap_or_else(PoisonError::into_inner).table.len()
    }
}

impl Entries {
    /// Removes entries until no more than `target` bytes are left: those that were not used since the
    /// last time first. A quarter at once, so that this is rare.
    fn make_room(&mut self, target: usize) {
        if self.bytes <= target {
            return;
        }
        let target = target - target / 4;
        for _ in 0..2 {
            let Self { table, bytes } = self;
            table.retain(|slot| {
                if *bytes <= target || slot.used.swap(false, Ordering::Relaxed) {
                    return true;
                }
                *bytes -= slot.bytes;
                false
            });
        }
    }
}
