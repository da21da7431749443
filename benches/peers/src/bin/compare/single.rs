//! Measures single statements: the best time of each, and the memory of its tree.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Result;

use crate::peers::Peer;
use crate::program::{Program, bits};

/// The number and duration of measurements.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// In a repeat, maximum number of turns of each function. A turn consists of two rounds. No turn starts after
    /// `time`, so a slow function has fewer turns.
    pub turns: usize,
    pub time: Duration,
    pub repeats: usize,
}

/// The distribution of the statements' best times, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Times {
    pub mean: f64,
    pub median: u64,
    pub p90: u64,
    pub p99: u64,
}

/// Bytes per statement: the size of a kept tree, and the maximum during the parse.
#[derive(Debug, Clone, Copy)]
pub struct Bytes {
    pub kept: f64,
    pub peak: f64,
}

/// The figures of a parser, and of pgq for the same statements. Memory is measured only for programs in Rust.
#[derive(Debug, Clone, Copy)]
pub struct Single {
    pub times: [Times; 2],
    pub bytes: Option<[Bytes; 2]>,
}

/// Measures a parser's function `call` and pgq's parse, with the statements whose elements in `chosen` are true. pgq's
/// bytes are measured with its function `shared` instead of `parse`, because only the trees of `shared` are meant to be
/// kept.
pub fn measure(peers: [&Peer; 2], call: &str, file: &Path, chosen: &[bool], effort: Effort) -> Result<Single> {
    let [peer, pgq] = peers;
    let mut programs = [Program::start(&peer.command, file)?, Program::start(&pgq.command, file)?];
    programs[0].prepare(call, chosen)?;
    programs[1].prepare("parse", chosen)?;
    let mut best = [Vec::new(), Vec::new()];
    let start = Instant::now();
    for turn in 0..2 * effort.turns {
        if turn > 0 && start.elapsed() > 2 * effort.time {
            break;
        }
        for (program, best) in programs.iter_mut().zip(&mut best) {
            let times: Vec<u64> = program.ask("each")?;
            best.resize(times.len(), u64::MAX);
            best.iter_mut().zip(times).for_each(|(best, time)| *best = time.min(*best));
        }
    }
    let bytes = match (&peer.memory, &pgq.memory) {
        // The baseline drops its tree, so it has no bytes to count.
        (Some(of_peer), Some(of_pgq)) if call != "baseline" => {
            Some([bytes(of_peer, call, file, chosen)?, bytes(of_pgq, "shared", file, chosen)?])
        }
        _ => None,
    };
    Ok(Single { times: best.map(times), bytes })
}

fn bytes(command: &[String], call: &str, file: &Path, chosen: &[bool]) -> Result<Bytes> {
    let [kept, peak]: [f64; 2] = Program::start(command, file)?.ask(&format!("memory {call} {}", bits(chosen)))?;
    let count = chosen.iter().filter(|chosen| **chosen).count() as f64;
    Ok(Bytes { kept: kept / count, peak: peak / count })
}

fn times(mut times: Vec<u64>) -> Times {
    times.sort_unstable();
    let rank = |percent: usize| times[(times.len() * percent).div_ceil(100).max(1) - 1];
    let mean = times.iter().sum::<u64>() as f64 / times.len() as f64;
    Times { mean, median: rank(50), p90: rank(90), p99: rank(99) }
}

#[test]
fn a_percentile_is_a_time_of_a_statement() {
    let numbers = |most: u64| times((1..=most).rev().collect());
    assert_eq!(numbers(200), Times { mean: 100.5, median: 100, p90: 180, p99: 198 });
    assert_eq!(numbers(1), Times { mean: 1.0, median: 1, p90: 1, p99: 1 });
}
