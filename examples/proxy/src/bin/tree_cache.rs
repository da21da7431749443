//! What a hit of the cache of trees takes, by text and by shape, beside a parse: on one thread and on eight,
//! which look up in one cache. By text, both of texts that are in no processor cache and of five that are. Time is that of a thread's turn on a core: with more threads than cores,
//! the time of all divided by the lookups that the cores made.

use std::hint::black_box;
use std::time::Instant;

use pgq::cache::TreeCache;
use pgq::{ParseOptions, Tree};
use pgq_example_proxy::queries;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Texts that each thread looks up in a round.
const TEXTS: usize = 20_000;

const ROUNDS: usize = 10;

fn main() {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    for threads in [1, 8] {
        // No text is there twice: one that is looked up again is kept as a text.
        let mut texts = queries(2 * TEXTS * threads * ROUNDS);
        texts.sort_unstable();
        texts.dedup();
        fastrand::Rng::with_seed(2).shuffle(&mut texts);
        texts.truncate(TEXTS * threads * ROUNDS);
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let rounds: Vec<&[&str]> = texts.chunks(TEXTS * threads).collect();
        let known = TreeCache::new(1 << 30);
        rounds[0].iter().for_each(|sql| drop(known.parse(sql).expect("the query parses")));
        let shapes = TreeCache::new(1 << 30);
        queries(5).iter().for_each(|sql| drop(shapes.parse(sql)));

        let parse = best(threads, cores, &[rounds[0]; ROUNDS], |sql| drop(black_box(parse(sql))));
        let by_text = best(threads, cores, &[rounds[0]; ROUNDS], |sql| {
            black_box(known.get(sql).expect("it is known"));
        });
        let five = queries(5);
        let five: Vec<&str> = five.iter().map(String::as_str).cycle().take(TEXTS * threads).collect();
        five.iter().take(10).for_each(|sql| drop(known.parse(sql)));
        let by_hot_text = best(threads, cores, &[five.as_slice(); ROUNDS], |sql| {
            black_box(known.get(sql).expect("it is known"));
        });
        let by_shape = best(threads, cores, &rounds, |sql| {
            black_box(shapes.get(sql).expect("its shape is known"));
        });
        let share = by_shape / parse * 100.0;
        println!(
            "{threads} threads: parse {parse:.0} ns, by text {by_text:.0} ns, by one of five texts {by_hot_text:.0} ns, by shape {by_shape:.0} ns, {share:.0} % of a parse"
        );
    }
}

fn parse(sql: &str) -> Tree {
    Tree::parse(sql, &ParseOptions::default()).expect("the query parses")
}

/// Nanoseconds of `look_up` on a core, in the best of the rounds.
fn best(threads: usize, cores: usize, rounds: &[&[&str]], look_up: impl Fn(&str) + Sync) -> f64 {
    let round = |texts: &&[&str]| {
        let start = Instant::now();
        std::thread::scope(|scope| {
            for texts in texts.chunks(TEXTS) {
                let look_up = &look_up;
                scope.spawn(move || texts.iter().for_each(|sql| look_up(sql)));
            }
        });
        start.elapsed().as_nanos() as f64 * threads.min(cores) as f64 / texts.len() as f64
    };
    rounds.iter().map(round).fold(f64::INFINITY, f64::min)
}
