//! Tests of distributions of durations, and of the histogram of many durations.

use hdrhistogram::Histogram as Reference;
use pgq_digest::Durations;
use serde_json::json;

fn record_all(values: impl IntoIterator<Item = u64>) -> Durations {
    let mut durations = Durations::default();
    values.into_iter().for_each(|value| durations.record(value));
    durations
}

/// Returns the count, the sum, the maximum and some quantiles.
fn summary(durations: &Durations) -> (u64, u64, u64, Vec<u64>) {
    let quantiles = [0.0, 0.5, 0.95, 0.99, 1.0].map(|q| durations.quantile(q)).to_vec();
    (durations.count(), durations.sum(), durations.max(), quantiles)
}

#[test]
fn quantiles_of_few_durations_are_exact() {
    assert_eq!(summary(&record_all([5, 1, 3])), (3, 9, 5, vec![1, 3, 5, 5, 5]));
    assert_eq!(summary(&record_all([])), (0, 0, 0, vec![0; 5]));
}

#[test]
fn quantiles_of_many_durations_are_right_to_one_per_cent() {
    let durations = record_all(1..=100_000);
    for (q, exact) in [(0.5, 50_000.0), (0.95, 95_000.0), (0.99, 99_000.0)] {
        let quantile = durations.quantile(q) as f64;
        assert!((quantile - exact).abs() / exact < 0.01, "{quantile} for {exact}");
    }
    assert_eq!((durations.quantile(1.0), durations.sum()), (100_000, 5_000_050_000));
}

#[test]
fn a_few_long_durations_are_exact() {
    let long = u64::from(u32::MAX) + 7;
    assert_eq!(summary(&record_all([1, long, 2])), (3, long + 3, long, vec![1, 2, long, long, long]));
}

#[test]
fn merged_parts_equal_the_whole() {
    let values: Vec<u64> = (0..200u64).map(|i| i * i * 977 % 1_000_003).collect();
    let whole = summary(&record_all(values.iter().copied()));
    for cut in [0, 1, 20, 32, 33, 100, 199] {
        let (a, b) = values.split_at(cut);
        let mut merged = record_all(b.iter().copied());
        merged.merge(&record_all(a.iter().copied()));
        assert_eq!(summary(&merged), whole, "{cut}");
        let encoded = serde_json::to_value(&merged).unwrap();
        assert_eq!(summary(&serde_json::from_value(encoded).unwrap()), whole);
    }
}

/// Returns the largest value of each bucket of the histogram, and its count.
fn buckets(durations: &Durations) -> Vec<(u64, u64)> {
    let encoded = serde_json::to_value(durations).unwrap();
    let (_, _, values, counts): (u64, u64, Vec<u64>, Vec<u64>) = serde_json::from_value(encoded).unwrap();
    values.into_iter().zip(counts).collect()
}

#[test]
fn buckets_are_those_of_two_digits() {
    for power in 0..50 {
        for value in [1u64 << power, (1 << power) + 1, (1 << power) + (1 << power) / 3, (2 << power) - 1] {
            let reference = Reference::<u64>::new(2).unwrap();
            let durations = record_all([value; 50]);
            assert_eq!(buckets(&durations), [(reference.highest_equivalent(value), 50)], "{value}");
        }
    }
}

#[test]
fn lists_and_dense_counts_agree_with_another_implementation() {
    for (values, spread) in [(40, 1), (90, 1000), (5000, 7), (5000, 100_003), (3000, 1 << 36)] {
        let mut reference = Reference::<u64>::new(2).unwrap();
        let mut durations = Durations::default();
        for index in 0..values {
            let value = index * 7919 % 1021 * spread;
            reference.record(value).unwrap();
            durations.record(value);
        }
        let expected: Vec<_> = reference.iter_recorded().map(|v| (v.value_iterated_to(), v.count_at_value())).collect();
        assert_eq!(buckets(&durations), expected, "{values} {spread}");
        for q in [0.001, 0.5, 0.95, 0.99, 1.0] {
            let expected = reference.value_at_quantile(q).min(durations.max());
            assert_eq!(durations.quantile(q), expected, "{values} {spread} {q}");
        }
    }
}

#[test]
fn large_counts_do_not_overflow() {
    let encoded = json!([0, 5, [5, 5, 2], [u32::MAX, 1, u64::MAX]]);
    let durations: Durations = serde_json::from_value(encoded).unwrap();
    assert_eq!(buckets(&durations), [(2, u64::MAX), (5, 1 << 32)]);
    assert_eq!((durations.count(), durations.quantile(1.0)), (u64::MAX, 2));
}
