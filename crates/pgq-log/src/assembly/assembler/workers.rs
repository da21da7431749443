//! Errors that the log has twice: a parallel worker logs its error, and its leader logs the same one. Recognizes
//! the second where the log has no types of processes (`%b`); where it has them, batch.rs drops the worker's.

use std::collections::VecDeque;

use crate::assembly::entry::Entry;
use crate::message::event::is_of_worker;
use crate::message::field::Field;

/// Errors of possible workers that are kept, oldest first.
const MAX_KEPT: usize = 64;

/// The last errors of processes without a user.
#[derive(Default)]
pub struct WorkerErrors {
    /// Process IDs and messages.
    kept: VecDeque<(u32, Box<[u8]>)>,
    /// Whether the log names users, which workers do not have.
    has_users: bool,
    /// Whether the log has SQLSTATEs. Those of workers are left out after `%q`.
    has_states: bool,
}

/// What an error repeats.
pub enum Repeats {
    Nothing,
    /// The error that the leader will log.
    OfLeader,
    /// The error that the worker with this process ID has logged.
    OfWorker(u32),
}

impl WorkerErrors {
    /// Returns what an error repeats.
    pub fn repeats(&mut self, error: Entry<'_>) -> Repeats {
        let (user, state) = (error.get(Field::User), error.get(Field::SqlState));
        self.has_users |= !user.is_empty();
        self.has_states |= !state.is_empty();
        let has_no_session = self.has_users && user.is_empty() && error.get(Field::Database).is_empty();
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

    /// Forgets the error of a worker that does not count: its leader's does.
    pub fn forget(&mut self, worker: u32) {
        self.kept.retain(|(pid, _)| *pid != worker);
    }
}
