//! Lists of queries in a report: for each kind of event, the queries with the most events.

use std::cmp::Reverse;

use crate::describe::DescribeQuery;
use crate::digest::Groups;
use crate::events::Events;
use crate::group::Group;

/// Maximum length of a list.
const ROWS: usize = 10;

/// A query in a list of events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventRow {
    /// Fingerprint of the query.
    pub fingerprint: u64,
    /// The query on one line, with `$n` in place of constants.
    pub title: String,
    /// Number of events.
    pub count: u64,
    /// Sum over the events: bytes of temporary files, or microseconds of waits.
    pub amount: u64,
    /// Whether the true amount may be greater than `amount`. This is the case if some lock waits failed, because the
    /// exact durations of failed waits are unknown. It is also the case if the query's group was dropped earlier
    /// because of the digest's limit. After such a drop, the true count may also be greater than `count`.
    pub is_lower_bound: bool,
}

/// The queries with the most events of each kind, at most ten per kind.
#[derive(Debug, Clone, Default)]
pub struct EventRows {
    /// Temporary files. The amount is in bytes.
    pub temporary_files: Vec<EventRow>,
    /// Lock waits. The amount is the known waiting time in microseconds.
    pub lock_waits: Vec<EventRow>,
    /// Canceled statements. The amount is always 0.
    pub canceled: Vec<EventRow>,
}

impl EventRows {
    pub(crate) fn new(groups: &Groups, describe: &dyn DescribeQuery) -> Self {
        let top = |measure: fn(&Events) -> (u64, u64, bool)| {
            let mut all: Vec<_> = groups
                .iter()
                .map(|(fingerprint, group)| (*fingerprint, &**group, measure(group.events_or_none())))
                .filter(|(.., (amount, count, _))| *count > 0 || *amount > 0)
                .collect();
            all.sort_unstable_by_key(|(fingerprint, _, measures)| (Reverse(*measures), *fingerprint));
            let row = |(fingerprint, group, (amount, count, is_lower_bound)): (u64, &Group, (u64, u64, bool))| {
                let example = group.example.as_deref();
                let title = example.map(|example| describe.normalized(&example.sql())).unwrap_or_default();
                let is_lower_bound = is_lower_bound || group.missing > 0;
                EventRow { fingerprint, title, count, amount, is_lower_bound }
            };
            all.into_iter().take(ROWS).map(row).collect()
        };
        Self {
            temporary_files: top(|events| (events.temporary_bytes, events.temporary_files, false)),
            lock_waits: top(|events| (events.lock_time, events.lock_waits, events.failed_lock_waits > 0)),
            canceled: top(|events| (0, events.canceled, false)),
        }
    }
}
