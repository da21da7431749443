//! The text report of `pgq digest`: totals, tables as wide as the terminal, and messages. It only formats the figures
//! of `Report`.

use std::io::Write;

use anstyle::{AnsiColor, Style};

use super::figures::{self, hex};
use super::text_changes::{self, change_style, shortened};
use super::text_table::{self, Layout, TextRow};
use crate::run::report::escaped;
use pgq_digest::report::{MessageRow, Report, Row, Sort};
use pgq_digest::{Activity, EventRow, Facet, Kept, Names, Severity, Sum, Totals};

/// Line width if the output is not a terminal.
const DEFAULT_WIDTH: usize = 120;

/// Returns the layout for standard output or a file.
pub fn layout(to_file: bool, wide: bool) -> Layout {
    let terminal = terminal_size::terminal_size().filter(|_| !to_file);
    let width = terminal.map_or(DEFAULT_WIDTH, |(width, _)| usize::from(width.0.max(60)));
    let color = !to_file && anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never;
    Layout { width, color, wide }
}

pub fn write(report: &Report, layout: Layout, out: &mut Vec<u8>) {
    summary(report, out);
    messages(ALARMS, &report.messages_of(Severity::is_alarming), report, out);
    if !report.rows.is_empty() {
        let _ = writeln!(out, "\nqueries by {}\n", sort_label(report.sort));
        table(report, &report.rows, layout, out);
    }
    if report.not_shown.groups > 0 {
        let rest = report.not_shown;
        let queries = figures::counted(rest.groups, "more query", "more queries");
        let totals = totals(rest.calls, rest.errors, rest.total);
        let _ = writeln!(out, "\nand {queries} with {totals} (--top shows more)");
    }
    if !report.unparsed.is_empty() {
        let _ = writeln!(out, "\nstatements that do not parse\n");
        table(report, &report.unparsed, layout, out);
    }
    for row in [&report.truncated, &report.other] {
        if row.group.statements() > 0 {
            let _ = writeln!(out, "\n{}: {}", row.title, totals(row.group.calls, row.group.errors, row.times.total));
        }
    }
    for (title, severity) in MESSAGES {
        messages(title, &report.messages_of(|it| it == severity), report, out);
    }
    if let Some(dropped) = dropped_messages(report) {
        let _ = writeln!(out, "\n{dropped}");
    }
    names(report, layout, out);
    events(report, layout, out);
    text_changes::write(report, layout, out);
}

/// Title of the list of alarming messages ([`Severity::is_alarming`]).
pub const ALARMS: &str = "PANIC, FATAL, and a server that was killed or started";

/// Titles of the lists of non-alarming messages, and the severity of the messages in each list.
pub const MESSAGES: [(&str, Severity); 3] =
    [("errors", Severity::Error), ("warnings", Severity::Warning), ("waits for locks, by lock", Severity::Wait)];

/// Formats totals of queries: `2 calls, 0 errors, 3.00 ms`.
pub fn totals(calls: u64, errors: u64, micros: u64) -> String {
    format!("{}, {}, {}", figures::calls(calls), figures::errors(errors), figures::time(micros as f64))
}

/// Returns a phrase with the number of messages whose kinds the digest dropped to save memory. Returns `None` if it
/// dropped no kind.
pub fn dropped_messages(report: &Report) -> Option<String> {
    let messages = figures::counted(report.other_messages, "message", "messages");
    let floor = figures::count(report.message_floor);
    let text = format!("{messages} of kinds that were dropped, of which each had at most {floor}");
    (report.other_messages > 0).then_some(text)
}

/// Counts the listed queries by their change: new, slower, faster and unknown.
pub fn changes(report: &Report) -> [(&'static str, usize); 4] {
    let is_of = |row: &&Row, name: &str| row.change.is_some_and(|change| change.name() == name);
    ["new", "slower", "faster", "unknown"].map(|name| (name, report.rows.iter().filter(|row| is_of(row, name)).count()))
}

/// Returns a line with the number of calls, the total time and the number of errors of the whole
/// log.
pub fn totals_line(report: &Report) -> String {
    let calls = figures::calls(report.statements);
    format!("{calls}, {} in total, {}", figures::time(report.total as f64), figures::errors(report.errors))
}

/// Returns a line with the number of all queries. If queries were dropped, the line also has the numbers of kept and
/// dropped queries.
pub fn queries_line(report: &Report) -> String {
    let distinct = figures::counted(report.distinct, "distinct query", "distinct queries");
    match report.dropped {
        0 => distinct,
        dropped => format!(
            "{distinct} ({} kept, {} dropped: see --max-memory)",
            figures::count(report.distinct - dropped),
            figures::count(dropped)
        ),
    }
}

/// Returns the description of a sort order.
pub fn sort_label(sort: Sort) -> &'static str {
    match sort {
        Sort::Total => "total time",
        Sort::Count => "calls",
        Sort::Mean => "mean time",
        Sort::Max => "slowest call",
        Sort::P95 => "95th percentile",
        Sort::Errors => "errors",
        Sort::TemporaryFiles => "temporary files",
        Sort::LockTime => "time of waiting for locks",
        Sort::Change => "change of the mean",
    }
}

/// Writes the totals, and the groups of statements that add up to them.
fn summary(report: &Report, out: &mut Vec<u8>) {
    let _ = writeln!(out, "{}", totals_line(report));
    let mut parts = vec![queries_line(report)];
    for (count, what) in [
        (report.unparsed_calls(), "not parsed"),
        (report.truncated.group.calls, "truncated by the log"),
        (report.other.group.calls, "of dropped queries"),
    ] {
        if count > 0 {
            parts.push(format!("{} {what}", figures::calls(count)));
        }
    }
    let _ = writeln!(out, "{}", parts.join(", "));
    if let (Some(first), Some(last)) = (&report.first, &report.last) {
        let _ = writeln!(out, "from {} to {}", escaped(first), escaped(last));
    }
    report.notes.iter().for_each(|note| drop(writeln!(out, "note: {note}")));
    if report.has_baseline {
        let changes = changes(report).map(|(name, count)| format!("{count} {name}")).join(", ");
        let gone = report.gone.len();
        let _ =
            writeln!(out, "compared with the baseline by their means, of the queries shown: {changes}; gone: {gone}");
    }
}

fn table(report: &Report, rows: &[Row], layout: Layout, out: &mut Vec<u8>) {
    let mut header = vec!["#"];
    header.extend(columns(report));
    if layout.wide {
        header.push("fingerprint");
    }
    header.push("query");
    let rows: Vec<TextRow> = rows.iter().enumerate().map(|(index, row)| text_row(report, index, row, layout)).collect();
    text_table::write(&header, &rows, layout, out);
}

fn text_row(report: &Report, index: usize, row: &Row, layout: Layout) -> TextRow {
    let (plain, dimmed) = (Style::new(), Style::new().dimmed());
    let style = |column| match column {
        "errors" if row.group.errors > 0 => AnsiColor::Red.on_default(),
        "before" => row.change.map_or(plain, change_style),
        _ => plain,
    };
    let mut figures = vec![((index + 1).to_string(), dimmed)];
    figures.extend(row_figures(row, report).into_iter().zip(columns(report).into_iter().map(style)));
    if layout.wide {
        figures.push((row.fingerprint.map(hex).unwrap_or_default(), dimmed));
    }
    TextRow { figures, text: shortened(&row.title), is_sql: row.fingerprint.is_some() }
}

/// Returns the headers of the columns with figures in a table of queries.
pub fn columns(report: &Report) -> Vec<&'static str> {
    let mut columns = vec!["calls", "total", "share", "mean", "p95", "max", "errors"];
    columns.extend(sorted_column(report.sort));
    columns.extend(report.has_baseline.then_some("before"));
    columns
}

/// Returns the figures of a query in the order of [`columns`].
pub fn row_figures(row: &Row, report: &Report) -> Vec<String> {
    let times = row.times;
    let mut figures = vec![
        figures::at_least(row.group.calls, row.group.missing),
        figures::time(times.total as f64),
        figures::percent(row.share),
        figures::time(times.mean),
        figures::time(times.p95 as f64),
        figures::time(times.max as f64),
        figures::count(row.group.errors),
    ];
    figures.extend(sorted_column(report.sort).map(|_| sorted_figure(row, report.sort)));
    if report.has_baseline {
        figures.push(row.change.map_or(String::new(), |change| match change.factor() {
            Some(factor) => format!("{} {}", change.name(), figures::factor(factor)),
            None => change.name().to_string(),
        }));
    }
    figures
}

/// Returns the name of the column that this sort order adds to the table. Returns `None` if the table always shows
/// the column by which queries are sorted.
pub fn sorted_column(sort: Sort) -> Option<&'static str> {
    match sort {
        Sort::TemporaryFiles => Some("temporary files"),
        Sort::LockTime => Some("lock time"),
        _ => None,
    }
}

/// Returns a row's figure for the column whose name [`sorted_column`] returns.
pub fn sorted_figure(row: &Row, sort: Sort) -> String {
    let events = row.group.events_or_none();
    match sort {
        Sort::LockTime => figures::lock_time(events.lock_time, events.failed_lock_waits > 0),
        _ => figures::size(events.temporary_bytes),
    }
}

/// Writes the most frequent kinds of messages, up to `--top`.
fn messages(title: &str, rows: &[&MessageRow], report: &Report, out: &mut Vec<u8>) {
    if rows.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{title}\n");
    let (shown, rest) = rows.split_at(rows.len().min(report.top.unwrap_or(usize::MAX)));
    for row in shown {
        let head = [severity(row), &row.key.sqlstate].into_iter().filter(|part| !part.is_empty());
        let head: String = head.map(|part| format!("{} ", escaped(part))).collect();
        let _ =
            writeln!(out, "{:>7}  {head}{}", figures::at_least(row.kind.count, row.missing), escaped(&row.key.message));
        for (label, text) in parts(row) {
            let _ = writeln!(out, "{:>9}{label}: {}", "", shortened(&text));
        }
    }
    let count = rest.iter().map(|row| row.kind.count).fold(0, u64::saturating_add);
    if count > 0 {
        let kinds = figures::counted(rest.len() as u64, "more kind", "more kinds");
        let _ = writeln!(out, "{:>7}  of {kinds} (--top shows more)", figures::count(count));
    }
}

/// Returns the severity of an alarming message. Returns `""` for other messages, because the title of their list names
/// the severity.
pub fn severity(row: &MessageRow) -> &'static str {
    if row.key.severity.is_alarming() { row.key.severity.name() } else { "" }
}

/// Returns the parts of the first message of a kind (DETAIL, HINT, CONTEXT, statement), each on one line. For several
/// lock waits, also returns the process IDs. Only alarming messages, deadlocks and lock waits have parts in the report.
/// For all other messages, returns an empty vector, because they are easy to understand without parts.
pub fn parts(row: &MessageRow) -> Vec<(&'static str, String)> {
    let is_deadlock = &*row.key.sqlstate == "40P01" || row.key.message.contains("deadlock");
    let needs_parts = row.key.severity.is_alarming() || row.key.severity == Severity::Wait || is_deadlock;
    let Some(first) = row.kind.first.as_deref().filter(|_| needs_parts) else { return Vec::new() };
    let labels = ["LOG", "DETAIL", "HINT", "CONTEXT", "STATEMENT"];
    let texts = labels.into_iter().zip(&first.texts);
    // The message itself (LOG) is added only for a lock wait, because this message identifies the lock. The title of
    // the kind does not identify the lock, because the numbers in a title are masked.
    let texts =
        texts.filter(|(label, text)| !text.is_empty() && (*label != "LOG" || row.key.severity == Severity::Wait));
    let processes = (row.kind.waits.len() > 1).then(|| ("PROCESSES", waits(&row.kind.waits)));
    texts.map(|(label, text)| (label, one_line_of(text))).chain(processes).collect()
}

/// Returns the most frequent lock waits by process IDs: `12 for 20 (3 times); 13 for 10; and 2 others`.
fn waits(waits: &Names<u64>) -> String {
    const SHOWN: usize = 10;
    let times = |count: u64| if count > 1 { format!(" ({} times)", figures::count(count)) } else { String::new() };
    let mut shown: Vec<String> =
        waits.ranked().iter().take(SHOWN).map(|(processes, kept)| format!("{processes}{}", times(kept.sum))).collect();
    let others = waits.len() - shown.len();
    if others > 0 {
        shown.push(format!("and {}", figures::counted(others as u64, "other", "others")));
    }
    shown.join("; ")
}

fn one_line_of(text: &str) -> String {
    text.lines().map(str::trim).collect::<Vec<_>>().join("; ")
}

/// Writes the users, databases, applications, hosts and tags with the most time. A list with only one name is omitted,
/// except for the list of tags.
fn names(report: &Report, layout: Layout, out: &mut Vec<u8>) {
    for (title, facet) in FACETS {
        let names = report.facets.get(facet);
        if names.len() < 2 && facet != Facet::Tag || names.is_empty() {
            continue;
        }
        let _ = writeln!(out, "\n{title}\n");
        let (shown, rest) = ranked_names(names, report.top);
        let rows: Vec<TextRow> = shown
            .iter()
            .map(|(name, kept)| TextRow {
                figures: name_figures(&kept.sum.totals, kept.missing).map(|figure| (figure, Style::new())).into(),
                text: shortened(name),
                is_sql: false,
            })
            .collect();
        text_table::write(&["calls", "total", "errors", "name"], &rows, layout, out);
        if rest > 0 {
            let _ = writeln!(out, "\nand {} (--top shows more)", figures::counted(rest, "more name", "more names"));
        }
    }
}

/// The facets (users, databases and so on), and the titles of their lists.
pub const FACETS: [(&str, Facet); 5] = [
    ("users", Facet::User),
    ("databases", Facet::Database),
    ("applications", Facet::Application),
    ("hosts", Facet::Host),
    ("tags", Facet::Tag),
];

/// A name and the totals of its statements.
type RankedName<'a> = (&'a str, &'a Kept<Activity>);

/// Returns the names (such as users) whose statements took the most time, and the number of all other names.
pub fn ranked_names(names: &Names<Activity>, top: Option<usize>) -> (Vec<RankedName<'_>>, u64) {
    let mut all: Vec<RankedName<'_>> = names.iter().map(|(name, kept)| (&**name, kept)).collect();
    all.sort_by_key(|(_, kept)| std::cmp::Reverse((kept.sum.totals.time, kept.sum.totals.weight())));
    let rest = all.len() - all.len().min(top.unwrap_or(usize::MAX));
    all.truncate(all.len() - rest);
    (all, rest as u64)
}

/// Formats the calls, time and errors of a name.
pub fn name_figures(totals: &Totals, missing: u64) -> [String; 3] {
    [figures::at_least(totals.calls, missing), figures::time(totals.time as f64), figures::count(totals.errors)]
}

/// Queries with one kind of event, such as lock waits. Each row has the query's figures as text.
pub struct EventList<'a> {
    /// Anchor for links.
    pub id: &'static str,
    pub title: String,
    pub rows: Vec<(String, &'a EventRow)>,
}

/// Returns the non-empty lists of events.
pub fn event_lists(report: &Report) -> Vec<EventList<'_>> {
    let (all, stray, rows) = (&report.events, &report.stray_events, &report.event_rows);
    let unknown = |count: u64| match count {
        0 => String::new(),
        count => format!(", {} of statements that the log does not name", figures::count(count)),
    };
    let of_row = |row: &EventRow, figure| figures::bounded(figure, row.is_lower_bound);
    let files = |bytes, count| format!("{} in {}", figures::size(bytes), figures::counted(count, "file", "files"));
    let waits = |micros, is_lower_bound, count| {
        format!("{} in {}", figures::lock_time(micros, is_lower_bound), figures::counted(count, "wait", "waits"))
    };
    let mut lists = Vec::new();
    if all.temporary_files > 0 {
        let sum = files(all.temporary_bytes, all.temporary_files) + &unknown(stray.temporary_files);
        let rows = &rows.temporary_files;
        let rows = rows.iter().map(|row| (of_row(row, files(row.amount, row.count)), row)).collect();
        lists.push(EventList { id: "files", title: format!("temporary files: {sum}"), rows });
    }
    if all.lock_waits > 0 {
        let sum = waits(all.lock_time, all.failed_lock_waits > 0, all.lock_waits) + &unknown(stray.lock_waits);
        let waits = |row: &EventRow| waits(row.amount, row.is_lower_bound, row.count);
        let rows = rows.lock_waits.iter().map(|row| (waits(row), row)).collect();
        lists.push(EventList { id: "locks", title: format!("waits for locks: {sum}"), rows });
    }
    if all.canceled > 0 {
        let rows = rows.canceled.iter().map(|row| (of_row(row, figures::count(row.count)), row)).collect();
        lists.push(EventList {
            id: "canceled",
            title: format!("canceled statements: {}{}", figures::count(all.canceled), unknown(stray.canceled)),
            rows,
        });
    }
    lists
}

/// Writes the temporary files, lock waits and canceled statements.
fn events(report: &Report, layout: Layout, out: &mut Vec<u8>) {
    for list in event_lists(report) {
        let _ = writeln!(out, "\n{}\n", list.title);
        let rows: Vec<TextRow> = list
            .rows
            .iter()
            .map(|(figure, row)| TextRow {
                figures: vec![(figure.clone(), Style::new())],
                text: shortened(&row.title),
                is_sql: true,
            })
            .collect();
        text_table::write(&["", "query"], &rows, layout, out);
    }
}
