//! Several measurements of the same: the one in the middle, and how far they are apart.

use super::measure::Timing;

/// The slowest, the middle and the fastest run; of an even number, the slower one of the two in the middle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    pub min: f64,
    pub median: f64,
    pub max: f64,
}

impl Spread {
    /// `None` if there are no values.
    pub fn of(values: impl Iterator<Item = f64>) -> Option<Self> {
        let mut values: Vec<f64> = values.collect();
        values.sort_by(f64::total_cmp);
        let (min, max) = (*values.first()?, *values.last()?);
        Some(Self { min, median: values[middle(values.len())], max })
    }

    /// The three figures, smallest first.
    pub fn figures(self) -> [f64; 3] {
        [self.min, self.median, self.max]
    }
}

/// For each function and path the run that is in the middle.
pub fn middle_runs(runs: &[Vec<Timing>]) -> Vec<&[Timing]> {
    let rows = runs.first().map_or(0, Vec::len);
    let middle_run = |row: usize| {
        let mut sorted: Vec<&Vec<Timing>> = runs.iter().collect();
        sorted.sort_by(|a, b| b[row].us_per_query().total_cmp(&a[row].us_per_query()));
        sorted[middle(sorted.len())].as_slice()
    };
    (0..rows).map(middle_run).collect()
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
