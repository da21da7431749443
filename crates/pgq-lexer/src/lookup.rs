//! What caches of texts share that look before anything is lexed: the first bytes of a text choose where to look,
//! and the share of texts that were found whether to look at all. Knows nothing of what is kept.

/// First bytes of a text that [`start_number`] is of.
pub const START_BYTES: usize = 24;

/// A number from 0 to 255 for the first bytes of a text.
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

/// Whether lookups are worth it: after each `WINDOW` of them with fewer than `FEW` hits, 16 times as many are passed.
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
    /// Lookups in this window, and how many of them found something.
    lookups: u32,
    hits: u32,
    /// Lookups to pass before the next.
    pass: u32,
}

impl<const WINDOW: u32, const FEW: u32> HitRate<WINDOW, FEW> {
    /// Whether to look for the next text.
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

    /// Counts a text that was found.
    #[inline]
    pub fn hit(&mut self) {
        self.hits += 1;
    }

    /// Whether lookups are passed at the moment.
    #[inline]
    #[must_use]
    pub fn is_passing(&self) -> bool {
        self.pass > 0
    }
}
