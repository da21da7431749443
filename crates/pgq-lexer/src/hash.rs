//! The perfect hash of keywords. It maps a word to the only entry of the keyword table that may contain this word.
//! crates/pgq-codegen also compiles this file, because it searches for the seeds of the hash and writes them to
//! keywords.rs. Therefore this file must not use other files.

/// Number of entries in the table. Each contains at most one keyword.
pub const TABLE_SIZE: usize = 1024;

/// Number of buckets. The words of a bucket share a seed.
pub const BUCKETS: usize = 256;

/// Maximum length of a keyword in the table, in bytes. [`fold_case`] packs a word into two numbers of eight bytes each.
pub const MAX_WORD_LEN: usize = 16;

/// Packs a word of up to [`MAX_WORD_LEN`] ASCII bytes into two numbers, ignoring case. Two words have equal numbers if
/// and only if they are equal ignoring case.
pub const fn fold_case(word: &[u8]) -> (u64, u64) {
    let mut halves = [0u64; 2];
    let mut i = 0;
    while i < word.len() {
        halves[i / 8] |= ((word[i] | 0x20) as u64) << (8 * (i % 8));
        i += 1;
    }
    (halves[0], halves[1])
}

const fn mix((first, second): (u64, u64)) -> u64 {
    (first ^ second.rotate_left(23)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Returns the bucket of a packed word; see [`fold_case`].
pub const fn bucket(word: (u64, u64)) -> usize {
    (mix(word) >> 56) as usize
}

/// Returns the table index of a packed word. `seed` is the seed of the word's bucket.
pub const fn table_index(word: (u64, u64), seed: u16) -> usize {
    ((mix(word) >> 40) as usize ^ seed as usize) % TABLE_SIZE
}
