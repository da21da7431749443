//! Helpers for caches whose key is SQL. A lookup takes place before the SQL is lexed. [`start_number`] maps SQL to a
//! slot of the cache, by the first bytes of the SQL. [`HitRate`] decides whether lookups succeed often enough. This
//! module stores no cache entries.

/// Number of leading bytes that [`start_number`] hashes.
pub const START_BYTES: usize = 24;

/// Hashes the first bytes of SQL to a number from 0 to 255.
#[inline]
#[must_use]
pub fn start_number(text: &[u8]) -> usize {
    let mix = |hash: u64, word: [u8; 8]| {
        (hash.rotate_left(23) ^ u64::from_le_bytes(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    };
    let mut short = [0; START_BYTES];
    let start = text.first_chunk::<START_BYTES>().unwrap_or_else(|| {
        short[..text.len()].copy_from_slice(text);
        &short
    });
    (start.as_chunks::<8>().0.iter().copied().fold(0, mix) >> 56) as usize
}

/// Decides from the hit rate whether lookups are worthwhile. After `WINDOW` lookups with fewer than `FEW` hits,
/// [`HitRate::is_worthwhile`] returns false for the next 16 × `WINDOW` calls.
///
/// ```
/// use pgq_lexer::HitRate;
///
/// let mut rate = HitRate::<4, 2>::default();
/// // Nothing is found: the fourth lookup is the last one for a while.
/// let looks = (0..4 + 16 * 4).filter(|_| rate.is_worthwhile()).count();
/// assert_eq!(looks, 4);
/// assert!(rate.is_worthwhile());
/// ```
#[derive(Debug, Default)]
pub struct HitRate<const WINDOW: u32, const FEW: u32> {
    /// Number of lookups in the current window of `WINDOW` lookups.
    lookups: u32,
    /// Number of hits among these lookups.
    hits: u32,
    /// Number of lookups to skip.
    pass: u32,
}

impl<const WINDOW: u32, const FEW: u32> HitRate<WINDOW, FEW> {
    /// Returns whether the next lookup is worthwhile, and if so, counts it.
    #[inline]
    pub fn is_worthwhile(&mut self) -> bool {
        if self.pass > 0 {
            self.pass -= 1;
            return false;
        }
        self.lookups += 1;
        if self.lookups == WINDOW {
            self.pass = if self.hits < FEW { 16 * WINDOW } else { 0 };
            (self.lookups, self.hits) = (0, 0);
        }
        true
    }

    /// Counts the last lookup as a hit.
    #[inline]
    pub fn hit(&mut self) {
        self.hits += 1;
    }

    /// Returns whether lookups are being skipped.
    #[inline]
    #[must_use]
    pub fn is_passing(&self) -> bool {
        self.pass > 0
    }
}
