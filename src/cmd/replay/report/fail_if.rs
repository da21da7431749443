//! `--fail-if`: conditions under which a replay has failed, such as `p95 > 1.5x`.

use std::str::FromStr;

use super::query::{ComparedQuery, Figures};
use crate::cmd::args::milliseconds;

/// The figure that a condition checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Metric {
    Mean,
    P50,
    P95,
    P99,
    Max,
    Total,
    Errors,
}

/// The limit of a figure.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Limit {
    /// Multiple of the figure in the log.
    Factor(f64),
    /// Microseconds or a number of errors.
    Value(f64),
}

/// A condition that no query may fulfil.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    metric: Metric,
    limit: Limit,
    text: String,
}

const USAGE: &str = "write it as METRIC > LIMIT: mean, p50, p95, p99, max, total or errors; \
                     1.5x (times what it was), a time as 200ms, or a number of errors";

impl FromStr for Condition {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (metric, limit) = text.split_once('>').ok_or(USAGE)?;
        let metric = match metric.trim() {
            "mean" => Metric::Mean,
            "p50" => Metric::P50,
            "p95" => Metric::P95,
            "p99" => Metric::P99,
            "max" => Metric::Max,
            "total" => Metric::Total,
            "errors" => Metric::Errors,
            _ => return Err(USAGE.into()),
        };
        let limit = limit.trim();
        let limit = match (limit.strip_suffix('x'), metric) {
            (Some(factor), _) => Limit::Factor(number(factor)?),
            (None, Metric::Errors) => Limit::Value(number(limit)?),
            (None, _) => Limit::Value(milliseconds(limit)? * 1000.0),
        };
        Ok(Self { metric, limit, text: text.trim().to_string() })
    }
}

fn number(text: &str) -> Result<f64, String> {
    let number: f64 = text.trim().parse().map_err(|_| USAGE)?;
    if number.is_finite() && number >= 0.0 { Ok(number) } else { Err(USAGE.into()) }
}

impl Metric {
    fn of(self, figures: &Figures) -> Option<f64> {
        if self == Self::Errors {
            return Some(figures.errors as f64);
        }
        let value = match self {
            Self::Mean => figures.mean,
            Self::P50 => figures.p50 as f64,
            Self::P95 => figures.p95 as f64,
            Self::P99 => figures.p99 as f64,
            Self::Max => figures.max as f64,
            Self::Total | Self::Errors => figures.total as f64,
        };
        figures.has_times.then_some(value)
    }
}

impl Condition {
    /// Returns a line for each query that fulfils the condition. A query without a figure in the log has no factor.
    pub fn violations(&self, queries: &[ComparedQuery]) -> Vec<String> {
        let violates = |query: &&ComparedQuery| {
            let Some(after) = self.metric.of(&query.after) else { return false };
            match self.limit {
                Limit::Value(limit) => after > limit,
                Limit::Factor(limit) => self.metric.of(&query.before).is_some_and(|before| after > before * limit),
            }
        };
        let line = |query: &ComparedQuery| {
            let show = |figures: &Figures| match (self.metric, self.metric.of(figures)) {
                (_, None) => "unknown".to_string(),
                (Metric::Errors, Some(count)) => format!("{count}"),
                (_, Some(micros)) => format!("{:.3} ms", micros / 1000.0),
            };
            format!("{}: {} before, {} now: {}", self.text, show(&query.before), show(&query.after), query.normalized)
        };
        queries.iter().filter(violates).map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(before: u64, after: u64, errors: u64) -> ComparedQuery {
        let figures = |p95, errors| Figures { calls: 1, errors, has_times: p95 > 0, p95, ..Figures::default() };
        let (before, after) = (figures(before, 0), figures(after, errors));
        ComparedQuery { fingerprint: Some(1), normalized: "SELECT $1".into(), before, after }
    }

    fn violations(condition: &str, query: ComparedQuery) -> usize {
        condition.parse::<Condition>().unwrap().violations(&[query]).len()
    }

    #[test]
    fn conditions_compare_with_before_or_with_a_value() {
        assert_eq!(violations("p95 > 1.5x", query(100, 151, 0)), 1);
        assert_eq!(violations("p95 > 1.5x", query(100, 150, 0)), 0);
        assert_eq!(violations("p95>200us", query(100, 201, 0)), 1);
        assert_eq!(violations("p95 > 1.5x", query(0, 150, 0)), 0, "no time before");
        assert_eq!(violations("errors > 0", query(1, 1, 1)), 1);
        assert_eq!(violations("errors > 1x", query(1, 1, 1)), 1);
        assert_eq!(violations("errors > 0", query(1, 1, 0)), 0);
    }

    #[test]
    fn what_is_no_condition_is_refused() {
        for text in ["", "p95", "p95 > fast", "p96 > 1x", "p95 < 1x", "errors > 1 ms", "p95 > -1x"] {
            assert!(text.parse::<Condition>().is_err(), "{text}");
        }
    }
}
