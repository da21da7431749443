//! The limit of a digest, and the entries that are dropped beyond it.

use super::Digest;
use crate::execution::Execution;
use crate::group::Group;
use crate::origin::names_of;
use crate::tally::{MAX_NAME_LEN, NAME_SIZE, SCARCE_NAMES, Sum, Tally};

/// Memory limit for messages, names and unparsed statements, in bytes, if the digest has [`Limit::Groups`].
const BYTES_BESIDE_GROUPS: usize = 64 << 20;

/// After this number of executions per group, on average, the memory is estimated again from all groups. An estimate
/// after each execution would take too long.
const EXECUTIONS_OF_A_GROUP: usize = 16;

/// Limit for the groups of a digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Maximum number of groups.
    Groups(usize),
    /// Maximum memory of the digest in bytes, approximately.
    Bytes(usize),
}

impl Limit {
    /// Returns the value that [`Digest::size`] may reach before entries are dropped. For [`Limit::Groups`], this value
    /// is a quarter greater than the limit: groups are dropped in batches, and each drop reduces their number to the
    /// limit.
    #[must_use]
    pub fn while_growing(self) -> usize {
        match self {
            Self::Groups(groups) => groups + groups / 4,
            Self::Bytes(bytes) => bytes,
        }
    }

    pub(super) fn bytes(self) -> usize {
        match self {
            Self::Groups(_) => BYTES_BESIDE_GROUPS,
            Self::Bytes(bytes) => bytes,
        }
    }
}

impl Digest {
    /// Enforces the limit as [`Digest::add`] does. Useful after [`Digest::merge`], which does not enforce the limit.
    pub fn keep_limit(&mut self) {
        self.update_estimate();
        self.drop_surplus(false);
    }

    /// Returns the size to which the limit applies: the number of groups, or the approximate memory in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        match self.limit {
            Limit::Groups(_) => self.groups.len(),
            Limit::Bytes(_) => self.estimate,
        }
    }

    /// Enforces the limit after an execution.
    pub(super) fn keep_limit_after(&mut self, execution: &Execution<'_>) {
        let names = self.facets.len();
        if names > self.names {
            self.estimate += (names - self.names) * (2 * NAME_SIZE + longest_name(execution));
        }
        self.names = names;
        self.executions += 1;
        if self.executions > EXECUTIONS_OF_A_GROUP * (self.groups.len() + 1000) {
            self.update_estimate();
        }
        self.drop_surplus(false);
    }

    fn update_estimate(&mut self) {
        self.estimate = self.groups_size() + self.sizes_beside_groups().iter().sum::<usize>();
        self.names = self.facets.len();
        self.executions = 0;
    }

    /// Returns the memory of the groups that counts toward the memory limit, in bytes. With [`Limit::Bytes`], this is
    /// the groups' whole memory. With [`Limit::Groups`], it is only the memory of the names and messages in the groups.
    fn groups_size(&self) -> usize {
        let groups = self.groups.values().map(|group| &**group).chain([&self.truncated, &self.other]);
        match self.limit {
            Limit::Groups(_) => groups.map(Group::names_size).sum(),
            Limit::Bytes(_) => groups.map(Group::memory_size).sum(),
        }
    }

    /// Returns the memory of all entries except groups, in bytes: one number for the messages of each severity, one
    /// number for the names of each facet (users, databases and so on), and one number for unparsed statements.
    fn sizes_beside_groups(&self) -> Vec<usize> {
        let messages = self.messages.tallies().map(Tally::memory_size);
        messages.chain(self.facets.memory_sizes()).chain([self.unparsed.memory_size()]).collect()
    }

    /// Drops the rarest entries if the limit is exceeded.
    pub(super) fn drop_surplus(&mut self, at_end: bool) {
        if at_end || self.estimate > self.next_drop {
            self.update_estimate();
            // While the digest grows, each drop removes many entries, so drops are rare.
            let (bytes, slack) = (self.limit.bytes(), if at_end { 0 } else { self.limit.bytes() / 8 });
            if self.estimate > bytes - slack {
                self.drop_to_bytes(bytes - 2 * slack);
            }
            self.next_drop = bytes.max(self.estimate + bytes / 8);
        }
        if let Limit::Groups(limit) = self.limit
            && (at_end || self.groups.len() > self.limit.while_growing())
        {
            self.drop_groups(limit.max(1), usize::MAX);
        }
    }

    /// Drops the rarest entries until the digest takes about `bytes` bytes. Drops names before
    /// groups, because the groups may fit without the names.
    fn drop_to_bytes(&mut self, bytes: usize) {
        let mut size = self.groups_size();
        self.evict_beside_groups((bytes / 2).max(bytes.saturating_sub(size)));
        let room = bytes.saturating_sub(self.sizes_beside_groups().iter().sum());
        for names in SCARCE_NAMES {
            if size > room {
                let groups = self.groups.values_mut().map(|group| &mut **group);
                groups.chain([&mut self.truncated, &mut self.other]).for_each(|group| group.evict_names_to(names));
                size = self.groups_size();
            }
        }
        if size > room && matches!(self.limit, Limit::Bytes(_)) {
            self.drop_groups(usize::MAX, room);
        }
        self.update_estimate();
    }

    /// Evicts messages, names and groups of unparsed statements until they take about `bytes` bytes. Each kind of entry
    /// (the messages of a severity, the names of a facet, the unparsed statements) gets an equal share of this memory.
    /// If a kind needs less, the other kinds share the rest. Therefore the entries of one kind cannot evict all entries
    /// of another kind.
    fn evict_beside_groups(&mut self, bytes: usize) {
        let share = fair_share(self.sizes_beside_groups(), bytes);
        self.messages.tallies_mut().for_each(|kinds| kinds.evict_to_bytes(share));
        self.facets.evict_to_bytes(share);
        self.unparsed.evict_to_bytes(share);
    }

    /// Drops groups until at most `keep` groups remain and together take at most `bytes` bytes.
    /// Keeps the groups with the largest counts, and always keeps at least one group.
    fn drop_groups(&mut self, keep: usize, bytes: usize) {
        let mut ranks: Vec<_> = self
            .groups
            .iter()
            .map(|(fingerprint, group)| {
                let upper = group.largest_count().saturating_add(group.missing);
                ((upper, group.durations.sum()), *fingerprint, group.memory_size())
            })
            .collect();
        ranks.sort_unstable_by(|a, b| b.cmp(a));
        let mut size = 0; // without `truncated` and `other`, whose memory cannot be freed
        let fitting = ranks.iter().take(keep).take_while(|(.., of_group)| {
            size += of_group;
            size <= bytes
        });
        let kept = fitting.count().max(1);
        if kept >= ranks.len() {
            return;
        }
        let mut timeline = self.other.timeline.unpacked();
        for ((upper, _), fingerprint, _) in &ranks[kept..] {
            self.floor = self.floor.max(*upper);
            if let Some(mut group) = self.groups.remove(fingerprint) {
                timeline.merge(&std::mem::take(&mut group.timeline).unpacked());
                group.missing = 0;
                self.other.merge(*group);
                self.dropped.insert(*fingerprint);
            }
        }
        self.other.timeline = timeline.into();
        self.other.evict_names_to(SCARCE_NAMES[0]);
    }
}

/// Divides `total` among parts. Returns the size to which larger parts must be reduced, so that all parts together take
/// at most `total`. For example, returns 40 for the sizes 10, 50 and 90 and the total 90, because 10 + 40 + 40 = 90.
fn fair_share(mut sizes: Vec<usize>, total: usize) -> usize {
    sizes.sort_unstable();
    let (mut left, count) = (total, sizes.len());
    for (index, size) in sizes.into_iter().enumerate() {
        let share = left / (count - index);
        if size > share {
            return share;
        }
        left -= size;
    }
    usize::MAX
}

/// Returns the length, in bytes, of the longest name of an execution, at most [`MAX_NAME_LEN`]. The error message and
/// the tags also count as names.
pub(super) fn longest_name(execution: &Execution<'_>) -> usize {
    let names = names_of(execution).into_iter().chain(execution.error.map(|error| error.message));
    let names = names.map(<[u8]>::len).chain(execution.tags.iter().map(String::len));
    names.max().unwrap_or(0).min(MAX_NAME_LEN)
}
