//! A digest prepared for output, with sorted rows and computed figures. It is the same for all output formats.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::baseline::{Baseline, BaselineQuery, Change, GoneQuery};
use crate::describe::DescribeQuery;
use crate::digest::Digest;
use crate::durations::DurationSummary;
use crate::event_rows::EventRows;
use crate::events::Events;
use crate::execution::Severity;
use crate::facets::{Facet, FacetActivity};
use crate::group::Group;
use crate::messages::{MessageKey, MessageKind, Messages};
use crate::short_row::ShortRow;
use crate::tally::Tally;
use crate::totals::Totals;

/// Sort key of rows, largest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// Total duration.
    Total,
    /// Number of executions.
    Count,
    /// Mean duration.
    Mean,
    /// Longest duration.
    Max,
    /// 95th percentile of durations.
    P95,
    /// Number of errors.
    Errors,
    /// Bytes in temporary files.
    TemporaryFiles,
    /// Total known wait for locks.
    LockTime,
    /// Mean duration divided by the mean duration in the baseline. New queries are first.
    Change,
}

impl Sort {
    /// All sort keys.
    pub const ALL: [Self; 9] = [
        Self::Total,
        Self::Count,
        Self::Mean,
        Self::Max,
        Self::P95,
        Self::Errors,
        Self::TemporaryFiles,
        Self::LockTime,
        Self::Change,
    ];
}

/// A group in a report.
#[derive(Debug)]
pub struct Row {
    /// Fingerprint of the query. `None` for a group that is not a query.
    pub fingerprint: Option<u64>,
    /// The query on one line, with `$n` in place of constants. For a group that is not a query, a description.
    pub title: String,
    /// Keyword of the example in lower case, such as `select`. Empty without an example.
    pub kind: String,
    /// Names of the query's tables.
    pub tables: Vec<String>,
    /// Summary of `group.durations`.
    pub times: DurationSummary,
    /// The group's fraction of the total duration of all groups, from 0 to 1.
    pub share: f64,
    /// The group.
    pub group: Box<Group>,
    /// Comparison with the baseline. `None` without a baseline, and for groups that are not queries.
    pub change: Option<Change>,
    /// The query in the baseline.
    pub before: Option<BaselineQuery>,
}

/// Contents of a report.
#[derive(Debug)]
pub struct Report {
    /// Number of executions in all groups, including unparsed statements, truncated statements and dropped groups.
    pub statements: u64,
    /// Number of failed statements in all groups, plus errors without a statement.
    pub errors: u64,
    /// Number of log lines that match `log_line_prefix` in several ways.
    pub ambiguous: u64,
    /// Caveats about the figures, as sentences without a period. The caller may add more notes.
    pub notes: Vec<String>,
    /// Maximum number of rows, `None` for all.
    pub top: Option<usize>,
    /// Errors without a statement.
    pub stray_errors: u64,
    /// Number of messages of each severity, in the order of [`Severity::ALL`].
    pub severities: [u64; Severity::ALL.len()],
    /// Total duration of all groups in microseconds.
    pub total: u64,
    /// The earliest time, as in the log.
    pub first: Option<String>,
    /// The latest time, as in the log.
    pub last: Option<String>,
    /// The times `first` and `last`, in microseconds since 1970-01-01 00:00:00 UTC. Readers of the report cannot always
    /// compute them from the texts, because a time zone such as `IST` has several meanings.
    pub micros: Option<(i64, i64)>,
    /// Sorted groups of queries: the first [`ReportOptions::top`] groups, and the groups that
    /// [`ReportOptions::of_each`] adds.
    pub rows: Vec<Row>,
    /// Totals of the queries that are not in `rows`.
    pub not_shown: GroupTotals,
    /// Events of the queries that are not in `rows`.
    pub not_shown_events: Events,
    /// Short rows (without an example) of the queries that are not in `rows`. Empty unless
    /// [`ReportOptions::short_rest`] is set.
    pub short_rows: Vec<ShortRow>,
    /// Statements that do not parse, by error message, most frequent first.
    pub unparsed: Vec<Row>,
    /// Statements that the log truncated.
    pub truncated: Row,
    /// Statements of groups that were dropped because of the limit.
    pub other: Row,
    /// Number of distinct queries, including queries of dropped groups.
    pub distinct: u64,
    /// Number of queries whose group was dropped.
    pub dropped: u64,
    /// Messages by kind, worst severity first, then most frequent first.
    pub messages: Vec<MessageRow>,
    /// Number of messages whose kind was dropped because of the limit.
    pub other_messages: u64,
    /// Upper bound of the number of messages of a dropped kind.
    pub message_floor: u64,
    /// Events of all statements, including events without a statement in the log.
    pub events: Events,
    /// Events without a statement in the log.
    pub stray_events: Events,
    /// Queries with the most events.
    pub event_rows: EventRows,
    /// Width of `bins` in seconds.
    pub bin_seconds: i64,
    /// The timeline: bins with their start in seconds since 1970.
    pub bins: Vec<(i64, Totals)>,
    /// Activity by user, client and so on.
    pub facets: FacetActivity,
    /// Queries of the baseline that were not executed again.
    pub gone: Vec<GoneQuery>,
    /// Whether the report has a baseline.
    pub has_baseline: bool,
    /// Sort key of the rows.
    pub sort: Sort,
}

/// A kind of message in a report.
#[derive(Debug)]
pub struct MessageRow {
    /// Severity, SQLSTATE and masked message.
    pub key: MessageKey,
    /// Upper bound of the number of messages that the count lacks. The count may lack messages of this kind that were
    /// dropped earlier. 0 if the count is exact.
    pub missing: u64,
    /// Counts of the kind.
    pub kind: MessageKind,
    /// Fingerprints of the statements with their counts, most frequent first. `None` represents messages without a
    /// statement.
    pub statements: Vec<(Option<u64>, u64)>,
}

impl MessageRow {
    /// Returns the fingerprint of the most frequent statement. Returns `None` if messages without a statement are more
    /// frequent.
    #[must_use]
    pub fn top_fingerprint(&self) -> Option<u64> {
        self.statements.first().and_then(|(fingerprint, _)| *fingerprint)
    }
}

/// Sums over several groups.
#[derive(Debug, Clone, Copy, Default)]
pub struct GroupTotals {
    /// Number of groups.
    pub groups: u64,
    /// Number of executions.
    pub calls: u64,
    /// Number of failed statements.
    pub errors: u64,
    /// Total duration in microseconds.
    pub total: u64,
    /// Upper bound of the number of executions that `calls` and `errors` lack.
    pub missing: u64,
}

/// Options of a report.
#[derive(Debug, Clone, Copy)]
pub struct ReportOptions<'a> {
    /// Sort key of the rows.
    pub sort: Sort,
    /// Maximum number of rows, `None` for all.
    pub top: Option<usize>,
    /// Number of rows to add for each sort key other than `sort`: the first rows in the order of this key. With these
    /// rows, a reader who sorts the report by another key sees the correct first rows.
    pub of_each: usize,
    /// Whether each query without a full row gets a short row, which has no example.
    pub short_rest: bool,
    /// Earlier digest for comparison.
    pub baseline: Option<&'a Baseline>,
}

impl Report {
    /// Creates the report of a finished digest ([`Digest::finish`]).
    #[must_use]
    pub fn new(digest: Digest, options: &ReportOptions<'_>, describe: &dyn DescribeQuery) -> Self {
        let sum = |figure: &dyn Fn(&Group) -> u64| digest.all_groups().map(figure).fold(0, u64::saturating_add);
        let statements = sum(&|group| group.calls);
        let errors = sum(&|group| group.errors).saturating_add(digest.stray_errors);
        let total = sum(&|group| group.durations.sum());
        // The report's time range covers both the groups and the messages, because a message without a statement has
        // no group.
        let kept = || digest.messages.iter().map(|(_, kept)| &kept.sum);
        let times = || kept().chain(digest.messages.tallies().map(Tally::others)).map(MessageKind::times);
        let first = times().filter_map(|[first, _]| first);
        let first = digest.all_groups().filter_map(|group| group.first.as_ref()).chain(first).min();
        let last = times().filter_map(|[_, last]| last);
        let last = digest.all_groups().filter_map(|group| group.last.as_ref()).chain(last).max();
        let micros = first.zip(last).map(|(first, last)| (first.micros, last.micros));
        let (first, last) = (first.map(|time| time.text.to_string()), last.map(|time| time.text.to_string()));
        let mut events = digest.stray_events.clone();
        digest.all_groups().for_each(|group| events.merge_counts(group.events_or_none()));
        let gone = options.baseline.map(|baseline| baseline.gone(&digest.groups)).unwrap_or_default();
        let event_rows = EventRows::new(&digest.groups, describe);
        let row = |fingerprint, title: &str, group| Row::new(fingerprint, title, group, total, options, describe);
        let (mut not_shown, mut short_rows) = (GroupTotals::default(), Vec::new());
        let mut not_shown_events = Events::default();
        let (distinct, kept) = (digest.distinct_queries(), digest.groups.len() as u64);
        let mut ranked: Vec<(u64, Box<Group>, DurationSummary)> = digest
            .groups
            .into_iter()
            .map(|(fingerprint, group)| {
                let times = DurationSummary::new(&group.durations);
                (fingerprint, group, times)
            })
            .collect();
        sort_by(&mut ranked, options.sort, options.baseline);
        if let Some(top) = options.top.filter(|top| *top < ranked.len()) {
            let mut listed: BTreeSet<u64> = fingerprints(&ranked, top).collect();
            let has_order = |sort: &Sort| *sort != Sort::Change || options.baseline.is_some();
            for sort in Sort::ALL.into_iter().filter(|sort| options.of_each > 0 && has_order(sort)) {
                sort_by(&mut ranked, sort, options.baseline);
                listed.extend(fingerprints(&ranked, options.of_each));
            }
            sort_by(&mut ranked, options.sort, options.baseline);
            let rest: Vec<_> = ranked.extract_if(.., |(fingerprint, ..)| !listed.contains(fingerprint)).collect();
            not_shown = totals(&rest);
            rest.iter().for_each(|(_, group, _)| not_shown_events.merge_counts(group.events_or_none()));
            if options.short_rest {
                let row =
                    |(fingerprint, group, times)| ShortRow::new(fingerprint, group, times, options.baseline, describe);
                short_rows = rest.into_iter().map(row).collect();
            }
        }
        let (mut other, unparsed_others) = (digest.other, digest.unparsed.others().clone());
        let mut unparsed: Vec<Row> = digest
            .unparsed
            .into_entries()
            .map(|(reason, kept)| {
                let mut group = kept.sum;
                group.missing = kept.missing;
                row(None, &reason, Box::new(group))
            })
            .collect();
        unparsed.sort_by_key(|row| Reverse(row.group.statements()));
        other.merge(unparsed_others);
        Self {
            statements,
            errors,
            total,
            first,
            last,
            micros,
            rows: ranked.into_iter().map(|(fingerprint, group, _)| row(Some(fingerprint), "", group)).collect(),
            not_shown,
            not_shown_events,
            short_rows,
            unparsed,
            truncated: row(None, "statements cut short in the log", Box::new(digest.truncated)),
            other: row(None, "statements of dropped queries", Box::new(other)),
            distinct,
            dropped: distinct - kept,
            ambiguous: digest.ambiguous,
            notes: Vec::new(),
            top: options.top,
            stray_errors: digest.stray_errors,
            severities: digest.severities,
            other_messages: digest.messages.tallies().map(|kinds| kinds.others().count).fold(0, u64::saturating_add),
            message_floor: digest.messages.tallies().map(Tally::floor).max().unwrap_or(0),
            messages: message_rows(digest.messages),
            events,
            stray_events: digest.stray_events,
            event_rows,
            bin_seconds: digest.timeline.bin_seconds(),
            bins: digest.timeline.iter().collect(),
            facets: digest.facets,
            gone,
            has_baseline: options.baseline.is_some(),
            sort: options.sort,
        }
    }

    /// Returns the number of executions of statements that do not parse.
    #[must_use]
    pub fn unparsed_calls(&self) -> u64 {
        self.unparsed.iter().map(|row| row.group.calls).fold(0, u64::saturating_add)
    }

    /// Returns the kinds of messages whose severity satisfies `is_of`.
    pub fn messages_of(&self, is_of: impl Fn(Severity) -> bool) -> Vec<&MessageRow> {
        self.messages.iter().filter(|row| is_of(row.key.severity)).collect()
    }

    /// Whether some figures are lower bounds, because entries were dropped.
    #[must_use]
    pub fn is_inexact(&self) -> bool {
        let has_lost = |row: &Row| {
            let facets = row.group.facets.totals();
            row.group.missing > 0
                || row.group.messages_or_none().floor() > 0
                || Facet::ALL.into_iter().any(|facet| facets.get(facet).floor() > 0)
        };
        let names = Facet::ALL.into_iter().any(|facet| self.facets.get(facet).floor() > 0);
        let of_messages = self.message_floor > 0 || self.messages.iter().any(|row| row.kind.has_lost_names());
        self.dropped > 0 || of_messages || names || self.rows.iter().chain(&self.unparsed).any(has_lost)
    }

    /// Whether a sum has reached the maximum of its type, and may therefore be too small.
    #[must_use]
    pub fn is_saturated(&self) -> bool {
        let Events { temporary_files, temporary_bytes, lock_waits, failed_lock_waits, lock_time, .. } = self.events;
        let events = [temporary_files, temporary_bytes, lock_waits, failed_lock_waits, lock_time];
        let counts = [self.statements, self.errors, self.total, self.events.canceled, self.events.plans];
        let messages = self.messages.iter().map(|row| row.kind.count);
        counts.into_iter().chain(events).chain(messages).any(|sum| sum == u64::MAX)
    }
}

/// Sorts groups by the figure that `sort` selects, greatest first. Breaks ties by total duration, number of statements
/// and fingerprint.
fn sort_by(ranked: &mut [(u64, Box<Group>, DurationSummary)], sort: Sort, baseline: Option<&Baseline>) {
    ranked.sort_by_cached_key(|(fingerprint, group, times)| {
        let figure = match sort {
            Sort::Total => times.total,
            Sort::Count => group.calls,
            Sort::Mean => (times.mean * 1000.0) as u64,
            Sort::Max => times.max,
            Sort::P95 => times.p95,
            Sort::Errors => group.errors,
            Sort::TemporaryFiles => group.events_or_none().temporary_bytes,
            Sort::LockTime => group.events_or_none().lock_time,
            Sort::Change => match baseline.map(|baseline| baseline.change(*fingerprint, group, times)) {
                Some(Change::New) => u64::MAX,
                // A query with an unknown factor is sorted as if its factor were 1: after the slower and before the
                // faster queries.
                change => (change.and_then(Change::factor).unwrap_or(1.0) * 1e6) as u64,
            },
        };
        Reverse((figure, times.total, group.statements(), Reverse(*fingerprint)))
    });
}

/// Returns the fingerprints of the first `count` groups.
fn fingerprints(ranked: &[(u64, Box<Group>, DurationSummary)], count: usize) -> impl Iterator<Item = u64> {
    ranked.iter().take(count).map(|(fingerprint, ..)| *fingerprint)
}

fn message_rows(messages: Messages) -> Vec<MessageRow> {
    let row = |(key, kept): (MessageKey, crate::tally::Kept<MessageKind>)| {
        let statements = kept.sum.statements.ranked().into_iter().map(|(statement, kept)| (*statement, kept.sum));
        MessageRow { key, missing: kept.missing, statements: statements.collect(), kind: kept.sum }
    };
    let mut rows: Vec<MessageRow> = messages.into_entries().map(row).collect();
    let rank = |row: &MessageRow| (row.key.severity, Reverse(row.kind.count));
    rows.sort_by(|a, b| rank(a).cmp(&rank(b)).then_with(|| a.key.message.cmp(&b.key.message)));
    rows
}

fn totals(rows: &[(u64, Box<Group>, DurationSummary)]) -> GroupTotals {
    let mut totals = GroupTotals { groups: rows.len() as u64, ..GroupTotals::default() };
    for (_, group, times) in rows {
        totals.calls = totals.calls.saturating_add(group.calls);
        totals.errors = totals.errors.saturating_add(group.errors);
        totals.total = totals.total.saturating_add(times.total);
        totals.missing = totals.missing.saturating_add(group.missing);
    }
    totals
}

impl Row {
    /// Creates a row. `title` is the title of a group without a fingerprint. `total` is the total
    /// duration of all groups.
    fn new(
        fingerprint: Option<u64>,
        title: &str,
        group: Box<Group>,
        total: u64,
        options: &ReportOptions<'_>,
        describe: &dyn DescribeQuery,
    ) -> Self {
        let times = DurationSummary::new(&group.durations);
        let example = group.example.as_deref();
        let parsed = fingerprint.and(example);
        let title = parsed.map_or_else(|| title.to_string(), |example| describe.normalized(&example.sql()));
        let baseline = fingerprint.zip(options.baseline);
        let change = baseline.map(|(fingerprint, baseline)| baseline.change(fingerprint, &group, &times));
        let before = baseline.and_then(|(fingerprint, baseline)| baseline.query(fingerprint).cloned());
        Self {
            fingerprint,
            title,
            kind: example.map(|example| describe.kind(&example.sql())).unwrap_or_default(),
            tables: parsed.map(|example| describe.tables(&example.sql())).unwrap_or_default(),
            share: if total == 0 { 0.0 } else { times.total as f64 / total as f64 },
            times,
            group,
            change,
            before,
        }
    }
}
