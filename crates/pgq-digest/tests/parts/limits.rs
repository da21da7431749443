//! Tests of digests that exceed their limit: which entries are kept, and whether the number of missing executions is
//! within the bound that the digest reports.

use std::collections::HashMap;
use std::hash::Hash;

use proptest::prelude::*;

use pgq_digest::{Digest, Execution, Facet, GroupKey, Limit, LogMessage, Severity, StatementEvent, Sum};

/// Converts a number to letters, because digits in messages would be masked.
fn word(number: u64) -> String {
    number.to_string().bytes().map(|digit| char::from(digit - b'0' + b'a')).collect()
}

fn add(digest: &mut Digest, query: u64, execution: &Execution<'_>) {
    digest.add(&GroupKey::Query(query), &Execution { sql: b"SELECT 1", duration: Some(7), ..*execution });
}

/// Asserts that no statement of any query is missing.
fn assert_exact(digest: &Digest, queries: usize, statements: u64) {
    assert_eq!((digest.groups.len(), digest.floor, digest.other.statements()), (queries, 0, 0));
    for (query, group) in &digest.groups {
        assert_eq!((group.statements(), group.missing), (statements, 0), "query {query}");
    }
}

#[test]
fn many_names_of_a_query_do_not_drop_queries() {
    const CALLS: u64 = 20_000;
    for limit in [300 << 10, 8 << 20] {
        for kind in 0..3 {
            let mut digest = Digest::new(Limit::Bytes(limit));
            for call in 0..CALLS {
                let name = word(call);
                let tags = [format!("request_id={name}"), "route=carts".into()];
                let text = format!("bad {name}");
                let error = LogMessage { message: text.as_bytes(), ..LogMessage::default() };
                let execution = match kind {
                    0 => Execution { tags: &tags, ..Execution::default() },
                    1 => Execution { error: Some(&error), ..Execution::default() },
                    _ => Execution { application: name.as_bytes(), host: name.as_bytes(), ..Execution::default() },
                };
                add(&mut digest, call % 10, &execution);
                assert!(digest.size() < limit + limit / 4, "{} of {limit}", digest.size());
            }
            digest.finish();
            assert_exact(&digest, 10, CALLS / 10);
            if kind == 0 {
                let tag = digest.facets.get(Facet::Tag).iter().find(|(tag, _)| &***tag == "route=carts");
                let (_, kept) = tag.unwrap();
                assert_eq!((kept.sum.totals.calls, kept.missing), (CALLS, 0));
            }
        }
    }
}

#[test]
fn events_of_a_query_that_was_dropped_are_a_lower_bound() {
    const QUERIES: u64 = 5000;
    let mut digest = Digest::new(Limit::Bytes(300 << 10));
    let file = StatementEvent::TemporaryFile { bytes: 1000 };
    let execution = Execution { sql: b"SELECT 1", ..Execution::default() };
    let mut truth = HashMap::<u64, u64>::new();
    for query in (0..QUERIES).chain(0..QUERIES / 2).chain(0..10) {
        digest.add_event(&GroupKey::Query(query), &file, &execution);
        *truth.entry(query).or_default() += 1;
    }
    digest.finish();
    assert!(digest.groups.len() < QUERIES as usize / 2);
    let mut incomplete = 0;
    for (query, group) in &digest.groups {
        let files = group.events_or_none().temporary_files;
        assert!(files <= truth[query] && truth[query] <= files + group.missing, "query {query}: {files}");
        incomplete += u64::from(files < truth[query]);
    }
    assert!(incomplete > 0);
    let kept: u64 = digest.groups.values().map(|group| group.events_or_none().temporary_files).sum();
    assert_eq!(kept + digest.other.events_or_none().temporary_files, truth.values().sum::<u64>());
}

#[test]
fn many_names_of_each_of_many_queries_do_not_drop_queries() {
    let mut digest = Digest::new(Limit::Bytes(4 << 20));
    for call in 0..60_000 {
        let tags = [format!("request_id={call}")];
        add(&mut digest, call % 600, &Execution { tags: &tags, ..Execution::default() });
    }
    digest.finish();
    assert_exact(&digest, 600, 100);
}

#[test]
fn names_of_one_kind_do_not_drop_names_of_other_kinds() {
    let mut digest = Digest::new(Limit::Bytes(300 << 10));
    for call in 0..8000 {
        let application = format!("worker-{call}");
        let execution =
            Execution { user: b"app", database: b"shop", application: application.as_bytes(), ..Execution::default() };
        add(&mut digest, call % 10, &execution);
    }
    digest.finish();
    for (facet, name) in [(Facet::User, "app"), (Facet::Database, "shop")] {
        let names: Vec<_> = digest.facets.get(facet).iter().collect();
        assert_eq!((names.len(), &**names[0].0), (1, name));
        assert_eq!((names[0].1.sum.totals.calls, names[0].1.missing), (8000, 0));
    }
    assert!(digest.facets.get(Facet::Application).floor() > 0);
}

#[test]
fn frequent_messages_do_not_drop_worse_messages() {
    let severities = [Severity::Panic, Severity::Server, Severity::Fatal, Severity::Error, Severity::Warning];
    let mut digest = Digest::new(Limit::Bytes(400 << 10));
    let mut add = |severity, text: &str, host: &str| {
        let message = LogMessage { severity, message: text.as_bytes(), ..LogMessage::default() };
        digest.add_message(&message, &Execution { host: host.as_bytes(), ..Execution::default() }, None);
    };
    severities.into_iter().for_each(|severity| add(severity, "first", "a"));
    for number in 0..8000 {
        // All failed logins have the same kind of message, but each has a different host.
        add(Severity::Fatal, "password authentication failed", &word(number));
        for severity in [Severity::Error, Severity::Warning] {
            add(severity, &format!("kind {}", word(number)), "a");
        }
    }
    digest.finish();
    let floors = severities.map(|severity| digest.messages.get(severity).floor() > 0);
    assert_eq!(floors, [false, false, false, true, true]);
    assert_eq!(digest.messages.get(Severity::Fatal).len(), 2);
    for number in 0..8000 {
        let text = format!("kind {}", word(number));
        let message = LogMessage { severity: Severity::Fatal, message: text.as_bytes(), ..LogMessage::default() };
        digest.add_message(&message, &Execution::default(), None);
    }
    digest.finish();
    let floors = severities.map(|severity| digest.messages.get(severity).floor() > 0);
    assert_eq!(floors, [false, false, true, true, true]);
}

#[test]
fn the_size_is_current() {
    let long = "x".repeat(3000);
    let measured = |add: &dyn Fn(&mut Digest, u64)| {
        let mut digest = Digest::new(Limit::Bytes(1 << 30));
        (0..5000).for_each(|number| add(&mut digest, number));
        let size = digest.size();
        digest.keep_limit(); // measures all entries
        assert!(size > digest.size() / 4 * 3 && size < digest.size() / 2 * 3, "{size} instead of {}", digest.size());
    };
    measured(&|digest, number| {
        let tags = [format!("request_id={number}"), format!("long={number}{}", &long[..200])];
        add(digest, number % 3, &Execution { tags: &tags, ..Execution::default() });
    });
    measured(&|digest, number| {
        let message = format!("{} failed: {}", word(number), &long[..100]);
        let error = LogMessage { message: message.as_bytes(), detail: long.as_bytes(), ..LogMessage::default() };
        add(digest, 7, &Execution { error: Some(&error), ..Execution::default() });
    });
    measured(&|digest, number| {
        let (user, host) = (format!("user-{}", number % 700), format!("host-{number}"));
        let execution = Execution { user: user.as_bytes(), host: host.as_bytes(), ..Execution::default() };
        add(digest, number % 20, &execution);
    });
    // The second call of each query has a longer text, and a plan.
    measured(&|digest, number| {
        let sql = if number < 2500 { "SELECT 1" } else { &long };
        let time = Some((number as i64, &b"now"[..]));
        let execution = Execution { sql: sql.as_bytes(), duration: Some(number), time, ..Execution::default() };
        let key = GroupKey::Query(number % 2500);
        digest.add(&key, &execution);
        if number >= 2500 {
            digest.add_event(&key, &StatementEvent::Plan { text: &long }, &execution);
        }
    });
    measured(&|digest, number| {
        let sql = format!("SELEC {number}");
        digest.add(&GroupKey::Unparsed(&sql), &Execution { sql: sql.as_bytes(), ..Execution::default() });
    });
}

/// Upper bound of the memory of an entry in [`counts_are_within_their_bounds`], in bytes.
const LARGE_ENTRY: usize = 6000;

/// A digest whose evictions are observed.
struct Observed {
    digest: Digest,
    floors: Vec<u64>,
    /// For each kind of entry, the minimum number of entries that remained after an eviction.
    fewest: Vec<u64>,
}

/// Returns the floor and the number of entries, for each kind of entry (queries, names by facet, messages by severity).
/// The floor is an upper bound of the count of a dropped entry.
fn floors(digest: &Digest) -> Vec<(u64, u64)> {
    let names = Facet::ALL.map(|facet| (digest.facets.get(facet).floor(), digest.facets.get(facet).len() as u64));
    let kinds = digest.messages.tallies().map(|kinds| (kinds.floor(), kinds.len() as u64));
    [(digest.floor, digest.groups.len() as u64)].into_iter().chain(names).chain(kinds).collect()
}

impl Observed {
    fn new(limit: Limit) -> Self {
        let digest = Digest::new(limit);
        let kinds = floors(&digest).len();
        Self { digest, floors: vec![0; kinds], fewest: vec![u64::MAX; kinds] }
    }

    /// Applies `change` to the digest, and records the evictions. `change` must not merge digests.
    fn change(&mut self, change: impl FnOnce(&mut Digest)) {
        change(&mut self.digest);
        for (kind, (floor, len)) in floors(&self.digest).into_iter().enumerate() {
            if floor > self.floors[kind] {
                (self.floors[kind], self.fewest[kind]) = (floor, self.fewest[kind].min(len));
            }
        }
    }

    /// Moves the entries of another digest into this digest.
    fn take(&mut self, other: &mut Self, limit: Limit) {
        let other = std::mem::replace(other, Self::new(limit));
        self.fewest.iter_mut().zip(other.fewest).for_each(|(own, other)| *own = (*own).min(other));
        self.digest.merge(other.digest);
        self.floors = floors(&self.digest).into_iter().map(|(floor, _)| floor).collect();
        self.change(Digest::keep_limit);
    }
}

/// Asserts that the counts of one kind of entry, such as queries, are within their bounds. `truth` contains the exact
/// counts. For each kept entry, `kept` yields the key, the digest's count, and the upper bound of the missing count.
/// `others` is the sum of the counts of the dropped entries.
fn assert_bounds<K: Hash + Eq + std::fmt::Debug>(
    truth: &HashMap<K, u64>,
    kept: impl Iterator<Item = (K, u64, u64)>,
    others: u64,
    (floor, fewest): (u64, u64),
) {
    let n: u64 = truth.values().sum();
    let kept: HashMap<K, (u64, u64)> = kept.map(|(key, sum, missing)| (key, (sum, missing))).collect();
    assert_eq!(kept.values().map(|(sum, _)| sum).sum::<u64>() + others, n);
    assert!(floor <= n / (fewest.saturating_add(1)), "{floor} of {n}, {fewest} kept");
    for (key, count) in truth {
        match kept.get(key) {
            Some((sum, missing)) => {
                assert!((*sum..=sum + missing).contains(count), "{key:?}: {sum} + {missing}, not {count}");
                assert!(*missing <= floor);
            }
            None => assert!(*count <= floor, "{key:?}: {count} of {n} are lost, floor {floor}"),
        }
    }
}

/// Random numbers from 0 to `count`. The greater `skew` is, the more frequent small numbers are.
#[derive(Debug, Clone, Copy)]
struct Mix {
    count: u64,
    skew: i32,
}

fn mix() -> impl Strategy<Value = Mix> {
    (prop_oneof![1..10_u64, 10..300_u64, 300..100_000_u64], 1..6).prop_map(|(count, skew)| Mix { count, skew })
}

fn limit() -> impl Strategy<Value = Limit> {
    prop_oneof![(60_usize..2000).prop_map(|kb| Limit::Bytes(kb << 10)), (1_usize..400).prop_map(Limit::Groups)]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(16) })]

    #[test]
    fn counts_are_within_their_bounds(
        mixes in prop::collection::vec(mix(), 7),
        limit in limit(),
        jobs in 1..4_usize,
        is_merged_often in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let mut state = seed | 1;
        let mut random = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let mut parts: Vec<Observed> = (0..jobs).map(|_| Observed::new(limit)).collect();
        let mut common = Observed::new(limit);
        let mut queries = HashMap::<u64, u64>::new();
        let mut names = vec![HashMap::<String, u64>::new(); Facet::ALL.len()];
        let mut kinds = vec![HashMap::<String, u64>::new(); Severity::ALL.len()];
        for call in 0..1500 {
            let [query, user, database, application, host, tag, kind] = [0, 1, 2, 3, 4, 5, 6].map(|index: usize| {
                let Mix { count, skew } = mixes[index];
                ((random() >> 11) as f64 / (1_u64 << 53) as f64).powi(skew).mul_add(count as f64, 0.0) as u64
            });
            let texts = [user, database, application, host, tag].map(|number| format!("n{number}"));
            let severity = Severity::ALL[(random() % 8).min(4) as usize];
            let text = word(kind);
            let message = LogMessage { severity, message: text.as_bytes(), ..LogMessage::default() };
            let execution = Execution {
                user: texts[0].as_bytes(),
                database: texts[1].as_bytes(),
                application: texts[2].as_bytes(),
                host: texts[3].as_bytes(),
                tags: &texts[4..],
                time: Some((call * 50_000_000, b"now")),
                error: severity.is_error().then_some(&message),
                ..Execution::default()
            };
            *queries.entry(query).or_default() += 1;
            names.iter_mut().zip(texts.clone()).for_each(|(counts, name)| *counts.entry(name).or_default() += 1);
            *kinds[severity as usize].entry(text.clone()).or_default() += 1;
            let part = &mut parts[(random() % jobs as u64) as usize];
            part.change(|digest| add(digest, query, &execution));
            if !severity.is_error() {
                part.change(|digest| digest.add_message(&message, &execution, None));
            }
            if is_merged_often && random() % 200 == 0 {
                common.take(part, limit);
            }
        }
        parts.iter_mut().for_each(|part| common.take(part, limit));
        common.change(Digest::finish);
        let Observed { digest, floors, fewest } = common;
        let bounds = |kind: usize| (floors[kind], fewest[kind]);
        if let Limit::Bytes(bytes) = limit {
            // After an eviction, at least a quarter of the limit remains for queries. Another quarter is divided
            // equally among all kinds of entries (users, hosts and so on), and each kind keeps at least its share.
            assert!(fewest[0] >= (bytes / 4 / LARGE_ENTRY) as u64, "{} queries in {bytes}", fewest[0]);
            let least = (bytes / 4 / fewest.len() / LARGE_ENTRY) as u64;
            assert!(fewest[1..].iter().all(|fewest| *fewest >= least), "{fewest:?} in {bytes}");
        }
        let kept = digest.groups.iter().map(|(query, group)| (*query, group.statements(), group.missing));
        assert_bounds(&queries, kept, digest.other.statements(), bounds(0));
        for (facet, truth) in Facet::ALL.into_iter().zip(&names) {
            let tally = digest.facets.get(facet);
            let kept = tally.iter().map(|(name, kept)| (name.to_string(), kept.sum.weight(), kept.missing));
            assert_bounds(truth, kept, tally.others().weight(), bounds(1 + facet as usize));
        }
        for (severity, truth) in Severity::ALL.into_iter().zip(&kinds) {
            let tally = digest.messages.get(severity);
            let kept = tally.iter().map(|(key, kept)| (key.message.to_string(), kept.sum.count, kept.missing));
            assert_bounds(truth, kept, tally.others().count, bounds(1 + names.len() + severity as usize));
        }
    }
}
