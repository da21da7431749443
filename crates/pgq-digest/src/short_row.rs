//! A row of a report with the figures of a query, and no example.

use crate::baseline::{Baseline, Change};
use crate::describe::DescribeQuery;
use crate::durations::DurationSummary;
use crate::group::Group;
use crate::group_facets::GroupFacets;
use crate::timeline::PackedTimeline;

/// Maximum length of the query, in bytes.
const MAX_TITLE_LEN: usize = 320;

/// The figures of a query.
#[derive(Debug, Clone)]
pub struct ShortRow {
    /// The fingerprint.
    pub fingerprint: u64,
    /// The start of the query on one line, with `$n` for constants.
    pub title: String,
    /// Whether the query is longer.
    pub cut: bool,
    /// Executions.
    pub calls: u64,
    /// Failed statements.
    pub errors: u64,
    /// Figures of its durations.
    pub times: DurationSummary,
    /// Its calls, time and errors by user, client and so on.
    pub facets: GroupFacets,
    /// When it ran.
    pub timeline: PackedTimeline,
    /// The comparison with the baseline, if there is one.
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
        let Group { calls, errors, facets, timeline, .. } = *group;
        Self { fingerprint, title, cut, calls, errors, times, facets, timeline, change }
    }
}
