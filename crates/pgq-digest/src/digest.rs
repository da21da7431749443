//! The digest: groups of executions, a bounded number of them, a tally of errors, and a timeline.
//! Digests merge exactly and in any order, except for groups that were dropped.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use crate::bounded::Sum;
use crate::errors::ErrorTally;
use crate::events::{Events, StatementEvent};
use crate::execution::Execution;
use crate::facets::FacetTimelines;
use crate::group::{Group, SMALL_GROUP};
use crate::origin::Origins;
use crate::timeline::{PackedTimeline, SmallTimeline, Timeline};

/// Maximum number of reasons (why statements do not parse) that have a group.
const MAX_REASONS: usize = 1000;

/// The reason of all statements whose reason has no group. The space makes it the first in byte
/// order, so that it is never dropped.
const OTHER_REASONS: &str = " other reasons";

/// A hasher that uses a fingerprint as its own hash.
#[derive(Debug, Clone, Copy, Default)]
pub struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, _: &[u8]) {
        unreachable!("only fingerprints are hashed");
    }
    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// Groups by fingerprint.
pub type Groups = HashMap<u64, Box<Group>, BuildHasherDefault<IdentityHasher>>;

/// A set of fingerprints.
pub type Fingerprints = HashSet<u64, BuildHasherDefault<IdentityHasher>>;

/// How much of groups a digest keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// The number of groups.
    Groups(usize),
    /// About their size in memory, in bytes.
    Bytes(usize),
}

impl Limit {
    /// What a digest that grows may have of [`Digest::size`], so that groups are not dropped one by one.
    #[must_use]
    pub fn while_growing(self) -> usize {
        match self {
            Self::Groups(groups) => groups + groups / 4,
            Self::Bytes(bytes) => bytes,
        }
    }
}

/// After so many executions for each group the size of the groups is added up again.
const EXECUTIONS_OF_A_GROUP: usize = 16;

/// The group that a statement belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupKey<'a> {
    /// That of a query, by its fingerprint.
    Query(u64),
    /// That of statements that do not parse, by the error message.
    Unparsed(&'a str),
    /// That of statements that the log has lost an end of.
    Truncated,
}

/// Executions in groups.
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
    /// Statements that do not parse, by the reason.
    pub unparsed: BTreeMap<Box<str>, Group>,
    /// Statements that the log has lost an end of.
    pub truncated: Group,
    /// Statements of dropped groups.
    pub other: Group,
    /// The fingerprints of groups that were dropped because there were too many. Those of them that
    /// came again have a group, too.
    pub dropped: Fingerprints,
    /// All errors.
    pub errors: ErrorTally,
    /// Events whose statement the log does not have.
    pub stray_events: Events,
    /// When the executions were.
    pub timeline: Timeline,
    /// When users, clients and so on ran theirs; complete after [`Digest::finish`].
    pub facets: FacetTimelines,
    /// Who ran statements, with what is not in `facets` yet.
    origins: Origins,
    /// What is kept after [`Digest::finish`].
    limit: Limit,
    /// An estimate of the memory of the groups, in bytes.
    estimate: usize,
    /// Executions since it was made, for what groups gain.
    executions: usize,
}

impl Digest {
    /// An empty digest that keeps so many groups of queries. Of more groups, those with the fewest
    /// executions are dropped: their executions are counted together.
    #[must_use]
    pub fn new(limit: Limit) -> Self {
        Self {
            groups: Groups::default(),
            unparsed: BTreeMap::new(),
            truncated: Group::default(),
            other: Group::default(),
            dropped: Fingerprints::default(),
            errors: ErrorTally::default(),
            stray_events: Events::default(),
            timeline: Timeline::default(),
            facets: FacetTimelines::default(),
            origins: Origins::default(),
            limit,
            estimate: 0,
            executions: 0,
        }
    }

    /// Adds an execution.
    pub fn add(&mut self, key: &GroupKey<'_>, execution: &Execution<'_>) {
        if let Some((micros, _)) = execution.time {
            let (duration, failed) = (execution.duration.unwrap_or(0), execution.error.is_some());
            self.timeline.add(micros, duration, failed);
            if !execution.tags.is_empty() {
                let mut timeline = SmallTimeline::default();
                timeline.add(micros, duration, failed);
                execution.tags.iter().for_each(|tag| self.facets.add_tag(tag, &timeline));
            }
        }
        if let Some(message) = execution.error {
            let statement = if let GroupKey::Query(fingerprint) = key { Some(*fingerprint) } else { None };
            self.errors.add(execution.sqlstate, message, execution.time, statement);
        }
        let origin = self.origins.add(execution, &mut self.facets);
        let before = self.groups.len();
        group_of(&mut self.groups, &mut self.unparsed, &mut self.truncated, key).add(execution, origin);
        self.note_size(before, execution);
    }

    /// Adds an event of an execution, which is counted when it has ended.
    pub fn add_event(&mut self, key: &GroupKey<'_>, event: &StatementEvent<'_>, execution: &Execution<'_>) {
        let origin = self.origins.of(execution, &mut self.facets);
        let before = self.groups.len();
        let group = group_of(&mut self.groups, &mut self.unparsed, &mut self.truncated, key);
        group.add_event(event, execution, origin);
        self.note_size(before, execution);
    }

    /// Notes what an execution takes, where there were so many groups before it, and enforces the limit.
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
        self.estimate = self.groups.values().map(|group| group.memory_size()).sum();
        self.executions = 0;
    }

    /// Drops groups until the limit is kept. Before the end, only where it is exceeded by much, and then
    /// by enough that it does not happen often.
    fn drop_surplus(&mut self, at_end: bool) {
        if !at_end && self.size() <= self.limit.while_growing() {
            return;
        }
        let keep = match self.limit {
            Limit::Groups(limit) => limit.max(1),
            Limit::Bytes(limit) => {
                self.update_estimate();
                let slack = if at_end { 0 } else { limit / 8 };
                if self.estimate <= limit - slack {
                    return;
                }
                let mean = self.estimate / self.groups.len().max(1);
                (limit - 2 * slack) / mean.max(1)
            }
        };
        if self.groups.len() <= keep {
            return;
        }
        let mut ranks: Vec<((u64, u64), u64)> =
            self.groups.iter().map(|(fingerprint, group)| (group.drop_rank(), *fingerprint)).collect();
        let surplus = ranks.len() - keep;
        ranks.select_nth_unstable(surplus - 1);
        // It takes in many timelines, and is packed once.
        let mut timeline = self.other.timeline.unpacked();
        for (_, fingerprint) in &ranks[..surplus] {
            if let Some(mut group) = self.groups.remove(fingerprint) {
                self.estimate = self.estimate.saturating_sub(group.memory_size());
                timeline.merge(&std::mem::take(&mut group.timeline).unpacked());
                self.other.merge(*group);
                self.dropped.insert(*fingerprint);
            }
        }
        self.other.timeline = PackedTimeline::new(&timeline);
    }

    /// How many queries there are, with those whose groups were dropped.
    #[must_use]
    pub fn distinct_queries(&self) -> u64 {
        (self.groups.len() + self.dropped_queries()) as u64
    }

    /// How many queries have no group any more.
    fn dropped_queries(&self) -> usize {
        self.dropped.iter().filter(|fingerprint| !self.groups.contains_key(fingerprint)).count()
    }

    /// Adds another digest.
    pub fn merge(&mut self, mut other: Self) {
        other.origins.move_to(&mut other.facets);
        if self.groups.is_empty() {
            (self.groups, self.estimate) = (other.groups, other.estimate);
        } else {
            for (fingerprint, group) in other.groups {
                match self.groups.entry(fingerprint) {
                    Entry::Occupied(mut own) => {
                        let own = own.get_mut();
                        let before = own.memory_size();
                        own.merge(*group);
                        self.estimate = (self.estimate + own.memory_size()).saturating_sub(before);
                    }
                    Entry::Vacant(place) => {
                        self.estimate += group.memory_size();
                        place.insert(group);
                    }
                }
            }
        }
        for (reason, group) in other.unparsed {
            unparsed_group(&mut self.unparsed, &reason).merge(group);
        }
        self.truncated.merge(other.truncated);
        self.other.merge(other.other);
        self.dropped.extend(other.dropped);
        self.errors.merge(other.errors);
        self.stray_events.merge(other.stray_events);
        self.timeline.merge(&other.timeline);
        self.facets.merge(&other.facets);
    }

    /// Ends the digest: enforces the limit, which [`Digest::add`] and [`Digest::merge`] may exceed.
    pub fn finish(&mut self) {
        self.origins.move_to(&mut self.facets);
        self.drop_surplus(true);
    }

    /// Enforces the limit as [`Digest::add`] does, which [`Digest::merge`] does not.
    pub fn keep_limit(&mut self) {
        self.drop_surplus(false);
    }

    /// What the limit counts: the number of groups, or about their size in memory, in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        match self.limit {
            Limit::Groups(_) => self.groups.len(),
            Limit::Bytes(_) => self.estimate,
        }
    }

    /// All groups, including those without a fingerprint.
    pub fn all_groups(&self) -> impl Iterator<Item = &Group> {
        self.groups.values().map(|group| &**group).chain(self.unparsed.values()).chain([&self.truncated, &self.other])
    }
}

fn group_of<'g>(
    groups: &'g mut Groups,
    unparsed: &'g mut BTreeMap<Box<str>, Group>,
    truncated: &'g mut Group,
    key: &GroupKey<'_>,
) -> &'g mut Group {
    match key {
        GroupKey::Query(fingerprint) => groups.entry(*fingerprint).or_default(),
        GroupKey::Unparsed(reason) => unparsed_group(unparsed, reason),
        GroupKey::Truncated => truncated,
    }
}

/// The group of a reason. Of too many reasons, those last in byte order share a group.
fn unparsed_group<'g>(unparsed: &'g mut BTreeMap<Box<str>, Group>, reason: &str) -> &'g mut Group {
    let reasons = unparsed.len() - usize::from(unparsed.contains_key(OTHER_REASONS));
    if reasons >= MAX_REASONS && !unparsed.contains_key(reason) {
        let last = unparsed.last_key_value().map(|(last, _)| &**last);
        if last.is_none_or(|last| reason > last) {
            return unparsed.entry(OTHER_REASONS.into()).or_default();
        }
        if let Some((_, group)) = unparsed.pop_last() {
            unparsed.entry(OTHER_REASONS.into()).or_default().merge(group);
        }
    }
    unparsed.entry(reason.into()).or_default()
}
