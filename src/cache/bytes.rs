//! A cache that maps byte strings to byte strings. Its capacity is in bytes. It keeps recently used entries, and does
//! not depend on SQL.
//!
//! Keys are compared in full. Entries are stored contiguously in two generations. New entries go to the young
//! generation. A hit in the old generation copies the entry to the young generation. When the young generation is full,
//! it becomes the old generation. No entry is freed individually. A stream of distinct texts does not evict a text that
//! repeats, because each hit keeps this text in the young generation.

use std::hash::{BuildHasher, RandomState};

use hashbrown::HashTable;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Maps byte strings to byte strings.
pub struct ByteCache {
    young: Generation,
    old: Generation,
    /// Maximum size of one generation, in bytes.
    limit: usize,
    /// Random seed of the hashes. It prevents attackers from constructing keys that collide.
    seed: u64,
}

#[derive(Default)]
struct Generation {
    table: HashTable<EntryRef>,
    /// Entries: header, key and value.
    bytes: Vec<u8>,
}

/// A reference to an entry: half of the entry's hash, and the entry's offset in `bytes`.
#[derive(Clone, Copy)]
struct EntryRef {
    hash: u32,
    start: u32,
}

/// Location of a value. It is valid until the next lookup or insertion.
#[derive(Clone, Copy)]
pub(crate) struct EntryLocation {
    young: bool,
    slot: EntryRef,
}

/// Size of an entry's header, which contains the lengths of key and value.
const LENGTHS: usize = 8;

/// Estimated overhead of an entry in bytes: its header and its share of the hash table. The hash table may be more
/// than half empty, so the share is about three slots.
const OVERHEAD: usize = LENGTHS + 3 * size_of::<EntryRef>();

/// Extends the stored half of a hash to 64 bits, because the hash table also uses the highest bits.
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

impl Generation {
    fn find(&self, hash: u64, key: &[u8]) -> Option<EntryRef> {
        let hash = hash as u32;
        self.table.find(spread(hash), |slot| slot.hash == hash && self.entry(*slot).0 == key).copied()
    }

    /// Returns the key and the value of an entry.
    fn entry(&self, slot: EntryRef) -> (&[u8], &[u8]) {
        let rest = &self.bytes[slot.start as usize..];
        let len = |at: usize| u32::from_le_bytes([rest[at], rest[at + 1], rest[at + 2], rest[at + 3]]) as usize;
        let (key, value) = (len(0), len(4));
        rest[LENGTHS..LENGTHS + key + value].split_at(key)
    }

    fn add(&mut self, hash: u64, key: &[u8], value: &[u8], limit: usize) -> EntryRef {
        let slot = EntryRef { hash: hash as u32, start: self.bytes.len() as u32 };
        // Reserve the whole capacity now. Gradual growth would fragment the heap, and untouched memory costs nothing.
        self.bytes.reserve_exact(limit - self.bytes.len());
        self.bytes.extend_from_slice(&(key.len() as u32).to_le_bytes());
        self.bytes.extend_from_slice(&(value.len() as u32).to_le_bytes());
        self.bytes.extend_from_slice(key);
        self.bytes.extend_from_slice(value);
        self.table.insert_unique(spread(slot.hash), slot, |slot| spread(slot.hash));
        slot
    }

    /// Returns the generation's size in bytes.
    fn weight(&self) -> usize {
        self.bytes.len() + self.table.len() * (OVERHEAD - LENGTHS)
    }
}

impl ByteCache {
    /// Creates a cache of at most about `limit` bytes, including keys, values and tables.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        let limit = (limit / 2).min(u32::MAX as usize);
        let seed = RandomState::new().hash_one(0);
        Self { young: Generation::default(), old: Generation::default(), limit, seed }
    }

    /// Returns the hash of a key, for [`ByteCache::get`] and [`ByteCache::insert`].
    #[must_use]
    pub fn hash(&self, key: &[u8]) -> u64 {
        xxh3_64_with_seed(key, self.seed)
    }

    /// Returns the value of `key`, whose hash is `hash`.
    pub fn get(&mut self, hash: u64, key: &[u8]) -> Option<&[u8]> {
        self.find(hash, key).map(|found| self.value(found))
    }

    /// Returns the location of the value of `key`, whose hash is `hash`.
    pub(crate) fn find(&mut self, hash: u64, key: &[u8]) -> Option<EntryLocation> {
        if let Some(slot) = self.young.find(hash, key) {
            return Some(EntryLocation { young: true, slot });
        }
        let slot = self.old.find(hash, key)?;
        let (key, value) = self.old.entry(slot);
        if !fits(&self.young, key.len() + value.len(), self.limit) {
            return Some(EntryLocation { young: false, slot }); // there is no room for a copy
        }
        Some(EntryLocation { young: true, slot: self.young.add(hash, key, value, self.limit) })
    }

    /// Returns the value at a location.
    pub(crate) fn value(&self, found: EntryLocation) -> &[u8] {
        let generation = if found.young { &self.young } else { &self.old };
        generation.entry(found.slot).1
    }

    /// Inserts a value for a new key. Entries larger than a quarter of a generation are not stored.
    pub fn insert(&mut self, hash: u64, key: &[u8], value: &[u8]) {
        if key.len() + value.len() > self.limit / 4 {
            return;
        }
        if !fits(&self.young, key.len() + value.len(), self.limit) {
            std::mem::swap(&mut self.young, &mut self.old);
            self.young.table.clear();
            self.young.bytes.clear();
        }
        self.young.add(hash, key, value, self.limit);
    }

    /// Returns the approximate number of bytes in use.
    #[must_use]
    pub fn weight(&self) -> usize {
        self.young.weight() + self.old.weight()
    }
}

/// Returns whether an entry fits into the generation. `bytes` is the entry's size.
fn fits(generation: &Generation, bytes: usize, limit: usize) -> bool {
    generation.weight() + bytes + OVERHEAD <= limit
}
