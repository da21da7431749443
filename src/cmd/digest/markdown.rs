//! The Markdown report of `pgq digest`, for tickets and wikis. A table of queries, then a line for
//! each other group.

use std::io::Write;

use super::figures;
use super::text::{LIST_ROWS, event_lists, queries_line, sort_label, totals_line};
use pgq_digest::report::{Report, Row};

pub fn write(report: &Report, out: &mut Vec<u8>) {
    let _ = writeln!(out, "# Queries by {}\n", sort_label(report.sort));
    let _ = writeln!(out, "{}, {}", totals_line(report), queries_line(report));
    if let (Some(first), Some(last)) = (&report.first, &report.last) {
        let _ = writeln!(out, "from {first} to {last}.");
    }
    let change = if report.has_baseline { " before |" } else { "" };
    let _ = writeln!(out, "\n| calls | total | share | mean | p95 | max | errors |{change} query |");
    let _ = writeln!(out, "|--:|--:|--:|--:|--:|--:|--:|{}:--|", if report.has_baseline { ":--|" } else { "" });
    report.rows.iter().for_each(|row| row_line(row, report.has_baseline, out));
    let rest = report.not_shown;
    if rest.groups > 0 {
        let groups = figures::counted(rest.groups, "more query", "more queries");
        let (calls, errors) = (figures::calls(rest.calls), figures::errors(rest.errors));
        let _ = writeln!(out, "\n{groups}: {calls}, {errors}, {}.", figures::time(rest.total as f64));
    }
    for row in report.unparsed.iter().chain([&report.truncated, &report.other]) {
        if row.group.calls + row.group.errors > 0 {
            let (calls, errors) = (figures::calls(row.group.calls), figures::errors(row.group.errors));
            let total = figures::time(row.times.total as f64);
            let _ = writeln!(out, "\n{}: {calls}, {errors}, {total}.", cell(&row.title));
        }
    }
    if !report.error_kinds.is_empty() {
        let _ = writeln!(out, "\n| errors | SQLSTATE | message |\n|--:|:--|:--|");
        for row in report.error_kinds.iter().take(LIST_ROWS) {
            let _ = writeln!(out, "| {} | {} | {} |", figures::count(row.count), row.sqlstate, cell(&row.message));
        }
    }
    for list in event_lists(report) {
        let _ = writeln!(out, "\n{}:\n", cell(&list.title));
        for (figure, row) in &list.rows {
            let _ = writeln!(out, "- {figure}: {}", code(&row.title));
        }
    }
    for gone in &report.gone {
        let _ = writeln!(out, "\nGone: {} of {}", figures::calls(gone.query.calls), code(&gone.query.normalized));
    }
}

fn row_line(row: &Row, has_baseline: bool, out: &mut Vec<u8>) {
    let (group, times) = (&row.group, row.times);
    let change = row.change.map_or("", |change| change.name());
    let change = if has_baseline { format!(" {change} |") } else { String::new() };
    let _ = writeln!(
        out,
        "| {} | {} | {} | {} | {} | {} | {} |{change} {} |",
        figures::count(group.calls),
        figures::time(times.total as f64),
        figures::percent(row.share),
        figures::time(times.mean),
        figures::time(times.p95 as f64),
        figures::time(times.max as f64),
        figures::count(group.errors),
        code(&row.title)
    );
}

/// Text for a cell of a table: bars are escaped, line breaks become spaces.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

/// SQL as code: between more backticks than stand together in it.
fn code(sql: &str) -> String {
    let longest = sql.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let ticks = "`".repeat(longest + 1);
    let pad = if longest > 0 { " " } else { "" };
    cell(&format!("{ticks}{pad}{sql}{pad}{ticks}"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn code_keeps_backticks_and_bars() {
        assert_eq!(super::code("a || b"), "`a \\|\\| b`");
        assert_eq!(super::code("a `b`"), "`` a `b` ``");
    }
}
