//! Keys by which one connection of the daemon cancels what a session of another executes.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use pgq_frames::{ErrorCode, Fault};
use pgq_postgres::Canceller;

use super::fault;

/// How long a server may take to take note of a cancel.
const CANCEL_TIME: Duration = Duration::from_secs(10);

/// The sessions of all connections, by their keys. A key is a secret between the clients of one user.
#[derive(Default)]
pub struct CancelKeys {
    sessions: Mutex<HashMap<u64, Canceller>>,
}

impl CancelKeys {
    /// Gives a session its key.
    pub fn add(&self, canceller: Canceller) -> u64 {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            // The keys of a RandomState are random, and so is what it makes of anything.
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

    /// Asks the server to cancel.
    ///
    /// # Errors
    /// No session has the key, or the server does not take note.
    pub fn cancel(&self, key: u64) -> Result<(), Fault> {
        let canceller = self.sessions.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        let canceller = canceller.ok_or_else(|| Fault::new(ErrorCode::BadHandle, "no session has this cancel key"))?;
        canceller.cancel(CANCEL_TIME).map_err(|error| fault(&error, None))
    }
}
