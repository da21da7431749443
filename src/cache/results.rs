//! Answers by the exact text of a statement. Where hardly any text repeats, only a sample of the
//! texts is looked up, so that a stream of different statements pays next to nothing.

use super::bytes::ByteCache;

/// Lookups after which the hit rate is judged anew.
const WINDOW: u32 = 2048;
/// With fewer hits in a window, looking up costs more than it saves.
const FEW: u32 = WINDOW / 50;
/// Then one text in this many is looked up, to notice when texts repeat again.
const RARELY: u64 = 32;

/// Answers by text.
pub struct ResultCache {
    cache: ByteCache,
    lookups: u32,
    hits: u32,
    rarely: bool,
}

impl ResultCache {
    /// A cache of at most about `bytes` bytes.
    pub fn new(bytes: usize) -> Self {
        let cache = ByteCache::new(bytes);
        Self { cache, lookups: 0, hits: 0, rarely: false }
    }

    /// The hash to look a text up by; `None` when that is not worth it.
    pub fn key(&mut self, text: &[u8]) -> Option<u64> {
        let hash = self.cache.hash(text);
        if self.rarely && !hash.is_multiple_of(RARELY) {
            return None;
        }
        self.lookups += 1;
        if self.lookups == WINDOW {
            self.rarely = self.hits < FEW;
            (self.lookups, self.hits) = (0, 0);
        }
        Some(hash)
    }

    /// The answer that was kept for a text.
    pub fn answer(&mut self, key: u64, text: &[u8]) -> Option<&[u8]> {
        let answer = self.cache.get(key, text)?;
        self.hits += 1;
        Some(answer)
    }

    /// Keeps an answer.
    pub fn keep(&mut self, key: u64, text: &[u8], answer: &[u8]) {
        self.cache.insert(key, text, answer);
    }
}

#[cfg(test)]
mod tests {
    use super::{ResultCache, WINDOW};

    /// Looks a text up as a command does; returns whether it was known.
    fn ask(seen: &mut ResultCache, text: &str) -> bool {
        let Some(key) = seen.key(text.as_bytes()) else { return false };
        if seen.answer(key, text.as_bytes()).is_some() {
            return true;
        }
        seen.keep(key, text.as_bytes(), b"answer");
        false
    }

    #[test]
    fn it_keeps_out_of_the_way_until_texts_come_again() {
        let mut seen = ResultCache::new(4 << 20);
        let fresh = (0..WINDOW * 10).filter(|i| ask(&mut seen, &format!("SELECT {i}"))).count();
        assert_eq!(fresh, 0);
        assert!(seen.rarely);
        let again = (0..WINDOW * 200).filter(|i| ask(&mut seen, &format!("SELECT a{}", i % 100))).count();
        assert!(!seen.rarely && again > 100_000, "{again}");
    }
}
