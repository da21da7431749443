//! Errors that are logged twice: by a parallel worker, and by its leader. Detects the repetition in logs without
//! process types (`%b`); with them, batch.rs drops the worker's error.

use std::collections::VecDeque;

use crate::assembly::entry::Entry;
use crate::message::event::is_of_worker;
use crate::message::field::Field;

/// Maximum number of kept errors of possible workers, oldest first.
const MAX_KEPT: usize = 64;

/// The last errors of processes without a user.
#[derive(Default)]
pub struct WorkerErrors {
    /// Process IDs and messages.
    kept: VecDeque<(u32, Box<[u8]>)>,
    /// Whether the log has names of users and databases, which workers lack. A single name may be an application's,
    /// which a client may lack.
    has_users: bool,
    /// Whether the log has SQLSTATEs, which workers lack if they follow `%q`.
    has_states: bool,
}

/// The error that another error repeats.
pub enum Repeats {
    Nothing,
    /// The error that the leader will log.
    OfLeader,
    /// The error that the worker with this process ID has logged.
    OfWorker(u32),
}

impl WorkerErrors {
    /// Returns the error that an error repeats.
    pub fn repeats(&mut self, error: Entry<'_>) -> Repeats {
        let [user, database, state] = [Field::User, Field::Database, Field::SqlState].map(|field| error.get(field));
        self.has_users |= !user.is_empty() && !database.is_empty();
        self.has_states |= !state.is_empty();
        let has_no_session = self.has_users && user.is_empty() && database.is_empty();
        if has_no_session || self.has_states && state.is_empty() {
            return if error.get(Field::Statement).is_empty() { Repeats::Nothing } else { Repeats::OfLeader };
        }
        if self.has_users {
            return Repeats::Nothing;
        }
        let message = error.get(Field::Message);
        if is_of_worker(error.get(Field::Context)) {
            let same = |(pid, kept): &(u32, Box<[u8]>)| *pid != error.pid() && **kept == *message;
            let worker = self.kept.iter().position(same).and_then(|at| self.kept.remove(at));
            return worker.map_or(Repeats::Nothing, |(pid, _)| Repeats::OfWorker(pid));
        }
        if self.kept.len() == MAX_KEPT {
            self.kept.pop_front();
        }
        self.kept.push_back((error.pid(), message.into()));
        Repeats::Nothing
    }

    /// Forgets the error of a worker, because the leader's is counted.
    pub fn forget(&mut self, worker: u32) {
        self.kept.retain(|(pid, _)| *pid != worker);
    }
}
