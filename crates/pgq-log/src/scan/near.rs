//! Finds a byte that is usually near the start of the text. Inspects 32 bytes before it calls `memchr`, which is fast
//! only for distant matches.

/// Bytes per word.
const WORD: usize = 8;

/// Number of eight-byte words to inspect. They suffice for a timestamp with its zone.
const WORDS: usize = 4;

/// Returns the offset of the first byte that equals `byte`.
#[inline]
pub fn find_near(byte: u8, text: &[u8]) -> Option<usize> {
    let (found, rest) = find_in_words(text, |word| equal_bytes(word, byte));
    found.or_else(|| memchr::memchr(byte, &text[rest..]).map(|len| rest + len))
}

/// Returns the offset of the first byte that equals `one` or `other`.
#[inline]
pub fn find_near2(one: u8, other: u8, text: &[u8]) -> Option<usize> {
    let (found, rest) = find_in_words(text, |word| equal_bytes(word, one) | equal_bytes(word, other));
    found.or_else(|| memchr::memchr2(one, other, &text[rest..]).map(|len| rest + len))
}

/// Inspects the first `WORDS` words. Returns the offset of the first byte that `matches` marks, and the offset after
/// the inspected words.
#[inline]
fn find_in_words(text: &[u8], matches: impl Fn(u64) -> u64) -> (Option<usize>, usize) {
    let (words, _) = text.as_chunks::<WORD>();
    for (index, word) in words.iter().take(WORDS).enumerate() {
        let found = matches(u64::from_le_bytes(*word));
        if found != 0 {
            return (Some(index * WORD + found.trailing_zeros() as usize / 8), 0);
        }
    }
    (None, words.len().min(WORDS) * WORD)
}

/// Marks the first byte of `word` that equals `byte`: in the returned word, the highest bit of this byte is set. The
/// bits of later bytes are unreliable.
#[inline]
fn equal_bytes(word: u64, byte: u8) -> u64 {
    const ONES: u64 = u64::from_le_bytes([1; WORD]);
    let zero_where_equal = word ^ (ONES * u64::from(byte));
    zero_where_equal.wrapping_sub(ONES) & !zero_where_equal & (ONES << 7)
}
