//! A counting semaphore that limits the number of connections or sessions.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Instant;

/// A semaphore with a fixed number of places. Each connection or session takes one place.
pub struct Places {
    most: usize,
    taken: Mutex<usize>,
    one_freed: Condvar,
}

/// A taken place. Dropping it frees the place.
pub struct Place(Arc<Places>);

impl Places {
    /// Creates `most` free places.
    pub fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most, taken: Mutex::new(0), one_freed: Condvar::new() })
    }

    /// Takes a place. Returns `None` if all places are taken.
    pub fn take(self: &Arc<Self>) -> Option<Place> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if *taken >= self.most {
            return None;
        }
        *taken += 1;
        Some(Place(Arc::clone(self)))
    }

    /// Waits until all places are free. Stops waiting at the time `until`.
    pub fn wait_until_free(&self, until: Instant) {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        while *taken > 0 {
            let Some(left) = until.checked_duration_since(Instant::now()) else { return };
            taken = self.one_freed.wait_timeout(taken, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        *self.0.taken.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        self.0.one_freed.notify_all();
    }
}
