//! The first and last section of the page. The first shows the period, the totals and the comparison with the baseline.
//! The last lists the groups of statements that add up to the totals.

use maud::{Markup, html};

use super::super::figures;
use super::super::text::event_lists;
use super::PageSource;
use super::markup::{duration, number, table_head};
use super::timeline::span;
use pgq_digest::report::{Report, Row};

/// Maximum number of file names shown.
const FILES: usize = 5;

/// Returns the page's title, for a tab or a file name.
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
    let count = |name: &str| report.rows.iter().filter(|row| row.change.is_some_and(|c| c.name() == name)).count();
    html! {
        p .compared {
            "Compared with the baseline, among the queries listed:"
            @for name in ["new", "slower", "faster"] {
                " " span .mark.(name) { (number(count(name) as u64)) " " (name) }
            }
            "; and " a .mark.gone href="#gone" { (number(report.gone.len() as u64)) " gone" }
        } "\n"
    }
}

/// Sums for one row of the table of totals.
#[derive(Clone, Copy, Default)]
struct Totals {
    calls: u64,
    micros: u64,
    errors: u64,
}

impl Totals {
    fn of<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Self {
        rows.into_iter().fold(Self::default(), |all, row| Self {
            calls: all.calls.saturating_add(row.group.calls),
            micros: all.micros.saturating_add(row.times.total),
            errors: all.errors.saturating_add(row.group.errors),
        })
    }
}

/// Renders the groups that add up to all statements, errors and time.
pub fn totals(report: &Report) -> Markup {
    let rest = report.not_shown;
    let listed = figures::counted(report.rows.len() as u64, "query listed", "queries listed");
    let not_listed = match report.short_rows.is_empty() {
        true => figures::counted(rest.groups, "query not listed", "queries not listed"),
        false => figures::counted(rest.groups, "query without details", "queries without details"),
    };
    let rare = figures::counted(report.dropped, "rare query, beyond --max-memory", "rare queries, beyond --max-memory");
    let rows = [
        ("listed", listed, Totals::of(&report.rows)),
        ("not-listed", not_listed, Totals { calls: rest.calls, micros: rest.total, errors: rest.errors }),
        ("unparsed", "Statements that do not parse".into(), Totals::of(&report.unparsed)),
        ("truncated", "Statements that the log truncated".into(), Totals::of([&report.truncated])),
        ("other", rare, Totals::of([&report.other])),
        ("stray", "Errors without a statement".into(), Totals { errors: report.stray_errors, ..Totals::default() }),
    ];
    let all = Totals { calls: report.statements, micros: report.total, errors: report.errors };
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
            td { (duration(totals.micros as f64)) }
            td { (number(totals.errors)) }
        } "\n"
    }
}
