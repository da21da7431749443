//! What a thread has found lately. Threads that look up the same entries would else all write to the same
//! memory: to the lock of a shard, and to the count of an entry's owners. Here each has a lock and a count
//! of its own.

use std::cell::Cell;
use std::ops::Deref;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::cached::TreeEntry;

/// Threads beyond this number share.
const THREADS: usize = 16;

/// Entries in a set: those whose hashes begin alike.
const WAYS: usize = 4;

/// Sets that each thread has.
const SETS: usize = 64;

thread_local! {
    static THREAD: Cell<Option<usize>> = const { Cell::new(None) };
}

/// The number of this thread.
fn thread_number() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    THREAD.get().unwrap_or_else(|| {
        let number = NEXT.fetch_add(1, Ordering::Relaxed) % THREADS;
        THREAD.set(Some(number));
        number
    })
}

/// An entry in somebody's hands.
#[derive(Clone)]
pub(super) enum Handle {
    /// From a shard.
    Shared(Arc<TreeEntry>),
    /// From what a thread has found lately; owners of this one do not write to the entry.
    OfThread(Arc<Counted>),
}

/// An entry whose owners a thread counts by itself.
pub(super) struct Counted(Arc<TreeEntry>);

impl Deref for Handle {
    type Target = TreeEntry;
    fn deref(&self) -> &TreeEntry {
        match self {
            Self::Shared(entry) => entry,
            Self::OfThread(entry) => &entry.0,
        }
    }
}

struct Recent {
    hash: u64,
    key: Arc<[u8]>,
    entry: Arc<Counted>,
}

#[derive(Default)]
struct Set {
    entries: [Option<Recent>; WAYS],
    /// The hash of what was found last in a shard: what is found twice in a row is kept here.
    candidate: u64,
    /// Which entry goes next.
    next: usize,
}

/// In a piece of memory of its own, which no other thread writes to.
#[derive(Default)]
#[repr(align(128))]
struct OfThread(Mutex<Vec<Set>>);

/// What each thread has found lately.
pub(super) struct RecentEntries(Vec<OfThread>);

impl RecentEntries {
    /// `None` where a cache of so many bytes would be used up by this.
    pub(super) fn new(bytes: usize) -> Option<Self> {
        const MOST: usize = THREADS * SETS * (size_of::<Set>() + WAYS * 3 * size_of::<usize>());
        (bytes / 8 >= MOST).then(|| Self((0..THREADS).map(|_| OfThread::default()).collect()))
    }

    /// The first entry with this hash that `is_it`, which gets its key, too.
    pub(super) fn find(&self, hash: u64, mut is_it: impl FnMut(&[u8], &TreeEntry) -> bool) -> Option<Handle> {
        // A thread that shares its number does not wait.
        let sets = self.0[thread_number()].0.try_lock().ok()?;
        let set = sets.get(set_number(hash))?;
        let found =
            set.entries.iter().flatten().find(|recent| recent.hash == hash && is_it(&recent.key, &recent.entry.0))?;
        found.entry.0.mark_used();
        Some(Handle::OfThread(found.entry.clone()))
    }

    /// Notes what was found in a shard.
    pub(super) fn note(&self, hash: u64, key: &Arc<[u8]>, entry: &Arc<TreeEntry>) {
        let Ok(mut sets) = self.0[thread_number()].0.try_lock() else { return };
        if sets.is_empty() {
            sets.resize_with(SETS, Set::default);
        }
        let set = &mut sets[set_number(hash)];
        if set.candidate != hash {
            set.candidate = hash;
            return;
        }
        set.entries[set.next] = Some(Recent { hash, key: key.clone(), entry: Arc::new(Counted(entry.clone())) });
        set.next = (set.next + 1) % WAYS;
    }

    /// Lets go of all entries: some have left the shards.
    pub(super) fn clear(&self) {
        for thread in &self.0 {
            thread.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
    }
}

/// The shard takes the first bits of a hash.
fn set_number(hash: u64) -> usize {
    hash as usize % SETS
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;
    use crate::cache::TreeCache;

    const ENOUGH: usize = 4 << 20;

    #[test]
    fn what_a_thread_finds_again_it_has_to_itself() {
        let cache = TreeCache::new(ENOUGH);
        let sql = "SELECT a FROM t";
        drop(cache.parse(sql).unwrap());
        let is_of_thread = || cache.get(sql).unwrap().is_of_thread();
        assert_eq!([is_of_thread(), is_of_thread(), is_of_thread()], [false, false, true]);
        let other = std::thread::scope(|scope| scope.spawn(is_of_thread).join().unwrap());
        assert!(!other, "it was found by another thread");
    }

    #[test]
    fn nothing_is_kept_that_may_have_left_the_cache() {
        let cache = TreeCache::new(ENOUGH);
        let sql = "SELECT a FROM t";
        drop(cache.parse(sql).unwrap());
        let [_, _, last] = [(); 3].map(|()| cache.get(sql).unwrap());
        assert!(last.is_of_thread());
        let mut bytes = 0;
        for number in 0..20_000 {
            let tree = cache.parse(&format!("SELECT a{number} FROM t, u, v WHERE b{number} IS NOT NULL")).unwrap();
            bytes += tree.tree().bytes();
        }
        assert!(bytes > 2 * ENOUGH, "{bytes}: all may still be there");
        assert!(!cache.get(sql).is_some_and(|known| known.is_of_thread()));
    }

    #[test]
    fn threads_find_the_same_while_entries_go() {
        let cache = TreeCache::new(ENOUGH);
        let start = Barrier::new(4);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (cache, start) = (&cache, &start);
                scope.spawn(move || {
                    start.wait();
                    for round in 0..2_000 {
                        let sql = format!("SELECT {} FROM t", round % 7);
                        assert_eq!(cache.parse(&sql).unwrap().sql(), sql);
                        drop(cache.parse(&format!("SELECT a{thread}_{round} FROM t, u, v, w")).unwrap());
                    }
                });
            }
        });
    }

    #[test]
    fn a_small_cache_has_none() {
        assert!(RecentEntries::new(64 << 10).is_none());
    }
}
