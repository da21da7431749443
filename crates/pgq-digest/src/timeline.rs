//! A timeline: calls, durations and errors in bins of equal width. It is bounded, and merges
//! exactly and in any order, because the width follows from the bins in use.

use std::collections::BTreeMap;

/// Widths of bins in seconds. Each is a multiple of the one before.
const WIDTHS: [i64; 8] = [1, 10, 60, 600, 3600, 21_600, 86_400, 604_800];

/// Maximum number of bins; if there are more, they get wider.
const MAX_BINS: usize = 2048;

/// What happened in a bin.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Bin {
    /// Executions, without failed ones.
    pub calls: u64,
    /// The sum of all durations in microseconds.
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
/// timeline.add(1_769_860_800_500_000, Bin { calls: 1, total: 20, errors: 0 });
/// timeline.flush_pending();
/// let (start, bin) = timeline.iter().next().unwrap();
/// assert_eq!((start, bin.calls, timeline.bin_seconds()), (1_769_860_800, 1, 1));
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
    /// Adds what happened at `micros`, in microseconds since 1970-01-01 00:00:00 UTC.
    pub fn add(&mut self, micros: i64, bin: Bin) {
        let second = micros.div_euclid(1_000_000);
        let start = self.bin_start(second);
        match &mut self.pending {
            Some((pending_start, pending)) if *pending_start == start => pending.add(bin),
            _ => {
                self.flush_pending();
                self.pending = Some((self.bin_start(second), bin)); // the width may have changed
            }
        }
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
    use super::{Bin, MAX_BINS, Timeline};

    fn add_all(seconds: &[i64]) -> Timeline {
        let mut timeline = Timeline::default();
        for second in seconds {
            timeline.add(second * 1_000_000 + 5, Bin { calls: 1, total: 10, errors: 0 });
        }
        timeline.flush_pending();
        timeline
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
