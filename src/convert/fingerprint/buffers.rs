//! Buffers for the tokens of a fingerprint. Sorting a list reorders the tokens of its items in the buffer.

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The version of libpg_query's fingerprint rules. It seeds the hash.
pub(crate) const VERSION: u64 = 3;

/// Reusable buffers, empty between calls.
#[derive(Default)]
pub(crate) struct Buffers {
    pub(crate) tokens: Vec<u8>,
    /// The items of all sorted lists that contain the current node.
    pub(crate) items: Vec<Item>,
    /// Scratch space for reordering the items of a list.
    pub(crate) ordered: Vec<u8>,
}

/// An item of a sorted list: its hash, and its range in `tokens`.
pub(crate) struct Item {
    pub(crate) hash: u64,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Buffers {
    /// Sorts the items from index `first` to the end by their hashes, and removes duplicates. The tokens of these items
    /// are at the end of `tokens`.
    pub(crate) fn sort(&mut self, first: usize) {
        let Self { tokens, items, ordered } = self;
        if let [start, _, ..] = &items[first..] {
            let start = start.start;
            let own = &mut items[first..];
            own.iter_mut().for_each(|item| item.hash = xxh3_64_with_seed(&tokens[item.start..item.end], VERSION));
            if !own.is_sorted_by(|a, b| a.hash < b.hash) {
                own.sort_unstable_by_key(|item| item.hash);
                ordered.clear();
                for same in own.chunk_by(|a, b| a.hash == b.hash) {
                    ordered.extend_from_slice(&tokens[same[0].start..same[0].end]);
                }
                tokens.truncate(start);
                tokens.extend_from_slice(ordered);
            }
        }
        items.truncate(first);
    }
}
