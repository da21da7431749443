//! A query before and after the replay.

use std::cmp::Reverse;

use pgq_digest::{DescribeQuery, Digest, Group};

use crate::cmd::digest::QueryDescriber;

/// Figures of a query. Times are in microseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Figures {
    /// Executions that did not fail.
    pub calls: u64,
    pub errors: u64,
    /// Whether times are known. A log may lack them.
    pub has_times: bool,
    pub total: u64,
    pub mean: f64,
    pub p50: u64,
    pub p95: u64,
    pub p99: u64,
    pub max: u64,
}

impl Figures {
    fn new(group: Option<&Group>) -> Self {
        let Some(group) = group else { return Self::default() };
        let times = &group.durations;
        let count = times.count();
        Self {
            calls: group.calls,
            errors: group.errors,
            has_times: count > 0,
            total: times.sum(),
            mean: if count == 0 { 0.0 } else { times.sum() as f64 / count as f64 },
            p50: times.quantile(0.5),
            p95: times.quantile(0.95),
            p99: times.quantile(0.99),
            max: times.max(),
        }
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
    /// Returns the mean time as a multiple of the mean in the log, if both are known.
    pub fn factor(&self) -> Option<f64> {
        let known = self.before.has_times && self.after.has_times && self.before.mean > 0.0;
        known.then(|| self.after.mean / self.before.mean)
    }

    /// Returns the microseconds that the query's calls take longer than in the log.
    fn lost(&self) -> f64 {
        match self.factor() {
            Some(_) => (self.after.mean - self.before.mean) * self.after.calls as f64,
            None => 0.0,
        }
    }
}

/// Compares all queries, sorted by lost time.
pub fn compare(before: &Digest, after: &Digest) -> Vec<ComparedQuery> {
    let mut queries: Vec<_> = after
        .groups
        .iter()
        .map(|(fingerprint, group)| {
            let sql = group.example.as_ref().map(|example| example.sql()).unwrap_or_default();
            ComparedQuery {
                fingerprint: Some(*fingerprint),
                normalized: QueryDescriber.normalized(&sql),
                before: Figures::new(before.groups.get(fingerprint).map(|group| &**group)),
                after: Figures::new(Some(group)),
            }
        })
        .collect();
    let group_before = |reason| before.unparsed.iter().find(|(other, _)| *other == reason).map(|(_, kept)| &kept.sum);
    for (reason, kept) in after.unparsed.iter() {
        queries.push(ComparedQuery {
            fingerprint: None,
            normalized: format!("({reason})"),
            before: Figures::new(group_before(reason)),
            after: Figures::new(Some(&kept.sum)),
        });
    }
    queries.sort_by(|a, b| {
        let ties = |query: &ComparedQuery| (Reverse(query.after.calls), query.fingerprint);
        b.lost().total_cmp(&a.lost()).then_with(|| ties(a).cmp(&ties(b)))
    });
    queries
}
