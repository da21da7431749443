//! Measures the statements in small chunks. The compared implementations are called paths: raw, Protobuf, and C code
//! alone (the floor). Each chunk is timed in many rounds, and each round times every path in turn. Only the best round
//! of a path counts.

use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use indicatif::ProgressBar;

use super::call::{Prepared, call};
use super::function::{Function, Path};

/// Measured times of a function on a path.
pub struct Timing {
    pub function: Function,
    pub path: Path,
    /// Number of measured statements.
    pub queries: usize,
    pub bytes: usize,
    /// Sum of the times of all chunks. The time of a chunk is the time of its best round.
    pub best: Duration,
    /// Times of single calls, in nanoseconds.
    pub calls: Histogram<u64>,
}

impl Timing {
    /// Returns the microseconds per statement.
    pub fn us_per_query(&self) -> f64 {
        self.best.as_secs_f64() * 1e6 / self.queries as f64
    }
}

/// Bytes of SQL in a chunk. A chunk takes a few hundred microseconds. This time is so short that the machine's speed
/// hardly changes, but so long that reading the clock takes only a small fraction of it.
const CHUNK_BYTES: usize = 16 * 1024;

/// Minimum number of rounds per chunk, regardless of the time limit.
const MIN_ROUNDS: u32 = 3;

/// Measures a function on every path (implementation). Takes about `time`.
pub fn measure(
    function: Function,
    paths: &[Path],
    time: Duration,
    statements: &[String],
    bar: &ProgressBar,
) -> Vec<Timing> {
    let timing = |&path| {
        let calls = Histogram::new_with_bounds(1, 60_000_000_000, 3).expect("a minute in nanoseconds");
        Timing { function, path, queries: 0, bytes: 0, best: Duration::ZERO, calls }
    };
    let mut timings: Vec<Timing> = paths.iter().filter(|path| function.has(**path)).map(timing).collect();
    let total: usize = statements.iter().map(String::len).sum();
    let mut rest = statements;
    while !rest.is_empty() {
        let (chunk, behind) = rest.split_at(chunk_len(rest));
        rest = behind;
        let prepared: Vec<Prepared<'_>> = chunk.iter().filter_map(|sql| Prepared::new(sql, function)).collect();
        let bytes: usize = prepared.iter().map(|p| p.sql.len()).sum();
        let share = time.mul_f64(bytes as f64 / total.max(1) as f64);
        time_chunk(function, &prepared, share, &mut timings);
        for timing in &mut timings {
            timing.queries += prepared.len();
            timing.bytes += bytes;
        }
        bar.inc(chunk.len() as u64);
    }
    timings
}

/// Returns the number of statements in the next chunk.
fn chunk_len(statements: &[String]) -> usize {
    let mut bytes = 0;
    let filled = statements.iter().position(|sql| {
        bytes += sql.len();
        bytes >= CHUNK_BYTES
    });
    filled.map_or(statements.len(), |last| last + 1)
}

/// Times one chunk. In each round every path (implementation) runs twice over the chunk, and only the second run is
/// timed. The order of the paths rotates from round to round.
fn time_chunk(function: Function, prepared: &[Prepared<'_>], share: Duration, timings: &mut [Timing]) {
    if prepared.is_empty() {
        return;
    }
    // Repeats a tiny chunk, because a round must be long compared with the clock's resolution.
    let bytes: usize = prepared.iter().map(|p| p.sql.len()).sum();
    let repeats = (CHUNK_BYTES / bytes.max(1)).clamp(1, 64) as u32;
    let mut best = vec![Duration::MAX; timings.len()];
    let started = Instant::now();
    let mut round = 0;
    while round < MIN_ROUNDS || started.elapsed() < share {
        for turn in 0..timings.len() {
            let index = (turn + round as usize) % timings.len();
            let path = timings[index].path;
            // Warm-up run. It is not timed, because the path (implementation) that ran before has changed the
            // processor's caches and branch predictions.
            prepared.iter().for_each(|statement| call(function, path, statement));
            let start = Instant::now();
            for _ in 0..repeats {
                prepared.iter().for_each(|statement| call(function, path, statement));
            }
            best[index] = best[index].min(start.elapsed() / repeats);
        }
        round += 1;
    }
    for (timing, best) in timings.iter_mut().zip(best) {
        timing.best += best;
        for statement in prepared {
            let start = Instant::now();
            call(function, timing.path, statement);
            timing.calls.saturating_record(start.elapsed().as_nanos() as u64);
        }
    }
}
