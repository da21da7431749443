//! The text report: events of the run, and a table of queries.

use std::io::Write;

use comfy_table::{CellAlignment, Table, presets};
use pgq_log::counted;

use super::Comparison;
use super::query::ComparedQuery;
use crate::cmd::replay::run::{ErrorChange, Results};

/// Maximum characters of a query.
const QUERY_CHARACTERS: usize = 160;

pub fn write(comparison: &Comparison<'_>, top: usize, out: &mut Vec<u8>) {
    events(comparison.results, out);
    let shown = &comparison.queries[..top.min(comparison.queries.len())];
    if !shown.is_empty() {
        let _ = writeln!(out, "\nqueries, those that lost the most time first; times in ms, before -> now\n");
        table(shown, out);
    }
    let more = comparison.queries.len() - shown.len();
    if more > 0 {
        let _ = writeln!(out, "\nand {more} more (--top shows more)");
    }
    for line in &comparison.failed {
        let _ = writeln!(out, "\nfailed: {line}");
    }
}

/// Writes the events of the run, one per line.
fn events(results: &Results, out: &mut Vec<u8>) {
    let seconds = results.time.as_secs_f64();
    let mut line = |text: String| {
        let _ = writeln!(out, "{text}");
    };
    line(format!(
        "{} executed in {seconds:.1} s ({:.0} a second), {}, at most {}",
        counted(results.executed, "statements"),
        results.executed as f64 / seconds.max(0.001),
        counted(results.sessions, "sessions"),
        counted(results.most_connections as u64, "connections"),
    ));
    let lag = |quantile| results.lag.value_at_quantile(quantile) as f64 / 1000.0;
    if results.executed > 0 {
        line(format!(
            "sent late by: median {:.3} ms, p99 {:.3} ms, at most {:.3} ms",
            lag(0.5),
            lag(0.99),
            results.lag.max() as f64 / 1000.0
        ));
    }
    for ((change, code), count) in &results.errors {
        let what = match change {
            ErrorChange::Same => "failed, as in the log, with",
            ErrorChange::Other => "failed in another way than in the log, with",
            ErrorChange::New => "failed that did not in the log, with",
            ErrorChange::Gone => "did not fail, and did in the log with",
        };
        let code = if code.is_empty() { "an unknown SQLSTATE" } else { code };
        line(format!("{} {what} {code}", counted(*count, "statements")));
    }
    if results.writes > 0 {
        let statements = counted(results.writes, "statements");
        line(format!("{statements} not executed: they write, or may (--writes executes them)"));
    }
    for (skip, count) in &results.skipped {
        line(format!("{} not sent: {}", counted(*count, "statements"), skip.describe()));
    }
    for (text, count) in [
        ("statements of transactions and encodings, for which pgq sent its own", results.replaced),
        ("statements under way when their connection was lost", results.lost),
        ("statements not executed, because their session was given up", results.given_up),
        ("statements not executed, because one before them failed (--on-error end-session)", results.behind_error),
        ("sessions waited until one before them had ended (--connections)", results.waited),
        ("connections opened again", results.reopened),
        ("queries whose parameters got types guessed from their values", results.guessed as u64),
    ] {
        if count > 0 {
            line(counted(count, text));
        }
    }
    if results.stopped.is_some() {
        line(format!(
            "the run was stopped by a signal{}",
            if results.has_unread { ", before the plan's end" } else { "" }
        ));
    }
    for (error, count) in &results.connection_errors {
        line(format!("{}: {}", counted(*count, "times"), error.replace('\n', "; ")));
        if error.contains("SQLSTATE 53300") {
            line(format!(
                "  the server takes no more connections: --connections {} lets sessions wait for one",
                (results.most_connections * 4 / 5).max(1)
            ));
        }
    }
}

fn table(queries: &[ComparedQuery], out: &mut Vec<u8>) {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(["change", "calls", "errors", "mean", "p50", "p95", "p99", "query"]);
    for query in queries {
        let (before, after) = (&query.before, &query.after);
        let times = |before_value: f64, after_value: f64| {
            let show = |known, micros: f64| if known { format!("{:.3}", micros / 1000.0) } else { "-".to_string() };
            format!("{} -> {}", show(before.has_times, before_value), show(after.has_times, after_value))
        };
        table.add_row([
            query.factor().map_or("-".to_string(), |factor| format!("{factor:.2}x")),
            counts(before.calls, after.calls),
            counts(before.errors, after.errors),
            times(before.mean, after.mean),
            times(before.p50 as f64, after.p50 as f64),
            times(before.p95 as f64, after.p95 as f64),
            times(before.p99 as f64, after.p99 as f64),
            query.normalized.chars().take(QUERY_CHARACTERS).collect(),
        ]);
    }
    for column in table.column_iter_mut().take(7) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    for line in table.lines() {
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

fn counts(before: u64, after: u64) -> String {
    if before == after { after.to_string() } else { format!("{before} -> {after}") }
}
