//! What a hit of the cache of trees takes, by text and by shape, beside a parse: on one thread and on eight,
//! which look up in one cache. By text, both of 20,000 texts in turn, whose trees are in no processor cache, and
//! of five. Texts are where a proxy has them: in a buffer that was just written. Time is the processor time of
//! the threads.

use std::hint::black_box;

use nix::time::{ClockId, clock_gettime};
use pgq::cache::TreeCache;
use pgq::{ParseOptions, Tree};
use pgq_example_proxy::queries;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Texts that each thread looks up in a round.
const TEXTS: usize = 20_000;

const ROUNDS: usize = 10;

/// Texts that come at once.
const RECEIVED: usize = 64;

fn main() {
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

        let parse = best(threads, &rounds, |sql| drop(black_box(parse(sql))));
        let by_text = best(threads, &[rounds[0]; ROUNDS], |sql| {
            black_box(known.get(sql).expect("it is known"));
        });
        let five = queries(5);
        let five: Vec<&str> = five.iter().map(String::as_str).cycle().take(TEXTS * threads).collect();
        five.iter().take(10).for_each(|sql| drop(known.parse(sql)));
        let by_hot_text = best(threads, &[five.as_slice(); ROUNDS], |sql| {
            black_box(known.get(sql).expect("it is known"));
        });
        let by_shape = best(threads, &rounds, |sql| {
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

/// Nanoseconds of `look_up` in the best of the rounds, on average of its threads.
fn best(threads: usize, rounds: &[&[&str]], look_up: impl Fn(&str) + Sync) -> f64 {
    let round = |texts: &&[&str]| {
        let nanos: u64 = std::thread::scope(|scope| {
            let turns: Vec<_> = texts.chunks(TEXTS).map(|texts| scope.spawn(|| received(texts, &look_up))).collect();
            turns.into_iter().map(|turn| turn.join().expect("no look-up panics")).sum()
        });
        nanos as f64 / texts.len() as f64
    };
    debug_assert!(rounds.iter().all(|texts| texts.len() == TEXTS * threads));
    rounds.iter().map(round).fold(f64::INFINITY, f64::min)
}

/// Nanoseconds of all look-ups of this thread: some texts are written to a buffer, then looked up.
fn received(texts: &[&str], look_up: &impl Fn(&str)) -> u64 {
    let (mut buffer, mut ends, mut nanos) = (String::new(), Vec::new(), 0);
    for texts in texts.chunks(RECEIVED) {
        buffer.clear();
        ends.clear();
        for text in texts {
            buffer.push_str(text);
            ends.push(buffer.len());
        }
        let before = thread_nanos();
        let mut start = 0;
        for end in &ends {
            look_up(&buffer[start..*end]);
            start = *end;
        }
        nanos += thread_nanos() - before;
    }
    nanos
}

/// The processor time of this thread.
fn thread_nanos() -> u64 {
    let time = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).expect("threads have clocks");
    time.tv_sec() as u64 * 1_000_000_000 + time.tv_nsec() as u64
}
