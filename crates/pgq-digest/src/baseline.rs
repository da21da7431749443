//! Compares a digest with an earlier digest. Finds new, missing, slower and faster queries.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::describe::DescribeQuery;
use crate::digest::{Digest, Groups, Limit};
use crate::durations::DurationSummary;
use crate::group::{Group, lacks_durations};
use crate::rewrite::Rewrite;
use crate::state::{StateError, decode_each};

/// A query counts as slower or faster if its mean rose or fell by at least this factor.
const FACTOR: f64 = 1.5;

/// Precision of the durations in a log, in microseconds. A comparison divides one mean duration by another. If a mean
/// is smaller than this value, for example 0, the comparison uses this value instead.
const PRECISION: f64 = 1.0;

/// Memory limit of the digest that is read from a state (an encoded digest): 1 GiB. Beyond the limit, reading drops
/// groups. The limit of the digest that was encoded is usually much lower, so reading usually drops no group.
const LIMIT: Limit = Limit::Bytes(1 << 30);

/// The queries of an earlier digest, by fingerprint.
#[derive(Debug, Default)]
pub struct Baseline {
    queries: BTreeMap<u64, BaselineQuery>,
    /// Number of queries that the earlier digest dropped because of its limit.
    dropped: u64,
}

/// A query of an earlier digest.
#[derive(Debug, Clone, PartialEq)]
pub struct BaselineQuery {
    /// Number of executions.
    pub calls: u64,
    /// Upper bound of the number of executions that are missing in `calls`. Usually 0. Executions may be missing if the
    /// earlier digest dropped the query's group because of its limit, and created the group again later.
    pub missing: u64,
    /// Number of executions whose duration is known.
    pub timed: u64,
    /// Mean duration in microseconds, 0 if the query has no durations.
    pub mean: f64,
    /// 50th, 95th and 99th percentile of the durations, in microseconds.
    pub percentiles: [u64; 3],
    /// The query with `$n` in place of constants.
    pub normalized: String,
}

/// Comparison of a query with the baseline.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Change {
    /// The baseline lacks the query.
    New,
    /// The mean duration rose by this factor. The factor is at least 1.5.
    Slower(f64),
    /// The mean duration fell to this fraction of its earlier value. The fraction is at most two thirds.
    Faster(f64),
    /// The new mean divided by the baseline's mean. A ratio from two thirds to 1.5 counts as unchanged.
    Unchanged(f64),
    /// The change is unknown. In at least one of the two digests, more than a tenth of the query's calls are missing or
    /// have no duration, so the mean of the other calls may differ from the mean of all calls.
    Unknown,
}

impl Change {
    /// Returns the name of the change.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Slower(_) => "slower",
            Self::Faster(_) => "faster",
            Self::Unchanged(_) => "same",
            Self::Unknown => "unknown",
        }
    }

    /// Returns the new mean divided by the baseline's mean, if both are known.
    #[must_use]
    pub fn factor(self) -> Option<f64> {
        match self {
            Self::New | Self::Unknown => None,
            Self::Slower(factor) | Self::Faster(factor) | Self::Unchanged(factor) => Some(factor),
        }
    }
}

/// A query of the baseline that was not executed again.
#[derive(Debug, Clone, PartialEq)]
pub struct GoneQuery {
    /// Fingerprint of the query.
    pub fingerprint: u64,
    /// The query in the baseline.
    pub query: BaselineQuery,
}

/// An error that occurs when a baseline is read. The messages continue a sentence that starts with the file name.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// JSON with a different structure.
    #[error("is not a document of pgq digest --format json: {0}")]
    Json(#[from] serde_json::Error),
    /// A JSON document that lacks this number of queries, because `--top` left them out.
    #[error("lacks {0} of its queries, because --top left them out")]
    Cut(u64),
    /// A fingerprint that is not a hexadecimal number, or its first 20 characters.
    #[error("contains an invalid fingerprint: {0:?}")]
    Fingerprint(String),
    /// Bytes that are neither JSON nor a state.
    #[error("is neither a document nor a state of pgq digest")]
    UnknownFormat,
    /// A state that cannot be read.
    #[error(transparent)]
    State(StateError),
}

/// The members that a baseline needs from the output of `pgq digest --format json`.
#[derive(Deserialize)]
struct JsonDigest {
    groups: Vec<JsonGroup>,
    not_shown: NotShown,
    other_groups_dropped: u64,
}

#[derive(Deserialize)]
struct NotShown {
    groups: u64,
}

#[derive(Deserialize)]
struct JsonGroup {
    fingerprint: String,
    normalized: String,
    calls: u64,
    #[serde(default)]
    missing_at_most: u64,
    mean_ms: f64,
    p50_ms: f64,
    p95_ms: f64,
    p99_ms: f64,
    histogram: Vec<(f64, u64)>,
}

impl Baseline {
    /// Reads a baseline from the output of `pgq digest`, which is either JSON or a state (an encoded digest). The SQL
    /// and the other texts of a state may contain secrets. Therefore `with` replaces these texts.
    ///
    /// Returns an error if the bytes are damaged or in another format, or if the JSON lacks queries.
    pub fn read(bytes: &[u8], describe: &dyn DescribeQuery, with: &dyn Rewrite) -> Result<Self, BaselineError> {
        if bytes.trim_ascii_start().starts_with(b"{") {
            let digest: JsonDigest = serde_json::from_slice(bytes)?;
            if digest.not_shown.groups > 0 {
                return Err(BaselineError::Cut(digest.not_shown.groups));
            }
            let queries = digest.groups.into_iter().map(JsonGroup::into_query).collect::<Result<_, _>>()?;
            return Ok(Self { queries, dropped: digest.other_groups_dropped });
        }
        let mut digest = Digest::new(LIMIT);
        decode_each(bytes, LIMIT, |part| digest.merge(part)).map_err(|error| match error {
            StateError::NotAState => BaselineError::UnknownFormat,
            error => BaselineError::State(error),
        })?;
        digest.rewrite(with);
        Ok(Self::new(&digest, describe))
    }

    /// Creates a baseline from a digest.
    #[must_use]
    pub fn new(digest: &Digest, describe: &dyn DescribeQuery) -> Self {
        let queries = digest.groups.iter();
        let queries = queries.map(|(fingerprint, group)| (*fingerprint, BaselineQuery::new(group, describe)));
        let dropped = digest.distinct_queries() - digest.groups.len() as u64;
        Self { queries: queries.collect(), dropped }
    }

    /// Returns the number of queries that the earlier digest dropped because of its limit.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Whether any query has a duration.
    #[must_use]
    pub fn has_durations(&self) -> bool {
        self.queries.values().any(|query| query.timed > 0)
    }

    /// Returns a query of the baseline by its fingerprint.
    #[must_use]
    pub fn query(&self, fingerprint: u64) -> Option<&BaselineQuery> {
        self.queries.get(&fingerprint)
    }

    /// Compares a query with the baseline. `durations` is the summary of the group's durations.
    #[must_use]
    pub fn change(&self, fingerprint: u64, group: &Group, durations: &DurationSummary) -> Change {
        let Some(query) = self.queries.get(&fingerprint) else { return Change::New };
        if lacks_durations(query.calls, query.missing, query.timed) || group.lacks_durations() {
            return Change::Unknown;
        }
        let (now, before) = (durations.mean.max(PRECISION), query.mean.max(PRECISION));
        // Rounds the factor, so that it does not depend on the source of the baseline: the last digits of a mean differ
        // between JSON, a state (an encoded digest) and a log.
        let rounded = |factor: f64| (factor * 1e9).round() / 1e9;
        match rounded(now / before) {
            factor if factor >= FACTOR => Change::Slower(factor),
            factor if rounded(before / now) >= FACTOR => Change::Faster(factor),
            factor => Change::Unchanged(factor),
        }
    }

    /// Returns the queries of the baseline that are not in `groups`, most calls first.
    #[must_use]
    pub fn gone(&self, groups: &Groups) -> Vec<GoneQuery> {
        let gone = self.queries.iter().filter(|(fingerprint, _)| !groups.contains_key(*fingerprint));
        let mut gone: Vec<GoneQuery> =
            gone.map(|(fingerprint, query)| GoneQuery { fingerprint: *fingerprint, query: query.clone() }).collect();
        gone.sort_by_key(|gone| std::cmp::Reverse(gone.query.calls));
        gone
    }
}

impl JsonGroup {
    fn into_query(self) -> Result<(u64, BaselineQuery), BaselineError> {
        let fingerprint = u64::from_str_radix(&self.fingerprint, 16)
            .map_err(|_| BaselineError::Fingerprint(self.fingerprint.chars().take(20).collect()))?;
        let micros = |ms: f64| (ms * 1000.0).round() as u64;
        let query = BaselineQuery {
            calls: self.calls,
            missing: self.missing_at_most,
            timed: self.histogram.iter().fold(0, |sum, (_, count)| sum.saturating_add(*count)),
            mean: self.mean_ms * 1000.0,
            percentiles: [self.p50_ms, self.p95_ms, self.p99_ms].map(micros),
            normalized: self.normalized,
        };
        Ok((fingerprint, query))
    }
}

impl BaselineQuery {
    fn new(group: &Group, describe: &dyn DescribeQuery) -> Self {
        let times = DurationSummary::new(&group.durations);
        let sql = group.example.as_ref().map(|example| example.sql()).unwrap_or_default();
        Self {
            calls: group.calls,
            missing: group.missing,
            timed: group.durations.count(),
            mean: times.mean,
            percentiles: [times.p50, times.p95, times.p99],
            normalized: describe.normalized(&sql),
        }
    }
}
