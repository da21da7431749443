//! The digests of all jobs. Each job adds to its own. While they are within the limit together, that is all; beyond
//! it a job gives its groups to a common digest, where a query that several jobs have seen has one group. So what is
//! kept hardly depends on the number of jobs.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use pgq_digest::{Digest, Limit};

/// A job gives away its groups only if they are at least this part of its share of the limit.
const PART: usize = 4;

/// The digests of all jobs, which reports may look at between two chunks.
pub struct SharedDigests {
    jobs: Vec<Shared>,
    common: Shared,
    limit: Limit,
}

struct Shared {
    digest: Mutex<Digest>,
    /// [`Digest::size`] when it was looked at last.
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

    /// Lets a job add to its digest.
    pub fn with_job(&self, job: usize, add: impl FnOnce(&mut Digest)) {
        // The order of locks: jobs, then the common digest.
        let mut digest = self.jobs[job].lock();
        add(&mut digest);
        let size = digest.size();
        self.jobs[job].size.store(size, Relaxed);
        if self.jobs.len() > 1 && self.is_exceeded() && size >= self.allowed() / (PART * self.jobs.len()) {
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
        sizes.sum::<usize>() > self.allowed()
    }

    /// What a digest keeps while it grows.
    fn allowed(&self) -> usize {
        match self.limit {
            Limit::Groups(groups) => groups + groups / 4,
            Limit::Bytes(bytes) => bytes,
        }
    }

    /// All digests as one. `take` gives each, of which it may leave the empty one that it gets.
    pub fn merged(&self, take: impl Fn(&mut Digest, Digest) -> Digest) -> Digest {
        let mut digests: Vec<_> = self.jobs.iter().chain([&self.common]).map(Shared::lock).collect();
        let mut all = Digest::new(self.limit);
        // The common digest has the most groups, which are not merged into an empty one.
        for digest in digests.iter_mut().rev() {
            all.merge(take(digest, Digest::new(self.limit)));
        }
        all
    }
}
