//! Totals of a group by user, database, application, host and tag. An origin is a combination of user, database,
//! application and host. An execution is first counted by its origin, because this takes only one search among a few
//! pointers. Later, the totals of each origin are added to the totals of its four names.

use std::hint::black_box;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::execution::Execution;
use crate::facets::FacetTotals;
use crate::origin::Origin;
use crate::origins::FEW;
use crate::tally::Sum;
use crate::totals::Totals;

/// Maximum number of origins (combinations of user, database, application and host) that a group counts separately.
/// With more origins, their totals would take as much memory as totals by name, so the group then counts by name.
const MAX_ORIGINS_OF_A_GROUP: usize = 64;

/// The totals of a group by user, database, application, host and tag.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(from = "FacetTotals", into = "FacetTotals")]
pub struct GroupFacets {
    /// Totals by origin (the combination of user, database, application and host), sorted by the pointer to the origin.
    /// Most groups have one or two origins. After a merge, several origins may have equal names.
    by_origin: Vec<(Arc<Origin>, Totals)>,
    /// Totals by user, database, application, host and tag. The totals of all origins are moved here if `by_origin` has
    /// too many origins.
    by_name: Option<Box<FacetTotals>>,
}

impl GroupFacets {
    pub(crate) fn add(&mut self, execution: &Execution<'_>, origin: &Arc<Origin>) {
        let totals = Totals::of(execution);
        self.add_totals(origin, &totals);
        for tag in execution.tags {
            self.by_name.get_or_insert_default().add_tag(tag, &totals);
        }
    }

    /// Prefetches the totals of a few origins (combinations of user, host and so on) into the processor's cache, for
    /// [`Digest::load`](crate::Digest::load).
    pub(crate) fn load(&self) {
        self.by_origin.iter().step_by(2).take(16).for_each(|(_, totals)| _ = black_box(totals.calls));
    }

    fn add_totals(&mut self, origin: &Arc<Origin>, totals: &Totals) {
        let place =
            |all: &[(Arc<Origin>, Totals)]| all.binary_search_by_key(&Arc::as_ptr(origin), |(o, _)| Arc::as_ptr(o));
        let at = match place(&self.by_origin) {
            Ok(at) => return self.by_origin[at].1.merge(*totals),
            Err(_) if self.by_origin.len() == MAX_ORIGINS_OF_A_GROUP => {
                self.count_by_name();
                0
            }
            Err(at) => at,
        };
        if self.by_origin.len() == self.by_origin.capacity() {
            self.by_origin.reserve_exact(self.by_origin.len().max(1));
        }
        self.by_origin.insert(at, (Arc::clone(origin), *totals));
    }

    /// Converts the totals by origin to totals by name.
    fn count_by_name(&mut self) {
        let by_name = self.by_name.get_or_insert_default();
        std::mem::take(&mut self.by_origin).iter().for_each(|(origin, totals)| by_name.add_origin(origin, totals));
    }

    pub(crate) fn merge(&mut self, mut other: Self) {
        if self.by_origin.is_empty() && self.by_name.is_none() {
            *self = other;
            return;
        }
        if self.by_origin.len().max(other.by_origin.len()) > FEW {
            // The loop below compares all pairs of origins (combinations of user, host and so on). For many origins,
            // counting by name is faster.
            self.count_by_name();
            other.count_by_name();
        }
        for (origin, totals) in &other.by_origin {
            match self.by_origin.iter_mut().find(|(kept, _)| **kept == **origin) {
                Some((_, sum)) => sum.merge(*totals),
                None => self.add_totals(origin, totals),
            }
        }
        if let Some(by_name) = other.by_name {
            self.by_name.get_or_insert_default().merge(*by_name);
        }
    }

    /// Adds the totals to other totals.
    pub fn add_to(&self, all: &mut FacetTotals) {
        self.by_origin.iter().for_each(|(origin, totals)| all.add_origin(origin, totals));
        if let Some(by_name) = &self.by_name {
            all.merge((**by_name).clone());
        }
    }

    /// Returns the totals by name.
    #[must_use]
    pub fn totals(&self) -> FacetTotals {
        let mut totals = FacetTotals::default();
        self.add_to(&mut totals);
        totals
    }

    pub(crate) fn for_each_origin(&mut self, change: impl FnMut(&mut Arc<Origin>)) {
        self.by_origin.iter_mut().map(|(origin, _)| origin).for_each(change);
    }

    pub(crate) fn by_name_mut(&mut self) -> Option<&mut FacetTotals> {
        self.by_name.as_deref_mut()
    }

    /// Evicts names until at most `count` users, `count` databases, and so on, remain.
    pub(crate) fn evict_to(&mut self, count: usize) {
        if self.by_origin.len() > count.min(FEW) {
            self.count_by_name();
        }
        if let Some(by_name) = &mut self.by_name {
            by_name.evict_to(count);
        }
    }

    /// Returns the number of origins (combinations of user, host and so on) and of names. They take most of the
    /// allocated memory.
    pub(crate) fn len(&self) -> usize {
        self.by_origin.len() + self.by_name.as_ref().map_or(0, |sums| sums.len())
    }

    /// Returns the allocated memory, in bytes.
    pub(crate) fn memory_size(&self) -> usize {
        let by_name =
            self.by_name.as_ref().map_or(0, |sums| size_of::<FacetTotals>() + sums.memory_sizes().sum::<usize>());
        let origins = self.by_origin.iter().map(|(origin, _)| origin.memory_share()).sum::<usize>();
        self.by_origin.capacity() * size_of::<(Arc<Origin>, Totals)>() + origins + by_name
    }
}

impl From<FacetTotals> for GroupFacets {
    fn from(totals: FacetTotals) -> Self {
        Self { by_origin: Vec::new(), by_name: Some(Box::new(totals)) }
    }
}

impl From<GroupFacets> for FacetTotals {
    fn from(facets: GroupFacets) -> Self {
        facets.totals()
    }
}
