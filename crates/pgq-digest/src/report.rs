//! A digest as it is shown: rows in order, with everything that is computed from the counts.
//! How it is written, as text, JSON or a page, is the formats' matter.

use std::cmp::Reverse;

use crate::baseline::{Baseline, Change, Gone};
use crate::{DescribeQuery, Digest, Durations, Group};

/// What rows are sorted by, the most first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// Time in all
    Total,
    /// Calls
    Count,
    /// Time a call
    Mean,
    /// The slowest call
    Max,
    /// The time that 95 % of the calls do not exceed
    P95,
    /// Errors
    Errors,
}

/// The times of a row, in microseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Times {
    pub total: u64,
    pub mean: f64,
    pub p50: u64,
    pub p95: u64,
    pub p99: u64,
    pub max: u64,
}

impl Times {
    fn of(durations: &Durations) -> Self {
        let count = durations.count();
        Self {
            total: durations.sum(),
            mean: if count == 0 { 0.0 } else { durations.sum() as f64 / count as f64 },
            p50: durations.quantile(0.5),
            p95: durations.quantile(0.95),
            p99: durations.quantile(0.99),
            max: durations.max(),
        }
    }
}

/// A group as it is shown.
pub struct Row {
    /// `None` for groups that are not of one query.
    pub fingerprint: Option<u64>,
    /// The query with `$n` for its constants on one line; for others, what they have in common.
    pub title: String,
    pub kind: String,
    pub tables: Vec<String>,
    pub times: Times,
    /// Of the total time of all.
    pub share: f64,
    pub group: Group,
    pub change: Option<Change>,
}

/// Everything that there is to show.
pub struct Report {
    /// Executions of all groups together: those of the rows, of what does not parse, of what
    /// was cut, and of what was dropped.
    pub statements: u64,
    pub errors: u64,
    /// Microseconds.
    pub total: u64,
    pub first: Option<String>,
    pub last: Option<String>,
    pub rows: Vec<Row>,
    /// Groups behind the rows that are shown.
    pub left_out: Rest,
    pub unparsed: Vec<Row>,
    pub truncated: Row,
    /// Of groups that were too many to keep.
    pub other: Row,
    pub dropped: u64,
    pub bin_seconds: i64,
    pub bins: Vec<(i64, super::Bin)>,
    pub gone: Vec<Gone>,
    pub has_baseline: bool,
    pub sort: Sort,
}

/// Groups that are counted and not shown.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rest {
    pub groups: u64,
    pub calls: u64,
    pub errors: u64,
    /// Microseconds.
    pub total: u64,
}

/// How a report is made.
pub struct ReportOptions<'a> {
    pub sort: Sort,
    /// Rows that are shown.
    pub top: Option<usize>,
    pub baseline: Option<&'a Baseline>,
}

impl Report {
    /// Makes the report of a digest that has been finished.
    pub fn new(digest: Digest, options: &ReportOptions<'_>, describe: &dyn DescribeQuery) -> Self {
        let calls = |group: &Group| group.calls;
        let statements = digest.all().map(calls).sum();
        let errors = digest.all().map(|group| group.errors).sum();
        let total = digest.all().map(|group| group.durations.sum()).sum();
        let first = digest.all().filter_map(|group| group.first.as_ref()).min().map(|when| when.text.to_string());
        let last = digest.all().filter_map(|group| group.last.as_ref()).max().map(|when| when.text.to_string());
        let gone = options.baseline.map(|baseline| baseline.gone(&digest.groups)).unwrap_or_default();
        let row = |fingerprint, title: &str, group| Row::new(fingerprint, title, group, total, options, describe);
        let mut ranked: Vec<(u64, Group, Times)> = digest
            .groups
            .into_iter()
            .map(|(fingerprint, group)| {
                let times = Times::of(&group.durations);
                (fingerprint, group, times)
            })
            .collect();
        ranked
            .sort_by_cached_key(|(fingerprint, group, times)| Reverse(order(options.sort, *fingerprint, group, times)));
        let top = options.top.unwrap_or(usize::MAX).min(ranked.len());
        let left_out = rest(&ranked[top..]);
        ranked.truncate(top);
        let mut unparsed: Vec<Row> =
            digest.unparsed.into_iter().map(|(reason, group)| row(None, &reason, group)).collect();
        unparsed.sort_by_key(|row| Reverse(row.group.calls + row.group.errors));
        Self {
            statements,
            errors,
            total,
            first,
            last,
            rows: ranked.into_iter().map(|(fingerprint, group, _)| row(Some(fingerprint), "", group)).collect(),
            left_out,
            unparsed,
            truncated: row(None, "statements that the log has lost an end of", digest.truncated),
            other: row(None, "statements of rare queries", digest.other),
            dropped: digest.dropped,
            bin_seconds: digest.timeline.seconds(),
            bins: digest.timeline.iter().collect(),
            gone,
            has_baseline: options.baseline.is_some(),
            sort: options.sort,
        }
    }

    /// Calls of statements that do not parse.
    pub fn unparsed_calls(&self) -> u64 {
        self.unparsed.iter().map(|row| row.group.calls).sum()
    }
}

/// What a row is sorted by; the fingerprint makes the order certain.
fn order(sort: Sort, fingerprint: u64, group: &Group, times: &Times) -> (u64, u64, u64, Reverse<u64>) {
    let first = match sort {
        Sort::Total => times.total,
        Sort::Count => group.calls,
        Sort::Mean => (times.mean * 1000.0) as u64,
        Sort::Max => times.max,
        Sort::P95 => times.p95,
        Sort::Errors => group.errors,
    };
    (first, times.total, group.calls + group.errors, Reverse(fingerprint))
}

fn rest(rows: &[(u64, Group, Times)]) -> Rest {
    let mut rest = Rest { groups: rows.len() as u64, ..Rest::default() };
    for (_, group, times) in rows {
        rest.calls += group.calls;
        rest.errors += group.errors;
        rest.total += times.total;
    }
    rest
}

impl Row {
    fn new(
        fingerprint: Option<u64>,
        title: &str,
        group: Group,
        total: u64,
        options: &ReportOptions<'_>,
        describe: &dyn DescribeQuery,
    ) -> Self {
        let times = Times::of(&group.durations);
        let example = group.example.as_deref();
        let parsed = fingerprint.and(example);
        let title = parsed.map_or_else(|| title.to_string(), |example| describe.normalized(&example.sql));
        let change = fingerprint.zip(options.baseline).map(|(fp, baseline)| baseline.change(fp, &group, &times));
        Self {
            fingerprint,
            title,
            kind: example.map(|example| describe.kind(&example.sql)).unwrap_or_default(),
            tables: parsed.map(|example| describe.tables(&example.sql)).unwrap_or_default(),
            share: if total == 0 { 0.0 } else { times.total as f64 / total as f64 },
            times,
            group,
            change,
        }
    }
}
