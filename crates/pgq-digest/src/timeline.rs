//! A timeline: calls, durations and errors in bins of equal width. It is bounded, and merges
//! exactly and in any order, because the width follows from the bins in use.

use std::collections::BTreeMap;

/// Widths of bins in seconds. Each is a multiple of the one before.
const WIDTHS: [i64; 8] = [1, 10, 60, 600, 3600, 21_600, 86_400, 604_800];

/// Maximum number of bins; if there are more, they get wider.
const MAX_BINS: usize = 2048;

/// Microseconds of a second.
const MICROS: i64 = 1_000_000;

/// What happened in a bin.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Bin {
    /// Executions, without failed ones.
    pub calls: u64,
    /// How long executions ran in this bin, in microseconds: one that took longer than the bin is
    /// wide counts in several. Divided by the width it is the average number of active queries.
    pub total: u64,
    /// Failed statements.
    pub errors: u64,
}

impl Bin {
    fn add(&mut self, other: Self) {
        self.calls += other.calls;
        self.total = self.total.saturating_add(other.total);
        self.errors += other.errors;
    }
}

/// Bins by the time at which they start.
///
/// ```
/// use pgq_digest::{Bin, Timeline};
///
/// let mut timeline = Timeline::default();
/// // It ended half a second into a second, and had taken 700 ms.
/// timeline.add(1_769_860_800_500_000, 700_000, false);
/// timeline.flush_pending();
/// let bins: Vec<_> = timeline.iter().collect();
/// assert_eq!(bins[0], (1_769_860_799, Bin { calls: 0, total: 200_000, errors: 0 }));
/// assert_eq!(bins[1], (1_769_860_800, Bin { calls: 1, total: 500_000, errors: 0 }));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Timeline {
    /// Index in [`WIDTHS`] of the width of the bins.
    width: usize,
    /// By the second since 1970 at which they start.
    bins: BTreeMap<i64, Bin>,
    /// The bin that was added to last, not yet in `bins`: the next addition is likely for it.
    pending: Option<(i64, Bin)>,
}

impl Timeline {
    /// Adds an execution that took `duration` microseconds and ended at `end`, in microseconds since
    /// 1970-01-01 00:00:00 UTC. It counts in the bin where it ended.
    pub fn add(&mut self, end: i64, duration: u64, failed: bool) {
        let begin = end.saturating_sub_unsigned(duration);
        let total = if self.bin_of(begin) < self.bin_of(end) { self.spread(begin, end) } else { duration };
        let bin = self.bin_of(end);
        let counts = Bin { calls: u64::from(!failed), total, errors: u64::from(failed) };
        match &mut self.pending {
            Some((start, pending)) if *start == bin => pending.add(counts),
            _ => {
                self.flush_pending();
                self.pending = Some((self.bin_of(end), counts)); // the width may have changed
            }
        }
    }

    /// Adds the time from `begin` to the bin of `end`, without the time in that bin, which it returns.
    #[cold]
    fn spread(&mut self, begin: i64, end: i64) -> u64 {
        self.flush_pending();
        // As many bins as that are too many in any case.
        while (self.bin_of(end) - self.bin_of(begin)) / WIDTHS[self.width] >= MAX_BINS as i64
            && self.width + 1 < WIDTHS.len()
        {
            self.widen(self.width + 1);
        }
        let (last, width) = (self.bin_of(end), WIDTHS[self.width]);
        // No log is as long as the widest bins: what was before them counts in the first.
        let first = self.bin_of(begin).max(last - width * (MAX_BINS as i64 - 1));
        let mut since = begin;
        for start in (first..last).step_by(width as usize) {
            let until = (start + width).saturating_mul(MICROS);
            let bin = self.bins.entry(start).or_default();
            bin.total = bin.total.saturating_add(until.abs_diff(since));
            since = until;
        }
        self.widen(self.width);
        end.abs_diff(begin.max(last.saturating_mul(MICROS)))
    }

    /// The bin of a time in microseconds: the second at which it starts.
    fn bin_of(&self, micros: i64) -> i64 {
        self.bin_start(micros.div_euclid(MICROS))
    }

    fn bin_start(&self, second: i64) -> i64 {
        second - second.rem_euclid(WIDTHS[self.width])
    }

    /// Moves the pending bin to the others. Needed before [`Timeline::iter`] and before this is
    /// merged into another timeline.
    pub fn flush_pending(&mut self) {
        if let Some((start, bin)) = self.pending.take() {
            self.bins.entry(start).or_default().add(bin);
            self.widen(self.width);
        }
    }

    /// Makes the bins at least as wide as `WIDTHS[width]`, and wider until there are few enough.
    fn widen(&mut self, width: usize) {
        let mut width = width.max(self.width);
        loop {
            if width != self.width {
                self.width = width;
                for (start, bin) in std::mem::take(&mut self.bins) {
                    self.bins.entry(self.bin_start(start)).or_default().add(bin);
                }
            }
            if self.bins.len() <= MAX_BINS || width + 1 == WIDTHS.len() {
                return;
            }
            width += 1;
        }
    }

    /// Adds the bins of another timeline, which must be flushed.
    pub fn merge(&mut self, other: &Self) {
        self.flush_pending();
        self.widen(other.width);
        for (start, bin) in &other.bins {
            self.bins.entry(self.bin_start(*start)).or_default().add(*bin);
        }
        self.widen(self.width);
    }

    /// The width of the bins, in seconds.
    #[must_use]
    pub fn bin_seconds(&self) -> i64 {
        WIDTHS[self.width]
    }

    /// The bins in use, each with the second since 1970 at which it starts, in order.
    pub fn iter(&self) -> impl Iterator<Item = (i64, Bin)> {
        self.bins.iter().map(|(start, bin)| (*start, *bin))
    }

    /// A timeline with the values of [`Timeline::bin_seconds`] and [`Timeline::iter`]; `None` if
    /// `bin_seconds` is not a width of bins.
    pub fn from_parts(bin_seconds: i64, bins: impl IntoIterator<Item = (i64, Bin)>) -> Option<Self> {
        let width = WIDTHS.iter().position(|width| *width == bin_seconds)?;
        let mut timeline = Self { width, ..Self::default() };
        for (start, bin) in bins {
            let start = timeline.bin_start(start);
            timeline.bins.entry(start).or_default().add(bin);
        }
        timeline.widen(width);
        Some(timeline)
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_BINS, Timeline};

    fn add_all(seconds: &[i64]) -> Timeline {
        let mut timeline = Timeline::default();
        for second in seconds {
            // Some take longer than a bin is wide, some begin in the bin before.
            timeline.add(second * 1_000_000 + 5, [0, 4, 10, 1_500_000, 20_000_000][*second as usize % 5], false);
        }
        timeline.flush_pending();
        timeline
    }

    #[test]
    fn time_counts_in_the_bins_in_which_it_passed() {
        let mut timeline = Timeline::default();
        timeline.add(10_250_000, 2_500_000, true);
        timeline.flush_pending();
        let bins: Vec<_> = timeline.iter().map(|(start, bin)| (start, bin.total, bin.errors)).collect();
        assert_eq!(bins, [(7, 250_000, 0), (8, 1_000_000, 0), (9, 1_000_000, 0), (10, 250_000, 1)]);
        // Longer than there are bins, and longer than there is time.
        for duration in [100_000_000_000, 1 << 60, u64::MAX] {
            let mut timeline = Timeline::default();
            timeline.add(10_250_000, duration, false);
            timeline.flush_pending();
            assert!(timeline.iter().count() <= MAX_BINS);
            let passed = timeline.iter().map(|(_, bin)| bin.total).fold(0, u64::saturating_add);
            assert_eq!(passed, 10_250_000_i64.abs_diff(10_250_000_i64.saturating_sub_unsigned(duration)));
        }
    }

    #[test]
    fn bins_widen_and_merge_exactly() {
        for step in [1, 3, 100, 5000] {
            let seconds: Vec<i64> = (0..5000).map(|i| 1_700_000_000 + i * step).collect();
            let whole = add_all(&seconds);
            assert!(whole.iter().count() <= MAX_BINS);
            assert_eq!(whole.iter().map(|(_, bin)| bin.calls).sum::<u64>(), 5000);
            for cut in [1, 700, 2500, 4999] {
                let mut merged = add_all(&seconds[cut..]);
                merged.merge(&add_all(&seconds[..cut]));
                assert_eq!(merged, whole, "{step} {cut}");
                let mut merged = add_all(&seconds[..cut]);
                merged.merge(&add_all(&seconds[cut..]));
                assert_eq!(merged, whole);
            }
            assert_eq!(Timeline::from_parts(whole.bin_seconds(), whole.iter()), Some(whole));
        }
        assert_eq!(Timeline::from_parts(7, []), None);
    }
}
