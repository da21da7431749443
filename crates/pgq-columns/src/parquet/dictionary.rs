//! Different texts in the order in which they came first, each with a number.

use std::hash::{BuildHasher, RandomState};

use hashbrown::HashTable;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Texts, numbered from 0.
#[derive(Debug)]
pub struct Dictionary {
    bytes: Vec<u8>,
    /// Where each text ends in the bytes.
    ends: Vec<usize>,
    /// Numbers by the hashes of their texts.
    table: HashTable<u32>,
    /// Random, so that nobody can construct texts whose hashes are equal.
    seed: u64,
}

impl Default for Dictionary {
    fn default() -> Self {
        let seed = RandomState::new().hash_one(0);
        Self { bytes: Vec::new(), ends: Vec::new(), table: HashTable::new(), seed }
    }
}

impl Dictionary {
    /// The number of a text, which is added if it is new.
    #[inline]
    pub fn number(&mut self, text: &[u8]) -> u32 {
        let Self { bytes, ends, table, seed } = self;
        let hash = xxh3_64_with_seed(text, *seed);
        if let Some(number) = table.find(hash, |number| text_of(bytes, ends, *number) == text) {
            return *number;
        }
        let number = ends.len() as u32;
        bytes.extend_from_slice(text);
        ends.push(bytes.len());
        table.insert_unique(hash, number, |number| xxh3_64_with_seed(text_of(bytes, ends, *number), *seed));
        number
    }

    /// The text of a number.
    #[inline]
    pub fn text(&self, number: u32) -> &[u8] {
        text_of(&self.bytes, &self.ends, number)
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// All texts in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.ends.len() as u32).map(|number| self.text(number))
    }

    /// Bytes of all texts.
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// Size in memory, in bytes.
    pub fn memory_size(&self) -> usize {
        self.bytes.capacity() + self.ends.capacity() * size_of::<usize>() + self.table.capacity() * 2 * size_of::<u32>()
    }

    /// Removes all texts; the memory is kept.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        self.table.clear();
    }
}

#[inline]
fn text_of<'a>(bytes: &'a [u8], ends: &[usize], number: u32) -> &'a [u8] {
    let start = if number == 0 { 0 } else { ends[number as usize - 1] };
    &bytes[start..ends[number as usize]]
}

#[cfg(test)]
mod tests {
    use super::Dictionary;

    #[test]
    fn texts_are_numbered_as_they_come() {
        let mut dictionary = Dictionary::default();
        let texts = ["b", "", "a", "b", "", "c"].map(|text| dictionary.number(text.as_bytes()));
        assert_eq!(texts, [0, 1, 2, 0, 1, 3]);
        assert_eq!(dictionary.iter().collect::<Vec<_>>(), [&b"b"[..], b"", b"a", b"c"]);
        dictionary.clear();
        assert_eq!((dictionary.number(b"c"), dictionary.len(), dictionary.bytes()), (0, 1, 1));
    }
}
