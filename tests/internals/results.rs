//! Tests the cache that maps texts to answers.

use pgq::internals::ResultCache;

/// Number of lookups after which the cache checks its hit rate again (`WINDOW` in src/cache/results.rs).
const WINDOW: u32 = 2048;

/// Looks up a text. If the text is unknown, stores an answer, as a command does. Returns whether the text was
/// known.
fn ask(seen: &mut ResultCache, text: &str) -> bool {
    let Some(key) = seen.key(text.as_bytes()) else { return false };
    if seen.answer(key, text.as_bytes()).is_some() {
        return true;
    }
    seen.keep(key, text.as_bytes(), b"answer");
    false
}

#[test]
fn a_cheap_answer_is_kept_when_its_text_comes_again() {
    let mut seen = ResultCache::new(1 << 20);
    let known = [(); 4].map(|()| {
        let key = seen.key(b"SELECT 1").unwrap();
        let known = seen.answer(key, b"SELECT 1").is_some();
        seen.keep_repeated(key, b"SELECT 1", b"answer");
        known
    });
    assert_eq!(known, [false, false, true, true]);
}

#[test]
fn it_keeps_out_of_the_way_until_texts_come_again() {
    let mut seen = ResultCache::new(4 << 20);
    let looks_up = |seen: &mut ResultCache| (0..100).filter(|i| seen.key(format!("{i}").as_bytes()).is_some()).count();
    let fresh = (0..WINDOW * 10).filter(|i| ask(&mut seen, &format!("SELECT {i}"))).count();
    assert_eq!(fresh, 0);
    assert!(looks_up(&mut seen) < 50);
    let again = (0..WINDOW * 200).filter(|i| ask(&mut seen, &format!("SELECT a{}", i % 1000))).count();
    assert!(looks_up(&mut seen) == 100 && again > 100_000, "{again}");
}
