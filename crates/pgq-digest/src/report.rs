//! A digest as it is shown: sorted rows, with all figures computed. It has no output format; the
//! caller writes text, JSON or a page.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::DescribeQuery;
use crate::baseline::{Baseline, BaselineQuery, Change, GoneQuery};
use crate::digest::Digest;
use crate::durations::DurationSummary;
use crate::errors::{ErrorKind, ErrorTally};
use crate::event_rows::EventRows;
use crate::events::Events;
use crate::execution::LogTime;
use crate::facets::{FacetTimelines, FacetTotals};
use crate::group::Group;
use crate::short_row::ShortRow;
use crate::totals::Totals;

/// The figure that rows are sorted by, largest first.
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
    /// Time of waiting for locks that were granted.
    LockTime,
}

impl Sort {
    /// Every order.
    pub const ALL: [Self; 8] = [
        Self::Total,
        Self::Count,
        Self::Mean,
        Self::Max,
        Self::P95,
        Self::Errors,
        Self::TemporaryFiles,
        Self::LockTime,
    ];
}

/// A group as it is shown.
#[derive(Debug)]
pub struct Row {
    /// `None` for a group that is not of one query.
    pub fingerprint: Option<u64>,
    /// The query on one line, with `$n` for constants; for other groups a description.
    pub title: String,
    /// The keyword of the example in lower case, such as `select`; empty without an example.
    pub kind: String,
    /// The names of the tables in the query.
    pub tables: Vec<String>,
    /// Figures of `group.durations`.
    pub times: DurationSummary,
    /// Its part of the total duration of all groups, 0 to 1.
    pub share: f64,
    /// The group.
    pub group: Box<Group>,
    /// The comparison with the baseline, if there is one; `None` for groups that are not of one
    /// query.
    pub change: Option<Change>,
    /// The query in the baseline.
    pub before: Option<BaselineQuery>,
}

/// Everything that a report shows.
#[derive(Debug)]
pub struct Report {
    /// Executions of all groups: of queries, unparsed, truncated, and of dropped groups.
    pub statements: u64,
    /// Failed statements of all groups.
    pub errors: u64,
    /// Total duration of all groups in microseconds.
    pub total: u64,
    /// The earliest time, as in the log.
    pub first: Option<String>,
    /// The latest time, as in the log.
    pub last: Option<String>,
    /// Groups of queries, sorted: [`ReportOptions::top`], and those of [`ReportOptions::of_each`].
    pub rows: Vec<Row>,
    /// The groups of queries after those.
    pub not_shown: GroupTotals,
    /// The figures of those, if [`ReportOptions::short_rest`].
    pub short_rows: Vec<ShortRow>,
    /// Statements that do not parse, by reason; most frequent first.
    pub unparsed: Vec<Row>,
    /// Statements that the log has lost an end of.
    pub truncated: Row,
    /// Statements of groups that were dropped because there were too many.
    pub other: Row,
    /// How many different queries there are, with those whose groups were dropped.
    pub distinct: u64,
    /// How many queries have no group, because their groups were dropped.
    pub dropped: u64,
    /// All errors by SQLSTATE and masked message, the most frequent first.
    pub error_kinds: Vec<ErrorRow>,
    /// Errors of further kinds.
    pub other_errors: u64,
    /// What all statements did beside running, and what the log assigns to no statement.
    pub events: Events,
    /// Of these, those that the log assigns to no statement.
    pub stray_events: Events,
    /// The queries with the most of them.
    pub event_rows: EventRows,
    /// The width of `bins` in seconds.
    pub bin_seconds: i64,
    /// The timeline: bins by the second since 1970 at which they start.
    pub bins: Vec<(i64, Totals)>,
    /// Calls, time and errors of all statements by user, client and so on.
    pub facets: FacetTotals,
    /// When those were.
    pub facet_timelines: FacetTimelines,
    /// Queries of the baseline that were not executed again.
    pub gone: Vec<GoneQuery>,
    /// Whether there is a baseline.
    pub has_baseline: bool,
    /// What the rows are sorted by.
    pub sort: Sort,
}

/// A kind of error as it is shown.
#[derive(Debug)]
pub struct ErrorRow {
    /// Empty where the log does not tell.
    pub sqlstate: Box<str>,
    /// The message, with names, values and numbers masked ([`crate::mask`]).
    pub message: Box<str>,
    /// How often it occurred.
    pub count: u64,
    /// Its earliest message as in the log.
    pub example: Box<str>,
    /// When it occurred first.
    pub first: Option<LogTime>,
    /// When it occurred last.
    pub last: Option<LogTime>,
    /// The fingerprints of the statements, with their counts, the most frequent first; `None` for
    /// statements without one.
    pub statements: Vec<(Option<u64>, u64)>,
    /// Errors of statements that are not counted one by one.
    pub other_statements: u64,
}

impl ErrorRow {
    fn new(sqlstate: Box<str>, message: Box<str>, kind: ErrorKind) -> Self {
        let ErrorKind { count, example: (first, example), last, statements, other_statements } = kind;
        let mut statements: Vec<_> = statements.into_iter().collect();
        statements.sort_by_key(|(statement, count)| (Reverse(*count), *statement));
        Self { sqlstate, message, count, example, first, last, statements, other_statements }
    }

    /// The fingerprint of the statement that most of these errors are of, if it has one.
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
    /// Their executions.
    pub calls: u64,
    /// Their failed statements.
    pub errors: u64,
    /// Their total duration in microseconds.
    pub total: u64,
}

/// Options of a report.
#[derive(Debug, Clone, Copy)]
pub struct ReportOptions<'a> {
    /// What rows are sorted by.
    pub sort: Sort,
    /// Maximum number of rows; `None` for all.
    pub top: Option<usize>,
    /// How many of the first by every other order there are as well, so that a reader who sorts the
    /// rows anew has the right ones at the top.
    pub of_each: usize,
    /// Whether the queries after those have short rows.
    pub short_rest: bool,
    /// The digest to compare with.
    pub baseline: Option<&'a Baseline>,
}

impl Report {
    /// The report of a digest, which must be finished ([`Digest::finish`]).
    #[must_use]
    pub fn new(digest: Digest, options: &ReportOptions<'_>, describe: &dyn DescribeQuery) -> Self {
        let statements = digest.all_groups().map(|group| group.calls).sum();
        let errors = digest.all_groups().map(|group| group.errors).sum();
        let total = digest.all_groups().map(|group| group.durations.sum()).sum();
        let first = digest.all_groups().filter_map(|group| group.first.as_ref()).min();
        let last = digest.all_groups().filter_map(|group| group.last.as_ref()).max();
        let (first, last) = (first.map(|time| time.text.to_string()), last.map(|time| time.text.to_string()));
        let mut events = digest.stray_events.clone();
        digest.all_groups().for_each(|group| events.merge_counts(group.events_or_none()));
        let mut facets = FacetTotals::default();
        digest.all_groups().for_each(|group| group.facets.add_to(&mut facets));
        let gone = options.baseline.map(|baseline| baseline.gone(&digest.groups)).unwrap_or_default();
        let event_rows = EventRows::new(&digest.groups, describe);
        let row = |fingerprint, title: &str, group| Row::new(fingerprint, title, group, total, options, describe);
        let (mut not_shown, mut short_rows) = (GroupTotals::default(), Vec::new());
        let (distinct, kept) = (digest.distinct_queries(), digest.groups.len() as u64);
        let mut ranked: Vec<(u64, Box<Group>, DurationSummary)> = digest
            .groups
            .into_iter()
            .map(|(fingerprint, group)| {
                let times = DurationSummary::new(&group.durations);
                (fingerprint, group, times)
            })
            .collect();
        sort_by(&mut ranked, options.sort);
        if let Some(top) = options.top.filter(|top| *top < ranked.len()) {
            let mut listed: BTreeSet<u64> = fingerprints(&ranked, top).collect();
            for sort in Sort::ALL.into_iter().filter(|_| options.of_each > 0) {
                sort_by(&mut ranked, sort);
                listed.extend(fingerprints(&ranked, options.of_each));
            }
            sort_by(&mut ranked, options.sort);
            let rest: Vec<_> = ranked.extract_if(.., |(fingerprint, ..)| !listed.contains(fingerprint)).collect();
            not_shown = totals(&rest);
            if options.short_rest {
                let row =
                    |(fingerprint, group, times)| ShortRow::new(fingerprint, group, times, options.baseline, describe);
                short_rows = rest.into_iter().map(row).collect();
            }
        }
        let mut unparsed: Vec<Row> =
            digest.unparsed.into_iter().map(|(reason, group)| row(None, &reason, Box::new(group))).collect();
        unparsed.sort_by_key(|row| Reverse(row.group.calls + row.group.errors));
        Self {
            statements,
            errors,
            total,
            first,
            last,
            rows: ranked.into_iter().map(|(fingerprint, group, _)| row(Some(fingerprint), "", group)).collect(),
            not_shown,
            short_rows,
            unparsed,
            truncated: row(None, "statements cut short in the log", Box::new(digest.truncated)),
            other: row(None, "statements of dropped queries", Box::new(digest.other)),
            distinct,
            dropped: distinct - kept,
            other_errors: digest.errors.others,
            error_kinds: error_rows(digest.errors),
            events,
            stray_events: digest.stray_events,
            event_rows,
            bin_seconds: digest.timeline.bin_seconds(),
            bins: digest.timeline.iter().collect(),
            facets,
            facet_timelines: digest.facets,
            gone,
            has_baseline: options.baseline.is_some(),
            sort: options.sort,
        }
    }

    /// Executions of statements that do not parse.
    #[must_use]
    pub fn unparsed_calls(&self) -> u64 {
        self.unparsed.iter().map(|row| row.group.calls).sum()
    }
}

/// The key of a row, to sort in descending order. The fingerprint makes the order total.
fn sort_key(sort: Sort, fingerprint: u64, group: &Group, times: &DurationSummary) -> (u64, u64, u64, Reverse<u64>) {
    let figure = match sort {
        Sort::Total => times.total,
        Sort::Count => group.calls,
        Sort::Mean => (times.mean * 1000.0) as u64,
        Sort::Max => times.max,
        Sort::P95 => times.p95,
        Sort::Errors => group.errors,
        Sort::TemporaryFiles => group.events_or_none().temporary_bytes,
        Sort::LockTime => group.events_or_none().lock_time,
    };
    (figure, times.total, group.calls + group.errors, Reverse(fingerprint))
}

/// Sorts groups, largest first.
fn sort_by(ranked: &mut [(u64, Box<Group>, DurationSummary)], sort: Sort) {
    ranked.sort_by_cached_key(|(fingerprint, group, times)| Reverse(sort_key(sort, *fingerprint, group, times)));
}

/// The fingerprints of the first `count` groups.
fn fingerprints(ranked: &[(u64, Box<Group>, DurationSummary)], count: usize) -> impl Iterator<Item = u64> {
    ranked.iter().take(count).map(|(fingerprint, ..)| *fingerprint)
}

fn error_rows(errors: ErrorTally) -> Vec<ErrorRow> {
    let mut rows: Vec<ErrorRow> =
        errors.into_kinds().map(|(sqlstate, message, kind)| ErrorRow::new(sqlstate, message, kind)).collect();
    rows.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| (&a.message, &a.sqlstate).cmp(&(&b.message, &b.sqlstate))));
    rows
}

fn totals(rows: &[(u64, Box<Group>, DurationSummary)]) -> GroupTotals {
    let mut totals = GroupTotals { groups: rows.len() as u64, ..GroupTotals::default() };
    for (_, group, times) in rows {
        totals.calls += group.calls;
        totals.errors += group.errors;
        totals.total += times.total;
    }
    totals
}

impl Row {
    /// `title` is for a group without a fingerprint; `total` is the total duration of all groups.
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
