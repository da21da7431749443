//! Texts of times.

use pgq_digest::TimeText;

/// Maximum length of a text that needs no allocation (`MAX_SHORT` in src/time_text.rs).
const MAX_SHORT: usize = 30;

#[test]
fn short_and_long_texts_compare_alike() {
    let texts = ["", "2026-01-31", &"é".repeat(MAX_SHORT / 2), &"é".repeat(MAX_SHORT), "zzz"];
    for a in texts {
        assert_eq!(&*TimeText::from(a), a);
        for b in texts {
            assert_eq!(TimeText::from(a).cmp(&TimeText::from(b)), a.cmp(b), "{a} {b}");
        }
    }
    assert_eq!(size_of::<Option<TimeText>>(), 32);
}
