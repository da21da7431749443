//! The figures of the queries beyond `--top`, as JSON without details. The script makes rows from the figures on
//! request, so a page with many thousands of queries loads quickly.

use maud::Markup;
use pgq_digest::ShortRow;
use pgq_digest::report::Report;
use serde::Serialize;

use super::super::figures::hex;
use super::parts::{Number, Numbers, Parts, json};
use crate::run::report::escaped;

/// Maximum number of queries without details. Further queries are only counted.
const MAX_ROWS: usize = 50_000;

/// A row. Its members are the fingerprint, the SQL, the figures in column order (times in milliseconds), the change in
/// words, the change as a factor, the results of [`Parts::by_name`] and [`Parts::by_slot`], and whether the log lacks
/// durations of the query.
#[derive(Serialize)]
struct ScriptRow(String, String, [Number; 9], Option<&'static str>, Option<f64>, Numbers, Numbers, bool);

impl ScriptRow {
    fn new(row: &ShortRow, total: u64, parts: &Parts<'_>) -> Self {
        let times = &row.times;
        let ms = |micros: u64| micros as f64 / 1000.0;
        let share = if total == 0 { 0.0 } else { times.total as f64 / total as f64 };
        let figures = [
            row.calls as f64,
            ms(times.total),
            (share * 1e6).round() / 1e6,
            (times.mean).round() / 1000.0,
            ms(times.p50),
            ms(times.p95),
            ms(times.p99),
            ms(times.max),
            row.errors as f64,
        ]
        .map(Number);
        let ellipsis = if row.cut { "…" } else { "" };
        let (change, factor) = (row.change.map(|change| change.name()), row.change.and_then(|change| change.factor()));
        let (by_name, by_slot) = (parts.by_name(&row.facets), parts.by_slot(row.timeline.iter()));
        let (sql, lacks_durations) = (format!("{}{ellipsis}", escaped(&row.title)), row.timed < row.calls);
        Self(hex(row.fingerprint), sql, figures, change, factor, by_name, by_slot, lacks_durations)
    }
}

/// Returns the queries that the page shows without details.
pub fn listed(report: &Report) -> &[ShortRow] {
    &report.short_rows[..report.short_rows.len().min(MAX_ROWS)]
}

/// Renders the data for the script. Returns empty markup if all queries have details.
pub fn data(report: &Report, parts: &Parts<'_>) -> Markup {
    let rows: Vec<ScriptRow> = listed(report).iter().map(|row| ScriptRow::new(row, report.total, parts)).collect();
    if rows.is_empty() {
        return Markup::default();
    }
    json("more-queries", &rows)
}
