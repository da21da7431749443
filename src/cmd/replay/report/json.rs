//! The report as one JSON document. Times are in milliseconds, as in the JSON of digest.

use serde_json::{Map, json};

use super::Comparison;

pub fn write(comparison: &Comparison<'_>, out: &mut Vec<u8>) {
    let results = comparison.results;
    let skipped: Map<_, _> =
        results.skipped.iter().map(|(skip, count)| (skip.describe().to_string(), json!(count))).collect();
    let queries = comparison.queries.iter().map(|query| {
        json!({
            "fingerprint": query.fingerprint.map(|fingerprint| format!("{fingerprint:016x}")),
            "normalized": query.normalized,
            "factor": query.factor(),
            "before": query.before.to_json(),
            "after": query.after.to_json(),
        })
    });
    let lag = |quantile| results.times.lag.value_at_quantile(quantile) as f64 / 1000.0;
    let mut document = json!(results);
    document["seconds"] = json!(results.time.as_secs_f64());
    document["lag_ms"] = json!({ "p50": lag(0.5), "p95": lag(0.95), "p99": lag(0.99), "max": lag(1.0) });
    document["not_sent"] = json!({ "writes": results.writes, "other": skipped });
    document["queries"] = queries.collect();
    document["failed"] = json!(comparison.failed);
    serde_json::to_writer_pretty(&mut *out, &document).expect("memory takes everything");
    out.push(b'\n');
}
