//! The end of the text report with a baseline. It shows the percentiles of slower and faster
//! queries, before and now. Then it lists the queries of the baseline that did not run again.

use std::io::Write;

use anstyle::{AnsiColor, Style};

use super::figures::{self, excerpt, hex};
use super::text_table::{self, Layout, TextRow};
use crate::run::report::escaped;
use pgq_digest::baseline::Change;
use pgq_digest::report::{Report, Row};

/// Maximum number of rows in a list.
const LIST_ROWS: usize = 10;

/// Maximum characters of a query.
const QUERY_CHARACTERS: usize = 600;

pub fn write(report: &Report, layout: Layout, out: &mut Vec<u8>) {
    latencies(report, layout, out);
    gone(report, out);
}

/// Writes the latencies of queries that became slower or faster.
fn latencies(report: &Report, layout: Layout, out: &mut Vec<u8>) {
    let has_changed = |row: &&Row| matches!(row.change, Some(Change::Slower(_) | Change::Faster(_)));
    let rows: Vec<TextRow> = report.rows.iter().filter(has_changed).take(LIST_ROWS).filter_map(text_row).collect();
    if rows.is_empty() {
        return;
    }
    let _ = writeln!(out, "\nlatencies before and now\n");
    text_table::write(&["p50 before", "now", "p95 before", "now", "p99 before", "now", "query"], &rows, layout, out);
}

fn text_row(row: &Row) -> Option<TextRow> {
    let (before, times) = (row.before.as_ref()?, row.times);
    let now = row.change.map_or(Style::new(), change_style);
    let pairs = before.percentiles.into_iter().zip([times.p50, times.p95, times.p99]);
    let figures = pairs
        .flat_map(|(before, after)| [(before, Style::new()), (after, now)])
        .map(|(micros, style)| (figures::time(micros as f64), style))
        .collect();
    Some(TextRow { figures, text: shortened(&row.title), is_sql: true })
}

/// Writes the queries of the baseline that did not run again.
fn gone(report: &Report, out: &mut Vec<u8>) {
    if report.gone.is_empty() {
        return;
    }
    let _ = writeln!(out, "\nqueries that are gone\n");
    for gone in report.gone.iter().take(LIST_ROWS) {
        let (fingerprint, query) = (hex(gone.fingerprint), shortened(&gone.query.normalized));
        let _ = writeln!(out, "{:>7}  {fingerprint} {query}", gone.query.calls);
    }
    if report.gone.len() > LIST_ROWS {
        let more = (report.gone.len() - LIST_ROWS) as u64;
        let _ = writeln!(out, "\nand {} (--format json has all)", figures::counted(more, "more query", "more queries"));
    }
}

pub fn change_style(change: Change) -> Style {
    match change {
        Change::New => AnsiColor::Yellow.on_default(),
        Change::Slower { .. } => AnsiColor::Red.on_default(),
        Change::Faster { .. } => AnsiColor::Green.on_default(),
        _ => Style::new(),
    }
}

/// Returns the start of a query, with control characters of terminals escaped.
pub fn shortened(query: &str) -> String {
    excerpt(&escaped(query), QUERY_CHARACTERS).to_string()
}
