//! The timeline: three charts with a shared axis, for calls, average active queries and errors. The script shows the
//! figures of the column under the pointer.

use maud::{Markup, html};
use pgq_digest::report::Report;

use super::chart::{Series, chart};
use super::columns::Columns;
use super::heatmap;
use super::parts::json;

/// A day in microseconds.
const DAY: i64 = 24 * 60 * 60 * 1_000_000;

/// Returns the microseconds from the first statement to the last.
pub fn span(report: &Report) -> Option<i64> {
    report.micros.map(|(first, last)| last - first)
}

/// Renders the charts and their data for the script.
pub fn section(report: &Report) -> Markup {
    let Some(columns) = Columns::new(report) else {
        return html! { p .none { "There is no timeline, because the times of the statements are unknown." } "\n" };
    };
    let ticks = columns.ticks();
    html! {
        div #timeline .timeline { "\n"
            (chart(Series::Calls, &columns, &ticks))
            (chart(Series::Active, &columns, &ticks))
            (chart(Series::Errors, &columns, &ticks))
            div .axis-x {
                svg width="100%" height="18" aria-hidden="true" {
                    @for tick in &ticks { text x=(tick.x) y="13" { (tick.label) } }
                }
            } "\n"
            @if columns.changes_offset {
                p .note { "The clocks changed during the log. All times of the charts are in UTC" (columns.offset()) ", as at its start." } "\n"
            } @else if span(report) > Some(DAY) {
                p .note { "All times of the charts are in UTC" (columns.offset()) ", as at the start of the log." } "\n"
            }
        } "\n"
        (json("timeline-data", &columns.script_data()))
        (heatmap::section(report, &columns))
    }
}
