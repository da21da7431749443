//! The head of the page: when, how much, what is new; and its end: that everything adds up.

use super::markup::{counted, data, duration, number, text, time};
use super::timeline::span;
use pgq_digest::report::Report;

/// The name of the page, for a tab or a file.
pub fn title(report: &Report) -> String {
    match &report.first {
        Some(first) => format!("Query digest from {}", text(first)),
        None => "Query digest".into(),
    }
}

/// When it was, and the figures that matter most.
pub fn head(report: &Report) -> String {
    let mut out = String::new();
    if let (Some(first), Some(last)) = (&report.first, &report.last) {
        let long = span(report).map(|micros| format!(" <span>({})</span>", time(micros as f64))).unwrap_or_default();
        out += &format!("<p class=\"when\"><time>{}</time> to <time>{}</time>{long}</p>\n", text(first), text(last));
    }
    let queries = report.rows.len() as u64 + report.left_out.groups;
    let tiles = [
        ("statements", "Statements", number(report.statements)),
        ("total", "Time in all", duration(report.total as f64)),
        ("queries", "Different queries", number(queries)),
        ("errors", "Errors", number(report.errors)),
    ];
    out += "<dl class=\"tiles\">\n";
    for (id, name, figure) in tiles {
        out += &format!("<div id=\"all-{id}\"><dt>{name}</dt><dd>{figure}</dd></div>\n");
    }
    out += "</dl>\n";
    if report.has_baseline {
        out += &compared(report);
    }
    out
}

/// How the queries that are shown compare with the baseline.
fn compared(report: &Report) -> String {
    let count = |name: &str| report.rows.iter().filter(|row| row.change.is_some_and(|c| c.name() == name)).count();
    let marks = ["new", "slower", "faster"].map(|name| (name, count(name)));
    let mut out = "<p class=\"compared\">Against the baseline, of the queries listed:".to_string();
    for (name, count) in marks {
        out += &format!(" <span class=\"mark {name}\">{} {name}</span>", number(count as u64));
    }
    let gone = number(report.gone.len() as u64);
    out + &format!("; and <a class=\"mark gone\" href=\"#gone\">{gone} gone</a></p>\n")
}

/// Where every statement, every error and all the time went.
pub fn sums(report: &Report) -> String {
    let rest = report.left_out;
    let listed = report.rows.iter().map(|row| (row.group.calls, row.times.total, row.group.errors));
    let unparsed = report.unparsed.iter().map(|row| (row.group.calls, row.times.total, row.group.errors));
    let one = |row: &pgq_digest::report::Row| (row.group.calls, row.times.total, row.group.errors);
    let rows = [
        ("listed", format!("of {} listed", counted(report.rows.len() as u64, "query", "queries")), sum(listed)),
        (
            "not-listed",
            format!("of {} not listed", counted(rest.groups, "query", "queries")),
            (rest.calls, rest.total, rest.errors),
        ),
        ("unparsed", "that do not parse".into(), sum(unparsed)),
        ("truncated", "that the log has lost an end of".into(), one(&report.truncated)),
        (
            "other",
            format!("of {}, counted together", counted(report.dropped, "rare query", "rare queries")),
            one(&report.other),
        ),
    ];
    let mut out = "<table class=\"sums\">\n<thead><tr><th scope=\"col\">Statements</th><th scope=\"col\">Calls</th>\
                   <th scope=\"col\">Time</th><th scope=\"col\">Errors</th></tr></thead>\n<tbody>\n"
        .to_string();
    for (id, name, sums) in &rows {
        out += &line(id, name, *sums);
    }
    out += "</tbody>\n<tfoot>\n";
    out += &line("all", "in all", (report.statements, report.total, report.errors));
    out + "</tfoot>\n</table>\n"
}

fn sum(rows: impl Iterator<Item = (u64, u64, u64)>) -> (u64, u64, u64) {
    rows.fold((0, 0, 0), |all, row| (all.0 + row.0, all.1.saturating_add(row.1), all.2 + row.2))
}

fn line(id: &str, name: &str, (calls, total, errors): (u64, u64, u64)) -> String {
    let total = data(total as f64 / 1000.0, &time(total as f64));
    let (calls, errors) = (number(calls), number(errors));
    format!("<tr id=\"sum-{id}\"><th scope=\"row\">{name}</th><td>{calls}</td><td>{total}</td><td>{errors}</td></tr>\n")
}
