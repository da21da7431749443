//! The JSON report of `pgq digest`: one document, described in docs/digest.md. Times are
//! milliseconds. A row of `timeline` is the start of a bin in seconds since 1970, the calls
//! that ended in it, the milliseconds that calls ran in it, and errors. A row of `histogram` is the upper bound of a bucket in milliseconds and
//! its calls; the bucket begins at the bound before.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::figures::hex;
use pgq_digest::report::{ErrorRow, Report, Row};
use pgq_digest::{BoundedCounts, BoundedTotals, Durations, Events, Facet, FacetTotals, Totals};
use pgq_log::parameter_values;

/// Writes the document while it is made: one of many queries is large.
///
/// # Errors
/// A failed write.
pub fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, &Document::new(report))?;
    out.write_all(b"\n")
}

#[derive(serde::Serialize)]
struct Document<'a> {
    statements: u64,
    errors: u64,
    total_ms: Ms,
    first: Option<&'a str>,
    last: Option<&'a str>,
    distinct_queries: u64,
    groups: Each<'a, Row, Query<'a>>,
    not_shown: NotShown,
    /// Calls of statements that do not parse.
    unparsed: u64,
    unparsed_groups: Vec<Other<'a>>,
    /// Calls of statements that the log truncated.
    truncated: u64,
    truncated_group: Other<'a>,
    /// Calls of queries beyond `--max-memory`.
    other: u64,
    other_groups_dropped: u64,
    other_group: Other<'a>,
    /// All errors by SQLSTATE and masked message, the most frequent first.
    error_kinds: Vec<ErrorKind<'a>>,
    /// Errors of further kinds.
    other_errors: u64,
    /// What all statements did beside running.
    events: EventCounts,
    /// Of these, those of statements that the log does not name.
    stray_events: EventCounts,
    timeline: Timeline,
    #[serde(flatten)]
    facets: Facets,
    #[serde(skip_serializing_if = "Option::is_none")]
    gone: Option<Vec<Gone<'a>>>,
}

#[derive(serde::Serialize)]
struct ErrorKind<'a> {
    sqlstate: Option<&'a str>,
    message: &'a str,
    count: u64,
    first: Option<&'a str>,
    last: Option<&'a str>,
    /// The earliest message as in the log.
    example: &'a str,
    /// The most frequent statements.
    statements: Vec<FailedStatement>,
    other_statements: u64,
}

#[derive(serde::Serialize)]
struct FailedStatement {
    fingerprint: Option<String>,
    count: u64,
}

/// Statements that are listed of a kind of error.
const STATEMENTS_OF_ERROR: usize = 20;

#[derive(serde::Serialize)]
struct NotShown {
    groups: u64,
    calls: u64,
    errors: u64,
    total_ms: Ms,
}

#[derive(serde::Serialize)]
struct Timeline {
    seconds: i64,
    bins: Vec<(i64, u64, Ms, u64)>,
}

#[derive(serde::Serialize)]
struct Gone<'a> {
    fingerprint: String,
    normalized: &'a str,
    calls: u64,
    mean_ms: f64,
}

/// The group of one query.
#[derive(serde::Serialize)]
struct Query<'a> {
    fingerprint: Option<String>,
    normalized: &'a str,
    #[serde(flatten)]
    stats: Stats<'a>,
    tables: &'a [String],
    kind: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<Change>,
    example: Option<Example<'a>>,
    /// The latest call, unless it is the example.
    #[serde(skip_serializing_if = "Option::is_none")]
    latest: Option<Example<'a>>,
    /// The earliest that failed, unless it is the example.
    #[serde(skip_serializing_if = "Option::is_none")]
    failed: Option<Example<'a>>,
}

#[derive(serde::Serialize)]
struct Change {
    is: &'static str,
    times_before: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<Before>,
}

/// A query in the baseline.
#[derive(serde::Serialize)]
struct Before {
    calls: u64,
    mean_ms: f64,
    p50_ms: Ms,
    p95_ms: Ms,
    p99_ms: Ms,
}

/// A group of statements without a fingerprint.
#[derive(serde::Serialize)]
struct Other<'a> {
    reason: &'a str,
    #[serde(flatten)]
    stats: Stats<'a>,
    example: Option<Example<'a>>,
}

/// What every group has.
#[derive(serde::Serialize)]
struct Stats<'a> {
    calls: u64,
    total_ms: Ms,
    share: f64,
    mean_ms: f64,
    p50_ms: Ms,
    p95_ms: Ms,
    p99_ms: Ms,
    max_ms: Ms,
    errors: u64,
    messages: NameCounts<'a>,
    first: Option<&'a str>,
    last: Option<&'a str>,
    #[serde(flatten)]
    facets: Facets,
    timeline: Timeline,
    #[serde(skip_serializing_if = "Option::is_none")]
    events: Option<EventCounts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plans: Option<Plans<'a>>,
    histogram: Vec<(Ms, u64)>,
}

/// Totals by name.
#[derive(serde::Serialize)]
struct Facets {
    users: NameTotals,
    databases: NameTotals,
    applications: NameTotals,
    hosts: NameTotals,
    tags: NameTotals,
}

/// Counts of events; bytes of files, and milliseconds until locks were granted.
#[derive(Default, PartialEq, serde::Serialize)]
struct EventCounts {
    temporary_files: u64,
    temporary_bytes: u64,
    lock_waits: u64,
    lock_wait_ms: Ms,
    canceled: u64,
}

/// The plans of auto_explain.
#[derive(serde::Serialize)]
struct Plans<'a> {
    logged: u64,
    /// Plans that differ in their nodes; of more than 64, 64.
    different: usize,
    slowest_ms: Ms,
    slowest_time: Option<&'a str>,
    /// As the server wrote it.
    slowest: &'a str,
}

#[derive(serde::Serialize)]
struct Example<'a> {
    sql: Cow<'a, str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    cut: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    params: Option<Params>,
    duration_ms: Option<Ms>,
    time: Option<&'a str>,
    user: String,
    database: String,
    application: String,
}

/// Parameters as an array, or as the text of the log where it has another form.
#[derive(serde::Serialize)]
#[serde(untagged)]
enum Params {
    Values(Vec<Option<String>>),
    Text(String),
}

/// Microseconds, written as milliseconds.
#[derive(Clone, Copy, Default, PartialEq)]
struct Ms(u64);

impl Serialize for Ms {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0 as f64 / 1000.0)
    }
}

struct NameCounts<'a>(&'a BoundedCounts);

impl Serialize for NameCounts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, count) in self.0.iter() {
            map.serialize_entry(name, count)?;
        }
        if *self.0.others() > 0 {
            map.serialize_entry(OTHERS, self.0.others())?;
        }
        map.end()
    }
}

struct NameTotals(BoundedTotals);

impl Serialize for NameTotals {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, totals) in self.0.iter() {
            map.serialize_entry(name, &CallTotals::new(totals))?;
        }
        if self.0.others().statements() > 0 {
            map.serialize_entry(OTHERS, &CallTotals::new(self.0.others()))?;
        }
        map.end()
    }
}

/// The name that stands for all that are not kept.
const OTHERS: &str = "(others)";

#[derive(serde::Serialize)]
struct CallTotals {
    calls: u64,
    total_ms: Ms,
    errors: u64,
}

impl CallTotals {
    fn new(totals: &Totals) -> Self {
        Self { calls: totals.calls, total_ms: Ms(totals.time), errors: totals.errors }
    }
}

impl Facets {
    fn new(facets: &FacetTotals) -> Self {
        let totals = |facet| NameTotals(facets.get(facet).clone());
        Self {
            users: totals(Facet::User),
            databases: totals(Facet::Database),
            applications: totals(Facet::Application),
            hosts: totals(Facet::Host),
            tags: totals(Facet::Tag),
        }
    }
}

impl Timeline {
    fn new(seconds: i64, bins: impl Iterator<Item = (i64, Totals)>) -> Self {
        Self { seconds, bins: bins.map(|(start, bin)| (start, bin.calls, Ms(bin.time), bin.errors)).collect() }
    }
}

/// An array of what is made of each item when its turn comes.
struct Each<'a, T, U>(&'a [T], fn(&'a T) -> U);

impl<T, U: Serialize> Serialize for Each<'_, T, U> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(self.1))
    }
}

impl<'a> Document<'a> {
    fn new(report: &'a Report) -> Self {
        let rest = report.not_shown;
        let gone = report.gone.iter().map(|gone| Gone {
            fingerprint: hex(gone.fingerprint),
            normalized: &gone.query.normalized,
            calls: gone.query.calls,
            mean_ms: gone.query.mean / 1000.0,
        });
        Self {
            statements: report.statements,
            errors: report.errors,
            total_ms: Ms(report.total),
            first: report.first.as_deref(),
            last: report.last.as_deref(),
            distinct_queries: report.distinct,
            groups: Each(&report.rows, Query::new),
            not_shown: NotShown {
                groups: rest.groups,
                calls: rest.calls,
                errors: rest.errors,
                total_ms: Ms(rest.total),
            },
            unparsed: report.unparsed_calls(),
            unparsed_groups: report.unparsed.iter().map(Other::new).collect(),
            truncated: report.truncated.group.calls,
            truncated_group: Other::new(&report.truncated),
            other: report.other.group.calls,
            other_groups_dropped: report.dropped,
            other_group: Other::new(&report.other),
            error_kinds: report.error_kinds.iter().map(ErrorKind::new).collect(),
            other_errors: report.other_errors,
            events: EventCounts::new(&report.events),
            stray_events: EventCounts::new(&report.stray_events),
            timeline: Timeline::new(report.bin_seconds, report.bins.iter().copied()),
            facets: Facets::new(&report.facets),
            gone: report.has_baseline.then(|| gone.collect()),
        }
    }
}

impl<'a> ErrorKind<'a> {
    fn new(row: &'a ErrorRow) -> Self {
        let (listed, rest) = row.statements.split_at(row.statements.len().min(STATEMENTS_OF_ERROR));
        Self {
            sqlstate: Some(&*row.sqlstate).filter(|sqlstate| !sqlstate.is_empty()),
            message: &row.message,
            count: row.count,
            first: row.first.as_ref().map(|time| &*time.text),
            last: row.last.as_ref().map(|time| &*time.text),
            example: &row.example,
            statements: listed
                .iter()
                .map(|(fingerprint, count)| FailedStatement { fingerprint: fingerprint.map(hex), count: *count })
                .collect(),
            other_statements: rest.iter().map(|(_, count)| count).sum::<u64>() + row.other_statements,
        }
    }
}

impl<'a> Query<'a> {
    fn new(row: &'a Row) -> Self {
        Self {
            fingerprint: row.fingerprint.map(hex),
            normalized: &row.title,
            stats: Stats::new(row),
            tables: &row.tables,
            kind: &row.kind,
            change: row.change.map(|change| Change {
                is: change.name(),
                times_before: change.factor(),
                before: row.before.as_ref().map(|before| Before {
                    calls: before.calls,
                    mean_ms: before.mean / 1000.0,
                    p50_ms: Ms(before.percentiles[0]),
                    p95_ms: Ms(before.percentiles[1]),
                    p99_ms: Ms(before.percentiles[2]),
                }),
            }),
            example: row.group.example.as_deref().map(Example::new),
            latest: row.group.latest.as_deref().map(Example::new),
            failed: failed(row).map(Example::new),
        }
    }
}

impl<'a> Other<'a> {
    fn new(row: &'a Row) -> Self {
        Self { reason: &row.title, stats: Stats::new(row), example: row.group.example.as_deref().map(Example::new) }
    }
}

impl<'a> Stats<'a> {
    fn new(row: &'a Row) -> Self {
        let (group, times) = (&row.group, row.times);
        Self {
            calls: group.calls,
            total_ms: Ms(times.total),
            share: row.share,
            mean_ms: times.mean / 1000.0,
            p50_ms: Ms(times.p50),
            p95_ms: Ms(times.p95),
            p99_ms: Ms(times.p99),
            max_ms: Ms(times.max),
            errors: group.errors,
            messages: NameCounts(group.messages_or_none()),
            first: group.first.as_ref().map(|when| &*when.text),
            last: group.last.as_ref().map(|when| &*when.text),
            facets: Facets::new(&group.facets.totals()),
            timeline: Timeline::new(group.timeline.bin_seconds(), group.timeline.iter()),
            events: group.events.as_deref().map(EventCounts::new).filter(|counts| *counts != EventCounts::default()),
            plans: group.events.as_deref().and_then(Plans::new),
            histogram: histogram(&group.durations).into_iter().map(|(end, count)| (Ms(end), count)).collect(),
        }
    }
}

/// Buckets that each end at a power of two of microseconds: that end, and the calls in the bucket.
/// Empty buckets are left out.
pub fn histogram(durations: &Durations) -> Vec<(u64, u64)> {
    let mut counts = [0u64; 65];
    durations
        .for_each(|micros, count| counts[(u64::BITS - micros.saturating_sub(1).leading_zeros()) as usize] += count);
    let used = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    used.map(|(power, count)| (1u64.checked_shl(power as u32).unwrap_or(u64::MAX), *count)).collect()
}

/// The earliest statement that failed, unless it is the example.
pub fn failed(row: &Row) -> Option<&pgq_digest::Example> {
    row.group.failed.as_deref().filter(|failed| Some(*failed) != row.group.example.as_deref())
}

impl EventCounts {
    fn new(events: &Events) -> Self {
        Self {
            temporary_files: events.temporary_files,
            temporary_bytes: events.temporary_bytes,
            lock_waits: events.lock_waits,
            lock_wait_ms: Ms(events.lock_time),
            canceled: events.canceled,
        }
    }
}

impl<'a> Plans<'a> {
    /// `None` if there are no plans.
    fn new(events: &'a Events) -> Option<Self> {
        let slowest = events.slowest_plan.as_deref()?;
        Some(Self {
            logged: events.plans,
            different: events.shapes.len(),
            slowest_ms: Ms(slowest.duration),
            slowest_time: slowest.time.as_ref().map(|time| &*time.text),
            slowest: &slowest.text,
        })
    }
}

impl<'a> Example<'a> {
    fn new(example: &'a pgq_digest::Example) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let params = (!example.params.is_empty()).then(|| match parameter_values(&example.params) {
            Some(values) => Params::Values(values.iter().map(|value| value.as_deref().map(text)).collect()),
            None => Params::Text(text(&example.params)),
        });
        Self {
            sql: example.sql(),
            cut: example.cut,
            params,
            duration_ms: example.duration.map(Ms),
            time: example.time.as_ref().map(|when| &*when.text),
            user: text(&example.origin.user),
            database: text(&example.origin.database),
            application: text(&example.origin.application),
        }
    }
}
