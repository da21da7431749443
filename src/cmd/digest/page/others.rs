//! What the table of queries does not hold: error messages, statements that do not parse or are
//! truncated, and queries that are gone.

use maud::{Markup, html};

use super::super::figures::{PAGE, excerpt, plural};
use super::markup::{duration, number, table_head};
use super::sql::HtmlBudget;
use super::{detail, queries, sql};
use pgq_digest::report::{Report, Row};

/// Rows of a table.
const ROWS: usize = 100;

/// Characters of a message.
const CHARACTERS: usize = 300;

pub fn sections(report: &Report, budget: &mut HtmlBudget) -> Markup {
    html! {
        section #messages { "\n" h2 { "Errors" } "\n" (errors(report)) } "\n"
        section #unparsed { "\n" h2 { "Other statements" } "\n" (unparsed(report, budget)) } "\n"
        @if report.has_baseline {
            section #gone { "\n" h2 { "Queries gone since the baseline" } "\n" (gone(report)) } "\n"
        }
    }
}

/// Error messages, the most frequent first, each with the statement that had it.
fn errors(report: &Report) -> Markup {
    let rows = report.rows.iter().chain(&report.unparsed).chain([&report.truncated, &report.other]);
    let mut messages: Vec<(u64, &str, &Row)> =
        rows.flat_map(|row| row.group.messages.iter().map(move |(message, count)| (count, message, row))).collect();
    messages.sort_by_key(|(count, message, _)| (std::cmp::Reverse(*count), *message));
    if messages.is_empty() {
        return html! { p .none { "No errors." } "\n" };
    }
    html! {
        table .plain { "\n"
            (table_head(&["Count", "Message", "Statement"]))
            tbody { "\n"
                @for (count, message, row) in messages.iter().take(ROWS) {
                    tr {
                        td { (number(*count)) }
                        td .message { (excerpt(message, CHARACTERS)) }
                        td .query { (link(row)) }
                    } "\n"
                }
            } "\n"
        } "\n"
        (more(messages.len(), "message", "messages"))
        @if report.not_shown.errors > 0 {
            p .note { "Not included: " (PAGE.errors(report.not_shown.errors)) " of queries that are not listed." } "\n"
        }
    }
}

/// A link to a query, or to the section of the other statements.
fn link(row: &Row) -> Markup {
    html! {
        @if row.fingerprint.is_some() {
            a href={ "#" (queries::id(row)) } { code { (sql::start(&row.title)) } }
        } @else {
            a href="#unparsed" { (excerpt(&row.title, CHARACTERS)) }
        }
    }
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
            p .note { "And " (PAGE.count(rest)) " more " (plural(rest, one, many)) ": see --format json." } "\n"
        }
    }
}
