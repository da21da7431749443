//! The digests of all jobs. Each job adds to its own digest. When all digests together exceed the limit, jobs move
//! their groups (the figures of each query) into a common digest. If several jobs have seen a query, the common digest
//! has only one group for it. Therefore the number of jobs has little effect on the number of groups that fit in the
//! limit.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use pgq_digest::{Digest, Limit};

/// A job moves its groups (the figures of each query) to the common digest only if their size is at least `1/PART`
/// of the job's share of the limit. This avoids merges of only a few groups. All jobs have equal shares.
const PART: usize = 4;

/// The digests of all jobs. A job locks its digest only while it adds a chunk of the input, so a report can read the
/// digest between two chunks.
pub struct SharedDigests {
    jobs: Vec<Shared>,
    common: Shared,
    limit: Limit,
}

/// A digest. It is aligned to avoid false sharing, because each job often writes to its digest.
#[repr(align(128))]
struct Shared {
    digest: Mutex<Digest>,
    /// [`Digest::size`] after the last change.
    size: AtomicUsize,
}

impl Shared {
    fn new(limit: Limit) -> Self {
        Self { digest: Mutex::new(Digest::new(limit)), size: AtomicUsize::new(0) }
    }

    fn lock(&self) -> MutexGuard<'_, Digest> {
        self.digest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SharedDigests {
    pub fn new(jobs: usize, limit: Limit) -> Self {
        Self { jobs: (0..jobs).map(|_| Shared::new(limit)).collect(), common: Shared::new(limit), limit }
    }

    /// Passes a job's digest to `add`.
    pub fn with_job(&self, job: usize, add: impl FnOnce(&mut Digest)) {
        // Lock order: the job's digest, then the common digest.
        let mut digest = self.jobs[job].lock();
        add(&mut digest);
        let size = digest.size();
        self.jobs[job].size.store(size, Relaxed);
        if self.jobs.len() > 1 && self.is_exceeded() && size >= self.limit.while_growing() / (PART * self.jobs.len()) {
            let given = std::mem::replace(&mut *digest, Digest::new(self.limit));
            self.jobs[job].size.store(0, Relaxed);
            let mut common = self.common.lock();
            common.merge(given);
            common.keep_limit();
            self.common.size.store(common.size(), Relaxed);
        }
    }

    fn is_exceeded(&self) -> bool {
        let sizes = self.jobs.iter().chain([&self.common]).map(|shared| shared.size.load(Relaxed));
        sizes.sum::<usize>() > self.limit.while_growing()
    }

    /// Merges all digests into one. Calls `take(digest, empty)` for each digest to get the digest to merge. `take`
    /// either returns a clone and leaves `digest` unchanged, or replaces `digest` with `empty` and returns the old
    /// value.
    pub fn merged(&self, take: impl Fn(&mut Digest, Digest) -> Digest) -> Digest {
        let mut digests: Vec<_> = self.jobs.iter().chain([&self.common]).map(Shared::lock).collect();
        let mut all = Digest::new(self.limit);
        // The common digest has the most groups. It is merged first, because merging into the empty digest is cheap.
        for digest in digests.iter_mut().rev() {
            all.merge(take(digest, Digest::new(self.limit)));
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use pgq_digest::{Digest, Execution, Facet, GroupKey, Limit};

    use super::SharedDigests;

    const QUERIES: u64 = 2000;

    /// Adds executions of all queries. A round adds each query twice.
    fn add_all(jobs: usize, rounds: u64, limit: Limit) -> Digest {
        let shared = SharedDigests::new(jobs, limit);
        for chunk in 0..rounds * QUERIES / 50 {
            for job in 0..jobs {
                shared.with_job(job, |digest| {
                    for number in chunk * 50..(chunk + 1) * 50 {
                        let sql = format!("SELECT {}", number % QUERIES);
                        let time = Some((number as i64 * 1_000_000, &b"now"[..]));
                        let execution =
                            Execution { sql: sql.as_bytes(), duration: Some(number), time, ..Execution::default() };
                        (0..2 / jobs).for_each(|_| digest.add(&GroupKey::Query(number % QUERIES), &execution));
                    }
                });
            }
        }
        let mut merged = shared.merged(std::mem::replace);
        merged.finish();
        merged
    }

    #[test]
    fn two_jobs_keep_what_one_keeps() {
        let one = add_all(1, 3, Limit::Bytes(usize::MAX));
        let size = one.size();
        // With two jobs, each job sees every query, so their digests together exceed the limit.
        for limit in [Limit::Groups(QUERIES as usize), Limit::Bytes(size + size / 3)] {
            for jobs in [1, 2] {
                let digest = add_all(jobs, 3, limit);
                assert_eq!((digest.groups.len(), digest.dropped.len()), (QUERIES as usize, 0), "{limit:?} {jobs}");
                let calls: u64 = digest.groups.values().map(|group| group.calls).sum();
                assert_eq!((calls, digest.timeline == one.timeline), (6 * QUERIES, true));
            }
        }
    }

    #[test]
    fn names_that_differ_for_each_call_drop_no_queries() {
        const CALLS: usize = 20_000;
        for (jobs, limit) in [(1, 300 << 10), (2, 300 << 10), (1, 4 << 20), (2, 4 << 20)] {
            let shared = SharedDigests::new(jobs, Limit::Bytes(limit));
            for chunk in 0..CALLS / 50 {
                shared.with_job(chunk % jobs, |digest| {
                    for call in chunk * 50..(chunk + 1) * 50 {
                        let tags = [format!("request_id={call}"), "route=carts".into()];
                        let execution = Execution { sql: b"SELECT 1", tags: &tags, ..Execution::default() };
                        digest.add(&GroupKey::Query(call as u64 % 10), &execution);
                    }
                });
                let size: usize = shared.jobs.iter().chain([&shared.common]).map(|shared| shared.lock().size()).sum();
                assert!(size < limit / 2 * 3, "{size} of {limit}, {jobs} jobs");
            }
            let mut merged = shared.merged(std::mem::replace);
            merged.finish();
            let calls: Vec<_> = merged.groups.values().map(|group| (group.calls, group.missing)).collect();
            assert_eq!(calls, [(CALLS as u64 / 10, 0); 10], "{limit}, {jobs} jobs");
            let tags = merged.facets.get(Facet::Tag);
            let route = tags.iter().find(|(tag, _)| &***tag == "route=carts").unwrap().1;
            assert_eq!((route.sum.totals.calls, route.missing), (CALLS as u64, 0), "{limit}, {jobs} jobs");
        }
    }

    #[test]
    fn too_many_queries_are_dropped() {
        for jobs in [1, 2] {
            let digest = add_all(jobs, 2, Limit::Groups(100));
            assert_eq!((digest.groups.len(), digest.distinct_queries()), (100, QUERIES), "{jobs}");
            assert_eq!(digest.all_groups().map(|group| group.calls).sum::<u64>(), 4 * QUERIES);
        }
    }
}
