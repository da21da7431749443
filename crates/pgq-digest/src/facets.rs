//! Breaks down statements by user, database, application and host, and by tags in comments.

use serde::{Deserialize, Serialize};

use crate::execution::Execution;
use crate::origin::Origin;
use crate::tally::{Names, Sum};
use crate::timeline::PackedTimeline;
use crate::totals::Totals;

/// Property by which the figures of statements are broken down, such as the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Facet {
    /// Names of users.
    User,
    /// Names of databases.
    Database,
    /// Values of application_name.
    Application,
    /// Names or addresses of clients.
    Host,
    /// Tags of comments, `key=value`.
    Tag,
}

impl Facet {
    /// All facets.
    pub const ALL: [Self; 5] = [Self::User, Self::Database, Self::Application, Self::Host, Self::Tag];
}

/// A tally for each facet.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound(deserialize = "S: Sum + Deserialize<'de>"))]
pub struct ByFacet<S>([Names<S>; Facet::ALL.len()]);

impl<S: Sum + Clone> ByFacet<S> {
    /// Returns the tally of a facet.
    #[must_use]
    pub fn get(&self, facet: Facet) -> &Names<S> {
        &self.0[facet as usize]
    }

    pub(crate) fn get_mut(&mut self, facet: Facet) -> &mut Names<S> {
        &mut self.0[facet as usize]
    }

    /// Adds the sum of an origin (a combination of user, database, application and host) to the sum of each of its four
    /// names.
    pub(crate) fn add_origin(&mut self, origin: &Origin, sum: &S) {
        for (sums, name) in self.0.iter_mut().zip(origin.names()) {
            if let Some(of_name) = sums.of_name(name) {
                of_name.merge(sum.clone());
            }
        }
    }

    /// Adds a sum to the sum of a tag.
    pub(crate) fn add_tag(&mut self, tag: &str, sum: &S) {
        if let Some(of_tag) = self.get_mut(Facet::Tag).of_name(tag.as_bytes()) {
            of_tag.merge(sum.clone());
        }
    }

    /// Adds the tallies of `other`.
    pub fn merge(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(sums, others)| sums.merge(others));
    }

    /// Evicts names until at most `count` users, `count` databases, and so on, remain.
    pub(crate) fn evict_to(&mut self, count: usize) {
        self.0.iter_mut().for_each(|sums| sums.evict_to(count));
    }

    /// Evicts names until the names of each facet (user, database and so on) take at most `bytes` bytes.
    pub(crate) fn evict_to_bytes(&mut self, bytes: usize) {
        self.0.iter_mut().for_each(|sums| sums.evict_to_bytes(bytes));
    }

    /// Returns the number of names in all facets (users, databases and so on).
    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(Names::len).sum()
    }

    /// Returns the allocated memory of each facet (users, databases and so on), in bytes.
    pub(crate) fn memory_sizes(&self) -> impl Iterator<Item = usize> {
        self.0.iter().map(Names::memory_size)
    }
}

/// Totals of a query by user, database and so on.
pub type FacetTotals = ByFacet<Totals>;

/// Activity by user, database and so on.
pub type FacetActivity = ByFacet<Activity>;

/// Totals with their timeline.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Activity {
    /// The totals.
    pub totals: Totals,
    /// Timeline of the executions with a time.
    pub timeline: PackedTimeline,
}

impl Activity {
    pub(crate) fn add(&mut self, execution: &Execution<'_>) {
        self.totals.merge(Totals::of(execution));
        if let Some((end, _)) = execution.time {
            self.timeline.add(end, execution.duration.unwrap_or(0), execution.error.is_some());
        }
    }
}

impl Sum for Activity {
    fn merge(&mut self, other: Self) {
        self.totals.merge(other.totals);
        self.timeline.merge(&other.timeline);
    }

    fn weight(&self) -> u64 {
        self.totals.weight()
    }

    fn memory_size(&self) -> usize {
        self.timeline.memory_size()
    }
}
