//! The text report of `pgq digest`: a table as wide as the terminal, figures in columns and the
//! query wrapped beside them. It adds nothing to what `Report` has computed.

use std::io::Write;

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table, Width, presets};

use super::figures::{Style, TEXT, excerpt, hex};
use pgq_digest::report::{Report, Row, Sort};

/// Characters in a line where the output is not a terminal.
const DEFAULT_WIDTH: u16 = 120;

/// Characters of a query.
const QUERY_CHARACTERS: usize = 600;

/// Rows in the lists of errors and of queries that are gone.
const LIST_ROWS: usize = 10;

pub fn write(report: &Report, out: &mut Vec<u8>) {
    let width = terminal_size::terminal_size().map_or(DEFAULT_WIDTH, |(width, _)| width.0.max(60));
    summary(report, out);
    if !report.rows.is_empty() {
        let _ = writeln!(out, "\nqueries by {}\n", sort_label(report.sort));
        table(report, &report.rows, width, out);
    }
    if report.not_shown.groups > 0 {
        let rest = report.not_shown;
        let _ = writeln!(
            out,
            "\nand {} with {}, {}, {} (--top shows more)",
            TEXT.counted(rest.groups, "more query", "more queries"),
            TEXT.calls(rest.calls),
            TEXT.errors(rest.errors),
            TEXT.time(rest.total as f64)
        );
    }
    if !report.unparsed.is_empty() {
        let _ = writeln!(out, "\nstatements that do not parse\n");
        table(report, &report.unparsed, width, out);
    }
    for row in [&report.truncated, &report.other] {
        if row.group.calls + row.group.errors > 0 {
            let (calls, errors) = (TEXT.calls(row.group.calls), TEXT.errors(row.group.errors));
            let _ = writeln!(out, "\n{}: {calls}, {errors}, {}", row.title, TEXT.time(row.times.total as f64));
        }
    }
    errors(report, out);
    gone(report, out);
}

/// Statements, time and errors of the whole log, in one line.
pub fn totals_line(report: &Report, style: Style) -> String {
    let statements = style.counted(report.statements, "statement", "statements");
    format!("{statements}, {} in all, {}", style.time(report.total as f64), style.errors(report.errors))
}

/// What the rows are sorted by.
pub fn sort_label(sort: Sort) -> &'static str {
    match sort {
        Sort::Total => "total time",
        Sort::Count => "calls",
        Sort::Mean => "mean time",
        Sort::Max => "slowest call",
        Sort::P95 => "95th percentile",
        Sort::Errors => "errors",
    }
}

/// The totals, and the groups of statements that add up to them.
fn summary(report: &Report, out: &mut Vec<u8>) {
    let _ = writeln!(out, "{}", totals_line(report, TEXT));
    let queries = report.rows.len() as u64 + report.not_shown.groups;
    let of_queries: u64 = report.rows.iter().map(|row| row.group.calls).sum::<u64>() + report.not_shown.calls;
    let mut parts = vec![format!("{of_queries} of {}", TEXT.counted(queries, "query", "queries"))];
    for (count, what) in [
        (report.unparsed_calls(), "do not parse"),
        (report.truncated.group.calls, "cut by the log"),
        (report.other.group.calls, "of rare queries counted together"),
    ] {
        if count > 0 {
            parts.push(format!("{count} {what}"));
        }
    }
    let _ = writeln!(out, "they are: {}", parts.join(", "));
    if let (Some(first), Some(last)) = (&report.first, &report.last) {
        let _ = writeln!(out, "from {first} to {last}");
    }
    if report.has_baseline {
        let count = |name: &str| report.rows.iter().filter(|row| row.change.is_some_and(|c| c.name() == name)).count();
        let (new, slower, faster) = (count("new"), count("slower"), count("faster"));
        let _ = writeln!(
            out,
            "of the queries shown {new} are new, {slower} slower, {faster} faster; {} are gone",
            report.gone.len()
        );
    }
}

fn table(report: &Report, rows: &[Row], width: u16, out: &mut Vec<u8>) {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    let mut header = vec!["calls", "total", "share", "mean", "p95", "max", "errors", "query"];
    if report.has_baseline {
        header.insert(7, "before");
    }
    let query = header.len() - 1;
    table.set_header(header);
    for row in rows {
        let times = row.times;
        let mut cells = vec![
            row.group.calls.to_string(),
            TEXT.time(times.total as f64),
            TEXT.percent(row.share),
            TEXT.time(times.mean),
            TEXT.time(times.p95 as f64),
            TEXT.time(times.max as f64),
            row.group.errors.to_string(),
        ];
        if report.has_baseline {
            cells.push(row.change.map_or(String::new(), |change| match change.factor() {
                Some(factor) => format!("{} {}", change.name(), TEXT.factor(factor)),
                None => change.name().to_string(),
            }));
        }
        let fingerprint = row.fingerprint.map(|fingerprint| hex(fingerprint) + " ").unwrap_or_default();
        cells.push(format!("{fingerprint}{}", shortened(&row.title)));
        table.add_row(cells);
    }
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 1));
        if index < query {
            column.set_cell_alignment(CellAlignment::Right);
            column.set_constraint(ColumnConstraint::ContentWidth);
        } else {
            column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(20)));
        }
    }
    let _ = writeln!(out, "{}", table.trim_fmt());
}

/// The most frequent error messages of the rows that are shown.
fn errors(report: &Report, out: &mut Vec<u8>) {
    let mut messages: Vec<(u64, &str, &Row)> = Vec::new();
    for row in report.rows.iter().chain(&report.unparsed) {
        messages.extend(row.group.messages.iter().map(|(message, count)| (count, message, row)));
    }
    if messages.is_empty() {
        return;
    }
    messages.sort_by_key(|(count, message, _)| (std::cmp::Reverse(*count), *message));
    let _ = writeln!(out, "\nerrors\n");
    for (count, message, row) in messages.iter().take(LIST_ROWS) {
        let fingerprint = row.fingerprint.map(|fingerprint| hex(fingerprint) + ": ").unwrap_or_default();
        let _ = writeln!(out, "{count:>7}  {fingerprint}{}", crate::report::escaped(message));
    }
}

/// Queries of the baseline that did not run again.
fn gone(report: &Report, out: &mut Vec<u8>) {
    if report.gone.is_empty() {
        return;
    }
    let _ = writeln!(out, "\nqueries that are gone\n");
    for gone in report.gone.iter().take(LIST_ROWS) {
        let (fingerprint, query) = (hex(gone.fingerprint), shortened(&gone.query.normalized));
        let _ = writeln!(out, "{:>7}  {fingerprint} {query}", gone.query.calls);
    }
}

/// The start of a query, without characters that would act on the terminal.
fn shortened(query: &str) -> String {
    excerpt(&crate::report::escaped(query), QUERY_CHARACTERS).to_string()
}
