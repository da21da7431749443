//! A digest: groups of executions, tallies of messages and names, and a timeline. Digests merge exactly and in any
//! order until they reach a limit. Beyond the limit, the rarest entries are dropped (tally.rs).

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::events::{Events, StatementEvent};
use crate::execution::{Execution, LogMessage, Severity};
use crate::facets::{Activity, FacetActivity};
use crate::fingerprints::{ByFingerprint, Fingerprints};
use crate::group::{Group, SMALL_GROUP};
use crate::messages::Messages;
use crate::origins::Origins;
use crate::tally::Names;
use crate::timeline::Timeline;

/// Memory limit for messages, names and unparsed statements, in bytes, if the digest has [`Limit::Groups`].
const BYTES_BESIDE_GROUPS: usize = 64 << 20;

/// Messages, names and unparsed statements may each use `1 / PART` of the limit, or more if the other two use less.
const PART: usize = 4;

/// If the digest exceeds its memory limit, each group keeps at most this number of users, of databases, and so on.
const NAMES_OF_A_GROUP: usize = 64;

/// Number of groups that [`Digest::load`] reads.
pub const AHEAD: usize = 16;

/// Groups by fingerprint.
pub type Groups = HashMap<u64, Box<Group>, ByFingerprint>;

/// Limit for the groups of a digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Maximum number of groups.
    Groups(usize),
    /// Maximum memory of the digest in bytes, approximately.
    Bytes(usize),
}

impl Limit {
    /// Returns the maximum of [`Digest::size`] while a digest grows. For [`Limit::Groups`], this maximum exceeds the
    /// limit, because groups are dropped in batches.
    #[must_use]
    pub fn while_growing(self) -> usize {
        match self {
            Self::Groups(groups) => groups + groups / 4,
            Self::Bytes(bytes) => bytes,
        }
    }
}

/// Number of executions per group after which the memory of all groups is computed again.
const EXECUTIONS_OF_A_GROUP: usize = 16;

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
    /// Statements of dropped groups.
    pub other: Group,
    /// Fingerprints of queries whose group was dropped. If such a query was executed again, it also has a new group.
    pub dropped: Fingerprints,
    /// Upper bound of the number of statements in a dropped group.
    pub floor: u64,
    /// All tallied messages, with or without a statement.
    pub messages: Messages,
    /// Messages of each severity, in the order of [`Severity::ALL`].
    pub severities: [u64; Severity::ALL.len()],
    /// Lines of the log that match the prefix in several ways.
    pub ambiguous: u64,
    /// Errors without a statement.
    pub stray_errors: u64,
    /// Events whose statement is missing in the log.
    pub stray_events: Events,
    /// Timeline of the executions.
    pub timeline: Timeline,
    /// Activity by user, client and so on. Complete after [`Digest::finish`].
    pub facets: FacetActivity,
    /// Activity by origin that is not yet part of `facets`.
    origins: Origins,
    /// The limit, which [`Digest::finish`] enforces.
    limit: Limit,
    /// Estimated memory of the entries that count toward the limit, in bytes.
    estimate: usize,
    /// Executions since the estimate was last computed.
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
            executions: 0,
        }
    }

    /// Adds an execution.
    pub fn add(&mut self, key: &GroupKey<'_>, execution: &Execution<'_>) {
        let statement = if let GroupKey::Query(fingerprint) = key { Some(*fingerprint) } else { None };
        self.count(execution, statement);
        let origin = self.origins.add(execution, &mut self.facets);
        let before = self.groups.len();
        group_of(&mut self.groups, &mut self.unparsed, &mut self.truncated, self.floor, key).add(execution, origin);
        self.note_size(before, execution);
    }

    /// Reads the groups of some queries, so that the processor fetches them from memory at the same time. Otherwise each
    /// [`Digest::add`] waits for its group. Has no other effect.
    pub fn load(&self, fingerprints: &[Option<u64>; AHEAD]) {
        let groups = fingerprints.map(|fingerprint| self.groups.get(&fingerprint?));
        groups.iter().flatten().for_each(|group| group.load());
        groups.iter().flatten().for_each(|group| group.load_examples());
    }

    /// Adds an error that has no statement, or whose statement is missing in the log.
    pub fn add_error(&mut self, execution: &Execution<'_>) {
        self.count(execution, None);
        self.origins.add(execution, &mut self.facets);
        self.stray_errors = self.stray_errors.saturating_add(1);
        self.note_size(self.groups.len(), execution);
    }

    /// Adds a message other than an error, such as a warning, a wait for a lock or a restart of the server. `execution`
    /// has the message's statement and session. `statement` is the statement's fingerprint.
    pub fn add_message(&mut self, message: &LogMessage<'_>, execution: &Execution<'_>, statement: Option<u64>) {
        self.tally(message, execution, statement);
        self.note_size(self.groups.len(), execution);
    }

    /// Adds an execution to the timeline and to the activity of its tags. Tallies its error.
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
        self.messages.add(message, execution, statement);
    }

    /// Adds an event of an execution. The caller adds the execution itself when the execution ends.
    pub fn add_event(&mut self, key: &GroupKey<'_>, event: &StatementEvent<'_>, execution: &Execution<'_>) {
        let origin = self.origins.of(execution, &mut self.facets);
        let before = self.groups.len();
        let group = group_of(&mut self.groups, &mut self.unparsed, &mut self.truncated, self.floor, key);
        group.add_event(event, execution, origin);
        self.note_size(before, execution);
    }

    /// Updates the estimated memory after an execution, and enforces the limit. `groups_before`: the number of groups
    /// before the execution.
    fn note_size(&mut self, groups_before: usize, execution: &Execution<'_>) {
        self.executions += 1;
        if self.groups.len() > groups_before {
            self.estimate += SMALL_GROUP + execution.sql.len() + execution.params.len();
            self.drop_surplus(false);
        } else if self.executions > EXECUTIONS_OF_A_GROUP * (self.groups.len() + 1000) {
            self.update_estimate();
            self.drop_surplus(false);
        }
    }

    fn update_estimate(&mut self) {
        self.estimate = self.groups_size() + self.size_beside_groups();
        self.executions = 0;
    }

    fn groups_size(&self) -> usize {
        self.groups.values().map(|group| group.memory_size()).sum()
    }

    fn size_beside_groups(&self) -> usize {
        self.messages.memory_size() + self.facets.memory_size() + self.unparsed.memory_size()
    }

    /// Drops the rarest entries if the limit is exceeded. While the digest grows, each drop removes many entries, so
    /// drops are rare.
    fn drop_surplus(&mut self, at_end: bool) {
        match self.limit {
            Limit::Groups(limit) => {
                if at_end || self.executions == 0 {
                    self.evict_beside_groups(BYTES_BESIDE_GROUPS, BYTES_BESIDE_GROUPS / PART);
                    if self.estimate > BYTES_BESIDE_GROUPS {
                        self.groups.values_mut().for_each(|group| group.evict_names_to(NAMES_OF_A_GROUP));
                    }
                }
                if at_end || self.groups.len() > self.limit.while_growing() {
                    self.drop_groups(limit.max(1));
                }
            }
            Limit::Bytes(limit) => {
                if !at_end && self.estimate <= limit {
                    return;
                }
                self.update_estimate();
                let slack = if at_end { 0 } else { limit / 8 };
                if self.estimate <= limit - slack {
                    return;
                }
                self.evict_beside_groups(limit - slack, (limit - slack) / PART);
                let room = limit.saturating_sub(2 * slack).saturating_sub(self.size_beside_groups());
                if self.groups_size() > room {
                    self.groups.values_mut().for_each(|group| group.evict_names_to(NAMES_OF_A_GROUP));
                }
                let size = self.groups_size();
                if size > room {
                    self.drop_groups((self.groups.len() as u128 * room as u128 / size as u128) as usize);
                }
                self.update_estimate();
            }
        }
    }

    /// Evicts messages, names and groups of unparsed statements if the whole digest takes more than `limit` bytes. Each
    /// of these three kinds may keep `part` bytes.
    fn evict_beside_groups(&mut self, limit: usize, part: usize) {
        let groups = if matches!(self.limit, Limit::Groups(_)) { 0 } else { self.groups_size() };
        // Each kind may also use the memory that the other kinds do not use.
        let room = |others: usize| part.max(limit.saturating_sub(groups + others));
        let (messages, facets, unparsed) =
            (self.messages.memory_size(), self.facets.memory_size(), self.unparsed.memory_size());
        self.messages.evict_to_bytes(room(facets + unparsed));
        self.facets.evict_to_bytes(room(messages.min(self.messages.memory_size()) + unparsed));
        self.unparsed.evict_to_bytes(room(self.messages.memory_size() + self.facets.memory_size()));
    }

    /// Drops groups until `keep` groups remain. Keeps the groups with the most statements.
    fn drop_groups(&mut self, keep: usize) {
        if self.groups.len() <= keep {
            return;
        }
        let surplus = self.groups.len() - keep;
        let rank = |fingerprint: &u64, group: &Group| {
            ((group.statements().saturating_add(group.missing), group.durations.sum()), *fingerprint)
        };
        let mut ranks: Vec<((u64, u64), u64)> =
            self.groups.iter().map(|(fingerprint, group)| rank(fingerprint, group)).collect();
        ranks.select_nth_unstable(surplus - 1);
        let mut timeline = self.other.timeline.unpacked();
        for ((upper, _), fingerprint) in &ranks[..surplus] {
            self.floor = self.floor.max(*upper);
            if let Some(mut group) = self.groups.remove(fingerprint) {
                timeline.merge(&std::mem::take(&mut group.timeline).unpacked());
                group.missing = 0;
                self.other.merge(*group);
                self.dropped.insert(*fingerprint);
            }
        }
        self.other.timeline = timeline.into();
        self.other.evict_names_to(NAMES_OF_A_GROUP);
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

    /// Adds another digest.
    pub fn merge(&mut self, mut other: Self) {
        other.origins.move_to(&mut other.facets);
        if other.floor > 0 {
            // If only this digest has a group, the group may lack statements, because the other digest may have dropped
            // its group of the same query.
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
        self.update_estimate();
    }

    /// Completes the digest and enforces the limit. Until then, the digest may exceed the limit.
    pub fn finish(&mut self) {
        self.origins.move_to(&mut self.facets);
        self.drop_surplus(true);
    }

    /// Enforces the limit, with the slack that [`Digest::add`] allows. Useful after [`Digest::merge`], which does not
    /// enforce the limit.
    pub fn keep_limit(&mut self) {
        self.update_estimate();
        self.drop_surplus(false);
    }

    /// Whether the digest is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let is_quiet = self.messages.is_empty() && self.stray_events == Events::default();
        is_quiet && self.all_groups().all(|group| group.statements() == 0 && group.events.is_none())
    }

    /// Returns the size to which the limit applies: the number of groups, or the approximate memory in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        match self.limit {
            Limit::Groups(_) => self.groups.len(),
            Limit::Bytes(_) => self.estimate,
        }
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

/// Returns the group of a statement. A new group of a query may lack statements, because an earlier group of the query
/// may have been dropped. `floor`: the maximum number of such statements.
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
