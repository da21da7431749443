//! Times look-ups in caches: of texts that lie where a proxy has them, in a buffer that was just written, and
//! in processor time of the threads. Knows no cache.

use nix::time::{ClockId, clock_gettime};

/// Texts that each thread looks up in a round.
const TEXTS: usize = 20_000;

/// Rounds, of which the best counts.
pub const ROUNDS: usize = 10;

/// Texts that come at once.
const RECEIVED: usize = 64;

/// Passes on what one thread looks up, and what eight do: how many they are, rounds of texts of which none is there
/// twice, and a round of five texts in turn.
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

/// So many texts in random order, none of them twice: one that is looked up again would be kept as a text.
fn different_queries(count: usize) -> Vec<String> {
    let mut texts = crate::queries(2 * count);
    texts.sort_unstable();
    texts.dedup();
    fastrand::Rng::with_seed(2).shuffle(&mut texts);
    texts.truncate(count);
    texts
}

/// Nanoseconds of a look-up in the best of the rounds, on average of its threads. Each thread makes its own
/// `look_up`, for the texts that are its.
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

/// Returns the sum of what the threads give, which run at once.
pub fn on_threads(threads: usize, turn: impl Fn(usize) -> u64 + Sync) -> u64 {
    let turn = &turn;
    std::thread::scope(|scope| {
        let turns: Vec<_> = (0..threads).map(|thread| scope.spawn(move || turn(thread))).collect();
        turns.into_iter().map(|turn| turn.join().expect("no look-up panics")).sum()
    })
}

/// Nanoseconds of so many look-ups of this thread: some texts are written to a buffer, then looked up.
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

/// Returns the processor time of this thread.
fn thread_nanos() -> u64 {
    let time = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).expect("threads have clocks");
    time.tv_sec() as u64 * 1_000_000_000 + time.tv_nsec() as u64
}
