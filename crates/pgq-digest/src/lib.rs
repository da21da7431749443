//! What ran on a PostgreSQL server: executions in groups by fingerprint, with counts, durations,
//! errors, users and an example each. Digests merge exactly and in any order, so that threads,
//! files and machines can share a log.
//!
//! This crate does not parse SQL ([`DescribeQuery`] does that for reports), reads no logs and
//! prints nothing.
#![forbid(unsafe_code)]

pub mod baseline;
mod counts;
mod durations;
mod group;
pub mod report;
pub mod state;
mod timeline;

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasherDefault, Hasher};

pub use counts::BoundedCounts;
pub use durations::Durations;
pub use group::{Call, Example, Group, When};
pub use timeline::{Bin, Timeline};

/// What only a parser knows of a query, for reports.
pub trait DescribeQuery {
    /// The query on one line with `$n` for its constants, or, where it does not parse, as it is.
    fn normalized(&self, sql: &str) -> String;
    /// The names of the tables in it.
    fn tables(&self, sql: &str) -> Vec<String>;
    /// The keyword of its kind in lower case: `select`.
    fn kind(&self, sql: &str) -> String;
}

/// Most reasons for which statements do not parse that are told apart.
const REASONS: usize = 1000;

/// Fingerprints are hashes already.
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

/// Statements in groups.
#[derive(Debug, Clone)]
pub struct Digest {
    pub groups: Groups,
    /// Statements that do not parse, by the reason.
    pub unparsed: BTreeMap<Box<str>, Group>,
    /// Statements that the log has lost an end of.
    pub truncated: Group,
    /// Statements of groups that were too many.
    pub other: Group,
    /// How many such groups there were; one that came again after it was dropped counts anew.
    pub dropped: u64,
    pub timeline: Timeline,
    /// Most groups that are kept.
    limit: usize,
}

/// Which group a statement belongs to.
pub enum Kind<'a> {
    Query(u64),
    Unparsed(&'a str),
    Truncated,
}

impl Digest {
    /// An empty one that keeps about `limit` groups: where there are more, the rarest are
    /// counted together.
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

    /// Takes in a record.
    pub fn add(&mut self, kind: &Kind<'_>, call: &Call<'_>) {
        if let Some((micros, _)) = call.when {
            let error = u64::from(call.error.is_some());
            self.timeline.add(micros, Bin { calls: 1 - error, total: call.duration.unwrap_or(0), errors: error });
        }
        match kind {
            Kind::Query(fingerprint) => {
                self.groups.entry(*fingerprint).or_default().add(call);
                if self.groups.len() > self.limit + self.limit / 4 {
                    self.drop_rarest();
                }
            }
            Kind::Unparsed(reason) => self.reason(reason).add(call),
            Kind::Truncated => self.truncated.add(call),
        }
    }

    /// The group of a reason; those last in the alphabet share one where there are too many.
    fn reason(&mut self, reason: &str) -> &mut Group {
        let of_their_own = self.unparsed.len() - usize::from(self.unparsed.contains_key(OTHER_REASONS));
        if of_their_own >= REASONS && !self.unparsed.contains_key(reason) {
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

    /// Keeps as many groups as there may be.
    fn drop_rarest(&mut self) {
        if self.groups.len() <= self.limit {
            return;
        }
        let mut ranks: Vec<((u64, u64), u64)> = self.groups.iter().map(|(fp, group)| (group.rank(), *fp)).collect();
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
    pub fn merge(&mut self, mut more: Self) {
        more.timeline.flush_pending();
        for (fingerprint, group) in more.groups {
            self.groups.entry(fingerprint).or_default().merge(group);
        }
        for (reason, group) in more.unparsed {
            self.reason(&reason).merge(group);
        }
        self.truncated.merge(more.truncated);
        self.other.merge(more.other);
        self.dropped += more.dropped;
        self.timeline.merge(&more.timeline);
    }

    /// Nothing more is to come: the limit is kept to the letter.
    pub fn finish(&mut self) {
        self.timeline.flush_pending();
        self.drop_rarest();
    }

    /// Every group, those without a fingerprint too.
    pub fn all(&self) -> impl Iterator<Item = &Group> {
        self.groups.values().chain(self.unparsed.values()).chain([&self.truncated, &self.other])
    }
}

/// The reason of statements whose own were too many; it sorts before all others, so that it stays.
const OTHER_REASONS: &str = " other reasons";
