//! A digest as Markdown, for tickets and pages of a wiki.

use std::io::Write;

use super::text::{by, calls_of, counted, duration, errors_of, in_all};
use pgq_digest::report::{Report, Row};

pub fn write(report: &Report, out: &mut Vec<u8>) {
    let _ = writeln!(out, "# Queries by {}\n", by(report.sort));
    let _ = writeln!(out, "{}", in_all(report));
    if let (Some(first), Some(last)) = (&report.first, &report.last) {
        let _ = writeln!(out, "from {first} to {last}.");
    }
    let change = if report.has_baseline { " before |" } else { "" };
    let _ = writeln!(out, "\n| calls | total | share | mean | p95 | max | errors |{change} query |");
    let _ = writeln!(out, "|--:|--:|--:|--:|--:|--:|--:|{}:--|", if report.has_baseline { ":--|" } else { "" });
    report.rows.iter().for_each(|row| line(row, report.has_baseline, out));
    let rest = report.left_out;
    if rest.groups > 0 {
        let groups = counted(rest.groups, "more query", "more queries");
        let (calls, errors) = (calls_of(rest.calls), errors_of(rest.errors));
        let _ = writeln!(out, "\n{groups}: {calls}, {errors}, {}.", duration(rest.total));
    }
    for row in report.unparsed.iter().chain([&report.truncated, &report.other]) {
        if row.group.calls + row.group.errors > 0 {
            let (calls, errors) = (calls_of(row.group.calls), errors_of(row.group.errors));
            let _ = writeln!(out, "\n{}: {calls}, {errors}, {}.", cell(&row.title), duration(row.times.total));
        }
    }
    for gone in &report.gone {
        let _ = writeln!(out, "\nGone: {} of {}", calls_of(gone.known.calls), code(&gone.known.normalized));
    }
}

fn line(row: &Row, has_baseline: bool, out: &mut Vec<u8>) {
    let (group, times) = (&row.group, row.times);
    let change = row.change.map_or("", |change| change.name());
    let change = if has_baseline { format!(" {change} |") } else { String::new() };
    let _ = writeln!(
        out,
        "| {} | {} | {:.1}% | {} | {} | {} | {} |{change} {} |",
        group.calls,
        duration(times.total),
        row.share * 100.0,
        duration(times.mean as u64),
        duration(times.p95),
        duration(times.max),
        group.errors,
        code(&row.title)
    );
}

/// Text in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

/// SQL as code, whatever backticks are in it.
fn code(sql: &str) -> String {
    let longest = sql.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let ticks = "`".repeat(longest + 1);
    let pad = if longest > 0 { " " } else { "" };
    cell(&format!("{ticks}{pad}{sql}{pad}{ticks}"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn code_holds_backticks_and_bars() {
        assert_eq!(super::code("a || b"), "`a \\|\\| b`");
        assert_eq!(super::code("a `b`"), "`` a `b` ``");
    }
}
