//! A small timeline in a compact form. Its size matters, because each group has a timeline, and there may be tens of
//! thousands of groups.

use serde::{Deserialize, Serialize};

use super::{BoundedTimeline, MICROS, SmallTimeline, WIDTHS};
use crate::tally::Sum;
use crate::totals::Totals;

const MAX_BINS: u32 = 96;

/// A [`SmallTimeline`] with packed bins. The last bin is not packed, because most executions are added to it.
///
/// ```
/// use pgq_digest::{PackedTimeline, SmallTimeline};
///
/// let (mut packed, mut timeline) = (PackedTimeline::default(), SmallTimeline::default());
/// for second in [3, 5, 5, 4] {
///     packed.add(second * 1_000_000, 2_500_000, false);
///     timeline.add(second * 1_000_000, 2_500_000, false);
/// }
/// assert!(packed.iter().eq(timeline.iter()));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "SmallTimeline", into = "SmallTimeline")]
pub struct PackedTimeline {
    /// Index of the bin width.
    width: u8,
    bins: u32,
    /// Start of the first bin.
    first: i64,
    /// Start of the last bin.
    last: i64,
    /// Totals of the last bin.
    totals: Totals,
    /// All bins but the last, in order. A bin consists of four variable-length integers (seven bits
    /// per byte): calls, time, errors, and the distance to the next bin divided by the bin width.
    packed: Vec<u8>,
}

impl PackedTimeline {
    /// Adds an execution like [`BoundedTimeline::add`].
    #[inline]
    pub fn add(&mut self, end: i64, duration: u64, failed: bool) {
        let begin = end.saturating_sub_unsigned(duration);
        let start = self.last.saturating_mul(MICROS);
        let width = WIDTHS[usize::from(self.width)];
        if begin < start || end >= start.saturating_add(width * MICROS) || self.bins == 0 {
            return self.add_elsewhere(end, duration, failed);
        }
        self.totals.merge(Totals { calls: u64::from(!failed), time: duration, errors: u64::from(failed) });
    }

    fn add_elsewhere(&mut self, end: i64, duration: u64, failed: bool) {
        let width = WIDTHS[usize::from(self.width)];
        let bin_of = |micros: i64| {
            let second = micros.div_euclid(MICROS);
            second - second.rem_euclid(width)
        };
        let bin = bin_of(end);
        let is_behind = self.bins == 0 || bin > self.last && self.bins < MAX_BINS;
        let begin = end.saturating_sub_unsigned(duration);
        let first = bin_of(begin);
        // Fast path without unpacking, for an execution that ended in a new bin after the last bin. The execution must
        // also have begun in this new bin, or in the last bin if the new bin directly follows the last bin.
        if is_behind && (first == bin || self.bins > 0 && first == self.last && first.checked_add(width) == Some(bin)) {
            let start = if first == bin { begin } else { bin.saturating_mul(MICROS) };
            let time = if first == bin { duration } else { end.abs_diff(start) };
            self.totals.time = self.totals.time.saturating_add(start.abs_diff(begin));
            self.push(bin, Totals { calls: u64::from(!failed), time, errors: u64::from(failed) });
            return;
        }
        let mut timeline = self.unpacked();
        timeline.add(end, duration, failed);
        *self = timeline.into();
    }

    /// Adds a bin after the last one.
    fn push(&mut self, start: i64, totals: Totals) {
        if self.bins == 0 {
            self.first = start;
        } else {
            let steps = start.abs_diff(self.last) / WIDTHS[usize::from(self.width)].unsigned_abs();
            for number in [self.totals.calls, self.totals.time, self.totals.errors, steps] {
                pack(number, &mut self.packed);
            }
        }
        (self.last, self.totals) = (start, totals);
        self.bins += 1;
    }

    pub(crate) fn unpacked(&self) -> SmallTimeline {
        BoundedTimeline { width: usize::from(self.width), bins: self.iter().collect() }
    }

    /// Returns the bin width, in seconds.
    #[must_use]
    pub fn bin_seconds(&self) -> i64 {
        WIDTHS[usize::from(self.width)]
    }

    /// Returns the bins in use, sorted by their start in seconds since 1970.
    pub fn iter(&self) -> impl Iterator<Item = (i64, Totals)> {
        let width = WIDTHS[usize::from(self.width)];
        let (mut packed, mut start) = (self.packed.as_slice(), self.first);
        (0..self.bins).map(move |index| {
            if index + 1 == self.bins {
                return (self.last, self.totals);
            }
            let [calls, time, errors, steps] = [(); 4].map(|()| unpack(&mut packed));
            let bin = (start, Totals { calls, time, errors });
            start = start.wrapping_add_unsigned(steps.wrapping_mul(width.unsigned_abs()));
            bin
        })
    }

    /// Adds another timeline.
    pub fn merge(&mut self, other: &Self) {
        if other.bins == 1 && other.width == self.width && self.bins > 0 {
            // Fast path for a timeline with a single bin. Such timelines are frequent: a digest first collects a
            // client's recent activity in a separate timeline, which often has only one bin, and later merges it.
            if other.last == self.last {
                return self.totals.merge(other.totals);
            } else if other.last > self.last && self.bins < MAX_BINS {
                return self.push(other.last, other.totals);
            }
        }
        if other.bins > 0 || other.width > self.width {
            let mut timeline = self.unpacked();
            timeline.merge(&other.unpacked());
            *self = timeline.into();
        }
    }

    /// Returns the allocated memory, in bytes.
    pub(crate) fn memory_size(&self) -> usize {
        self.packed.capacity()
    }
}

impl From<SmallTimeline> for PackedTimeline {
    fn from(timeline: SmallTimeline) -> Self {
        let mut packed = Self { width: timeline.width as u8, ..Self::default() };
        timeline.bins.iter().for_each(|(start, totals)| packed.push(*start, *totals));
        packed.packed.shrink_to_fit();
        packed
    }
}

impl From<PackedTimeline> for SmallTimeline {
    fn from(packed: PackedTimeline) -> Self {
        packed.unpacked()
    }
}

fn pack(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn unpack(bytes: &mut &[u8]) -> u64 {
    let mut number = 0;
    for shift in (0..u64::BITS).step_by(7) {
        let Some((byte, rest)) = bytes.split_first() else { break };
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if *byte < 0x80 {
            break;
        }
    }
    number
}
