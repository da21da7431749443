//! Answers that were given before, by the exact text of the statement: a statement that comes
//! again is not parsed again. Where next to none comes again, it keeps out of the way.

use pgq::FingerprintOptions;
use pgq::cache::ByteCache;
use pgq::shape::ShapeCache;

/// Bytes that all jobs together may keep.
const BYTES: usize = 4 << 20;

/// Bytes that all jobs together may keep of shapes.
const SHAPE_BYTES: usize = 8 << 20;

/// The shapes of one of `jobs` that share the memory.
pub fn shapes(jobs: usize, options: FingerprintOptions) -> ShapeCache {
    ShapeCache::new(SHAPE_BYTES / jobs.max(1), options)
}

/// Questions after which it is decided anew how often to ask.
const WINDOW: u32 = 2048;
/// Fewer answers than this of a window are not worth it.
const FEW: u32 = WINDOW / 50;
/// Then only one text of so many is looked for: those that come again are found out by it.
const RARELY: u64 = 32;

/// Answers by text.
pub struct Seen {
    cache: ByteCache,
    asked: u32,
    found: u32,
    rarely: bool,
}

impl Seen {
    /// One of `jobs` that share the memory.
    pub fn new(jobs: usize) -> Self {
        let cache = ByteCache::new(BYTES / jobs.max(1));
        Self { cache, asked: 0, found: 0, rarely: false }
    }

    /// The number by which a text is looked for; `None` where that is not worth it.
    pub fn key(&mut self, text: &[u8]) -> Option<u64> {
        let hash = self.cache.hash(text);
        if self.rarely && !hash.is_multiple_of(RARELY) {
            return None;
        }
        self.asked += 1;
        if self.asked == WINDOW {
            self.rarely = self.found < FEW;
            (self.asked, self.found) = (0, 0);
        }
        Some(hash)
    }

    /// The answer that was given for a text.
    pub fn answer(&mut self, key: u64, text: &[u8]) -> Option<&[u8]> {
        let answer = self.cache.get(key, text)?;
        self.found += 1;
        Some(answer)
    }

    /// Keeps an answer.
    pub fn keep(&mut self, key: u64, text: &[u8], answer: &[u8]) {
        self.cache.insert(key, text, answer);
    }
}

#[cfg(test)]
mod tests {
    use super::{Seen, WINDOW};

    /// Asks for a text as a command does; whether it was known.
    fn ask(seen: &mut Seen, text: &str) -> bool {
        let Some(key) = seen.key(text.as_bytes()) else { return false };
        if seen.answer(key, text.as_bytes()).is_some() {
            return true;
        }
        seen.keep(key, text.as_bytes(), b"answer");
        false
    }

    #[test]
    fn it_keeps_out_of_the_way_until_texts_come_again() {
        let mut seen = Seen::new(1);
        let fresh = (0..WINDOW * 10).filter(|i| ask(&mut seen, &format!("SELECT {i}"))).count();
        assert_eq!(fresh, 0);
        assert!(seen.rarely);
        let again = (0..WINDOW * 200).filter(|i| ask(&mut seen, &format!("SELECT a{}", i % 100))).count();
        assert!(!seen.rarely && again > 100_000, "{again}");
    }
}
