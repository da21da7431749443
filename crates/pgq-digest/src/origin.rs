//! Who runs statements, and from where. A log has few origins and many statements of each, so that groups
//! share them, and what is counted by user, database and so on is first counted by origin.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::digest::IdentityHasher;
use crate::execution::Execution;
use crate::facets::{FacetTimelines, FacetTotals};
use crate::timeline::SmallTimeline;
use crate::totals::Totals;

/// Most origins that a digest tells apart at a time.
const MAX_ORIGINS: usize = 512;

/// So many origins are compared one by one.
const FEW: usize = 8;

/// Most origins that a group tells apart.
const MAX_ORIGINS_OF_A_GROUP: usize = 8;

/// The names of a session, as far as the log has them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// Name of the user.
    pub user: Box<[u8]>,
    /// Name of the database.
    pub database: Box<[u8]>,
    /// The client's application_name.
    pub application: Box<[u8]>,
    /// Name or address of the client.
    pub host: Box<[u8]>,
}

impl Origin {
    fn new(execution: &Execution<'_>) -> Self {
        Self {
            user: execution.user.into(),
            database: execution.database.into(),
            application: execution.application.into(),
            host: execution.host.into(),
        }
    }

    /// Its names, in the order of [`crate::Facet::ALL`].
    pub(crate) fn names(&self) -> [&[u8]; 4] {
        [&self.user, &self.database, &self.application, &self.host]
    }

    /// The names that count in the order of examples.
    pub(crate) fn names_of_examples(&self) -> [&[u8]; 3] {
        [&self.user, &self.database, &self.application]
    }

    /// The order of examples that differ in their origins alone.
    pub(crate) fn order_of(&self, other: &Self) -> Ordering {
        self.names_of_examples().cmp(&other.names_of_examples())
    }

    fn is_of(&self, execution: &Execution<'_>) -> bool {
        self.names().into_iter().zip(names_of(execution)).all(|(a, b)| is_same_name(a, b))
    }
}

/// Whether two names are the same. They are short: words are compared, without a call.
fn is_same_name(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let (words, other_words) = (a.as_chunks::<8>().0, b.as_chunks::<8>().0);
    match (a.last_chunk::<8>(), b.last_chunk(), a.first_chunk::<4>(), b.first_chunk()) {
        (Some(end), Some(other_end), ..) => end == other_end && words.iter().zip(other_words).all(|(a, b)| a == b),
        (_, _, Some(start), Some(other_start)) => start == other_start && a.last_chunk::<4>() == b.last_chunk(),
        _ => a.iter().zip(b).all(|(a, b)| a == b),
    }
}

fn names_of<'a>(execution: &Execution<'a>) -> [&'a [u8]; 4] {
    [execution.user, execution.database, execution.application, execution.host]
}

/// The origins that executions came from, and when each of them ran statements.
#[derive(Debug, Clone, Default)]
pub struct Origins {
    known: Vec<(Arc<Origin>, SmallTimeline)>,
    /// Places in `known`, by the hash of the names.
    by_hash: HashMap<u64, usize, BuildHasherDefault<IdentityHasher>>,
    /// That of the execution before.
    last: usize,
}

impl Origins {
    /// Counts an execution, and returns its origin. Where there are too many, `facets` takes what is known of
    /// others.
    pub fn add(&mut self, execution: &Execution<'_>, facets: &mut FacetTimelines) -> &Arc<Origin> {
        let is_last = self.known.get(self.last).is_some_and(|(origin, _)| origin.is_of(execution));
        if !is_last {
            self.last = self.find(execution, facets);
        }
        let (origin, timeline) = &mut self.known[self.last];
        if let Some((end, _)) = execution.time {
            timeline.add(end, execution.duration.unwrap_or(0), execution.error.is_some());
        }
        origin
    }

    /// Returns the origin of an execution, which does not count.
    pub fn of(&mut self, execution: &Execution<'_>, facets: &mut FacetTimelines) -> &Arc<Origin> {
        self.last = self.find(execution, facets);
        &self.known[self.last].0
    }

    fn find(&mut self, execution: &Execution<'_>, facets: &mut FacetTimelines) -> usize {
        let few = self.known.iter().take(FEW).position(|(origin, _)| origin.is_of(execution));
        if let Some(place) = few {
            return place;
        }
        let hash = names_of(execution).into_iter().fold(0, |hash, name| xxh3_64_with_seed(name, hash));
        if let Some(place) = self.by_hash.get(&hash).copied()
            && self.known[place].0.is_of(execution)
        {
            return place;
        }
        if self.known.len() == MAX_ORIGINS {
            self.move_to(facets);
            self.known.clear();
            self.by_hash.clear();
        }
        self.known.push((Arc::new(Origin::new(execution)), SmallTimeline::default()));
        self.by_hash.insert(hash, self.known.len() - 1);
        self.known.len() - 1
    }

    /// Adds all timelines to those by name, which are exact in any order.
    pub fn move_to(&mut self, facets: &mut FacetTimelines) {
        for (origin, timeline) in &mut self.known {
            facets.add_origin(origin, &std::mem::take(timeline));
        }
    }
}

/// The totals of a group by user, database, application, host and tag.
#[derive(Debug, Clone, Default)]
pub struct GroupFacets {
    /// The first origins. Most groups have one or two.
    by_origin: Vec<(Arc<Origin>, Totals)>,
    /// Tags, and what does not fit.
    by_name: Option<Box<FacetTotals>>,
}

impl GroupFacets {
    pub(crate) fn add(&mut self, execution: &Execution<'_>, origin: &Arc<Origin>) {
        let totals = Totals::of(execution);
        match self.by_origin.iter_mut().find(|(kept, _)| Arc::ptr_eq(kept, origin)) {
            Some((_, sum)) => crate::Sum::merge(sum, &totals),
            None => self.add_totals(origin, &totals),
        }
        for tag in execution.tags {
            self.by_name.get_or_insert_default().add_tag(tag, &totals);
        }
    }

    fn add_totals(&mut self, origin: &Arc<Origin>, totals: &Totals) {
        if let Some((_, sum)) = self.by_origin.iter_mut().find(|(kept, _)| **kept == **origin) {
            crate::Sum::merge(sum, totals);
        } else if self.by_origin.len() < MAX_ORIGINS_OF_A_GROUP {
            if self.by_origin.len() == self.by_origin.capacity() {
                self.by_origin.reserve_exact(self.by_origin.len().max(1));
            }
            self.by_origin.push((Arc::clone(origin), *totals));
        } else {
            self.by_name.get_or_insert_default().add_origin(origin, totals);
        }
    }

    pub(crate) fn merge(&mut self, other: Self) {
        if self.by_origin.is_empty() && self.by_name.is_none() {
            *self = other;
            return;
        }
        other.by_origin.iter().for_each(|(origin, totals)| self.add_totals(origin, totals));
        if let Some(by_name) = other.by_name {
            self.by_name.get_or_insert_default().merge(&by_name);
        }
    }

    /// Adds the totals to those of other groups.
    pub fn add_to(&self, all: &mut FacetTotals) {
        self.by_origin.iter().for_each(|(origin, totals)| all.add_origin(origin, totals));
        if let Some(by_name) = &self.by_name {
            all.merge(by_name);
        }
    }

    /// The totals by name.
    #[must_use]
    pub fn totals(&self) -> FacetTotals {
        let mut totals = FacetTotals::default();
        self.add_to(&mut totals);
        totals
    }

    /// What is allocated, in bytes.
    pub(crate) fn memory_size(&self) -> usize {
        let by_name = self.by_name.as_ref().map_or(0, |sums| size_of::<FacetTotals>() + sums.memory_size());
        self.by_origin.capacity() * size_of::<(Arc<Origin>, Totals)>() + by_name
    }
}

impl From<FacetTotals> for GroupFacets {
    fn from(totals: FacetTotals) -> Self {
        Self { by_origin: Vec::new(), by_name: Some(Box::new(totals)) }
    }
}

#[cfg(test)]
mod tests {
    use super::{GroupFacets, MAX_ORIGINS, Origins, is_same_name};
    use crate::execution::Execution;
    use crate::facets::{Facet, FacetTimelines};

    /// Executions of more origins than a group or a digest tells apart, of few users.
    fn executions(names: &[String]) -> Vec<Execution<'_>> {
        let host = |index: usize| names[index].as_bytes();
        let user = |index: usize| names[index % 3].as_bytes();
        let execution = |index| Execution {
            user: user(index),
            host: host(index),
            duration: Some(1 + index as u64),
            time: Some((index as i64 * 1_000_000, b"")),
            ..Execution::default()
        };
        (0..names.len()).chain(0..20).map(execution).collect()
    }

    #[test]
    fn names_that_differ_in_a_byte_are_not_the_same() {
        let name: Vec<u8> = (0..40).collect();
        for len in 0..name.len() {
            assert!(is_same_name(&name[..len], &name.clone()[..len]));
            assert!(!is_same_name(&name[..len], &name[..=len]));
            for at in 0..len {
                let mut other = name[..len].to_vec();
                other[at] = b'x';
                assert!(!is_same_name(&name[..len], &other));
            }
        }
    }

    #[test]
    fn totals_by_name_do_not_depend_on_the_order() {
        let names: Vec<String> = (0..2 * MAX_ORIGINS).map(|index| format!("n{:04}", index * 37 % 1024)).collect();
        let executions = executions(&names);
        let add_all = |executions: &[Execution<'_>]| {
            let (mut origins, mut timelines) = (Origins::default(), FacetTimelines::default());
            let mut group = GroupFacets::default();
            for execution in executions {
                group.add(execution, origins.add(execution, &mut timelines));
            }
            origins.move_to(&mut timelines);
            (group, timelines)
        };
        let (whole, timelines) = add_all(&executions);
        let totals = whole.totals();
        assert_eq!(totals.get(Facet::User).iter().count(), 3);
        assert_eq!(totals.get(Facet::Host).iter().count(), 64);
        let of_users: u64 = totals.get(Facet::User).iter().map(|(_, totals)| totals.calls).sum();
        assert_eq!(of_users, executions.len() as u64);
        for cut in [1, 5, 600] {
            let (mut merged, mut merged_timelines) = add_all(&executions[cut..]);
            let (other, other_timelines) = add_all(&executions[..cut]);
            merged.merge(other);
            merged_timelines.merge(&other_timelines);
            assert_eq!(merged.totals(), totals);
            assert_eq!(merged_timelines, timelines);
        }
    }
}
