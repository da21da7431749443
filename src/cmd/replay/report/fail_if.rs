//! `--fail-if`: conditions under which a replay has failed, such as `p95 > 1.5x`.

use std::str::FromStr;

use super::query::{ComparedQuery, ERRORS, METRICS};
use crate::cmd::args::milliseconds;

/// A condition. If any query fulfils it, the replay has failed.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// Position in [`METRICS`].
    pub metric: usize,
    /// Maximum time in milliseconds, or maximum number of errors. If `is_factor`, the limit is a multiple of the figure
    /// in the log: 1.5 for `p95 > 1.5x`.
    limit: f64,
    is_factor: bool,
    text: String,
}

const USAGE: &str = "write it as METRIC > LIMIT: mean, p50, p95, p99, max, total or errors; \
                     1.5x (times what it was), a time as 200ms, or a number of errors";

impl FromStr for Condition {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (metric, limit) = text.split_once('>').map(|(metric, limit)| (metric.trim(), limit.trim())).ok_or(USAGE)?;
        let metric = METRICS.iter().position(|name| *name == metric).ok_or(USAGE)?;
        let factor = limit.strip_suffix('x');
        let limit = match factor {
            None if metric != ERRORS => milliseconds(limit)?,
            _ => factor.unwrap_or(limit).trim().parse().map_err(|_| USAGE)?,
        };
        if !limit.is_finite() || limit < 0.0 {
            return Err(USAGE.into());
        }
        Ok(Self { metric, limit, is_factor: factor.is_some(), text: text.trim().to_string() })
    }
}

impl Condition {
    /// Returns a line for each query that fulfils the condition. If the limit is a factor, ignores queries for which
    /// the log has no figure.
    pub fn violations(&self, queries: &[ComparedQuery]) -> Vec<String> {
        let line = |query: &ComparedQuery| {
            let (before, after) = (query.before.metric(self.metric), query.after.metric(self.metric)?);
            let limit = if self.is_factor { before? * self.limit } else { self.limit };
            let show = |figure: Option<f64>| match figure {
                None => "unknown".to_string(),
                Some(count) if self.metric == ERRORS => format!("{count}"),
                Some(time) => format!("{time:.3} ms"),
            };
            let (text, shown, now) = (&self.text, show(before), show(Some(after)));
            (after > limit).then(|| format!("{text}: {shown} before, {now} now: {}", query.normalized))
        };
        queries.iter().filter_map(line).collect()
    }

    /// Returns a line if the condition cannot be judged for some queries, or if there are no queries. Ignores a query
    /// whose calls all failed in the log, because the log has no time to compare with.
    pub fn unjudged(&self, queries: &[ComparedQuery]) -> Option<String> {
        if queries.is_empty() {
            return Some(format!("{}: no statement was compared", self.text));
        }
        let is_unknown = |query: &&ComparedQuery| {
            let (before, after) = (query.before.metric(self.metric), query.after.metric(self.metric));
            self.is_factor && query.before.calls > 0 && before.is_none() && after.is_some()
        };
        let count = queries.iter().filter(is_unknown).count();
        let (text, all) = (&self.text, queries.len());
        let why = "the log lacks the durations of more than a tenth of their calls";
        (count > 0).then(|| format!("{text}: unknown for {count} of {all} queries, because {why}"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::query::Figures;
    use super::*;

    fn query([before, after]: [Option<f64>; 2], errors: u64) -> ComparedQuery {
        let figures = |time: Option<f64>, errors| Figures { calls: 1, errors, times: time.map(|time| [time; 6]) };
        let (before, after) = (figures(before, 0), figures(after, errors));
        ComparedQuery { fingerprint: Some(1), normalized: "SELECT $1".into(), before, after }
    }

    fn violations(condition: &str, times: [Option<f64>; 2], errors: u64) -> usize {
        condition.parse::<Condition>().unwrap().violations(&[query(times, errors)]).len()
    }

    #[test]
    fn conditions_compare_with_before_or_with_a_value() {
        assert_eq!(violations("p95 > 1.5x", [Some(1.0), Some(1.51)], 0), 1);
        assert_eq!(violations("p95 > 1.5x", [Some(1.0), Some(1.5)], 0), 0);
        assert_eq!(violations("p95>200us", [Some(0.1), Some(0.201)], 0), 1);
        assert_eq!(violations("p95 > 1.5x", [None, Some(1.0)], 0), 0, "no time before");
        assert_eq!(violations("errors > 0", [None, None], 1), 1);
        assert_eq!(violations("errors > 1x", [None, None], 1), 1);
        assert_eq!(violations("errors > 0", [None, None], 0), 0);
    }

    #[test]
    fn multiples_of_unknown_times_cannot_be_judged() {
        let unjudged = |condition: &str, queries: &[ComparedQuery]| {
            condition.parse::<Condition>().unwrap().unjudged(queries).is_some()
        };
        let unknown = [query([None, Some(1.0)], 0)];
        assert!(unjudged("p95 > 1.5x", &unknown) && unjudged("total > 1x", &unknown));
        assert!(!unjudged("p95 > 1 ms", &unknown) && !unjudged("errors > 1x", &unknown));
        assert!(!unjudged("p95 > 1.5x", &[query([None, None], 1)]), "it only failed");
        assert!(unjudged("errors > 0", &[]), "nothing was compared");
    }

    #[test]
    fn what_is_no_condition_is_refused() {
        for text in ["", "p95", "p95 > fast", "p96 > 1x", "p95 < 1x", "errors > 1 ms", "p95 > -1x"] {
            assert!(text.parse::<Condition>().is_err(), "{text}");
        }
    }
}
