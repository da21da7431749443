//! Counts events (temporary files, waits for locks, cancellations, plans), and keeps the slowest plan. Executions are
//! not events. Merging is exact and does not depend on the order of merges.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::execution::{LogTime, cut_text, may_be_cut};

/// Maximum length of a plan, in bytes. The rest is cut off.
const MAX_PLAN_LEN: usize = 64 << 10;

/// Maximum number of hashes in [`Events::shapes`]. If there are more distinct plans, the smallest hashes are kept. This
/// choice does not depend on the order in which digests are merged.
const MAX_SHAPES: usize = 64;

/// An event of a statement, other than an execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatementEvent<'a> {
    /// A temporary file.
    TemporaryFile {
        /// Size in bytes.
        bytes: u64,
    },
    /// A wait for a lock, longer than the server's deadlock_timeout.
    LockWait,
    /// The end of a wait for a lock: the lock was granted.
    LockAcquired {
        /// Duration of the wait, in microseconds.
        waited: u64,
    },
    /// A wait for a lock ended with an error: the lock was not granted.
    LockFailed {
        /// Lower bound of the wait's duration, in microseconds.
        waited: u64,
    },
    /// A plan, verbatim.
    Plan {
        /// Text of the plan.
        text: &'a str,
    },
}

/// Counts of events.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Events {
    /// Number of temporary files.
    pub temporary_files: u64,
    /// Total size of the temporary files, in bytes.
    pub temporary_bytes: u64,
    /// Number of waits for locks.
    pub lock_waits: u64,
    /// Number of waits for locks that ended in an error.
    pub failed_lock_waits: u64,
    /// Total wait for locks, in microseconds. A lower bound if `failed_lock_waits` is greater than 0.
    pub lock_time: u64,
    /// Number of statements that a timeout, a user or a recovery conflict canceled.
    pub canceled: u64,
    /// Number of plans.
    pub plans: u64,
    /// Hashes of distinct plans. Each hash is computed from the nodes of a plan.
    pub shapes: BTreeSet<u64>,
    /// The slowest plan.
    pub slowest_plan: Option<Box<Plan>>,
}

/// A plan of auto_explain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// Duration of the execution, in microseconds.
    pub duration: u64,
    /// Time at which the plan was logged.
    pub time: Option<LogTime>,
    /// The plan, verbatim, at most 64 KiB.
    pub text: Box<str>,
}

impl Plan {
    /// Whether the plan may have been cut.
    pub(crate) fn is_cut(&self) -> bool {
        may_be_cut(&self.text, MAX_PLAN_LEN)
    }

    /// Returns the sort key of plans, best first. Slower plans are better. Of equally slow plans, earlier plans are
    /// better.
    #[allow(clippy::type_complexity, reason = "a key to compare by")]
    fn rank(&self) -> (Reverse<u64>, Option<(i64, &[u8])>, &str) {
        (Reverse(self.duration), self.time.as_ref().map(LogTime::key), &self.text)
    }
}

/// Returns the nodes of a plan, one per line, without costs, row counts and conditions.
fn shape(plan: &str) -> String {
    /// Keys of the node type, the table and the index in plans in JSON, YAML or XML.
    const KEYS: [&str; 6] = ["Node Type", "Relation Name", "Index Name", "<Node-Type", "<Relation-Name", "<Index-Name"];
    let text = |line: &str| line.find("  (cost=").map(|end| line[..end].to_string());
    let other = |line: &str| KEYS.iter().any(|key| line.contains(key)).then(|| line.trim().to_string());
    plan.lines().filter_map(|line| text(line).or_else(|| other(line))).collect::<Vec<_>>().join("\n")
}

impl Events {
    /// No events.
    pub(crate) const NONE: Self = Self {
        temporary_files: 0,
        temporary_bytes: 0,
        lock_waits: 0,
        failed_lock_waits: 0,
        lock_time: 0,
        canceled: 0,
        plans: 0,
        shapes: BTreeSet::new(),
        slowest_plan: None,
    };

    /// Adds an event of a statement. `duration`: the statement's duration in microseconds, if known.
    pub fn add(&mut self, event: &StatementEvent<'_>, duration: Option<u64>, time: Option<(i64, &[u8])>) {
        match *event {
            StatementEvent::TemporaryFile { bytes } => {
                self.temporary_files += 1;
                self.temporary_bytes = self.temporary_bytes.saturating_add(bytes);
            }
            StatementEvent::LockWait => self.lock_waits += 1,
            StatementEvent::LockFailed { waited } => {
                self.failed_lock_waits += 1;
                self.lock_time = self.lock_time.saturating_add(waited);
            }
            StatementEvent::LockAcquired { waited } => self.lock_time = self.lock_time.saturating_add(waited),
            StatementEvent::Plan { text } => self.add_plan(text, duration.unwrap_or(0), time),
        }
    }

    fn add_plan(&mut self, text: &str, duration: u64, time: Option<(i64, &[u8])>) {
        self.plans += 1;
        let text = cut_text(text.trim(), MAX_PLAN_LEN);
        self.add_shape(xxh3_64(shape(text).as_bytes()));
        let is_slower =
            self.slowest_plan.as_ref().is_none_or(|slowest| (Reverse(duration), time, text) < slowest.rank());
        if is_slower {
            let time = time.map(|(micros, text)| LogTime::new(micros, text));
            self.slowest_plan = Some(Box::new(Plan { duration, time, text: text.into() }));
        }
    }

    fn add_shape(&mut self, hash: u64) {
        self.shapes.insert(hash);
        if self.shapes.len() > MAX_SHAPES {
            self.shapes.pop_last();
        }
    }

    /// Whether `shapes` may lack some distinct plans.
    #[must_use]
    pub fn has_more_shapes(&self) -> bool {
        self.shapes.len() == MAX_SHAPES
    }

    /// Returns the greatest of the counts. Ignores `canceled`, because a canceled statement is already counted as an
    /// error.
    pub(crate) fn largest_count(&self) -> u64 {
        self.temporary_files.max(self.lock_waits).max(self.failed_lock_waits).max(self.plans)
    }

    /// Adds the counts of other events. Ignores their `shapes` and their `slowest_plan`.
    pub fn merge_counts(&mut self, other: &Self) {
        self.temporary_files = self.temporary_files.saturating_add(other.temporary_files);
        self.temporary_bytes = self.temporary_bytes.saturating_add(other.temporary_bytes);
        self.lock_waits = self.lock_waits.saturating_add(other.lock_waits);
        self.failed_lock_waits = self.failed_lock_waits.saturating_add(other.failed_lock_waits);
        self.lock_time = self.lock_time.saturating_add(other.lock_time);
        self.canceled = self.canceled.saturating_add(other.canceled);
        self.plans = self.plans.saturating_add(other.plans);
    }

    /// Adds other events.
    pub fn merge(&mut self, other: Self) {
        self.merge_counts(&other);
        other.shapes.into_iter().for_each(|hash| self.add_shape(hash));
        self.slowest_plan = match (self.slowest_plan.take(), other.slowest_plan) {
            (Some(a), Some(b)) => Some(if b.rank() < a.rank() { b } else { a }),
            (a, b) => a.or(b),
        };
    }

    /// Returns the approximate size in memory, in bytes.
    pub(crate) fn memory_size(&self) -> usize {
        let plan = self.slowest_plan.as_ref().map_or(0, |plan| size_of::<Plan>() + plan.text.len());
        size_of::<Self>() + 16 * self.shapes.len() + plan
    }
}
