//! Two bar charts: the ten queries with the most time, and the ten queries with the most calls. With `--top 5`, each
//! chart has only five bars. Both charts use the rows of the report, which contain the top queries of every sort order.

use maud::{Markup, html};

use super::super::figures;
use super::markup::{bar, duration, number};
use super::{queries, sql};
use pgq_digest::report::{Report, Row};

/// Maximum number of bars in a chart.
const MAX_BARS: usize = 10;

pub fn section(report: &Report) -> Markup {
    let rows = &report.rows;
    let bars = report.top.unwrap_or(MAX_BARS).min(MAX_BARS);
    html! {
        @if !rows.is_empty() {
            div .pair { "\n"
                (chart("time", "Most time", rows, bars, |row| row.times.total, time))
                (chart("calls", "Most calls", rows, bars, |row| row.group.calls, |row| number(row.group.calls)))
            } "\n"
        }
    }
}

fn time(row: &Row) -> Markup {
    html! { (duration(row.times.total as f64)) " " small { (figures::percent(row.share)) } }
}

fn chart(
    class: &str,
    name: &str,
    rows: &[Row],
    bars: usize,
    value: fn(&Row) -> u64,
    figure: fn(&Row) -> Markup,
) -> Markup {
    let mut rows: Vec<&Row> = rows.iter().filter(|row| value(row) > 0).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(value(row)));
    let highest = rows.first().map_or(1, |row| value(row));
    html! {
        section .{ "bars " (class) } #{ "most-" (class) } { "\n"
            h2 { (name) } "\n"
            ol { "\n"
                @for row in rows.into_iter().take(bars) {
                    li {
                        a href={ "#" (queries::id(row)) } { code { (sql::start(&row.title)) } }
                        span .figure { (figure(row)) }
                        (bar(value(row) as f64 / highest as f64 * 100.0, 6))
                    } "\n"
                }
            } "\n"
        } "\n"
    }
}
