//! The queries that cost most, and those that were called most, as bars.

use super::markup::{duration, number, percent};
use super::{queries, sql};
use pgq_digest::report::{Report, Row};

/// Most bars.
const MOST: usize = 10;

pub fn section(report: &Report) -> String {
    if report.rows.is_empty() {
        return String::new();
    }
    let by_time = bars(
        "time",
        "Most time",
        &report.rows,
        |row| row.times.total,
        |row| {
            let share = format!(" <small>{}</small>", percent(row.share));
            duration(row.times.total as f64) + &share
        },
    );
    let by_calls = bars("calls", "Most calls", &report.rows, |row| row.group.calls, |row| number(row.group.calls));
    let note = match report.left_out.groups {
        0 => "",
        _ => "<p class=\"note\">Of the queries listed below.</p>\n",
    };
    format!("<div class=\"pair\">\n{by_time}{by_calls}</div>\n{note}")
}

fn bars(class: &str, name: &str, rows: &[Row], value: fn(&Row) -> u64, shown: fn(&Row) -> String) -> String {
    let mut rows: Vec<&Row> = rows.iter().filter(|row| value(row) > 0).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(value(row)));
    let highest = rows.first().map_or(1, |row| value(row));
    let mut out = format!("<section class=\"bars {class}\" id=\"most-{class}\">\n<h2>{name}</h2>\n<ol>\n");
    for row in rows.into_iter().take(MOST) {
        let width = value(row) as f64 / highest as f64 * 100.0;
        out += &format!(
            "<li><a href=\"#{}\"><code>{}</code></a><span class=\"figure\">{}</span>\
             <svg width=\"100%\" height=\"6\" aria-hidden=\"true\"><rect width=\"{width:.2}%\" height=\"6\"/></svg></li>\n",
            queries::id(row),
            sql::start(&row.title),
            shown(row),
        );
    }
    out + "</ol>\n</section>\n"
}
