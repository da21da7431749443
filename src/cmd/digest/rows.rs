//! Writes a report as Arrow or Parquet, and provides the rows of CSV. [`GroupColumn`] lists the columns.

use anyhow::Result;
use pgq_columns::{GroupColumn, GroupRow, TextListBuilder};
use pgq_digest::report::{GroupTotals, MessageRow, Report, Row};
use pgq_digest::{Events, Facet, Names, Severity, Sum};

use super::figures::{counted, hex};
use super::{TableRow, table_rows};
use crate::run::report::{Output, RowBuffer, RowFormat, RowLayout, RowWriter};

/// Writes the rows.
///
/// # Errors
/// Writing fails.
pub fn write(report: &Report, format: RowFormat, output: Output) -> Result<()> {
    let layout = RowLayout::<GroupColumn>::all(format);
    let mut writer = RowWriter::new(&layout, output)?;
    let mut rows = RowBuffer::new(&layout);
    table_rows(report).for_each(|row| with_row(&row, |row| rows.append(row)));
    writer.write(rows.take())?;
    writer.finish()?.complete()
}

/// Passes a row's values to `take`.
pub fn with_row(row: &TableRow<'_>, take: impl FnOnce(&GroupRow<'_>)) {
    match row {
        TableRow::Group(name, row) => with_group(name, row, take),
        TableRow::NotShown(totals, share, events) => with_totals(totals, *share, events, take),
        TableRow::Stray(errors, events) => with_events(
            GroupRow {
                group: Some("stray"),
                errors: count(*errors),
                query: Some("errors and events without a statement"),
                ..GroupRow::default()
            },
            events,
            take,
        ),
        TableRow::Message(row) => with_message(row, take),
    }
}

fn with_totals(totals: &GroupTotals, share: f64, events: &Events, take: impl FnOnce(&GroupRow<'_>)) {
    let title = counted(totals.groups, "query that is not shown", "queries that are not shown");
    let row = GroupRow {
        group: Some("not_shown"),
        calls: count(totals.calls),
        total_us: count(totals.total),
        share: Some(share),
        errors: count(totals.errors),
        missing: count(totals.missing),
        query: Some(&title),
        ..GroupRow::default()
    };
    with_events(row, events, take);
}

fn count(count: u64) -> Option<i64> {
    i64::try_from(count).ok()
}

fn with_group(name: &str, row: &Row, take: impl FnOnce(&GroupRow<'_>)) {
    let (group, times) = (&row.group, row.times);
    let fingerprint = row.fingerprint.map(hex);
    let facets = group.facets.totals();
    let [users, databases, applications, hosts, tags] = Facet::ALL.map(|facet| names(facets.get(facet)));
    let events = group.events_or_none();
    let before = |index: usize| row.before.as_ref().and_then(|before| count(before.percentiles[index]));
    let mut tables = TextListBuilder::default();
    row.tables.iter().for_each(|table| tables.push(Some(table)));
    let row = GroupRow {
        group: Some(name),
        fingerprint: fingerprint.as_deref(),
        kind: Some(row.kind.as_str()).filter(|kind| !kind.is_empty()),
        calls: count(group.calls),
        total_us: count(times.total),
        share: Some(row.share),
        mean_us: Some(times.mean),
        p50_us: count(times.p50),
        p95_us: count(times.p95),
        p99_us: count(times.p99),
        max_us: count(times.max),
        errors: count(group.errors),
        first: group.first.as_ref().map(|time| &*time.text),
        last: group.last.as_ref().map(|time| &*time.text),
        users: Some(users.list()),
        databases: Some(databases.list()),
        applications: Some(applications.list()),
        hosts: Some(hosts.list()),
        tags: Some(tags.list()),
        missing: count(group.missing),
        tables: Some(tables.list()),
        change: row.change.map(|change| change.name()),
        before_mean_us: row.before.as_ref().map(|before| before.mean),
        before_p50_us: before(0),
        before_p95_us: before(1),
        before_p99_us: before(2),
        query: Some(&row.title),
        ..GroupRow::default()
    };
    with_events(row, events, take);
}

fn with_events(row: GroupRow<'_>, events: &Events, take: impl FnOnce(&GroupRow<'_>)) {
    take(&GroupRow {
        temporary_files: count(events.temporary_files),
        temporary_bytes: count(events.temporary_bytes),
        lock_waits: count(events.lock_waits),
        failed_lock_waits: count(events.failed_lock_waits),
        lock_wait_us: count(events.lock_time),
        canceled: count(events.canceled),
        ..row
    });
}

/// Passes the output row of one kind of message to `take`. A kind consists of all messages that are equal after
/// masking. The column `kind` has the SQLSTATE, `query` has the masked message, and `fingerprint` identifies the
/// statement that caused most of the messages.
fn with_message(row: &MessageRow, take: impl FnOnce(&GroupRow<'_>)) {
    let fingerprint = row.top_fingerprint().map(hex);
    let severity = row.key.severity;
    let [users, databases, hosts] = [0, 1, 2].map(|index| names(&row.kind.names[index]));
    let time = |example: &Option<Box<pgq_digest::MessageExample>>| {
        example.as_ref().and_then(|example| example.time.as_ref()).map(|time| time.text.to_string())
    };
    let (first, last) = (time(&row.kind.first), time(&row.kind.last));
    take(&GroupRow {
        group: Some(match severity {
            Severity::Panic | Severity::Fatal | Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Server | Severity::Wait => "log",
        }),
        fingerprint: fingerprint.as_deref(),
        kind: Some(&*row.key.sqlstate).filter(|sqlstate| !sqlstate.is_empty()),
        severity: Some(severity.name()),
        errors: if severity.is_error() { count(row.kind.count) } else { None },
        calls: if severity.is_error() { None } else { count(row.kind.count) },
        first: first.as_deref(),
        last: last.as_deref(),
        users: Some(users.list()),
        databases: Some(databases.list()),
        hosts: Some(hosts.list()),
        missing: count(row.missing),
        query: Some(&row.key.message),
        ..GroupRow::default()
    });
}

fn names<S: Sum>(names: &Names<S>) -> TextListBuilder {
    let mut list = TextListBuilder::default();
    names.iter().for_each(|(name, _)| list.push(Some(name)));
    list
}
