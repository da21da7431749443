//! Summarizes repeated measurements: median and range.

use super::measure::Timing;

/// Minimum, median and maximum. For an even number of values, the median is the lower middle value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    pub min: f64,
    pub median: f64,
    pub max: f64,
}

impl Spread {
    /// Returns `None` if there are no values.
    pub fn of(values: impl Iterator<Item = f64>) -> Option<Self> {
        let mut values: Vec<f64> = values.collect();
        values.sort_by(f64::total_cmp);
        let (min, max) = (*values.first()?, *values.last()?);
        Some(Self { min, median: values[middle(values.len())], max })
    }

    /// Returns minimum, median and maximum.
    pub fn figures(self) -> [f64; 3] {
        [self.min, self.median, self.max]
    }
}

/// Sorts the runs by their time for the path (implementation) at `index`. Returns the median run.
pub fn median_run(runs: &[Vec<Timing>], index: usize) -> &[Timing] {
    let mut sorted: Vec<&Vec<Timing>> = runs.iter().collect();
    sorted.sort_by(|a, b| b[index].us_per_query().total_cmp(&a[index].us_per_query()));
    sorted[middle(sorted.len())]
}

fn middle(count: usize) -> usize {
    (count - 1) / 2
}

#[cfg(test)]
mod tests {
    use super::Spread;

    #[test]
    fn the_median_is_a_value() {
        let spread = |values: &[f64]| Spread::of(values.iter().copied()).map(Spread::figures);
        assert_eq!(spread(&[3.0, 1.0, 2.0]), Some([1.0, 2.0, 3.0]));
        assert_eq!(spread(&[4.0, 1.0, 3.0, 2.0]), Some([1.0, 2.0, 4.0]));
        assert_eq!(spread(&[5.0]), Some([5.0; 3]));
        assert_eq!(spread(&[]), None);
    }
}
