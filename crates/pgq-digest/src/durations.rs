//! Durations of calls: exact sums, and quantiles out of a histogram. Merging is exact, in any
//! order. Units are microseconds, in which PostgreSQL logs.

use hdrhistogram::Histogram;

/// So many are kept one by one: most queries are rare, and a histogram is large.
const FEW: usize = 32;

/// Significant digits of a histogram: quantiles are right to one percent.
const DIGITS: u8 = 2;

/// Longer durations, of 30 years and more, count as that in quantiles.
const LONGEST: u64 = 1 << 50;

/// Durations in microseconds.
#[derive(Debug, Clone)]
pub struct Durations {
    sum: u64,
    max: u64,
    kept: Kept,
}

#[derive(Debug, Clone)]
enum Kept {
    Few(Vec<u64>),
    Many(Box<Histogram<u64>>),
}

impl Default for Durations {
    fn default() -> Self {
        Self { sum: 0, max: 0, kept: Kept::Few(Vec::new()) }
    }
}

impl Durations {
    pub fn record(&mut self, micros: u64) {
        self.record_many(micros, 1);
        self.sum = self.sum.saturating_add(micros);
        self.max = self.max.max(micros);
    }

    fn record_many(&mut self, micros: u64, count: u64) {
        if let Kept::Few(few) = &mut self.kept {
            if few.len() as u64 + count <= FEW as u64 {
                few.extend(std::iter::repeat_n(micros, count as usize));
                return;
            }
            // It grows with what it must hold.
            let mut histogram = Box::new(Histogram::new(DIGITS).expect("a valid number of digits"));
            few.iter().for_each(|value| histogram.record((*value).min(LONGEST)).expect("a histogram that grows"));
            self.kept = Kept::Many(histogram);
        }
        if let Kept::Many(histogram) = &mut self.kept {
            histogram.record_n(micros.min(LONGEST), count).expect("a histogram that grows");
        }
    }

    /// Adds the durations of others.
    pub fn merge(&mut self, others: &Self) {
        let Self { sum, max, .. } = others;
        others.each(|micros, count| self.record_many(micros, count));
        self.sum = self.sum.saturating_add(*sum);
        self.max = self.max.max(*max);
    }

    /// What is kept: durations and how often each came.
    pub fn each(&self, mut f: impl FnMut(u64, u64)) {
        match &self.kept {
            Kept::Few(few) => few.iter().for_each(|micros| f(*micros, 1)),
            Kept::Many(histogram) => {
                histogram.iter_recorded().for_each(|value| f(value.value_iterated_to(), value.count_at_value()));
            }
        }
    }

    /// From what [`Durations::each`] gave, and the exact sum and maximum.
    pub fn from_parts(sum: u64, max: u64, kept: impl IntoIterator<Item = (u64, u64)>) -> Self {
        let mut durations = Self { sum, max, ..Self::default() };
        kept.into_iter().for_each(|(micros, count)| durations.record_many(micros, count));
        durations
    }

    pub fn count(&self) -> u64 {
        match &self.kept {
            Kept::Few(few) => few.len() as u64,
            Kept::Many(histogram) => histogram.len(),
        }
    }

    pub fn sum(&self) -> u64 {
        self.sum
    }

    pub fn max(&self) -> u64 {
        self.max
    }

    /// The duration that a share of `share` (0 to 1) of the calls does not exceed.
    pub fn quantile(&self, share: f64) -> u64 {
        match &self.kept {
            Kept::Few(few) => {
                let mut sorted = few.clone();
                sorted.sort_unstable();
                let rank = (share * sorted.len() as f64).ceil() as usize;
                sorted.get(rank.saturating_sub(1)).copied().unwrap_or(0)
            }
            Kept::Many(histogram) => histogram.value_at_quantile(share).min(self.max),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Durations;

    fn of(values: impl IntoIterator<Item = u64>) -> Durations {
        let mut durations = Durations::default();
        values.into_iter().for_each(|value| durations.record(value));
        durations
    }

    fn shown(durations: &Durations) -> (u64, u64, u64, Vec<u64>) {
        let quantiles = [0.0, 0.5, 0.95, 0.99, 1.0].map(|q| durations.quantile(q)).to_vec();
        (durations.count(), durations.sum(), durations.max(), quantiles)
    }

    #[test]
    fn quantiles_of_few_are_exact() {
        assert_eq!(shown(&of([5, 1, 3])), (3, 9, 5, vec![1, 3, 5, 5, 5]));
        assert_eq!(shown(&of([])), (0, 0, 0, vec![0; 5]));
    }

    #[test]
    fn quantiles_of_many_are_right_to_a_percent() {
        let durations = of(1..=100_000);
        for (share, exact) in [(0.5, 50_000.0), (0.95, 95_000.0), (0.99, 99_000.0)] {
            let found = durations.quantile(share) as f64;
            assert!((found - exact).abs() / exact < 0.01, "{found} for {exact}");
        }
        assert_eq!((durations.quantile(1.0), durations.sum()), (100_000, 5_000_050_000));
    }

    #[test]
    fn parts_merge_to_the_whole_wherever_they_are_cut() {
        let values: Vec<u64> = (0..200u64).map(|i| i * i * 977 % 1_000_003).collect();
        let whole = shown(&of(values.iter().copied()));
        for cut in [0, 1, 20, 32, 33, 100, 199] {
            let (a, b) = values.split_at(cut);
            let mut merged = of(b.iter().copied());
            merged.merge(&of(a.iter().copied()));
            assert_eq!(shown(&merged), whole, "{cut}");
            let mut parts = Vec::new();
            merged.each(|micros, count| parts.push((micros, count)));
            assert_eq!(shown(&Durations::from_parts(merged.sum(), merged.max(), parts)), whole);
        }
    }
}
