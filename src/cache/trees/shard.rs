//! One shard: entries by key behind a lock, bounded in bytes. A hit only sets a mark; when memory runs
//! out, entries without a mark go, and marks are cleared.

use std::sync::{Arc, PoisonError, RwLock};

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
    key: Arc<[u8]>,
    entry: Arc<TreeEntry>,
    bytes: usize,
}

impl Shard {
    pub(super) fn new(limit: usize) -> Self {
        Self { entries: RwLock::default(), limit }
    }

    /// The first entry with this hash that `is_it`, which gets its key, too; what `found` makes of its key and itself.
    #[inline]
    pub(super) fn find<R>(
        &self,
        hash: u64,
        mut is_it: impl FnMut(&[u8], &TreeEntry) -> bool,
        found: impl FnOnce(&Arc<[u8]>, &Arc<TreeEntry>) -> R,
    ) -> Option<R> {
        // Nothing panics while the lock is held, and a table that it did would still be whole.
        let entries = self.entries.read().unwrap_or_else(PoisonError::into_inner);
        let slot = entries.table.find(hash, |slot| slot.hash == hash && is_it(&slot.key, &slot.entry))?;
        slot.entry.mark_used();
        Some(found(&slot.key, &slot.entry))
    }

    /// Keeps an entry, unless it is larger than the shard, or there are `most` with its hash. Whether others
    /// had to go.
    pub(super) fn insert(&self, most: usize, hash: u64, key: &[u8], entry: Arc<TreeEntry>) -> bool {
        let bytes = key.len() + entry.bytes() + 2 * size_of::<Slot>();
        if bytes > self.limit {
            return false;
        }
        let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
        let mut same = entries.table.iter_hash(hash).filter(|slot| slot.hash == hash);
        if same.clone().any(|slot| *slot.key == *key) || same.nth(most - 1).is_some() {
            return false; // another thread was first, or there are enough
        }
        let removed = entries.make_room(self.limit - bytes);
        entries.bytes += bytes;
        entries.table.insert_unique(hash, Slot { hash, key: key.into(), entry, bytes }, |slot| slot.hash);
        removed
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
    /// last time first. A quarter at once, so that this is rare. Whether there were any.
    fn make_room(&mut self, target: usize) -> bool {
        if self.bytes <= target {
            return false;
        }
        let target = target - target / 4;
        for _ in 0..2 {
            let Self { table, bytes } = self;
            table.retain(|slot| {
                if *bytes <= target || slot.entry.take_used() {
                    return true;
                }
                *bytes -= slot.bytes;
                false
            });
        }
        true
    }
}
