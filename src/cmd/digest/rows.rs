//! The groups of a report as rows of Arrow or Parquet: those of the CSV report, in its order.

use anyhow::Result;
use pgq_columns::{GroupColumn, GroupRow, TextListBuilder};
use pgq_digest::report::{ErrorRow, Report, Row};
use pgq_digest::{BoundedTotals, Facet};

use super::figures::hex;
use crate::run::report::{Output, RowBuffer, RowFormat, RowLayout, RowWriter};

/// Writes the groups.
///
/// # Errors
/// A failed write.
pub fn write(report: &Report, format: RowFormat, output: Output) -> Result<()> {
    let layout = RowLayout::all(format);
    let mut writer = RowWriter::new(&layout, output)?;
    let mut rows = RowBuffer::new(&layout);
    for (name, row) in super::groups(report) {
        append(&mut rows, name, row);
    }
    for row in &report.error_kinds {
        append_error(&mut rows, row);
    }
    writer.write(rows.take())?;
    writer.finish()?.complete()
}

fn append(rows: &mut RowBuffer<GroupColumn>, name: &str, row: &Row) {
    let (group, times) = (&row.group, row.times);
    let count = |count: u64| i64::try_from(count).ok();
    let fingerprint = row.fingerprint.map(hex);
    let facets = group.facets.totals();
    let [users, databases, applications, hosts, tags] = Facet::ALL.map(|facet| names(facets.get(facet)));
    let events = group.events_or_none();
    let before = |index: usize| row.before.as_ref().and_then(|before| count(before.percentiles[index]));
    let mut tables = TextListBuilder::default();
    row.tables.iter().for_each(|table| tables.push(Some(table)));
    rows.append(&GroupRow {
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
        temporary_files: count(events.temporary_files),
        temporary_bytes: count(events.temporary_bytes),
        lock_waits: count(events.lock_waits),
        lock_wait_us: count(events.lock_time),
        canceled: count(events.canceled),
        tables: Some(tables.list()),
        change: row.change.map(|change| change.name()),
        before_mean_us: row.before.as_ref().map(|before| before.mean),
        before_p50_us: before(0),
        before_p95_us: before(1),
        before_p99_us: before(2),
        query: Some(&row.title),
    });
}

/// A kind of error, as in the CSV report.
fn append_error(rows: &mut RowBuffer<GroupColumn>, row: &ErrorRow) {
    let fingerprint = row.top_fingerprint().map(hex);
    rows.append(&GroupRow {
        group: Some("error"),
        fingerprint: fingerprint.as_deref(),
        kind: Some(&*row.sqlstate).filter(|sqlstate| !sqlstate.is_empty()),
        errors: i64::try_from(row.count).ok(),
        first: row.first.as_ref().map(|time| &*time.text),
        last: row.last.as_ref().map(|time| &*time.text),
        query: Some(&row.message),
        ..GroupRow::default()
    });
}

fn names(names: &BoundedTotals) -> TextListBuilder {
    let mut list = TextListBuilder::default();
    names.iter().for_each(|(name, _)| list.push(Some(name)));
    list
}
