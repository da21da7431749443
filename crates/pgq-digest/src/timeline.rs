//! Timelines: calls, durations and errors in bins of equal width. If there are too many bins, they become wider. The
//! width depends only on the bins in use, so merging is exact and does not depend on the order of merges.

mod packed;

use serde::{Deserialize, Serialize};

use crate::tally::Sum;
use crate::totals::Totals;

pub use packed::PackedTimeline;

/// A week in seconds.
const WEEK: i64 = 604_800;

/// Bin widths in seconds. Each width is a multiple of the previous one, so wider bins consist of whole narrower bins. 28
/// bins of the last width contain all times from -[`MAX_START`] to [`MAX_START`].
const WIDTHS: [i64; 21] = [
    1,
    2,
    10,
    30,
    60,
    120,
    600,
    1800,
    3600,
    7200,
    21_600,
    43_200,
    86_400,
    WEEK,
    WEEK << 3,
    WEEK << 6,
    WEEK << 9,
    WEEK << 12,
    WEEK << 15,
    WEEK << 18,
    WEEK << 21,
];

/// Microseconds per second.
const MICROS: i64 = 1_000_000;

/// Maximum start of a bin in seconds. This start is later than any time that fits into an `i64` of microseconds.
const MAX_START: i64 = 1 << 44;

/// Totals in at most `MAX_BINS` bins. If more bins are needed, the bins become wider.
///
/// ```
/// use pgq_digest::{Timeline, Totals};
///
/// let mut timeline = Timeline::default();
/// // An execution of 700 ms. It ended half a second after the start of a second.
/// timeline.add(1_769_860_800_500_000, 700_000, false);
/// let bins: Vec<_> = timeline.iter().collect();
/// assert_eq!(bins[0], (1_769_860_799, Totals { calls: 0, time: 200_000, errors: 0 }));
/// assert_eq!(bins[1], (1_769_860_800, Totals { calls: 1, time: 500_000, errors: 0 }));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Bins", into = "Bins")]
pub struct BoundedTimeline<const MAX_BINS: usize> {
    /// Index in [`WIDTHS`] of the current bin width.
    width: usize,
    /// Bins in use, sorted by their start in seconds since 1970.
    bins: Vec<(i64, Totals)>,
}

/// A serialized timeline: the bin width in seconds, and for each bin four numbers: its distance from the previous bin
/// in seconds, its calls, its time and its errors. Separate lists of these numbers compress better than a list of bins.
#[derive(Serialize, Deserialize)]
struct Bins(i64, Vec<i64>, [Vec<u64>; 3]);

/// The timeline of a digest.
pub type Timeline = BoundedTimeline<2048>;

/// The timeline of a user or a client.
pub type SmallTimeline = BoundedTimeline<96>;

impl<const MAX_BINS: usize> BoundedTimeline<MAX_BINS> {
    /// Adds an execution that took `duration` microseconds. `end` is in microseconds since 1970-01-01 00:00:00 UTC. The
    /// execution counts as a call in the bin that contains `end`.
    pub fn add(&mut self, end: i64, duration: u64, failed: bool) {
        let begin = end.saturating_sub_unsigned(duration);
        if let Some((start, last)) = self.bins.last_mut() {
            // Fast path without a division, for an execution in the same bin as the previous one. This is the most
            // frequent case.
            let start = start.saturating_mul(MICROS);
            if begin >= start && end < start.saturating_add(WIDTHS[self.width] * MICROS) {
                last.merge(Totals { calls: u64::from(!failed), time: duration, errors: u64::from(failed) });
                return;
            }
        }
        let (mut bin, mut time) = (self.bin_of(end), duration);
        if begin < bin.saturating_mul(MICROS) {
            time = self.spread(begin, end);
            bin = self.bin_of(end);
        }
        let totals = Totals { calls: u64::from(!failed), time, errors: u64::from(failed) };
        match self.bins.last_mut() {
            Some((start, last)) if *start == bin => last.merge(totals),
            _ => {
                self.bin_at(bin).merge(totals);
                self.widen(self.width);
            }
        }
    }

    /// Distributes the time from `begin` to `end` among all bins of this range except the last bin. Returns the part of
    /// the time that belongs to the last bin.
    #[cold]
    fn spread(&mut self, begin: i64, end: i64) -> u64 {
        // If the time spans too many bins, widens the bins first, instead of adding bins that would be merged later.
        while (self.bin_of(end) - self.bin_of(begin)) / WIDTHS[self.width] >= MAX_BINS as i64 {
            self.widen(self.width + 1);
        }
        let (last, width) = (self.bin_of(end), WIDTHS[self.width]);
        let mut since = begin;
        for start in (self.bin_of(begin)..last).step_by(width as usize) {
            let until = (start + width).saturating_mul(MICROS);
            let bin = self.bin_at(start);
            bin.time = bin.time.saturating_add(until.abs_diff(since));
            since = until;
        }
        self.widen(self.width);
        end.abs_diff(begin.max(last.saturating_mul(MICROS)))
    }

    /// Returns the start in seconds of the bin that contains a time in microseconds.
    fn bin_of(&self, micros: i64) -> i64 {
        self.bin_start(micros.div_euclid(MICROS))
    }

    fn bin_start(&self, second: i64) -> i64 {
        second - second.rem_euclid(WIDTHS[self.width])
    }

    /// Returns the bin that starts at `start`. It is usually the last bin, unless time goes backwards, for example
    /// between files.
    fn bin_at(&mut self, start: i64) -> &mut Totals {
        let at = self.bins.binary_search_by_key(&start, |(other, _)| *other).unwrap_or_else(|at| {
            self.reserve();
            self.bins.insert(at, (start, Totals::default()));
            at
        });
        &mut self.bins[at].1
    }

    /// Reserves space for another bin. Doubles the capacity up to the maximum number of bins. Starts with a small
    /// capacity, because most queries are executed rarely and need few bins.
    fn reserve(&mut self) {
        let bins = self.bins.len();
        if bins == self.bins.capacity() {
            let more = if bins <= MAX_BINS { bins.min(MAX_BINS + 1 - bins) } else { bins };
            self.bins.reserve_exact(more.max(1));
        }
    }

    /// Widens the bins to at least `WIDTHS[width]`. If there are still more than `MAX_BINS` bins, widens them further.
    fn widen(&mut self, width: usize) {
        let mut width = width.max(self.width);
        loop {
            if width != self.width {
                self.width = width;
                for (start, bin) in std::mem::take(&mut self.bins) {
                    self.bin_at(self.bin_start(start)).merge(bin);
                }
            }
            if self.bins.len() <= MAX_BINS {
                return;
            }
            width += 1;
        }
    }

    /// Returns the bin width, in seconds.
    #[must_use]
    pub fn bin_seconds(&self) -> i64 {
        WIDTHS[self.width]
    }

    /// Returns the bins in use, sorted by their start in seconds since 1970.
    pub fn iter(&self) -> impl Iterator<Item = (i64, Totals)> {
        self.bins.iter().copied()
    }

    /// Adds another timeline.
    pub fn merge(&mut self, other: &Self) {
        self.widen(other.width);
        for (start, bin) in &other.bins {
            self.bin_at(self.bin_start(*start)).merge(*bin);
        }
        self.widen(self.width);
    }
}

impl<const MAX_BINS: usize> From<BoundedTimeline<MAX_BINS>> for Bins {
    fn from(timeline: BoundedTimeline<MAX_BINS>) -> Self {
        let mut bins = Self(timeline.bin_seconds(), Vec::new(), Default::default());
        let mut last = 0;
        for (start, totals) in timeline.bins {
            bins.1.push(start - std::mem::replace(&mut last, start));
            bins.2.iter_mut().zip([totals.calls, totals.time, totals.errors]).for_each(|(all, one)| all.push(one));
        }
        bins
    }
}

impl<const MAX_BINS: usize> TryFrom<Bins> for BoundedTimeline<MAX_BINS> {
    type Error = &'static str;

    fn try_from(Bins(seconds, steps, totals): Bins) -> Result<Self, Self::Error> {
        if totals.iter().any(|all| all.len() != steps.len()) {
            return Err("lists of different lengths");
        }
        let width = WIDTHS.iter().position(|width| *width == seconds).ok_or("invalid bin width")?;
        let mut timeline = Self { width, bins: Vec::with_capacity(steps.len()) };
        let mut start = 0_i64;
        for (index, step) in steps.into_iter().enumerate() {
            start = start.saturating_add(step);
            if start.unsigned_abs() > MAX_START.unsigned_abs() || start % seconds != 0 || index > 0 && step <= 0 {
                return Err("invalid bin");
            }
            let [calls, time, errors] = totals.each_ref().map(|all| all[index]);
            timeline.bins.push((start, Totals { calls, time, errors }));
        }
        timeline.widen(width);
        Ok(timeline)
    }
}
