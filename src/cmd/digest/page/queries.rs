//! The table of queries: a body for each, of a row with its figures and a row with what else
//! is known, which the script opens and closes.

use super::markup::{counted, data, digits, duration, number, percent};
use super::sql::Room;
use super::{detail, sql};
use pgq_digest::baseline::Change;
use pgq_digest::report::{Report, Row, Sort};

/// Columns of figures: class, name, what it is.
const COLUMNS: [(&str, &str, &str); 9] = [
    ("calls", "Calls", "Executions; statements of errors are not among them"),
    ("total", "Total", "Time of all calls"),
    ("share", "Share", "Part of the time of all statements in the log"),
    ("mean", "Mean", "Time a call"),
    ("p50", "p50", "Half of the calls took no longer"),
    ("p95", "p95", "95 % of the calls took no longer"),
    ("p99", "p99", "99 % of the calls took no longer"),
    ("max", "Max", "The slowest call"),
    ("errors", "Errors", "Statements that failed"),
];

pub fn section(report: &Report, room: &mut Room) -> String {
    if report.rows.is_empty() {
        return "<p class=\"none\">There are no queries.</p>\n".into();
    }
    let mut out = format!("<table class=\"queries\" id=\"queries-table\">\n{}", head(report));
    for (index, row) in report.rows.iter().enumerate() {
        out += &body(index + 1, row, report.has_baseline, room);
    }
    out += "</table>\n";
    let rest = report.left_out;
    if rest.groups > 0 {
        let (queries, calls) = (counted(rest.groups, "query is", "queries are"), counted(rest.calls, "call", "calls"));
        let errors = counted(rest.errors, "error", "errors");
        let total = duration(rest.total as f64);
        out += &format!(
            "<p class=\"note\">{queries} not listed: {calls}, {total}, {errors}. <code>--top</code> lists more.</p>\n"
        );
    }
    out
}

/// The name by which a query can be linked to.
pub fn id(row: &Row) -> String {
    format!("q-{:016x}", row.fingerprint.unwrap_or_default())
}

fn head(report: &Report) -> String {
    let sorted = match report.sort {
        Sort::Total => "total",
        Sort::Count => "calls",
        Sort::Mean => "mean",
        Sort::Max => "max",
        Sort::P95 => "p95",
        Sort::Errors => "errors",
    };
    let mut out = "<thead><tr><th scope=\"col\" class=\"rank\" title=\"As pgq digest sorted them\">#</th>\
                   <th scope=\"col\" class=\"query\">Query</th>"
        .to_string();
    for (class, name, title) in COLUMNS {
        let order = if class == sorted { " aria-sort=\"descending\"" } else { "" };
        out += &format!("<th scope=\"col\" class=\"{class}\" title=\"{title}\"{order}>{name}</th>");
    }
    if report.has_baseline {
        out += "<th scope=\"col\" class=\"change\" title=\"The mean against the baseline's\">Change</th>";
    }
    out + "</tr></thead>\n"
}

fn body(rank: usize, row: &Row, has_baseline: bool, room: &mut Room) -> String {
    let (group, times) = (&row.group, row.times);
    let share = format!(
        "{}<svg width=\"100%\" height=\"4\" aria-hidden=\"true\"><rect width=\"{:.1}%\" height=\"4\"/></svg>",
        data(row.share, &percent(row.share)),
        row.share * 100.0
    );
    let figures = [
        number(group.calls),
        duration(times.total as f64),
        share,
        duration(times.mean),
        duration(times.p50 as f64),
        duration(times.p95 as f64),
        duration(times.p99 as f64),
        duration(times.max as f64),
        number(group.errors),
    ];
    let mut out = format!(
        "<tbody id=\"{}\"><tr class=\"row\"><td class=\"rank\"><data value=\"{rank}\">{rank}</data></td>\
         <td class=\"query\"><code>{}</code></td>",
        id(row),
        sql::start(&row.title)
    );
    for ((class, ..), figure) in COLUMNS.iter().zip(&figures) {
        let class = match *class {
            "errors" if group.errors > 0 => "errors some",
            class => class,
        };
        out += &format!("<td class=\"{class}\">{figure}</td>");
    }
    if has_baseline {
        out += &format!("<td class=\"change\">{}</td>", row.change.map(change).unwrap_or_default());
    }
    let columns = COLUMNS.len() + 2 + usize::from(has_baseline);
    out + &format!(
        "</tr><tr class=\"detail\"><td colspan=\"{columns}\">{}</td></tr></tbody>\n",
        detail::of_query(row, room)
    )
}

/// A mark for a query that is not as it was: how many times the mean it was before its mean is.
fn change(change: Change) -> String {
    let name = change.name();
    let factor = change.factor().map(|factor| data(factor, &format!("{}×", digits(factor))));
    match change {
        Change::Unchanged(_) => factor.unwrap_or_else(|| "–".into()),
        Change::New => format!("<span class=\"mark new\">{name}</span>"),
        _ => format!("<span class=\"mark {name}\">{name} {}</span>", factor.unwrap_or_default()),
    }
}
