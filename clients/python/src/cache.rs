//! The caches that each thread keeps, because programs often repeat statements.

use std::cell::RefCell;

use pgq::cache::{AnswerCacheOptions, FingerprintCache, NormalizeCache};

/// Limits in bytes of the caches of all threads together: one limit for results that are found by text, and one for
/// results that are found by shape (the SQL without its constants). The program pgq has the same limits.
const TEXT_BYTES: usize = 4 << 20;
const SHAPE_BYTES: usize = 8 << 20;

/// The cache that a thread keeps between calls has 1/`KEPT_SHARES` of the limits for all threads: 256 kB of results by
/// text and 512 kB by shape.
const KEPT_SHARES: usize = 16;

thread_local! {
    static FINGERPRINTS: RefCell<FingerprintCache> = RefCell::new(FingerprintCache::create(KEPT_SHARES));
    static NORMALIZED: RefCell<NormalizeCache> = RefCell::new(NormalizeCache::create(KEPT_SHARES));
}

/// State of a thread that computes the results for texts: a cache, or nothing.
pub trait ThreadState: Sized {
    /// Creates the state of one of `jobs` threads.
    fn create(jobs: usize) -> Self;

    /// Runs `f` with the state that this thread keeps until it ends.
    fn with_kept<T>(f: impl FnOnce(&mut Self) -> T) -> T;
}

impl ThreadState for FingerprintCache {
    fn create(jobs: usize) -> Self {
        Self::new(&options(jobs))
    }

    fn with_kept<T>(f: impl FnOnce(&mut Self) -> T) -> T {
        FINGERPRINTS.with_borrow_mut(f)
    }
}

impl ThreadState for NormalizeCache {
    fn create(jobs: usize) -> Self {
        Self::new(&options(jobs))
    }

    fn with_kept<T>(f: impl FnOnce(&mut Self) -> T) -> T {
        NORMALIZED.with_borrow_mut(f)
    }
}

impl ThreadState for () {
    fn create(_: usize) -> Self {}

    fn with_kept<T>(f: impl FnOnce(&mut Self) -> T) -> T {
        f(&mut ())
    }
}

/// Returns the options of each cache of `jobs` threads.
fn options(jobs: usize) -> AnswerCacheOptions {
    let mut options = AnswerCacheOptions::default();
    (options.text_bytes, options.shape_bytes) = (TEXT_BYTES / jobs, SHAPE_BYTES / jobs);
    options
}
