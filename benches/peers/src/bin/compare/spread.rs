//! Median and range of a figure over repeats.

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    pub median: f64,
    pub least: f64,
    pub most: f64,
}

impl Spread {
    /// # Panics
    /// Panics if there are no figures.
    pub fn of(mut figures: Vec<f64>) -> Self {
        figures.sort_by(f64::total_cmp);
        let middle = figures.len() / 2;
        let median =
            if figures.len() % 2 == 1 { figures[middle] } else { (figures[middle - 1] + figures[middle]) / 2.0 };
        Self { median, least: figures[0], most: figures[figures.len() - 1] }
    }
}

#[test]
fn the_median_is_in_the_middle() {
    assert_eq!(Spread::of(vec![3.0, 1.0, 2.0]), Spread { median: 2.0, least: 1.0, most: 3.0 });
    assert_eq!(Spread::of(vec![4.0, 1.0, 2.0, 3.0]), Spread { median: 2.5, least: 1.0, most: 4.0 });
}
