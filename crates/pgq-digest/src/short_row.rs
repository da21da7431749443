//! A report row that has the figures of a query, but no example.

use crate::baseline::{Baseline, Change};
use crate::describe::DescribeQuery;
use crate::durations::DurationSummary;
use crate::group::Group;
use crate::group_facets::GroupFacets;
use crate::timeline::PackedTimeline;

/// Maximum length of the query in a short row, in bytes.
const MAX_TITLE_LEN: usize = 320;

/// The figures of a query.
#[derive(Debug, Clone)]
pub struct ShortRow {
    /// Fingerprint of the query.
    pub fingerprint: u64,
    /// Start of the query on one line, with `$n` in place of constants.
    pub title: String,
    /// Whether the query is longer than `title`.
    pub cut: bool,
    /// Number of executions.
    pub calls: u64,
    /// Number of executions with a duration.
    pub timed: u64,
    /// Number of failed statements.
    pub errors: u64,
    /// Summary of the durations.
    pub times: DurationSummary,
    /// Calls, time and errors by user, client and so on.
    pub facets: GroupFacets,
    /// Timeline of the executions.
    pub timeline: PackedTimeline,
    /// Comparison with the baseline, if any.
    pub change: Option<Change>,
}

impl ShortRow {
    pub(crate) fn new(
        fingerprint: u64,
        group: Box<Group>,
        times: DurationSummary,
        baseline: Option<&Baseline>,
        describe: &dyn DescribeQuery,
    ) -> Self {
        let example = group.example.as_deref();
        let mut title = example.map(|example| describe.normalized(&example.sql())).unwrap_or_default();
        let cut = title.len() > MAX_TITLE_LEN;
        title.truncate(title.floor_char_boundary(MAX_TITLE_LEN));
        let change = baseline.map(|baseline| baseline.change(fingerprint, &group, &times));
        let timed = group.durations.count();
        let Group { calls, errors, facets, timeline, .. } = *group;
        Self { fingerprint, title, cut, calls, timed, errors, times, facets, timeline, change }
    }
}
