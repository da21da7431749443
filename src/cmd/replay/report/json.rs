//! The report as one JSON document. Times are in milliseconds, as in the JSON of digest.

use serde_json::{Value, json};

use super::Comparison;
use super::query::Figures;
use crate::cmd::replay::run::ErrorChange;

pub fn write(comparison: &Comparison<'_>, out: &mut Vec<u8>) {
    let results = comparison.results;
    let errors = |change| -> Value {
        let found = results.errors.iter().filter(|((found, _), _)| *found == change);
        found.map(|((_, code), count)| (code.clone(), json!(count))).collect::<serde_json::Map<_, _>>().into()
    };
    let skipped: serde_json::Map<_, _> =
        results.skipped.iter().map(|(skip, count)| (skip.describe().to_string(), json!(count))).collect();
    let queries: Vec<Value> = comparison
        .queries
        .iter()
        .map(|query| {
            json!({
                "fingerprint": query.fingerprint.map(|fingerprint| format!("{fingerprint:016x}")),
                "normalized": query.normalized,
                "factor": query.factor(),
                "before": figures(&query.before),
                "after": figures(&query.after),
            })
        })
        .collect();
    let lag = |quantile| milliseconds(results.lag.value_at_quantile(quantile) as f64);
    let document = json!({
        "executed": results.executed,
        "seconds": results.time.as_secs_f64(),
        "sessions": results.sessions,
        "most_connections": results.most_connections,
        "lag_ms": { "p50": lag(0.5), "p95": lag(0.95), "p99": lag(0.99), "max": lag(1.0) },
        "errors": {
            "same": errors(ErrorChange::Same),
            "other": errors(ErrorChange::Other),
            "new": errors(ErrorChange::New),
            "gone": errors(ErrorChange::Gone),
        },
        "not_sent": { "writes": results.writes, "other": skipped },
        "replaced": results.replaced,
        "lost": results.lost,
        "given_up": results.given_up,
        "behind_error": results.behind_error,
        "waited_for_connection": results.waited,
        "reopened": results.reopened,
        "stopped_by_signal": results.stopped,
        "guessed_types": results.guessed,
        "connection_errors": results.connection_errors,
        "queries": queries,
        "failed": comparison.failed,
    });
    serde_json::to_writer_pretty(&mut *out, &document).expect("memory takes everything");
    out.push(b'\n');
}

fn figures(figures: &Figures) -> Value {
    let time = |micros: f64| figures.has_times.then(|| milliseconds(micros));
    json!({
        "calls": figures.calls,
        "errors": figures.errors,
        "total_ms": time(figures.total as f64),
        "mean_ms": time(figures.mean),
        "p50_ms": time(figures.p50 as f64),
        "p95_ms": time(figures.p95 as f64),
        "p99_ms": time(figures.p99 as f64),
        "max_ms": time(figures.max as f64),
    })
}

fn milliseconds(micros: f64) -> f64 {
    micros / 1000.0
}
