//! Sections after the table of queries: events, messages, unparsed and truncated statements, and queries of the
//! baseline that did not run again.

use maud::{Markup, html};

use super::super::figures::{self, excerpt, hex, plural};
use super::super::text::{ALARMS, EventList, dropped_messages, event_lists};
use super::markup::{at_least, duration, number, table_head};
use super::sql::HtmlBudget;
use super::{detail, facts, queries, sql};
use pgq_digest::report::{MessageRow, Report, Row};
use pgq_digest::{MessageExample, Names, Severity};

/// Maximum number of rows in a table.
const ROWS: usize = 100;

/// Maximum characters of a message.
const CHARACTERS: usize = 300;

pub fn sections(report: &Report, budget: &mut HtmlBudget) -> Markup {
    let lists = event_lists(report);
    html! {
        @if !lists.is_empty() {
            section #events { "\n" h2 { "Temporary files, locks and cancellations" } "\n" (events(report, &lists)) } "\n"
        }
        section #messages { "\n"
            h2 { "Errors" } "\n"
            @if report.errors == 0 { p .none { "No errors." } "\n" }
            (messages(report, |severity| severity == Severity::Error))
            @if let Some(dropped) = dropped_messages(report) {
                p .note { "And " (dropped) ": see --max-memory." } "\n"
            }
        } "\n"
        @for (id, title, severity) in [("warnings", "Warnings", Severity::Warning), ("waits", "Waits for locks, by lock", Severity::Wait)] {
            @if report.messages.iter().any(|row| row.key.severity == severity) {
                section #(id) { "\n" h2 { (title) } "\n" (messages(report, |it| it == severity)) } "\n"
            }
        }
        section #unparsed { "\n" h2 { "Other statements" } "\n" (unparsed(report, budget)) } "\n"
        @if !report.gone.is_empty() {
            section #gone { "\n" h2 { "Queries gone since the baseline" } "\n" (gone(report)) } "\n"
        }
    }
}

/// Renders the queries with the most temporary files, lock waits and cancellations.
fn events(report: &Report, lists: &[EventList<'_>]) -> Markup {
    html! {
        @for list in lists {
            h3 #{ "list-" (list.id) } { (list.title) }
            table .plain.events { "\n"
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

/// Renders alarming messages (PANIC, FATAL, crashes), the first section after the header of the page.
pub fn alarms(report: &Report) -> Markup {
    html! {
        @if report.messages.iter().any(|row| row.key.severity.is_alarming()) {
            section #alarms { "\n"
                h2 { (ALARMS) } "\n"
                (messages(report, Severity::is_alarming))
            } "\n"
        }
    }
}

/// Renders a table of the kinds of messages whose severity `is_of` accepts. Each row also shows the statements that
/// caused the messages.
fn messages(report: &Report, is_of: impl Fn(Severity) -> bool) -> Markup {
    let rows = report.messages_of(is_of);
    html! {
        @if !rows.is_empty() {
            table .plain.messages { "\n"
                (table_head(&["Count", "SQLSTATE", "Message", "Statements"]))
                tbody { "\n" @for row in rows.iter().take(ROWS) { (message(report, row)) } } "\n"
            } "\n"
            (more(rows.len(), "kind", "kinds"))
        }
    }
}

/// Returns the users, databases, hosts and waiting processes of a kind of message, each list with its title.
fn names_of(row: &MessageRow) -> impl Iterator<Item = (&'static str, &Names<u64>)> {
    ["Users", "Databases", "Hosts", "Waiting processes"].into_iter().zip(row.kind.names.iter().chain([&row.kind.waits]))
}

fn message(report: &Report, row: &MessageRow) -> Markup {
    let (first, last) = (row.kind.first.as_deref(), row.kind.last.as_deref());
    html! {
        tr {
            td { (at_least(row.kind.count, row.missing)) }
            td { (row.key.sqlstate) }
            td .message {
                @if row.key.severity.is_alarming() { b { (row.key.severity.name()) } " " }
                (excerpt(&row.key.message, CHARACTERS))
                details {
                    summary { "Examples" }
                    @if let Some(first) = first { (example("First", first)) }
                    @if let Some(last) = last.filter(|last| Some(*last) != first) { (example("Last", last)) }
                    dl {
                        @for (label, counts) in names_of(row) {
                            @if !counts.is_empty() { dt { (label) } dd { (facts::names(counts)) } }
                        }
                    }
                }
            }
            td .query { (failed_statements(report, row)) }
        } "\n"
    }
}

/// Renders one logged message with its parts, such as DETAIL.
fn example(title: &str, message: &MessageExample) -> Markup {
    const LABELS: [&str; 8] = ["Message", "Detail", "Hint", "Context", "Statement", "User", "Database", "Host"];
    html! {
        dl {
            dt { (title) }
            dd { @if let Some(time) = &message.time { time { (&*time.text) } } }
            @for (label, text) in LABELS.into_iter().zip(&message.texts).filter(|(_, text)| !text.is_empty()) {
                dt { (label) } dd .part { (excerpt(text, 4 * CHARACTERS)) }
            }
        }
    }
}

/// For a kind of message, renders the statement that caused it most often, and the number of other statements that
/// caused it.
fn failed_statements(report: &Report, row: &MessageRow) -> Markup {
    let listed = |fingerprint| report.rows.iter().find(|query| query.fingerprint == fingerprint);
    html! {
        @match row.statements.first() {
            Some((Some(fingerprint), _)) => {
                @match listed(Some(*fingerprint)) {
                    Some(query) => (link(query)),
                    None => code { (hex(*fingerprint)) },
                }
            }
            Some((None, _)) => "none, or statements that do not parse or are truncated",
            None => {}
        }
        @if row.statements.len() > 1 {
            " " small { "and " (figures::counted(row.statements.len() as u64 - 1, "other", "others")) }
        }
    }
}

fn link(row: &Row) -> Markup {
    html! { a href={ "#" (queries::id(row)) } { code { (sql::start(&row.title)) } } }
}

/// Renders groups of statements without a fingerprint.
fn unparsed(report: &Report, budget: &mut HtmlBudget) -> Markup {
    let mut rows: Vec<&Row> = report.unparsed.iter().take(ROWS).collect();
    rows.extend([&report.truncated, &report.other].into_iter().filter(|row| row.group.statements() > 0));
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

/// Renders queries of the baseline that did not run again, with their baseline figures.
fn gone(report: &Report) -> Markup {
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

/// Renders the number of omitted rows.
fn more(all: usize, one: &str, many: &str) -> Markup {
    let rest = all.saturating_sub(ROWS) as u64;
    html! {
        @if rest > 0 {
            p .note { "And " (figures::count(rest)) " more " (plural(rest, one, many)) ": see --format json." } "\n"
        }
    }
}
