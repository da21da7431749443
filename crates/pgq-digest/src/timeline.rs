//! When things happened: calls, durations and errors in bins of time. Bounded, and merging is
//! exact in any order: the width of the bins follows from how many of them are in use.

use std::collections::BTreeMap;

/// Widths of bins in seconds; each is a multiple of the one before.
const WIDTHS: [i64; 8] = [1, 10, 60, 600, 3600, 21_600, 86_400, 604_800];

/// Most bins.
const MOST: usize = 2048;

/// What happened in a bin.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Bin {
    pub calls: u64,
    /// Microseconds.
    pub total: u64,
    pub errors: u64,
}

impl Bin {
    fn add(&mut self, more: Self) {
        self.calls += more.calls;
        self.total = self.total.saturating_add(more.total);
        self.errors += more.errors;
    }
}

/// Bins by the second that they start at, since 1970.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Timeline {
    /// Which of the widths the bins have.
    width: usize,
    bins: BTreeMap<i64, Bin>,
    /// The bin of the last call: the next is likely in it, too.
    last: Option<(i64, Bin)>,
}

impl Timeline {
    /// Adds what happened at a time, in microseconds since 1970.
    pub fn add(&mut self, micros: i64, what: Bin) {
        let second = micros.div_euclid(1_000_000);
        let start = second - second.rem_euclid(WIDTHS[self.width]);
        match &mut self.last {
            Some((last, bin)) if *last == start => bin.add(what),
            _ => {
                self.flush_pending();
                self.last = Some((self.start(second), what));
            }
        }
    }

    fn start(&self, second: i64) -> i64 {
        second - second.rem_euclid(WIDTHS[self.width])
    }

    /// Puts the last bin among the others.
    pub fn flush_pending(&mut self) {
        if let Some((start, bin)) = self.last.take() {
            self.bins.entry(start).or_default().add(bin);
            self.coarsen(self.width);
        }
    }

    /// Makes bins at least so wide, and wider until there are few enough.
    fn coarsen(&mut self, width: usize) {
        let mut width = width.max(self.width);
        loop {
            if width != self.width {
                self.width = width;
                for (start, bin) in std::mem::take(&mut self.bins) {
                    self.bins.entry(self.start(start)).or_default().add(bin);
                }
            }
            if self.bins.len() <= MOST || width + 1 == WIDTHS.len() {
                return;
            }
            width += 1;
        }
    }

    /// Adds the bins of another, which has been settled.
    pub fn merge(&mut self, more: &Self) {
        self.flush_pending();
        self.coarsen(more.width);
        for (start, bin) in &more.bins {
            self.bins.entry(self.start(*start)).or_default().add(*bin);
        }
        self.coarsen(self.width);
    }

    /// The width of the bins, in seconds.
    pub fn seconds(&self) -> i64 {
        WIDTHS[self.width]
    }

    /// The bins in use, each with the second since 1970 that it starts at.
    pub fn iter(&self) -> impl Iterator<Item = (i64, Bin)> {
        self.bins.iter().map(|(start, bin)| (*start, *bin))
    }

    /// From what [`Timeline::seconds`] and [`Timeline::iter`] gave; `None` for another width.
    pub fn from_parts(seconds: i64, bins: impl IntoIterator<Item = (i64, Bin)>) -> Option<Self> {
        let width = WIDTHS.iter().position(|width| *width == seconds)?;
        let mut timeline = Self { width, ..Self::default() };
        for (start, bin) in bins {
            let start = timeline.start(start);
            timeline.bins.entry(start).or_default().add(bin);
        }
        timeline.coarsen(width);
        Some(timeline)
    }
}

#[cfg(test)]
mod tests {
    use super::{Bin, MOST, Timeline};

    fn of(seconds: &[i64]) -> Timeline {
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
            let whole = of(&seconds);
            assert!(whole.iter().count() <= MOST);
            assert_eq!(whole.iter().map(|(_, bin)| bin.calls).sum::<u64>(), 5000);
            for cut in [1, 700, 2500, 4999] {
                let mut merged = of(&seconds[cut..]);
                merged.merge(&of(&seconds[..cut]));
                assert_eq!(merged, whole, "{step} {cut}");
                let mut merged = of(&seconds[..cut]);
                merged.merge(&of(&seconds[cut..]));
                assert_eq!(merged, whole);
            }
            assert_eq!(Timeline::from_parts(whole.seconds(), whole.iter()), Some(whole));
        }
        assert_eq!(Timeline::from_parts(7, []), None);
    }
}
