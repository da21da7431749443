//! The header and the last section of the page. The header shows the period, the totals and the comparison with the
//! baseline. The last section is a table of the totals. Its rows are groups of statements, such as the listed queries,
//! the other queries, and statements that do not parse.

use maud::{Markup, html};

use super::super::figures;
use super::super::text::{changes, event_lists};
use super::PageSource;
use super::markup::{duration, number, table_head};
use super::timeline::span;
use pgq_digest::report::{Report, Row};
use pgq_digest::{Sum, Totals};

/// Maximum number of file names shown.
const FILES: usize = 5;

/// Returns the page's title. The browser shows the title on the tab and proposes it as a file name.
pub fn title(report: &Report, source: &PageSource) -> String {
    let name = source.title.clone().unwrap_or_else(|| "Query digest".into());
    match &report.first {
        Some(first) => format!("{name} from {first}"),
        None => name,
    }
}

pub fn head(report: &Report, source: &PageSource) -> Markup {
    html! {
        div .top { "\n"
            h1 { (source.title.as_deref().unwrap_or("Query digest")) } "\n"
            nav aria-label="Sections" {
                @if report.messages.iter().any(|row| row.key.severity.is_alarming()) { a href="#alarms" { "Alarms" } }
                a href="#queries" { "Queries" }
                a href="#messages" { "Errors" }
                @for list in event_lists(report) {
                    a href={ "#list-" (list.id) } {
                        (match list.id { "files" => "Files", "locks" => "Locks", _ => "Canceled" })
                    }
                }
                a href="#unparsed" { "Other statements" }
                a href="#sums" { "Totals" }
            } "\n"
            button #theme .quiet.needs-script type="button" hidden { "Dark" } "\n"
        } "\n"
        (period(report))
        (what_was_read(source))
        (tiles(report))
        @for note in &report.notes { p .note { "Note: " (note) "." } "\n" }
        @if report.has_baseline { (compared(report)) }
    }
}

fn period(report: &Report) -> Markup {
    html! {
        @if let (Some(first), Some(last)) = (&report.first, &report.last) {
            p .when {
                time { (first) } " to " time { (last) }
                @if let Some(micros) = span(report) { " " span { "(" (figures::time(micros as f64)) ")" } }
            } "\n"
        }
    }
}

/// Renders the input files and the filters.
fn what_was_read(source: &PageSource) -> Markup {
    let files = match source.files.as_slice() {
        [] => String::new(),
        files if files.len() <= FILES => files.join(", "),
        files => format!("{} and {} more files", files[..FILES].join(", "), files.len() - FILES),
    };
    html! {
        @if !files.is_empty() || !source.filters.is_empty() {
            p .source {
                "From " (if files.is_empty() { "the log" } else { files.as_str() })
                @if !source.filters.is_empty() { ", only: " (source.filters.join("; ")) }
            } "\n"
        }
    }
}

/// Renders the most important figures.
fn tiles(report: &Report) -> Markup {
    let tiles = [
        ("statements", "Statements", number(report.statements)),
        ("total", "Total time", duration(report.total as f64)),
        ("queries", "Distinct queries", number(report.distinct)),
        ("errors", "Errors", number(report.errors)),
    ];
    html! {
        dl .tiles { "\n"
            @for (id, name, figure) in &tiles {
                div #{ "all-" (id) } { dt { (name) } dd { (figure) } } "\n"
            }
        } "\n"
    }
}

/// Renders how many queries in the list are new, slower or faster, compared with the baseline.
fn compared(report: &Report) -> Markup {
    html! {
        p .compared {
            "Compared with the baseline, among the queries listed:"
            @for (name, count) in changes(report) {
                " " span .mark.(name) { (number(count as u64)) " " (name) }
            }
            @if !report.gone.is_empty() {
                "; and " a .mark.gone href="#gone" { (number(report.gone.len() as u64)) " gone" }
            }
        } "\n"
    }
}

/// Sums the figures of groups.
fn sum<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Totals {
    let mut totals = Totals::default();
    for row in rows {
        totals.merge(Totals { calls: row.group.calls, time: row.times.total, errors: row.group.errors });
    }
    totals
}

/// Renders the table of the totals. Its rows are groups of statements, such as the listed queries, the other queries,
/// and statements that do not parse. The last row is their sum.
pub fn totals(report: &Report) -> Markup {
    let rest = report.not_shown;
    let listed = figures::counted(report.rows.len() as u64, "query listed", "queries listed");
    let not_listed = match report.short_rows.is_empty() {
        true => figures::counted(rest.groups, "query not listed", "queries not listed"),
        false => figures::counted(rest.groups, "query without details", "queries without details"),
    };
    let rare = figures::counted(report.dropped, "rare query, beyond --max-memory", "rare queries, beyond --max-memory");
    let rows = [
        ("listed", listed, sum(&report.rows)),
        ("not-listed", not_listed, Totals { calls: rest.calls, time: rest.total, errors: rest.errors }),
        ("unparsed", "Statements that do not parse".into(), sum(&report.unparsed)),
        ("truncated", "Statements that the log truncated".into(), sum([&report.truncated])),
        ("other", rare, sum([&report.other])),
        ("stray", "Errors without a statement".into(), Totals { errors: report.stray_errors, ..Totals::default() }),
    ];
    let all = Totals { calls: report.statements, time: report.total, errors: report.errors };
    html! {
        section #sums { "\n"
            h2 { "Totals" } "\n"
            table .sums { "\n"
                (table_head(&["Group", "Calls", "Time", "Errors"]))
                tbody { "\n" @for (id, name, totals) in &rows { (totals_row(id, name, *totals)) } } "\n"
                tfoot { "\n" (totals_row("all", "All statements", all)) } "\n"
            } "\n"
        } "\n"
    }
}

fn totals_row(id: &str, name: &str, totals: Totals) -> Markup {
    html! {
        tr #{ "sum-" (id) } {
            th scope="row" { (name) }
            td { (number(totals.calls)) }
            td { (duration(totals.time as f64)) }
            td { (number(totals.errors)) }
        } "\n"
    }
}
