//! A fixed pool of workers, which limits the number of requests in progress. A worker owns caches. A connection borrows
//! a worker to answer a request, and then returns it.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use pgq::cache::{AnswerCache, AnswerCacheOptions};
use pgq_frames::Operation;

use super::options::{Form, TextOptions};

/// Total bytes of the workers' caches for one kind of answer. Up to 16 workers ([`LEAST_SHARE`]) share these bytes
/// equally. If there are more workers, each of them gets a sixteenth of these bytes.
const TEXT_CACHE_BYTES: usize = 4 << 20;
const SHAPE_CACHE_BYTES: usize = 8 << 20;
const LEAST_SHARE: usize = 16;

/// Maximum number of caches per worker. Three operations, each in binary and JSON, need six caches. The other six are
/// for non-default options.
const CACHES: usize = 12;

/// The pool of workers.
pub struct Workers {
    resting: Mutex<Vec<Worker>>,
    one_rests: Condvar,
}

/// Answers one request at a time.
pub struct Worker {
    caches: Vec<KindCache>,
    share: usize,
    /// Reused for normalized SQL.
    pub scratch: String,
}

/// The cache for one kind of answer, that is, for one operation with given options, in binary or JSON.
struct KindCache {
    operation: Operation,
    form: Form,
    options: Arc<TextOptions>,
    cache: AnswerCache,
}

/// A borrowed worker. Dropping this value returns the worker to the pool.
pub struct BorrowedWorker<'a> {
    worker: Option<Worker>,
    workers: &'a Workers,
}

impl Workers {
    pub fn new(jobs: usize) -> Self {
        let share = jobs.clamp(1, LEAST_SHARE);
        let worker = |_| Worker { caches: Vec::new(), share, scratch: String::new() };
        Self { resting: Mutex::new((0..jobs).map(worker).collect()), one_rests: Condvar::new() }
    }

    /// Waits for a worker. Prefers the most recently used worker, because its caches are warm.
    pub fn borrow(&self) -> BorrowedWorker<'_> {
        let mut resting = self.resting.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(worker) = resting.pop() {
                return BorrowedWorker { worker: Some(worker), workers: self };
            }
            resting = self.one_rests.wait(resting).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Deref for BorrowedWorker<'_> {
    type Target = Worker;

    fn deref(&self) -> &Worker {
        self.worker.as_ref().expect("it is taken out only when dropped")
    }
}

impl DerefMut for BorrowedWorker<'_> {
    fn deref_mut(&mut self) -> &mut Worker {
        self.worker.as_mut().expect("it is taken out only when dropped")
    }
}

impl Drop for BorrowedWorker<'_> {
    fn drop(&mut self) {
        if let Some(worker) = self.worker.take() {
            self.workers.resting.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
            self.workers.one_rests.notify_one();
        }
    }
}

impl Worker {
    /// Returns the cache for a kind of answer, and the scratch string. Evicts the least recently used kind if needed.
    pub fn cache(
        &mut self,
        operation: Operation,
        form: Form,
        options: &Arc<TextOptions>,
    ) -> (&mut AnswerCache, &mut String) {
        let is_same = |cache: &KindCache| {
            cache.operation == operation
                && cache.form == form
                && (Arc::ptr_eq(&cache.options, options) || cache.options == *options)
        };
        match self.caches.iter().position(is_same) {
            Some(0) => {}
            Some(at) => self.caches[..=at].rotate_right(1),
            None => {
                self.caches.truncate(CACHES - 1);
                let cache = AnswerCache::new(&cache_options(options, self.share));
                self.caches.insert(0, KindCache { operation, form, options: Arc::clone(options), cache });
            }
        }
        (&mut self.caches[0].cache, &mut self.scratch)
    }
}

/// Returns the options for a cache. Enables caching by shape only if the parser's options have their defaults, and
/// `placeholders` and `utility` are not set. If caching by shape is enabled, statements that differ only in their
/// literals share an entry.
fn cache_options(options: &TextOptions, share: usize) -> AnswerCacheOptions {
    let mut cache = AnswerCacheOptions::default();
    cache.text_bytes = TEXT_CACHE_BYTES / share;
    if options.placeholders.is_none() && options.parse.reads_by_default() && !options.utility {
        (cache.shape_bytes, cache.fingerprint) = (SHAPE_CACHE_BYTES / share, options.fingerprint);
    }
    cache
}
