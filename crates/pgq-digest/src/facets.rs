//! Who and what statements are told apart by beside their query: users, databases, applications, hosts and
//! the tags of their comments.

use crate::bounded::{Bounded, Sum};
use crate::execution::Execution;
use crate::timeline::SmallTimeline;
use crate::totals::Totals;

/// What statements are told apart by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

/// Something for each facet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ByFacet<S>([Bounded<S>; Facet::ALL.len()]);

impl<S: Sum> ByFacet<S> {
    /// What there is for a facet.
    #[must_use]
    pub fn get(&self, facet: Facet) -> &Bounded<S> {
        &self.0[facet as usize]
    }

    /// The same, to be changed.
    pub(crate) fn get_mut(&mut self, facet: Facet) -> &mut Bounded<S> {
        &mut self.0[facet as usize]
    }

    fn change(&mut self, execution: &Execution<'_>, mut change: impl FnMut(&mut S)) {
        let names = [execution.user, execution.database, execution.application, execution.host];
        for (sums, name) in self.0.iter_mut().zip(names) {
            if let Some(sum) = sums.of(name) {
                change(sum);
            }
        }
        for tag in execution.tags {
            if let Some(sum) = self.get_mut(Facet::Tag).of(tag.as_bytes()) {
                change(sum);
            }
        }
    }

    /// Adds those of others.
    pub fn merge(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(sums, others)| sums.merge(others));
    }

    /// What is allocated, in bytes.
    pub(crate) fn memory_size(&self) -> usize {
        self.0.iter().map(Bounded::memory_size).sum()
    }
}

/// The totals of a query by user, database and so on.
pub type FacetTotals = ByFacet<Totals>;

/// When users, clients and so on ran statements.
pub type FacetTimelines = ByFacet<SmallTimeline>;

impl FacetTotals {
    /// Adds an execution.
    pub fn add(&mut self, execution: &Execution<'_>) {
        let totals = Totals::of(execution);
        self.change(execution, |sum| sum.merge(&totals));
    }
}

impl FacetTimelines {
    /// Adds an execution that has a time.
    pub fn add(&mut self, execution: &Execution<'_>) {
        if let Some((end, _)) = execution.time {
            let (duration, failed) = (execution.duration.unwrap_or(0), execution.error.is_some());
            self.change(execution, |timeline| timeline.add(end, duration, failed));
        }
    }
}
