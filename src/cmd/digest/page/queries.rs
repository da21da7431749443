//! The table of queries. Each query is a `tbody` with two rows: figures, and details that the script expands and
//! collapses.

use maud::{Markup, html};

use super::super::figures;
use super::super::text::{sorted_column, sorted_figure};
use super::markup::{at_least, bar, data, duration, number};
use super::parts::Parts;
use super::sql::HtmlBudget;
use super::{detail, short_rows, sql};
use pgq_digest::ShortRow;
use pgq_digest::baseline::Change;
use pgq_digest::report::{Report, Row, Sort};

/// Columns of figures: CSS class, name, tooltip.
const COLUMNS: [(&str, &str, &str); 9] = [
    ("calls", "Calls", "Executions; statements that failed are not included"),
    ("total", "Total", "Time of all calls"),
    ("share", "Share", "Share of the total time of the log"),
    ("mean", "Mean", "Mean time of a call"),
    ("p50", "p50", "Half of the calls took no longer"),
    ("p95", "p95", "95 % of the calls took no longer"),
    ("p99", "p99", "99 % of the calls took no longer"),
    ("max", "Max", "The slowest call"),
    ("errors", "Errors", "Statements that failed"),
];

pub fn section(report: &Report, budget: &mut HtmlBudget) -> Markup {
    html! {
        section #queries { "\n"
            h2 { "Queries" } "\n"
            (tools())
            p #part-note .note hidden { span {} " " button .quiet type="button" { "Show all" } } "\n"
            @if report.rows.is_empty() {
                p .none { "No queries." } "\n"
            } @else {
                table #queries-table .queries { "\n"
                    (head(report))
                    @for (index, row) in report.rows.iter().enumerate() {
                        (body(index + 1, row, report, budget))
                    }
                } "\n"
            }
            @let parts = Parts::new(report);
            (parts.data())
            (short_rows::data(report, &parts))
            @let more = short_rows::listed(report);
            @if !more.is_empty() {
                p #more-note .note {
                    (figures::counted(more.len() as u64, "further query is", "further queries are"))
                    " found by searching and sorting, with their figures alone; " code { "--format json" } " has the rest."
                } "\n"
                button #show-more .quiet.needs-script type="button" hidden { "Show more" } "\n"
            }
            @if report.not_shown.groups > more.len() as u64 {
                (not_listed(report, more))
            }
        } "\n"
    }
}

/// Renders the search box and the menus. They are hidden until the script runs.
fn tools() -> Markup {
    html! {
        div .tools.needs-script hidden { "\n"
            input #search type="search" placeholder="Search SQL, tables, users, errors…"
                aria-label="Search the queries" autocomplete="off" spellcheck="false"; "\n"
            select #only aria-label="Which queries" { option value="" { "All queries" } } "\n"
            select #sort aria-label="Sort by" {} "\n"
            select #part aria-label="Whose statements" { option value="" { "Everyone" } } "\n"
            button #all .quiet type="button" aria-pressed="false" { "Open all" } "\n"
            button #csv .quiet type="button" title="The queries that are found, as CSV" { "CSV" } "\n"
            output #found for="search only" {} "\n"
        } "\n"
    }
}

/// Renders the sums of the queries that are not on the page. `more` are queries that the page shows without details.
/// `report.not_shown` includes them, so their figures are subtracted.
fn not_listed(report: &Report, more: &[ShortRow]) -> Markup {
    let rest = report.not_shown;
    let left = |all: u64, figure: fn(&ShortRow) -> u64| more.iter().map(figure).fold(all, u64::saturating_sub);
    let queries = rest.groups - more.len() as u64;
    let (calls, errors) = (left(rest.calls, |row| row.calls), left(rest.errors, |row| row.errors));
    let time = left(rest.total, |row| row.times.total);
    html! {
        p .note {
            (figures::counted(queries, "query is", "queries are")) " not listed: " (figures::calls(calls)) ", "
            (duration(time as f64)) ", " (figures::errors(errors)) ". " code { "--top" } " lists more."
        } "\n"
    }
}

/// Returns the element id of a query, for links.
pub fn id(row: &Row) -> String {
    format!("q-{:016x}", row.fingerprint.unwrap_or_default())
}

fn head(report: &Report) -> Markup {
    let sorted = match report.sort {
        Sort::TemporaryFiles => "temp",
        Sort::LockTime => "locks",
        Sort::Change => "change",
        Sort::Total => "total",
        Sort::Count => "calls",
        Sort::Mean => "mean",
        Sort::Max => "max",
        Sort::P95 => "p95",
        Sort::Errors => "errors",
    };
    let more = sorted_column(report.sort);
    html! {
        thead {
            tr {
                th .rank scope="col" title="Rank in the order of pgq digest" { "#" }
                th .query scope="col" { "Query" }
                @for (class, name, title) in COLUMNS {
                    th class=(class) scope="col" title=(title) aria-sort=[(class == sorted).then_some("descending")] {
                        (name)
                    }
                }
                @if let Some(name) = more {
                    th .(sorted) scope="col" title={ "The queries are listed by " (name) } aria-sort="descending" { (name) }
                }
                @if report.has_baseline {
                    th .change scope="col" title="The mean compared with the baseline"
                        aria-sort=[(sorted == "change").then_some("descending")] { "Change" }
                }
            }
        } "\n"
    }
}

fn body(rank: usize, row: &Row, report: &Report, budget: &mut HtmlBudget) -> Markup {
    let has_more = sorted_column(report.sort).is_some();
    let columns = COLUMNS.len() + 2 + usize::from(report.has_baseline) + usize::from(has_more);
    let events = row.group.events_or_none();
    html! {
        tbody id=(id(row)) {
            tr .row {
                td .rank { data value=(rank) { (rank) } }
                td .query { code { (sql::start(&row.title)) } }
                @for ((class, ..), figure) in COLUMNS.iter().zip(figures(row)) {
                    td .(class) .some[*class == "errors" && row.group.errors > 0] { (figure) }
                }
                @match report.sort {
                    Sort::TemporaryFiles => td .temp { (data(events.temporary_bytes as f64, &sorted_figure(row, report.sort))) },
                    Sort::LockTime => td .locks { (data(events.lock_time as f64 / 1000.0, &sorted_figure(row, report.sort))) },
                    _ => {}
                }
                @if report.has_baseline {
                    td .change { @if let Some(change) = row.change { (mark(change)) } }
                }
            }
            tr .detail { td colspan=(columns) { (detail::of_query(row, report, budget)) } }
        } "\n"
    }
}

/// Renders a query's figures in the order of `COLUMNS`.
fn figures(row: &Row) -> [Markup; COLUMNS.len()] {
    let (group, times) = (&row.group, row.times);
    let share = html! { (data(row.share, &figures::percent(row.share))) (bar(row.share * 100.0, 4)) };
    [
        at_least(group.calls, group.missing),
        duration(times.total as f64),
        share,
        duration(times.mean),
        duration(times.p50 as f64),
        duration(times.p95 as f64),
        duration(times.p99 as f64),
        duration(times.max as f64),
        number(group.errors),
    ]
}

/// Renders the change since the baseline, with the mean as a multiple of the baseline's mean.
fn mark(change: Change) -> Markup {
    let name = change.name();
    let factor = change.factor().map(|factor| data(factor, &figures::factor(factor)));
    html! {
        @match (change, factor) {
            (Change::Unchanged(_), Some(factor)) => (factor),
            (Change::Unknown, _) => "–",
            (_, Some(factor)) => span .mark.(name) { (name) " " (factor) },
            (_, None) => span .mark.(name) { (name) },
        }
    }
}
