//! Reports of a replay. A report shows the events of the run, and the figures of each query in the log and in the
//! replay.

pub(super) mod fail_if;
mod query;
mod text;

pub use self::text::unexecuted;

use pgq_log::counted;
use serde_json::json;

use self::fail_if::Condition;
use self::query::{ComparedQuery, ERRORS, compare};
use self::text::{NOT_COMPARED, TIMED_OUT};
use super::args::ReportFormat;
use super::run::Results;

/// A run compared with its log.
pub struct Comparison<'a> {
    pub results: &'a Results,
    /// The queries, sorted by the additional time that they took in the replay.
    pub queries: Vec<ComparedQuery>,
    /// Lines about violated `--fail-if` conditions.
    pub failed: Vec<String>,
    /// Lines about `--fail-if` conditions that could not be judged.
    pub unjudged: Vec<String>,
}

impl<'a> Comparison<'a> {
    /// Compares each query's figures in the log with those in the replay.
    pub fn new(results: &'a Results, conditions: &[Condition]) -> Self {
        let (before, after) = (&results.times.before, &results.times.after);
        let queries = compare(before, after);
        let failed = conditions.iter().flat_map(|condition| condition.violations(&queries)).collect();
        let mut unjudged: Vec<_> = conditions.iter().filter_map(|condition| condition.unjudged(&queries)).collect();
        let lacks_queries = !conditions.is_empty() && before.dropped.len() + after.dropped.len() > 0;
        unjudged.extend(lacks_queries.then(|| NOT_COMPARED.into()));
        let lacks_times = results.timed_out > 0 && conditions.iter().any(|condition| condition.metric != ERRORS);
        unjudged.extend(lacks_times.then(|| counted(results.timed_out, TIMED_OUT)));
        Self { results, queries, failed, unjudged }
    }

    /// Appends the report.
    pub fn write(&self, format: ReportFormat, top: usize, out: &mut Vec<u8>) {
        match format {
            ReportFormat::Text => text::write(self, top, out),
            ReportFormat::Json => write_json(self, out),
        }
    }
}

/// Appends the report as one JSON document. Times are in milliseconds, as in the JSON of digest.
fn write_json(comparison: &Comparison<'_>, out: &mut Vec<u8>) {
    let results = comparison.results;
    let queries = comparison.queries.iter().map(|query| {
        json!({
            "fingerprint": query.fingerprint.map(|fingerprint| format!("{fingerprint:016x}")),
            "normalized": query.normalized,
            "factor": query.factor(),
            "before": query.before.to_json(),
            "after": query.after.to_json(),
        })
    });
    let mut document = json!(results);
    document["seconds"] = json!(results.time.as_secs_f64());
    document["lag_ms"] =
        json!({ "p50": results.lag(0.5), "p95": results.lag(0.95), "p99": results.lag(0.99), "max": results.lag(1.0) });
    document["not_sent"] = results.skipped.iter().map(|(skip, count)| (skip.to_string(), json!(count))).collect();
    document["queries"] = queries.collect();
    document["failed"] = json!(comparison.failed);
    document["not_judged"] = json!(comparison.unjudged);
    serde_json::to_writer_pretty(&mut *out, &document).expect("memory takes everything");
    out.push(b'\n');
}
