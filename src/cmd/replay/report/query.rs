//! A query in the log and in the replay.

use pgq_digest::{DescribeQuery, Digest, Group};
use serde_json::{Map, Value, json};

use crate::cmd::digest::QueryDescriber;

/// Names of the figures that `--fail-if` conditions can compare. All except the last are times.
pub const METRICS: [&str; ERRORS + 1] = ["mean", "p50", "p95", "p99", "max", "total", "errors"];
pub const ERRORS: usize = 6;

/// Figures of a query.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Figures {
    /// Executions that did not fail.
    pub calls: u64,
    pub errors: u64,
    /// Times in milliseconds, in the order of [`METRICS`]. `None` if the log lacks durations.
    pub times: Option<[f64; ERRORS]>,
}

impl Figures {
    fn new(group: Option<&Group>) -> Self {
        let Some(group) = group else { return Self::default() };
        let times = &group.durations;
        let (count, sum) = (times.count(), times.sum() as f64);
        let mean = sum / count as f64;
        // If the log lacks some durations, extrapolates the total from the mean, because the total in the replay
        // includes all calls.
        let total = if count < group.calls { mean * group.calls as f64 } else { sum };
        let [p50, p95, p99] = [0.5, 0.95, 0.99].map(|quantile| times.quantile(quantile) as f64);
        let micros = [mean, p50, p95, p99, times.max() as f64, total];
        let times = (!group.lacks_durations()).then(|| micros.map(|micros| micros / 1000.0));
        Self { calls: group.calls, errors: group.errors, times }
    }

    /// Returns the figures by name: `calls`, `errors`, and times such as `p95_ms`.
    pub fn to_json(&self) -> Map<String, Value> {
        let counts = [("calls", self.calls), ("errors", self.errors)];
        let counts = counts.into_iter().map(|(name, count)| (name.to_string(), json!(count)));
        counts.chain((0..ERRORS).map(|at| (format!("{}_ms", METRICS[at]), json!(self.metric(at))))).collect()
    }

    /// Returns a time in milliseconds or the number of errors, by its position in [`METRICS`].
    pub fn metric(&self, at: usize) -> Option<f64> {
        if at == ERRORS { Some(self.errors as f64) } else { self.times.map(|times| times[at]) }
    }
}

/// A query in the log and in the replay.
pub struct ComparedQuery {
    /// `None` for statements that do not parse.
    pub fingerprint: Option<u64>,
    pub normalized: String,
    pub before: Figures,
    pub after: Figures,
}

impl ComparedQuery {
    /// Returns the mean times in the log and in the replay, if both are known.
    fn means(&self) -> Option<(f64, f64)> {
        self.before.metric(0).zip(self.after.metric(0)).filter(|(before, _)| *before > 0.0)
    }

    /// Returns the mean time in the replay as a multiple of the mean time in the log, if both times are known.
    pub fn factor(&self) -> Option<f64> {
        self.means().map(|(before, after)| after / before)
    }

    /// Returns the additional time that the query took in the replay, in milliseconds: the
    /// difference between the mean durations in the replay and in the log, multiplied by the number
    /// of calls.
    fn lost(&self) -> f64 {
        self.means().map_or(0.0, |(before, after)| (after - before) * self.after.calls as f64)
    }
}

/// Compares each query's figures in the log (`before`) with those in the replay (`after`). Sorts by
/// [`ComparedQuery::lost`]. Leaves out queries that a digest dropped because of its size limit, even if they occurred
/// again afterwards.
pub fn compare(before: &Digest, after: &Digest) -> Vec<ComparedQuery> {
    let compared = |fingerprint, normalized, before: Option<&Group>, after: &Group| ComparedQuery {
        fingerprint,
        normalized,
        before: Figures::new(before),
        after: Figures::new(Some(after)),
    };
    let is_complete = |fingerprint| !before.dropped.contains(fingerprint) && !after.dropped.contains(fingerprint);
    let parsed = after.groups.iter().filter(|(fingerprint, _)| is_complete(fingerprint)).map(|(fingerprint, group)| {
        let sql = group.example.as_ref().map(|example| example.sql()).unwrap_or_default();
        let before = before.groups.get(fingerprint).map(Box::as_ref);
        compared(Some(*fingerprint), QueryDescriber.normalized(&sql), before, group)
    });
    let unparsed = after.unparsed.iter().map(|(reason, kept)| {
        let before = before.unparsed.iter().find(|(other, _)| *other == reason).map(|(_, kept)| &kept.sum);
        compared(None, format!("({reason})"), before, &kept.sum)
    });
    let mut queries: Vec<_> = parsed.chain(unparsed).collect();
    queries.sort_by(|a, b| {
        b.lost().total_cmp(&a.lost()).then(b.after.calls.cmp(&a.after.calls)).then(a.fingerprint.cmp(&b.fingerprint))
    });
    queries
}

#[cfg(test)]
mod tests {
    use pgq_digest::{Execution, GroupKey, Limit};

    use super::*;

    #[test]
    fn a_query_that_was_dropped_and_occurs_again_is_not_compared() {
        let digest = || {
            let mut digest = Digest::new(Limit::Groups(8));
            for query in (0..20).chain([0, 0, 0]) {
                digest.add(&GroupKey::Query(query), &Execution { sql: b"SELECT 1", ..Execution::default() });
            }
            digest
        };
        let (before, after) = (digest(), digest());
        assert!(after.groups.contains_key(&0) && after.dropped.contains(&0));
        let compared: Vec<_> = compare(&before, &after).iter().filter_map(|query| query.fingerprint).collect();
        assert!(!compared.is_empty() && compared.iter().all(|query| !after.dropped.contains(query)), "{compared:?}");
    }
}
