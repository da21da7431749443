//! The CSV report of `pgq digest`: a row for each query, then one for each other group, so that the
//! columns add up; then one for each kind of error, in the group `error`, which counts the errors of
//! the rows before once more. Times are milliseconds.

use csv::Writer;

use super::figures::hex;
use pgq_digest::Facet;
use pgq_digest::report::{ErrorRow, Report, Row};

/// Columns of a row.
const COLUMNS: usize = 31;

const HEADER: [&str; COLUMNS] = [
    "group",
    "fingerprint",
    "kind",
    "calls",
    "total_ms",
    "share",
    "mean_ms",
    "p50_ms",
    "p95_ms",
    "p99_ms",
    "max_ms",
    "errors",
    "first",
    "last",
    "users",
    "databases",
    "applications",
    "hosts",
    "tags",
    "temporary_files",
    "temporary_bytes",
    "lock_waits",
    "lock_wait_ms",
    "canceled",
    "tables",
    "change",
    "before_mean_ms",
    "before_p50_ms",
    "before_p95_ms",
    "before_p99_ms",
    "query",
];

pub fn write(report: &Report, out: &mut Vec<u8>) {
    let mut writer = Writer::from_writer(out);
    let mut record = |fields: &[String]| writer.write_record(fields).expect("writing to a Vec cannot fail");
    record(&HEADER.map(String::from));
    for (name, row) in super::groups(report) {
        record(&fields(name, row));
    }
    for row in &report.error_kinds {
        record(&error_fields(row));
    }
    writer.flush().expect("writing to a Vec cannot fail");
}

fn fields(name: &str, row: &Row) -> [String; COLUMNS] {
    let (group, times) = (&row.group, row.times);
    let events = group.events_or_none();
    let ms = |micros: u64| format!("{}", micros as f64 / 1000.0);
    let facets = group.facets.totals();
    let names = |facet| facets.get(facet).iter().map(|(name, _)| name).collect::<Vec<_>>().join(" ");
    let before = |index: usize| row.before.as_ref().map(|before| ms(before.percentiles[index])).unwrap_or_default();
    [
        name.to_string(),
        row.fingerprint.map(hex).unwrap_or_default(),
        row.kind.clone(),
        group.calls.to_string(),
        ms(times.total),
        format!("{:.6}", row.share),
        format!("{:.3}", times.mean / 1000.0),
        ms(times.p50),
        ms(times.p95),
        ms(times.p99),
        ms(times.max),
        group.errors.to_string(),
        group.first.as_ref().map(|when| when.text.to_string()).unwrap_or_default(),
        group.last.as_ref().map(|when| when.text.to_string()).unwrap_or_default(),
        names(Facet::User),
        names(Facet::Database),
        names(Facet::Application),
        names(Facet::Host),
        names(Facet::Tag),
        events.temporary_files.to_string(),
        events.temporary_bytes.to_string(),
        events.lock_waits.to_string(),
        ms(events.lock_time),
        events.canceled.to_string(),
        row.tables.join(" "),
        row.change.map(|change| change.name().to_string()).unwrap_or_default(),
        row.before.as_ref().map(|before| format!("{:.3}", before.mean / 1000.0)).unwrap_or_default(),
        before(0),
        before(1),
        before(2),
        row.title.clone(),
    ]
}

/// A kind of error: its SQLSTATE as the kind, its masked message as the query, and the fingerprint of
/// the statement that it was most frequent for.
fn error_fields(row: &ErrorRow) -> [String; COLUMNS] {
    let mut fields: [String; COLUMNS] = Default::default();
    for (name, value) in [
        ("group", "error".into()),
        ("fingerprint", row.top_fingerprint().map(hex).unwrap_or_default()),
        ("kind", row.sqlstate.to_string()),
        ("errors", row.count.to_string()),
        ("first", row.first.as_ref().map(|time| time.text.to_string()).unwrap_or_default()),
        ("last", row.last.as_ref().map(|time| time.text.to_string()).unwrap_or_default()),
        ("query", row.message.to_string()),
    ] {
        let column = HEADER.iter().position(|column| *column == name).expect("a column");
        fields[column] = value;
    }
    fields
}
