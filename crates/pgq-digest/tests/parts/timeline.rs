//! Timelines.

use pgq_digest::{SmallTimeline, Timeline};
use serde_json::json;

const MAX_BINS: usize = 2048;

fn add_all(seconds: &[i64]) -> Timeline {
    let mut timeline = Timeline::default();
    for second in seconds {
        // Some executions take longer than the width of a bin, and some start in the previous bin.
        timeline.add(second * 1_000_000 + 5, [0, 4, 10, 1_500_000, 20_000_000][*second as usize % 5], false);
    }
    timeline
}

#[test]
fn time_counts_in_the_bins_in_which_it_passed() {
    let mut timeline = Timeline::default();
    timeline.add(10_250_000, 2_500_000, true);
    let bins: Vec<_> = timeline.iter().map(|(start, bin)| (start, bin.time, bin.errors)).collect();
    assert_eq!(bins, [(7, 250_000, 0), (8, 1_000_000, 0), (9, 1_000_000, 0), (10, 250_000, 1)]);
    // These durations are longer than the time that all bins cover. The last one also exceeds the range of `i64`.
    for duration in [100_000_000_000, 1 << 60, u64::MAX] {
        let mut timeline = Timeline::default();
        timeline.add(10_250_000, duration, false);
        assert!(timeline.iter().count() <= MAX_BINS);
        let passed = timeline.iter().map(|(_, bin)| bin.time).fold(0, u64::saturating_add);
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
        let encoded = serde_json::to_value(&whole).unwrap();
        assert_eq!(serde_json::from_value::<Timeline>(encoded).unwrap(), whole);
    }
}

#[test]
fn times_thousands_of_years_apart_need_few_bins() {
    let mut timeline = SmallTimeline::default();
    (-1000..1000).for_each(|part| timeline.add(part * (i64::MAX / 1000), 5, false));
    assert!(timeline.iter().count() <= 96);
    assert_eq!(timeline.iter().map(|(_, bin)| bin.calls).sum::<u64>(), 2000);
    // The number of bins of a state is limited, too.
    let weeks = json!((604_800, vec![604_800; 50_000], [(); 3].map(|()| vec![1; 50_000])));
    let mut forged: Timeline = serde_json::from_value(weeks).unwrap();
    forged.merge(&forged.clone());
    assert!(forged.iter().count() <= MAX_BINS);
    assert_eq!(forged.iter().map(|(_, bin)| bin.calls).sum::<u64>(), 100_000);
}

#[test]
fn invalid_bins_are_refused() {
    let is_valid = |bins| serde_json::from_value::<Timeline>(bins).is_ok();
    let bins = |seconds: i64, steps: &[i64]| json!((seconds, steps, [(); 3].map(|()| vec![0; steps.len()])));
    for (seconds, steps) in [(7, &[][..]), (2, &[1]), (1, &[5, 0]), (1, &[5, -1]), (1, &[i64::MAX]), (1, &[i64::MIN])] {
        assert!(!is_valid(bins(seconds, steps)), "{seconds} {steps:?}");
    }
    assert!(!is_valid(json!([1, [1], [[], [0], [0]]])));
    assert!(is_valid(json!([1, [1], [[0], [0], [0]]])) && is_valid(bins(2, &[-4, 2])));
}

#[test]
fn a_small_timeline_keeps_its_totals() {
    let mut timeline = SmallTimeline::default();
    (0..100_000).for_each(|second| timeline.add(second * 1_000_000 + 10, 5, second % 7 == 0));
    assert_eq!((timeline.bin_seconds(), timeline.iter().count()), (1800, 56));
    let errors: u64 = timeline.iter().map(|(_, bin)| bin.errors).sum();
    assert_eq!(errors, 14_286);
}
