//! Measures a hit of the answer cache, by text and by shape, with one thread and with eight. Each thread has its own
//! cache, like a job of pgq. For hits by text, it measures 20,000 texts, and five repeated texts. Each answer is a
//! fingerprint. Then measures the cost of a lookup by shape per additional 100 bytes of a literal, a comment or blanks.

use std::cell::RefCell;
use std::hint::black_box;

use pgq::Tree;
use pgq::cache::{AnswerCache, AnswerCacheOptions, AnswerLookup, InputScope};
use pgq_example_proxy::growth::{FURTHER, KINDS};
use pgq_example_proxy::lookups::{ROUNDS, best, for_each_load};
use pgq_example_proxy::queries;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    for_each_load(|threads, rounds, five| {
        let texts = || rounds.iter().copied().flatten();
        let mean = texts().map(|text| text.len()).sum::<usize>() as f64 / texts().count() as f64;

        let by_text = best(threads, &[rounds[0]; ROUNDS], |texts| caches(64 << 20, 0, texts));
        let by_hot_text = best(threads, &[five; ROUNDS], |_| caches(64 << 20, 0, &five[..5]));
        // The cache stores a shape on its second occurrence, but may forget the first occurrence if other shapes occur
        // in between. Therefore sort the texts, so that texts of one shape are adjacent.
        let mut known = queries(15);
        known.sort_unstable();
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let by_shape = best(threads, rounds, |_| caches(0, 64 << 20, &known));
        println!(
            "{threads} threads, texts of {mean:.0} bytes: by text {by_text:.0} ns, by one of five texts {by_hot_text:.0} ns, by shape {by_shape:.0} ns, {:.0} for each 100 bytes",
            by_shape / mean * 100.0
        );
        for kind in KINDS {
            let slopes = kind.slopes(threads, || caches(0, 64 << 20, &[&kind.shortest()]));
            print!("{threads} threads, by shape, {}: ns for each further 100 bytes:", kind.name);
            for (further, slope) in FURTHER.iter().zip(slopes) {
                print!(" {slope:.1} of {further}");
            }
            println!();
        }
    });
}

/// Returns a function that looks up a text in a cache. The cache contains the answers for the texts `known`.
fn caches(text_bytes: usize, shape_bytes: usize, known: &[&str]) -> impl FnMut(&str) + use<> {
    let mut options = AnswerCacheOptions::default();
    (options.text_bytes, options.shape_bytes) = (text_bytes, shape_bytes);
    let cache = RefCell::new(AnswerCache::new(&options));
    // Repeat the texts, because a cache with a low hit rate skips most lookups and stores few entries.
    for _ in 0..10 {
        for sql in known {
            let mut cache = cache.borrow_mut();
            if let AnswerLookup::Miss(keys) = cache.look_up_str(sql, InputScope::Text) {
                let tree = Tree::parse(sql, &Default::default()).expect("the query parses");
                let found = tree.fingerprint(&Default::default()).expect("it has a fingerprint");
                cache.keep(keys, sql.as_bytes(), &found.fingerprint.0.to_le_bytes(), &tree, None, Some(found));
            }
        }
    }
    move |sql| match cache.borrow_mut().look_up_str(sql, InputScope::Text) {
        AnswerLookup::Text(answer) => drop(black_box(answer.len())),
        AnswerLookup::Shape(shape, _) => drop(black_box(shape.fingerprint())),
        AnswerLookup::Miss(_) => panic!("it is known: {sql}"),
    }
}
