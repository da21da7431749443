//! Who and what statements are told apart by beside their query: users, databases, applications, hosts and
//! the tags of their comments.

use crate::bounded::{Bounded, Sum};
use crate::origin::Origin;
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

    /// Adds the sum of an origin to those of its names.
    pub(crate) fn add_origin(&mut self, origin: &Origin, sum: &S) {
        for (sums, name) in self.0.iter_mut().zip(origin.names()) {
            if let Some(of_name) = sums.of(name) {
                of_name.merge(sum);
            }
        }
    }

    /// Adds to the sum of a tag.
    pub(crate) fn add_tag(&mut self, tag: &str, sum: &S) {
        if let Some(of_tag) = self.get_mut(Facet::Tag).of(tag.as_bytes()) {
            of_tag.merge(sum);
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
