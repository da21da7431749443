//! Sums by key. If there are too many keys, the keys with the greatest weights are kept.
//!
//! This is the space-saving algorithm (Metwally, Agrawal and El Abbadi, 2005) with evictions in batches. It keeps the
//! same keys as the algorithm of Misra and Gries. The weight of an evicted key is at most [`Tally::floor`]. If an
//! evicted key occurs again, it is inserted like a new key. Therefore the weight of a key that is inserted after an
//! eviction may be too low, by at most the floor ([`Kept::missing`]).
//!
//! After `n` counts in a tally that evicts down to `k` keys, the floor is at most `n / (k + 1)`. Therefore every key
//! whose weight is greater than `n / (k + 1)` is kept.
//!
//! Merging adds the sums of each key. It is commutative and associative, and evicts no keys.

use std::borrow::Borrow;
use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::origin::name_text;

/// Up to this number of keys, a sorted list takes less memory than a tree.
const FEW: usize = 32;

/// Maximum length of a name, in bytes. The rest is cut off.
pub(crate) const MAX_NAME_LEN: usize = 512;

/// Estimated memory of a name with its figures, in bytes. Does not include long names and
/// timelines.
pub(crate) const NAME_SIZE: usize = 96;

/// Maximum number of users, of databases, and so on that each query and each kind of message keeps if memory is scarce.
/// The second number applies if the first does not free enough memory.
pub(crate) const SCARCE_NAMES: [usize; 2] = [64, 8];

/// A value that can be summed by key.
pub trait Sum: Default {
    /// Adds another sum.
    fn merge(&mut self, other: Self);

    /// Returns the weight, which ranks keys.
    fn weight(&self) -> u64;

    /// Adds the sum of an evicted key.
    fn merge_evicted(&mut self, other: Self) {
        self.merge(other);
    }

    /// Returns the allocated memory, in bytes.
    fn memory_size(&self) -> usize {
        0
    }

    /// Evicts names until at most `count` names of each kind remain.
    fn evict_names_to(&mut self, _count: usize) {}
}

impl Sum for u64 {
    fn merge(&mut self, other: Self) {
        *self = self.saturating_add(other);
    }

    fn weight(&self) -> u64 {
        *self
    }
}

/// A key of a tally.
pub trait Key: Ord {
    /// Returns the allocated memory, in bytes.
    fn memory_size(&self) -> usize;
}

impl Key for Box<str> {
    fn memory_size(&self) -> usize {
        self.len()
    }
}

impl Key for Option<u64> {
    fn memory_size(&self) -> usize {
        0
    }
}

/// The sum of a kept key.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept<S> {
    /// Sum since the key was inserted.
    pub sum: S,
    /// Upper bound of the weight that `sum` lacks. 0 if the sum is exact.
    pub missing: u64,
}

impl<S: Sum> Kept<S> {
    /// Returns an upper bound of the true weight.
    fn upper(&self) -> u64 {
        self.sum.weight().saturating_add(self.missing)
    }
}

/// Sums by key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally<K, S> {
    /// The keys in order, if there are at most [`FEW`].
    few: Vec<(K, Kept<S>)>,
    many: BTreeMap<K, Kept<S>>,
    floor: u64,
    others: S,
}

/// Sums by name.
pub type Names<S> = Tally<Box<str>, S>;

impl<K, S: Default> Default for Tally<K, S> {
    fn default() -> Self {
        Self { few: Vec::new(), many: BTreeMap::new(), floor: 0, others: S::default() }
    }
}

impl<K: Serialize, S: Serialize> Serialize for Tally<K, S> {
    fn serialize<T: Serializer>(&self, serializer: T) -> Result<T::Ok, T::Error> {
        let few = self.few.iter().map(|(key, kept)| (key, kept));
        let entries: Vec<(&K, &Kept<S>)> = few.chain(&self.many).collect();
        (entries, self.floor, &self.others).serialize(serializer)
    }
}

impl<'de, K: Key + Deserialize<'de>, S: Sum + Deserialize<'de>> Deserialize<'de> for Tally<K, S> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (entries, floor, others) = <(Vec<(K, Kept<S>)>, u64, S)>::deserialize(deserializer)?;
        Ok(Self::from_parts(entries, floor, others))
    }
}

impl<K: Key, S: Sum> Tally<K, S> {
    /// Returns a mutable reference to the sum of a key. If the key is new, inserts the key that `make` returns.
    pub fn of<Q: Ord + ?Sized>(&mut self, key: &Q, make: impl FnOnce() -> K) -> &mut S
    where
        K: Borrow<Q>,
    {
        if self.many.is_empty() {
            match self.few.binary_search_by(|(kept, _)| kept.borrow().cmp(key)) {
                Ok(at) => return &mut self.few[at].1.sum,
                Err(at) if self.few.len() < FEW => {
                    self.insert_at(at, make(), Kept { sum: S::default(), missing: self.floor });
                    return &mut self.few[at].1.sum;
                }
                Err(_) => self.many.extend(std::mem::take(&mut self.few)),
            }
        }
        if !self.many.contains_key(key) {
            self.many.insert(make(), Kept { sum: S::default(), missing: self.floor });
        }
        &mut self.many.get_mut(key).expect("it was inserted").sum
    }

    fn insert_at(&mut self, at: usize, key: K, kept: Kept<S>) {
        if self.few.is_empty() {
            self.few.reserve_exact(1); // most tallies have one key
        }
        self.few.insert(at, (key, kept));
    }

    /// Adds another tally.
    pub fn merge(&mut self, other: Self) {
        // If only this tally has a key, the key's sum may be too low, because the other tally may have evicted the key.
        if other.floor > 0 {
            let own = self.few.iter_mut().map(|(_, kept)| kept).chain(self.many.values_mut());
            own.for_each(|kept| kept.missing = kept.missing.saturating_add(other.floor));
        }
        for (key, theirs) in other.few.into_iter().chain(other.many) {
            let place = self.few.binary_search_by(|(kept, _)| kept.cmp(&key));
            let own = match place {
                Ok(at) => Some(&mut self.few[at].1),
                Err(_) => self.many.get_mut(&key),
            };
            if let Some(own) = own {
                own.sum.merge(theirs.sum);
                own.missing = (own.missing - other.floor).saturating_add(theirs.missing);
                continue;
            }
            let missing = theirs.missing.saturating_add(self.floor);
            let kept = Kept { sum: theirs.sum, missing };
            match place {
                Err(at) if self.many.is_empty() && self.few.len() < FEW => self.insert_at(at, key, kept),
                _ => {
                    self.many.extend(std::mem::take(&mut self.few));
                    self.many.insert(key, kept);
                }
            }
        }
        self.floor = self.floor.saturating_add(other.floor);
        self.others.merge(other.others);
    }

    /// Adds an entry. If the tally already has the key, adds the sums.
    pub(crate) fn insert(&mut self, key: K, kept: Kept<S>) {
        let floor = std::mem::take(&mut self.floor);
        self.merge(Self { few: vec![(key, kept)], many: BTreeMap::new(), floor: 0, others: S::default() });
        self.floor = floor;
    }

    /// Calls `change` with each sum.
    pub(crate) fn for_each_sum(&mut self, change: impl FnMut(&mut S)) {
        let few = self.few.iter_mut().map(|(_, kept)| kept);
        few.chain(self.many.values_mut()).map(|kept| &mut kept.sum).for_each(change);
    }

    /// Returns a mutable reference to the sum of the evicted keys.
    pub(crate) fn others_mut(&mut self) -> &mut S {
        &mut self.others
    }

    /// Evicts keys until `count` keys remain. Keeps the keys with the greatest weights. Among keys of equal weight,
    /// keeps the smallest keys.
    pub fn evict_to(&mut self, count: usize) {
        if self.len() <= count {
            return;
        }
        let ranked = self.take_ranked();
        self.keep_first(ranked, count);
    }

    /// Removes and returns all keys: greatest weight first, and smallest key first among equal weights.
    /// [`Tally::evict_to`] evicts keys from the end of this list.
    fn take_ranked(&mut self) -> Vec<(K, Kept<S>)> {
        let mut all: Vec<(K, Kept<S>)> = std::mem::take(&mut self.few);
        all.extend(std::mem::take(&mut self.many));
        all.sort_unstable_by(|(a, x), (b, y)| y.upper().cmp(&x.upper()).then_with(|| a.cmp(b)));
        all
    }

    /// Keeps the first `count` keys of `ranked`, and evicts the others.
    fn keep_first(&mut self, mut ranked: Vec<(K, Kept<S>)>, count: usize) {
        for (_, evicted) in ranked.split_off(count) {
            self.floor = self.floor.max(evicted.upper());
            self.others.merge_evicted(evicted.sum);
        }
        if count <= FEW {
            ranked.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
            ranked.shrink_to_fit();
            self.few = ranked;
        } else {
            self.many.extend(ranked);
        }
    }

    /// Adds the sum of keys that were evicted elsewhere, and the upper bound `floor` of their weights. Unlike
    /// [`Tally::merge`], does not change the kept keys.
    pub(crate) fn add_evicted(&mut self, floor: u64, others: S) {
        self.floor = self.floor.max(floor);
        self.others.merge_evicted(others);
    }

    /// Reduces the tally to at most `bytes` bytes of memory. First evicts names inside the sums, then whole keys.
    /// Keeps at least one key.
    pub(crate) fn evict_to_bytes(&mut self, bytes: usize) {
        for names in SCARCE_NAMES {
            if self.memory_size() <= bytes {
                return;
            }
            self.for_each_sum(|sum| sum.evict_names_to(names));
            self.others.evict_names_to(names);
        }
        if self.memory_size() > bytes {
            let ranked = self.take_ranked();
            let mut size = 0; // the sum of the evicted keys does not count, because an eviction cannot free it
            let fitting = ranked.iter().take_while(|(key, kept)| {
                size += Self::entry_size() + key.memory_size() + kept.sum.memory_size();
                size <= bytes
            });
            let count = fitting.count().max(1).min(ranked.len());
            self.keep_first(ranked, count);
        }
    }

    /// Returns the keys with their sums, sorted by key.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &Kept<S>)> {
        self.few.iter().map(|(key, kept)| (key, kept)).chain(&self.many)
    }

    /// Returns the keys with their sums, greatest weight first.
    pub fn ranked(&self) -> Vec<(&K, &Kept<S>)> {
        let mut all: Vec<_> = self.iter().collect();
        all.sort_unstable_by(|(a, x), (b, y)| y.sum.weight().cmp(&x.sum.weight()).then_with(|| a.cmp(b)));
        all
    }

    /// Returns the entries of [`Tally::iter`] by value.
    pub fn into_entries(self) -> impl Iterator<Item = (K, Kept<S>)> {
        self.few.into_iter().chain(self.many)
    }

    /// Returns a tally with the same keys. `part` converts each sum.
    pub fn map<T>(&self, part: impl Fn(&S) -> T) -> Tally<K, T>
    where
        K: Clone,
    {
        let kept = |kept: &Kept<S>| Kept { sum: part(&kept.sum), missing: kept.missing };
        Tally {
            few: self.few.iter().map(|(key, own)| (key.clone(), kept(own))).collect(),
            many: self.many.iter().map(|(key, own)| (key.clone(), kept(own))).collect(),
            floor: self.floor,
            others: part(&self.others),
        }
    }

    /// Returns the number of kept keys.
    pub fn len(&self) -> usize {
        self.few.len() + self.many.len()
    }

    /// Whether the tally has no counts.
    pub fn is_empty(&self) -> bool {
        self.len() == 0 && self.others.weight() == 0
    }

    /// Returns the maximum weight of an evicted key, or 0 if no key was evicted.
    pub fn floor(&self) -> u64 {
        self.floor
    }

    /// Returns the sum of the evicted keys.
    pub fn others(&self) -> &S {
        &self.others
    }

    /// Returns the allocated memory, in bytes.
    pub(crate) fn memory_size(&self) -> usize {
        let few = self.few.capacity() * size_of::<(K, Kept<S>)>();
        let entries = self.iter().map(|(key, kept)| key.memory_size() + kept.sum.memory_size()).sum::<usize>();
        few + self.many.len() * Self::entry_size() + entries + self.others.memory_size()
    }

    /// Returns the memory of an entry, in bytes. Adds half of the entry's size, because the nodes of a tree are only
    /// about two-thirds full.
    pub(crate) const fn entry_size() -> usize {
        size_of::<(K, Kept<S>)>() * 3 / 2
    }

    /// Creates a tally from the values of [`Tally::iter`], [`Tally::floor`] and [`Tally::others`].
    pub fn from_parts(entries: impl IntoIterator<Item = (K, Kept<S>)>, floor: u64, others: S) -> Self {
        let mut tally = Self { few: Vec::new(), many: entries.into_iter().collect(), floor, others };
        if tally.many.len() <= FEW {
            tally.few = std::mem::take(&mut tally.many).into_iter().collect();
        }
        tally
    }
}

impl<S: Sum> Names<S> {
    /// Returns a mutable reference to the sum of a name. If the name is new, inserts it. Returns `None` for an empty
    /// name.
    pub fn of_name(&mut self, name: &[u8]) -> Option<&mut S> {
        if name.is_empty() {
            return None;
        }
        // Fast path, because most tallies have one or two names. It does not apply to a name that is not ASCII, because
        // [`name_text`] may change such a name.
        if let Some(at) = self.few.iter().take(2).position(|(kept, _)| kept.as_bytes() == name && name.is_ascii()) {
            return Some(&mut self.few[at].1.sum);
        }
        let name = name_text(name);
        let name = &name[..name.floor_char_boundary(MAX_NAME_LEN)];
        Some(self.of(name, || name.into()))
    }
}

impl Names<u64> {
    /// A tally without counts.
    pub(crate) const EMPTY: Self = Self { few: Vec::new(), many: BTreeMap::new(), floor: 0, others: 0 };
}
