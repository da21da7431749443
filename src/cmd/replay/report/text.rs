//! The text report: events of the run, and a table of queries.

use std::io::Write;

use comfy_table::{CellAlignment, Table, presets};

use super::Comparison;
use super::query::{ComparedQuery, METRICS};
use pgq_log::counted;

use crate::cmd::replay::run::Results;
use crate::cmd::replay::step::Skip;

/// Label for the number of executions without times.
pub const TIMED_OUT: &str = "statements ended by --statement-timeout, whose times are unknown";

/// Label for the number of queries without figures.
pub const NOT_COMPARED: &str = "queries not compared, because the figures of all queries need more than 128 MB";

/// Maximum characters of a query.
const QUERY_CHARACTERS: usize = 160;

pub fn write(comparison: &Comparison<'_>, top: usize, out: &mut Vec<u8>) {
    for line in events(comparison.results) {
        let _ = writeln!(out, "{line}");
    }
    let shown = &comparison.queries[..top.min(comparison.queries.len())];
    if !shown.is_empty() {
        let _ = writeln!(out, "\nqueries, sorted by the additional time that they took; times in ms, before -> now\n");
        table(shown, out);
    }
    let more = comparison.queries.len() - shown.len();
    if more > 0 {
        let _ = writeln!(out, "\nand {more} more (--top shows more)");
    }
    for (verdict, lines) in [("failed", &comparison.failed), ("not judged", &comparison.unjudged)] {
        lines.iter().for_each(|line| _ = writeln!(out, "\n{verdict}: {line}"));
    }
}

/// Returns the events of the run.
pub fn events(results: &Results) -> Vec<String> {
    let seconds = results.time.as_secs_f64();
    let Results { executed, sessions, most_connections, .. } = results;
    let rate = *executed as f64 / seconds.max(0.001);
    let mut lines = vec![format!(
        "{executed} statements executed in {seconds:.1} s ({rate:.0} a second), {sessions} sessions, at most \
         {most_connections} connections"
    )];
    if *executed > 0 {
        let [median, p99, most] = [0.5, 0.99, 1.0].map(|quantile| results.lag(quantile));
        lines.push(format!("sent late by: median {median:.3} ms, p99 {p99:.3} ms, at most {most:.3} ms"));
    }
    let errors = &results.errors;
    for (what, counts) in [
        ("failed, as in the log, with", &errors.same),
        ("failed in another way than in the log, with", &errors.other),
        ("failed that did not in the log, with", &errors.new),
        ("did not fail, and did in the log with", &errors.gone),
    ] {
        for (code, count) in counts {
            let code = if code.is_empty() { "an unknown SQLSTATE" } else { code };
            lines.push(format!("{} {what} {code}", counted(*count, "statements")));
        }
    }
    lines.extend(unexecuted(results));
    lines.extend(counts_of([
        ("statements that failed, perhaps because the log lacks the types of parameters", results.errors_without_types),
        ("executed statements with COPY FROM STDIN, without rows and not compared", results.copies_without_rows),
        ("statements replaced by pgq's own, or with names that only the log's server knows", results.replaced),
        (TIMED_OUT, results.timed_out),
        ("sessions waited for the end of an earlier session (--connections)", results.waited_for_connection),
        ("queries whose parameters got types guessed from their values", results.guessed_types as u64),
    ]));
    lines
}

/// Returns a line for each count that is not 0.
fn counts_of<const N: usize>(counts: [(&'static str, u64); N]) -> impl Iterator<Item = String> {
    counts.into_iter().filter(|(_, count)| *count > 0).map(|(what, count)| counted(count, what))
}

/// Returns how many statements were not executed, for each reason.
pub fn unexecuted(results: &Results) -> Vec<String> {
    let not_sent = |(skip, count): (&Skip, &u64)| format!("{} not sent: {skip}", counted(*count, "statements"));
    let mut lines: Vec<_> = results.skipped.iter().map(not_sent).collect();
    lines.extend(counts_of([
        ("statements under way when the connection ended", results.lost),
        ("statements not executed, because the session was given up", results.given_up),
        (NOT_COMPARED, results.times.before.dropped.union(&results.times.after.dropped).count() as u64),
        ("tables whose row-level security may hide rows from the role of the replay", results.tables_with_hidden_rows),
    ]));
    lines.extend(results.stopped_by_signal.map(|_| "the run was stopped by a signal".into()));
    if results.ended_early {
        lines.push("the run ended early: later statements of the log were not executed and are not counted".into());
    }
    for (error, count) in &results.connection_errors {
        lines.push(format!("{count} times: {}", error.replace('\n', "; ")));
        if error.contains("SQLSTATE 53300") {
            let most = (results.most_connections * 4 / 5).max(1);
            let option = format!("--connections {most} lets sessions wait for one");
            lines.push(format!("the server takes no more connections: {option}"));
        }
    }
    lines
}

fn table(queries: &[ComparedQuery], out: &mut Vec<u8>) {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(["change", "calls", "errors", METRICS[0], METRICS[1], METRICS[2], METRICS[3], "query"]);
    for query in queries {
        let (before, after) = (&query.before, &query.after);
        let show = |time: Option<f64>| time.map_or("-".to_string(), |time| format!("{time:.3}"));
        let times = (0..4).map(|at| format!("{} -> {}", show(before.metric(at)), show(after.metric(at))));
        let first = [
            query.factor().map_or("-".to_string(), |factor| format!("{factor:.2}x")),
            counts(before.calls, after.calls),
            counts(before.errors, after.errors),
        ];
        let sql = query.normalized.chars().take(QUERY_CHARACTERS).collect();
        table.add_row(first.into_iter().chain(times).chain([sql]));
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
