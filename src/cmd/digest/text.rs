//! The text report of `pgq digest`: totals, tables as wide as the terminal, errors. It adds nothing to
//! what `Report` has computed.

use std::io::Write;

use anstyle::{AnsiColor, Style};

use super::figures::{self, excerpt, hex};
use super::text_changes;
use super::text_table::{self, Layout, TextRow};
use pgq_digest::EventRow;
use pgq_digest::baseline::Change;
use pgq_digest::report::{Report, Row, Sort};

/// Characters in a line where the output is not a terminal.
const DEFAULT_WIDTH: usize = 120;

/// Characters of a query.
const QUERY_CHARACTERS: usize = 600;

/// Rows in the lists of errors and of queries that are gone; also those of Markdown.
pub const LIST_ROWS: usize = 10;

/// The layout for standard output, or for a file.
pub fn layout(to_file: bool, wide: bool) -> Layout {
    let terminal = terminal_size::terminal_size().filter(|_| !to_file);
    let width = terminal.map_or(DEFAULT_WIDTH, |(width, _)| usize::from(width.0.max(60)));
    let color = !to_file && anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never;
    Layout { width, color, wide }
}

pub fn write(report: &Report, layout: Layout, out: &mut Vec<u8>) {
    summary(report, out);
    if !report.rows.is_empty() {
        let _ = writeln!(out, "\nqueries by {}\n", sort_label(report.sort));
        table(report, &report.rows, layout, out);
    }
    if report.not_shown.groups > 0 {
        let rest = report.not_shown;
        let _ = writeln!(
            out,
            "\nand {} with {}, {}, {} (--top shows more)",
            figures::counted(rest.groups, "more query", "more queries"),
            figures::calls(rest.calls),
            figures::errors(rest.errors),
            figures::time(rest.total as f64)
        );
    }
    if !report.unparsed.is_empty() {
        let _ = writeln!(out, "\nstatements that do not parse\n");
        table(report, &report.unparsed, layout, out);
    }
    for row in [&report.truncated, &report.other] {
        if row.group.calls + row.group.errors > 0 {
            let (calls, errors) = (figures::calls(row.group.calls), figures::errors(row.group.errors));
            let _ = writeln!(out, "\n{}: {calls}, {errors}, {}", row.title, figures::time(row.times.total as f64));
        }
    }
    errors(report, out);
    events(report, layout, out);
    text_changes::write(report, layout, out);
}

/// Statements, time and errors of the whole log, in one line.
pub fn totals_line(report: &Report) -> String {
    let calls = figures::calls(report.statements);
    format!("{calls}, {} in total, {}", figures::time(report.total as f64), figures::errors(report.errors))
}

/// How many queries there are, and whether all of them were kept.
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

/// What the rows are sorted by.
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
    }
}

/// The totals, and the groups of statements that add up to them.
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
        let _ = writeln!(out, "from {first} to {last}");
    }
    if report.has_baseline {
        let count = |name: &str| report.rows.iter().filter(|row| row.change.is_some_and(|c| c.name() == name)).count();
        let (new, slower, faster) = (count("new"), count("slower"), count("faster"));
        let _ = writeln!(
            out,
            "compared with the baseline by their means, of the queries shown: {new} new, {slower} slower, {faster} faster; \
             gone: {}",
            report.gone.len()
        );
    }
}

fn table(report: &Report, rows: &[Row], layout: Layout, out: &mut Vec<u8>) {
    let mut header = vec!["#", "calls", "total", "share", "mean", "p95", "max", "errors"];
    if report.has_baseline {
        header.push("before");
    }
    if layout.wide {
        header.push("fingerprint");
    }
    header.push("query");
    let rows: Vec<TextRow> = rows.iter().enumerate().map(|(index, row)| text_row(report, index, row, layout)).collect();
    text_table::write(&header, &rows, layout, out);
}

fn text_row(report: &Report, index: usize, row: &Row, layout: Layout) -> TextRow {
    let (times, plain) = (row.times, Style::new());
    let errors = if row.group.errors > 0 { AnsiColor::Red.on_default() } else { plain };
    let mut figures = vec![
        ((index + 1).to_string(), plain.dimmed()),
        (figures::count(row.group.calls), plain),
        (figures::time(times.total as f64), plain),
        (figures::percent(row.share), plain),
        (figures::time(times.mean), plain),
        (figures::time(times.p95 as f64), plain),
        (figures::time(times.max as f64), plain),
        (figures::count(row.group.errors), errors),
    ];
    if report.has_baseline {
        let text = row.change.map_or(String::new(), |change| match change.factor() {
            Some(factor) => format!("{} {}", change.name(), figures::factor(factor)),
            None => change.name().to_string(),
        });
        figures.push((text, row.change.map_or(plain, change_style)));
    }
    if layout.wide {
        figures.push((row.fingerprint.map(hex).unwrap_or_default(), plain.dimmed()));
    }
    TextRow { figures, text: shortened(&row.title), is_sql: row.fingerprint.is_some() }
}

pub fn change_style(change: Change) -> Style {
    match change {
        Change::New => AnsiColor::Yellow.on_default(),
        Change::Slower { .. } => AnsiColor::Red.on_default(),
        Change::Faster { .. } => AnsiColor::Green.on_default(),
        _ => Style::new(),
    }
}

/// The most frequent errors of all statements.
fn errors(report: &Report, out: &mut Vec<u8>) {
    if report.error_kinds.is_empty() {
        return;
    }
    let _ = writeln!(out, "\nerrors\n");
    for row in report.error_kinds.iter().take(LIST_ROWS) {
        let sqlstate = if row.sqlstate.is_empty() { String::new() } else { format!("{} ", row.sqlstate) };
        let message = crate::run::report::escaped(&row.message);
        let _ = writeln!(out, "{:>7}  {sqlstate}{message}", figures::count(row.count));
    }
    let rest = &report.error_kinds[report.error_kinds.len().min(LIST_ROWS)..];
    let count = rest.iter().map(|row| row.count).sum::<u64>() + report.other_errors;
    if count > 0 {
        let _ = writeln!(
            out,
            "{:>7}  others, of {}",
            figures::count(count),
            figures::counted(rest.len() as u64, "kind", "kinds")
        );
    }
}

/// A list of queries with events of a kind: its title, and a line of figures for each query.
pub struct EventList<'a> {
    pub title: String,
    pub rows: Vec<(String, &'a EventRow)>,
}

/// The lists of events that there are.
pub fn event_lists(report: &Report) -> Vec<EventList<'_>> {
    let (all, stray, rows) = (&report.events, &report.stray_events, &report.event_rows);
    let unknown = |count: u64| match count {
        0 => String::new(),
        count => format!(", {} of statements that the log does not name", figures::count(count)),
    };
    let files = |bytes, count| format!("{} in {}", figures::size(bytes), figures::counted(count, "file", "files"));
    let waits =
        |micros, count| format!("{} in {}", figures::time(micros as f64), figures::counted(count, "wait", "waits"));
    let mut lists = Vec::new();
    if all.temporary_files > 0 {
        let sum = files(all.temporary_bytes, all.temporary_files) + &unknown(stray.temporary_files);
        let rows = rows.temporary_files.iter().map(|row| (files(row.amount, row.count), row)).collect();
        lists.push(EventList { title: format!("temporary files: {sum}"), rows });
    }
    if all.lock_waits > 0 {
        let sum = waits(all.lock_time, all.lock_waits) + &unknown(stray.lock_waits);
        let rows = rows.lock_waits.iter().map(|row| (waits(row.amount, row.count), row)).collect();
        lists.push(EventList { title: format!("waits for locks: {sum}"), rows });
    }
    if all.canceled > 0 {
        let rows = rows.canceled.iter().map(|row| (figures::count(row.count), row)).collect();
        lists.push(EventList { title: format!("canceled statements: {}", figures::count(all.canceled)), rows });
    }
    lists
}

/// Temporary files, waits for locks and canceled statements.
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

/// The start of a query, without characters that would act on the terminal.
pub fn shortened(query: &str) -> String {
    excerpt(&crate::run::report::escaped(query), QUERY_CHARACTERS).to_string()
}
