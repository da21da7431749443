//! The perfect hash of keywords: how a word becomes a slot of the table. The generator of
//! keywords.rs (tests/generated) uses the same functions to find the seeds; nothing else
//! may be in this file.

/// Slots of the table. A slot holds one keyword or none.
pub const SLOTS: usize = 1024;

/// Buckets of words that share a seed.
pub const BUCKETS: usize = 256;

/// Longest word in the table, in bytes: two machine words.
pub const LONGEST: usize = 16;

/// A word of up to [`LONGEST`] bytes in any case, as two numbers: equal for equal words only.
pub const fn folded(word: &[u8]) -> (u64, u64) {
    let mut halves = [0u64; 2];
    let mut i = 0;
    while i < word.len() {
        halves[i / 8] |= ((word[i] | 0x20) as u64) << (8 * (i % 8));
        i += 1;
    }
    (halves[0], halves[1])
}

const fn mixed((first, second): (u64, u64)) -> u64 {
    (first ^ second.rotate_left(23)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// The bucket of a word.
pub const fn bucket(word: (u64, u64)) -> usize {
    (mixed(word) >> 56) as usize
}

/// The slot of a word whose bucket has `seed`.
pub const fn slot(word: (u64, u64), seed: u16) -> usize {
    ((mixed(word) >> 40) as usize ^ seed as usize) % SLOTS
}
