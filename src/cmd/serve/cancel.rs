//! Keys by which one connection of the daemon cancels the execution of another's session.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, PoisonError};

use pgq_postgres::Canceller;

/// The sessions of all connections, by their keys. A key is a secret between the clients of one user.
#[derive(Default)]
pub struct CancelKeys {
    sessions: Mutex<HashMap<u64, Canceller>>,
}

impl CancelKeys {
    /// Assigns a key to a session.
    pub fn add(&self, canceller: Canceller) -> u64 {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            // The keys of a RandomState are random, and so are its hashes.
            let key = RandomState::new().hash_one(sessions.len());
            if key != 0 && !sessions.contains_key(&key) {
                sessions.insert(key, canceller);
                return key;
            }
        }
    }

    /// Forgets a key: its session has ended.
    pub fn remove(&self, key: u64) {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner).remove(&key);
    }

    /// Returns what cancels the session with a key.
    pub fn get(&self, key: u64) -> Option<Canceller> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned()
    }
}
