//! The details of a query: its SQL, example calls with parameters, the slowest plan, and a histogram of durations.

use maud::{Markup, html};

use super::super::figures::{self, excerpt};
use super::super::json::{failed, histogram};
use super::facts;
use super::markup::{duration, listed};
use super::sql::{HtmlBudget, pretty};
use crate::run::report::one_line;
use pgq_digest::report::{Report, Row};
use pgq_digest::{Example, Plan, name_text};
use pgq_log::parameter_values;

/// Maximum characters of a name or value.
const CHARACTERS: usize = 300;
/// Maximum characters of a plan.
const PLAN_CHARACTERS: usize = 4000;
/// Maximum number of parameters shown per call.
const PARAMETERS: usize = 40;

pub fn of_query(row: &Row, report: &Report, budget: &mut HtmlBudget) -> Markup {
    html! {
        div .panes {
            div .texts {
                section { h3 { "Query" } pre .sql { (budget.statement(&pretty(&row.title))) } }
                @if let Some(example) = &row.group.example {
                    // If the call has no constants, its SQL is equal to the query's SQL and is omitted.
                    @let is_query = example.params.is_empty() && one_line(&example.sql()) == row.title;
                    (call(example, (!is_query).then_some(&mut *budget)))
                }
                @if let Some(latest) = &row.group.latest {
                    // Omits the SQL of the latest call if it equals the example's SQL. The two are
                    // usually equal if the statement has parameters instead of constants.
                    @let is_same = row.group.example.as_ref().is_some_and(|example| example.sql() == latest.sql());
                    (example("Latest call", latest, (!is_same).then_some(&mut *budget)))
                }
                @if let Some(failed) = failed(row) {
                    (example("First that failed", failed, Some(&mut *budget)))
                }
                @if let Some(plan) = row.group.events_or_none().slowest_plan.as_deref() {
                    (slowest_plan(plan))
                }
            }
            div .facts { (latencies(row)) (facts::baseline(row)) (figure_of_time(row)) (facts::table(row, report)) }
        }
    }
}

fn slowest_plan(plan: &Plan) -> Markup {
    html! {
        section {
            h3 { "Slowest plan" }
            p .source {
                strong { (duration(plan.duration as f64)) }
                @if let Some(when) = &plan.time { ", " time { (&*when.text) } }
            }
            pre .plan { (excerpt(&plan.text, PLAN_CHARACTERS)) }
        }
    }
}

/// Renders the example of a group without a fingerprint, such as the group of statements that do not parse.
pub fn of_example(example: &Example, budget: &mut HtmlBudget) -> Markup {
    call(example, Some(budget))
}

/// Renders the example of a group. An example with a duration is the group's slowest call, and has
/// the title `Slowest call`.
fn call(slowest: &Example, budget: Option<&mut HtmlBudget>) -> Markup {
    example(if slowest.duration.is_some() { "Slowest call" } else { "Example call" }, slowest, budget)
}

/// Renders a call. If `budget` is `None`, omits the SQL.
fn example(title: &str, example: &Example, budget: Option<&mut HtmlBudget>) -> Markup {
    html! {
        section {
            h3 { (title) }
            p .source { (source(example)) }
            @if let Some(budget) = budget {
                pre .sql {
                    (budget.statement(&example.sql()))
                    @if example.cut { em { "… cut by pgq, which keeps 64 kB of a statement" } }
                }
            }
            (parameters(&example.params))
        }
    }
}

/// Renders the duration, time and origin of a call.
fn source(example: &Example) -> Markup {
    let mut parts = Vec::new();
    if let Some(micros) = example.duration {
        parts.push(html! { strong { (duration(micros as f64)) } });
    }
    if let Some(when) = &example.time {
        parts.push(html! { time { (&*when.text) } });
    }
    for (label, name) in [
        ("user", &example.origin.user),
        ("database", &example.origin.database),
        ("application", &example.origin.application),
    ] {
        if !name.is_empty() {
            parts.push(html! { (label) " " (excerpt(&name_text(name), CHARACTERS)) });
        }
    }
    listed(&parts)
}

/// Renders parameter values. If they cannot be parsed, renders the log's text.
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

/// Renders an empty timeline figure. The script draws the timeline when the reader opens the query.
fn figure_of_time(row: &Row) -> Markup {
    let is_in_time = row.group.timeline.iter().next().is_some();
    html! { @if is_in_time { figure .when-it-ran { figcaption { b { "Timeline" } } } } }
}

/// Renders the percentiles and an empty histogram. The script draws the histogram when the reader opens the query.
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
