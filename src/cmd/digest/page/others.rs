//! What the table of queries does not hold: error messages, statements that do not parse or are
//! truncated, and queries that are gone.

use maud::{Markup, html};

use super::super::figures::{self, excerpt, hex, plural};
use super::super::text::{EventList, event_lists};
use super::markup::{duration, number, table_head};
use super::sql::HtmlBudget;
use super::{detail, queries, sql};
use pgq_digest::report::{ErrorRow, Report, Row};

/// Rows of a table.
const ROWS: usize = 100;

/// Characters of a message.
const CHARACTERS: usize = 300;

pub fn sections(report: &Report, budget: &mut HtmlBudget) -> Markup {
    let lists = event_lists(report);
    html! {
        @if !lists.is_empty() {
            section #events { "\n" h2 { "Temporary files, locks and cancellations" } "\n" (events(report, &lists)) } "\n"
        }
        section #messages { "\n" h2 { "Errors" } "\n" (errors(report)) } "\n"
        section #unparsed { "\n" h2 { "Other statements" } "\n" (unparsed(report, budget)) } "\n"
        @if report.has_baseline {
            section #gone { "\n" h2 { "Queries gone since the baseline" } "\n" (gone(report)) } "\n"
        }
    }
}

/// The queries with the most temporary files, waits for locks and cancellations.
fn events(report: &Report, lists: &[EventList<'_>]) -> Markup {
    html! {
        @for list in lists {
            h3 { (list.title) }
            table .plain { "\n"
                tbody { "\n"
                    @for (figure, row) in &list.rows {
                        tr {
                            td { (figure) }
                            td .query {
                                @match report.rows.iter().find(|query| query.fingerprint == Some(row.fingerprint)) {
                                    Some(query) => (link(query)),
                                    None => code { (sql::start(&row.title)) },
                                }
                            }
                        } "\n"
                    }
                } "\n"
            } "\n"
        }
    }
}

/// Errors of all statements, the most frequent first, each with the statements that had it.
fn errors(report: &Report) -> Markup {
    if report.error_kinds.is_empty() {
        return html! { p .none { "No errors." } "\n" };
    }
    html! {
        table .plain #error-kinds { "\n"
            (table_head(&["Count", "SQLSTATE", "Message", "Statements"]))
            tbody { "\n"
                @for row in report.error_kinds.iter().take(ROWS) {
                    tr {
                        td { (number(row.count)) }
                        td { (row.sqlstate) }
                        td .message title=(row.example) { (excerpt(&row.message, CHARACTERS)) }
                        td .query { (failed_statements(report, row)) }
                    } "\n"
                }
            } "\n"
        } "\n"
        (more(report.error_kinds.len(), "kind of error", "kinds of errors"))
    }
}

/// The statement that failed most, and how many others did.
fn failed_statements(report: &Report, row: &ErrorRow) -> Markup {
    let listed = |fingerprint| report.rows.iter().find(|query| query.fingerprint == fingerprint);
    html! {
        @match row.statements.first() {
            Some((Some(fingerprint), _)) => {
                @match listed(Some(*fingerprint)) {
                    Some(query) => (link(query)),
                    None => code { (hex(*fingerprint)) },
                }
            }
            Some((None, _)) => a href="#unparsed" { "statements that do not parse, or are truncated" },
            None => {}
        }
        @if row.statements.len() > 1 {
            " " small { "and " (figures::counted(row.statements.len() as u64 - 1, "other", "others")) }
        }
    }
}

/// A link to a query.
fn link(row: &Row) -> Markup {
    html! { a href={ "#" (queries::id(row)) } { code { (sql::start(&row.title)) } } }
}

/// Groups of statements that have no fingerprint.
fn unparsed(report: &Report, budget: &mut HtmlBudget) -> Markup {
    let mut rows: Vec<&Row> = report.unparsed.iter().take(ROWS).collect();
    rows.extend([&report.truncated, &report.other].into_iter().filter(|row| row.group.calls + row.group.errors > 0));
    html! {
        @if report.unparsed.is_empty() {
            p .none { "All statements parse." } "\n"
        }
        @for row in rows {
            article {
                h3 { (excerpt(&row.title, CHARACTERS)) }
                p .figures {
                    span { (number(row.group.calls)) " " (plural(row.group.calls, "call", "calls")) }
                    span { (number(row.group.errors)) " " (plural(row.group.errors, "error", "errors")) }
                    span { (duration(row.times.total as f64)) " in total" }
                    span { (duration(row.times.max as f64)) " maximum" }
                }
                @if let Some(example) = &row.group.example { (detail::of_example(example, budget)) }
            } "\n"
        }
        (more(report.unparsed.len(), "reason", "reasons"))
    }
}

/// Queries of the baseline that did not run again, with the figures of the baseline.
fn gone(report: &Report) -> Markup {
    if report.gone.is_empty() {
        return html! { p .none { "Every query of the baseline ran again." } "\n" };
    }
    html! {
        table .plain { "\n"
            (table_head(&["Calls", "Mean", "Query"]))
            tbody { "\n"
                @for gone in report.gone.iter().take(ROWS) {
                    tr {
                        td { (number(gone.query.calls)) }
                        td { (duration(gone.query.mean)) }
                        td .query { code { (sql::start(&gone.query.normalized)) } }
                    } "\n"
                }
            } "\n"
        } "\n"
        (more(report.gone.len(), "query", "queries"))
    }
}

/// How many rows are not shown.
fn more(all: usize, one: &str, many: &str) -> Markup {
    let rest = all.saturating_sub(ROWS) as u64;
    html! {
        @if rest > 0 {
            p .note { "And " (figures::count(rest)) " more " (plural(rest, one, many)) ": see --format json." } "\n"
        }
    }
}
