//! A digest: groups of executions, tallies of messages and names, and a timeline. A merged digest is exact and does not
//! depend on the order of merges, unless it exceeds its limit. Beyond the limit, the rarest entries are dropped
//! (tally.rs).

mod limit;

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::events::{Events, StatementEvent};
use crate::execution::{Execution, LogMessage, Severity};
use crate::facets::{Activity, FacetActivity};
use crate::fingerprints::{ByFingerprint, Fingerprints};
use crate::group::{Group, SMALL_GROUP};
use crate::messages::Messages;
use crate::origins::Origins;
use crate::tally::{NAME_SIZE, Names, Tally};
use crate::timeline::Timeline;
use limit::longest_name;

pub use limit::Limit;

/// Maximum number of groups that [`Digest::load`] prefetches.
pub const AHEAD: usize = 16;

/// Groups by fingerprint.
pub type Groups = HashMap<u64, Box<Group>, ByFingerprint>;

/// The group of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupKey<'a> {
    /// The group of a query with this fingerprint.
    Query(u64),
    /// The group of the statements that fail to parse with this error message.
    Unparsed(&'a str),
    /// The group of statements that the log truncated.
    Truncated,
}

/// A summary of executions, grouped by [`GroupKey`].
///
/// ```
/// use pgq_digest::{Digest, Execution, GroupKey, Limit};
///
/// let mut digest = Digest::new(Limit::Groups(1000));
/// for (key, sql) in [(GroupKey::Query(7), &b"SELECT 1"[..]), (GroupKey::Unparsed("syntax error"), b"SELEC 1")] {
///     digest.add(&key, &Execution { sql, ..Execution::default() });
/// }
/// digest.finish();
/// assert_eq!(digest.all_groups().map(|group| group.calls).sum::<u64>(), 2);
/// ```
#[derive(Debug, Clone)]
pub struct Digest {
    /// Groups of queries, by fingerprint.
    pub groups: Groups,
    /// Statements that do not parse, by error message.
    pub unparsed: Names<Group>,
    /// Statements that the log truncated.
    pub truncated: Group,
    /// Sum of the groups that were dropped because of the limit.
    pub other: Group,
    /// Fingerprints of queries whose group was dropped. A query that was executed again afterwards
    /// also has a new group.
    pub dropped: Fingerprints,
    /// Upper bound of the number of statements in a dropped group: no dropped group had more statements. 0 if no group
    /// was dropped.
    pub floor: u64,
    /// All tallied messages, with or without a statement.
    pub messages: Messages,
    /// Number of messages of each severity, in the order of [`Severity::ALL`].
    pub severities: [u64; Severity::ALL.len()],
    /// Number of log lines that match `log_line_prefix` in several ways.
    pub ambiguous: u64,
    /// Errors without a statement.
    pub stray_errors: u64,
    /// Events whose statement is missing in the log.
    pub stray_events: Events,
    /// Timeline of the executions.
    pub timeline: Timeline,
    /// Activity by user, client and so on. Complete after [`Digest::finish`].
    pub facets: FacetActivity,
    /// Activity by origin (the combination of user, database, application and host). [`Digest::finish`] moves it to
    /// `facets`.
    origins: Origins,
    /// The limit, which [`Digest::finish`] enforces.
    limit: Limit,
    /// Estimated memory of the entries that count toward the limit, in bytes.
    estimate: usize,
    /// Entries are dropped when `estimate` exceeds this value.
    next_drop: usize,
    /// Number of names in `facets` when `estimate` was last updated.
    names: usize,
    /// Number of executions since `estimate` was last computed from all entries.
    executions: usize,
}

impl Digest {
    /// Creates an empty digest with a limit. Beyond the limit, the groups with the fewest executions are dropped, and
    /// their executions are counted in [`Digest::other`].
    #[must_use]
    pub fn new(limit: Limit) -> Self {
        Self {
            groups: Groups::default(),
            unparsed: Names::default(),
            truncated: Group::default(),
            other: Group::default(),
            dropped: Fingerprints::default(),
            floor: 0,
            messages: Messages::default(),
            severities: [0; Severity::ALL.len()],
            ambiguous: 0,
            stray_errors: 0,
            stray_events: Events::default(),
            timeline: Timeline::default(),
            facets: FacetActivity::default(),
            origins: Origins::default(),
            limit,
            estimate: 0,
            next_drop: limit.bytes(),
            names: 0,
            executions: 0,
        }
    }

    /// Adds an execution.
    pub fn add(&mut self, key: &GroupKey<'_>, execution: &Execution<'_>) {
        let statement = if let GroupKey::Query(fingerprint) = key { Some(*fingerprint) } else { None };
        self.count(execution, statement);
        self.add_to_group(key, execution, None);
    }

    /// Prefetches the groups of some queries. The groups are read in one loop, so the processor fetches them from
    /// memory in parallel. Without the prefetch, each [`Digest::add`] would wait for its group.
    pub fn load(&self, fingerprints: impl Iterator<Item = u64>) {
        let mut groups = [None; AHEAD];
        for (group, fingerprint) in groups.iter_mut().zip(fingerprints) {
            *group = self.groups.get(&fingerprint);
        }
        groups.iter().flatten().for_each(|group| group.load());
        groups.iter().flatten().for_each(|group| group.load_examples());
    }

    /// Adds an error that has no statement, or whose statement is missing in the log.
    pub fn add_error(&mut self, execution: &Execution<'_>) {
        self.count(execution, None);
        self.origins.add(execution, &mut self.facets);
        self.stray_errors = self.stray_errors.saturating_add(1);
        if execution.is_canceled {
            self.stray_events.canceled += 1;
        }
        self.keep_limit_after(execution);
    }

    /// Adds a message other than an error, such as a warning, a wait for a lock or a restart of the server. `execution`
    /// has the message's statement and session. `statement` is the statement's fingerprint.
    pub fn add_message(&mut self, message: &LogMessage<'_>, execution: &Execution<'_>, statement: Option<u64>) {
        self.tally(message, execution, statement);
        self.keep_limit_after(execution);
    }

    /// Adds an execution to the timeline, and to the activity of each tag in its comments. If the execution has an
    /// error, adds the error to the tally of messages.
    fn count(&mut self, execution: &Execution<'_>, statement: Option<u64>) {
        if let Some((micros, _)) = execution.time {
            self.timeline.add(micros, execution.duration.unwrap_or(0), execution.error.is_some());
        }
        if !execution.tags.is_empty() {
            let mut activity = Activity::default();
            activity.add(execution);
            execution.tags.iter().for_each(|tag| self.facets.add_tag(tag, &activity));
        }
        if let Some(error) = execution.error {
            self.tally(error, execution, statement);
        }
    }

    fn tally(&mut self, message: &LogMessage<'_>, execution: &Execution<'_>, statement: Option<u64>) {
        let count = &mut self.severities[message.severity as usize];
        *count = count.saturating_add(1);
        self.estimate += self.messages.add(message, execution, statement);
    }

    /// Adds an event of an execution, such as a temporary file. Does not add the execution itself: the caller adds the
    /// execution when it ends.
    pub fn add_event(&mut self, key: &GroupKey<'_>, event: &StatementEvent<'_>, execution: &Execution<'_>) {
        self.add_to_group(key, execution, Some(event));
    }

    /// Adds an execution, or its event, to its group, and enforces the limit.
    fn add_to_group(&mut self, key: &GroupKey<'_>, execution: &Execution<'_>, event: Option<&StatementEvent<'_>>) {
        let groups_before = self.groups.len() + self.unparsed.len();
        let group = group_of(&mut self.groups, &mut self.unparsed, &mut self.truncated, self.floor, key);
        let names = group.names_len();
        self.estimate += match event {
            Some(event) => group.add_event(event, execution, self.origins.of(execution, &mut self.facets)),
            None => group.add(execution, self.origins.add(execution, &mut self.facets)),
        };
        let new_names = group.names_len().saturating_sub(names);
        if new_names > 0 {
            self.estimate += new_names * (NAME_SIZE + longest_name(execution));
        }
        if self.groups.len() + self.unparsed.len() > groups_before {
            self.estimate += SMALL_GROUP;
        }
        self.keep_limit_after(execution);
    }

    /// Returns the number of distinct queries, including queries of dropped groups.
    #[must_use]
    pub fn distinct_queries(&self) -> u64 {
        (self.groups.len() + self.dropped_queries()) as u64
    }

    /// Returns the number of queries whose group was dropped and not created again.
    fn dropped_queries(&self) -> usize {
        self.dropped.iter().filter(|fingerprint| !self.groups.contains_key(fingerprint)).count()
    }

    /// Adds another digest. Afterwards call [`Digest::keep_limit`] or [`Digest::finish`], which enforce the limit.
    pub fn merge(&mut self, mut other: Self) {
        other.origins.move_to(&mut other.facets);
        if other.floor > 0 {
            // If only this digest has a group for a query, the other digest may have dropped its group of the same
            // query. The dropped group had at most `other.floor` statements, so the merged group may lack up to this
            // number of statements.
            let own = self.groups.iter_mut().filter(|(fingerprint, _)| !other.groups.contains_key(*fingerprint));
            own.for_each(|(_, group)| group.missing = group.missing.saturating_add(other.floor));
        }
        if self.groups.is_empty() && self.floor == 0 {
            self.groups = other.groups;
        } else {
            for (fingerprint, mut group) in other.groups {
                match self.groups.entry(fingerprint) {
                    Entry::Occupied(mut own) => own.get_mut().merge(*group),
                    Entry::Vacant(place) => {
                        group.missing = group.missing.saturating_add(self.floor);
                        place.insert(group);
                    }
                }
            }
        }
        self.floor = self.floor.saturating_add(other.floor);
        self.unparsed.merge(other.unparsed);
        self.truncated.merge(other.truncated);
        self.other.merge(other.other);
        self.dropped.extend(other.dropped);
        self.messages.merge(other.messages);
        for (count, other) in self.severities.iter_mut().zip(other.severities) {
            *count = count.saturating_add(other);
        }
        self.ambiguous = self.ambiguous.saturating_add(other.ambiguous);
        self.stray_errors = self.stray_errors.saturating_add(other.stray_errors);
        self.stray_events.merge(other.stray_events);
        self.timeline.merge(&other.timeline);
        self.facets.merge(other.facets);
    }

    /// Completes the digest and enforces the limit. Until then, the digest may exceed the limit.
    pub fn finish(&mut self) {
        self.origins.move_to(&mut self.facets);
        self.drop_surplus(true);
    }

    /// Whether the digest is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let is_quiet = self.messages.tallies().all(Tally::is_empty) && self.stray_events == Events::default();
        is_quiet && self.all_groups().all(|group| group.statements() == 0 && group.events.is_none())
    }

    /// Returns all groups, including groups without a fingerprint and the sums of dropped groups.
    pub fn all_groups(&self) -> impl Iterator<Item = &Group> {
        self.groups.values().map(|group| &**group).chain(self.unparsed.iter().map(|(_, kept)| &kept.sum)).chain([
            &self.truncated,
            &self.other,
            self.unparsed.others(),
        ])
    }
}

/// Returns the group of a statement. Creates the group if necessary. A new group of a query may lack up to `floor`
/// statements, because an earlier group of the same query may have been dropped.
fn group_of<'g>(
    groups: &'g mut Groups,
    unparsed: &'g mut Names<Group>,
    truncated: &'g mut Group,
    floor: u64,
    key: &GroupKey<'_>,
) -> &'g mut Group {
    match key {
        GroupKey::Query(fingerprint) => {
            groups.entry(*fingerprint).or_insert_with(|| Box::new(Group { missing: floor, ..Group::default() }))
        }
        GroupKey::Unparsed(reason) => unparsed.of(*reason, || (*reason).into()),
        GroupKey::Truncated => truncated,
    }
}
