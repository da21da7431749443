//! The JSON report of `pgq digest`, described in docs/digest.md. Times are in milliseconds.
//!
//! A row of `timeline` is a bin: its start in seconds since 1970, the number of calls that ended in it, the time that
//! calls spent in it, and its number of errors. A row of `histogram` is a bucket: its upper bound, and its number of
//! calls.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::figures::hex;
use super::text::FACETS;
use pgq_digest::report::{MessageRow, Report, Row};
use pgq_digest::{ByFacet, Durations, Events, MessageExample, Names, Severity, Sum, Totals, name_text};
use pgq_log::parameter_values;

/// Streams the document to `out`, because it may be large.
///
/// # Errors
/// Writing fails.
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
    /// Caveats about the figures.
    notes: &'a [String],
    /// Number of ambiguous log lines, which have two possible meanings.
    ambiguous: u64,
    /// Errors without a statement. `errors` includes them.
    stray_errors: u64,
    severities: Severities,
    /// Messages of severity PANIC and FATAL, and messages about a server that was killed or started.
    alarms: Vec<MessageKind<'a>>,
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
    /// Messages of severity PANIC, FATAL and ERROR, grouped by SQLSTATE and masked message. Sorted by severity, then by
    /// count.
    error_kinds: Vec<MessageKind<'a>>,
    warning_kinds: Vec<MessageKind<'a>>,
    lock_wait_kinds: Vec<MessageKind<'a>>,
    /// Number of messages whose kinds were dropped to save memory.
    other_messages: u64,
    /// Upper bound of the number of messages of each dropped kind.
    other_messages_at_most: u64,
    /// Events of all statements.
    events: EventCounts,
    /// Events without a statement in the log.
    stray_events: EventCounts,
    timeline: Timeline,
    #[serde(flatten)]
    facets: Facets,
    #[serde(skip_serializing_if = "Option::is_none")]
    gone: Option<Vec<Gone<'a>>>,
}

#[derive(serde::Serialize)]
struct MessageKind<'a> {
    severity: &'static str,
    sqlstate: Option<&'a str>,
    message: &'a str,
    count: u64,
    #[serde(skip_serializing_if = "is_zero")]
    missing_at_most: u64,
    first: Option<&'a str>,
    last: Option<&'a str>,
    /// The earliest message, unmasked.
    example: &'a str,
    first_message: Option<Parts<'a>>,
    /// The latest message. Missing if there is only one message.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_message: Option<Parts<'a>>,
    users: NameCounts<'a>,
    databases: NameCounts<'a>,
    hosts: NameCounts<'a>,
    /// Number of lock waits for each pair of process IDs.
    #[serde(skip_serializing_if = "Option::is_none")]
    waits: Option<NameCounts<'a>>,
    timeline: Timeline,
    /// The most frequent statements.
    statements: Vec<FailedStatement>,
    other_statements: u64,
}

/// The non-empty parts of a message, such as its detail.
struct Parts<'a>(&'a MessageExample);

impl Serialize for Parts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let texts = MessageExample::TEXTS.into_iter().zip(&self.0.texts);
        for (name, text) in texts.filter(|(_, text)| !text.is_empty()) {
            map.serialize_entry(name, text)?;
        }
        map.end()
    }
}

/// Messages by severity.
struct Severities([u64; Severity::ALL.len()]);

impl Serialize for Severities {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for severity in [Severity::Panic, Severity::Fatal, Severity::Error, Severity::Warning] {
            map.serialize_entry(severity.name(), &self.0[severity as usize])?;
        }
        map.serialize_entry("server_events", &self.0[Severity::Server as usize])?;
        map.end()
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

#[derive(serde::Serialize)]
struct FailedStatement {
    fingerprint: Option<String>,
    count: u64,
}

/// Maximum number of statements that the JSON report lists for each kind of message.
const STATEMENTS_OF_MESSAGE: usize = 20;

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
    /// The latest call. Missing if `example` already is this call.
    #[serde(skip_serializing_if = "Option::is_none")]
    latest: Option<Example<'a>>,
    /// The earliest failed call. Missing if `example` already is this call.
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

/// The figures of a query in the baseline.
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

/// Figures of a group.
#[derive(serde::Serialize)]
struct Stats<'a> {
    calls: u64,
    /// Upper bound of the number of statements that are missing from the figures. To save memory, the digest may drop a
    /// group. If it adds the group again for a later statement, the earlier statements are missing.
    #[serde(skip_serializing_if = "is_zero")]
    missing_at_most: u64,
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

/// Totals by name for each facet, such as the users, in the order of [`FACETS`].
struct Facets([NameTotals; FACETS.len()]);

impl Serialize for Facets {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(FACETS.iter().map(|(name, _)| name).zip(&self.0))
    }
}

/// Event counts, the size of temporary files, and the total time of lock waits.
#[derive(Default, PartialEq, serde::Serialize)]
struct EventCounts {
    temporary_files: u64,
    temporary_bytes: u64,
    lock_waits: u64,
    /// Number of lock waits that ended in an error. If it is not 0, `lock_wait_ms` is a lower bound.
    failed_lock_waits: u64,
    lock_wait_ms: Ms,
    canceled: u64,
}

/// Plans that auto_explain logged.
#[derive(serde::Serialize)]
struct Plans<'a> {
    logged: u64,
    /// Number of distinct plans, compared by their nodes. At most 64.
    different: usize,
    slowest_ms: Ms,
    slowest_time: Option<&'a str>,
    /// The plan, verbatim.
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

/// Parameters as an array, or the log's text if it cannot be parsed.
#[derive(serde::Serialize)]
#[serde(untagged)]
enum Params {
    Values(Vec<Option<String>>),
    Text(String),
}

/// Microseconds, serialized as milliseconds.
#[derive(Clone, Copy, Default, PartialEq)]
struct Ms(u64);

impl Serialize for Ms {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0 as f64 / 1000.0)
    }
}

struct NameCounts<'a>(&'a Names<u64>);

impl Serialize for NameCounts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, kept) in self.0.iter() {
            map.serialize_entry(name, &kept.sum)?;
        }
        if *self.0.others() > 0 {
            map.serialize_entry(OTHERS, self.0.others())?;
        }
        map.end()
    }
}

struct NameTotals(Names<Totals>);

impl Serialize for NameTotals {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, kept) in self.0.iter() {
            map.serialize_entry(name, &CallTotals::new(&kept.sum, kept.missing))?;
        }
        if self.0.others().weight() > 0 {
            map.serialize_entry(OTHERS, &CallTotals::new(self.0.others(), 0))?;
        }
        map.end()
    }
}

/// Key of the combined totals of the dropped names. No name is empty, so the key cannot be mistaken for a name.
const OTHERS: &str = "";

#[derive(serde::Serialize)]
struct CallTotals {
    calls: u64,
    total_ms: Ms,
    errors: u64,
    #[serde(skip_serializing_if = "is_zero")]
    missing_at_most: u64,
}

impl CallTotals {
    fn new(totals: &Totals, missing_at_most: u64) -> Self {
        Self { calls: totals.calls, total_ms: Ms(totals.time), errors: totals.errors, missing_at_most }
    }
}

impl Facets {
    fn new<T: Sum + Clone>(facets: &ByFacet<T>, totals: fn(&T) -> Totals) -> Self {
        Self(FACETS.map(|(_, facet)| NameTotals(facets.get(facet).map(totals))))
    }
}

impl Timeline {
    fn new(seconds: i64, bins: impl Iterator<Item = (i64, Totals)>) -> Self {
        Self { seconds, bins: bins.map(|(start, bin)| (start, bin.calls, Ms(bin.time), bin.errors)).collect() }
    }
}

/// An array whose items are converted lazily.
struct Each<'a, T, U>(&'a [T], fn(&'a T) -> U);

impl<T, U: Serialize> Serialize for Each<'_, T, U> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(self.1))
    }
}

impl<'a> Document<'a> {
    fn new(report: &'a Report) -> Self {
        let rest = report.not_shown;
        let kinds =
            |is_of: &dyn Fn(Severity) -> bool| report.messages_of(is_of).into_iter().map(MessageKind::new).collect();
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
            notes: &report.notes,
            ambiguous: report.ambiguous,
            stray_errors: report.stray_errors,
            severities: Severities(report.severities),
            alarms: kinds(&Severity::is_alarming),
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
            error_kinds: kinds(&Severity::is_error),
            warning_kinds: kinds(&|severity| severity == Severity::Warning),
            lock_wait_kinds: kinds(&|severity| severity == Severity::Wait),
            other_messages: report.other_messages,
            other_messages_at_most: report.message_floor,
            events: EventCounts::new(&report.events),
            stray_events: EventCounts::new(&report.stray_events),
            timeline: Timeline::new(report.bin_seconds, report.bins.iter().copied()),
            facets: Facets::new(&report.facets, |activity| activity.totals),
            gone: report.has_baseline.then(|| gone.collect()),
        }
    }
}

impl<'a> MessageKind<'a> {
    fn new(row: &'a MessageRow) -> Self {
        let (listed, rest) = row.statements.split_at(row.statements.len().min(STATEMENTS_OF_MESSAGE));
        let kind = &row.kind;
        let (first, last) = (kind.first.as_deref(), kind.last.as_deref());
        let time = |example: Option<&'a MessageExample>| Some(&*example?.time.as_ref()?.text);
        Self {
            severity: row.key.severity.name(),
            sqlstate: Some(&*row.key.sqlstate).filter(|sqlstate| !sqlstate.is_empty()),
            message: &row.key.message,
            count: kind.count,
            missing_at_most: row.missing,
            first: time(first),
            last: time(last),
            example: first.map_or("", |first| &*first.texts[0]),
            first_message: first.map(Parts),
            last_message: last.filter(|last| Some(*last) != first).map(Parts),
            users: NameCounts(&kind.names[0]),
            databases: NameCounts(&kind.names[1]),
            hosts: NameCounts(&kind.names[2]),
            waits: (!kind.waits.is_empty()).then_some(NameCounts(&kind.waits)),
            timeline: Timeline::new(kind.timeline.bin_seconds(), kind.timeline.iter()),
            statements: listed
                .iter()
                .map(|(fingerprint, count)| FailedStatement { fingerprint: fingerprint.map(hex), count: *count })
                .collect(),
            other_statements: rest.iter().map(|(_, count)| count).sum::<u64>() + kind.statements.others(),
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
            missing_at_most: group.missing,
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
            facets: Facets::new(&group.facets.totals(), |totals| *totals),
            timeline: Timeline::new(group.timeline.bin_seconds(), group.timeline.iter()),
            events: group.events.as_deref().map(EventCounts::new).filter(|counts| *counts != EventCounts::default()),
            plans: group.events.as_deref().and_then(Plans::new),
            histogram: histogram(&group.durations).into_iter().map(|(end, count)| (Ms(end), count)).collect(),
        }
    }
}

/// Returns the upper bound and the number of calls of each non-empty bucket. The upper bounds are powers of two in
/// microseconds, and are exclusive: a call of 2048 µs is not in the bucket up to 2048 µs. The reason is that the
/// durations of a query with many calls are rounded: 2048 µs and slightly longer durations become equal, so they must
/// be in the same bucket.
pub fn histogram(durations: &Durations) -> Vec<(u64, u64)> {
    let mut counts = [0u64; 65];
    durations.for_each(|micros, count| counts[(u64::BITS - micros.leading_zeros()) as usize] += count);
    let used = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    used.map(|(power, count)| (1u64.checked_shl(power as u32).unwrap_or(u64::MAX), *count)).collect()
}

/// Returns the earliest failed call of a query. Returns `None` if no call failed, or if the query's example already
/// is this call.
pub fn failed(row: &Row) -> Option<&pgq_digest::Example> {
    row.group.failed.as_deref().filter(|failed| Some(*failed) != row.group.example.as_deref())
}

impl EventCounts {
    fn new(events: &Events) -> Self {
        Self {
            temporary_files: events.temporary_files,
            temporary_bytes: events.temporary_bytes,
            lock_waits: events.lock_waits,
            failed_lock_waits: events.failed_lock_waits,
            lock_wait_ms: Ms(events.lock_time),
            canceled: events.canceled,
        }
    }
}

impl<'a> Plans<'a> {
    /// Returns `None` if there are no plans.
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
            user: name_text(&example.origin.user).into(),
            database: name_text(&example.origin.database).into(),
            application: name_text(&example.origin.application).into(),
        }
    }
}
