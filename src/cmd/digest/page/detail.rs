//! The details of a query: its text, its slowest call with the parameters, the distribution of its
//! latencies, who ran it and when.

use maud::{Markup, html};

use super::super::figures::{self, excerpt, hex};
use super::super::json::{failed, histogram};
use super::markup::{duration, number};
use super::sql::{HtmlBudget, pretty};
use crate::report::one_line;
use pgq_digest::report::Row;
use pgq_digest::{BoundedCounts, Example, Plan};
use pgq_log::parameter_values;

/// BoundedCounts of one kind: users, tables.
const NAMES: usize = 12;
/// Characters of a name or a value.
const CHARACTERS: usize = 300;
/// Characters of a plan.
const PLAN_CHARACTERS: usize = 4000;
/// Parameters of a call.
const PARAMETERS: usize = 40;

pub fn of_query(row: &Row, budget: &mut HtmlBudget) -> Markup {
    html! {
        div .panes {
            div .texts {
                section { h3 { "Query" } pre .sql { (budget.statement(&pretty(&row.title))) } }
                @if let Some(example) = &row.group.example {
                    // Without constants, the call has the text of the query.
                    @let is_query = example.params.is_empty() && one_line(&example.sql) == row.title;
                    (call(example, (!is_query).then_some(&mut *budget)))
                }
                @if let Some(failed) = failed(row) {
                    section {
                        h3 { "First that failed" }
                        p .source { (source(failed)) }
                        pre .sql { (budget.statement(&failed.sql)) }
                        (parameters(&failed.params))
                    }
                }
                @if let Some(plan) = row.group.events_or_none().slowest_plan.as_deref() {
                    (slowest_plan(plan))
                }
            }
            div .facts { (latencies(row)) (facts(row)) }
        }
    }
}

/// The slowest plan that was logged, as it is.
fn slowest_plan(plan: &Plan) -> Markup {
    html! {
        section {
            h3 { "Slowest plan" }
            p .source {
                strong { (duration(plan.duration as f64)) }
                @if let Some(when) = &plan.time { ", " time { (when.text) } }
            }
            pre .plan { (excerpt(&plan.text, PLAN_CHARACTERS)) }
        }
    }
}

/// An example without a query.
pub fn of_example(example: &Example, budget: &mut HtmlBudget) -> Markup {
    call(example, Some(budget))
}

/// The slowest call, or an arbitrary one where the durations are unknown; its SQL only if there is a
/// budget for it.
fn call(example: &Example, budget: Option<&mut HtmlBudget>) -> Markup {
    html! {
        section {
            h3 { @if example.duration.is_some() { "Slowest call" } @else { "Example call" } }
            p .source { (source(example)) }
            @if let Some(budget) = budget {
                pre .sql {
                    (budget.statement(&example.sql))
                    @if example.cut { em { "… cut by pgq, which keeps 64 kB of a statement" } }
                }
            }
            (parameters(&example.params))
        }
    }
}

/// How long a call took, when it was, and who made it.
fn source(example: &Example) -> Markup {
    let mut parts = Vec::new();
    if let Some(micros) = example.duration {
        parts.push(html! { strong { (duration(micros as f64)) } });
    }
    if let Some(when) = &example.time {
        parts.push(html! { time { (when.text) } });
    }
    for (label, name) in
        [("user", &example.user), ("database", &example.database), ("application", &example.application)]
    {
        if !name.is_empty() {
            parts.push(html! { (label) " " (excerpt(&String::from_utf8_lossy(name), CHARACTERS)) });
        }
    }
    listed(&parts)
}

/// Parts with commas between them.
fn listed(parts: &[Markup]) -> Markup {
    html! {
        @for (index, part) in parts.iter().enumerate() {
            @if index > 0 { ", " }
            (part)
        }
    }
}

/// The values of parameters, or the text of the log where it has another form.
fn parameters(params: &[u8]) -> Markup {
    let text = String::from_utf8_lossy(params);
    let Some(values) = parameter_values(params) else {
        return html! { @if !text.is_empty() { p .parameters { (excerpt(&text, CHARACTERS * 4)) } } };
    };
    html! {
        @if !params.is_empty() {
            table .parameters {
                tbody {
                    @for (index, value) in values.iter().take(PARAMETERS).enumerate() {
                        tr { th scope="row" { "$" (index + 1) } td { (parameter(value.as_deref())) } }
                    }
                }
            }
            @if values.len() > PARAMETERS {
                p .parameters { "and " (values.len() - PARAMETERS) " more" }
            }
        }
    }
}

fn parameter(value: Option<&[u8]>) -> Markup {
    html! {
        @match value {
            Some(bytes) => code { (excerpt(&String::from_utf8_lossy(bytes), CHARACTERS)) },
            None => i { "NULL" },
        }
    }
}

/// The percentiles, and the buckets of the histogram, which the script draws when the query is opened.
fn latencies(row: &Row) -> Markup {
    let (durations, times) = (&row.group.durations, row.times);
    if durations.count() == 0 {
        return html! { p .none { "The log has no durations of this query." } };
    }
    let [p50, p95, p99] = [times.p50, times.p95, times.p99].map(|micros| figures::time(micros as f64));
    let buckets = histogram(durations).into_iter().map(|(end, count)| format!("{},{count}", end as f64 / 1000.0));
    let buckets: Vec<String> = buckets.collect();
    html! {
        figure .histogram data-of=(buckets.join(" ")) {
            figcaption {
                b { "Latency" } " of " (figures::calls(durations.count())) ": p50 " (p50) ", p95 " (p95) ", p99 " (p99)
            }
        }
    }
}

/// Names and values. Unknown values are left out.
fn facts(row: &Row) -> Markup {
    let group = &row.group;
    let events = group.events_or_none();
    let some = |count: u64, text: &dyn Fn() -> String| html! { @if count > 0 { (text()) } };
    let time = |text: Option<&str>| html! { @if let Some(text) = text { time { (text) } } };
    let facts = [
        ("Errors", if group.errors > 0 { names(&group.messages) } else { Markup::default() }),
        ("First", time(group.first.as_ref().map(|when| &*when.text))),
        ("Last", time(group.last.as_ref().map(|when| &*when.text))),
        ("Kind", html! { (row.kind) }),
        ("Tables", tables(&row.tables)),
        ("Users", names(&group.users)),
        ("Databases", names(&group.databases)),
        ("Applications", names(&group.applications)),
        ("Hosts", names(&group.hosts)),
        (
            "Temporary files",
            some(events.temporary_files, &|| {
                format!("{} in {}", figures::size(events.temporary_bytes), figures::count(events.temporary_files))
            }),
        ),
        (
            "Waits for locks",
            some(events.lock_waits, &|| {
                format!("{} in {}", figures::time(events.lock_time as f64), figures::count(events.lock_waits))
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
            @for (name, value) in facts.iter().filter(|(_, value)| !value.0.is_empty()) {
                dt { (name) } dd { (value) }
            }
        }
    }
}

fn tables(tables: &[String]) -> Markup {
    let mut shown: Vec<Markup> =
        tables.iter().take(NAMES).map(|table| html! { (excerpt(table, CHARACTERS)) }).collect();
    if tables.len() > NAMES {
        shown.push(html! { "and " (tables.len() - NAMES) " more" });
    }
    listed(&shown)
}

/// BoundedCounts with their counts, the most frequent first.
fn names(names: &BoundedCounts) -> Markup {
    let mut sorted: Vec<(&str, u64)> = names.iter().collect();
    sorted.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let (shown, rest) = sorted.split_at(sorted.len().min(NAMES));
    let rest = rest.iter().map(|(_, count)| count).sum::<u64>() + names.others();
    html! {
        @for (name, count) in shown {
            span { (excerpt(name, CHARACTERS)) " " small { (number(*count)) } }
        }
        @if rest > 0 {
            span { "others " small { (figures::count(rest)) } }
        }
    }
}
