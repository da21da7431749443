//! A cache of bytes by bytes, bounded by its bytes: what was seen lately is kept. It knows
//! nothing of SQL.
//!
//! Keys are compared in full. Entries lie one behind the other in two generations: new ones
//! go to the young, what is found in the old one moves over, and when the young is full it
//! becomes the old. So nothing is freed one by one, and a stream of texts that never come
//! again cannot push out those that do.

use std::hash::{BuildHasher, RandomState};

use hashbrown::HashTable;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Maps keys to values, both of them bytes.
pub struct ByteCache {
    young: Generation,
    old: Generation,
    /// Most bytes of one generation.
    limit: usize,
    /// Nobody who writes a log can know which keys collide.
    seed: u64,
}

#[derive(Default)]
struct Generation {
    table: HashTable<Slot>,
    /// Keys and values, each key with its value behind it.
    bytes: Vec<u8>,
}

/// An entry: its hash, and where in the bytes it is.
#[derive(Clone, Copy)]
struct Slot {
    hash: u64,
    start: u32,
    key: u32,
    value: u32,
}

/// Bytes that an entry takes up beside its key and value: its slot in a table that is never full.
const OVERHEAD: usize = 2 * size_of::<Slot>();

/// Bytes that a generation grows by at least.
const STEP: usize = 256 << 10;

impl Generation {
    fn find(&self, hash: u64, key: &[u8]) -> Option<Slot> {
        self.table.find(hash, |slot| slot.hash == hash && self.key(*slot) == key).copied()
    }

    fn key(&self, slot: Slot) -> &[u8] {
        &self.bytes[slot.start as usize..][..slot.key as usize]
    }

    fn value(&self, slot: Slot) -> &[u8] {
        &self.bytes[(slot.start + slot.key) as usize..][..slot.value as usize]
    }

    fn add(&mut self, hash: u64, key: &[u8], value: &[u8]) -> Slot {
        let start = self.bytes.len() as u32;
        self.make_room(key.len() + value.len());
        self.bytes.extend_from_slice(key);
        self.bytes.extend_from_slice(value);
        let slot = Slot { hash, start, key: key.len() as u32, value: value.len() as u32 };
        self.table.insert_unique(hash, slot, |slot| slot.hash);
        slot
    }

    /// Room in steps: twice as much each time would soon be twice too much.
    fn make_room(&mut self, more: usize) {
        if self.bytes.capacity() - self.bytes.len() < more {
            self.bytes.reserve_exact(more.max(STEP));
        }
    }

    fn weight(&self) -> usize {
        self.bytes.len() + self.table.len() * OVERHEAD
    }
}

impl ByteCache {
    /// A cache of at most about `limit` bytes, keys and values and what finds them together.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        let limit = (limit / 2).min(u32::MAX as usize);
        let seed = RandomState::new().hash_one(0);
        Self { young: Generation::default(), old: Generation::default(), limit, seed }
    }

    /// The hash of a key, for [`ByteCache::get`] and [`ByteCache::insert`].
    #[must_use]
    pub fn hash(&self, key: &[u8]) -> u64 {
        xxh3_64_with_seed(key, self.seed)
    }

    /// The value of `key`, whose hash is `hash`.
    pub fn get(&mut self, hash: u64, key: &[u8]) -> Option<&[u8]> {
        if let Some(slot) = self.young.find(hash, key) {
            return Some(self.young.value(slot));
        }
        let slot = self.old.find(hash, key)?;
        if !self.fits(slot.key as usize + slot.value as usize) {
            return Some(self.old.value(slot)); // it moves when there is a new generation
        }
        let slot = self.young.add(hash, key, self.old.value(slot));
        Some(self.young.value(slot))
    }

    /// Keeps a value for a key that has none. One that is larger than an eighth of the cache
    /// is not kept.
    pub fn insert(&mut self, hash: u64, key: &[u8], value: &[u8]) {
        if key.len() + value.len() > self.limit / 4 {
            return;
        }
        if !self.fits(key.len() + value.len()) {
            std::mem::swap(&mut self.young, &mut self.old);
            self.young.table.clear();
            self.young.bytes.clear();
        }
        self.young.add(hash, key, value);
    }

    fn fits(&self, bytes: usize) -> bool {
        self.young.weight() + bytes + OVERHEAD <= self.limit
    }

    /// Bytes in use, about.
    #[must_use]
    pub fn weight(&self) -> usize {
        self.young.weight() + self.old.weight()
    }
}

#[cfg(test)]
mod tests {
    use super::ByteCache;

    fn get(cache: &mut ByteCache, key: &str) -> Option<Vec<u8>> {
        cache.get(cache.hash(key.as_bytes()), key.as_bytes()).map(<[u8]>::to_vec)
    }

    fn insert(cache: &mut ByteCache, key: &str, value: &str) {
        cache.insert(cache.hash(key.as_bytes()), key.as_bytes(), value.as_bytes());
    }

    #[test]
    fn what_comes_again_stays_and_bytes_are_bounded() {
        let mut cache = ByteCache::new(20_000);
        insert(&mut cache, "hot", "value");
        for i in 0..10_000 {
            assert_eq!(get(&mut cache, "hot").as_deref(), Some(&b"value"[..]), "{i}");
            insert(&mut cache, &format!("cold {i}"), "x");
            assert!(cache.weight() <= 20_000);
        }
        assert_eq!(get(&mut cache, "cold 9999").as_deref(), Some(&b"x"[..]));
        assert_eq!(get(&mut cache, "cold 1"), None);
        assert_eq!(get(&mut cache, ""), None);
    }

    #[test]
    fn keys_are_compared_in_full() {
        let mut cache = ByteCache::new(1000);
        cache.insert(7, b"a", b"1");
        assert_eq!(cache.get(7, b"a"), Some(&b"1"[..]));
        assert_eq!(cache.get(7, b"b"), None);
        cache.insert(7, b"b", b"");
        assert_eq!(cache.get(7, b"b"), Some(&b""[..]));
        cache.insert(8, &[0; 1000], b"too large");
        assert_eq!(cache.get(8, &[0; 1000]), None);
    }
}
