//! The report as CSV, with a row for each query. Times are in milliseconds.

use super::Comparison;
use super::query::Figures;

const FIGURES: [&str; 8] = ["calls", "errors", "total_ms", "mean_ms", "p50_ms", "p95_ms", "p99_ms", "max_ms"];

pub fn write(comparison: &Comparison<'_>, out: &mut Vec<u8>) {
    let mut writer = csv::Writer::from_writer(out);
    let named = |prefix: &'static str| FIGURES.map(move |name| format!("{prefix}_{name}"));
    let header = ["fingerprint", "factor"].map(String::from).into_iter();
    let header = header.chain(named("before")).chain(named("after")).chain(["normalized".to_string()]);
    writer.write_record(header).expect("memory takes everything");
    for query in &comparison.queries {
        let first = [
            query.fingerprint.map(|fingerprint| format!("{fingerprint:016x}")).unwrap_or_default(),
            query.factor().map(|factor| format!("{factor:.4}")).unwrap_or_default(),
        ];
        let row = first.into_iter().chain(values(&query.before)).chain(values(&query.after));
        writer.write_record(row.chain([query.normalized.clone()])).expect("memory takes everything");
    }
    writer.flush().expect("memory takes everything");
}

fn values(figures: &Figures) -> [String; 8] {
    let time = |micros: f64| if figures.has_times { format!("{:.3}", micros / 1000.0) } else { String::new() };
    [
        figures.calls.to_string(),
        figures.errors.to_string(),
        time(figures.total as f64),
        time(figures.mean),
        time(figures.p50 as f64),
        time(figures.p95 as f64),
        time(figures.p99 as f64),
        time(figures.max as f64),
    ]
}
