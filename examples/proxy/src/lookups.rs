//! Measures lookups in caches. As in a proxy, the texts are in a buffer that was just written. Times are CPU times of
//! the threads.

use nix::time::{ClockId, clock_gettime};

/// Number of texts that each thread looks up in a round.
const TEXTS: usize = 20_000;

/// Number of rounds. The best one is the result.
pub const ROUNDS: usize = 10;

/// Number of texts that are written to the buffer at a time.
const RECEIVED: usize = 64;

/// Calls `f` for one thread and for eight threads. Passes it the number of threads, several rounds of different texts,
/// and one round that repeats five texts.
pub fn for_each_load(mut f: impl FnMut(usize, &[&[&str]], &[&str])) {
    let five = crate::queries(5);
    for threads in [1, 8] {
        let count = TEXTS * threads;
        let texts = different_queries(count * ROUNDS);
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let rounds: Vec<&[&str]> = texts.chunks_exact(count).collect();
        let five: Vec<&str> = five.iter().map(String::as_str).cycle().take(count).collect();
        f(threads, &rounds, &five);
    }
}

/// Returns `count` different texts in random order. No text is repeated, because a repeated text would be a hit by
/// text.
fn different_queries(count: usize) -> Vec<String> {
    let mut texts = crate::queries(2 * count);
    texts.sort_unstable();
    texts.dedup();
    fastrand::Rng::with_seed(2).shuffle(&mut texts);
    texts.truncate(count);
    texts
}

/// Returns the nanoseconds of a lookup in the best round, as the mean over its threads. Each thread creates its own
/// `look_up` for its texts.
pub fn best<L: FnMut(&str)>(threads: usize, rounds: &[&[&str]], look_up: impl Fn(&[&str]) -> L + Sync) -> f64 {
    let round = |texts: &&[&str]| {
        let nanos = on_threads(threads, |thread| {
            let texts = &texts[thread * TEXTS..][..TEXTS];
            received(TEXTS, |i, buffer| buffer.push_str(texts[i]), look_up(texts))
        });
        nanos as f64 / texts.len() as f64
    };
    debug_assert!(rounds.iter().all(|texts| texts.len() == TEXTS * threads));
    rounds.iter().map(round).fold(f64::INFINITY, f64::min)
}

/// Runs `turn` on all threads at the same time. Returns the sum of the results.
pub fn on_threads(threads: usize, turn: impl Fn(usize) -> u64 + Sync) -> u64 {
    let turn = &turn;
    std::thread::scope(|scope| {
        let turns: Vec<_> = (0..threads).map(|thread| scope.spawn(move || turn(thread))).collect();
        turns.into_iter().map(|turn| turn.join().expect("no look-up panics")).sum()
    })
}

/// Returns the nanoseconds of `count` lookups on this thread. Each batch of texts is written to a buffer and then
/// looked up.
pub fn received(count: usize, mut write: impl FnMut(usize, &mut String), mut look_up: impl FnMut(&str)) -> u64 {
    let (mut buffer, mut ends, mut nanos) = (String::new(), Vec::new(), 0);
    for first in (0..count).step_by(RECEIVED) {
        buffer.clear();
        ends.clear();
        for text in first..count.min(first + RECEIVED) {
            write(text, &mut buffer);
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

/// Returns this thread's CPU time.
fn thread_nanos() -> u64 {
    let time = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).expect("threads have clocks");
    time.tv_sec() as u64 * 1_000_000_000 + time.tv_nsec() as u64
}
