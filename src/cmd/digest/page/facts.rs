//! A table of facts about a query, such as its users, tables and events, and the comparison with the baseline.

use std::cmp::Reverse;

use maud::{Markup, html};

use super::super::figures::{self, excerpt, hex};
use super::markup::{at_least, duration, listed, number, table_head};
use super::parts::LABELS;
use pgq_digest::report::{MessageRow, Report, Row};
use pgq_digest::{Facet, Kept, Names, Sum, Totals};

/// Maximum number of names in a list.
const NAMES: usize = 12;
/// Maximum characters of a name.
const CHARACTERS: usize = 300;

/// Renders the facts as a table. Omits facts without a value.
pub fn table(row: &Row, report: &Report) -> Markup {
    let group = &row.group;
    let events = group.events_or_none();
    let facets = group.facets.totals();
    let facets = Facet::ALL.map(|facet| (LABELS[facet as usize], totals(facets.get(facet))));
    let some = |count: u64, text: &dyn Fn() -> String| html! { @if count > 0 { (text()) } };
    let time = |text: Option<&str>| html! { @if let Some(text) = text { time { (text) } } };
    let facts = [
        ("Errors", if group.errors > 0 { names(group.messages_or_none()) } else { Markup::default() }),
        ("SQLSTATEs", sqlstates(row, report)),
        ("First", time(group.first.as_ref().map(|when| &*when.text))),
        ("Last", time(group.last.as_ref().map(|when| &*when.text))),
        ("Kind", html! { (row.kind) }),
        ("Tables", tables(&row.tables)),
    ];
    let more_facts = [
        (
            "Temporary files",
            some(events.temporary_files, &|| {
                format!("{} in {}", figures::size(events.temporary_bytes), figures::count(events.temporary_files))
            }),
        ),
        (
            "Waits for locks",
            some(events.lock_waits, &|| {
                let time = figures::lock_time(events.lock_time, events.failed_lock_waits > 0);
                format!("{time} in {}", figures::count(events.lock_waits))
            }),
        ),
        ("Canceled", some(events.canceled, &|| figures::count(events.canceled))),
        (
            "Plans",
            some(events.plans, &|| {
                let more = if events.has_more_shapes() { " or more" } else { "" };
                format!("{} logged, {}{more} different", figures::count(events.plans), events.shapes.len())
            }),
        ),
        ("Fingerprint", html! { @if let Some(fingerprint) = row.fingerprint { code { (hex(fingerprint)) } } }),
    ];
    html! {
        dl {
            @for (name, value) in facts.iter().chain(&facets).chain(&more_facts).filter(|(_, value)| !value.0.is_empty()) {
                dt { (name) } dd { (value) }
            }
        }
    }
}

/// Renders the SQLSTATEs of a query's errors.
fn sqlstates(row: &Row, report: &Report) -> Markup {
    if row.group.errors == 0 {
        return Markup::default();
    }
    let is_of_row = |kind: &&MessageRow| kind.statements.iter().any(|(fingerprint, _)| *fingerprint == row.fingerprint);
    let mut sqlstates: Vec<&str> = report.messages.iter().filter(is_of_row).map(|kind| &*kind.key.sqlstate).collect();
    sqlstates.sort_unstable();
    sqlstates.dedup();
    html! { (sqlstates.join(" ").trim()) }
}

fn tables(tables: &[String]) -> Markup {
    let mut shown: Vec<Markup> =
        tables.iter().take(NAMES).map(|table| html! { (excerpt(table, CHARACTERS)) }).collect();
    if tables.len() > NAMES {
        shown.push(html! { "and " (tables.len() - NAMES) " more" });
    }
    listed(&shown)
}

/// Renders names with counts, the most frequent first.
pub fn names(names: &Names<u64>) -> Markup {
    let ranked = names.ranked();
    let (shown, rest) = ranked.split_at(ranked.len().min(NAMES));
    let rest = rest.iter().map(|(_, kept)| kept.sum).sum::<u64>() + names.others();
    html! {
        @for (name, kept) in shown {
            span { (excerpt(name, CHARACTERS)) " " small { (at_least(kept.sum, kept.missing)) } }
        }
        @if rest > 0 {
            span { i { "others" } " " small { (figures::count(rest)) } }
        }
    }
}

/// Renders names with their counts and time, sorted by time. If there is only one name, omits its
/// time, which equals the total time of the query.
fn totals(totals: &Names<Totals>) -> Markup {
    let mut sorted: Vec<(&str, &Kept<Totals>)> = totals.iter().map(|(name, kept)| (&**name, kept)).collect();
    sorted.sort_by_key(|(_, kept)| Reverse((kept.sum.time, kept.sum.weight())));
    let (shown, hidden) = sorted.split_at(sorted.len().min(NAMES));
    let mut rest = *totals.others();
    hidden.iter().for_each(|(_, kept)| rest.merge(kept.sum));
    let has_time = sorted.len() > 1;
    let figures = |totals: &Totals, missing: u64| {
        html! {
            small {
                (at_least(totals.weight(), missing))
                @if has_time && totals.time > 0 { " · " (figures::time(totals.time as f64)) }
            }
        }
    };
    html! {
        @for (name, kept) in shown {
            span { (excerpt(name, CHARACTERS)) " " (figures(&kept.sum, kept.missing)) }
        }
        @if rest.weight() > 0 {
            span { i { "others" } " " (figures(&rest, 0)) }
        }
    }
}

/// Renders the latencies in the baseline and now, side by side.
pub fn baseline(row: &Row) -> Markup {
    let Some(before) = &row.before else { return Markup::default() };
    let times = row.times;
    let [p50, p95, p99] = before.percentiles;
    let rows = [
        ("Mean", before.mean, times.mean),
        ("p50", p50 as f64, times.p50 as f64),
        ("p95", p95 as f64, times.p95 as f64),
        ("p99", p99 as f64, times.p99 as f64),
    ];
    html! {
        table .before {
            (table_head(&["", "Before", "Now"]))
            tbody {
                tr {
                    th scope="row" { "Calls" }
                    td { (number(before.calls)) }
                    td { (number(row.group.calls)) }
                }
                @for (name, before, now) in rows {
                    tr { th scope="row" { (name) } td { (duration(before)) } td { (duration(now)) } }
                }
            }
        }
    }
}
