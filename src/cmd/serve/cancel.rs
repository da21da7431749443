//! Cancel keys. With a session's key, a client can cancel the session's execution from another
//! connection to the daemon.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, PoisonError};

use pgq_postgres::Canceller;

/// Cancellers of all sessions, keyed by cancel key. Only the daemon's user can learn a key.
#[derive(Default)]
pub struct CancelKeys {
    sessions: Mutex<HashMap<u64, Canceller>>,
}

impl CancelKeys {
    /// Assigns a key to a session.
    pub fn add(&self, canceller: Canceller) -> u64 {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            // A RandomState has random keys, so its hashes are random.
            let key = RandomState::new().hash_one(sessions.len());
            if key != 0 && !sessions.contains_key(&key) {
                sessions.insert(key, canceller);
                return key;
            }
        }
    }

    /// Removes the key of a session that has ended.
    pub fn remove(&self, key: u64) {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner).remove(&key);
    }

    /// Returns the canceller for a key.
    pub fn get(&self, key: u64) -> Option<Canceller> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned()
    }
}
