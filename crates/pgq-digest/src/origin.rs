//! Who runs statements, and from where. A log has few origins and many statements of each, so that groups
//! share them, and what is counted by user, database and so on is first counted by origin.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::digest::IdentityHasher;
use crate::execution::Execution;
use crate::facets::FacetTimelines;
use crate::timeline::SmallTimeline;

/// Most origins that a digest tells apart at a time.
pub(crate) const MAX_ORIGINS: usize = 512;

/// So many origins are compared one by one.
pub(crate) const FEW: usize = 8;

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
        // Mostly it is one origin, whose names may be empty (order_of_texts).
        if std::ptr::eq(self, other) {
            return Ordering::Equal;
        }
        self.names_of_examples().cmp(&other.names_of_examples())
    }

    fn is_of(&self, execution: &Execution<'_>) -> bool {
        // Clients differ most often, users and databases hardly ever.
        self.names().into_iter().zip(names_of(execution)).rev().all(|(a, b)| is_same_name(a, b))
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

#[cfg(test)]
mod tests {
    use super::is_same_name;

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
}
