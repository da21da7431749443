//! Histograms of durations. The width of a bucket is at most 1/128 of its values. Most queries are rare, so most
//! histograms use few buckets. Such a histogram stores only the buckets in use, with eight bytes for each.

/// Each value below `EXACT_VALUES` has its own bucket. For larger values, each range from one power of two to the next
/// has `BUCKETS_OF_A_POWER` buckets.
const EXACT_VALUES: u64 = 256;
const BUCKETS_OF_A_POWER: u16 = 128;

/// Maximum number of buckets in [`Counts::Listed`].
const MAX_LISTED: usize = 128;

/// A histogram, which counts values by bucket.
#[derive(Debug, Clone)]
pub struct Histogram {
    total: u64,
    counts: Counts,
}

#[derive(Debug, Clone)]
enum Counts {
    /// The buckets in use, in order.
    Listed(Vec<(u16, u32)>),
    /// Counts of all buckets from the first bucket in use to the last bucket in use. `first` is the index of the first
    /// bucket.
    Dense { first: u16, counts: Vec<u64> },
}

/// Returns the bucket of a value below 2^63.
fn bucket_of(value: u64) -> u16 {
    if value < EXACT_VALUES {
        return value as u16;
    }
    let shift = value.ilog2() - BUCKETS_OF_A_POWER.ilog2();
    BUCKETS_OF_A_POWER * shift as u16 + (value >> shift) as u16
}

/// Returns the largest value of a bucket.
fn last_value(bucket: u16) -> u64 {
    if u64::from(bucket) < EXACT_VALUES {
        return u64::from(bucket);
    }
    let shift = bucket / BUCKETS_OF_A_POWER - 1;
    ((u64::from(bucket - BUCKETS_OF_A_POWER * shift) + 1) << shift) - 1
}

impl Histogram {
    pub fn new() -> Self {
        Self { total: 0, counts: Counts::Listed(Vec::new()) }
    }

    /// Counts a value `count` times.
    pub fn record(&mut self, value: u64, count: u64) {
        self.total = self.total.saturating_add(count);
        let bucket = bucket_of(value);
        if let Counts::Listed(listed) = &mut self.counts {
            match listed.binary_search_by_key(&bucket, |(bucket, _)| *bucket) {
                Ok(at) => {
                    if let Some(sum) = u32::try_from(count).ok().and_then(|count| listed[at].1.checked_add(count)) {
                        listed[at].1 = sum;
                        return;
                    }
                }
                Err(at) => {
                    if let Some(count) = u32::try_from(count).ok().filter(|_| listed.len() < MAX_LISTED) {
                        listed.insert(at, (bucket, count));
                        return;
                    }
                }
            }
            self.counts = dense(listed);
        }
        if let Counts::Dense { first, counts } = &mut self.counts {
            let count_of = slot(first, counts, bucket);
            *count_of = count_of.saturating_add(count);
        }
    }

    /// Returns the number of values.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Iterates over the buckets in use, in order. Yields the largest value of each bucket, and its count.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u64)> {
        let (listed, first, dense) = match &self.counts {
            Counts::Listed(listed) => (listed.as_slice(), 0, [].as_slice()),
            Counts::Dense { first, counts } => ([].as_slice(), *first, counts.as_slice()),
        };
        let listed = listed.iter().map(|(bucket, count)| (last_value(*bucket), u64::from(*count)));
        let dense = (first..).zip(dense).filter(|(_, count)| **count > 0);
        listed.chain(dense.map(|(bucket, count)| (last_value(bucket), *count)))
    }

    /// For each quantile, returns the largest value of the bucket that contains the quantile. `quantiles`: numbers from
    /// 0 to 1, ascending.
    pub fn quantiles<const N: usize>(&self, quantiles: [f64; N]) -> [u64; N] {
        let (mut buckets, mut sum, mut last) = (self.iter(), 0u64, 0);
        quantiles.map(|q| {
            let rank = ((q * self.total as f64).ceil() as u64).max(1);
            while sum < rank
                && let Some((value, count)) = buckets.next()
            {
                (sum, last) = (sum.saturating_add(count), value);
            }
            last
        })
    }

    /// Returns the allocated memory, in bytes.
    pub fn memory_size(&self) -> usize {
        match &self.counts {
            Counts::Listed(listed) => listed.capacity() * size_of::<(u16, u32)>(),
            Counts::Dense { counts, .. } => counts.capacity() * size_of::<u64>(),
        }
    }
}

fn dense(listed: &[(u16, u32)]) -> Counts {
    let (first, last) =
        (listed.first().map_or(0, |(bucket, _)| *bucket), listed.last().map_or(0, |(bucket, _)| *bucket));
    let mut counts = vec![0; usize::from(last - first) + 1];
    for (bucket, count) in listed {
        counts[usize::from(bucket - first)] = u64::from(*count);
    }
    Counts::Dense { first, counts }
}

/// Returns the count of a bucket. Extends the range of buckets if necessary.
fn slot<'c>(first: &mut u16, counts: &'c mut Vec<u64>, bucket: u16) -> &'c mut u64 {
    if bucket < *first {
        counts.splice(..0, std::iter::repeat_n(0, usize::from(*first - bucket)));
        *first = bucket;
    }
    let at = usize::from(bucket - *first);
    if at >= counts.len() {
        counts.resize(at + 1, 0);
    }
    &mut counts[at]
}
