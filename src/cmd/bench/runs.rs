//! Repeats measurements. If a run is far from the median, measures it again. The report contains
//! the number of repeated runs.

use std::time::Duration;

use indicatif::ProgressBar;

use super::function::{Function, Path};
use super::measure::{Timing, measure};
use super::spread::Spread;

/// If a time differs from the median by more than this fraction, its run is measured again.
const FAR: f64 = 0.25;

/// Maximum number of times that a run is measured again.
const RETRIES: usize = 2;

/// Measurements of a function. Each run has a timing for each path (implementation of the function).
pub struct Runs {
    pub function: Function,
    pub runs: Vec<Vec<Timing>>,
    /// Number of runs that were measured again.
    pub repeated: usize,
    /// Number of runs that still have a time far from the median, although they were measured again [`RETRIES`] times.
    pub outliers: usize,
}

/// Measures each function `repeat` times. All measurements of a function together take about `time`.
pub fn measure_all(
    functions: &[Function],
    paths: &[Path],
    time: Duration,
    repeat: u32,
    statements: &[String],
    bar: &ProgressBar,
) -> Vec<Runs> {
    let once = |function| measure(function, paths, time / repeat, statements, bar);
    functions
        .iter()
        .map(|&function| steady((0..repeat).map(|_| once(function)).collect(), function, || once(function)))
        .collect()
}

/// Calls `again` to replace runs that are far from the median.
fn steady(mut runs: Vec<Vec<Timing>>, function: Function, mut again: impl FnMut() -> Vec<Timing>) -> Runs {
    let mut repeated = vec![0; runs.len()];
    while let Some(far) = (0..runs.len()).find(|run| repeated[*run] < RETRIES && is_far(&runs, *run)) {
        runs[far] = again();
        repeated[far] += 1;
    }
    let outliers = (0..runs.len()).filter(|run| is_far(&runs, *run)).count();
    Runs { function, repeated: repeated.iter().filter(|count| **count > 0).count(), outliers, runs }
}

/// Whether any time of a run is far from the median of all runs.
fn is_far(runs: &[Vec<Timing>], run: usize) -> bool {
    runs[run].iter().enumerate().any(|(path, timing)| {
        let all = runs.iter().map(|run| run[path].us_per_query());
        Spread::of(all).is_some_and(|spread| (timing.us_per_query() / spread.median - 1.0).abs() > FAR)
    })
}

#[cfg(test)]
mod tests {
    use hdrhistogram::Histogram;

    use super::*;

    fn run(micros: u64) -> Vec<Timing> {
        vec![Timing {
            function: Function::Parse,
            path: Path::Raw,
            queries: 1,
            bytes: 1,
            best: Duration::from_micros(micros),
            calls: Histogram::new(3).unwrap(),
        }]
    }

    #[test]
    fn a_run_far_from_the_median_is_measured_again() {
        let runs = steady(vec![run(10), run(100), run(11)], Function::Parse, || run(12));
        assert_eq!((runs.repeated, runs.outliers), (1, 0));
        assert_eq!(runs.runs[1][0].best, Duration::from_micros(12));
        let runs = steady(vec![run(10), run(100), run(11)], Function::Parse, || run(100));
        assert_eq!((runs.repeated, runs.outliers), (1, 1));
    }
}
