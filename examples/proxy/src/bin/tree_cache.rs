//! Measures hits of the tree cache, by text and by shape, and parsing for comparison. Runs with one thread, and with
//! eight threads that share a cache. For hits by text, it measures 20,000 texts (their trees are not in the processor's
//! caches), and then five texts. As in a proxy, the texts are in a buffer that was just written. Times are CPU times of
//! the threads.

use std::hint::black_box;

use pgq::cache::{ShapeCache, TreeCache};
use pgq::{ParseOptions, Tree};
use pgq_example_proxy::lookups::{ROUNDS, best, for_each_load};
use pgq_example_proxy::queries;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    for_each_load(|threads, rounds, five| {
        let known = TreeCache::new(1 << 30);
        rounds[0].iter().for_each(|sql| drop(known.parse(sql).expect("the query parses")));
        let shapes = ShapeCache::new(1 << 30);
        queries(5).iter().for_each(|sql| drop(shapes.parse(sql)));

        let parse = best(threads, rounds, |_| |sql: &str| drop(black_box(parse(sql))));
        let by_text =
            best(threads, &[rounds[0]; ROUNDS], |_| |sql: &str| drop(black_box(known.get(sql).expect("it is known"))));
        five.iter().take(10).for_each(|sql| drop(known.parse(sql)));
        let by_hot_text =
            best(threads, &[five; ROUNDS], |_| |sql: &str| drop(black_box(known.get(sql).expect("it is known"))));
        let by_shape =
            best(threads, rounds, |_| |sql: &str| drop(black_box(shapes.get(sql).expect("its shape is known"))));
        let share = by_shape / parse * 100.0;
        println!(
            "{threads} threads: parse {parse:.0} ns, by text {by_text:.0} ns, by one of five texts {by_hot_text:.0} ns, by shape {by_shape:.0} ns, {share:.0} % of a parse"
        );
    });
}

fn parse(sql: &str) -> Tree {
    Tree::parse(sql, &ParseOptions::default()).expect("the query parses")
}
