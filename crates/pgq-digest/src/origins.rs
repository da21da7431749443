//! Counts the executions of a digest by origin, which is the combination of user, database, application and host. Later
//! these counts are added to the facets, which count by each name separately.

use std::collections::HashMap;
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::execution::Execution;
use crate::facets::{Activity, FacetActivity};
use crate::fingerprints::ByFingerprint;
use crate::origin::{Origin, names_of};
use crate::tally::Sum;
use crate::timeline::SmallTimeline;
use crate::totals::Totals;

/// Maximum number of origins in a digest at a time. An origin is a combination of user, database, application and
/// host.
pub(crate) const MAX_ORIGINS: usize = 512;

/// Up to this number, origins are searched linearly.
pub(crate) const FEW: usize = 8;

/// Origins of executions, with their activity.
#[derive(Debug, Clone, Default)]
pub struct Origins {
    known: Vec<(Arc<Origin>, Totals, SmallTimeline)>,
    /// Indexes in `known`, by the hash of an origin's names.
    by_hash: HashMap<u64, usize, ByFingerprint>,
    /// Index of the last execution's origin.
    last: usize,
}

impl Origins {
    /// Counts an execution and returns its origin (user, database, application and host). If there are too many
    /// origins, moves their activity to `facets`.
    pub fn add(&mut self, execution: &Execution<'_>, facets: &mut FacetActivity) -> &Arc<Origin> {
        let is_last = self.known.get(self.last).is_some_and(|(origin, ..)| origin.is_of(execution));
        if !is_last {
            self.last = self.find(execution, facets);
        }
        let (origin, totals, timeline) = &mut self.known[self.last];
        totals.merge(Totals::of(execution));
        if let Some((end, _)) = execution.time {
            timeline.add(end, execution.duration.unwrap_or(0), execution.error.is_some());
        }
        origin
    }

    /// Returns the origin of an execution. Does not count the execution.
    pub fn of(&mut self, execution: &Execution<'_>, facets: &mut FacetActivity) -> &Arc<Origin> {
        self.last = self.find(execution, facets);
        &self.known[self.last].0
    }

    fn find(&mut self, execution: &Execution<'_>, facets: &mut FacetActivity) -> usize {
        let few = self.known.iter().take(FEW).position(|(origin, ..)| origin.is_of(execution));
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
        self.known.push((Arc::new(Origin::new(execution)), Totals::default(), SmallTimeline::default()));
        self.by_hash.insert(hash, self.known.len() - 1);
        self.known.len() - 1
    }

    /// Adds the activity of all origins to `facets`. The order of the additions does not affect the result.
    pub fn move_to(&mut self, facets: &mut FacetActivity) {
        for (origin, totals, timeline) in &mut self.known {
            let timeline = std::mem::take(timeline).into();
            facets.add_origin(origin, &Activity { totals: std::mem::take(totals), timeline });
        }
    }
}
