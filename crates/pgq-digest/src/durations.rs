//! Durations in microseconds, which is the precision of PostgreSQL's log. Sums are exact. Quantiles of many durations
//! are estimated from a histogram. Merging is exact and does not depend on the order of merges.

use serde::{Deserialize, Serialize};

use crate::histogram::Histogram;

/// Maximum number of durations that are stored individually. Beyond it, a histogram replaces them.
const MAX_EXACT: usize = 32;

/// Maximum duration in the histogram (over 30 years). Longer durations are recorded as this maximum.
const MAX_MICROS: u64 = 1 << 50;

/// A distribution of durations in microseconds.
///
/// ```
/// use pgq_digest::Durations;
///
/// let mut durations = Durations::default();
/// (1..=10).for_each(|millis| durations.record(millis * 1000));
/// assert_eq!((durations.count(), durations.sum(), durations.quantile(0.5)), (10, 55_000, 5000));
/// ```
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(from = "DurationParts", into = "DurationParts")]
pub struct Durations {
    sum: u64,
    max: u64,
    samples: Samples,
}

#[derive(Debug, Clone)]
enum Samples {
    /// Durations of up to 71 minutes each, in the order of recording. This variant saves memory, because most queries
    /// are rare and fast.
    Short(Vec<u32>),
    /// Durations of any length, in the order of recording.
    Exact(Vec<u64>),
    /// Counts of durations by bucket. Quantiles have a relative error of at most one percent.
    Histogram(Box<Histogram>),
}

/// Serialized durations: the sum, the maximum, the stored durations in ascending order, and the count of each. Two
/// lists compress better than a list of pairs.
#[derive(Serialize, Deserialize)]
struct DurationParts(u64, u64, Vec<u64>, Vec<u64>);

impl From<Durations> for DurationParts {
    fn from(durations: Durations) -> Self {
        let mut samples = Vec::new();
        durations.for_each(|micros, count| samples.push((micros, count)));
        samples.sort_unstable();
        let (values, counts) = samples.into_iter().unzip();
        Self(durations.sum, durations.max, values, counts)
    }
}

impl From<DurationParts> for Durations {
    fn from(DurationParts(sum, max, values, counts): DurationParts) -> Self {
        let mut durations = Self { sum, max, ..Self::default() };
        values.into_iter().zip(counts).for_each(|(micros, count)| durations.add_samples(micros, count));
        durations
    }
}

impl Default for Durations {
    fn default() -> Self {
        Self { sum: 0, max: 0, samples: Samples::Short(Vec::new()) }
    }
}

impl Durations {
    /// Adds a duration.
    pub fn record(&mut self, micros: u64) {
        self.add_samples(micros, 1);
        self.sum = self.sum.saturating_add(micros);
        self.max = self.max.max(micros);
    }

    fn add_samples(&mut self, micros: u64, count: u64) {
        let has_room = |kept: usize| count <= MAX_EXACT.saturating_sub(kept) as u64;
        if let Samples::Short(short) = &mut self.samples {
            if let Some(micros) = u32::try_from(micros).ok().filter(|_| has_room(short.len())) {
                short.extend(std::iter::repeat_n(micros, count as usize));
                return;
            }
            self.samples = Samples::Exact(short.iter().map(|micros| u64::from(*micros)).collect());
        }
        if let Samples::Exact(exact) = &mut self.samples {
            if has_room(exact.len()) {
                exact.extend(std::iter::repeat_n(micros, count as usize));
                return;
            }
            let mut histogram = Box::new(Histogram::new());
            exact.iter().for_each(|value| histogram.record((*value).min(MAX_MICROS), 1));
            self.samples = Samples::Histogram(histogram);
        }
        if let Samples::Histogram(histogram) = &mut self.samples {
            histogram.record(micros.min(MAX_MICROS), count);
        }
    }

    /// Adds other durations.
    pub fn merge(&mut self, other: &Self) {
        let Self { sum, max, .. } = other;
        other.for_each(|micros, count| self.add_samples(micros, count));
        self.sum = self.sum.saturating_add(*sum);
        self.max = self.max.max(*max);
    }

    /// Calls `f` with each stored duration and its count. For a histogram, calls `f` with the largest duration of each
    /// bucket and the bucket's count.
    pub fn for_each(&self, mut f: impl FnMut(u64, u64)) {
        match &self.samples {
            Samples::Short(short) => short.iter().for_each(|micros| f(u64::from(*micros), 1)),
            Samples::Exact(exact) => exact.iter().for_each(|micros| f(*micros, 1)),
            Samples::Histogram(histogram) => histogram.iter().for_each(|(micros, count)| f(micros, count)),
        }
    }

    /// Returns the number of recorded durations.
    #[must_use]
    pub fn count(&self) -> u64 {
        match &self.samples {
            Samples::Short(short) => short.len() as u64,
            Samples::Exact(exact) => exact.len() as u64,
            Samples::Histogram(histogram) => histogram.total(),
        }
    }

    /// Returns the allocated memory, in bytes.
    pub(crate) fn memory_size(&self) -> usize {
        match &self.samples {
            Samples::Short(short) => short.capacity() * size_of::<u32>(),
            Samples::Exact(exact) => exact.capacity() * size_of::<u64>(),
            Samples::Histogram(histogram) => size_of::<Histogram>() + histogram.memory_size(),
        }
    }

    /// Returns the exact sum in microseconds.
    #[must_use]
    pub fn sum(&self) -> u64 {
        self.sum
    }

    /// Returns the exact maximum in microseconds, or 0 without durations.
    #[must_use]
    pub fn max(&self) -> u64 {
        self.max
    }

    /// Returns the quantile `q` (0 to 1) in microseconds, or 0 without durations. The relative error is at most one
    /// percent.
    #[must_use]
    pub fn quantile(&self, q: f64) -> u64 {
        let [value] = self.quantiles([q]);
        value
    }

    /// Returns several quantiles. `quantiles`: numbers from 0 to 1, ascending.
    fn quantiles<const N: usize>(&self, quantiles: [f64; N]) -> [u64; N] {
        match &self.samples {
            Samples::Short(short) => of_values(short.iter().map(|micros| u64::from(*micros)).collect(), quantiles),
            Samples::Exact(exact) => of_values(exact.clone(), quantiles),
            Samples::Histogram(histogram) => histogram.quantiles(quantiles).map(|value| value.min(self.max)),
        }
    }
}

/// Returns the quantiles of a few values.
fn of_values<const N: usize>(mut values: Vec<u64>, quantiles: [f64; N]) -> [u64; N] {
    values.sort_unstable();
    let rank = |q: f64| (q * values.len() as f64).ceil() as usize;
    quantiles.map(|q| values.get(rank(q).saturating_sub(1)).copied().unwrap_or(0))
}

/// Summary of a distribution of durations, in microseconds. All values are 0 if there are no durations.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct DurationSummary {
    /// The sum.
    pub total: u64,
    /// The arithmetic mean.
    pub mean: f64,
    /// The median.
    pub p50: u64,
    /// The 95th percentile.
    pub p95: u64,
    /// The 99th percentile.
    pub p99: u64,
    /// The maximum.
    pub max: u64,
}

impl DurationSummary {
    pub(crate) fn new(durations: &Durations) -> Self {
        let count = durations.count();
        let [p50, p95, p99] = durations.quantiles([0.5, 0.95, 0.99]);
        Self {
            total: durations.sum(),
            mean: if count == 0 { 0.0 } else { durations.sum() as f64 / count as f64 },
            p50,
            p95,
            p99,
            max: durations.max(),
        }
    }
}
