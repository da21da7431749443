//! The digest: groups of executions, a bounded number of them, and a timeline. Digests merge
//! exactly and in any order, except for groups that were dropped.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasherDefault, Hasher};

use crate::execution::Execution;
use crate::group::Group;
use crate::timeline::{Bin, Timeline};

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
pub type Groups = HashMap<u64, Group, BuildHasherDefault<IdentityHasher>>;

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
/// use pgq_digest::{Digest, Execution, GroupKey};
///
/// let mut digest = Digest::new(1000);
/// for (key, sql) in [(GroupKey::Query(7), "SELECT 1"), (GroupKey::Unparsed("syntax error"), "SELEC 1")] {
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
    /// How many groups were dropped because there were too many. A group that was dropped twice
    /// counts twice.
    pub dropped: u64,
    /// When the executions were.
    pub timeline: Timeline,
    /// Maximum number of groups after [`Digest::finish`].
    limit: usize,
}

impl Digest {
    /// An empty digest that keeps `limit` groups of queries. Of more groups, those with the fewest
    /// executions are dropped: their executions are counted together.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self {
            groups: Groups::default(),
            unparsed: BTreeMap::new(),
            truncated: Group::default(),
            other: Group::default(),
            dropped: 0,
            timeline: Timeline::default(),
            limit: limit.max(1),
        }
    }

    /// Adds an execution.
    pub fn add(&mut self, key: &GroupKey<'_>, execution: &Execution<'_>) {
        if let Some((micros, _)) = execution.time {
            let errors = u64::from(execution.error.is_some());
            self.timeline.add(micros, Bin { calls: 1 - errors, total: execution.duration.unwrap_or(0), errors });
        }
        match key {
            GroupKey::Query(fingerprint) => {
                self.groups.entry(*fingerprint).or_default().add(execution);
                if self.groups.len() > self.limit + self.limit / 4 {
                    self.drop_surplus();
                }
            }
            GroupKey::Unparsed(reason) => self.unparsed_group(reason).add(execution),
            GroupKey::Truncated => self.truncated.add(execution),
        }
    }

    /// The group of a reason. Of too many reasons, those last in byte order share a group.
    fn unparsed_group(&mut self, reason: &str) -> &mut Group {
        let reasons = self.unparsed.len() - usize::from(self.unparsed.contains_key(OTHER_REASONS));
        if reasons >= MAX_REASONS && !self.unparsed.contains_key(reason) {
            let last = self.unparsed.last_key_value().map(|(last, _)| &**last);
            if last.is_none_or(|last| reason > last) {
                return self.unparsed.entry(OTHER_REASONS.into()).or_default();
            }
            if let Some((_, group)) = self.unparsed.pop_last() {
                self.unparsed.entry(OTHER_REASONS.into()).or_default().merge(group);
            }
        }
        self.unparsed.entry(reason.into()).or_default()
    }

    /// Drops groups until the limit is kept.
    fn drop_surplus(&mut self) {
        if self.groups.len() <= self.limit {
            return;
        }
        let mut ranks: Vec<((u64, u64), u64)> =
            self.groups.iter().map(|(fingerprint, group)| (group.drop_rank(), *fingerprint)).collect();
        let surplus = ranks.len() - self.limit;
        ranks.select_nth_unstable(surplus - 1);
        for (_, fingerprint) in &ranks[..surplus] {
            if let Some(group) = self.groups.remove(fingerprint) {
                self.other.merge(group);
                self.dropped += 1;
            }
        }
    }

    /// Adds another digest.
    pub fn merge(&mut self, mut other: Self) {
        other.timeline.flush_pending();
        for (fingerprint, group) in other.groups {
            self.groups.entry(fingerprint).or_default().merge(group);
        }
        for (reason, group) in other.unparsed {
            self.unparsed_group(&reason).merge(group);
        }
        self.truncated.merge(other.truncated);
        self.other.merge(other.other);
        self.dropped += other.dropped;
        self.timeline.merge(&other.timeline);
    }

    /// Ends the digest: enforces the limit, which [`Digest::add`] and [`Digest::merge`] may exceed.
    pub fn finish(&mut self) {
        self.timeline.flush_pending();
        self.drop_surplus();
    }

    /// All groups, including those without a fingerprint.
    pub fn all_groups(&self) -> impl Iterator<Item = &Group> {
        self.groups.values().chain(self.unparsed.values()).chain([&self.truncated, &self.other])
    }
}
