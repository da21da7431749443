//! A digest as a table that fits the terminal: figures in columns, the query wrapped beside
//! them.

use std::io::Write;

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table, Width, presets};

use pgq_digest::report::{Report, Row, Sort};

/// Characters a line, where nobody says how many there are.
const WIDTH: u16 = 120;

/// Lines of one query that are shown, and characters.
const QUERY: usize = 600;

pub fn write(report: &Report, out: &mut Vec<u8>) {
    let width = terminal_size::terminal_size().map_or(WIDTH, |(width, _)| width.0.max(60));
    summary(report, out);
    if !report.rows.is_empty() {
        let _ = writeln!(out, "\nqueries by {}\n", by(report.sort));
        table(report, &report.rows, width, out);
    }
    if report.left_out.groups > 0 {
        let rest = report.left_out;
        let (groups, calls, total) = (rest.groups, rest.calls, duration(rest.total));
        let _ = writeln!(
            out,
            "\nand {} with {}, {}, {total} (--top shows more)",
            counted(groups, "more query", "more queries"),
            calls_of(calls),
            errors_of(rest.errors)
        );
    }
    if !report.unparsed.is_empty() {
        let _ = writeln!(out, "\nstatements that do not parse\n");
        table(report, &report.unparsed, width, out);
    }
    for row in [&report.truncated, &report.other] {
        if row.group.calls + row.group.errors > 0 {
            let total = duration(row.times.total);
            let (calls, errors) = (calls_of(row.group.calls), errors_of(row.group.errors));
            let _ = writeln!(out, "\n{}: {calls}, {errors}, {total}", row.title);
        }
    }
    errors(report, out);
    gone(report, out);
}

/// The word for so many.
pub fn plural<'a>(count: u64, one: &'a str, many: &'a str) -> &'a str {
    if count == 1 { one } else { many }
}

/// `1 call`, `2 calls`.
pub fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", plural(count, one, many))
}

pub fn calls_of(count: u64) -> String {
    counted(count, "call", "calls")
}

pub fn errors_of(count: u64) -> String {
    counted(count, "error", "errors")
}

/// The line of sums.
pub fn in_all(report: &Report) -> String {
    let statements = counted(report.statements, "statement", "statements");
    format!("{statements}, {} in all, {}", duration(report.total), errors_of(report.errors))
}

/// What the rows are sorted by, in words.
pub fn by(sort: Sort) -> &'static str {
    match sort {
        Sort::Total => "total time",
        Sort::Count => "calls",
        Sort::Mean => "mean time",
        Sort::Max => "slowest call",
        Sort::P95 => "95th percentile",
        Sort::Errors => "errors",
    }
}

/// What there is in all, and that it adds up.
fn summary(report: &Report, out: &mut Vec<u8>) {
    let _ = writeln!(out, "{}", in_all(report));
    let queries = report.rows.len() as u64 + report.left_out.groups;
    let of_queries: u64 = report.rows.iter().map(|row| row.group.calls).sum::<u64>() + report.left_out.calls;
    let mut parts = vec![format!("{of_queries} of {}", counted(queries, "query", "queries"))];
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
            duration(times.total),
            format!("{:.1}%", row.share * 100.0),
            duration(times.mean as u64),
            duration(times.p95),
            duration(times.max),
            row.group.errors.to_string(),
        ];
        if report.has_baseline {
            cells.push(row.change.map_or(String::new(), |change| match change.factor() {
                Some(factor) => format!("{} {factor:.1}x", change.name()),
                None => change.name().to_string(),
            }));
        }
        let fingerprint = row.fingerprint.map(|fp| format!("{fp:016x} ")).unwrap_or_default();
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

/// The most frequent messages of the errors of the rows that are shown.
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
    for (count, message, row) in messages.iter().take(10) {
        let of = row.fingerprint.map(|fp| format!("{fp:016x}: ")).unwrap_or_default();
        let _ = writeln!(out, "{count:>7}  {of}{}", crate::report::escaped(message));
    }
}

fn gone(report: &Report, out: &mut Vec<u8>) {
    if report.gone.is_empty() {
        return;
    }
    let _ = writeln!(out, "\nqueries that are gone\n");
    for gone in report.gone.iter().take(10) {
        let _ =
            writeln!(out, "{:>7}  {:016x} {}", gone.known.calls, gone.fingerprint, shortened(&gone.known.normalized));
    }
}

/// A query, cut where it is long.
fn shortened(query: &str) -> String {
    let query = crate::report::escaped(query);
    match query.char_indices().nth(QUERY) {
        Some((at, _)) => format!("{}…", &query[..at]),
        None => query,
    }
}

/// Microseconds in the unit that is easiest to read.
pub fn duration(micros: u64) -> String {
    let value = micros as f64;
    match micros {
        0 => "0".into(),
        1..=999 => format!("{micros} us"),
        1000..=999_999 => format!("{:.1} ms", value / 1e3),
        1_000_000..=59_999_999 => format!("{:.1} s", value / 1e6),
        60_000_000..=3_599_999_999 => format!("{:.1} min", value / 6e7),
        _ => format!("{:.1} h", value / 3.6e9),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn durations_have_units() {
        let shown = [0, 7, 1500, 2_500_000, 90_000_000, 7_200_000_000].map(super::duration);
        assert_eq!(shown, ["0", "7 us", "1.5 ms", "2.5 s", "1.5 min", "2.0 h"]);
    }
}
