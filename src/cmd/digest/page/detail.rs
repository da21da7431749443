//! All that is known of one query: its text, its slowest call with the parameters, how its
//! latencies are spread, who ran it and when.

use super::super::json::octaves;
use super::markup::{counted, duration, grouped, number, short, text, time};
use super::sql::{Room, pretty};
use crate::report::one_line;
use pgq_digest::report::Row;
use pgq_digest::{BoundedCounts, Example};
use pgq_log::parameter_values;

/// Most names of a kind, characters of a name or a value, and parameters that are shown.
const NAMES: usize = 12;
const CHARACTERS: usize = 300;
const PARAMETERS: usize = 40;

pub fn of_query(row: &Row, room: &mut Room) -> String {
    let query = room.whole(&pretty(&row.title));
    let example = row.group.example.as_deref().map(|example| {
        let is_query = example.params.is_empty() && one_line(&example.sql) == row.title;
        of_example(example, is_query, room)
    });
    format!(
        "<div class=\"known\"><div class=\"texts\"><section><h3>Query</h3><pre class=\"sql\">{query}</pre></section>{}\
         </div><div class=\"facts\">{}{}</div></div>",
        example.unwrap_or_default(),
        latencies(row),
        facts(row)
    )
}

/// The slowest call, or any where no durations are known.
pub fn of_example(example: &Example, is_query: bool, room: &mut Room) -> String {
    let name = if example.duration.is_some() { "Slowest call" } else { "One of them" };
    let sql = if is_query {
        String::new()
    } else {
        let cut = if example.cut { "<em>… cut by pgq, which keeps 64 kB of a statement</em>" } else { "" };
        format!("<pre class=\"sql\">{}{cut}</pre>", room.whole(&example.sql))
    };
    let source = source(example);
    format!("<section><h3>{name}</h3><p class=\"source\">{source}</p>{sql}{}</section>", parameters(&example.params))
}

/// How long it took, when, and who ran it.
fn source(example: &Example) -> String {
    let mut parts = Vec::new();
    if let Some(micros) = example.duration {
        parts.push(format!("<strong>{}</strong>", duration(micros as f64)));
    }
    if let Some(when) = &example.when {
        parts.push(format!("<time>{}</time>", text(&when.text)));
    }
    for (what, name) in
        [("user", &example.user), ("database", &example.database), ("application", &example.application)]
    {
        if !name.is_empty() {
            parts.push(format!("{what} {}", short(&String::from_utf8_lossy(name), CHARACTERS)));
        }
    }
    parts.join(", ")
}

/// Values of parameters, or the text of the log where it is of another form.
fn parameters(params: &[u8]) -> String {
    if params.is_empty() {
        return String::new();
    }
    let Some(values) = parameter_values(params) else {
        return format!("<p class=\"parameters\">{}</p>", short(&String::from_utf8_lossy(params), CHARACTERS * 4));
    };
    let mut out = "<table class=\"parameters\"><tbody>".to_string();
    for (index, value) in values.iter().take(PARAMETERS).enumerate() {
        let value = match value {
            Some(bytes) => format!("<code>{}</code>", short(&String::from_utf8_lossy(bytes), CHARACTERS)),
            None => "<i>NULL</i>".into(),
        };
        out += &format!("<tr><th scope=\"row\">${}</th><td>{value}</td></tr>", index + 1);
    }
    let more = values.len().saturating_sub(PARAMETERS);
    let more = if more > 0 { format!("<p class=\"parameters\">and {more} more</p>") } else { String::new() };
    out + "</tbody></table>" + &more
}

/// The quantiles, and the histogram's figures for the script, which draws it when it is seen.
fn latencies(row: &Row) -> String {
    let (durations, times) = (&row.group.durations, row.times);
    if durations.count() == 0 {
        return "<p class=\"none\">No durations are known.</p>".into();
    }
    let [p50, p95, p99] = [times.p50, times.p95, times.p99].map(|micros| time(micros as f64));
    let counts = octaves(durations).into_iter().map(|(end, count)| format!("{},{count}", end as f64 / 1000.0));
    let counts: Vec<String> = counts.collect();
    format!(
        "<figure class=\"histogram\" data-of=\"{}\"><figcaption><b>Latency</b> of {}: p50 {p50}, p95 {p95}, \
         p99 {p99}</figcaption></figure>",
        counts.join(" "),
        counted(durations.count(), "call", "calls"),
    )
}

/// BoundedCounts and values.
fn facts(row: &Row) -> String {
    let group = &row.group;
    let mut out = String::from("<dl>");
    let mut fact = |name: &str, value: String| {
        if !value.is_empty() {
            out.push_str(&format!("<dt>{name}</dt><dd>{value}</dd>"));
        }
    };
    if group.errors > 0 {
        fact("Errors", names(&group.messages));
    }
    fact("First", group.first.as_ref().map(|when| format!("<time>{}</time>", text(&when.text))).unwrap_or_default());
    fact("Last", group.last.as_ref().map(|when| format!("<time>{}</time>", text(&when.text))).unwrap_or_default());
    fact("Kind", text(&row.kind));
    fact("Tables", tables(&row.tables));
    fact("Users", names(&group.users));
    fact("Databases", names(&group.databases));
    fact("Applications", names(&group.applications));
    if let Some(fingerprint) = row.fingerprint {
        fact("Fingerprint", format!("<code>{fingerprint:016x}</code>"));
    }
    out + "</dl>"
}

fn tables(tables: &[String]) -> String {
    let mut shown: Vec<String> = tables.iter().take(NAMES).map(|table| short(table, CHARACTERS)).collect();
    if tables.len() > NAMES {
        shown.push(format!("and {} more", tables.len() - NAMES));
    }
    shown.join(", ")
}

/// BoundedCounts with their counts, the most frequent first.
fn names(names: &BoundedCounts) -> String {
    let mut sorted: Vec<(&str, u64)> = names.iter().collect();
    sorted.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let rest = sorted.iter().skip(NAMES).map(|(_, count)| count).sum::<u64>() + names.others();
    let mut shown: Vec<String> = sorted
        .iter()
        .take(NAMES)
        .map(|(name, count)| format!("<span>{} <small>{}</small></span>", short(name, CHARACTERS), number(*count)))
        .collect();
    if rest > 0 {
        shown.push(format!("<span>others <small>{}</small></span>", grouped(rest)));
    }
    shown.join("")
}
