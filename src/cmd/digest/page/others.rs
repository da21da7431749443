//! What is no query: errors by their messages, statements that do not parse or are cut,
//! queries that are gone.

use super::markup::{data, duration, grouped, number, short, time};
use super::sql::Room;
use super::{detail, queries, sql};
use pgq_digest::report::{Report, Row};

/// Most rows of a table.
const MOST: usize = 100;

/// Most characters of a message.
const CHARACTERS: usize = 300;

pub fn sections(report: &Report, room: &mut Room) -> String {
    errors(report) + &unparsed(report, room) + &gone(report)
}

/// Messages of errors, the most frequent first, each with the statements that had it.
fn errors(report: &Report) -> String {
    let rows = report.rows.iter().chain(&report.unparsed).chain([&report.truncated, &report.other]);
    let mut messages: Vec<(u64, &str, &Row)> =
        rows.flat_map(|row| row.group.messages.iter().map(move |(message, count)| (count, message, row))).collect();
    messages.sort_by_key(|(count, message, _)| (std::cmp::Reverse(*count), *message));
    let mut out = "<section id=\"messages\">\n<h2>Errors</h2>\n".to_string();
    if messages.is_empty() {
        return out + "<p class=\"none\">There are no errors.</p>\n</section>\n";
    }
    out += "<table class=\"plain\">\n<thead><tr><th scope=\"col\">Count</th><th scope=\"col\">Message</th>\
            <th scope=\"col\">Of</th></tr></thead>\n<tbody>\n";
    for (count, message, row) in messages.iter().take(MOST) {
        let of = match row.fingerprint {
            Some(_) => format!("<a href=\"#{}\"><code>{}</code></a>", queries::id(row), sql::start(&row.title)),
            None => format!("<a href=\"#unparsed\">{}</a>", short(&row.title, CHARACTERS)),
        };
        let (count, message) = (number(*count), short(message, CHARACTERS));
        out += &format!("<tr><td>{count}</td><td class=\"message\">{message}</td><td class=\"query\">{of}</td></tr>\n");
    }
    out += "</tbody>\n</table>\n";
    out += &more(messages.len(), "messages");
    if report.left_out.errors > 0 {
        let count = grouped(report.left_out.errors);
        out += &format!("<p class=\"note\">{count} errors of queries that are not listed are not among them.</p>\n");
    }
    out + "</section>\n"
}

/// Groups of statements that have no fingerprint.
fn unparsed(report: &Report, room: &mut Room) -> String {
    let mut rows: Vec<&Row> = report.unparsed.iter().take(MOST).collect();
    rows.extend([&report.truncated, &report.other].into_iter().filter(|row| row.group.calls + row.group.errors > 0));
    let mut out = "<section id=\"unparsed\">\n<h2>Statements counted apart</h2>\n".to_string();
    if report.unparsed.is_empty() {
        out += "<p class=\"none\">All statements parse.</p>\n";
    }
    for row in rows {
        let (group, times) = (&row.group, row.times);
        let example = group.example.as_deref().map(|example| detail::of_example(example, false, room));
        let total = data(times.total as f64 / 1000.0, &time(times.total as f64));
        out += &format!(
            "<article><h3>{}</h3><p class=\"figures\"><span>{} calls</span><span>{} errors</span><span>{total} in \
             all</span><span>{} at most</span></p>{}</article>\n",
            short(&row.title, CHARACTERS),
            number(group.calls),
            number(group.errors),
            duration(times.max as f64),
            example.unwrap_or_default(),
        );
    }
    out += &more(report.unparsed.len(), "reasons");
    out + "</section>\n"
}

/// Queries of the baseline that did not come again.
fn gone(report: &Report) -> String {
    if !report.has_baseline {
        return String::new();
    }
    let mut out = "<section id=\"gone\">\n<h2>Queries that are gone</h2>\n".to_string();
    if report.gone.is_empty() {
        return out + "<p class=\"none\">Every query of the baseline came again.</p>\n</section>\n";
    }
    out += "<table class=\"plain\">\n<thead><tr><th scope=\"col\">Calls then</th><th scope=\"col\">Mean then</th>\
            <th scope=\"col\">Query</th></tr></thead>\n<tbody>\n";
    for gone in report.gone.iter().take(MOST) {
        let (calls, mean) = (number(gone.known.calls), duration(gone.known.mean));
        let query = sql::start(&gone.known.normalized);
        out += &format!("<tr><td>{calls}</td><td>{mean}</td><td class=\"query\"><code>{query}</code></td></tr>\n");
    }
    out += "</tbody>\n</table>\n";
    out += &more(report.gone.len(), "queries");
    out + "</section>\n"
}

/// What stands for rows beyond those that are shown.
fn more(all: usize, what: &str) -> String {
    match all.saturating_sub(MOST) {
        0 => String::new(),
        rest => format!("<p class=\"note\">And {} more {what}: see --format json.</p>\n", grouped(rest as u64)),
    }
}
