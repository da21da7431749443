//! Compares tallies with exact counts, for frequent, rare and adversarial keys.

use std::collections::HashMap;

use proptest::prelude::*;

use pgq_digest::{Names, Tally};

/// Number of keys that remain after an eviction. The test of the `TOP` most frequent keys uses streams in which each of
/// these keys makes up more than `1 / CAPACITY` of the stream. Therefore the final tally must contain all of these
/// keys.
const CAPACITY: usize = 400;
const TOP: usize = 20;

type Counts = Tally<Option<u64>, u64>;

/// Counts the keys of a stream. Whenever there are more than `2 * CAPACITY` keys, evicts keys until `CAPACITY` remain.
fn count_all(stream: &[u64]) -> Counts {
    let mut counts = Counts::default();
    for key in stream {
        *counts.of(&Some(*key), || Some(*key)) += 1;
        if counts.len() > 2 * CAPACITY {
            counts.evict_to(CAPACITY);
        }
    }
    counts
}

/// Merges tallies pairwise in random order. Evicts after each merge, or only at the end.
fn merge_tree(mut parts: Vec<Counts>, picks: &[prop::sample::Index], evicts: bool) -> Counts {
    for pick in picks.iter().cycle() {
        if parts.len() == 1 {
            break;
        }
        let other = parts.swap_remove(pick.index(parts.len()));
        let at = pick.index(parts.len());
        parts[at].merge(other);
        if evicts {
            parts[at].evict_to(CAPACITY);
        }
    }
    let mut root = parts.pop().unwrap_or_default();
    root.evict_to(CAPACITY);
    root
}

/// Returns keys whose frequencies follow Zipf's law, in an order that depends on the seed.
fn zipf(len: usize, seed: u64) -> Vec<u64> {
    let harmonic: f64 = (1..=5000).map(|rank| 1.0 / f64::from(rank)).sum();
    let copies = |rank: u64| (len as f64 / harmonic / rank as f64) as usize;
    let keys = (1..=5000_u64).flat_map(|rank| std::iter::repeat_n(rank * 7919 % 5003, copies(rank).max(1)));
    shuffled(keys.collect(), seed)
}

fn shuffled(mut keys: Vec<u64>, seed: u64) -> Vec<u64> {
    keys.sort_by_key(|key| key.wrapping_mul(seed | 1)); // a pseudo-random order of the distinct keys
    let mut state = seed | 1;
    for at in (1..keys.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        keys.swap(at, (state % (at as u64 + 1)) as usize);
    }
    keys
}

/// Returns a stream designed to evict the 20 frequent keys. All other keys are rare.
fn adversarial(kind: usize, seed: u64) -> Vec<u64> {
    let frequent = |times: u64| {
        (0..TOP as u64).flat_map(move |key| std::iter::repeat_n(1_000_000 + key, (times + 40 * key) as usize))
    };
    let rare = |count: u64| 0..count;
    match kind {
        0 => frequent(400).chain(rare(20_000)).collect(),
        1 => rare(20_000).chain(frequent(400)).collect(),
        2 => {
            // After each frequent key, enough rare keys follow to evict the frequent key.
            let mut rare = 0..;
            let mut stream = Vec::new();
            for key in shuffled(frequent(400).collect(), seed) {
                stream.push(key);
                stream.extend(rare.by_ref().take(2));
            }
            stream
        }
        _ => (0..20_000).map(|at| if at % 3 == 0 { 1_000_000 + at / 3 % TOP as u64 } else { at / 2 }).collect(),
    }
}

fn truth(stream: &[u64]) -> HashMap<u64, u64> {
    let mut counts = HashMap::new();
    stream.iter().for_each(|key| *counts.entry(*key).or_default() += 1);
    counts
}

/// Asserts that the count of every key is within its bounds, and that the first 20 keys of the ranking are really the
/// most frequent keys.
fn assert_true(counts: &Counts, stream: &[u64]) {
    let truth = truth(stream);
    let n = stream.len() as u64;
    assert!(counts.floor() <= n / (CAPACITY as u64 + 1), "{} of {n}", counts.floor());
    for (key, kept) in counts.iter() {
        let count = truth[&key.unwrap()];
        assert!((kept.sum..=kept.sum + kept.missing).contains(&count), "{key:?}");
        assert!(kept.missing <= counts.floor());
    }
    let sum: u64 = counts.iter().map(|(_, kept)| kept.sum).sum();
    assert_eq!(sum + counts.others(), n);
    let mut frequencies: Vec<u64> = truth.values().copied().collect();
    frequencies.sort_unstable_by(|a, b| b.cmp(a));
    let least = frequencies[TOP - 1];
    let listed: Vec<u64> = counts.ranked().iter().take(TOP).map(|(key, _)| truth[&key.unwrap()]).collect();
    assert!(listed.iter().all(|count| *count >= least), "{listed:?} with fewer than {least}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(48) })]

    #[test]
    fn the_first_twenty_are_the_most_frequent(
        kind in 0..5_usize,
        seed in any::<u64>(),
        jobs in 1..9_usize,
        picks in prop::collection::vec(any::<prop::sample::Index>(), 8),
        evicts in any::<bool>(),
    ) {
        let stream = if kind == 4 { zipf(60_000, seed) } else { adversarial(kind, seed) };
        let parts: Vec<_> = (0..jobs)
            .map(|job| count_all(&stream.iter().skip(job).step_by(jobs).copied().collect::<Vec<_>>()))
            .collect();
        assert_true(&merge_tree(parts, &picks, evicts), &stream);
    }

    #[test]
    fn merging_is_commutative_and_associative(
        streams in prop::collection::vec(prop::collection::vec(0..2000_u64, 0..2000), 3),
    ) {
        let [a, b, c] = [0, 1, 2].map(|at| count_all(&streams[at]));
        let merged = |mut a: Counts, b: &Counts| { a.merge(b.clone()); a };
        assert_eq!(merged(a.clone(), &b), merged(b.clone(), &a));
        assert_eq!(merged(merged(a.clone(), &b), &c), merged(a.clone(), &merged(b.clone(), &c)));
        let parts = a.iter().map(|(key, kept)| (*key, kept.clone()));
        assert_eq!(Counts::from_parts(parts, a.floor(), *a.others()), a);
    }

    #[test]
    fn counts_are_exact_while_nothing_was_evicted(stream in prop::collection::vec(0..CAPACITY as u64, 0..2000)) {
        let counts = count_all(&stream);
        assert_eq!((counts.floor(), *counts.others()), (0, 0));
        let counts: HashMap<u64, u64> = counts.iter().map(|(key, kept)| (key.unwrap(), kept.sum)).collect();
        assert_eq!(counts, truth(&stream));
    }
}

#[test]
fn long_names_are_cut_at_a_character() {
    let mut counts = Names::<u64>::default();
    *counts.of_name("aé".repeat(300).as_bytes()).unwrap() += 1;
    assert_eq!(counts.iter().map(|(name, _)| name.len()).collect::<Vec<_>>(), [511]);
    assert!(counts.of_name(b"").is_none());
}

#[test]
fn names_that_are_not_utf8_stay_different() {
    let mut counts = Names::<u64>::default();
    for name in [&b"caf\xe9"[..], b"caf\xe8", b"caf\xe9", "café".as_bytes(), "caf\u{fffd}e9".as_bytes()] {
        *counts.of_name(name).unwrap() += 1;
    }
    let counts: Vec<_> = counts.iter().map(|(name, kept)| (name.to_string(), kept.sum)).collect();
    let fffd = "caf\u{fffd}ef\u{fffd}bf\u{fffd}bde9";
    assert_eq!(
        counts,
        [("café".into(), 1), ("caf\u{fffd}e8".into(), 1), ("caf\u{fffd}e9".into(), 2), (fffd.into(), 1)]
    );
}
