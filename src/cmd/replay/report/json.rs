//! The report as one JSON document. Times are in milliseconds, as in the JSON of digest.

use serde_json::{Map, json};

use super::Comparison;
use crate::cmd::replay::step::Skip;

pub fn write(comparison: &Comparison<'_>, out: &mut Vec<u8>) {
    let results = comparison.results;
    let others = results.skipped.iter().filter(|(skip, _)| **skip != Skip::Write);
    let others: Map<_, _> = others.map(|(skip, count)| (skip.describe().to_string(), json!(count))).collect();
    let writes = results.skipped.get(&Skip::Write).unwrap_or(&0);
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
    document["not_sent"] = json!({ "writes": writes, "other": others });
    document["queries"] = queries.collect();
    document["failed"] = json!(comparison.failed);
    document["not_judged"] = json!(comparison.unjudged);
    serde_json::to_writer_pretty(&mut *out, &document).expect("memory takes everything");
    out.push(b'\n');
}
